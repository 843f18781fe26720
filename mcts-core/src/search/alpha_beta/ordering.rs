//! Which action is tried first: the best one of the table, then by the order of the evaluation, then killer and
//! history heuristics.

use crate::game::Game;
use alloc::vec;
use alloc::vec::Vec;

/// An action of a position on the search's stack.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate<A> {
    pub(super) action: A,
    /// Its place among the legal actions of the position.
    pub(super) place: u16,
    key: i64,
}

impl<A> Candidate<A> {
    /// A candidate with a key of the caller's: larger first.
    pub(super) fn keyed(action: A, place: u16, key: i64) -> Self {
        Candidate { action, place, key }
    }

    /// An outcome of chance with its probability; one that is negative or not a number counts as zero.
    pub(super) fn outcome(action: A, probability: f32) -> Self {
        let probability = if probability > 0.0 { probability } else { 0.0 };
        Candidate { action, place: 0, key: i64::from(probability.to_bits()) }
    }

    /// The probability of an [`outcome`](Self::outcome).
    pub(super) fn probability(&self) -> f32 {
        f32::from_bits(self.key as u32)
    }

    /// Puts the order of the evaluation before what the heuristics say.
    pub(super) fn set_order(&mut self, order: i32) {
        if self.key != FROM_TABLE {
            self.key = (i64::from(order) << 32) + (self.key & 0xFFFF_FFFF);
        }
    }
}

/// The action of the table goes before all others.
const FROM_TABLE: i64 = i64::MAX;
const KILLERS: [i64; 2] = [1 << 31, 1 << 30];
/// Histories stay below the killers.
const MOST_HISTORY: u32 = 1 << 29;

/// What quiet actions have done before (killers: Huberman, 1968; history: Schaeffer, 1989).
#[derive(Debug)]
pub(super) struct Ordering<A> {
    /// By ply: the last two actions that caused a cutoff.
    killers: Vec<[Option<A>; 2]>,
    /// By player and index of the action: squares of the depths at which it caused cutoffs.
    history: Vec<u32>,
    indices: usize,
}

/// Games with more action indices than this go without the history heuristic.
const MOST_INDICES: usize = 1 << 16;

impl<A: Copy + Eq> Ordering<A> {
    pub(super) fn new<G: Game<Action = A>>(game: &G) -> Self {
        let indices = match game.action_indices() {
            indices if indices <= MOST_INDICES => indices,
            _ => 0,
        };
        Ordering { killers: Vec::new(), history: vec![0; 2 * indices], indices }
    }

    /// Forgets the killers and halves the histories, as a new position is searched.
    pub(super) fn next_search(&mut self) {
        self.killers.clear();
        self.halve();
    }

    fn halve(&mut self) {
        for depths in &mut self.history {
            *depths /= 2;
        }
    }

    fn history_place<G: Game<Action = A>>(
        &self,
        game: &G,
        player: usize,
        action: A,
    ) -> Option<usize> {
        let index = game.action_index(action).filter(|index| *index < self.indices)?;
        Some(player * self.indices + index)
    }

    /// A candidate at `ply` with the order that the evaluation gives it.
    pub(super) fn candidate<G: Game<Action = A>>(
        &self,
        game: &G,
        at: Moment,
        (place, action): (u16, A),
        order: i32,
    ) -> Candidate<A> {
        let key = if at.from_table == Some(place) {
            FROM_TABLE
        } else {
            let killers = self.killers.get(at.ply).map_or([None; 2], |killers| *killers);
            let killer = killers.iter().position(|killer| *killer == Some(action));
            let history = self.history_place(game, at.player, action);
            let history = history.map_or(0, |place| i64::from(self.history[place]));
            (i64::from(order) << 32) + killer.map_or(history, |place| KILLERS[place])
        };
        Candidate { action, place, key }
    }

    /// Notes that `action` caused a cutoff.
    pub(super) fn cut<G: Game<Action = A>>(&mut self, game: &G, at: Moment, action: A, depth: u32) {
        if self.killers.len() <= at.ply {
            self.killers.resize(at.ply + 1, [None; 2]);
        }
        let killers = &mut self.killers[at.ply];
        if killers[0] != Some(action) {
            *killers = [Some(action), killers[0]];
        }
        if let Some(place) = self.history_place(game, at.player, action) {
            self.history[place] += (depth * depth).min(1 << 16);
            if self.history[place] > MOST_HISTORY {
                self.halve();
            }
        }
    }
}

/// Where in the search a position stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment {
    pub(super) ply: usize,
    pub(super) player: usize,
    /// Place of the best action in the table.
    pub(super) from_table: Option<u16>,
}

/// Moves the best of the candidates to the front.
pub(super) fn bring_best_forward<A>(candidates: &mut [Candidate<A>]) {
    let best = (0..candidates.len()).min_by_key(|place| {
        let candidate = &candidates[*place];
        (core::cmp::Reverse(candidate.key), candidate.place)
    });
    if let Some(best) = best {
        candidates.swap(0, best);
    }
}

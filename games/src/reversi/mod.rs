//! Reversi for the search.

#[cfg(feature = "conformance")]
pub mod conformance;
mod drawing;
mod entry;
mod lanes;
mod lines;
mod notation;
pub mod protocol;
mod random;
mod rules;

pub use entry::ENTRY;
pub use rules::{Action, CELLS, Illegal, Position, Side, legal_cells, turned_by};

use mcts_core::trace::{Recorder, TraceStep, Untraced};
use mcts_core::{Game, Margin, Player, SearchRng, Turn, Utilities, rng};

use crate::bits::nth_bit;

/// Reversi as a [`Game`]: Black is the first player, cells are the action indices.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Reversi {
    /// What discs more than the opponent's are worth at the end.
    pub margin: Margin,
}

impl Reversi {
    #[inline]
    fn utilities(&self, position: &Position) -> Utilities {
        Utilities::zero_sum(self.margin.utility(position.margin()))
    }

    /// One rollout from each of at least one and at most `LANES` states.
    fn rollouts_in_lanes<const LANES: usize>(
        &self,
        states: &[Position],
        rng: &mut SearchRng,
        results: &mut [Utilities],
    ) {
        let lanes: [Position; LANES] = core::array::from_fn(|lane| states[lane % states.len()]);
        let margins = lanes::margins_of_random_games(&lanes, rng);
        for (result, margin) in results.iter_mut().zip(margins) {
            *result = Utilities::zero_sum(self.margin.utility(margin));
        }
    }
}

impl From<Side> for Player {
    fn from(side: Side) -> Player {
        match side {
            Side::Black => Player::FIRST,
            Side::White => Player::SECOND,
        }
    }
}

impl Game for Reversi {
    type State = Position;
    type Action = Action;

    fn start(&self) -> Position {
        Position::start()
    }

    #[inline]
    fn turn(&self, position: &Position) -> Turn {
        if position.is_over() {
            Turn::Over(self.utilities(position))
        } else {
            Turn::Player(position.side().into())
        }
    }

    #[inline]
    fn actions(&self, position: &Position, mut visit: impl FnMut(Action)) {
        let mut moves = position.moves();
        if moves == 0 {
            visit(Action::PASS);
        }
        while moves != 0 {
            visit(Action::on(moves.trailing_zeros()));
            moves &= moves - 1;
        }
    }

    #[inline]
    fn apply(&self, position: &mut Position, action: Action) {
        position.apply(action);
    }

    #[inline]
    fn action_index(&self, action: Action) -> Option<usize> {
        action.cell().map(|cell| cell as usize)
    }

    fn action_indices(&self) -> usize {
        CELLS
    }

    #[inline]
    fn count_actions(&self, position: &Position) -> usize {
        position.moves().count_ones().max(1) as usize
    }

    #[inline]
    fn nth_action(&self, position: &Position, n: usize) -> Action {
        assert!(n < self.count_actions(position), "n is below the number of legal actions");
        nth_action(position, n)
    }

    #[inline]
    fn random_action(&self, position: &Position, rng: &mut SearchRng) -> Action {
        nth_action(position, rng::below(rng, self.count_actions(position)))
    }

    fn rollout(
        &self,
        position: Position,
        recorder: &mut impl Recorder,
        rng: &mut SearchRng,
    ) -> Utilities {
        let margin = random::margin_of_random_game(&position, rng, |side, disc| {
            let index = || (disc != 0).then(|| disc.trailing_zeros() as usize);
            recorder.record(|| TraceStep::new(side.into(), index()));
        });
        Utilities::zero_sum(self.margin.utility(margin))
    }

    /// Eight games, or what is left of them, side by side; a multiple of eight wastes nothing.
    fn rollouts(&self, states: &mut [Position], rng: &mut SearchRng, results: &mut [Utilities]) {
        for (states, results) in states.chunks(8).zip(results.chunks_mut(8)) {
            match states.len() {
                1 => results[0] = self.rollout(states[0], &mut Untraced, rng),
                2..=4 => self.rollouts_in_lanes::<4>(states, rng, results),
                _ => self.rollouts_in_lanes::<8>(states, rng, results),
            }
        }
    }

    fn hash(&self, position: &Position) -> Option<u64> {
        let side = rng::mix(position.side() as u64 + 1);
        Some(rng::mix(position.own() ^ rng::mix(position.opponent() ^ side)))
    }
}

#[inline]
fn nth_action(position: &Position, n: usize) -> Action {
    match position.moves() {
        0 => Action::PASS,
        moves => Action::on(nth_bit(moves, n as u32).trailing_zeros()),
    }
}

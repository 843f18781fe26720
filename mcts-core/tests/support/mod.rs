//! Small games that several tests share.
#![allow(dead_code, reason = "each test binary uses a part of them")]

pub(crate) mod dice_race;
pub(crate) mod hidden_bit;
pub(crate) mod in_a_row;
pub(crate) mod matrix;

use mcts_core::{Game, Player, Turn, Utilities};

/// Players take one to three plies off a counter in turn; the winner is fixed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Countdown {
    /// Counter at the start.
    pub(crate) plies: u32,
    /// Wins in the end, for any actions.
    pub(crate) winner: Player,
}

impl Game for Countdown {
    type State = u32;
    type Action = u8;

    fn start(&self) -> u32 {
        self.plies
    }
    fn turn(&self, left: &u32) -> Turn {
        match left {
            0 => Turn::Over(Utilities::win(self.winner)),
            left => Turn::Player(Player((left % 2) as u8)),
        }
    }
    fn actions(&self, left: &u32, visit: impl FnMut(u8)) {
        (0..3.min(*left) as u8).for_each(visit);
    }
    fn apply(&self, left: &mut u32, action: u8) {
        *left -= u32::from(action) + 1;
    }
    fn action_index(&self, action: u8) -> Option<usize> {
        Some(usize::from(action))
    }
    fn action_indices(&self) -> usize {
        3
    }
}

/// A countdown with one action at each ply.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Narrow(pub(crate) Countdown);

impl Game for Narrow {
    type State = u32;
    type Action = u8;

    fn start(&self) -> u32 {
        self.0.start()
    }
    fn turn(&self, left: &u32) -> Turn {
        self.0.turn(left)
    }
    fn actions(&self, _: &u32, mut visit: impl FnMut(u8)) {
        visit(0);
    }
    fn apply(&self, left: &mut u32, action: u8) {
        self.0.apply(left, action);
    }
    fn action_index(&self, _: u8) -> Option<usize> {
        Some(0)
    }
    fn action_indices(&self) -> usize {
        1
    }
}

/// Faulty rules: after some plies there is no legal action, although the game is not over.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stuck {
    /// Plies until then.
    pub(crate) after: u32,
}

impl Game for Stuck {
    type State = u32;
    type Action = u8;

    fn start(&self) -> u32 {
        0
    }
    fn turn(&self, plies: &u32) -> Turn {
        Turn::Player(Player((plies % 2) as u8))
    }
    fn actions(&self, plies: &u32, visit: impl FnMut(u8)) {
        if *plies < self.after {
            (0..2).for_each(visit);
        }
    }
    fn apply(&self, plies: &mut u32, _: u8) {
        *plies += 1;
    }
    fn action_index(&self, action: u8) -> Option<usize> {
        Some(usize::from(action))
    }
    fn action_indices(&self) -> usize {
        2
    }
}

/// One player chooses a path; each of its three steps has a reward.
#[derive(Debug, Clone)]
pub(crate) struct Payouts {
    /// The rewards of each path.
    pub(crate) steps: Vec<[f32; 3]>,
    /// Discount per step.
    pub(crate) discount: f32,
}

impl Game for Payouts {
    /// The path and the number of steps taken on it.
    type State = (u8, u8);
    type Action = u8;
    const PLAYERS: usize = 1;
    const UTILITY_BOUNDS: (f32, f32) = (-10.0, 10.0);
    const HAS_REWARDS: bool = true;

    fn start(&self) -> (u8, u8) {
        (0, 0)
    }
    fn turn(&self, (_, steps): &(u8, u8)) -> Turn {
        if *steps == 3 { Turn::Over(Utilities::ZERO) } else { Turn::Player(Player::FIRST) }
    }
    fn actions(&self, (path, steps): &(u8, u8), mut visit: impl FnMut(u8)) {
        if *steps == 0 {
            (0..self.steps.len() as u8).for_each(visit);
        } else {
            visit(*path);
        }
    }
    fn apply(&self, state: &mut (u8, u8), path: u8) {
        *state = (path, state.1 + 1);
    }
    fn apply_with_rewards(&self, state: &mut (u8, u8), path: u8) -> Utilities {
        self.apply(state, path);
        Utilities::single(self.steps[usize::from(path)][usize::from(state.1) - 1])
    }
    fn discount(&self) -> f32 {
        self.discount
    }
    fn action_index(&self, path: u8) -> Option<usize> {
        Some(usize::from(path))
    }
    fn action_indices(&self) -> usize {
        self.steps.len()
    }
}

/// Take one to three counters in turn; the player who takes the last one wins.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Nim {
    /// Counters at the start.
    pub(crate) counters: u8,
}

impl Game for Nim {
    type State = (u8, Player);
    type Action = u8;

    fn start(&self) -> Self::State {
        (self.counters, Player::FIRST)
    }
    fn turn(&self, (left, player): &Self::State) -> Turn {
        if *left == 0 {
            Turn::Over(Utilities::win(player.opponent()))
        } else {
            Turn::Player(*player)
        }
    }
    fn actions(&self, (left, _): &Self::State, visit: impl FnMut(u8)) {
        (1..=3.min(*left)).for_each(visit);
    }
    fn apply(&self, (left, player): &mut Self::State, taken: u8) {
        *left -= taken;
        *player = player.opponent();
    }
    fn action_index(&self, taken: u8) -> Option<usize> {
        Some(usize::from(taken) - 1)
    }
    fn action_indices(&self) -> usize {
        3
    }
}

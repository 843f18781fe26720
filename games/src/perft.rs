//! Counts sequences of actions: the usual check of rules, and their speed.

use mcts_core::{Game, Turn};

/// What a sequence counts that ends the game before the depth is reached; published counts differ in this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndedEarly {
    /// Nothing: only sequences of exactly the depth count.
    CountsNothing,
    /// One, however much depth is left.
    CountsOnce,
}

/// The number of sequences of `depth` actions from `state`. A pass is an action, and every outcome of a chance
/// node counts as one.
#[must_use]
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32, ended: EndedEarly) -> u64 {
    if depth == 0 {
        return 1;
    }
    if matches!(game.turn(state), Turn::Over(_)) {
        return u64::from(ended == EndedEarly::CountsOnce);
    }
    if depth == 1 {
        return game.count_actions(state) as u64;
    }
    let mut sequences = 0;
    game.actions(state, |action| {
        let mut next = state.clone();
        game.apply(&mut next, action);
        sequences += perft(game, &next, depth - 1, ended);
    });
    sequences
}

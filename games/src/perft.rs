//! Counts sequences of actions (perft): tests the rules and measures their speed.

use mcts_core::{Game, Turn};

/// How a sequence counts that ends the game before the depth is reached; published counts differ in
/// this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndedEarly {
    /// Not at all: only sequences of exactly the depth count.
    CountsNothing,
    /// Once, for any remaining depth.
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

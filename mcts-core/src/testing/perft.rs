//! Counts sequences of actions (perft), the usual test of move generation.

use crate::game::{Game, Turn};

/// Number of sequences of exactly `depth` actions from `state`; sequences that end earlier do not
/// count.
///
/// The recursion is `depth` calls deep, so keep it small.
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if matches!(game.turn(state), Turn::Over(_)) {
        return 0;
    }
    let mut nodes = 0;
    game.actions(state, |action| {
        let mut after = state.clone();
        game.apply(&mut after, action);
        nodes += perft(game, &after, depth - 1);
    });
    nodes
}

//! Counting positions: the usual proof that move generation is right.

use crate::game::{Game, Turn};

/// Number of sequences of exactly `depth` actions from `state`; nothing follows the end of a game.
///
/// Goes `depth` calls deep, so keep it small.
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

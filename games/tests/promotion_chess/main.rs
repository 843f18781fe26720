//! Compares Promotion Chess with an oracle and golden vectors, and sends hostile input.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod mate_solver;
mod mates;
mod notation;
mod oracle;
mod protocol;
mod rules;

use games::promotion_chess::{Action, Position, PromotionChess};
use mcts_core::{Game, Turn, rng};

/// All legal actions, in the order of the rules.
fn legal_actions(position: &Position) -> Vec<Action> {
    let mut actions = Vec::new();
    PromotionChess::default().actions(position, |action| actions.push(action));
    actions
}

/// Plays one seeded random game and calls `visit` with every position, the last one included.
///
/// Uniform play promotes citizens early, so half of the promotions are sampled again.
fn random_game(seed: u64, mut visit: impl FnMut(&Position)) {
    let game = PromotionChess::default();
    let mut rng = rng::stream(seed, 0);
    let mut position = game.start();
    loop {
        visit(&position);
        if matches!(game.turn(&position), Turn::Over(_)) {
            return;
        }
        let mut action = game.random_action(&position, &mut rng);
        if matches!(action, Action::Promote(..)) && rng::below(&mut rng, 2) == 0 {
            action = game.random_action(&position, &mut rng);
        }
        game.apply(&mut position, action);
    }
}

//! A wire protocol for any two-player game of perfect information whose actions all have an index:
//! judge and client are derived from the rules and the text form.
//!
//! | judge writes | player answers | meaning |
//! | --- | --- | --- |
//! | `BOARD text` | - | the position in which the game begins |
//! | `READY` | `OK` | preparation |
//! | `TURN own opponent` | `MOVE n` | milliseconds left; `n` is the index of the action, counted from 1 |
//! | `OPP n time` | - | the opponent's action and the milliseconds it took; the last one too |
//! | `FINISH` | - | leave |

mod client;
mod judge;

pub use client::NumberedClient;
pub use judge::{Drawing, NumberedJudge};

use mcts_core::Game;

/// The legal action of this number, counted from 1, if any.
fn action_of<G: Game>(game: &G, state: &G::State, number: i32) -> Option<G::Action> {
    let index = usize::try_from(number).ok()?.checked_sub(1)?;
    let mut found = None;
    game.actions(state, |action| {
        if game.action_index(action) == Some(index) {
            found = Some(action);
        }
    });
    found
}

/// Refuses a game whose actions this protocol cannot name.
fn expect_numbers<G: Game>(game: &G) {
    let count = game.action_indices();
    assert!(
        count > 0,
        "the protocol of numbered actions needs `action_index` and `action_indices`"
    );
}

/// The number of an action, counted from 1.
fn number_of<G: Game>(game: &G, action: G::Action) -> usize {
    1 + game.action_index(action).expect("every action of the game has an index")
}

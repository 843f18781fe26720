//! Reversi bots.

use crate::baseline;
use crate::client_seat::ClientSeat;
use crate::parameters::{ParameterError, Parameters};
use crate::registry::BotEntry;
use crate::search_player::SearchPlayer;
use crate::seat::Seat;
use crate::time_plan::TimePlan;
use alloc::boxed::Box;
use games::reversi::protocol::ReversiClient;
use games::reversi::{Action, Position, Reversi};
use mcts_core::evaluation::Mast;
use mcts_core::{Game, Rollout, Ucb1, Uct};

const GAME: &str = "reversi";

/// The bots of this game.
pub const BOTS: &[BotEntry] = &[
    BotEntry { game: GAME, name: "mcts", summary: "UCT with rollouts by MAST", build: mcts },
    BotEntry {
        game: GAME,
        name: "greedy",
        summary: "corners first, then most flips",
        build: greedy,
    },
    BotEntry { game: GAME, name: "random", summary: "any legal action", build: random },
];

/// UCT with rollouts that prefer what did well before (MAST); the endgame is proven in the tree.
fn mcts(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    let parts = Uct {
        selection: Ucb1 {
            exploration: parameters.number("exploration", 0.4, (0.0, 10.0))?,
            ..Ucb1::default()
        },
        evaluator: Rollout { policy: Mast::default(), lanes: 1 },
        memory_cap_bytes: 128 << 20,
        ..Uct::default()
    };
    let player = SearchPlayer::<Reversi, _, _>::new(
        parts,
        TimePlan::FIVE_SECONDS,
        decisions_left,
        parameters,
    )?;
    Ok(Box::new(ClientSeat::new(ReversiClient::default(), player)))
}

/// The tree proves the last 14 plies or so at no cost, so the time goes to the decisions before.
fn decisions_left(position: &Position) -> f32 {
    let empties = position.empty().count_ones() as f32;
    ((empties - 12.0) / 2.0).max(3.0)
}

fn greedy(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    baseline::greedy(ReversiClient::default(), gain, parameters)
}

/// Corners before all, then discs turned.
fn gain(game: &Reversi, position: &Position, action: Action) -> f32 {
    const CORNERS: [u32; 4] = [0, 7, 56, 63];
    let Some(cell) = action.cell() else { return 0.0 };
    let mut after = *position;
    game.apply(&mut after, action);
    // the opponent's discs before, less those after: `after` is seen by the opponent
    let turned = position.opponent().count_ones() - after.own().count_ones();
    let corner = if CORNERS.contains(&cell) { 64.0 } else { 0.0 };
    corner + turned as f32
}

fn random(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    baseline::random(ReversiClient::default(), parameters)
}

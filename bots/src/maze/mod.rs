//! Bots of the maze.

pub mod base_policy;
pub mod chaser;
pub mod greedy;
pub mod player;
pub mod search;
pub mod walk;
pub mod worlds;

use alloc::boxed::Box;

use games::maze::protocol::MazeClient;

use crate::client_seat::ClientSeat;
use crate::parameters::{ParameterError, Parameters};
use crate::registry::BotEntry;
use crate::seat::Seat;

const GAME: &str = "maze";

/// The bots of this game.
pub const BOTS: &[BotEntry] = &[
    BotEntry { game: GAME, name: "mcts", summary: "rollouts from a belief", build: mcts },
    BotEntry { game: GAME, name: "greedy", summary: "the nearest candy", build: greedy },
    BotEntry { game: GAME, name: "random", summary: "any action", build: random },
];

fn mcts(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    let parts = player::Parts::of(parameters)?;
    Ok(Box::new(ClientSeat::new(MazeClient::new(), player::BeliefPlayer::new(parts))))
}

fn greedy(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    let seed = parameters.seed()?;
    Ok(Box::new(ClientSeat::new(MazeClient::new(), greedy::Greedy::new(seed))))
}

fn random(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    let seed = parameters.seed()?;
    Ok(Box::new(ClientSeat::new(MazeClient::new(), greedy::RandomPlayer::new(seed))))
}

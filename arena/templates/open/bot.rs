//! The bots: a search, chosen parts and a time plan, and players to beat.

use bots::{
    BotEntry, ClientSeat, ParameterError, Parameters, SearchPlayer, Seat, TimePlan, baseline,
};
use mcts_core::{Rollout, Ucb1, Uct, Uniform};

use crate::client::PlayerClient;
use crate::game::Rules;
use crate::rules::{Action, Position};

const GAME: &str = "skeleton-game";

/// All bots by name.
pub const BOTS: &[BotEntry] = &[
    BotEntry { game: GAME, name: "mcts", summary: "UCT with uniform rollouts", build: mcts },
    BotEntry { game: GAME, name: "greedy", summary: "the most at once", build: greedy },
    BotEntry { game: GAME, name: "random", summary: "any legal action", build: random },
];

fn mcts(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    let parts = Uct {
        selection: Ucb1 {
            // TODO: tune it, see README.md
            exploration: parameters.number("exploration", 0.7, (0.0, 10.0))?,
            ..Ucb1::default()
        },
        evaluator: Rollout::<Uniform>::default(),
        memory_cap_bytes: 128 << 20,
        ..Uct::default()
    };
    // TODO: the times of your contest
    let plan = TimePlan::FIVE_SECONDS;
    let player = SearchPlayer::<Rules, _>::new(parts, plan, decisions_left, parameters)?;
    Ok(Box::new(ClientSeat::new(PlayerClient::default(), player)))
}

/// How many decisions this player has still to make, about; the time left is shared out among them.
fn decisions_left(_position: &Position) -> f32 {
    // TODO: fewer towards the end of the game
    10.0
}

fn greedy(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    baseline::greedy(PlayerClient::default(), gain, parameters)
}

/// What an action brings at once to the player to move.
fn gain(_: &Rules, _position: &Position, _action: Action) -> f32 {
    // TODO: points, pieces, cells, ...
    0.0
}

fn random(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    baseline::random(PlayerClient::default(), parameters)
}

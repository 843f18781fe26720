//! The bots: a search, chosen parts and a time plan, and players to beat.

use bots::{
    BotEntry, ClientSeat, ParameterError, Parameters, SearchPlayer, Seat, TimePlan, baseline,
};
use mcts_core::evaluation::EpsilonGreedy;
use mcts_core::{Evaluator, Rollout, Ucb1, Uct, Uniform, Utilities};

use crate::client::PlayerClient;
use crate::game::Rules;
use crate::rules::{Action, Position};

const GAME: &str = "skeleton-game";

/// All bots by name.
pub const BOTS: &[BotEntry] = &[
    BotEntry { game: GAME, name: "mcts", summary: "UCT with uniform rollouts", build: mcts },
    BotEntry { game: GAME, name: "rollout", summary: "UCT, rollouts by gain", build: rollout },
    BotEntry { game: GAME, name: "evaluation", summary: "UCT, no rollouts", build: evaluation },
    BotEntry { game: GAME, name: "greedy", summary: "the most at once", build: greedy },
    BotEntry { game: GAME, name: "random", summary: "any legal action", build: random },
];

// How is a leaf evaluated? Let the three play each other (README.md), keep the best one as `mcts`, and delete the others:
//
// - Uniform rollouts need no knowledge, and are right where random games end much as good ones do.
// - Rollouts by `gain` are for games in which random players throw away what any player sees: uniform rollouts then say
//   nothing about good play, and `greedy` beats them (in Dots and Boxes 300 uniform playouts lost 20 of 20 games to it).
// - An evaluation is for games that are long, or whose positions can be judged at sight; its playouts cost the least.

/// Rollouts by uniformly random actions.
fn mcts(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    player(Rollout::<Uniform>::default(), parameters)
}

/// Rollouts by the action with the most `gain`, except for some random ones.
fn rollout(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    let epsilon = parameters.number("epsilon", 0.1, (0.0, 1.0))?;
    let heuristic = gain as fn(&Rules, &Position, Action) -> f32;
    player(Rollout { policy: EpsilonGreedy { epsilon, heuristic }, lanes: 1 }, parameters)
}

/// Leaves judged by `estimate`, without a rollout.
fn evaluation(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    player(estimate as fn(&Rules, &Position) -> Utilities, parameters)
}

/// What each player can expect from a position on, within the utility bounds of the game.
fn estimate(_: &Rules, _position: &Position) -> Utilities {
    // TODO: from what is seen at once: points ahead, pieces, mobility
    Utilities::ZERO
}

/// UCT with this evaluator.
fn player<E>(evaluator: E, parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError>
where
    E: Evaluator<Rules> + Clone + Send + 'static,
{
    let parts: Uct = Uct {
        selection: Ucb1 {
            // TODO: tune it, see README.md
            exploration: parameters.number("exploration", 0.7, (0.0, 10.0))?,
            ..Ucb1::default()
        },
        memory_cap_bytes: 128 << 20,
        ..Uct::default()
    };
    let parts = parts.with_evaluator(evaluator);
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

//! The bots: a decoupled search for a mixed strategy, and players to beat.

use bots::search_player::report_in_words;
use bots::{
    BotEntry, ClientSeat, Decision, ParameterError, Parameters, Player, Seat, TimePlan, TimeUsed,
    baseline,
};
use games::{Client, TimeTold};
use mcts_core::evaluation::EpsilonGreedy;
use mcts_core::{
    Budget, Clock, Decoupled, DecoupledSearch, Evaluator, Rollout, Search, SearchRng, Uniform,
    Utilities, rng,
};

use crate::client::PlayerClient;
use crate::game::Rules;
use crate::rules::{Action, Position};

const GAME: &str = "skeleton-game";

/// All bots by name.
pub const BOTS: &[BotEntry] = &[
    BotEntry { game: GAME, name: "mcts", summary: "decoupled search, mixed", build: mcts },
    BotEntry { game: GAME, name: "rollout", summary: "mixed, rollouts by gain", build: rollout },
    BotEntry { game: GAME, name: "evaluation", summary: "mixed, no rollouts", build: evaluation },
    BotEntry { game: GAME, name: "greedy", summary: "the most at once", build: greedy },
    BotEntry { game: GAME, name: "random", summary: "any legal action", build: random },
];

// How is a leaf evaluated? Let the three play each other (README.md), keep the best one as `mcts`, and delete the others:
//
// - Uniform rollouts need no knowledge, and are right where random games end much as good ones do.
// - Rollouts by `gain` are for games in which random players throw away what any player sees: uniform rollouts then say
//   nothing about good play, and `greedy` beats them (in Dots and Boxes 300 uniform playouts lost 20 of 20 games to it).
//   The more `epsilon`, the less the search relies on a predictable opponent.
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

/// Searches for an equilibrium by regret matching and samples its choice from the strategy, so that it cannot be predicted.
///
/// In the report the value is the first player's, who is the first to choose in each round of the rules.
#[derive(Debug)]
struct MixedPlayer<E> {
    search: DecoupledSearch<Rules, E>,
    plan: TimePlan,
    used: TimeUsed,
    playouts: Option<u64>,
    rng: SearchRng,
}

/// A mixed player with this evaluator.
fn player<E>(evaluator: E, parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError>
where
    E: Evaluator<Rules> + 'static,
{
    let seed = parameters.seed()?;
    // TODO: `rule` is how each player chooses; decoupled UCB1 is often stronger where equilibria do not matter
    let Decoupled { rule, final_action, memory_cap_bytes, .. } = Decoupled::<Rollout>::default();
    let memory_cap_bytes = parameters.memory_bytes(memory_cap_bytes)?;
    let parts = Decoupled { rule, evaluator, final_action, memory_cap_bytes };
    let player = MixedPlayer {
        search: parts.search(Rules::default(), seed),
        // TODO: the times of your contest
        plan: TimePlan::FIVE_SECONDS,
        used: TimeUsed::default(),
        playouts: parameters.playouts()?,
        rng: rng::stream(seed, 1),
    };
    Ok(Box::new(ClientSeat::new(PlayerClient::default(), player)))
}

/// How many decisions this player has still to make, about; the time left is shared out among them.
fn decisions_left(position: &Position) -> f32 {
    // TODO: fewer towards the end of the game
    f32::from(position.rounds_left)
}

impl<E: Evaluator<Rules>> Player<PlayerClient> for MixedPlayer<E> {
    fn decide(
        &mut self,
        client: &PlayerClient,
        told: TimeTold,
        clock: &dyn Clock,
    ) -> Option<Decision<Action>> {
        let position = client.position();
        let budget = match self.playouts {
            Some(playouts) => Budget::playouts(playouts),
            None => self.plan.budget(&self.used, told, decisions_left(position), clock),
        };
        let report = self.search.run_with_clock(position, &budget, clock).ok()?;
        let strategy = client.player().and_then(|player| self.search.strategy(player));
        let drawn = strategy.and_then(|strategy| strategy.draw(&mut self.rng));
        let action = drawn.unwrap_or(report.best);
        Some(Decision { action, report: Some(report_in_words(&report)) })
    }

    fn answered(&mut self, started_nanos: u64, clock: &dyn Clock) {
        self.used.add_answer(started_nanos, &self.plan, clock);
    }
}

fn greedy(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    baseline::greedy(PlayerClient::default(), gain, parameters)
}

/// Immediate gain of an action for the player who chooses, for any choice of the others.
fn gain(_: &Rules, _position: &Position, action: Action) -> f32 {
    // TODO: points, pieces, cells, ...
    f32::from(action.number)
}

fn random(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    baseline::random(PlayerClient::default(), parameters)
}

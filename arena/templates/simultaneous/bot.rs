//! The bots: a decoupled search for a mixed strategy, and players to beat.

use bots::search_player::report_in_words;
use bots::{
    BotEntry, ClientSeat, Decision, ParameterError, Parameters, Player, Seat, TimePlan, TimeUsed,
    baseline,
};
use games::{Client, TimeTold};
use mcts_core::{Budget, Clock, Decoupled, DecoupledSearch, Search, SearchRng, rng};

use crate::client::PlayerClient;
use crate::game::Rules;
use crate::rules::{Action, Position};

const GAME: &str = "skeleton-game";

/// All bots by name.
pub const BOTS: &[BotEntry] = &[
    BotEntry { game: GAME, name: "mcts", summary: "decoupled search, mixed", build: mcts },
    BotEntry { game: GAME, name: "greedy", summary: "the most at once", build: greedy },
    BotEntry { game: GAME, name: "random", summary: "any legal action", build: random },
];

/// Searches for an equilibrium by regret matching and draws its choice from it, so that nobody can foresee it.
///
/// In the report the value is the first player's, who is the first to choose in each round of the rules.
#[derive(Debug)]
struct MixedPlayer {
    search: DecoupledSearch<Rules>,
    plan: TimePlan,
    used: TimeUsed,
    playouts: Option<u64>,
    rng: SearchRng,
}

fn mcts(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    let seed = parameters.seed()?;
    // TODO: `rule` is how each player chooses; decoupled UCB1 is often stronger where equilibria do not matter
    let parts: Decoupled = Decoupled::default();
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

impl Player<PlayerClient> for MixedPlayer {
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

/// What an action brings at once to the player who chooses, whatever the others choose.
fn gain(_: &Rules, _position: &Position, action: Action) -> f32 {
    // TODO: points, pieces, cells, ...
    f32::from(action.number)
}

fn random(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    baseline::random(PlayerClient::default(), parameters)
}

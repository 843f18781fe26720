//! The bots: a search over worlds drawn from what the player has seen, and a player to beat.

use bots::search_player::report_in_words;
use bots::{
    BotEntry, ClientSeat, Decision, ParameterError, Parameters, Player, Seat, TimePlan, TimeUsed,
};
use games::{Client, TimeTold};
use mcts_core::{
    Budget, Clock, Game, HiddenInformation, NoClock, Pimc, PimcSearch, Search, SearchRng, Ucb1, Uct, rng,
};

use crate::client::PlayerClient;
use crate::game::Rules;
use crate::rules::Action;
use crate::view::View;

const GAME: &str = "skeleton-game";

/// All bots by name.
pub const BOTS: &[BotEntry] = &[
    BotEntry { game: GAME, name: "mcts", summary: "UCT in drawn worlds (PIMC)", build: mcts },
    BotEntry { game: GAME, name: "random", summary: "any legal action", build: random },
];

/// Draws worlds that agree with the view, and searches each.
#[derive(Debug)]
struct WorldsPlayer {
    search: PimcSearch<Rules>,
    plan: TimePlan,
    used: TimeUsed,
    playouts: Option<u64>,
}

fn parts(exploration: f32) -> Pimc {
    // TODO: parts and constants; tune them, see README.md
    let selection = Ucb1 { exploration, ..Ucb1::default() };
    let pimc = Pimc::default();
    Pimc { uct: Uct { selection, ..pimc.uct }, ..pimc }
}

fn mcts(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    let exploration = parameters.number("exploration", 0.7, (0.0, 10.0))?;
    let seed = parameters.take_as("seed", "a whole number")?.unwrap_or(1);
    let player = WorldsPlayer {
        search: parts(exploration).search(Rules, seed),
        // TODO: the times of your contest
        plan: TimePlan::FIVE_SECONDS,
        used: TimeUsed::default(),
        playouts: parameters.take_as("playouts", "a whole number")?,
    };
    Ok(Box::new(ClientSeat::new(PlayerClient::default(), player)))
}

/// How many decisions this player has still to make, about; the time left is shared out among them.
fn decisions_left(_view: &View) -> f32 {
    // TODO: fewer towards the end of the game
    2.0
}

impl Player<PlayerClient> for WorldsPlayer {
    fn decide(
        &mut self,
        client: &PlayerClient,
        told: TimeTold,
        clock: &dyn Clock,
    ) -> Option<Decision<Action>> {
        let view = client.position();
        let budget = match self.playouts {
            Some(playouts) => Budget::playouts(playouts),
            None => self.plan.budget(&self.used, told, decisions_left(view), clock),
        };
        let report = self.search.run_with_clock(view, &budget, clock).ok()?;
        Some(Decision { action: report.best, report: Some(report_in_words(&report)) })
    }

    fn answered(&mut self, started_nanos: u64, clock: &dyn Clock) {
        self.used.add_answer(started_nanos, &self.plan, clock);
    }
}

/// What the search does with a view, for tests; `None` if there is nothing to decide.
pub fn decide(view: &View, seed: u64) -> Option<Action> {
    let mut search = parts(0.7).search(Rules, seed);
    search.run_with_clock(view, &Budget::playouts(200), &NoClock).ok().map(|report| report.best)
}

/// Plays any legal action.
#[derive(Debug)]
struct RandomPlayer(SearchRng);

fn random(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    let seed = parameters.take_as("seed", "a whole number")?.unwrap_or(1);
    let player = RandomPlayer(rng::stream(seed, 0));
    Ok(Box::new(ClientSeat::new(PlayerClient::default(), player)))
}

impl Player<PlayerClient> for RandomPlayer {
    fn decide(
        &mut self,
        client: &PlayerClient,
        _: TimeTold,
        _: &dyn Clock,
    ) -> Option<Decision<Action>> {
        // whatever is hidden, the legal actions are the same
        let world = Rules.determinize(client.position(), &mut self.0);
        let legal = Rules.count_actions(&world) > 0;
        legal.then(|| Decision { action: Rules.random_action(&world, &mut self.0), report: None })
    }
}

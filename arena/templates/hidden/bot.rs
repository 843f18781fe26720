//! The bots: searches from what the player has seen, and a player to beat.

use bots::{BotEntry, ClientSeat, Decision, ParameterError, Parameters, Player, Seat, TimePlan};
use bots::plain::{Table, seat};
use games::{Client, TimeTold};
use mcts_core::{
    Budget, Clock, Game, HiddenInformation, IsMcts, NoClock, Pimc, Pomcp, Search, SearchRng, Ucb1,
    Uct, rng,
};

use crate::client::PlayerClient;
use crate::game::Rules;
use crate::rules::Action;
use crate::view::View;

const GAME: &str = "skeleton-game";

/// All bots by name.
pub const BOTS: &[BotEntry] = &[
    BotEntry { game: GAME, name: "mcts", summary: "UCT in drawn worlds (PIMC)", build: mcts },
    BotEntry { game: GAME, name: "is-mcts", summary: "one tree of information sets", build: is_mcts },
    BotEntry { game: GAME, name: "pomcp", summary: "one tree of histories", build: pomcp },
    BotEntry { game: GAME, name: "random", summary: "any legal action", build: random },
];

fn parts(exploration: f32) -> Pimc {
    // TODO: parts and constants; tune them, see README.md
    let selection = Ucb1 { exploration, ..Ucb1::default() };
    let pimc = Pimc::default();
    Pimc { uct: Uct { selection, ..pimc.uct }, ..pimc }
}

/// Decides in each world as if the player could see it; never pays for information.
fn mcts(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    let parts = parts(parameters.number("exploration", 0.7, (0.0, 10.0))?);
    seat(table(), parts, parameters)
}

/// Searches by what each player knows; its strategies get harder to exploit with more playouts.
fn is_mcts(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    let parts: IsMcts = IsMcts::default();
    seat(table(), parts, parameters)
}

/// Searches the player's own decisions against players who act at random.
fn pomcp(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    let parts: Pomcp = Pomcp::default();
    seat(table(), parts, parameters)
}

fn table() -> Table<PlayerClient> {
    // TODO: the times of your contest
    Table { client: PlayerClient::default(), plan: TimePlan::FIVE_SECONDS, decisions_left }
}

/// How many decisions this player has still to make, about; the time left is shared out among them.
fn decisions_left(_view: &View) -> f32 {
    // TODO: fewer towards the end of the game
    2.0
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
    let seed = parameters.seed()?;
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

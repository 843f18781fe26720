//! The bots: searches from what the player has seen, and players to beat.

use bots::plain::{Table, seat};
use bots::{BotEntry, ClientSeat, Decision, ParameterError, Parameters, Player, Seat, TimePlan};
use games::{Client, TimeTold};
use mcts_core::evaluation::EpsilonGreedy;
use mcts_core::{
    Budget, Clock, Evaluator, Game, HiddenInformation, IsMcts, NoClock, Pimc, Pomcp, Rollout,
    Search, SearchRng, Ucb1, Uct, Uniform, Utilities, rng,
};

use crate::client::PlayerClient;
use crate::game::Rules;
use crate::rules::{Action, Position};
use crate::view::View;

const GAME: &str = "skeleton-game";

/// All bots by name.
pub const BOTS: &[BotEntry] = &[
    BotEntry { game: GAME, name: "mcts", summary: "UCT in determinizations (PIMC)", build: mcts },
    BotEntry { game: GAME, name: "rollout", summary: "PIMC, rollouts by gain", build: rollout },
    BotEntry { game: GAME, name: "evaluation", summary: "PIMC, no rollouts", build: evaluation },
    BotEntry { game: GAME, name: "is-mcts", summary: "information sets", build: is_mcts },
    BotEntry { game: GAME, name: "pomcp", summary: "histories", build: pomcp },
    BotEntry { game: GAME, name: "greedy", summary: "the most at once", build: greedy },
    BotEntry { game: GAME, name: "random", summary: "any legal action", build: random },
];

// Which search? `mcts` decides in each determinization as if the player could see it, so it never pays for information;
// where that matters, `is-mcts` and `pomcp` are better. Let all of them play each other (README.md).
//
// How is a leaf evaluated? The same three ways fit any of these searches:
//
// - Uniform rollouts need no knowledge, and are right where random games end much as good ones do.
// - Rollouts by `gain` are for games in which random players throw away what any player sees: uniform rollouts then say
//   nothing about good play, and `greedy` beats them (in Dots and Boxes 300 uniform playouts lost 20 of 20 games to it).
// - An evaluation is for games that are long, or whose positions can be judged at sight; its playouts cost the least.
//
// `gain` and `estimate` are given a determinization, in which nothing is hidden. They may count what every player sees
// and what the player to move holds; a heuristic that counts the cards of others is too sure of them.

/// Rollouts by uniformly random actions.
fn mcts(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    pimc(Rollout::<Uniform>::default(), parameters)
}

/// Rollouts by the action with the most `gain`, except for some random ones.
fn rollout(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    let epsilon = parameters.number("epsilon", 0.1, (0.0, 1.0))?;
    let heuristic = gain as fn(&Rules, &Position, Action) -> f32;
    pimc(Rollout { policy: EpsilonGreedy { epsilon, heuristic }, lanes: 1 }, parameters)
}

/// Leaves judged by `estimate`, without a rollout.
fn evaluation(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    pimc(estimate as fn(&Rules, &Position) -> Utilities, parameters)
}

/// What each player can expect from a position on, within the utility bounds of the game.
fn estimate(_: &Rules, _position: &Position) -> Utilities {
    // TODO: from what is seen at once: coins in the pot, the player's hand
    Utilities::ZERO
}

/// What an action brings at once to the player to move.
fn gain(_: &Rules, _position: &Position, _action: Action) -> f32 {
    // TODO: points, tricks, coins, ...
    0.0
}

/// UCT in determinizations with this evaluator.
fn pimc<E>(evaluator: E, parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError>
where
    E: Evaluator<Rules> + Clone + Send + 'static,
{
    let parts = parts(parameters.number("exploration", 0.7, (0.0, 10.0))?);
    let Pimc { uct, worlds, final_action } = parts;
    seat(table(), Pimc { uct: uct.with_evaluator(evaluator), worlds, final_action }, parameters)
}

fn parts(exploration: f32) -> Pimc {
    // TODO: parts and constants; tune them, see README.md
    let selection = Ucb1 { exploration, ..Ucb1::default() };
    let pimc = Pimc::default();
    Pimc { uct: Uct { selection, ..pimc.uct }, ..pimc }
}

/// One tree per player over the views of that player; its strategies get harder to exploit with more playouts.
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

/// Plays an action with the most `gain` in a determinization; of equals, any.
#[derive(Debug)]
struct OneStep {
    gain: fn(&Rules, &Position, Action) -> f32,
    rng: SearchRng,
}

fn greedy(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    one_step(gain, parameters)
}

/// To whom all actions are equal.
fn random(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    one_step(|_, _, _| 0.0, parameters)
}

fn one_step(
    gain: fn(&Rules, &Position, Action) -> f32,
    parameters: &mut Parameters,
) -> Result<Box<dyn Seat>, ParameterError> {
    let player = OneStep { gain, rng: rng::stream(parameters.seed()?, 0) };
    Ok(Box::new(ClientSeat::new(PlayerClient::default(), player)))
}

impl Player<PlayerClient> for OneStep {
    fn decide(
        &mut self,
        client: &PlayerClient,
        _: TimeTold,
        _: &dyn Clock,
    ) -> Option<Decision<Action>> {
        // The legal actions are the same in all determinizations.
        let world = Rules.determinize(client.position(), &mut self.rng);
        let (mut most, mut best) = (f32::NEG_INFINITY, Vec::new());
        Rules.actions(&world, |action| {
            let gain = (self.gain)(&Rules, &world, action);
            if gain > most {
                (most, best) = (gain, Vec::new());
            }
            if gain >= most {
                best.push(action);
            }
        });
        let action = *best.get(rng::below(&mut self.rng, best.len().max(1)))?;
        Some(Decision { action, report: None })
    }
}

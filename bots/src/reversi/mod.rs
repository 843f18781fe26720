//! Reversi bots.

mod endgame;
mod evaluation;
mod leaf;

pub use endgame::{EmptyCells, Endgame, MOST_EMPTY};
pub use evaluation::Evaluation;
pub use leaf::{Solved, StaticLeaf};

use crate::alpha_beta;
use crate::baseline;
use crate::parameters::{ParameterError, Parameters};
use crate::plain::{self, Table, plain_bots};
use crate::registry::BotEntry;
use crate::seat::Seat;
use crate::time_plan::TimePlan;
use alloc::boxed::Box;
use games::reversi::protocol::ReversiClient;
use games::reversi::{Action, Position, Reversi};
use mcts_core::evaluation::{Mast, PriorScale, WithEndings, WithPriors};
use mcts_core::{Game, ImplicitMinimax, Rollout, Turn, Ucb1, Uct};

const GAME: &str = "reversi";

/// Most decisions are settled after two thirds of their time.
const PLAN: TimePlan = TimePlan { shares: 1.8, ..TimePlan::FIVE_SECONDS };

/// The bots of this game.
pub const BOTS: &[BotEntry] = &[
    BotEntry {
        game: GAME,
        name: "mcts",
        summary: "UCT with implicit minimax over a static evaluation, and solved endings",
        build: mcts,
    },
    BotEntry {
        game: GAME,
        name: "mcts-rollouts",
        summary: "UCT with implicit minimax and rollouts by MAST",
        build: mcts_rollouts,
    },
    BotEntry {
        game: GAME,
        name: "alphabeta",
        summary: "alpha-beta with mobility, corners and edges",
        build: alphabeta,
    },
    BotEntry {
        game: GAME,
        name: "greedy",
        summary: "corners first, then most flips",
        build: greedy,
    },
    BotEntry { game: GAME, name: "random", summary: "any legal action", build: random },
];

/// The searches with their default parts.
pub const SEARCHES: &[BotEntry] = plain_bots!(GAME, table());

fn table() -> Table<ReversiClient> {
    Table { client: ReversiClient::default(), plan: PLAN, decisions_left }
}

/// UCT with implicit minimax backups. A static evaluation gives the value of leaves; leaves with
/// few empty cells are solved.
fn mcts(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    let selection = selection(parameters)?;
    let empties = parameters.whole("endings", 10, (0, 16))?;
    let evaluator = WithEndings { evaluator: StaticLeaf::default(), endings: Solved { empties } };
    let parts = uct().with_selection(selection).with_evaluator(evaluator);
    plain::seat(table(), parts, parameters)
}

/// UCT with implicit minimax backups of the values of moves, and rollouts by MAST; the tree proves
/// the endgame.
fn mcts_rollouts(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    let selection = selection(parameters)?;
    let parts = uct().with_selection(selection).with_evaluator(WithPriors {
        evaluator: Rollout { policy: Mast::default(), lanes: 1 },
        prior: worth as fn(&Reversi, &Position, Action) -> f32,
        scale: PriorScale::AsGiven,
    });
    plain::seat(table(), parts, parameters)
}

fn uct() -> Uct {
    Uct { memory_cap_bytes: 128 << 20, ..Uct::default() }
}

fn selection(parameters: &mut Parameters) -> Result<ImplicitMinimax<Ucb1>, ParameterError> {
    let exploration = parameters.number("exploration", 0.4, (0.0, 10.0))?;
    let weight = parameters.number("weight", 0.4, (0.0, 1.0))?;
    Ok(ImplicitMinimax { policy: Ucb1 { exploration, ..Ucb1::default() }, weight })
}

/// Alpha-beta over a static evaluation; the last cells are solved exactly.
fn alphabeta(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    let decisions_left = |position: &Position| {
        let empties = position.empty().count_ones() as f32;
        ((empties - 17.0) / 2.0).max(2.0)
    };
    let table =
        Table { client: ReversiClient::default(), plan: TimePlan::FIVE_SECONDS, decisions_left };
    alpha_beta::seat(table, Evaluation::default(), parameters)
}

/// Value of an action in [0, 1] for the player who takes it: by corners, and by the opponent's
/// mobility.
fn worth(game: &Reversi, position: &Position, action: Action) -> f32 {
    const CORNERS: u64 = 1 | 1 << 7 | 1 << 56 | 1 << 63;
    let mut after = *position;
    game.apply(&mut after, action);
    if let Turn::Over(utilities) = game.turn(&after) {
        return f32::midpoint(1.0, utilities.of_player(position.side().into()));
    }
    let corners = |discs: u64| (discs & CORNERS).count_ones() as f32;
    let corners = corners(after.own()) - corners(after.opponent());
    let moves = after.moves().count_ones() as f32;
    // `after` is seen by the opponent
    f32::midpoint(1.0, -libm::tanhf(0.05 * (moves - 8.0) + 0.3 * corners))
}

/// The tree proves the last 16 plies or so at little cost, so the time is used for the decisions
/// before.
fn decisions_left(position: &Position) -> f32 {
    let empties = position.empty().count_ones() as f32;
    ((empties - 15.0) / 2.0).max(2.5)
}

fn greedy(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    baseline::greedy(ReversiClient::default(), gain, parameters)
}

/// Corners first, then turned discs.
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

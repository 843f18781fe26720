//! Icebreaking bots.

mod rollout;
mod tempo;

pub use rollout::BestOfSample;
pub use tempo::{Tempo, TempoLeaf};

use crate::alpha_beta;
use crate::baseline;
use crate::parameters::{ParameterError, Parameters};
use crate::plain::{self, Table, plain_bots};
use crate::registry::BotEntry;
use crate::seat::Seat;
use crate::time_plan::TimePlan;
use alloc::boxed::Box;
use games::icebreaking::protocol::IcebreakingClient;
use games::icebreaking::{Cell, Icebreaking, Position};
use mcts_core::evaluation::{PriorScale, WithPriors};
use mcts_core::selection::Puct;
use mcts_core::{Evaluator, Expansion, FinalAction, Growth, Margin, Rollout, Uct};

const GAME: &str = "icebreaking";

/// The bots of this game.
pub const BOTS: &[BotEntry] = &[
    BotEntry {
        game: GAME,
        name: "mcts",
        summary: "UCT with rollouts that prefer points",
        build: mcts,
    },
    BotEntry {
        game: GAME,
        name: "mcts-tempo",
        summary: "the same with the value of alphabeta at leaves instead of rollouts",
        build: mcts_tempo,
    },
    BotEntry {
        game: GAME,
        name: "alphabeta",
        summary: "alpha-beta that counts who takes the last cells",
        build: alphabeta,
    },
    BotEntry { game: GAME, name: "greedy", summary: "most points at once", build: greedy },
    BotEntry { game: GAME, name: "random", summary: "any legal action", build: random },
];

/// The searches with their default parts; the utility is the win only.
pub const SEARCHES: &[BotEntry] = plain_bots!(GAME, table(Margin::WIN_ONLY));

fn table(margin: Margin) -> Table<IcebreakingClient> {
    Table { client: client(margin), plan: TimePlan::FIVE_SECONDS, decisions_left }
}

/// PUCT with priors and rollouts that prefer immediate points; the ending is proven in the tree.
fn mcts(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    let cells = parameters.whole("cells", 6, (1, 81))?;
    mcts_with(Rollout { policy: BestOfSample { cells }, lanes: 1 }, parameters)
}

/// PUCT with priors and the value of [`Tempo`] at leaves.
fn mcts_tempo(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    mcts_with(TempoLeaf, parameters)
}

fn mcts_with(
    evaluator: impl Evaluator<Icebreaking> + Clone + Send + 'static,
    parameters: &mut Parameters,
) -> Result<Box<dyn Seat>, ParameterError> {
    let margin = Margin {
        win: parameters.number("win", 0.3, (0.0, 1.0))?,
        largest: parameters.number("largest", 30.0, (1.0, 144.0))?,
    };
    let sharpness = parameters.number("sharpness", 0.7, (0.0, 10.0))?;
    // each additional point multiplies the weight by a constant
    let prior = move |game: &Icebreaking, position: &Position, cell| {
        libm::expf(sharpness * gain(game, position, cell).clamp(-20.0, 20.0))
    };
    let parts = Uct {
        selection: Puct {
            initial: parameters.number("exploration", 0.6, (0.0, 10.0))?,
            ..Puct::default()
        },
        evaluator: WithPriors { evaluator, prior, scale: PriorScale::Probabilities },
        expansion: Expansion { growth: Growth::AllAtOnce, ..Expansion::default() },
        solver: true,
        final_action: FinalAction::Robust,
        memory_cap_bytes: 128 << 20,
    };
    plain::seat(table(margin), parts, parameters)
}

/// Alpha-beta over the points that plain cells will still bring.
fn alphabeta(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    let margin = Margin { win: 0.3, largest: 30.0 };
    alpha_beta::seat(table(margin), Tempo::default(), parameters)
}

fn client(margin: Margin) -> IcebreakingClient {
    IcebreakingClient::new(Icebreaking { margin, ..Icebreaking::from_seed(0) })
}

/// Captures end most games well before every cell is taken, and the last plies are proven at no
/// cost.
fn decisions_left(position: &Position) -> f32 {
    ((position.ice_left() as f32 - 10.0) * 0.27).max(3.0)
}

fn greedy(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    baseline::greedy(client(Margin::WIN_ONLY), gain, parameters)
}

/// Points of the cell and of what it captures.
fn gain(game: &Icebreaking, position: &Position, cell: Cell) -> f32 {
    position.gain(&game.board, cell) as f32
}

fn random(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    baseline::random(client(Margin::WIN_ONLY), parameters)
}

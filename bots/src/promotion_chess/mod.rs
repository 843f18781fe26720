//! Promotion Chess bots.

pub mod decisive;
pub mod evaluation;
mod horizon;
pub mod mate_search;
pub mod move_prior;
mod player;
pub mod quiescence;

use alloc::boxed::Box;

use games::promotion_chess::protocol::PromotionChessClient;
use games::promotion_chess::{Action, Ending, Kind, Position, PromotionChess};
use mcts_core::{Game, Puct, Uct};

use crate::alpha_beta;
use crate::baseline::{GreedyPlayer, RandomPlayer};
use crate::client_seat::ClientSeat;
use crate::parameters::{ParameterError, Parameters};
use crate::plain::{Table, plain_bots};
use crate::registry::BotEntry;
use crate::search_player::SearchPlayer;
use crate::seat::Seat;
use crate::time_plan::TimePlan;
use decisive::Decisive;
use evaluation::Evaluation;
use player::{DecisiveClient, Mating};
use quiescence::Quiescence;

const GAME: &str = "promotion-chess";

/// The bots of this game.
pub const BOTS: &[BotEntry] = &[
    BotEntry { game: GAME, name: "mcts", summary: "PUCT with evaluated leaves", build: mcts },
    BotEntry {
        game: GAME,
        name: "alphabeta",
        summary: "alpha-beta over the same evaluation",
        build: alphabeta,
    },
    BotEntry {
        game: GAME,
        name: "greedy",
        summary: "mate in one, then captures, then checks",
        build: greedy,
    },
    BotEntry { game: GAME, name: "random", summary: "any legal action", build: random },
];

/// The parts of the search: PUCT with learned priors; leaves are evaluated after a search of
/// captures.
#[must_use]
pub fn search_parts() -> Uct<Puct, Quiescence> {
    let selection = Puct { initial: 1.3, unvisited_value: 0.3, ..Puct::default() };
    Uct::new(selection, Quiescence::default())
}

/// The searches with their default parts, without chess knowledge.
pub const SEARCHES: &[BotEntry] = plain_bots!(GAME, table());

fn table() -> Table<PromotionChessClient> {
    let client = PromotionChessClient::new(PromotionChess::default());
    Table { client, plan: TimePlan::TEN_SECONDS, decisions_left }
}

fn mcts(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    let mut parts = search_parts();
    let Puct { initial, unvisited_value, .. } = &mut parts.selection;
    *initial = parameters.number("exploration", *initial, (0.0, 10.0))?;
    *unvisited_value = parameters.number("unvisited-value", *unvisited_value, (0.0, 1.0))?;
    let player =
        SearchPlayer::<Decisive, _>::new(parts, TimePlan::TEN_SECONDS, decisions_left, parameters)?;
    let client = DecisiveClient::new(PromotionChess::default());
    Ok(Box::new(ClientSeat::new(client, Mating(player))))
}

/// Alpha-beta over the evaluation of the tree search's leaves, with a quiescence search of captures.
fn alphabeta(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    let parts = alpha_beta::parts(Evaluation::default(), parameters)?;
    let player =
        SearchPlayer::<Decisive, _>::new(parts, TimePlan::TEN_SECONDS, decisions_left, parameters)?;
    let client = DecisiveClient::new(PromotionChess::default());
    Ok(Box::new(ClientSeat::new(client, Mating(player))))
}

/// Games between equal players last about 60 plies; the last of them are proven by the tree at no
/// cost.
fn decisions_left(position: &Position) -> f32 {
    (32.0 - f32::from(position.ply()) / 2.0).max(12.0)
}

fn greedy(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    let seed = parameters.seed()?;
    let client = PromotionChessClient::new(PromotionChess::default());
    Ok(Box::new(ClientSeat::new(client, GreedyPlayer::<PromotionChess>::new(gain, seed))))
}

/// Mate first, then the value of the captured piece or the promotion, then checks.
fn gain(game: &PromotionChess, position: &Position, action: Action) -> f32 {
    const WORTH: [f32; Kind::COUNT] = [0.0, 9.0, 5.0, 3.0, 3.0, 1.0, 2.0];
    let worth = |kind: Option<Kind>| kind.map_or(0.0, |kind| WORTH[kind.index()]);
    let gained = match action {
        Action::Place(_) => 0.0,
        Action::Promote(_, kind) => worth(Some(kind)) - WORTH[Kind::Citizen.index()],
        Action::Move { to, promotion, .. } => worth(position.kind_at(to)) + worth(promotion),
    };
    let mut after = *position;
    game.apply(&mut after, action);
    let check = if after.is_check() { 0.5 } else { 0.0 };
    match game.rules.ending(&after) {
        Some(Ending::Checkmate(_)) => 100.0,
        _ => gained + check,
    }
}

fn random(parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError> {
    let seed = parameters.seed()?;
    let client = PromotionChessClient::new(PromotionChess::default());
    Ok(Box::new(ClientSeat::new(client, RandomPlayer::new(seed))))
}

//! What the parts need from each game.

use std::fmt::Debug;

use bots::TimePlan;
use bots::promotion_chess::evaluation::{Evaluation, utility};
use games::Client;
use games::icebreaking::protocol::IcebreakingClient;
use games::icebreaking::{Cell, Icebreaking};
use games::promotion_chess::protocol::PromotionChessClient;
use games::promotion_chess::{Action as ChessAction, Kind, PromotionChess};
use games::reversi::protocol::ReversiClient;
use games::reversi::{Action as ReversiAction, Reversi};
use games::{icebreaking, promotion_chess, reversi};
use mcts_core::{Game, Margin, Player, Turn, Utilities};

/// A game with its clock and some knowledge.
pub(crate) trait Setting: Debug + Clone + Copy + 'static {
    type Game: Game<State: PartialEq + Debug + Send, Action: Debug + Send>
        + Clone
        + PartialEq
        + Debug
        + Send;
    type Client: Client<
            Game = Self::Game,
            Position = <Self::Game as Game>::State,
            Action = <Self::Game as Game>::Action,
        > + Debug;

    /// The game's name on the command line.
    const NAME: &'static str;
    const PLAN: TimePlan;
    /// Exploration constant of UCB1 in all bots.
    const EXPLORATION: f32;

    fn client() -> Self::Client;

    /// Number of decisions left, this one included.
    fn decisions_left(state: &<Self::Game as Game>::State) -> f32;

    /// Immediate gain of an action; a gain of 1 more makes it `e` times as likely.
    fn gain(
        game: &Self::Game,
        state: &<Self::Game as Game>::State,
        action: <Self::Game as Game>::Action,
    ) -> f32;

    /// Value of a state that is not over for the first player, in [-1, 1].
    fn value(game: &Self::Game, state: &<Self::Game as Game>::State) -> f32;
}

/// The utilities expected from a state, by [`Setting::value`].
pub(crate) fn utilities<S: Setting>(game: &S::Game, state: &<S::Game as Game>::State) -> Utilities {
    match game.turn(state) {
        Turn::Over(utilities) => utilities,
        Turn::Player(_) | Turn::Chance => Utilities::zero_sum(S::value(game, state)),
    }
}

/// The value for the first player, from the `value` for the side to move.
fn of_first(player: Player, value: f32) -> f32 {
    if player == Player::FIRST { value } else { -value }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Othello;

impl Setting for Othello {
    type Game = Reversi;
    type Client = ReversiClient;
    const NAME: &'static str = "reversi";
    const PLAN: TimePlan = TimePlan::FIVE_SECONDS;
    const EXPLORATION: f32 = 0.4;

    fn client() -> ReversiClient {
        ReversiClient::default()
    }

    fn decisions_left(position: &reversi::Position) -> f32 {
        ((position.empty().count_ones() as f32 - 12.0) / 2.0).max(3.0)
    }

    /// Corners first, then the opponent's mobility.
    fn gain(game: &Reversi, position: &reversi::Position, action: ReversiAction) -> f32 {
        let mut after = *position;
        game.apply(&mut after, action);
        let corner = if action.bit() & CORNERS == 0 { 0.0 } else { 2.0 };
        corner - 0.15 * after.moves().count_ones() as f32
    }

    /// Mobility and corners.
    fn value(_: &Reversi, position: &reversi::Position) -> f32 {
        let moves = position.moves().count_ones() as f32;
        let corners = |discs: u64| (discs & CORNERS).count_ones() as f32;
        let corners = corners(position.own()) - corners(position.opponent());
        of_first(position.side().into(), (0.05 * (moves - 8.0) + 0.3 * corners).tanh())
    }
}

const CORNERS: u64 = 1 | 1 << 7 | 1 << 56 | 1 << 63;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Ice;

impl Setting for Ice {
    type Game = Icebreaking;
    type Client = IcebreakingClient;
    const NAME: &'static str = "icebreaking";
    const PLAN: TimePlan = TimePlan::FIVE_SECONDS;
    const EXPLORATION: f32 = 0.4;

    fn client() -> IcebreakingClient {
        let margin = Margin { win: 0.3, largest: 30.0 };
        IcebreakingClient::new(Icebreaking { margin, ..Icebreaking::from_seed(0) })
    }

    fn decisions_left(position: &icebreaking::Position) -> f32 {
        ((position.ice_left() as f32 - 10.0) * 0.27).max(3.0)
    }

    /// Points.
    fn gain(game: &Icebreaking, position: &icebreaking::Position, cell: Cell) -> f32 {
        0.7 * position.gain(&game.board, cell) as f32
    }

    /// Points so far.
    fn value(_: &Icebreaking, position: &icebreaking::Position) -> f32 {
        (position.margin() as f32 / 30.0).tanh()
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Chess;

impl Setting for Chess {
    type Game = PromotionChess;
    type Client = PromotionChessClient;
    const NAME: &'static str = "promotion-chess";
    const PLAN: TimePlan = TimePlan::TEN_SECONDS;
    const EXPLORATION: f32 = 0.4;

    fn client() -> PromotionChessClient {
        PromotionChessClient::new(PromotionChess::default())
    }

    fn decisions_left(position: &promotion_chess::Position) -> f32 {
        (32.0 - f32::from(position.ply()) / 2.0).max(12.0)
    }

    /// A third of the value of the captured piece, in pawns, and of the promotion of a pawn or a
    /// citizen.
    fn gain(_: &PromotionChess, position: &promotion_chess::Position, action: ChessAction) -> f32 {
        const WORTH: [f32; Kind::COUNT] = [0.0, 9.0, 5.0, 3.0, 3.0, 1.0, 2.0];
        let worth = |kind: Option<Kind>| kind.map_or(0.0, |kind| WORTH[kind.index()]);
        let gained = match action {
            ChessAction::Place(_) => 0.0,
            ChessAction::Promote(_, kind) => worth(Some(kind)) - WORTH[Kind::Citizen.index()],
            ChessAction::Move { to, promotion, .. } => {
                worth(position.kind_at(to)) + worth(promotion)
            }
        };
        gained / 3.0
    }

    fn value(game: &PromotionChess, position: &promotion_chess::Position) -> f32 {
        let value = utility(Evaluation::default().half_log_odds(&game.rules, position));
        let Turn::Player(player) = game.turn(position) else { return 0.0 };
        of_first(player, value)
    }
}

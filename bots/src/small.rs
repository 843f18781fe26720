//! Bots of the small games, tic-tac-toe and Connect Four: the plain searches and a baseline.

use crate::alpha_beta;
use crate::baseline;
use crate::connect_four::Threats;
use crate::plain::{self, Table, plain_bots};
use crate::registry::BotEntry;
use crate::time_plan::TimePlan;
use games::connect_four::{self, ConnectFour};
use games::numbered::NumberedClient;
use games::tic_tac_toe::{self, TicTacToe};

const TIC_TAC_TOE: &str = "tic-tac-toe";
const CONNECT_FOUR: &str = "connect-four";

/// The searches, for tic-tac-toe.
pub const TIC_TAC_TOE_BOTS: &[BotEntry] = plain_bots!(TIC_TAC_TOE, tic_tac_toe());

/// The searches, for Connect Four.
pub const CONNECT_FOUR_BOTS: &[BotEntry] = plain_bots!(CONNECT_FOUR, connect_four());

/// The default bots and the baselines.
pub const BOTS: &[BotEntry] = &[
    BotEntry {
        game: TIC_TAC_TOE,
        name: "mcts",
        summary: "plain UCT",
        build: |parameters| plain::uct(tic_tac_toe(), parameters),
    },
    BotEntry {
        game: TIC_TAC_TOE,
        name: "random",
        summary: "any legal action",
        build: |parameters| baseline::random(NumberedClient::new(TicTacToe), parameters),
    },
    BotEntry {
        game: CONNECT_FOUR,
        name: "mcts",
        summary: "plain UCT",
        build: |parameters| plain::uct(connect_four(), parameters),
    },
    BotEntry {
        game: CONNECT_FOUR,
        name: "alphabeta",
        summary: "alpha-beta with threats",
        build: |parameters| alpha_beta::seat(connect_four(), Threats::default(), parameters),
    },
    BotEntry {
        game: CONNECT_FOUR,
        name: "random",
        summary: "any legal action",
        build: |parameters| baseline::random(NumberedClient::new(ConnectFour), parameters),
    },
];

fn tic_tac_toe() -> Table<NumberedClient<TicTacToe>> {
    let decisions_left = |position: &tic_tac_toe::Position| position.free().count() as f32 / 2.0;
    Table { client: NumberedClient::new(TicTacToe), plan: TimePlan::FIVE_SECONDS, decisions_left }
}

/// The last dozen discs are proven at no cost.
fn connect_four() -> Table<NumberedClient<ConnectFour>> {
    let decisions_left =
        |position: &connect_four::Position| ((30.0 - position.plies() as f32) / 2.0).max(4.0);
    Table { client: NumberedClient::new(ConnectFour), plan: TimePlan::FIVE_SECONDS, decisions_left }
}

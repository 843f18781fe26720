//! How do I build a contest bot? From a client of the wire protocol, a search and a time plan.
#![allow(clippy::print_stdout, reason = "an example prints its result")]

use bots::{Answer, ClientSeat, Parameters, SearchPlayer, Seat, TimePlan};
use games::numbered::NumberedClient;
use games::tic_tac_toe::{Position, TicTacToe};
use mcts_core::{SystemClock, Ucb1, Uct};

/// Number of decisions left; the time left is divided among them.
fn decisions_left(position: &Position) -> f32 {
    position.free().count() as f32 / 2.0
}

/// The bot; `bots::stdio::main` would play it on standard input and output.
fn bot(parameters: &str) -> impl Seat {
    let mut parameters = Parameters::parse(parameters).expect("name=value,...");
    let exploration = parameters.number("exploration", 0.7, (0.0, 10.0)).expect("in bounds");
    let parts = Uct { selection: Ucb1 { exploration, ..Ucb1::default() }, ..Uct::default() };
    let plan = TimePlan::FIVE_SECONDS;
    let player = SearchPlayer::new(parts, plan, decisions_left, &mut parameters);
    ClientSeat::new(NumberedClient::new(TicTacToe), player.expect("playouts and seed are numbers"))
}

fn main() {
    let mut bot = bot("exploration=0.5,playouts=500");
    // X, the bot, is to move; O threatens the right column, but X wins in the top row.
    for (line, expected) in [
        ("BOARD XX./..O/..O", None),
        ("READY", Some("OK")),
        ("TURN 5000 5000", Some("MOVE 3")),
        ("FINISH", None),
    ] {
        let answer = bot.receive(line, &SystemClock);
        println!("{line:20} {answer:?}");
        match expected {
            Some(text) => assert_eq!(answer, Answer::Line(text.to_string())),
            None => assert!(!matches!(answer, Answer::Line(_))),
        }
    }
    println!("{}", bot.report().unwrap_or_default());
}

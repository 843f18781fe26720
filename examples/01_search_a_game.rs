//! How do I search a game? By tic-tac-toe, which nobody wins against correct play.
#![allow(clippy::print_stdout, reason = "a lesson shows what it found")]

use games::tic_tac_toe::TicTacToe;
use mcts_core::{Budget, Game, Search, Uct, UctSearch};

fn main() {
    let game = TicTacToe;
    let mut search: UctSearch<TicTacToe> = Uct::default().search(game, 1);

    // Whatever is left of the game, the best action of a report is the one to play.
    let mut state = game.start();
    let report = search.run(&state, &Budget::playouts(1_000)).expect("the game has begun");
    println!("after {} playouts:", report.playouts);
    for action in &report.actions {
        println!("  cell {} visits {:4} value {:+.2?}", action.action, action.visits, action.value);
    }
    println!("  best line {:?}", report.principal_variation);

    // The tree below the action is kept for the next search.
    search.advance(report.best);
    game.apply(&mut state, report.best);

    // With enough playouts the search proves what the position is worth: a draw.
    let report = search.run(&state, &Budget::playouts(100_000)).expect("the game goes on");
    let proof = report.best_action().and_then(|action| action.proven);
    println!("then {} playouts prove {proof:?}", report.playouts);
    assert_eq!(proof.map(|proof| proof.utility), Some(0.0));
}

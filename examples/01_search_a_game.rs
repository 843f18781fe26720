//! How do I search a game? With tic-tac-toe, which is a draw under best play.
#![allow(clippy::print_stdout, reason = "an example prints its result")]

use games::tic_tac_toe::TicTacToe;
use mcts_core::{Budget, Game, Search, Uct};

fn main() {
    let game = TicTacToe;
    let mut search = Uct::default().search(game, 1);

    // The best action of a report is the one to play.
    let mut state = game.start();
    let report = search.run(&state, &Budget::playouts(1_000)).expect("the game has begun");
    println!("after {} playouts:", report.playouts);
    for action in &report.actions {
        println!("  cell {} visits {:4} value {:+.2?}", action.action, action.visits, action.value);
    }
    println!("  best line {:?}", report.principal_variation);

    // The subtree of the action is kept for the next search.
    search.advance(report.best);
    game.apply(&mut state, report.best);

    // With enough playouts the search proves the value of the position: a draw.
    let report = search.run(&state, &Budget::playouts(100_000)).expect("the game goes on");
    let proof = report.best_action().and_then(|action| action.proven);
    println!("then {} playouts prove {proof:?}", report.playouts);
    assert_eq!(proof.map(|proof| proof.utility), Some(0.0));
}

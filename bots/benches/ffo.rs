//! Reversi endings: the problems of the Fédération Française d'Othello, solved for the exact margin on one thread.
//!
//! `cargo bench -p bots --bench ffo -- [FIRST] [LAST]`, by default 20 to 39.

#![allow(clippy::print_stdout, reason = "a bench prints its table")]

#[path = "../tests/support/ffo.rs"]
mod ffo;

use ffo::{Tournament, discs, problems, solver};
use mcts_core::{Budget, Search, StopReason};
use std::time::Duration;

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|word| word.parse::<u32>().ok());
    let first = numbers.next().unwrap_or(20);
    let last = numbers.next().unwrap_or(39);
    println!("| problem | empty | margin | nodes | s | nodes/s |\n|---|---:|---:|---:|---:|---:|");
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for problem in problems(first, last) {
        let mut search = solver(256 << 20).search(Tournament::new());
        let report = search.run(&problem.position, &Budget::UNLIMITED).expect("a move is legal");
        assert_eq!(report.stopped_by, StopReason::Proven);
        assert_eq!(report.value().map(discs), Some(problem.margin), "#{}", problem.number);
        row(
            &format!("#{}", problem.number),
            problem.position.empty().count_ones(),
            problem.margin,
            (report.playouts, report.elapsed),
        );
        nodes += report.playouts;
        time += report.elapsed;
    }
    row("all", 0, 0, (nodes, time));
}

/// Nodes are those above the solver of the last cells.
fn row(name: &str, empty: u32, margin: i32, (nodes, time): (u64, Duration)) {
    let seconds = time.as_secs_f64();
    let rate = nodes as f64 / seconds.max(1e-9);
    println!("| {name} | {empty} | {margin:+} | {nodes} | {seconds:.3} | {rate:.0} |");
}

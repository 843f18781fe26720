//! Playouts in a second of wall time beside those of plain UCT: other parts, graphs, two threads; Reversi from the start,
//! uniform rollouts one at a time.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a bench prints what it measured")]

use core::num::NonZero;

use games::reversi::Reversi;
use mcts_core::search::parallel::{RootParallel, TreeParallel};
use mcts_core::{
    Budget, Clock, Game, GraphUct, Puct, Rave, Rollout, SelectionPolicy, SystemClock, Ucb1, Uct,
};

const ROUNDS: u64 = 7;
const TWO: NonZero<usize> = NonZero::new(2).unwrap();

/// A search with this seed; the playouts that it played.
type Run = fn(u64, &Budget) -> u64;

fn uct<S: SelectionPolicy>(selection: S, seed: u64, budget: &Budget) -> u64 {
    let game = Reversi::default();
    let parts: Uct = Uct::default();
    let mut search = parts.with_selection(selection).search(game, seed);
    search.run(&game.start(), budget).unwrap().playouts
}

fn graph(seed: u64, budget: &Budget) -> u64 {
    let game = Reversi::default();
    let mut search = <GraphUct>::default().search(game, seed);
    search.run(&game.start(), budget).unwrap().playouts
}

fn one_tree(seed: u64, budget: &Budget) -> u64 {
    let game = Reversi::default();
    let mut search = <Uct>::default().search(game, seed);
    let threads = TreeParallel { threads: TWO, ..TreeParallel::default() };
    threads.run(&mut search, &game.start(), budget).unwrap().playouts
}

fn a_tree_each(seed: u64, budget: &Budget) -> u64 {
    let game = Reversi::default();
    let uct: Uct<Ucb1, Rollout> = Uct::default();
    let mut search = RootParallel { uct, threads: TWO }.search(game, seed);
    search.run(&game.start(), budget).unwrap().playouts
}

const SEARCHES: [(&str, Run); 6] = [
    ("plain UCT", |seed, budget| uct(Ucb1::default(), seed, budget)),
    ("PUCT", |seed, budget| uct(Puct::default(), seed, budget)),
    ("RAVE", |seed, budget| uct(Rave::<Ucb1>::default(), seed, budget)),
    ("graph", graph),
    ("two threads, one tree", one_tree),
    ("two threads, a tree each", a_tree_each),
];

fn rate(run: Run, seed: u64, playouts: u64) -> f64 {
    let start = SystemClock.monotonic_nanos();
    let played = run(seed, &Budget::playouts(playouts).to_the_end());
    played as f64 * 1e9 / (SystemClock.monotonic_nanos() - start) as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    println!("medians of {ROUNDS} rounds: playouts, playouts/s, ratio to plain UCT within a round");
    for playouts in [100_000, 1_000_000] {
        let mut rates = [const { Vec::new() }; SEARCHES.len()];
        for seed in 0..ROUNDS {
            for ((_, run), rates) in SEARCHES.iter().zip(&mut rates) {
                rates.push(rate(*run, seed, playouts));
            }
        }
        let plain = rates[0].clone();
        for ((name, _), rates) in SEARCHES.iter().zip(rates) {
            let ratio = median(rates.iter().zip(&plain).map(|(one, plain)| one / plain).collect());
            println!("{playouts:>9} {name:<26} {:>9.0} {ratio:.2}", median(rates));
        }
    }
}

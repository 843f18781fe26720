//! Playouts in a second of wall time with one thread and with several, Reversi from the start, uniform rollouts.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a bench prints what it measured")]

use core::num::NonZero;

use games::reversi::Reversi;
use mcts_core::search::parallel::{RootParallel, TreeParallel};
use mcts_core::{Budget, Clock, Game, Rollout, SystemClock, Ucb1, Uct, Uniform};

const ROUNDS: usize = 7;
const PLAYOUTS: u64 = 400_000;

fn parts(lanes: usize) -> Uct<Ucb1, Rollout> {
    Uct { evaluator: Rollout { policy: Uniform, lanes }, ..Uct::default() }
}

/// Playouts per second of wall time of a search that plays [`PLAYOUTS`].
fn rate(run: impl FnOnce(&Budget) -> u64) -> f64 {
    let start = SystemClock.monotonic_nanos();
    let playouts = run(&Budget::playouts(PLAYOUTS).to_the_end());
    playouts as f64 * 1e9 / (SystemClock.monotonic_nanos() - start) as f64
}

fn main() {
    let (game, start) = (Reversi::default(), Reversi::default().start());
    let two = NonZero::new(2).unwrap();
    println!("lanes threads      tree      root  (playouts/s, ratios to one thread; medians)");
    for lanes in [1, 8] {
        let mut rates = [const { Vec::new() }; 3];
        for seed in 0..ROUNDS as u64 {
            let one = parts(lanes).search(game, seed);
            rates[0].push(rate(|budget| { one }.run(&start, budget).unwrap().playouts));
            let mut shared = parts(lanes).search(game, seed);
            let tree = TreeParallel { threads: two, ..TreeParallel::default() };
            rates[1].push(rate(|b| tree.run(&mut shared, &start, b).unwrap().playouts));
            let root = RootParallel { uct: parts(lanes), threads: two };
            let mut apart = root.search(game, seed);
            rates[2].push(rate(|budget| apart.run(&start, budget).unwrap().playouts));
        }
        let ratio = |several: usize| {
            median(rates[several].iter().zip(&rates[0]).map(|(several, one)| several / one))
        };
        println!("{lanes:>5}       1 {:>9.0}", median(rates[0].iter().copied()));
        let [tree, root] = [1, 2].map(|several| median(rates[several].iter().copied()));
        println!("{lanes:>5}       2 {tree:>9.0} {root:>9.0}  {:.2} {:.2}", ratio(1), ratio(2));
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

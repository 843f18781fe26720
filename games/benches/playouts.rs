//! Measures playouts of plain UCT per second of processor time, compared with uniformly random
//! games as their upper bound.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a bench prints what it measured")]

mod processor;

use games::connect_four::ConnectFour;
use games::icebreaking::Icebreaking;
use games::promotion_chess::PromotionChess;
use games::reversi::Reversi;
use mcts_core::{
    Budget, Clock, Game, Rollout, Search, SystemClock, Ucb1, Uct, Uniform, Utilities, rng,
};

const ROUNDS: usize = 5;

/// Median over several rounds of the number of repetitions per second.
fn per_second(count: u64, mut run: impl FnMut(u64)) -> f64 {
    let mut rates: Vec<f64> = (0..ROUNDS as u64)
        .map(|round| {
            let start = SystemClock.cpu_nanos().unwrap();
            run(round);
            count as f64 * 1e9 / (SystemClock.cpu_nanos().unwrap() - start) as f64
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    rates[ROUNDS / 2]
}

fn random_games<G: Game>(game: &G, lanes: usize, count: u64) -> f64 {
    per_second(count, |round| {
        let mut rng = rng::stream(round, 0);
        let mut results = vec![Utilities::ZERO; lanes];
        for _ in 0..count / lanes as u64 {
            let mut states = vec![game.start(); lanes];
            game.rollouts(&mut states, &mut rng, &mut results);
        }
    })
}

fn playouts<G: Game + Clone>(game: &G, lanes: usize, count: u64) -> (f64, f32) {
    let mut depth = 0.0;
    let rate = per_second(count, |round| {
        let parts: Uct<Ucb1, Rollout> =
            Uct { evaluator: Rollout { policy: Uniform, lanes }, ..Uct::default() };
        let mut search = parts.search(game.clone(), round);
        let report = search.run(&game.start(), &Budget::playouts(count).to_the_end()).unwrap();
        assert_eq!(report.playouts, count);
        depth = report.mean_depth;
    });
    (rate, depth)
}

fn measure<G: Game + Clone>(name: &str, game: &G, count: u64) {
    for lanes in [1, 8] {
        let games = random_games(game, lanes, count.min(200_000));
        let (rate, depth) = playouts(game, lanes, count);
        println!(
            "{name:<16} {lanes:>5} {count:>9} {games:>12.0} {rate:>12.0} {:>6.2} {depth:>6.1}",
            rate / games
        );
    }
}

fn main() {
    println!("{}", processor::describe());
    println!(
        "{:<16} {:>5} {:>9} {:>12} {:>12} {:>6} {:>6}",
        "game", "lanes", "playouts", "games/s", "playouts/s", "ratio", "depth"
    );
    for count in [100_000, 1_000_000] {
        measure("reversi", &Reversi::default(), count);
        measure("icebreaking", &Icebreaking::from_seed(1), count);
        measure("connect-four", &ConnectFour, count);
    }
    measure("promotion-chess", &PromotionChess::default(), 20_000);
}

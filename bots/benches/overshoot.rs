//! Measures how far searches exceed their deadline: 2,000 searches of 3 ms from random positions of
//! each game.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a bench prints what it measured")]

use core::time::Duration;
use games::connect_four::ConnectFour;
use games::icebreaking::Icebreaking;
use games::promotion_chess::PromotionChess;
use games::reversi::Reversi;
use mcts_core::{Budget, Game, Rollout, Search, StopReason, Turn, Ucb1, Uct, Uniform, rng};

const SEARCHES: usize = 2_000;
const WALL: Duration = Duration::from_millis(3);

fn measure<G: Game + Clone>(name: &str, game: &G, lanes: usize) {
    let mut rng = rng::stream(1, 2);
    let parts: Uct<Ucb1, Rollout> = Uct {
        evaluator: Rollout { policy: Uniform, lanes },
        memory_cap_bytes: 16 << 20,
        ..Uct::default()
    };
    let mut search = parts.search(game.clone(), 1);
    let mut past = Vec::new();
    let mut state = game.start();
    while past.len() < SEARCHES {
        if matches!(game.turn(&state), Turn::Over(_)) {
            state = game.start();
        }
        let report = search.run(&state, &Budget::wall(WALL).to_the_end()).unwrap();
        if report.stopped_by == StopReason::Wall {
            past.push(report.overshoot);
        }
        let action = game.random_action(&state, &mut rng);
        search.advance(action);
        game.apply(&mut state, action);
    }
    past.sort_unstable();
    let at = |share: f64| past[((past.len() - 1) as f64 * share) as usize].as_micros();
    println!(
        "{name:<22} {lanes:>5} {:>8} {:>8} {:>8} {:>8}",
        at(0.5),
        at(0.99),
        at(0.999),
        at(1.0)
    );
}

fn main() {
    println!("microseconds past the deadline: median, 99 %, 99.9 %, maximum");
    println!("{:<22} {:>5} {:>8} {:>8} {:>8} {:>8}", "game", "lanes", "50", "99", "99.9", "100");
    for lanes in [1, 8] {
        measure("reversi", &Reversi::default(), lanes);
        measure("icebreaking", &Icebreaking::from_seed(1), lanes);
        measure("promotion-chess", &PromotionChess::default(), lanes);
        measure("connect-four", &ConnectFour, lanes);
    }
}

//! Which of two settings is better? Play them against each other: pairs of games on the same seeds
//! with the seats swapped, and a confidence interval for the difference. `arena match` does this at
//! scale, between any two programs.
#![allow(clippy::print_stdout, reason = "an example prints its result")]

use arena::elo::EloEstimate;
use arena::player::seeded;
use arena::referee::{Occasion, Player, play_in_process};
use arena::score::Tally;

const GAME: &str = "reversi";
const PAIRS: u64 = 30;

/// Points of the bot in the first seat: 1, 0.5 or 0.
fn points(seats: [&str; 2], opening: &str, seed: u64) -> f64 {
    let game = games::find(GAME).expect("the game is in the list");
    let mut judge = (game.judge_from)(opening, &[]).expect("an opening of the game");
    let player = |name: &str| Player { name: name.to_string(), command: Vec::new(), seed };
    let mut bots = seats.map(|bot| bots::build(GAME, &seeded(bot, seed)).expect("a built-in bot"));
    let occasion = Occasion { game: GAME, seed };
    let players = seats.map(player);
    play_in_process(judge.as_mut(), &mut bots, &players, occasion).seats[0].points
}

fn main() {
    let (a, b) = ("mcts:playouts=1000,exploration=0.4", "mcts:playouts=1000,exploration=5");
    let game = games::find(GAME).expect("the game is in the list");
    let mut tally = Tally::of_pairs();
    for seed in 0..PAIRS {
        let opening = (game.random_start)(seed, 6);
        let (first, second) = (points([a, b], &opening, seed), points([b, a], &opening, seed));
        tally.add((first + 1.0 - second) / 2.0);
    }
    let estimate = EloEstimate::of(&tally);
    println!("{a} against {b}, {} games:", 2 * PAIRS);
    println!("{:.1} %, Elo {}", 100.0 * estimate.score, estimate.text());
    assert!(estimate.score_interval[0] > 0.5, "exploring without end is worse, beyond doubt");
}

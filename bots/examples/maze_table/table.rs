//! Prints the results.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::{Match, Played};

/// Mean and standard error; the error of a single number is zero.
fn mean(numbers: &[f64]) -> (f64, f64) {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let squares = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>();
    (mean, (squares / (count - 1.0).max(1.0) / count).sqrt())
}

/// A row for each player, footstep table, chaser and size, and one for all chasers and sizes.
pub(crate) fn means(done: &BTreeMap<Match, Played>) -> String {
    let mut rows: BTreeMap<(&str, &str, &str, usize), Vec<Played>> = BTreeMap::new();
    for (game, played) in done {
        let row = (game.player.as_str(), game.footsteps.as_str(), game.policy.as_str(), game.size);
        rows.entry(row).or_default().push(*played);
        rows.entry((row.0, row.1, "all", 0)).or_default().push(*played);
    }
    let mut text =
        String::from("player footsteps chaser size games mean error caught turns playouts/s\n");
    for ((player, footsteps, policy, size), games) in rows {
        let count = games.len() as f64;
        let scores: Vec<f64> = games.iter().map(|game| game.score.into()).collect();
        let (mean, error) = mean(&scores);
        let caught = games.iter().filter(|game| game.caught).count() as f64 / count;
        let turns = games.iter().map(|game| f64::from(game.turns)).sum::<f64>() / count;
        let playouts: u64 = games.iter().map(|game| game.playouts).sum();
        let micros: u64 = games.iter().map(|game| game.cpu_micros).sum();
        let rate = playouts as f64 * 1e6 / micros.max(1) as f64;
        let _ = writeln!(
            text,
            "{player} {footsteps} {policy} {size} {count} {mean:.2} {error:.2} {caught:.2} {turns:.0} {rate:.0}"
        );
    }
    text
}

/// The mean difference of each player to `reference` on the same mazes, with a 95 % interval (1.96
/// standard errors).
pub(crate) fn differences(done: &BTreeMap<Match, Played>, reference: &str) -> String {
    let mut rows: BTreeMap<(&str, &str), Vec<f64>> = BTreeMap::new();
    for (game, played) in done.iter().filter(|(game, _)| game.player != reference) {
        let other = Match { player: reference.into(), ..game.clone() };
        if let Some(other) = done.get(&other) {
            let ahead = f64::from(played.score) - f64::from(other.score);
            rows.entry((&game.player, &game.footsteps)).or_default().push(ahead);
        }
    }
    let mut text = format!("\nplayer footsteps games ahead of {reference}\n");
    for ((player, footsteps), ahead) in rows {
        let (mean, error) = mean(&ahead);
        let half = 1.96 * error;
        let count = ahead.len();
        let _ = writeln!(text, "{player} {footsteps} {count} {mean:+.2} +- {half:.2}");
    }
    text
}

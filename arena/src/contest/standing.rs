//! The results of a plan's pairs.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use mcts_core::rng::mix;
use serde::{Deserialize, Serialize};

use super::{GameSummary, PairRecord, Plan, RoundSummary};
use crate::elo::EloEstimate;
use crate::ratings::{Meeting, rate};
use crate::score::{Tally, student_quantile_975};

/// The results of one bot.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BotLine {
    /// Number of games that count.
    pub games: u64,
    /// Points in all of them.
    pub points: f64,
    /// Games and points by seat.
    pub by_seat: Vec<(u64, f64)>,
    /// Games lost by a fault, by kind; spoilt games included.
    pub faults: BTreeMap<String, u64>,
    /// The verdict on the first of them, with the game.
    pub first_fault: Option<String>,
    /// Smallest, sum and largest wall time of a game.
    pub wall: Range,
    /// Smallest, sum and largest CPU time of a game.
    pub cpu: Range,
    /// CPU time used while others were to move, in all games.
    #[serde(rename = "cpu_in_others_time_us", with = "crate::record::microseconds")]
    pub cpu_in_others_time: Duration,
    /// Wall time during which it was runnable but had no processor, in all games.
    #[serde(rename = "delayed_us", with = "crate::record::microseconds", default)]
    pub delayed: Duration,
    /// Warnings in all games.
    pub warnings: u64,
}

/// Range and mean of a time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Range {
    /// Smallest; zero without games.
    #[serde(rename = "min_us", with = "crate::record::microseconds")]
    pub min: Duration,
    /// Sum.
    #[serde(rename = "sum_us", with = "crate::record::microseconds")]
    pub sum: Duration,
    /// Largest.
    #[serde(rename = "max_us", with = "crate::record::microseconds")]
    pub max: Duration,
    /// Number of games.
    pub count: u64,
}

impl Range {
    fn add(&mut self, time: Duration) {
        self.min = if self.count == 0 { time } else { self.min.min(time) };
        self.max = self.max.max(time);
        self.sum += time;
        self.count += 1;
    }

    /// Mean; zero without games.
    #[must_use]
    pub fn mean(&self) -> Duration {
        self.sum.checked_div(u32::try_from(self.count).unwrap_or(u32::MAX)).unwrap_or_default()
    }
}

/// The results of two bots against each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PairingLine {
    /// Indices of the plan's bots.
    pub bots: (usize, usize),
    /// Pairs by the score of the first.
    pub tally: Tally,
    /// Sums of the differences of points, first minus second, and of their squares: for games of
    /// one seat.
    pub differences: (f64, f64),
}

impl PairingLine {
    /// Mean difference of points and half the width of its 95 % interval (Student, 1908); `None` before the second pair.
    #[must_use]
    pub fn mean_difference(&self) -> Option<(f64, f64)> {
        let n = self.tally.pairs() as f64;
        let (sum, squares) = self.differences;
        let mean = sum / n;
        let variance = (squares - n * mean * mean).max(0.0) / (n - 1.0);
        (n > 1.0)
            .then(|| (mean, student_quantile_975(self.tally.pairs() - 1) * (variance / n).sqrt()))
    }
}

/// The result of a plan: the sum of its counted pairs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// In the order of the plan.
    pub bots: Vec<BotLine>,
    /// In the order of [`Plan::pairings`].
    pub pairings: Vec<PairingLine>,
    /// Rounds that were played.
    pub rounds: u64,
    /// Rounds given up because the machine was too busy; they do not count.
    pub given_up: u64,
    /// Games repeated because the machine was too busy.
    pub replays: u64,
    /// Number of games that count.
    pub games: u64,
    /// Number of those that ended by a fault.
    pub games_ended_by_fault: u64,
    /// Number of those that differ in their start or their actions.
    pub distinct_games: u64,
    /// Hashes of the games that count.
    #[serde(skip)]
    courses: HashSet<u64>,
}

impl Standing {
    /// Whether there is no information about strength: no games, or every one ended by a fault.
    #[must_use]
    pub fn says_nothing(&self) -> bool {
        self.games_ended_by_fault == self.games
    }

    /// Before the first pair.
    #[must_use]
    pub fn new(plan: &Plan) -> Standing {
        let tally = match plan.seats {
            1 => Tally::of_comparisons(),
            2 => Tally::of_pairs(),
            _ => {
                let games = plan.round(0).games;
                let compared = |game: &Vec<usize>| {
                    let of_first = game.iter().filter(|bot| **bot == game[0]).count();
                    of_first * (game.len() - of_first)
                };
                Tally::of_tables(games.iter().map(compared).sum(), games.len())
            }
        };
        let line = |bots| PairingLine { bots, tally: tally.clone(), differences: (0.0, 0.0) };
        let bot = BotLine { by_seat: vec![(0, 0.0); plan.seats], ..BotLine::default() };
        Standing {
            bots: vec![bot; plan.bots.len()],
            pairings: plan.pairings().into_iter().map(line).collect(),
            rounds: 0,
            given_up: 0,
            replays: 0,
            games: 0,
            games_ended_by_fault: 0,
            distinct_games: 0,
            courses: HashSet::new(),
        }
    }

    /// After these pairs.
    #[must_use]
    pub fn of<'a>(plan: &Plan, pairs: impl IntoIterator<Item = &'a PairRecord>) -> Standing {
        let mut standing = Standing::new(plan);
        pairs.into_iter().for_each(|pair| standing.add(pair));
        standing
    }

    /// Adds a pair.
    pub fn add(&mut self, pair: &PairRecord) {
        self.add_summary(&RoundSummary::of(pair));
    }

    /// Adds the summary of a round.
    pub fn add_summary(&mut self, round: &RoundSummary) {
        self.rounds += 1;
        self.replays += u64::from(round.replays);
        self.given_up += u64::from(!round.counts);
        for game in &round.games {
            for seat in 0..game.seats.len() {
                self.bots[game.seats[seat].bot].add(round, game, seat);
            }
        }
        if round.counts {
            self.games += round.games.len() as u64;
            let by_fault = round.games.iter().filter(|game| game.fault.is_some()).count();
            self.games_ended_by_fault += by_fault as u64;
            let known = self.courses.len();
            self.courses.extend(round.games.iter().map(course_between));
            let is_new = self.courses.len() > known;
            self.distinct_games = self.courses.len() as u64;
            let points = round.points();
            for line in &mut self.pairings {
                let (one, other) = line.bots;
                if let (Some(score), Some(mean), Some(other)) =
                    (round.score(one, other), points.get(&one), points.get(&other))
                {
                    line.add(score, mean - other, is_new);
                }
            }
        }
    }

    /// The difference between the two bots of a pairing.
    #[must_use]
    pub fn estimate(&self, pairing: usize) -> EloEstimate {
        EloEstimate::of(&self.pairings[pairing].tally)
    }

    /// Ratings of all bots, in the order of the plan.
    #[must_use]
    pub fn ratings(&self) -> Vec<crate::ratings::Rating> {
        let meeting = |line: &PairingLine| Meeting {
            first: line.bots.0,
            second: line.bots.1,
            tally: line.tally.clone(),
        };
        rate(self.bots.len(), &self.pairings.iter().map(meeting).collect::<Vec<_>>())
    }
}

/// Hash of a game and of its bots, regardless of the seats.
fn course_between(game: &GameSummary) -> u64 {
    let bots = game.seats.iter().map(|seat| mix(seat.bot as u64 + 1));
    game.course.wrapping_add(bots.fold(0, u64::wrapping_add))
}

impl PairingLine {
    fn add(&mut self, score: f64, difference: f64, is_new: bool) {
        if is_new {
            self.tally.add(score);
        } else {
            self.tally.add_repeated(score);
        }
        self.differences.0 += difference;
        self.differences.1 += difference * difference;
    }
}

impl BotLine {
    /// Whether it thinks while others are to move: more than 20 ms a game and more than 5 % of its
    /// CPU time.
    ///
    /// Smaller amounts occur between flushing an answer and waiting for the next request, and by
    /// the rounding of the kernel's clock ticks of 10 ms.
    #[must_use]
    pub fn thinks_in_others_time(&self) -> bool {
        const NOISE_PER_GAME: Duration = Duration::from_millis(20);
        let games = u32::try_from(self.cpu.count).unwrap_or(u32::MAX);
        self.cpu_in_others_time > (self.cpu.sum / 20).max(NOISE_PER_GAME.saturating_mul(games))
    }

    fn add(&mut self, round: &RoundSummary, game: &GameSummary, seat: usize) {
        let own = &game.seats[seat];
        if round.counts {
            self.games += 1;
            self.points += own.points;
            self.by_seat[seat].0 += 1;
            self.by_seat[seat].1 += own.points;
        }
        if let Some(fault) = game.fault.as_ref().filter(|fault| fault.seat == seat) {
            *self.faults.entry(fault.kind.to_owned()).or_default() += 1;
            self.first_fault.get_or_insert_with(|| format!("pair {}: {}", round.index, fault.text));
        }
        self.wall.add(own.used.wall);
        self.cpu.add(own.used.cpu);
        self.cpu_in_others_time += own.used.cpu_in_others_time;
        self.delayed += own.used.delayed;
        self.warnings += own.warnings;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bot(games: u64, cpu_ms: u64, in_others_ms: u64) -> BotLine {
        let mut line = BotLine::default();
        (0..games).for_each(|_| line.cpu.add(Duration::from_millis(cpu_ms)));
        line.cpu_in_others_time = Duration::from_millis(in_others_ms * games);
        line
    }

    #[test]
    fn the_noise_of_a_start_is_no_thinking_in_others_time() {
        // All of it, but not more than any program uses to start.
        assert!(!bot(1_000, 3, 3).thinks_in_others_time());
        // A large amount, but small compared with its own time.
        assert!(!bot(10, 4_000, 150).thinks_in_others_time());
        assert!(!BotLine::default().thinks_in_others_time());
        assert!(bot(1, 60, 30).thinks_in_others_time());
        assert!(bot(1_000, 4_000, 300).thinks_in_others_time());
    }
}

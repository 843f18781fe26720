//! The summary of a round: small, so that matches of any length fit into memory.

use std::collections::BTreeMap;

use super::PairRecord;
use crate::clock::TimeUsed;

/// A round without its actions, messages and evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct RoundSummary {
    /// Its index in the plan.
    pub index: u64,
    /// Whether it counts, see [`PairRecord::counts`].
    pub counts: bool,
    /// Games that were repeated because the machine was too busy.
    pub replays: u32,
    /// The games.
    pub games: Vec<GameSummary>,
}

/// A game without its actions, messages and evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct GameSummary {
    /// Indices of the bots in the plan, points and times, by seat.
    pub seats: Vec<SeatSummary>,
    /// Why a bot lost other than by the rules.
    pub fault: Option<FaultSummary>,
    /// Hash of the start and of all actions: equal for equal games.
    pub course: u64,
}

/// One seat of a game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeatSummary {
    /// Index of the bot in the plan.
    pub bot: usize,
    /// Its points.
    pub points: f64,
    /// Its times.
    pub used: TimeUsed,
    /// Number of its warnings.
    pub warnings: u64,
}

/// A game lost by a fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultSummary {
    /// The seat at fault.
    pub seat: usize,
    /// The kind, in one word.
    pub kind: &'static str,
    /// The verdict, in one line.
    pub text: String,
}

impl RoundSummary {
    /// Summarizes a round.
    #[must_use]
    pub fn of(pair: &PairRecord) -> RoundSummary {
        let game = |game: &super::PlayedGame| {
            let seats = game.bots.iter().zip(&game.record.seats);
            let seat = |(bot, seat): (&usize, &crate::record::SeatRecord)| SeatSummary {
                bot: *bot,
                points: seat.points,
                used: seat.used,
                warnings: seat.warnings.len() as u64,
            };
            GameSummary {
                seats: seats.map(seat).collect(),
                fault: game.record.verdict.as_ref().map(|verdict| FaultSummary {
                    seat: verdict.seat,
                    kind: verdict.offence.name(),
                    text: verdict.to_string(),
                }),
                course: course(&game.record.start, &game.record.actions),
            }
        };
        RoundSummary {
            index: pair.index,
            counts: pair.counts(),
            replays: pair.replays,
            games: pair.games.iter().map(game).collect(),
        }
    }

    /// Mean points of each bot over the games of the round, by its index in the plan.
    #[must_use]
    pub fn points(&self) -> BTreeMap<usize, f64> {
        let mut sums: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
        for seat in self.games.iter().flat_map(|game| &game.seats) {
            let (sum, count) = sums.entry(seat.bot).or_default();
            *sum += seat.points;
            *count += 1.0;
        }
        sums.into_iter().map(|(bot, (sum, count))| (bot, sum / count)).collect()
    }

    /// The score of one bot against another over the games of the round, in [0, 1]; `None` unless
    /// both played. In games of one seat the bot with more points wins; at two seats the mean of
    /// the points counts; at larger tables each two of their seats are compared.
    #[must_use]
    pub fn score(&self, one: usize, other: usize) -> Option<f64> {
        let points = self.points();
        let (mean, other_mean) = (points.get(&one)?, points.get(&other)?);
        let seats = self.games.iter().map(|game| game.seats.len()).max()?;
        match seats {
            1 => Some(comparison(*mean, *other_mean)),
            2 => Some(*mean),
            _ => {
                let of = |game: &GameSummary, bot: usize| -> Vec<f64> {
                    let own = game.seats.iter().filter(|seat| seat.bot == bot);
                    own.map(|seat| seat.points).collect()
                };
                let (mut sum, mut count) = (0.0, 0.0);
                for game in &self.games {
                    for points in of(game, one) {
                        for other_points in of(game, other) {
                            sum += comparison(points, other_points);
                            count += 1.0;
                        }
                    }
                }
                (count > 0.0).then(|| sum / count)
            }
        }
    }

    /// Hash of the games and their results: equal for two records of the same round, also if they
    /// were played at different times.
    #[must_use]
    pub fn content(&self) -> u64 {
        let mut hasher = blake3::Hasher::new();
        for game in &self.games {
            hasher.update(&game.course.to_le_bytes());
            for seat in &game.seats {
                hasher.update(&seat.points.to_le_bytes());
            }
        }
        short(&hasher)
    }
}

/// 1, 1/2 or 0 for more, equal or fewer points.
fn comparison(points: f64, other: f64) -> f64 {
    points.partial_cmp(&other).map_or(0.5, |order| f64::from(order as i8 + 1) / 2.0)
}

fn course(start: &str, actions: &[String]) -> u64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(start.as_bytes());
    for action in actions {
        hasher.update(b"\n").update(action.as_bytes());
    }
    short(&hasher)
}

fn short(hasher: &blake3::Hasher) -> u64 {
    let [a, b, c, d, e, f, g, h, ..] = *hasher.finalize().as_bytes();
    u64::from_le_bytes([a, b, c, d, e, f, g, h])
}

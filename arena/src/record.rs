//! The record of a game: plain data, in JSON without loss.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::clock::TimeUsed;
use crate::process::Exit;
use crate::verdict::Verdict;

/// One line sent to or by a bot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Time since the bots were started.
    #[serde(rename = "at_us", with = "microseconds")]
    pub at: Duration,
    /// The bot's seat, from 0.
    pub seat: usize,
    /// Who wrote it.
    pub from: Writer,
    /// The line without its line feed; bytes of the bot that are not ASCII as escapes.
    pub text: String,
}

/// Who wrote a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Writer {
    /// The referee, to the bot.
    Referee,
    /// The bot, to the referee.
    Bot,
    /// The bot, about its search, on standard error.
    Report,
}

/// The record of one seat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SeatRecord {
    /// The bot's name.
    pub name: String,
    /// Its command line.
    pub command: Vec<String>,
    /// Its seed.
    pub seed: u64,
    /// Points by the rules, or by the verdict.
    pub points: f64,
    /// Time used.
    pub used: TimeUsed,
    /// How it ended on its own; `None` if the referee ended it.
    pub exit: Option<Exit>,
    /// Tolerated deviations, such as blanks after an answer.
    pub warnings: Vec<String>,
    /// The last lines of its standard error.
    pub last_errors: Vec<String>,
}

/// One game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Version of the arena that refereed the game.
    pub arena: String,
    /// Name of the game.
    pub game: String,
    /// Seed of the start position and of all chance in the game.
    pub seed: u64,
    /// Options of the game, names and values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<(String, String)>,
    /// The ending in a few words.
    pub description: String,
    /// Why a bot lost other than by the rules.
    pub verdict: Option<Verdict>,
    /// Whether a bot was late only because of delays by the machine; then the game does not count,
    /// regardless of its result.
    pub contended: bool,
    /// By seat.
    pub seats: Vec<SeatRecord>,
    /// Position at the start, in its text form.
    pub start: String,
    /// Every applied action, as its player wrote it.
    pub actions: Vec<String>,
    /// Position at the end, in its text form.
    pub end: String,
    /// Wall time from the start of the bots to the last message.
    #[serde(rename = "took_us", with = "microseconds")]
    pub took: Duration,
    /// Every line, in order; empty if messages were not stored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<Message>,
}

impl GameRecord {
    /// Checks that the parts of a record are consistent.
    ///
    /// # Errors
    /// What is inconsistent.
    pub fn check(&self) -> Result<(), String> {
        let seats = self.seats.len();
        if let Some(verdict) = self.verdict.as_ref().filter(|verdict| verdict.seat >= seats) {
            return Err(format!(
                "the verdict has seat {}; expected a seat below {seats}",
                verdict.seat
            ));
        }
        let strange = self.messages.iter().enumerate().find(|(_, message)| message.seat >= seats);
        if let Some((at, message)) = strange {
            return Err(format!(
                "message {} has seat {}; expected a seat below {seats}",
                at + 1,
                message.seat
            ));
        }
        match self.seats.iter().enumerate().find(|(_, seat)| !seat.points.is_finite()) {
            Some((at, seat)) => Err(format!("seat {at} has {} points", seat.points)),
            None => Ok(()),
        }
    }
}

/// Durations as whole microseconds.
pub(crate) mod microseconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u64(u64::try_from(time.as_micros()).unwrap_or(u64::MAX))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        u64::deserialize(from).map(Duration::from_micros)
    }
}

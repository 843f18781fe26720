//! Analysis of one position by a bot: set up without a referee, searched in slices.

use std::fmt;
use std::time::{Duration, Instant};

use bots::{Answer, Seat};
use games::{Clocks, Judging};
use mcts_core::{Budget, SystemClock};

/// The budget of an analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// Wall time.
    Time(Duration),
    /// This number of playouts.
    Playouts(u64),
}

/// The result of the analysis of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The bot's report, in `key=value` words; `None` if the bot does not search.
    pub report: Option<String>,
    /// The bot's answer, if it does not search in slices.
    pub answer: Option<String>,
}

/// Why a position cannot be analysed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnalysisError {
    /// The bot cannot be set to the position.
    Position(String),
}

impl fmt::Display for AnalysisError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnalysisError::Position(reason) => {
                write!(f, "the bot cannot be set to this position: {reason}")
            }
        }
    }
}

impl std::error::Error for AnalysisError {}

/// Duration of a slice, and its number of playouts.
const SLICE: Duration = Duration::from_millis(100);

/// Sets a new bot to the position of a judge, as the player of `seat`.
///
/// # Errors
/// If neither the protocol nor the bot can set the position.
pub fn set_up(bot: &mut dyn Seat, judging: &dyn Judging, seat: usize) -> Result<(), AnalysisError> {
    for line in judging.opening(seat) {
        let _ = bot.receive(&line, &SystemClock);
    }
    bot.set_position(&judging.position()).map_err(AnalysisError::Position)
}

/// The lines that ask for an action now, with full clocks.
#[must_use]
pub fn request(judging: &dyn Judging) -> Vec<String> {
    judging.request(&Clocks { wall_left: vec![judging.time_limits().wall; judging.seats()] })
}

/// Lets a bot that is [set up](set_up) search the position, and calls `show` with each report until
/// the budget is spent or `show` returns false.
pub fn study(
    bot: &mut dyn Seat,
    judging: &dyn Judging,
    effort: Effort,
    show: &mut dyn FnMut(&str) -> bool,
) -> Found {
    let started = Instant::now();
    let mut done = 0;
    let mut report = None;
    let mut next = |found: Option<&str>| {
        if let Some(found) = found {
            let more = playouts(found);
            done += more;
            report = Some(found.to_owned());
            if !show(found) || more == 0 || is_settled(found) {
                return None;
            }
        }
        match effort {
            Effort::Time(time) => {
                let left = time.saturating_sub(started.elapsed());
                (!left.is_zero()).then(|| Budget::wall(left.min(SLICE)).to_the_end())
            }
            Effort::Playouts(most) => {
                let left = most.saturating_sub(done);
                let slice = Budget { playouts: Some(left), ..Budget::wall(SLICE) };
                (left > 0).then(|| slice.to_the_end())
            }
        }
    };
    let lines = request(judging);
    let Some((last, before)) = lines.split_last() else {
        return Found { report: None, answer: None };
    };
    for line in before {
        let _ = bot.receive(line, &SystemClock);
    }
    if bot.analyse(last, &SystemClock, &mut next) {
        return Found { report, answer: None };
    }
    let answer = match bot.receive(last, &SystemClock) {
        Answer::Line(answer) => Some(answer),
        Answer::Nothing | Answer::Leave => None,
    };
    Found { report: bot.report(), answer }
}

/// The number of playouts of a report.
#[must_use]
pub fn playouts(report: &str) -> u64 {
    let word = report.split_whitespace().find_map(|word| word.strip_prefix("playouts="));
    word.and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// Whether more playouts cannot change the result.
fn is_settled(report: &str) -> bool {
    ["Proven", "Visits", "SingleAction"]
        .iter()
        .any(|reason| report.contains(&format!("stopped_by={reason}")))
}

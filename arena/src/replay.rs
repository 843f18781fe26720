//! Replays a recorded game: actions, positions, and search reports.

use std::fmt;
use std::time::Duration;

use games::{EntryError, Judging, Status};

use crate::catalogue::Catalogue;
use crate::record::{GameRecord, Message, Writer};

/// One action of a recorded game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Who acted, counted from 0.
    pub seat: usize,
    /// The action, as its player wrote it.
    pub action: String,
    /// Time from the request to the answer; `None` if the record has no messages.
    pub took: Option<Duration>,
    /// The bot's search reports, in `key=value` words.
    pub reports: Vec<String>,
    /// The position after the action, in its text form.
    pub position: String,
    /// The same, drawn for people.
    pub picture: String,
}

/// A recorded game, replayed by its judge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replay {
    /// The position at the start, in its text form.
    pub start: String,
    /// The same, drawn for people.
    pub picture: String,
    /// The actions, in order.
    pub steps: Vec<Step>,
}

/// Why a record cannot be replayed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplayError {
    /// The parts of the record are inconsistent.
    Record(String),
    /// There is no game of this name.
    UnknownGame(String),
    /// The game rejects the start or the options of the record.
    Start(EntryError),
    /// The game rejects an action.
    Action {
        /// Its number, from 1.
        number: usize,
        /// The action.
        action: String,
        /// Why.
        reason: String,
    },
    /// The game ends in another position than the record.
    OtherEnd {
        /// The position in the record.
        recorded: String,
        /// The position in the replay.
        replayed: String,
    },
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::Record(reason) => write!(f, "not a record of a game: {reason}"),
            ReplayError::UnknownGame(name) => write!(f, "there is no game {name:?}"),
            ReplayError::Start(error) => write!(f, "the game cannot be set up: {error}"),
            ReplayError::Action { number, action, reason } => {
                write!(f, "action {number}, {action:?}, cannot be played: {reason}")
            }
            ReplayError::OtherEnd { recorded, replayed } => {
                write!(f, "the record ends in {recorded:?}, but its actions lead to {replayed:?}")
            }
        }
    }
}

impl std::error::Error for ReplayError {}

impl Replay {
    /// Replays a record.
    ///
    /// # Errors
    /// If it is inconsistent with the rules of its game.
    pub fn new(catalogue: &Catalogue, record: &GameRecord) -> Result<Replay, ReplayError> {
        record.check().map_err(ReplayError::Record)?;
        let mut judging = set_up(catalogue, record)?;
        let mut spoken = spoken(&record.messages).into_iter();
        let mut replay = Replay {
            start: judging.position(),
            picture: judging.picture(),
            steps: Vec::with_capacity(record.actions.len()),
        };
        for (at, action) in record.actions.iter().enumerate() {
            let refused = |reason: String| ReplayError::Action {
                number: at + 1,
                action: action.clone(),
                reason,
            };
            let Status::ToMove(seat) = judging.status() else {
                return Err(refused("the game is over".to_owned()));
            };
            judging.answer(action).map_err(|fault| refused(fault.to_string()))?;
            let (took, reports) = spoken.next().unwrap_or_default();
            let (position, picture) = (judging.position(), judging.picture());
            replay.steps.push(Step {
                seat,
                action: action.clone(),
                took,
                reports,
                position,
                picture,
            });
        }
        let replayed = judging.position();
        if replayed != record.end {
            return Err(ReplayError::OtherEnd { recorded: record.end.clone(), replayed });
        }
        Ok(replay)
    }
}

impl Replay {
    /// The judge after this number of actions of a record.
    ///
    /// # Errors
    /// If the record is inconsistent with the rules of its game, or has fewer actions.
    pub fn judge_at(
        catalogue: &Catalogue,
        record: &GameRecord,
        at: usize,
    ) -> Result<Box<dyn Judging>, ReplayError> {
        record.check().map_err(ReplayError::Record)?;
        let mut judging = set_up(catalogue, record)?;
        if at > record.actions.len() {
            let reason = format!("it has {} actions, not {at}", record.actions.len());
            return Err(ReplayError::Record(reason));
        }
        for (number, action) in (1..).zip(&record.actions[..at]) {
            judging.answer(action).map_err(|fault| ReplayError::Action {
                number,
                action: action.clone(),
                reason: fault.to_string(),
            })?;
        }
        Ok(judging)
    }
}

/// The judge at the start of the recorded game. If the game began at the start of its seed, that
/// seed is used, so that chance has the same outcomes.
fn set_up(catalogue: &Catalogue, record: &GameRecord) -> Result<Box<dyn Judging>, ReplayError> {
    let unknown = || ReplayError::UnknownGame(record.game.clone());
    let game = catalogue.game(&record.game).ok_or_else(unknown)?;
    let options: Vec<(&str, &str)> =
        record.options.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let of_seed = (game.judge)(record.seed, &options).map_err(ReplayError::Start)?;
    if of_seed.position() == record.start {
        return Ok(of_seed);
    }
    (game.judge_from)(&record.start, &options).map_err(ReplayError::Start)
}

/// For each answer except those to `READY`: its duration, and the bot's reports on it.
fn spoken(messages: &[Message]) -> Vec<(Option<Duration>, Vec<String>)> {
    let mut answers: Vec<(Option<Duration>, Vec<String>)> = Vec::new();
    let mut tables: Vec<OfSeat> = Vec::new();
    let mut unassigned = Vec::new();
    // a report that arrived together with its answer is recorded before it, with a later time
    let mut in_time: Vec<&Message> = messages.iter().collect();
    in_time.sort_by_key(|message| message.at);
    for message in in_time {
        let seats = tables.len().max(message.seat + 1);
        tables.resize_with(seats, OfSeat::default);
        let table = &mut tables[message.seat];
        match message.from {
            Writer::Referee => table.asked = Some(message.at),
            Writer::Bot if message.text == "OK" => table.lines.push(None),
            Writer::Bot => {
                table.lines.push(Some(answers.len()));
                let took = table.asked.map(|asked| message.at.saturating_sub(asked));
                answers.push((took, Vec::new()));
            }
            Writer::Report => unassigned.push((message, table.lines.len())),
        }
    }
    for (message, lines_before) in unassigned {
        let (line, report) = numbered(&message.text).unwrap_or((lines_before, &message.text));
        let place = line.checked_sub(1).and_then(|at| *tables[message.seat].lines.get(at)?);
        if let Some(answer) = place {
            answers[answer].1.push(report.to_owned());
        }
    }
    answers
}

/// The messages of a seat so far.
#[derive(Default)]
struct OfSeat {
    /// Time of the last request.
    asked: Option<Duration>,
    /// The answer number of each of its lines, if the line is an answer.
    lines: Vec<Option<usize>>,
}

/// The number of the line that a report is about, counted from 1, and the rest of the report: a bot
/// may report on an answer after the referee has read its next one.
fn numbered(report: &str) -> Option<(usize, &str)> {
    let (number, rest) = report.strip_prefix("answer=")?.split_once(' ')?;
    Some((number.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_belong_to_the_answer_before_them_whatever_others_say_meanwhile() {
        let message = |millis, seat, from, text: &str| Message {
            at: Duration::from_millis(millis),
            seat,
            from,
            text: text.to_owned(),
        };
        let messages = [
            message(0, 0, Writer::Referee, "READY"),
            message(1, 0, Writer::Bot, "OK"),
            message(2, 1, Writer::Referee, "READY"),
            message(3, 1, Writer::Bot, "OK"),
            message(4, 1, Writer::Report, "before everything"),
            message(10, 0, Writer::Referee, "TURN"),
            message(30, 0, Writer::Bot, "MOVE 1"),
            message(31, 1, Writer::Referee, "OPP 1"),
            message(32, 1, Writer::Referee, "TURN"),
            message(38, 1, Writer::Report, "value=3"),
            message(33, 0, Writer::Report, "value=1"),
            message(37, 1, Writer::Bot, "MOVE 2"),
            message(39, 0, Writer::Report, "value=2"),
        ];
        let expected = [
            (Some(Duration::from_millis(20)), vec!["value=1".to_owned(), "value=2".to_owned()]),
            (Some(Duration::from_millis(5)), vec!["value=3".to_owned()]),
        ];
        assert_eq!(spoken(&messages), expected);
    }

    #[test]
    fn a_numbered_report_belongs_to_its_answer_however_late_it_comes() {
        let message = |from, text: &str| Message {
            at: Duration::from_millis(1),
            seat: 0,
            from,
            text: text.to_owned(),
        };
        let messages = [
            message(Writer::Referee, "READY"),
            message(Writer::Bot, "OK"),
            message(Writer::Bot, "MOVE 1"),
            message(Writer::Bot, "MOVE 2"),
            message(Writer::Report, "answer=2 value=1"),
            message(Writer::Report, "answer=3 value=2"),
            message(Writer::Report, "answer=1 to READY"),
            message(Writer::Report, "answer=0 value=3"),
            message(Writer::Report, "answer=18446744073709551616 value=4"),
            message(Writer::Report, "answer=9 value=5"),
        ];
        let reports: Vec<Vec<String>> =
            spoken(&messages).into_iter().map(|(_, reports)| reports).collect();
        let unreadable = "answer=18446744073709551616 value=4".to_owned();
        assert_eq!(reports, [vec!["value=1".to_owned()], vec!["value=2".to_owned(), unreadable]]);
    }
}

//! What the page of a game shows, as plain data.

use games::Status;
use serde::Serialize;

use super::report::{candidates, clipped, number};
use crate::catalogue::Catalogue;
use crate::record::{GameRecord, Writer};
use crate::replay::{Replay, ReplayError};

/// Most messages that a page holds.
const MOST_MESSAGES: usize = 3_000;

/// Most bytes of one message, report or error line that a page holds.
const MOST_LINE_BYTES: usize = 400;

/// Most bytes of all of them: enough for every game of a sane bot.
const MOST_TEXT_BYTES: usize = 120_000;

/// A game for its page.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GamePage {
    /// Name of the game.
    pub game: String,
    /// Seed of everything random.
    pub seed: u64,
    /// The ending in a few words.
    pub description: String,
    /// Whether the machine was too busy for the game to count.
    pub contended: bool,
    /// Why a bot lost other than by the rules, with the evidence.
    pub verdict: Option<String>,
    /// Where it loses: the seat, from 0.
    pub at_fault: Option<usize>,
    /// Wall time of a seat for the whole game, in milliseconds.
    pub wall_limit_ms: f64,
    /// By seat.
    pub seats: Vec<PageSeat>,
    /// The start, and the game after each action.
    pub steps: Vec<PageStep>,
    /// Lines to and from the bots: milliseconds, seat, writer, text.
    pub messages: Vec<(f64, usize, &'static str, String)>,
    /// Messages that are not in the page.
    pub messages_left_out: usize,
}

/// A seat of the page.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageSeat {
    /// The bot.
    pub name: String,
    /// Its points.
    pub points: f64,
    /// Wall time used, in milliseconds.
    pub wall_ms: f64,
    /// CPU time used, in milliseconds.
    pub cpu_ms: f64,
    /// The last lines of standard error.
    pub last_errors: Vec<String>,
    /// Tolerated slips.
    pub warnings: Vec<String>,
}

/// The board after an action, or at the start.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageStep {
    /// Who acted; `None` at the start.
    pub seat: Option<usize>,
    /// The action.
    pub action: String,
    /// Time from the request to the answer, in milliseconds.
    pub took_ms: Option<f64>,
    /// Value by the bot that acted, from its own view.
    pub value: Option<f64>,
    /// Playouts of its search.
    pub playouts: Option<f64>,
    /// What it considered, best first.
    pub candidates: Vec<PageCandidate>,
    /// The rest of its reports.
    pub reports: Vec<String>,
    /// The position in its text form.
    pub position: String,
    /// The board as SVG, or as text in a game that does not draw itself.
    pub svg: Option<String>,
    /// The board as text, where there is no SVG.
    pub picture: Option<String>,
}

/// An action that a search considered.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageCandidate {
    /// The action.
    pub action: String,
    /// Its visits.
    pub visits: Option<u64>,
    /// Its value for the bot.
    pub value: Option<f64>,
    /// Standard error of the value.
    pub error: Option<f64>,
    /// Its prior.
    pub prior: Option<f64>,
    /// A proven utility and its distance in plies.
    pub proof: Option<String>,
    /// Principal variation.
    pub line: String,
}

/// Bytes of bots' text that still fit into a page.
struct Room(usize);

impl Room {
    /// The text, cut, if there is room for it.
    fn take(&mut self, text: &str) -> Option<String> {
        let text = clipped(text, MOST_LINE_BYTES);
        self.0 = self.0.checked_sub(text.len())?;
        Some(text)
    }

    fn take_all(&mut self, lines: &[String]) -> Vec<String> {
        lines.iter().filter_map(|line| self.take(line)).collect()
    }
}

impl GamePage {
    /// The page of a record; long texts of bots are cut.
    ///
    /// # Errors
    /// If the record does not fit the rules of its game.
    pub fn new(catalogue: &Catalogue, record: &GameRecord) -> Result<GamePage, ReplayError> {
        let replay = Replay::new(catalogue, record)?;
        let mut judging = Replay::judge_at(catalogue, record, 0)?;
        let mut room = Room(MOST_TEXT_BYTES);
        let board = |judging: &dyn games::Judging| {
            let svg = judging.drawing();
            let picture = svg.is_none().then(|| judging.picture());
            (svg, picture)
        };
        let (svg, picture) = board(judging.as_ref());
        let mut steps = vec![PageStep::start(replay.start, svg, picture)];
        for step in replay.steps {
            debug_assert!(matches!(judging.status(), Status::ToMove(_)), "the replay went on");
            let answered = judging.answer(&step.action);
            debug_assert!(answered.is_ok(), "the replay took the same answer");
            let report = step.reports.join(" ");
            let (svg, picture) = board(judging.as_ref());
            steps.push(PageStep {
                seat: Some(step.seat),
                took_ms: step.took.map(milliseconds),
                value: number(&report, "value"),
                playouts: number(&report, "playouts"),
                candidates: candidates(&clipped(&report, 4_000)),
                reports: room
                    .take_all(&step.reports.iter().map(|one| words(one)).collect::<Vec<_>>()),
                action: step.action,
                position: step.position,
                svg,
                picture,
            });
        }
        let verdict = record.verdict.as_ref();
        let seats = record.seats.iter().map(|seat| PageSeat {
            name: clipped(&seat.name, MOST_LINE_BYTES),
            points: seat.points,
            wall_ms: milliseconds(seat.used.wall),
            cpu_ms: milliseconds(seat.used.cpu),
            last_errors: room.take_all(&seat.last_errors),
            warnings: room.take_all(&seat.warnings),
        });
        let seats = seats.collect();
        let messages = messages(record, &mut room);
        Ok(GamePage {
            game: record.game.clone(),
            seed: record.seed,
            description: clipped(&record.description, MOST_LINE_BYTES),
            contended: record.contended,
            verdict: verdict.map(|verdict| clipped(&verdict.to_string(), 2_000)),
            at_fault: verdict.map(|verdict| verdict.seat),
            wall_limit_ms: milliseconds(judging.time_limits().wall),
            seats,
            steps,
            messages_left_out: record.messages.len() - messages.len(),
            messages,
        })
    }
}

impl PageStep {
    fn start(position: String, svg: Option<String>, picture: Option<String>) -> PageStep {
        PageStep {
            seat: None,
            action: String::new(),
            took_ms: None,
            value: None,
            playouts: None,
            candidates: Vec::new(),
            reports: Vec::new(),
            position,
            svg,
            picture,
        }
    }
}

/// A report without its candidates.
fn words(report: &str) -> String {
    let is_word = |word: &&str| !word.starts_with("top");
    report.split_whitespace().filter(is_word).collect::<Vec<_>>().join(" ")
}

/// The messages of the protocol; reports are in the steps.
fn messages(record: &GameRecord, room: &mut Room) -> Vec<(f64, usize, &'static str, String)> {
    let mut kept = Vec::new();
    for message in record.messages.iter().take(MOST_MESSAGES) {
        let writer = match message.from {
            Writer::Referee => "to",
            Writer::Bot => "from",
            Writer::Report => "report",
        };
        let text = if message.from == Writer::Report {
            words(&message.text)
        } else {
            message.text.clone()
        };
        let Some(text) = room.take(&text) else { break };
        kept.push((milliseconds(message.at), message.seat, writer, text));
    }
    kept
}

fn milliseconds(time: std::time::Duration) -> f64 {
    (time.as_secs_f64() * 1e5).round() / 100.0
}

//! A game between bots in this process: no pipes and no clocks, for bots with a budget of playouts.

use std::time::{Duration, Instant};

use bots::{Answer, Seat};
use games::Judging;
use mcts_core::Clock;

use super::game::{self, Charge, Players, Stop};
use super::{Occasion, Player};
use crate::process::LONGEST_LINE;
use crate::record::{GameRecord, Message, Writer};
use crate::verdict::Offence;

/// Plays one game between bots in this process. There are no time-outs, and the bots are always
/// sent their full time, so that equal seeds give equal games; a bot with a time plan uses wall
/// time.
///
/// # Panics
/// If the number of bots differs from the number of seats.
pub fn play_in_process(
    judging: &mut dyn Judging,
    bots: &mut [Box<dyn Seat>],
    players: &[Player],
    occasion: Occasion<'_>,
) -> GameRecord {
    play_and_note(judging, bots, (players, occasion), false)
}

/// As [`play_in_process`], with every line and every search report in the record.
///
/// # Panics
/// If the number of bots differs from the number of seats.
pub fn record_in_process(
    judging: &mut dyn Judging,
    bots: &mut [Box<dyn Seat>],
    players: &[Player],
    occasion: Occasion<'_>,
) -> GameRecord {
    play_and_note(judging, bots, (players, occasion), true)
}

fn play_and_note(
    judging: &mut dyn Judging,
    bots: &mut [Box<dyn Seat>],
    (players, occasion): (&[Player], Occasion<'_>),
    keeps_messages: bool,
) -> GameRecord {
    assert_eq!(bots.len(), judging.seats(), "each seat has a bot");
    let start = judging.position();
    let mut table = Table {
        used: vec![Duration::ZERO; bots.len()],
        wall: judging.time_limits().wall,
        clock: WallClock(Instant::now()),
        has_more: false,
        messages: keeps_messages.then(Vec::new),
        bots,
    };
    let course = game::run(judging, &mut table).expect("a game in this process is not stopped");
    let mut record = game::record(course, judging, players, occasion, start);
    record.took = table.clock.0.elapsed();
    record.messages = table.messages.unwrap_or_default();
    for (seat, used) in record.seats.iter_mut().zip(table.used) {
        seat.used.wall = used;
    }
    record
}

/// Time since the start of a game; processor time is shared between bots here and therefore not
/// available.
struct WallClock(Instant);

impl Clock for WallClock {
    fn monotonic_nanos(&self) -> u64 {
        u64::try_from(self.0.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }
}

struct Table<'a> {
    bots: &'a mut [Box<dyn Seat>],
    used: Vec<Duration>,
    wall: Duration,
    clock: WallClock,
    /// Whether the last answer had more than one line.
    has_more: bool,
    messages: Option<Vec<Message>>,
}

impl Table<'_> {
    fn note(&mut self, at: Duration, seat: usize, from: Writer, text: &str) {
        if let Some(messages) = &mut self.messages {
            messages.push(Message { at, seat, from, text: text.to_owned() });
        }
    }
}

impl Players for Table<'_> {
    fn ask(&mut self, seat: usize, lines: &[String]) -> Result<String, Stop> {
        let start = Instant::now();
        let mut answers = Vec::new();
        for line in lines {
            if let Answer::Line(answer) = self.bots[seat].receive(line, &self.clock) {
                // As between processes, where a line feed ends a line.
                answers.extend(answer.split('\n').map(str::to_owned));
            }
        }
        self.has_more = answers.len() > 1;
        let answer = answers.into_iter().next();
        self.used[seat] += start.elapsed();
        if self.messages.is_some() {
            let asked = start - self.clock.0;
            lines.iter().for_each(|line| self.note(asked, seat, Writer::Referee, line));
            let now = self.clock.0.elapsed();
            answer.iter().for_each(|line| self.note(now, seat, Writer::Bot, line));
            if let Some(report) = self.bots[seat].report() {
                self.note(now, seat, Writer::Report, &report);
            }
        }
        let charge = |offence| Charge { seat, offence, explanation: None, bytes: None };
        let answer = answer.ok_or_else(|| charge(Offence::NoAnswer))?;
        if answer.len() > LONGEST_LINE {
            let bytes = Some(answer.into_bytes());
            return Err(Charge { bytes, ..charge(Offence::LineTooLong) }.into());
        }
        Ok(answer.trim_ascii_end().to_owned())
    }

    fn tell(&mut self, seat: usize, line: &str) {
        self.note(self.clock.0.elapsed(), seat, Writer::Referee, line);
        let _ = self.bots[seat].receive(line, &self.clock);
    }

    fn check_unasked(&mut self, seat: usize, is_over: bool) -> Result<(), Stop> {
        let offence = Offence::AnsweredTwice;
        if self.has_more && !is_over {
            return Err(Charge { seat, offence, explanation: None, bytes: None }.into());
        }
        Ok(())
    }

    fn wall_left(&self) -> Vec<Duration> {
        vec![self.wall; self.bots.len()]
    }

    fn last_took(&self, _: usize) -> Duration {
        Duration::ZERO
    }

    fn acted(&mut self, _: &dyn Judging, _: Option<usize>) {}
}

//! A game between bots in this process: no pipes and no clocks, for bots that think by a number of playouts.

use std::time::{Duration, Instant};

use bots::{Answer, Seat};
use games::Judging;
use mcts_core::Clock;

use super::game::{self, Charge, Players, Stop};
use super::{Occasion, Player};
use crate::record::GameRecord;
use crate::verdict::Offence;

/// Plays one game between bots in this process. Nobody runs out of time, and the bots are always told that they have
/// all of it, so that equal seeds give equal games; a bot that plans by time plans by the wall.
///
/// # Panics
/// If there are not as many bots as seats.
pub fn play_in_process(
    judging: &mut dyn Judging,
    bots: &mut [Box<dyn Seat>],
    players: &[Player],
    occasion: Occasion<'_>,
) -> GameRecord {
    assert_eq!(bots.len(), judging.seats(), "each seat has a bot");
    let start = judging.position();
    let mut table = Table {
        used: vec![Duration::ZERO; bots.len()],
        wall: judging.time_limits().wall,
        clock: WallClock(Instant::now()),
        has_more: false,
        bots,
    };
    let course = game::run(judging, &mut table).expect("nobody stops a game in this process");
    let mut record = game::record(course, judging, players, occasion, start);
    record.took = table.clock.0.elapsed();
    for (seat, used) in record.seats.iter_mut().zip(table.used) {
        seat.used.wall = used;
    }
    record
}

/// Time since the start of a game; processor time is shared with others here, and so not told.
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
    /// Whether the seat that was asked last said more than one line.
    has_more: bool,
}

impl Players for Table<'_> {
    fn ask(&mut self, seat: usize, lines: &[String]) -> Result<String, Stop> {
        let start = Instant::now();
        let mut answers =
            lines.iter().filter_map(|line| match self.bots[seat].receive(line, &self.clock) {
                Answer::Line(answer) => Some(answer),
                Answer::Nothing | Answer::Leave => None,
            });
        let answer = answers.next();
        self.has_more = answers.next().is_some();
        self.used[seat] += start.elapsed();
        let offence = Offence::NoAnswer;
        answer.ok_or_else(|| Charge { seat, offence, explanation: None, bytes: None }.into())
    }

    fn tell(&mut self, seat: usize, line: &str) {
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

//! The bots of one game: the referee waits for one and monitors all.

use std::num::NonZero;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use games::{Judging, TimeLimits};

use super::game::{Charge, Players, Stop};
use super::seat::Seat;
use super::{Conduct, KEPT_ERRORS, Moment, Watcher};
use crate::clock::{SeatClock, TimeUsed};
use crate::process::{self, BotProcess, Exit, MOST_TASKS, shown};
use crate::record::{Message, Writer};
use crate::verdict::Offence;

/// Time after the end of a clock during which an answer is still awaited, only to state how late it
/// was.
const LATENESS: Duration = Duration::from_millis(100);

/// Maximum time between two checks of clocks and counters.
const LOOK: Duration = Duration::from_millis(50);

/// Delay with which the referee may notice an event without being counted as absent.
const PROMPT: Duration = Duration::from_millis(10);

/// Factor of the clock that bounds the wait for a bot that gets no processor.
const PATIENCE: u32 = 40;

/// Constant added to that bound; also the allowance of a game beyond all waits.
const WHILE: Duration = Duration::from_secs(10);

/// The remains of a seat once its bot has ended.
#[derive(Debug)]
pub(super) struct Left {
    pub number: usize,
    pub used: TimeUsed,
    pub exit: Option<Exit>,
    pub warnings: Vec<String>,
    pub last_errors: Vec<String>,
}

/// Maximum wait for one request.
fn patience(limits: &TimeLimits) -> Duration {
    limits.wall.saturating_mul(PATIENCE).saturating_add(WHILE)
}

/// All seats of a game.
pub(super) struct Table<'a> {
    pub seats: Vec<Seat>,
    pub messages: Vec<Message>,
    conduct: Conduct<'a>,
    watcher: &'a mut dyn Watcher,
    started: Instant,
    looked: Instant,
    /// Time of the last read of the pipes.
    attended: Instant,
    /// Time that the bot to move has waited for the referee.
    absent: Duration,
    /// Time at which the last answer was written, once it has been read.
    answered: Option<Instant>,
    /// Time limit of the game.
    longest: Duration,
    /// Whether all seats have answered READY.
    has_begun: bool,
    /// Cores that a bot can use at once; to count them takes as long as everything else about a message.
    cores: u32,
}

impl<'a> Table<'a> {
    pub(super) fn new(
        bots: Vec<BotProcess>,
        limits: TimeLimits,
        conduct: Conduct<'a>,
        watcher: &'a mut dyn Watcher,
    ) -> Table<'a> {
        let seats: Vec<Seat> =
            bots.into_iter().map(|bot| Seat::new(bot, SeatClock::new(limits))).collect();
        let allowed = (patience(&limits) + WHILE) * seats.len().max(1) as u32;
        let longest = conduct.longest_game.unwrap_or(allowed);
        let now = Instant::now();
        Table {
            seats,
            messages: Vec::new(),
            conduct,
            watcher,
            started: now,
            looked: now,
            attended: now,
            absent: Duration::ZERO,
            answered: None,
            longest,
            has_begun: false,
            cores: std::thread::available_parallelism().map_or(1, NonZero::get) as u32,
        }
    }

    /// Time since the bots were started.
    pub(super) fn now(&self) -> Duration {
        self.started.elapsed()
    }

    /// Assigns the core of the game to the seat to move.
    fn place(&mut self, asked: usize) {
        if let Some(cores) = self.conduct.cores {
            for (number, seat) in self.seats.iter_mut().enumerate() {
                let thinks = number == asked;
                if seat.thinks_apart.replace(thinks) != Some(thinks) {
                    seat.process.run_on(if thinks { &cores.thinking } else { &cores.waiting });
                }
            }
        }
    }

    /// The answer line, if it was written in time.
    fn await_line(&mut self, seat: usize, start: Instant) -> Result<Vec<u8>, Stop> {
        self.absent = Duration::ZERO;
        self.answered = None;
        let last = start + patience(&self.seats[seat].clock.limits);
        let on_time = start + self.seats[seat].clock.wall_left();
        let mut deadline = on_time;
        let mut timeout = Duration::ZERO;
        loop {
            // Taken before the pipes are read, so that nothing written until now is missed.
            let now = Instant::now();
            self.attend(seat, timeout);
            let one = &mut self.seats[seat];
            if one.process.line_is_too_long() {
                return Err(self.charge(seat, Offence::LineTooLong).into());
            }
            if let Some(line) = one.process.take_line() {
                let written_at = one.process.written_at().max(start);
                self.answered = Some(written_at);
                if written_at <= on_time || written_at <= self.deadline(seat, start, written_at) {
                    return Ok(line);
                }
                let late_by = (written_at - on_time).as_micros().try_into().ok();
                return Err(self.late(seat, late_by).into());
            }
            if let Some(offence) = one.gone() {
                return Err(self.charge(seat, offence).into());
            }
            if now >= deadline + LATENESS {
                deadline = self.deadline(seat, start, now).min(last);
                if now >= deadline + LATENESS {
                    return Err(self.late(seat, None).into());
                }
            }
            if self.conduct.stop.load(Ordering::Relaxed) {
                return Err(Stop::Stopped);
            }
            if now < deadline {
                self.watch_others(seat)?;
            }
            self.look_at_counters(seat, now)?;
            let next = if now < deadline { deadline } else { deadline + LATENESS };
            timeout = next.saturating_duration_since(now).min(self.until_next_look(seat));
        }
    }

    /// The end of the clock of `seat`, asked at `start`; the clock stands still while the bot is
    /// kept from running.
    fn deadline(&mut self, seat: usize, start: Instant, now: Instant) -> Instant {
        let one = &mut self.seats[seat];
        let usage = one.process.usage();
        start + one.clock.patience(one.clock.delay(now - start, &usage, self.absent))
    }

    /// Waits for an event, reads all pipes, and measures how long `seat` had to wait for the
    /// referee.
    fn attend(&mut self, seat: usize, timeout: Duration) {
        process::poll(self.seats.iter().map(|seat| &seat.process), timeout);
        let away = self.attended.elapsed().saturating_sub(timeout);
        if away > PROMPT && self.seats[seat].process.is_held_up() {
            self.absent += away;
        }
        self.pump();
    }

    /// Whether the machine has spoilt the game, which ended by this charge or by the rules.
    pub(super) fn is_spoilt(&self, charge: Option<&Charge>) -> bool {
        match charge.map(|charge| (&charge.offence, charge.seat)) {
            None => self.seats.iter().any(|seat| seat.clock.overran()),
            Some((Offence::WallTimeout { .. }, seat)) => self.seats[seat].clock.is_in_time(),
            Some((Offence::EndlessGame { .. }, _)) => true,
            Some(_) => false,
        }
    }

    /// The charge when the clock of `seat` has run out.
    fn late(&mut self, seat: usize, late_by_us: Option<u64>) -> Charge {
        let stopped = self.seats[seat].process.is_stopped();
        let half_line = !self.seats[seat].process.untaken().is_empty();
        let offence = match late_by_us {
            None if half_line => Offence::NoNewline,
            _ => Offence::WallTimeout { late_by_us, stopped },
        };
        self.charge(seat, offence)
    }

    fn charge_unasked(&mut self, seat: usize) -> Result<(), Stop> {
        match self.seats[seat].unasked() {
            Some(offence) => Err(self.charge(seat, offence).into()),
            None => Ok(()),
        }
    }

    fn watch_others(&mut self, asked: usize) -> Result<(), Stop> {
        for other in (0..self.seats.len()).filter(|other| *other != asked) {
            self.charge_unasked(other)?;
            if let Some(offence) = self.seats[other].gone() {
                return Err(self.charge(other, offence).into());
            }
        }
        Ok(())
    }

    /// Checks processor time and memory of all seats, as often as the clock of the seat to move
    /// requires.
    fn look_at_counters(&mut self, asked: usize, now: Instant) -> Result<(), Stop> {
        if now - self.looked < self.until_next_look(asked) {
            return Ok(());
        }
        self.looked = now;
        for seat in 0..self.seats.len() {
            let one = &mut self.seats[seat];
            let usage = one.process.usage();
            one.clock.note(&usage);
            if one.clock.is_out_of_cpu() {
                return Err(self.charge(seat, Offence::CpuTimeout).into());
            }
            let memory_limit_bytes = self.conduct.memory_limit_bytes;
            let census = self.seats[seat].process.census(memory_limit_bytes.is_some());
            if census.tasks > MOST_TASKS {
                return Err(self.charge(seat, Offence::TooManyProcesses).into());
            }
            if let Some(limit_bytes) = memory_limit_bytes
                && census.resident_bytes > limit_bytes
            {
                let used_bytes = census.resident_bytes;
                let offence = Offence::OutOfMemory { used_bytes, limit_bytes };
                return Err(self.charge(seat, offence).into());
            }
        }
        Ok(())
    }

    /// The interval ensures that no processor time limit is exceeded by much, for any number of
    /// threads.
    fn until_next_look(&self, asked: usize) -> Duration {
        let memory = self.conduct.memory_limit_bytes.map(|_| Duration::from_millis(5));
        let cpu = self.seats[asked].clock.cpu_left().map(|left| left / self.cores);
        let soonest = memory.into_iter().chain(cpu).min().unwrap_or(LOOK);
        soonest.clamp(Duration::from_millis(1), LOOK)
    }

    /// Reads and writes without waiting.
    fn pump(&mut self) {
        self.seats.iter_mut().for_each(|seat| seat.process.pump());
        self.attended = Instant::now();
        self.take_reports();
    }

    fn take_reports(&mut self) {
        for seat in 0..self.seats.len() {
            for report in self.seats[seat].process.take_reports() {
                let at = self.now();
                self.note(at, seat, Writer::Report, || report);
            }
        }
    }

    /// Removes tolerated characters after an answer, and rejects a line that is not text.
    fn clean(&mut self, seat: usize, mut line: Vec<u8>) -> Result<String, Stop> {
        let length = line.trim_ascii_end().len();
        if length < line.len() {
            if self.conduct.strict {
                return Err(Charge::malformed(seat, "blanks at the end of the line", line).into());
            }
            self.seats[seat].warn("blanks at the end of a line");
            line.truncate(length);
        }
        String::from_utf8(line).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let why = format!("not UTF-8 from byte {} on", at + 1);
            Charge::malformed(seat, &why, error.into_bytes()).into()
        })
    }

    fn charge(&self, seat: usize, offence: Offence) -> Charge {
        let untaken = self.seats[seat].process.untaken();
        let bytes = (!untaken.is_empty()).then(|| untaken.to_vec());
        Charge { seat, offence, explanation: None, bytes }
    }

    fn note(&mut self, at: Duration, seat: usize, from: Writer, text: impl FnOnce() -> String) {
        if self.conduct.keep_messages {
            self.messages.push(Message { at, seat, from, text: text() });
        }
    }

    /// Ends all bots: the culprit immediately, the others after `grace` to exit.
    pub(super) fn end_all(&mut self, culprit: Option<usize>, grace: Duration) -> Vec<Left> {
        for seat in &mut self.seats {
            seat.process.close_input();
        }
        let end = |(number, seat): (usize, &mut Seat)| {
            let grace = if culprit == Some(number) { Duration::ZERO } else { grace };
            let (usage, exit) = seat.process.end(grace);
            seat.clock.note(&usage);
            Left {
                number,
                used: seat.clock.used(),
                exit,
                warnings: std::mem::take(&mut seat.warnings),
                last_errors: seat.process.last_errors(KEPT_ERRORS),
            }
        };
        let left = self.seats.iter_mut().enumerate().map(end).collect();
        self.take_reports();
        left
    }
}

impl Players for Table<'_> {
    fn tell(&mut self, seat: usize, line: &str) {
        let at = self.now();
        self.note(at, seat, Writer::Referee, || line.to_owned());
        self.seats[seat].process.write(format!("{line}\n").as_bytes());
    }

    fn ask(&mut self, seat: usize, lines: &[String]) -> Result<String, Stop> {
        self.pump();
        if self.started.elapsed() > self.longest {
            let limit_us = self.longest.as_micros().try_into().unwrap_or(u64::MAX);
            return Err(self.charge(seat, Offence::EndlessGame { limit_us }).into());
        }
        for other in 0..self.seats.len() {
            self.charge_unasked(other)?;
        }
        self.place(seat);
        let usage = self.seats[seat].process.usage();
        let request = lines.iter().flat_map(|line| [line, "\n"]).collect::<String>();
        self.seats[seat].asked = lines.last().cloned();
        self.seats[seat].clock.start(usage);
        self.seats[seat].process.write(request.as_bytes());
        // Started only now: a delay of the referee before the write is not on the bot's clock.
        let start = Instant::now();
        let at = start - self.started;
        for line in lines {
            self.note(at, seat, Writer::Referee, || line.clone());
        }
        let result = self.await_line(seat, start);
        let one = &mut self.seats[seat];
        let usage = one.process.usage();
        let end = self.answered.unwrap_or_else(Instant::now);
        let delay = one.clock.delay(end - start, &usage, self.absent);
        one.clock.stop(end - start, usage, delay);
        let line = result?;
        one.has_acted = self.has_begun;
        self.note(end - self.started, seat, Writer::Bot, || shown(&line, usize::MAX));
        if self.seats[seat].clock.is_out_of_cpu() {
            return Err(self.charge(seat, Offence::CpuTimeout).into());
        }
        self.clean(seat, line)
    }

    fn check_unasked(&mut self, seat: usize, is_over: bool) -> Result<(), Stop> {
        if is_over {
            if self.seats[seat].unasked().is_some() {
                self.seats[seat].warn("wrote more after its last answer");
            }
            return Ok(());
        }
        self.charge_unasked(seat)
    }

    fn wall_left(&self) -> Vec<Duration> {
        self.seats.iter().map(|seat| seat.clock.shown_left()).collect()
    }

    fn last_took(&self, seat: usize) -> Duration {
        self.seats[seat].clock.last_wall()
    }

    fn acted(&mut self, judging: &dyn Judging, seat: Option<usize>) {
        self.has_begun = true;
        if self.watcher.is_present() {
            self.watcher.see(&Moment {
                judging,
                seat,
                used: self.seats.iter().map(|seat| seat.clock.used()).collect(),
                last_errors: self
                    .seats
                    .iter()
                    .map(|seat| seat.process.last_errors(1).pop())
                    .collect(),
            });
        }
    }
}

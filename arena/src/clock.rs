//! The time that a seat has used, and how much of it is the bot's fault.

use std::time::Duration;

use games::TimeLimits;
use serde::{Deserialize, Serialize};

use crate::process::Usage;
use crate::record::microseconds;

/// Time used by one seat.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeUsed {
    /// Wall time while the referee waited for the seat.
    #[serde(rename = "wall_us", with = "microseconds")]
    pub wall: Duration,
    /// Processor time of its process and all descendants over their whole lives.
    #[serde(rename = "cpu_us", with = "microseconds")]
    pub cpu: Duration,
    /// The part of `cpu` between an answer and the next request.
    #[serde(rename = "cpu_in_others_time_us", with = "microseconds")]
    pub cpu_in_others_time: Duration,
    /// The part of `wall` that is not the bot's fault: it was runnable but the machine gave its
    /// processes no processor, or it had to wait for the referee.
    #[serde(rename = "delayed_us", with = "microseconds")]
    pub delayed: Duration,
}

/// The clock of one seat.
#[derive(Debug)]
pub(crate) struct SeatClock {
    pub limits: TimeLimits,
    used: TimeUsed,
    /// Usage at the current request, or at the last answer; `None` before the first request.
    mark: Option<Usage>,
    last_wall: Duration,
    /// Whether the wall clock has run out, but would not have without delays.
    overran: bool,
}

impl SeatClock {
    pub(crate) fn new(limits: TimeLimits) -> SeatClock {
        let (used, last_wall) = (TimeUsed::default(), Duration::ZERO);
        SeatClock { limits, used, mark: None, last_wall, overran: false }
    }

    pub(crate) fn used(&self) -> TimeUsed {
        self.used
    }

    /// Wall time of the last answer.
    pub(crate) fn last_wall(&self) -> Duration {
        self.last_wall
    }

    pub(crate) fn wall_left(&self) -> Duration {
        self.limits.wall.saturating_sub(self.used.wall)
    }

    /// The time left that the bot is sent: the wall clock, or, once it ran out by delays alone, the
    /// clock without delays.
    pub(crate) fn shown_left(&self) -> Duration {
        if self.overran { self.patience(Duration::ZERO) } else { self.wall_left() }
    }

    /// `None` if processor time is not limited.
    pub(crate) fn cpu_left(&self) -> Option<Duration> {
        self.limits.cpu.map(|limit| limit.saturating_sub(self.used.cpu))
    }

    pub(crate) fn is_out_of_cpu(&self) -> bool {
        self.limits.cpu.is_some_and(|limit| self.used.cpu > limit)
    }

    /// Updates the usage of the processes.
    pub(crate) fn note(&mut self, usage: &Usage) {
        self.used.cpu = usage.cpu;
    }

    /// Starts the clock: the referee waits from now on.
    pub(crate) fn start(&mut self, usage: Usage) {
        if let Some(at_answer) = self.mark {
            self.used.cpu_in_others_time += usage.cpu.saturating_sub(at_answer.cpu);
        }
        self.note(&usage);
        self.mark = Some(usage);
    }

    /// The part of `wall` since the request that counts as delay: time without a processor, and
    /// `absent`, the time that the bot waited for the referee.
    ///
    /// Time in which any of its threads ran is not a delay, so a bot whose own threads compete for
    /// a processor has no excuse.
    pub(crate) fn delay(&self, wall: Duration, usage: &Usage, absent: Duration) -> Duration {
        let at_request = self.mark.unwrap_or_default();
        let starved = usage.starved.saturating_sub(at_request.starved);
        let idle = wall.saturating_sub(usage.cpu.saturating_sub(at_request.cpu));
        (starved + absent).min(idle)
    }

    /// Stops the clock after `wall`, of which `delay` is not the bot's fault.
    pub(crate) fn stop(&mut self, wall: Duration, usage: Usage, delay: Duration) {
        self.mark = Some(usage);
        self.last_wall = wall;
        self.used.wall += wall;
        self.used.delayed += delay;
        self.overran |= self.used.wall > self.limits.wall && self.is_in_time();
        self.note(&usage);
    }

    /// The time after a request at which the wall clock runs out, with `delay` subtracted.
    pub(crate) fn patience(&self, delay: Duration) -> Duration {
        (self.limits.wall + self.used.delayed + delay).saturating_sub(self.used.wall)
    }

    /// Whether time is left after subtracting delays.
    pub(crate) fn is_in_time(&self) -> bool {
        self.used.wall.saturating_sub(self.used.delayed) <= self.limits.wall
    }

    /// Whether the wall clock ran out at some time only because of delays.
    pub(crate) fn overran(&self) -> bool {
        self.overran
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    fn usage(cpu: u64, starved: u64) -> Usage {
        Usage { cpu: ms(cpu), starved: ms(starved) }
    }

    /// The clock after one request and its answer.
    fn after(wall: u64, usage_then: Usage, absent: u64) -> SeatClock {
        let mut clock = clock();
        clock.start(usage(0, 0));
        let delay = clock.delay(ms(wall), &usage_then, ms(absent));
        clock.stop(ms(wall), usage_then, delay);
        clock
    }

    fn clock() -> SeatClock {
        SeatClock::new(TimeLimits { wall: ms(100), cpu: Some(ms(100)) })
    }

    #[test]
    fn time_between_answer_and_request_is_charged_apart() {
        let mut clock = clock();
        clock.start(usage(3, 0));
        clock.stop(ms(10), usage(12, 0), Duration::ZERO);
        clock.start(usage(20, 0));
        clock.stop(ms(5), usage(24, 0), Duration::ZERO);
        let expected = TimeUsed {
            wall: ms(15),
            cpu: ms(24),
            cpu_in_others_time: ms(8),
            delayed: Duration::ZERO,
        };
        assert_eq!(clock.used(), expected);
        assert_eq!((clock.wall_left(), clock.cpu_left()), (ms(85), Some(ms(76))));
    }

    #[test]
    fn an_overrun_that_waiting_for_a_processor_covers_is_the_machines() {
        assert!(after(130, usage(60, 40), 0).is_in_time());
        assert!(after(130, usage(5, 30), 0).is_in_time());
    }

    #[test]
    fn a_short_delay_does_not_explain_a_long_overrun() {
        assert!(!after(130, usage(110, 20), 0).is_in_time());
        assert!(!after(130, usage(5, 20), 0).is_in_time());
    }

    #[test]
    fn waiting_for_the_referee_explains_as_much_as_it_took() {
        assert!(after(6_050, usage(40, 0), 6_000).is_in_time());
        assert!(!after(6_110, usage(40, 0), 6_000).is_in_time());
    }

    #[test]
    fn delay_that_a_bots_own_threads_made_explains_nothing() {
        assert!(!after(130, usage(129, 90), 0).is_in_time());
    }

    #[test]
    fn a_bot_whose_wall_clock_ran_out_by_delays_is_told_what_is_left_without_them() {
        let clock = after(130, usage(60, 40), 0);
        assert_eq!((clock.overran(), clock.wall_left(), clock.shown_left()), (true, ms(0), ms(10)));
        let clock = after(90, usage(60, 20), 0);
        assert_eq!(
            (clock.overran(), clock.wall_left(), clock.shown_left()),
            (false, ms(10), ms(10))
        );
        assert!(!after(130, usage(60, 0), 0).overran());
    }

    #[test]
    fn the_clock_stands_still_during_delays_of_all_requests_together() {
        let mut clock = after(80, usage(10, 60), 0);
        assert_eq!((clock.wall_left(), clock.patience(Duration::ZERO)), (ms(20), ms(80)));
        clock.start(usage(10, 60));
        assert_eq!(clock.patience(ms(30)), ms(110));
    }

    #[test]
    fn the_processor_limit_itself_may_be_used_in_full() {
        let mut clock = clock();
        clock.start(usage(0, 0));
        clock.stop(ms(1), usage(100, 0), Duration::ZERO);
        assert!(!clock.is_out_of_cpu());
        clock.stop(ms(1), usage(101, 0), Duration::ZERO);
        assert!(clock.is_out_of_cpu());
    }
}

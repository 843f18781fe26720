//! What a seat has used of its time, and of what kind.

use std::time::Duration;

use games::TimeLimits;
use serde::{Deserialize, Serialize};

use crate::process::Usage;
use crate::record::microseconds;

/// Time used by one seat.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeUsed {
    /// While the referee waited for it.
    #[serde(rename = "wall_us", with = "microseconds")]
    pub wall: Duration,
    /// By its process and all its descendants over their whole lives.
    #[serde(rename = "cpu_us", with = "microseconds")]
    pub cpu: Duration,
    /// The part of `cpu` that was used between an answer and the next request to it.
    #[serde(rename = "cpu_in_others_time_us", with = "microseconds")]
    pub cpu_in_others_time: Duration,
    /// The part of `wall` during which it was ready to run but the machine gave it no processor.
    #[serde(rename = "delayed_us", with = "microseconds")]
    pub delayed: Duration,
}

/// The clock of one seat.
#[derive(Debug)]
pub(crate) struct SeatClock {
    pub limits: TimeLimits,
    used: TimeUsed,
    /// Usage at the last request, while one is open, or at the last answer; `None` before the first request.
    mark: Option<Usage>,
    cpu_in_own_time: Duration,
    last_wall: Duration,
    /// Of that, time in which the seat ran or was ready to.
    last_busy: Duration,
}

impl SeatClock {
    pub(crate) fn new(limits: TimeLimits) -> SeatClock {
        SeatClock {
            limits,
            used: TimeUsed::default(),
            mark: None,
            cpu_in_own_time: Duration::ZERO,
            last_wall: Duration::ZERO,
            last_busy: Duration::ZERO,
        }
    }

    pub(crate) fn used(&self) -> TimeUsed {
        self.used
    }

    /// What the last answer took.
    pub(crate) fn last_wall(&self) -> Duration {
        self.last_wall
    }

    pub(crate) fn wall_left(&self) -> Duration {
        self.limits.wall.saturating_sub(self.used.wall)
    }

    /// `None` where processor time is not limited.
    pub(crate) fn cpu_left(&self) -> Option<Duration> {
        self.limits.cpu.map(|limit| limit.saturating_sub(self.used.cpu))
    }

    pub(crate) fn is_out_of_cpu(&self) -> bool {
        self.limits.cpu.is_some_and(|limit| self.used.cpu > limit)
    }

    /// Notes what the processes have used by now.
    pub(crate) fn note(&mut self, usage: &Usage) {
        self.used.cpu = usage.cpu;
    }

    /// The referee begins to wait.
    pub(crate) fn start(&mut self, usage: Usage) {
        if let Some(at_answer) = self.mark {
            self.used.cpu_in_others_time += usage.cpu.saturating_sub(at_answer.cpu);
        }
        self.note(&usage);
        self.mark = Some(usage);
    }

    /// The referee has waited for `wall`.
    pub(crate) fn stop(&mut self, wall: Duration, usage: Usage) {
        let at_request = self.mark.replace(usage).unwrap_or_default();
        self.last_wall = wall;
        self.last_busy = usage.run_delay.saturating_sub(at_request.run_delay)
            + usage.cpu.saturating_sub(at_request.cpu);
        self.used.wall += wall;
        self.used.delayed += usage.run_delay.saturating_sub(at_request.run_delay);
        self.cpu_in_own_time += usage.cpu.saturating_sub(at_request.cpu);
        self.note(&usage);
    }

    /// Whether the machine explains that the wall clock has run out: without the time during which the seat
    /// was ready but had no processor, it would not have.
    ///
    /// A bot that mostly slept while it was asked last would have been late on an idle machine too.
    ///
    /// A bot cannot claim delay for time in which it did run, so threads of its own that crowd each other out
    /// explain nothing.
    pub(crate) fn is_explained_by_machine(&self) -> bool {
        let idle = self.used.wall.saturating_sub(self.cpu_in_own_time);
        let was_working = 2 * self.last_busy >= self.last_wall;
        was_working
            && self.used.wall.saturating_sub(self.used.delayed.min(idle)) <= self.limits.wall
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    fn usage(cpu: u64, delay: u64) -> Usage {
        Usage { cpu: ms(cpu), run_delay: ms(delay), ..Usage::default() }
    }

    fn clock() -> SeatClock {
        SeatClock::new(TimeLimits { wall: ms(100), cpu: Some(ms(100)) })
    }

    #[test]
    fn time_between_answer_and_request_is_charged_apart() {
        let mut clock = clock();
        clock.start(usage(3, 0));
        clock.stop(ms(10), usage(12, 0));
        clock.start(usage(20, 0));
        clock.stop(ms(5), usage(24, 0));
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
        let mut clock = clock();
        clock.start(usage(0, 0));
        clock.stop(ms(130), usage(60, 40));
        assert!(clock.is_explained_by_machine());
    }

    #[test]
    fn a_short_delay_does_not_explain_a_long_overrun() {
        let mut clock = clock();
        clock.start(usage(0, 0));
        clock.stop(ms(130), usage(110, 20));
        assert!(!clock.is_explained_by_machine());
    }

    #[test]
    fn a_delay_does_not_explain_a_bot_that_slept() {
        let mut clock = clock();
        clock.start(usage(0, 0));
        clock.stop(ms(101), usage(5, 20));
        assert!(!clock.is_explained_by_machine());
    }

    #[test]
    fn delay_that_a_bots_own_threads_made_explains_nothing() {
        let mut clock = clock();
        clock.start(usage(0, 0));
        clock.stop(ms(130), usage(129, 90));
        assert!(!clock.is_explained_by_machine());
    }

    #[test]
    fn the_processor_limit_itself_may_be_used_in_full() {
        let mut clock = clock();
        clock.start(usage(0, 0));
        clock.stop(ms(1), usage(100, 0));
        assert!(!clock.is_out_of_cpu());
        clock.stop(ms(1), usage(101, 0));
        assert!(clock.is_out_of_cpu());
    }
}

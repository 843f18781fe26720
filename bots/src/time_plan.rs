//! Divides a whole-game clock among the decisions.

use core::time::Duration;
use games::TimeTold;
use mcts_core::{Budget, Clock};

/// A plan for a clock without increments.
///
/// The time left, less the reserve, is divided evenly among the expected remaining decisions; time
/// that a decision does not use is left for later ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimePlan {
    /// Wall time for the whole game, used if the judge does not report the time left.
    pub wall: Duration,
    /// Processor time for the whole game, where it is limited.
    pub cpu: Option<Duration>,
    /// Never planned with: time that the judge measures and the bot does not see (start-up,
    /// transport, exit).
    pub reserve: Duration,
    /// Added to the bot's own measurement of each answer, if the judge does not report the time
    /// left.
    pub per_answer: Duration,
    /// Number of even shares that a decision may use: more than one if most decisions stop early,
    /// because their outcome is settled before the time is up.
    pub shares: f32,
    /// The largest fraction of the time left that one decision may use.
    pub most: f32,
}

impl TimePlan {
    /// 5,000 ms wall and processor time for the whole game, as the Icebreaking and Reversi rule pages give it.
    pub const FIVE_SECONDS: TimePlan = TimePlan {
        wall: Duration::from_millis(5_000),
        cpu: Some(Duration::from_millis(5_000)),
        reserve: Duration::from_millis(200),
        per_answer: Duration::from_millis(1),
        shares: 1.0,
        most: 0.3,
    };

    /// 10,000 ms wall time for the whole game, as the Promotion Chess rule page gives it.
    pub const TEN_SECONDS: TimePlan = TimePlan {
        wall: Duration::from_millis(10_000),
        cpu: None,
        reserve: Duration::from_millis(300),
        ..TimePlan::FIVE_SECONDS
    };

    /// This plan with only a fraction of the clock, in (0, 1].
    #[must_use]
    pub fn with_share(self, share: f32) -> TimePlan {
        let planned = self.wall.saturating_sub(self.reserve).mul_f64(f64::from(share));
        TimePlan { reserve: self.wall.saturating_sub(planned), ..self }
    }

    /// The budget of a decision when about `decisions` decisions are left, this one included.
    #[must_use]
    pub fn budget(
        &self,
        used: &TimeUsed,
        told: TimeTold,
        decisions: f32,
        clock: &dyn Clock,
    ) -> Budget {
        let measured = || self.wall.saturating_sub(used.wall);
        let wall_left = told.own.map_or_else(measured, |own| own.min(self.wall));
        let cpu_left = self
            .cpu
            .zip(clock.cpu_nanos())
            .map(|(limit, nanos)| limit.saturating_sub(Duration::from_nanos(nanos)));
        Budget {
            wall: Some(self.share(wall_left, decisions)),
            cpu: cpu_left.map(|left| self.share(left, decisions)),
            ..Budget::UNLIMITED
        }
    }

    fn share(&self, left: Duration, decisions: f32) -> Duration {
        let share = (self.shares / decisions.max(1.0)).min(self.most);
        left.saturating_sub(self.reserve).mul_f32(share)
    }
}

/// Time that a bot has used so far, by its own measurement.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TimeUsed {
    /// Between reading requests and writing their answers.
    pub wall: Duration,
}

impl TimeUsed {
    /// Adds the time since `started_nanos` on `clock`, and the plan's addition for each answer.
    pub fn add_answer(&mut self, started_nanos: u64, plan: &TimePlan, clock: &dyn Clock) {
        let nanos = clock.monotonic_nanos().saturating_sub(started_nanos);
        self.wall += Duration::from_nanos(nanos) + plan.per_answer;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stopped clock with these nanoseconds of wall and processor time.
    struct At(u64, Option<u64>);

    impl Clock for At {
        fn monotonic_nanos(&self) -> u64 {
            self.0
        }
        fn cpu_nanos(&self) -> Option<u64> {
            self.1
        }
    }

    #[test]
    fn a_game_played_to_plan_keeps_its_reserve() {
        for (decisions, shares) in [(1, 1.0), (5, 1.0), (30, 1.0), (30, 1.8), (60, 1.5), (100, 1.0)]
        {
            let plan = TimePlan { shares, ..TimePlan::FIVE_SECONDS };
            let (mut used, mut now) = (TimeUsed::default(), 0);
            for left in (1..=decisions).rev() {
                let clock = At(now, Some(now));
                let budget = plan.budget(&used, TimeTold::default(), left as f32, &clock);
                let wall = budget.wall.unwrap().min(budget.cpu.unwrap());
                now += wall.as_nanos() as u64;
                used.add_answer(clock.0, &plan, &At(now, None));
            }
            let total = Duration::from_nanos(now);
            assert!(total <= plan.wall - plan.reserve, "{total:?} for {decisions}");
            assert!(decisions < 30 || total > plan.wall.mul_f32(0.85), "{total:?} for {decisions}");
        }
    }

    #[test]
    fn what_the_judge_tells_goes_before_the_own_measurement() {
        let told = TimeTold { own: Some(Duration::from_millis(1_200)), opponent: None };
        let budget = TimePlan::TEN_SECONDS.budget(&TimeUsed::default(), told, 10.0, &At(0, None));
        let wall = budget.wall.unwrap().as_secs_f32();
        assert!((wall - 0.09).abs() < 1e-6, "a tenth of 1,200 less the reserve of 300 ms: {wall}");
        assert_eq!(budget.cpu, None);
    }

    #[test]
    fn no_clock_is_longer_than_the_one_of_the_game() {
        let budget = |own| {
            let told = TimeTold { own: Some(own), opponent: None };
            TimePlan::TEN_SECONDS.budget(&TimeUsed::default(), told, 10.0, &At(0, None)).wall
        };
        assert_eq!(budget(Duration::from_millis(99_999_999_999)), budget(Duration::from_secs(10)));
    }

    #[test]
    fn a_share_of_the_clock_shortens_every_decision_alike() {
        let told = TimeTold { own: Some(Duration::from_millis(5_000)), opponent: None };
        let wall = |plan: TimePlan| {
            plan.budget(&TimeUsed::default(), told, 10.0, &At(0, Some(0)))
                .wall
                .unwrap()
                .as_secs_f32()
        };
        let tenth = wall(TimePlan::FIVE_SECONDS.with_share(0.1));
        assert!((tenth - 0.048).abs() < 1e-4, "a hundredth of 5,000 less 200 ms: {tenth}");
        assert_eq!(TimePlan::FIVE_SECONDS.with_share(1.0), TimePlan::FIVE_SECONDS);
    }

    #[test]
    fn nothing_is_planned_when_only_the_reserve_is_left() {
        let told = TimeTold { own: Some(Duration::from_millis(150)), opponent: None };
        let clock = At(0, Some(6_000_000_000));
        let budget = TimePlan::FIVE_SECONDS.budget(&TimeUsed::default(), told, 10.0, &clock);
        assert_eq!((budget.wall, budget.cpu), (Some(Duration::ZERO), Some(Duration::ZERO)));
    }
}

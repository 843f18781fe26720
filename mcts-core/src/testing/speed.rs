//! Measures the speed of the rules.

use crate::budget::{Budget, Clock, Meter};
use crate::game::{Game, Turn};
use crate::rng;
use crate::trace::Untraced;
use core::fmt;
use core::time::Duration;

/// Speed of the rules in random games from the start, on one thread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Speed {
    /// Number of random games.
    pub games: u32,
    /// Number of actions in all of them.
    pub actions: u64,
    /// Time of playing them action by action: turn, count, choice and `apply`.
    pub stepped: Duration,
    /// Time of the same number of [`rollout`](Game::rollout)s, which a game may override.
    pub rolled_out: Duration,
}

impl Speed {
    /// Actions per second, played one by one; infinite if the clock did not advance.
    #[must_use]
    pub fn actions_per_second(&self) -> f64 {
        self.actions as f64 / self.stepped.as_secs_f64()
    }

    /// Rollouts per second from the start; infinite if the clock did not advance.
    #[must_use]
    pub fn rollouts_per_second(&self) -> f64 {
        f64::from(self.games) / self.rolled_out.as_secs_f64()
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} games of {:.1} actions: {:.0} actions/s one by one, {:.0} rollouts/s from the start",
            self.games,
            self.actions as f64 / f64::from(self.games.max(1)),
            self.actions_per_second(),
            self.rollouts_per_second()
        )
    }
}

/// Plays this number of random games on `clock`. Build with optimization; the cost of copying
/// states is included.
pub fn measure_speed<G: Game>(game: &G, games: u32, clock: &impl Clock) -> Speed {
    let mut rng = rng::stream(1, 0x53_50_45_45_44);
    let meter = Meter::start(Budget::UNLIMITED, clock);
    let mut actions = 0;
    for _ in 0..games {
        let mut state = game.start();
        loop {
            let action = match game.turn(&state) {
                Turn::Over(_) => break,
                Turn::Chance => game.random_outcome(&state, &mut rng),
                Turn::Player(_) => game.random_action(&state, &mut rng),
            };
            game.apply(&mut state, action);
            actions += 1;
        }
    }
    let stepped = meter.elapsed();
    let meter = Meter::start(Budget::UNLIMITED, clock);
    for _ in 0..games {
        core::hint::black_box(game.rollout(game.start(), &mut Untraced, &mut rng));
    }
    Speed { games, actions, stepped, rolled_out: meter.elapsed() }
}

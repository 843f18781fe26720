//! The budget of a search, and the reason for its end. The only module that reads a clock.

use crate::search::Pace;
use core::time::Duration;

/// The clock of a search.
pub trait Clock {
    /// Nanoseconds since a fixed time; never decreases.
    fn monotonic_nanos(&self) -> u64;

    /// Processor time of the whole process in nanoseconds, if available.
    fn cpu_nanos(&self) -> Option<u64> {
        None
    }
}

impl<C: Clock + ?Sized> Clock for &C {
    fn monotonic_nanos(&self) -> u64 {
        (**self).monotonic_nanos()
    }

    fn cpu_nanos(&self) -> Option<u64> {
        (**self).cpu_nanos()
    }
}

/// The clocks of the operating system.
///
/// Where the system has no processor time (all except Unix), the monotonic clock is used instead,
/// so that a limit of processor time ends the search too early rather than never.
/// `wasm32-unknown-unknown` has no clock, and reading one panics there, as with
/// [`std::time::Instant`]: pass your own clock to `run_with_clock`.
#[cfg(feature = "std")]
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

#[cfg(feature = "std")]
impl Clock for SystemClock {
    fn monotonic_nanos(&self) -> u64 {
        system::monotonic_nanos()
    }

    fn cpu_nanos(&self) -> Option<u64> {
        Some(system::cpu_nanos())
    }
}

#[cfg(all(feature = "std", unix))]
mod system {
    use rustix::time::{ClockId, clock_gettime};

    pub(super) fn monotonic_nanos() -> u64 {
        nanos(ClockId::Monotonic)
    }

    pub(super) fn cpu_nanos() -> u64 {
        nanos(ClockId::ProcessCPUTime)
    }

    fn nanos(clock: ClockId) -> u64 {
        let time = clock_gettime(clock);
        time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
    }
}

#[cfg(all(feature = "std", not(unix)))]
mod system {
    use std::sync::OnceLock;
    use std::time::Instant;

    pub(super) fn monotonic_nanos() -> u64 {
        // an `Instant` has no number, only a distance from another
        static ORIGIN: OnceLock<Instant> = OnceLock::new();
        super::saturating_nanos(ORIGIN.get_or_init(Instant::now).elapsed())
    }

    pub(super) fn cpu_nanos() -> u64 {
        monotonic_nanos()
    }
}

/// A clock that never advances, for searches limited only by playouts.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoClock;

impl Clock for NoClock {
    fn monotonic_nanos(&self) -> u64 {
        0
    }
}

/// Limits of one search; the first that is reached ends it. Without a limit a search only ends when
/// its root is proven or decided.
///
/// ```
/// use core::time::Duration;
/// use mcts_core::Budget;
///
/// // the limit that is reached first ends the search
/// let budget = Budget { wall: Some(Duration::from_millis(80)), ..Budget::playouts(100_000) };
/// assert_eq!(budget.playouts, Some(100_000));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Budget {
    /// Playouts of this search; those of an earlier search over the same tree do not count.
    pub playouts: Option<u64>,
    /// Wall time, from the start of the call.
    pub wall: Option<Duration>,
    /// Processor time of the process, from the start of the call; ignored if the clock does not
    /// provide it.
    pub cpu: Option<Duration>,
    /// Bytes of the tree. (The cap of the tree makes it recycle memory; this limit ends the
    /// search.)
    pub memory_bytes: Option<usize>,
    /// Stop when the most visited action can no longer be overtaken: the playouts left, or those
    /// that fit into the time left, are fewer than its lead. Only with
    /// [`FinalAction::Robust`](crate::FinalAction::Robust).
    pub stop_when_decided: bool,
}

impl Budget {
    /// No limit, and stop when decided.
    pub const UNLIMITED: Budget = Budget {
        playouts: None,
        wall: None,
        cpu: None,
        memory_bytes: None,
        stop_when_decided: true,
    };

    /// The given number of playouts.
    #[must_use]
    pub fn playouts(playouts: u64) -> Budget {
        Budget { playouts: Some(playouts), ..Budget::UNLIMITED }
    }

    /// An amount of wall time.
    #[must_use]
    pub fn wall(wall: Duration) -> Budget {
        Budget { wall: Some(wall), ..Budget::UNLIMITED }
    }

    /// The same limits, used up even if the decision is certain.
    #[must_use]
    pub fn to_the_end(self) -> Budget {
        Budget { stop_when_decided: false, ..self }
    }
}

/// What ended a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum StopReason {
    /// The playouts were used up.
    Playouts,
    /// The time on the wall clock was.
    Wall,
    /// The processor time was.
    Cpu,
    /// The tree reached the memory limit of the budget.
    Memory,
    /// The best action is proven.
    Proven,
    /// The most visited action could not be overtaken any more.
    Decided,
    /// There is only one legal action.
    SingleAction,
    /// The visit counters are full.
    Visits,
    /// The depth limit of the search was reached.
    Depth,
    /// A [`StopHandle`](crate::StopHandle) was used to stop it.
    Stopped,
    /// Not stopped: this is an intermediate report, see [`Watch`](crate::search::Watch).
    Running,
    /// A state below the root has more actions than a node can have children ([`MAX_CHILDREN`](crate::tree::MAX_CHILDREN)).
    TooManyActions,
}

/// Measures one search against its budget.
pub(crate) struct Meter<'a> {
    budget: Budget,
    clock: &'a dyn Clock,
    pace: Pace,
    wall_start: u64,
    cpu_start: Option<u64>,
    playouts: u64,
    next_look: u64,
    last_look: (u64, u64),
    nanos_per_playout: f64,
    /// Playouts between the last check and the next.
    last_step: u64,
}

/// What the search reports when the meter compares with the limits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Standing {
    pub(crate) memory_bytes: usize,
    /// Lead of the most visited action over the second; `None` if visits do not decide.
    pub(crate) lead: Option<u64>,
}

impl<'a> Meter<'a> {
    pub(crate) fn start(budget: Budget, clock: &'a dyn Clock) -> Self {
        let wall_start = clock.monotonic_nanos();
        let cpu_start = budget.cpu.and_then(|_| clock.cpu_nanos());
        Meter {
            budget,
            pace: Pace::default(),
            wall_start,
            cpu_start,
            playouts: 0,
            next_look: 0,
            last_look: (0, 0),
            nanos_per_playout: 0.0,
            last_step: 0,
            clock,
        }
    }

    pub(crate) fn set_pace(&mut self, pace: Pace) {
        self.pace = pace;
    }

    pub(crate) fn playouts(&self) -> u64 {
        self.playouts
    }

    pub(crate) fn elapsed(&self) -> Duration {
        Duration::from_nanos(self.elapsed_nanos())
    }

    fn elapsed_nanos(&self) -> u64 {
        self.clock.monotonic_nanos().saturating_sub(self.wall_start)
    }

    /// Playouts until the next call of [`look`](Meter::look), at least 1; valid after a check that
    /// stopped nothing.
    pub(crate) fn until_look(&self) -> u64 {
        self.next_look - self.playouts
    }

    pub(crate) fn count(&mut self, playouts: u64) {
        self.playouts += playouts;
    }

    /// Checks every limit; `standing` is only called, with the playouts so far, for a limit that
    /// needs it.
    pub(crate) fn look(&mut self, mut standing: impl FnMut(u64) -> Standing) -> Option<StopReason> {
        let budget = self.budget;
        if budget.playouts.is_some_and(|limit| self.playouts >= limit) {
            return Some(StopReason::Playouts);
        }
        let nanos_left = self.nanos_left();
        if let Some((left, reason)) = nanos_left
            && (left as f64) < self.nanos_per_playout.max(1.0) * self.pace.threads as f64
        {
            return Some(reason);
        }
        self.schedule(nanos_left);
        if budget.memory_bytes.is_none() && !budget.stop_when_decided {
            return None;
        }
        let standing = standing(self.playouts);
        if budget.memory_bytes.is_some_and(|limit| standing.memory_bytes >= limit) {
            return Some(StopReason::Memory);
        }
        let lead = standing.lead.filter(|_| budget.stop_when_decided)?;
        let by_playouts = budget.playouts.is_some_and(|limit| lead > limit - self.playouts);
        // the mean over the whole search: a pause during it must not make the rest look short
        let nanos_per_playout = self.last_look.1 as f64 / self.last_look.0 as f64;
        let by_time = nanos_left.is_some_and(|(left, _)| {
            self.last_look.0 > 0 && lead as f64 * nanos_per_playout > 1.1 * left as f64
        });
        (by_playouts || by_time).then_some(StopReason::Decided)
    }

    /// Time left until the nearer of the two time limits, and which one that is.
    fn nanos_left(&mut self) -> Option<(u64, StopReason)> {
        let elapsed = if self.budget.wall.is_some() || self.budget.cpu.is_some() {
            self.elapsed_nanos()
        } else {
            return None;
        };
        let (playouts, nanos) = self.last_look;
        if self.playouts > playouts {
            // the slower of the recent and the mean speed: playouts that end in proven nodes are
            // very short, and the next one may be a whole rollout again
            let lately = (elapsed - nanos) as f64 / (self.playouts - playouts) as f64;
            self.nanos_per_playout = lately.max(elapsed as f64 / self.playouts as f64);
            self.last_look = (self.playouts, elapsed);
        }
        let wall =
            self.budget.wall.map(|limit| (saturating_nanos(limit), elapsed, StopReason::Wall));
        let cpu = self.budget.cpu.zip(self.cpu_start).and_then(|(limit, start)| {
            let used = self.clock.cpu_nanos()?.saturating_sub(start);
            // the threads use processor time concurrently
            let threads = self.pace.threads.max(1);
            Some((saturating_nanos(limit) / threads, used / threads, StopReason::Cpu))
        });
        [wall, cpu]
            .into_iter()
            .flatten()
            .map(|(limit, used, reason)| (limit.saturating_sub(used), reason))
            .min_by_key(|(left, _)| *left)
    }

    fn schedule(&mut self, nanos_left: Option<(u64, StopReason)>) {
        let batch = self.pace.batch.max(1);
        let step = match nanos_left {
            None => self.pace.playouts.max(1).next_multiple_of(batch),
            Some(_) if self.nanos_per_playout <= 0.0 => batch,
            Some((left, _)) => {
                let nanos = left.min(saturating_nanos(self.pace.look));
                // a speed that was measured only recently is not relied on for long
                let most = 2 * self.last_step.max(batch);
                let step = ((nanos as f64 / self.nanos_per_playout) as u64).clamp(1, most);
                if step > batch { step - step % batch } else { step }
            }
        };
        self.last_step = step;
        self.next_look = self.playouts + step;
        if let Some(limit) = self.budget.playouts {
            self.next_look = self.next_look.min(limit);
        }
    }

    /// By how much the wall or processor time exceeded its limit.
    pub(crate) fn overshoot(&self) -> Duration {
        let past = |limit: Option<Duration>, used: u64| {
            limit.map_or(0, |limit| used.saturating_sub(saturating_nanos(limit)))
        };
        let wall = past(self.budget.wall, self.elapsed_nanos());
        let used =
            self.cpu_start.and_then(|start| Some(self.clock.cpu_nanos()?.saturating_sub(start)));
        Duration::from_nanos(wall.max(past(self.budget.cpu, used.unwrap_or(0))))
    }
}

fn saturating_nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

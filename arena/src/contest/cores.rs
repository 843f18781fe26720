//! Assigns processor cores to games, so that no bot waits for a bot of another game.

use rustix::thread::CpuSet;

/// The cores available to this process.
#[derive(Debug, Clone)]
pub struct Cores {
    allowed: Vec<usize>,
}

/// The cores of the bots of one game.
#[derive(Debug, Clone, Copy)]
pub struct CoreUse {
    /// For the bot to move.
    pub thinking: CpuSet,
    /// For the other bots, so that pondering takes no time from the opponent.
    pub waiting: CpuSet,
}

impl Cores {
    /// The cores that the system gives to this process; one if it does not report them.
    #[must_use]
    pub fn available() -> Cores {
        let set = rustix::thread::sched_getaffinity(None).unwrap_or_default();
        let allowed: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|core| set.is_set(*core)).collect();
        Cores { allowed: if allowed.is_empty() { vec![0] } else { allowed } }
    }

    /// Number of games at a time, for bots with one thread.
    #[must_use]
    pub fn count(&self) -> usize {
        self.allowed.len()
    }

    /// The cores of the bots of the `job`-th concurrent game.
    #[must_use]
    pub fn of_job(&self, job: usize) -> CoreUse {
        let own = self.allowed[job % self.allowed.len()];
        let mut thinking = CpuSet::new();
        thinking.set(own);
        let mut waiting = CpuSet::new();
        self.allowed.iter().filter(|core| **core != own).for_each(|core| waiting.set(*core));
        CoreUse { thinking, waiting: if waiting.count() == 0 { thinking } else { waiting } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_at_once_think_on_different_cores() {
        let cores = Cores { allowed: vec![2, 5] };
        let [first, second, third] = [0, 1, 2].map(|job| cores.of_job(job));
        assert!(first.thinking.is_set(2) && first.waiting.is_set(5) && !first.waiting.is_set(2));
        assert!(second.thinking.is_set(5) && third.thinking.is_set(2));
    }

    #[test]
    fn one_core_is_shared() {
        let alone = Cores { allowed: vec![0] }.of_job(0);
        assert!(alone.thinking.is_set(0) && alone.waiting.is_set(0));
    }
}

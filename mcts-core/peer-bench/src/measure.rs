//! Measures one run of one search: processor time, memory, and whether all playouts were made.

use anyhow::{Context, Result, ensure};
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use crate::contest::{Contest, rollouts_so_far};

/// The result of a search; `tree` keeps its memory until it is measured.
pub(crate) struct Found<S: Contest, T> {
    /// Visits of the root by the playouts, if the search reports them.
    pub(crate) visits: Option<u64>,
    /// Whether its rollouts, or some of them, are not counted: they are its own, or run on other
    /// threads.
    pub(crate) rolls_out_itself: bool,
    /// The action to play.
    pub(crate) best: S::Action,
    /// The search itself.
    #[expect(dead_code, reason = "held, not read")]
    pub(crate) tree: T,
}

/// The cost of one run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cost {
    /// Processor time of the process from the start of the search to its result.
    pub(crate) cpu: Duration,
    /// Wall time of the same.
    pub(crate) wall: Duration,
    /// Growth of the process's resident memory at its peak.
    pub(crate) bytes: u64,
    /// Number of rollouts.
    pub(crate) rollouts: u64,
    /// The action to play.
    pub(crate) best: String,
}

/// In one line, for the process that started this one.
impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cost { cpu, wall, bytes, rollouts, best } = self;
        write!(f, "{} {} {bytes} {rollouts} {best}", cpu.as_nanos(), wall.as_nanos())
    }
}

impl FromStr for Cost {
    type Err = anyhow::Error;

    fn from_str(line: &str) -> Result<Self> {
        let mut words = line.trim().splitn(5, ' ');
        let mut number = || -> Result<u64> { Ok(words.next().context("too few words")?.parse()?) };
        let (cpu, wall) = (Duration::from_nanos(number()?), Duration::from_nanos(number()?));
        let (bytes, rollouts) = (number()?, number()?);
        Ok(Cost { cpu, wall, bytes, rollouts, best: words.next().context("no action")?.to_owned() })
    }
}

/// Playouts before the measured ones, to warm up code and branches; their tree is dropped.
const WARM_UP: u64 = 1000;

/// Runs `search` once for `playouts` and checks their number.
pub(crate) fn measure<S: Contest, T>(
    playouts: u64,
    search: impl Fn(u64) -> Found<S, T>,
) -> Result<Cost> {
    let bytes_before = memory("VmRSS:")?;
    drop(search(WARM_UP));
    let rollouts_before = rollouts_so_far();
    let (start, wall_start) = (processor_time(), Instant::now());
    let found = search(playouts);
    let (cpu, wall) = (processor_time() - start, wall_start.elapsed());
    let bytes = memory("VmHWM:")?.saturating_sub(bytes_before);
    let rollouts = rollouts_so_far() - rollouts_before;

    let visits = found.visits.unwrap_or(playouts);
    ensure!(visits == playouts, "{visits} visits of the root by {playouts} playouts");
    ensure!(
        rollouts <= playouts && (rollouts > playouts / 2 || found.rolls_out_itself),
        "{rollouts} rollouts in {playouts} playouts"
    );
    Ok(Cost { cpu, wall, bytes, rollouts, best: format!("{:?}", found.best) })
}

/// Processor time of all threads of the process.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// A line of the kernel's accounting of this process's memory, in bytes.
fn memory(name: &str) -> Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB")).context("no memory account")?;
    Ok(kib.parse::<u64>()? * 1024)
}

//! The loop that drives every search within its budget: stop rules and the report.

use super::{Control, RootStats, Search};
use crate::budget::{Meter, Standing, StopReason};
use crate::report::{ActionReport, Report, Reuse, SearchError};
use alloc::vec::Vec;
use core::time::Duration;

/// How the driver should pace a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// Playouts that are computed together: the driver requests multiples of it while the budget
    /// allows.
    pub batch: u64,
    /// Playouts that run concurrently, one in each thread: one playout takes as long as this many
    /// in sequence.
    pub threads: u64,
    /// Playouts between two checks of a budget without a time limit, so that equal budgets are
    /// checked after equal numbers of playouts.
    pub playouts: u64,
    /// Time between two checks of a budget with a time limit; short compared with the clock of a
    /// contest, long compared with the cost of a call.
    pub look: Duration,
}

impl Default for Pace {
    /// One playout after another; a check every 128 playouts or 50 microseconds.
    fn default() -> Self {
        Pace { batch: 1, threads: 1, playouts: 128, look: Duration::from_micros(50) }
    }
}

/// A running search.
pub(super) struct Drive<'c, 'a, A> {
    control: &'c mut Control<'a, A>,
    meter: Meter<'a>,
    root: RootStats<A>,
    reuse: Reuse,
    /// Number of playouts at the last read of the root.
    read_at: u64,
    /// Time of the next report to the hook.
    next_report: Duration,
}

/// The reports by visits; those with equal visits keep their order.
///
/// Shell's sort (Shell, 1959; gaps of Ciura, 2001, and two more) of keys made of visits and index.
/// It runs once in a search and has a sixth of the code of the standard library's stable sort,
/// which matters for bots in one source file.
fn most_visited_first<A: Copy>(reports: &[ActionReport<A>]) -> Vec<ActionReport<A>> {
    const GAPS: [usize; 10] = [3_548, 1_577, 701, 301, 132, 57, 23, 10, 4, 1];
    let key =
        |(place, report): (usize, &ActionReport<A>)| u64::from(!report.visits) << 32 | place as u64;
    let mut keys: Vec<u64> = reports.iter().enumerate().map(key).collect();
    for gap in GAPS {
        for next in gap..keys.len() {
            let mut at = next;
            while at >= gap && keys[at - gap] > keys[at] {
                keys.swap(at - gap, at);
                at -= gap;
            }
        }
    }
    keys.iter().map(|key| reports[*key as u32 as usize]).collect()
}

/// Searches `at` within the limits of `control`.
pub(super) fn run<S: Search + ?Sized>(
    search: &mut S,
    at: &S::Position,
    control: &mut Control<'_, S::Action>,
) -> Result<Report<S::Action>, SearchError> {
    let mut drive = Drive::start(control);
    drive.reuse = search.prepare(at)?;
    let stopped_by = drive.playouts(search, at);
    search.finish();
    let report = drive.report(search, stopped_by)?;
    tracing::debug!(
        playouts = report.playouts,
        value = report.value(),
        stopped_by = ?report.stopped_by,
        reuse = ?report.reuse,
        memory_bytes = report.memory_bytes,
        "searched"
    );
    Ok(report)
}

impl<'c, 'a, A: Copy + PartialEq> Drive<'c, 'a, A> {
    /// Starts the clock.
    pub(super) fn start(control: &'c mut Control<'a, A>) -> Self {
        let meter = Meter::start(control.budget, control.clock);
        let next_report = control.watch.as_ref().map_or(Duration::MAX, |watch| watch.every);
        let (root, reuse) = (RootStats::default(), Reuse::Fresh);
        Drive { control, meter, root, reuse, read_at: 0, next_report }
    }

    /// Runs playouts from `at`, which is prepared, until a limit is reached; returns the reason.
    pub(super) fn playouts<S>(&mut self, search: &mut S, at: &S::Position) -> StopReason
    where
        S: Search<Action = A> + ?Sized,
    {
        self.meter.set_pace(search.pace());
        search.read_root(&mut self.root);
        loop {
            if let Some(reason) = self.at_rest() {
                return reason;
            }
            if let Some(reason) = self.look(search) {
                return reason;
            }
            let most = self.meter.until_look();
            let done = search.playouts(at, most);
            self.meter.count(done);
            if done < most {
                search.read_root(&mut self.root);
                return self.root.ended.unwrap_or(StopReason::Visits);
            }
        }
    }

    /// The reason why no playout is needed, if any.
    fn at_rest(&self) -> Option<StopReason> {
        let may_decide = self.control.budget.stop_when_decided;
        self.root
            .ended
            .or((may_decide && self.root.is_single()).then_some(StopReason::SingleAction))
            .or((may_decide && self.root.is_settled()).then_some(StopReason::Decided))
    }

    /// Checks every limit.
    fn look<S>(&mut self, search: &S) -> Option<StopReason>
    where
        S: Search<Action = A> + ?Sized,
    {
        if self.control.is_stopped() {
            return Some(StopReason::Stopped);
        }
        if self.control.watch.is_some() && self.meter.elapsed() >= self.next_report {
            self.tell(search);
        }
        let Drive { control, meter, root, read_at, .. } = self;
        meter.look(|playouts| {
            let is_needed = control.budget.memory_bytes.is_some() || root.may_be_decided();
            // a read takes time proportional to the actions, so a wide root is read less often
            if is_needed && playouts - *read_at >= (root.actions.len() / 4) as u64 {
                *read_at = playouts;
                search.read_root(root);
            }
            Standing { memory_bytes: root.memory_bytes, lead: root.lead() }
        })
    }

    /// Calls the hook with a report.
    fn tell<S>(&mut self, search: &S)
    where
        S: Search<Action = A> + ?Sized,
    {
        let report = self.report(search, StopReason::Running);
        if let (Some(watch), Ok(report)) = (&mut self.control.watch, report) {
            (watch.hook)(&report);
            self.next_report = self.meter.elapsed() + watch.every;
        }
    }

    fn report<S>(&mut self, search: &S, stopped_by: StopReason) -> Result<Report<A>, SearchError>
    where
        S: Search<Action = A> + ?Sized,
    {
        let Drive { meter, root, reuse, .. } = self;
        search.read_root(root);
        let actions = root.reports();
        let best = root.best(&actions).ok_or(SearchError::NoLegalAction)?;
        let best = actions[best].action;
        let actions = most_visited_first(&actions);
        let playouts = meter.playouts();
        Ok(Report {
            best,
            actions,
            principal_variation: search.principal_variation(best),
            playouts,
            deepest: root.depths.deepest,
            mean_depth: root.depths.total as f32 / playouts.max(1) as f32,
            tree_nodes: root.nodes,
            memory_bytes: root.memory_bytes,
            reuse: *reuse,
            stopped_by,
            elapsed: meter.elapsed(),
            overshoot: meter.overshoot(),
        })
    }
}

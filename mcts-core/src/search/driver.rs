//! One search within its budget: when to stop, and the report. Every search is driven by this loop.

use super::{RootStats, Search};
use crate::budget::{Budget, Clock, Meter, Standing, StopReason};
use crate::report::{Report, SearchError};
use core::cmp::Reverse;
use core::time::Duration;

/// How a search is best driven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// Playouts that are worked on together: the driver asks for multiples of it as long as the budget has room.
    pub batch: u64,
    /// Playouts that run at the same time, one a thread: a single playout takes as long as that many after another.
    pub threads: u64,
    /// Playouts between two looks at a budget that does not limit the time, so that equal budgets look at equal
    /// moments.
    pub playouts: u64,
    /// Time between two looks at a budget that does; short against the clock of a contest, long against the cost of
    /// a call.
    pub look: Duration,
}

impl Default for Pace {
    /// One playout after another; a look every 128 playouts or 50 microseconds.
    fn default() -> Self {
        Pace { batch: 1, threads: 1, playouts: 128, look: Duration::from_micros(50) }
    }
}

/// Playouts from `at`, which is prepared, until the budget or the search ends it; what ended it.
pub(super) fn drive<S: Search + ?Sized>(
    search: &mut S,
    at: &S::Position,
    meter: &mut Meter<'_>,
    root: &mut RootStats<S::Action>,
) -> StopReason {
    let budget = *meter.budget();
    meter.set_pace(search.pace());
    search.read_root(root);
    let mut read_at = 0;
    loop {
        if let Some(reason) = at_rest(root, &budget) {
            return reason;
        }
        let reading = |playouts: u64| {
            let is_needed = budget.memory_bytes.is_some() || root.may_be_decided();
            // reading takes time in proportion to the actions, so a wide root is read less often
            if is_needed && playouts - read_at >= (root.actions.len() / 4) as u64 {
                read_at = playouts;
                search.read_root(root);
            }
            Standing { memory_bytes: root.memory_bytes, lead: root.lead() }
        };
        if let Some(reason) = meter.look(reading) {
            return reason;
        }
        let most = meter.until_look();
        let done = search.playouts(at, most);
        meter.count(done);
        if done < most {
            search.read_root(root);
            return root.ended.unwrap_or(StopReason::Visits);
        }
    }
}

/// Why there is no need for a playout, if there is none.
fn at_rest<A: Copy>(root: &RootStats<A>, budget: &Budget) -> Option<StopReason> {
    let may_decide = budget.stop_when_decided;
    root.ended
        .or((may_decide && root.is_single()).then_some(StopReason::SingleAction))
        .or((may_decide && root.is_settled()).then_some(StopReason::Decided))
}

/// Searches `at` within `budget`.
pub(super) fn run<S: Search + ?Sized>(
    search: &mut S,
    at: &S::Position,
    budget: &Budget,
    clock: &dyn Clock,
) -> Result<Report<S::Action>, SearchError> {
    let mut meter = Meter::start(*budget, clock);
    let mut root = RootStats::default();
    let reuse = search.prepare(at)?;
    let stopped_by = drive(search, at, &mut meter, &mut root);
    search.finish();
    search.read_root(&mut root);
    let mut actions = root.reports();
    let best = root.best(&actions).ok_or(SearchError::NoLegalAction)?;
    let best = actions[best].action;
    actions.sort_by_key(|action| Reverse(action.visits));
    let playouts = meter.playouts();
    let report = Report {
        best,
        actions,
        principal_variation: search.principal_variation(best),
        playouts,
        deepest: root.depths.deepest,
        mean_depth: root.depths.total as f32 / playouts.max(1) as f32,
        tree_nodes: root.nodes,
        memory_bytes: root.memory_bytes,
        reuse,
        stopped_by,
        elapsed: meter.elapsed(),
        overshoot: meter.overshoot(),
    };
    tracing::debug!(
        playouts,
        value = report.value(),
        ?stopped_by,
        ?reuse,
        memory_bytes = report.memory_bytes,
        "searched"
    );
    Ok(report)
}

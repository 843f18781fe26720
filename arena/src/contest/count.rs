//! Counts rounds in the order of the plan, regardless of the order in which they were played.

use std::collections::BTreeMap;

use super::{Plan, RoundSummary, Standing};
use crate::sprt::Sprt;

/// Maximum number of rounds that wait for an earlier one before they are counted anyway, if no test
/// depends on the order.
const LONGEST_QUEUE: usize = 4096;

/// The state of a plan as rounds arrive.
///
/// With a test only the rounds before the first missing one are counted, and no more than the test
/// needs, so the end of the test does not depend on the number of concurrent games.
#[derive(Debug)]
pub struct Count {
    standing: Standing,
    test: Option<Sprt>,
    queue: BTreeMap<u64, RoundSummary>,
    /// Place of the round that is counted next.
    next: u64,
    received: u64,
    is_decided: bool,
}

impl Count {
    /// Before the first round of a plan.
    #[must_use]
    pub fn new(plan: &Plan) -> Count {
        Count { test: plan.sprt, ..Count::of_shard(plan, 0) }
    }

    /// Before the first round of a shard that begins at `first`. A shard is played to its end: only all of them together
    /// can decide a test.
    #[must_use]
    pub fn of_shard(plan: &Plan, first: u64) -> Count {
        Count {
            standing: Standing::new(plan),
            test: None,
            queue: BTreeMap::new(),
            next: first,
            received: 0,
            is_decided: false,
        }
    }

    /// Adds a round.
    pub fn add(&mut self, round: RoundSummary) {
        self.received += 1;
        if self.is_decided {
            return;
        }
        self.queue.insert(round.index, round);
        while let Some(first) = self.queue.keys().next()
            && (*first <= self.next || self.test.is_none() && self.queue.len() > LONGEST_QUEUE)
        {
            self.count_first();
        }
    }

    fn count_first(&mut self) {
        let Some((index, round)) = self.queue.pop_first() else { return };
        self.next = self.next.max(index.saturating_add(1));
        self.standing.add_summary(&round);
        let tally = &self.standing.pairings[0].tally;
        self.is_decided = self.test.is_some_and(|test| test.decision(tally).is_some());
        if self.is_decided {
            self.queue.clear();
        }
    }

    /// Whether the test needs no more rounds.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.is_decided
    }

    /// Number of rounds that arrived, counted or not.
    #[must_use]
    pub fn received(&self) -> u64 {
        self.received
    }

    /// The counted rounds.
    #[must_use]
    pub fn standing(&self) -> &Standing {
        &self.standing
    }

    /// The final state; without a test, rounds after a missing one count too.
    #[must_use]
    pub fn finish(mut self) -> Standing {
        while self.test.is_none() && !self.queue.is_empty() {
            self.count_first();
        }
        self.standing
    }
}

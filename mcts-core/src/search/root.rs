//! The statistics of a root, from which the report, the lead and the final action are computed.

use crate::budget::StopReason;
use crate::final_action::FinalAction;
use crate::report::ActionReport;
use crate::tree::Proof;
use alloc::vec::Vec;

/// The values of some playouts: number, sum, and sum of squares.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Sample {
    /// Number of values.
    pub count: u32,
    /// Their sum.
    pub sum: f64,
    /// Sum of their squares.
    pub squares: f64,
}

impl Sample {
    /// Adds one value.
    #[inline]
    pub fn add(&mut self, value: f64) {
        self.count += 1;
        self.sum += value;
        self.squares += value * value;
    }

    /// Adds the values of another sample.
    pub fn merge(&mut self, other: &Sample) {
        self.count = self.count.saturating_add(other.count);
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// Mean of the values; `None` without any.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / f64::from(self.count))
    }

    /// Unbiased variance of one value; `None` with fewer than two.
    #[must_use]
    pub fn variance(&self) -> Option<f64> {
        let count = f64::from(self.count);
        (self.count > 1)
            .then(|| (self.squares - self.sum * self.sum / count).max(0.0) / (count - 1.0))
    }
}

/// The samples of the root's actions, by the index of the action.
#[derive(Debug, Clone, Default)]
pub(crate) struct Samples(Vec<Sample>);

impl Samples {
    /// Removes all values and allocates samples for the given number of actions.
    pub(crate) fn restart(&mut self, actions: usize) {
        self.0.clear();
        self.0.resize(actions, Sample::default());
    }

    #[inline]
    pub(crate) fn add(&mut self, place: usize, value: f64) {
        if place >= self.0.len() {
            self.0.resize(place + 1, Sample::default());
        }
        self.0[place].add(value);
    }

    pub(crate) fn of(&self, place: usize) -> Sample {
        self.0.get(place).copied().unwrap_or_default()
    }
}

/// The statistics of one action of the root.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ActionStats<A> {
    /// The action.
    pub action: A,
    /// Playouts that began with it, including those kept from earlier searches.
    pub visits: u32,
    /// Mean utility for the player to move, exact if proven; `None` without visits.
    pub value: Option<f32>,
    /// Independent observations behind the value; usually the visits.
    pub observations: u32,
    /// The values of this search alone, from which the variance is estimated.
    pub sample: Sample,
    /// Exact value from the view of the player to move.
    pub proven: Option<Proof>,
}

impl<A: Copy> ActionStats<A> {
    /// The statistics of an unvisited action.
    #[must_use]
    pub fn unvisited(action: A) -> Self {
        let sample = Sample::default();
        ActionStats { action, visits: 0, value: None, observations: 0, sample, proven: None }
    }

    fn report(&self, bounds: (f32, f32)) -> ActionReport<A> {
        ActionReport {
            action: self.action,
            visits: self.visits,
            value: self.value,
            standard_error: self.standard_error(bounds),
            proven: self.proven,
        }
    }

    /// Standard error of the value, see [`ActionReport::standard_error`].
    fn standard_error(&self, (lowest, highest): (f32, f32)) -> Option<f32> {
        let value = self.value?;
        if self.proven.is_some() {
            return Some(0.0);
        }
        // a value in [lowest, highest] with this mean has at most this variance (Bhatia and Davis, 2000)
        let most = || (f64::from(highest - value) * f64::from(value - lowest)).max(0.0);
        let variance = self.sample.variance().unwrap_or_else(most);
        Some(libm::sqrt(variance / f64::from(self.observations.max(1))) as f32)
    }
}

/// How a search chooses the action to play.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Choice {
    /// By the statistics of the actions.
    ByStatistics(FinalAction),
    /// By the statistics, but the strategy of the whole search matters, so a lead in visits never
    /// ends the search.
    OfStrategy(FinalAction),
    /// By the search's own rule.
    Own {
        /// The index of the action to play.
        place: usize,
        /// Whether the search has ruled out all other actions.
        is_settled: bool,
    },
}

/// Depths in the tree of the playouts of one search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Depths {
    /// Depth of the deepest playout.
    pub deepest: u32,
    /// Sum of the depths of all playouts.
    pub total: u64,
}

impl Depths {
    /// Adds one playout.
    #[inline]
    pub fn add(&mut self, depth: usize) {
        self.deepest = self.deepest.max(depth as u32);
        self.total += depth as u64;
    }

    /// Adds the playouts of another search.
    pub fn merge(&mut self, other: &Depths) {
        self.deepest = self.deepest.max(other.deepest);
        self.total += other.total;
    }
}

/// The statistics of a search at its root; filled by
/// [`Search::read_root`](super::Search::read_root).
#[derive(Debug, Clone, PartialEq)]
pub struct RootStats<A> {
    /// Every legal action, in an arbitrary order; ties go to the first.
    pub actions: Vec<ActionStats<A>>,
    /// The lowest and the highest value that an action can have.
    pub bounds: (f32, f32),
    /// The rule for the action to play.
    pub choice: Choice,
    /// The reason why further playouts cannot change the result, if any.
    pub ended: Option<StopReason>,
    /// Nodes of the tree.
    pub nodes: usize,
    /// Bytes of the tree.
    pub memory_bytes: usize,
    /// Depths of the playouts of this search.
    pub depths: Depths,
}

impl<A> Default for RootStats<A> {
    fn default() -> Self {
        RootStats {
            actions: Vec::new(),
            bounds: (-1.0, 1.0),
            choice: Choice::ByStatistics(FinalAction::default()),
            ended: None,
            nodes: 0,
            memory_bytes: 0,
            depths: Depths::default(),
        }
    }
}

impl<A: Copy> RootStats<A> {
    /// The actions as a report lists them, in the order of [`actions`](Self::actions).
    #[must_use]
    pub fn reports(&self) -> Vec<ActionReport<A>> {
        self.actions.iter().map(|action| action.report(self.bounds)).collect()
    }

    /// The index of the action to play; `None` only without actions. `reports` are those of
    /// [`reports`](Self::reports).
    #[must_use]
    pub fn best(&self, reports: &[ActionReport<A>]) -> Option<usize> {
        match self.choice {
            Choice::ByStatistics(rule) | Choice::OfStrategy(rule) => {
                rule.choose(reports, self.bounds)
            }
            Choice::Own { place, .. } => (place < reports.len()).then_some(place),
        }
    }

    /// Whether the statistics of the root can settle the decision before the budget is used up.
    pub(crate) fn may_be_decided(&self) -> bool {
        match self.choice {
            Choice::ByStatistics(rule) => rule == FinalAction::Robust,
            Choice::OfStrategy(_) => false,
            Choice::Own { .. } => true,
        }
    }

    /// Whether only one action can be played.
    pub(crate) fn is_single(&self) -> bool {
        self.actions.len() == 1 && !matches!(self.choice, Choice::OfStrategy(_))
    }

    /// Whether the search has ruled out all actions except one by its own rule.
    pub(crate) fn is_settled(&self) -> bool {
        matches!(self.choice, Choice::Own { is_settled: true, .. })
    }

    /// Lead in visits of the most visited action over the second; `None` if visits do not decide what is played.
    #[must_use]
    pub fn lead(&self) -> Option<u64> {
        if self.choice != Choice::ByStatistics(FinalAction::Robust) {
            return None;
        }
        let (mut first, mut second) = (0, 0);
        for action in &self.actions {
            match action.proven {
                Some(proof) if proof.utility > self.bounds.0 => return None,
                Some(_) => {}
                None if action.visits > first => (first, second) = (action.visits, first),
                None => second = second.max(action.visits),
            }
        }
        Some(u64::from(first - second))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn visited(action: u8, visits: u32, value: f32) -> ActionStats<u8> {
        let unvisited = ActionStats::unvisited(action);
        ActionStats { visits, observations: visits, value: Some(value), ..unvisited }
    }

    #[test]
    fn the_error_of_a_mean_is_that_of_its_sample_and_at_most_what_the_bounds_allow() {
        let mut sample = Sample::default();
        [1.0, 0.0, 1.0, 0.0].into_iter().for_each(|value| sample.add(value));
        // the unbiased variance of two ones and two zeros is a third
        assert!((sample.variance().unwrap() - 1.0 / 3.0).abs() < 1e-12);
        let stats = ActionStats { sample, ..visited(1, 4, 0.5) };
        let error = stats.standard_error((-1.0, 1.0)).unwrap();
        assert!((error - libm::sqrtf(1.0 / 12.0)).abs() < 1e-6, "{error}");
        // a mean of a half in [-1, 1]: the variance is at most 0.5 * 1.5
        let error = visited(1, 3, 0.5).standard_error((-1.0, 1.0)).unwrap();
        assert!((error - 0.5).abs() < 1e-6, "{error}");
        assert_eq!(ActionStats::unvisited(1_u8).standard_error((-1.0, 1.0)), None);
    }

    #[test]
    fn a_lead_is_over_the_second_unless_something_better_than_a_loss_is_proven() {
        let mut root = RootStats {
            actions: vec![visited(1, 10, 0.0), visited(2, 25, 0.1)],
            ..RootStats::default()
        };
        assert_eq!(root.lead(), Some(15));
        root.actions[0].proven = Some(Proof { utility: -1.0, plies: 3 });
        assert_eq!(root.lead(), Some(25), "a proven loss is not in the running");
        root.actions[0].proven = Some(Proof { utility: 0.0, plies: 3 });
        assert_eq!(root.lead(), None, "a proven draw may be played for its value");
        root.choice = Choice::OfStrategy(FinalAction::Robust);
        assert_eq!(root.lead(), None);
    }
}

//! Progressive bias.

use super::{Candidate, Learns, NewChild, Played, SelectionPolicy, Ucb1, UtilityRange};

/// Progressive bias (Chaslot et al., 2008, equation 3): adds `weight * prior / (visits + 1)` to the
/// urgency of an inner policy, so that the prior dominates while there are few visits.
///
/// The prior is what the evaluator thinks of the action (see
/// [`Evaluator::priors`](crate::Evaluator::priors)), best on the scale of values, from -1 to 1; 0
/// for no preference.
///
/// ```
/// # use mcts_core::testing::{Position, TreeGame};
/// # let answers = Position::second([Position::over(1.0), Position::over(0.6)]);
/// # let game = TreeGame::<2>::new(Position::first([Position::over(0.2), answers]));
/// use mcts_core::{Budget, Game, NoClock, ProgressiveBias, Rollout, Search, Uct};
/// use mcts_core::evaluation::{PriorScale, WithPriors};
///
/// // prior knowledge: later actions look better
/// fn prior(_: &TreeGame, _: &Vec<u16>, action: u16) -> f32 {
///     f32::from(action) / 2.0
/// }
/// let evaluator = WithPriors { evaluator: Rollout::default(), prior, scale: PriorScale::AsGiven };
/// let parts = Uct::default().with_selection(ProgressiveBias::default()).with_evaluator(evaluator);
/// let mut search = parts.search(game.clone(), 1);
/// let report = search.run_with_clock(&game.start(), &Budget::playouts(1_000), &NoClock)?;
/// assert_eq!(report.best, 1);
/// # Ok::<(), mcts_core::SearchError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProgressiveBias<S = Ucb1> {
    /// The inner policy.
    pub policy: S,
    /// Weight of the bias.
    pub weight: f32,
}

impl Default for ProgressiveBias {
    /// Around UCB1.
    fn default() -> Self {
        ProgressiveBias::with_policy(Ucb1::default())
    }
}

impl<S> ProgressiveBias<S> {
    /// Weight 1: the prior counts as one visit. (The paper gives the form and tunes the scale by
    /// game.)
    pub fn with_policy(policy: S) -> Self {
        ProgressiveBias { policy, weight: 1.0 }
    }
}

/// The statistics of an edge and its prior.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Biased<X> {
    /// The statistics of the inner policy.
    pub inner: X,
    /// The evaluator's prior of the action.
    pub prior: f32,
}

impl<S: SelectionPolicy> SelectionPolicy for ProgressiveBias<S> {
    type Extra = Biased<S::Extra>;
    type Parent = S::Parent;

    const COMPARES_UNVISITED: bool = true;
    const READS_PRIORS: bool = true;
    const LEARNS: Learns = S::LEARNS;
    const NEEDS_ACTION_INDICES: bool = S::NEEDS_ACTION_INDICES;

    #[inline]
    fn parent(&self, visits: u32) -> S::Parent {
        self.policy.parent(visits)
    }

    #[inline]
    fn parent_with_extra(&self, visits: u32, extra: &Biased<S::Extra>) -> S::Parent {
        self.policy.parent_with_extra(visits, &extra.inner)
    }

    #[inline]
    fn urgency(&self, parent: S::Parent, child: &Candidate<Biased<S::Extra>>) -> f32 {
        let bias = self.weight * child.extra.prior / (child.visits as f32 + 1.0);
        self.policy.urgency(parent, &child.with_extra(child.extra.inner)) + bias
    }

    #[inline]
    fn first_play(&self, parent: S::Parent, extra: &Biased<S::Extra>) -> f32 {
        let urgency = self.policy.first_play(parent, &extra.inner);
        // children that all come first still differ among themselves
        urgency.min(super::ABOVE_ALL) + self.weight * extra.prior
    }

    fn new_child(&self, child: &NewChild) -> Biased<S::Extra> {
        Biased { inner: self.policy.new_child(child), prior: child.prior }
    }

    fn prior_of(extra: &Self::Extra) -> Option<f32> {
        S::prior_of(&extra.inner)
    }

    fn utility_range(extra: &Self::Extra) -> UtilityRange {
        S::utility_range(&extra.inner)
    }

    fn learn<A, X, F>(
        &mut self,
        playout: &mut Played<'_, A, X, F>,
        extra: impl Fn(&mut X) -> &mut Biased<S::Extra>,
    ) where
        A: Copy,
        X: Copy + Default,
        F: Fn(A) -> Option<usize>,
    {
        self.policy.learn(playout, |all| &mut extra(all).inner);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bias_fades_with_visits() {
        let policy =
            ProgressiveBias { policy: Ucb1 { exploration: 0.0, ..Ucb1::default() }, weight: 2.0 };
        let child =
            |visits| Candidate { visits, value: 0.25, extra: Biased { inner: (), prior: 0.75 } };
        let parent = policy.parent(100);
        // 0.25 + 2 * 0.75 / (visits + 1)
        assert!((policy.urgency(parent, &child(2)) - 0.75).abs() < 1e-6);
        assert!((policy.urgency(parent, &child(14)) - 0.35).abs() < 1e-6);
    }

    #[test]
    fn unvisited_children_come_first_and_the_best_known_of_them_before_the_others() {
        let policy = <ProgressiveBias>::default();
        let parent = policy.parent(1);
        let unvisited = |prior| policy.first_play(parent, &Biased { inner: (), prior });
        let visited = Candidate { visits: 1, value: 1.0, extra: Biased { inner: (), prior: 1.0 } };
        assert!(unvisited(0.5) > unvisited(0.25));
        assert!(unvisited(-1.0) > policy.urgency(parent, &visited));
    }
}

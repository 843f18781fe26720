//! Progressive history.

use super::{Amaf, Candidate, Learns, NewChild, Played, SelectionPolicy, Ucb1, UtilityRange};
use crate::trace::{ActionTable, TraceStep};

/// Progressive history (Nijssen and Winands, 2011): adds `mean * weight / (losses + 1)` to the
/// urgency of an inner policy, where `mean` is the mean result of all playouts that contain the
/// action, in any state, and `losses = visits * (1 - value)`. So a bad action loses its bonus
/// quickly and a good one keeps it.
///
/// Results are in [0, 1] and count once for each playout for the player of the action. Untried
/// actions and passes get no bonus.
///
/// ```
/// # use mcts_core::testing::{Position, TreeGame};
/// # let answers = Position::second([Position::over(1.0), Position::over(0.6)]);
/// # let game = TreeGame::<2>::new(Position::first([Position::over(0.2), answers]));
/// use mcts_core::{Budget, Game, NoClock, ProgressiveHistory, Search, Uct};
///
/// let parts = Uct::default().with_selection(ProgressiveHistory::default());
/// let mut search = parts.search(game.clone(), 1);
/// let report = search.run_with_clock(&game.start(), &Budget::playouts(1_000), &NoClock)?;
/// assert_eq!(report.best, 1);
/// # Ok::<(), mcts_core::SearchError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ProgressiveHistory<S = Ucb1> {
    /// The inner policy.
    pub policy: S,
    /// Weight of the bonus.
    pub weight: f32,
    /// The mean result of each action; empty at first.
    pub history: ActionTable<Amaf>,
}

impl Default for ProgressiveHistory {
    /// Around UCB1.
    fn default() -> Self {
        ProgressiveHistory::with_policy(Ucb1::default())
    }
}

impl<S> ProgressiveHistory<S> {
    /// Weight 3. (The paper tunes it by game and number of players.)
    pub fn with_policy(policy: S) -> Self {
        ProgressiveHistory { policy, weight: 3.0, history: ActionTable::default() }
    }
}

/// The statistics of an edge, and its action.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HistoryEdge<X> {
    /// The statistics of the inner policy.
    pub inner: X,
    action: TraceStep,
}

impl<X: Default> Default for HistoryEdge<X> {
    fn default() -> Self {
        HistoryEdge { inner: X::default(), action: TraceStep::CHANCE }
    }
}

impl<S> ProgressiveHistory<S> {
    #[inline]
    fn bonus(&self, action: TraceStep, losses: f32) -> f32 {
        let Some(index) = action.index() else { return 0.0 };
        self.weight * self.history.of(action.player(), index).value() / (losses + 1.0)
    }
}

impl<S: SelectionPolicy> SelectionPolicy for ProgressiveHistory<S> {
    type Extra = HistoryEdge<S::Extra>;
    type Parent = S::Parent;

    const COMPARES_UNVISITED: bool = true;
    const READS_PRIORS: bool = S::READS_PRIORS;
    const PRIORS_ARE_WEIGHTS: bool = S::PRIORS_ARE_WEIGHTS;
    const LEARNS: Learns = Learns::FromTrace;
    const NEEDS_ACTION_INDICES: bool = true;

    #[inline]
    fn parent(&self, visits: u32) -> S::Parent {
        self.policy.parent(visits)
    }

    #[inline]
    fn parent_with_extra(&self, visits: u32, extra: &Self::Extra) -> S::Parent {
        self.policy.parent_with_extra(visits, &extra.inner)
    }

    #[inline]
    fn urgency(&self, parent: S::Parent, child: &Candidate<Self::Extra>) -> f32 {
        let losses = child.visits as f32 * (1.0 - child.value);
        self.policy.urgency(parent, &child.with_extra(child.extra.inner))
            + self.bonus(child.extra.action, losses)
    }

    #[inline]
    fn first_play(&self, parent: S::Parent, extra: &Self::Extra) -> f32 {
        let urgency = self.policy.first_play(parent, &extra.inner);
        urgency.min(super::ABOVE_ALL) + self.bonus(extra.action, 0.0)
    }

    fn new_child(&self, child: &NewChild) -> Self::Extra {
        HistoryEdge { inner: self.policy.new_child(child), action: child.action }
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
        extra: impl Fn(&mut X) -> &mut Self::Extra,
    ) where
        A: Copy,
        X: Copy + Default,
        F: Fn(A) -> Option<usize>,
    {
        self.policy.learn(playout, |all| &mut extra(all).inner);
        playout.met.clear();
        playout.meet(0..playout.trace.steps().len());
        for step in playout.met.members() {
            if let Some(index) = step.index() {
                let result = playout.results.of(0, step.player());
                self.history.entry(step.player(), index).add(result);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Player;

    #[test]
    fn the_bonus_fades_with_losses_and_not_with_wins() {
        let mut policy = ProgressiveHistory {
            policy: Ucb1 { exploration: 0.0, ..Ucb1::default() },
            weight: 2.0,
            history: ActionTable::default(),
        };
        let action = TraceStep::new(Player::SECOND, Some(4));
        (0..4).for_each(|at| policy.history.entry(Player::SECOND, 4).add(f32::from(at > 0)));
        let child =
            |visits, value| Candidate { visits, value, extra: HistoryEdge { inner: (), action } };
        let parent = policy.parent(50);
        // history 3 / 4: 0.25 + 2 * 0.75 / (8 * 0.75 + 1), and without a loss the whole bonus
        assert!((policy.urgency(parent, &child(8, 0.25)) - (0.25 + 1.5 / 7.0)).abs() < 1e-6);
        assert!((policy.urgency(parent, &child(8, 1.0)) - 2.5).abs() < 1e-6);
        let unknown = HistoryEdge { inner: (), action: TraceStep::new(Player::FIRST, Some(4)) };
        let known = HistoryEdge { inner: (), action };
        assert!(policy.first_play(parent, &known) > policy.first_play(parent, &unknown));
    }
}

//! UCB1-Tuned.

use super::{Candidate, FirstPlay, Learns, Played, SelectionPolicy};
use crate::sqrt::sqrt;

/// UCB1-Tuned (Auer, Cesa-Bianchi and Fischer, 2002, section 4): UCB1 with less exploration where
/// values vary less, `value + exploration * sqrt(ln(parent visits) / visits * min(1/4, V))` with
/// `V = mean square - value^2 + sqrt(2 ln(parent visits) / visits)` and values in [0, 1].
///
/// ```
/// # use mcts_core::testing::{Position, TreeGame};
/// # let answers = Position::second([Position::over(1.0), Position::over(0.6)]);
/// # let game = TreeGame::<2>::new(Position::first([Position::over(0.2), answers]));
/// use mcts_core::{Budget, Game, NoClock, Ucb1Tuned, Search, Uct};
///
/// let parts = Uct::default().with_selection(Ucb1Tuned::default());
/// let mut search = parts.search(game.clone(), 1);
/// let report = search.run_with_clock(&game.start(), &Budget::playouts(1_000), &NoClock)?;
/// assert_eq!(report.best, 1);
/// # Ok::<(), mcts_core::SearchError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ucb1Tuned {
    /// Weight of the exploration term.
    pub exploration: f32,
    /// Urgency of unvisited children.
    pub first_play: FirstPlay,
}

impl Default for Ucb1Tuned {
    /// Exploration 1, unvisited children first, as in the paper.
    fn default() -> Self {
        Ucb1Tuned { exploration: 1.0, first_play: FirstPlay::AllOnce }
    }
}

/// Sum of the squares of the values in [0, 1] of an edge.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SquareSum(pub f64);

impl SelectionPolicy for Ucb1Tuned {
    type Extra = SquareSum;
    /// `ln(visits)`
    type Parent = f32;

    const LEARNS: Learns = Learns::FromPath;

    #[inline]
    fn parent(&self, visits: u32) -> f32 {
        libm::logf(visits as f32)
    }

    #[inline]
    fn urgency(&self, parent: f32, child: &Candidate<SquareSum>) -> f32 {
        let share = parent / child.visits as f32;
        let mean_square = (child.extra.0 / f64::from(child.visits)) as f32;
        let spread = (mean_square - child.value * child.value).max(0.0);
        let bound = (spread + sqrt(2.0 * share)).min(0.25);
        child.value + self.exploration * sqrt(share * bound)
    }

    #[inline]
    fn first_play(&self, _: f32, _: &SquareSum) -> f32 {
        self.first_play.urgency()
    }

    fn learn<A, X, F>(
        &mut self,
        playout: &mut Played<'_, A, X, F>,
        extra: impl Fn(&mut X) -> &mut SquareSum,
    ) where
        A: Copy,
        X: Copy + Default,
        F: Fn(A) -> Option<usize>,
    {
        for depth in 1..playout.path.len() {
            let id = playout.path[depth];
            let value = playout.value(depth - 1, playout.tree.node(id).player());
            extra(&mut playout.tree.node_mut(id).extra).0 += f64::from(value * value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three visits with values 1, 1/2 and 0 out of 100.
    fn urgency(values: [f32; 3]) -> f32 {
        let policy = Ucb1Tuned::default();
        let value = values.iter().sum::<f32>() / 3.0;
        let squares = values.iter().map(|value| f64::from(value * value)).sum();
        let child = Candidate { visits: 3, value, extra: SquareSum(squares) };
        policy.urgency(policy.parent(100), &child)
    }

    #[test]
    fn a_variance_above_a_quarter_is_cut() {
        // ln 100 / 3 = 1.5350567, and sqrt(2 * 1.535) alone is above 1/4
        let expected = 0.5 + (1.535_056_7f32 * 0.25).sqrt();
        assert!((urgency([1.0, 0.5, 0.0]) - expected).abs() < 1e-6);
    }

    #[test]
    fn a_small_variance_shrinks_the_exploration_term() {
        // 10,000 visits of 20,000: share = ln 20000 / 10000 = 9.9034876e-4, sqrt(2 share) = 0.04450503
        // values 0.4 and 0.6 equally often: mean square 0.26, variance 0.01, V = 0.05450503
        let policy = Ucb1Tuned::default();
        let child = Candidate { visits: 10_000, value: 0.5, extra: SquareSum(2_600.0) };
        let expected = 0.5 + (9.903_488e-4f32 * 0.054_505_03).sqrt();
        assert!((policy.urgency(policy.parent(20_000), &child) - expected).abs() < 1e-6);
    }
}

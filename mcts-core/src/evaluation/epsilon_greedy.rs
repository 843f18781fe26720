//! Rollouts that mostly follow a heuristic.

use super::choosing::best;
use super::rollout::{RolloutPolicy, Situation};
use crate::game::Game;
use crate::rng::{self, SearchRng};

/// Any action with probability `epsilon`, otherwise one of the greatest heuristic value (Sutton and
/// Barto, 1998, section 2.2).
///
/// ```
/// # use mcts_core::testing::{Position, TreeGame};
/// # let answers = Position::second([Position::over(1.0), Position::over(0.6)]);
/// # let game = TreeGame::<2>::new(Position::first([Position::over(0.2), answers]));
/// use mcts_core::{Budget, Game, NoClock, Rollout, Search, Uct};
/// use mcts_core::evaluation::EpsilonGreedy;
///
/// fn heuristic(_: &TreeGame, _: &Vec<u16>, action: u16) -> f32 {
///     -f32::from(action)
/// }
/// let parts = Uct::default().with_evaluator(Rollout::with_policy(EpsilonGreedy::new(heuristic)));
/// let mut search = parts.search(game.clone(), 1);
/// let report = search.run_with_clock(&game.start(), &Budget::playouts(1_000), &NoClock)?;
/// assert_eq!(report.best, 1);
/// # Ok::<(), mcts_core::SearchError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EpsilonGreedy<F> {
    /// Probability of a uniformly random action. It should be positive: rollouts that are all alike
    /// carry little information.
    pub epsilon: f32,
    /// Heuristic value of an action for the player to move, on any scale; a function of game, state
    /// and action.
    pub heuristic: F,
}

impl<F> EpsilonGreedy<F> {
    /// Follows `heuristic`, except for one action in ten.
    pub fn new(heuristic: F) -> Self {
        EpsilonGreedy { epsilon: 0.1, heuristic }
    }
}

impl<G, F> RolloutPolicy<G> for EpsilonGreedy<F>
where
    G: Game,
    F: FnMut(&G, &G::State, G::Action) -> f32,
{
    fn choose(
        &mut self,
        game: &G,
        at: &Situation<'_, G::State>,
        rng: &mut SearchRng,
    ) -> Option<G::Action> {
        if rng::unit(rng) < self.epsilon {
            return best(game, at.state, rng, |_| 0.0);
        }
        best(game, at.state, rng, |action| (self.heuristic)(game, at.state, action))
    }
}

//! PUCT.

use super::{Candidate, NewChild, SelectionPolicy};
use crate::sqrt::sqrt;

/// PUCT as in AlphaZero (Silver et al., 2018, pseudocode):
/// `value + c * prior * sqrt(parent visits) / (1 + visits)` with
/// `c = initial + ln((1 + parent visits + base) / base)` and values in [0, 1].
///
/// Priors are probabilities from the evaluator, see [`Evaluator::priors`](crate::Evaluator::priors)
/// and [`WithPriors`](crate::evaluation::WithPriors).
///
/// ```
/// # use mcts_core::{Game, Player, Turn, Utilities};
/// # #[derive(Clone)]
/// # struct Nim;
/// # impl Game for Nim {
/// #     type State = (u8, Player);
/// #     type Action = u8;
/// #     fn start(&self) -> (u8, Player) { (15, Player::FIRST) }
/// #     fn turn(&self, &(left, player): &(u8, Player)) -> Turn {
/// #         if left == 0 { Turn::Over(Utilities::win(player.opponent())) } else { Turn::Player(player) }
/// #     }
/// #     fn actions(&self, &(left, _): &(u8, Player), visit: impl FnMut(u8)) { (1..=left.min(3)).for_each(visit) }
/// #     fn apply(&self, state: &mut (u8, Player), taken: u8) { *state = (state.0 - taken, state.1.opponent()) }
/// #     fn hash(&self, &(left, player): &(u8, Player)) -> Option<u64> { Some(u64::from(left) * 2 + u64::from(player.0)) }
/// # }
/// use mcts_core::evaluation::{PriorScale, WithPriors};
/// use mcts_core::{Budget, NoClock, Puct, Rollout, Search, Uct};
///
/// let more = |_: &Nim, _: &(u8, Player), taken: u8| f32::from(taken);
/// let evaluator = WithPriors { evaluator: Rollout::default(), prior: more, scale: PriorScale::Probabilities };
/// let parts = Uct::default().with_selection(Puct::default()).with_evaluator(evaluator);
/// let report = parts.search(Nim, 1).run_with_clock(&Nim.start(), &Budget::playouts(5_000), &NoClock)?;
/// assert_eq!(report.best, 3);
/// # Ok::<(), mcts_core::SearchError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Puct {
    /// Weight of the prior term in small trees.
    pub initial: f32,
    /// Visits of the parent at which the weight has grown by ln 2.
    pub base: f32,
    /// Value in [0, 1] of a child without visits.
    pub unvisited_value: f32,
}

impl Default for Puct {
    /// 1.25 and 19,652 as in AlphaZero (2018), which also scales values to [0, 1]; unvisited
    /// children have the value 1/2, between loss and win, as in AlphaGo Zero (2017), since rollouts
    /// are too noisy to rule out actions.
    fn default() -> Self {
        Puct { initial: 1.25, base: 19_652.0, unvisited_value: 0.5 }
    }
}

/// The probability that an action is the best, before any visit.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ActionPrior(pub f32);

impl SelectionPolicy for Puct {
    type Extra = ActionPrior;
    /// `c * sqrt(visits)`
    type Parent = f32;

    const COMPARES_UNVISITED: bool = true;
    const READS_PRIORS: bool = true;
    const PRIORS_ARE_WEIGHTS: bool = true;

    fn prior_of(prior: &ActionPrior) -> Option<f32> {
        Some(prior.0)
    }

    #[inline]
    fn parent(&self, visits: u32) -> f32 {
        let visits = visits as f32;
        let weight = self.initial + libm::logf((1.0 + visits + self.base) / self.base);
        weight * sqrt(visits)
    }

    #[inline]
    fn urgency(&self, parent: f32, child: &Candidate<ActionPrior>) -> f32 {
        child.value + parent * child.extra.0 / (1.0 + child.visits as f32)
    }

    #[inline]
    fn first_play(&self, parent: f32, prior: &ActionPrior) -> f32 {
        self.unvisited_value + parent * prior.0
    }

    #[inline]
    fn new_child(&self, child: &NewChild) -> ActionPrior {
        ActionPrior(child.prior)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uniform_prior_gives_the_formula() {
        let puct = Puct { initial: 1.5, base: 100.0, unvisited_value: 0.25 };
        // 36 visits: c = 1.5 + ln(137 / 100) = 1.81481074, and c * sqrt(36) = 10.888864
        let parent = puct.parent(36);
        assert!((parent - 10.888_864).abs() < 1e-5);
        let child = Candidate { visits: 4, value: 0.6, extra: ActionPrior(0.25) };
        // 0.6 + 10.888864 * 0.25 / 5
        assert!((puct.urgency(parent, &child) - 1.144_443_2).abs() < 1e-6);
        // 0.25 + 10.888864 * 0.25
        assert!((puct.first_play(parent, &ActionPrior(0.25)) - 2.972_216).abs() < 1e-6);
    }
}

//! Rollouts by the mean results of actions in earlier playouts.

use super::choosing::{best, weighted};
use super::rollout::{RolloutPolicy, Situation};
use crate::game::{Game, Player, Utilities};
use crate::rng::{self, SearchRng};
use crate::trace::{ActionTable, Trace};

/// How [`Mast`] chooses an action by the mean results.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MastChoice {
    /// In proportion to `exp(mean / temperature)` (Finnsson and Bjornsson, 2008).
    Gibbs {
        /// On the scale of results in [0, 1].
        temperature: f32,
    },
    /// A uniformly random action with this probability, otherwise the one with the best mean (Tak,
    /// Winands and Bjornsson, 2012).
    EpsilonGreedy {
        /// Probability of a uniformly random action.
        epsilon: f32,
    },
}

/// The move-average sampling technique: players prefer the actions with good results in earlier
/// playouts, in any state (Finnsson and Bjornsson, 2008).
///
/// Every action of every playout counts for its player, in the tree and in the rollout; actions
/// without an index (passes) count as untried. An untried action has the greatest possible mean.
///
/// ```
/// # use mcts_core::testing::{Position, TreeGame};
/// # let answers = Position::second([Position::over(1.0), Position::over(0.6)]);
/// # let game = TreeGame::<2>::new(Position::first([Position::over(0.2), answers]));
/// use mcts_core::{Budget, Game, NoClock, Rollout, Search, Uct};
/// use mcts_core::evaluation::Mast;
///
/// let parts = Uct::default().with_evaluator(Rollout::with_policy(Mast::default()));
/// let mut search = parts.search(game.clone(), 1);
/// let report = search.run_with_clock(&game.start(), &Budget::playouts(1_000), &NoClock)?;
/// assert_eq!(report.best, 1);
/// # Ok::<(), mcts_core::SearchError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Mast {
    /// How actions are chosen.
    pub choice: MastChoice,
    /// The mean of each action so far; empty at first.
    pub means: ActionTable<MastMean>,
}

impl Default for Mast {
    /// Epsilon-greedy, which Tak et al. find better than Gibbs (and which costs no exponentials); one action in five
    /// at random.
    fn default() -> Self {
        Mast { choice: MastChoice::EpsilonGreedy { epsilon: 0.2 }, means: ActionTable::default() }
    }
}

/// The results of an action for its player.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MastMean {
    playouts: f32,
    mean: f32,
    /// The weight of the action where weights are needed.
    weight: f32,
}

impl Default for MastMean {
    fn default() -> Self {
        MastMean { playouts: 0.0, mean: 1.0, weight: 1.0 }
    }
}

impl MastMean {
    /// Mean result in [0, 1]; 1 for an untried action.
    #[inline]
    #[must_use]
    pub fn mean(&self) -> f32 {
        self.mean
    }
}

/// Number of playouts beyond which a mean follows the newest results at a constant rate.
const MOST_PLAYOUTS: f32 = 4_194_304.0;

impl Mast {
    #[inline]
    fn learn_step(&mut self, player: Player, index: usize, result: f32) {
        let choice = self.choice;
        let entry = self.means.entry(player, index);
        entry.playouts = (entry.playouts + 1.0).min(MOST_PLAYOUTS);
        entry.mean += (result - entry.mean) / entry.playouts;
        if let MastChoice::Gibbs { temperature } = choice {
            // relative to the greatest mean possible, so that it cannot overflow
            let exponent = (entry.mean - 1.0) / temperature;
            entry.weight = libm::expf(exponent).max(f32::MIN_POSITIVE);
        }
    }
}

impl<G: Game> RolloutPolicy<G> for Mast {
    const LEARNS: bool = true;
    const NEEDS_ACTION_INDICES: bool = true;

    #[inline]
    fn choose(
        &mut self,
        game: &G,
        at: &Situation<'_, G::State>,
        rng: &mut SearchRng,
    ) -> Option<G::Action> {
        let of = |action| match game.action_index(action) {
            Some(index) => self.means.of(at.player, index),
            None => MastMean::default(),
        };
        match self.choice {
            MastChoice::Gibbs { .. } => weighted(game, at.state, rng, |action| of(action).weight),
            MastChoice::EpsilonGreedy { epsilon } if rng::unit(rng) < epsilon => {
                (game.count_actions(at.state) > 0).then(|| game.random_action(at.state, rng))
            }
            MastChoice::EpsilonGreedy { .. } => best(game, at.state, rng, |action| of(action).mean),
        }
    }

    fn learn(&mut self, trace: &Trace, utilities: &Utilities) {
        let (lowest, highest) = G::UTILITY_BOUNDS;
        for step in trace.steps() {
            if let Some(index) = step.index() {
                let result = utilities.of_player(step.player());
                self.learn_step(step.player(), index, (result - lowest) / (highest - lowest));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Position, TreeGame};
    use crate::trace::TraceStep;
    use alloc::vec;

    fn trace(steps: &[(u8, Option<usize>)]) -> Trace {
        let mut trace = Trace::default();
        steps
            .iter()
            .for_each(|(player, index)| trace.push(TraceStep::new(Player(*player), *index)));
        trace
    }

    /// The first player wins twice with action 1 and loses once with it, and loses once with action 0.
    fn taught(choice: MastChoice) -> Mast {
        let mut mast = Mast { choice, ..Mast::default() };
        let learn = <Mast as RolloutPolicy<TreeGame>>::learn;
        learn(
            &mut mast,
            &trace(&[(0, Some(1)), (1, Some(1)), (0, None)]),
            &Utilities::zero_sum(1.0),
        );
        learn(&mut mast, &trace(&[(0, Some(1)), (1, Some(0))]), &Utilities::zero_sum(1.0));
        learn(&mut mast, &trace(&[(0, Some(1)), (0, Some(0))]), &Utilities::zero_sum(-1.0));
        mast
    }

    fn frequencies(mast: &mut Mast) -> [f64; 2] {
        let game = TreeGame::<2>::new(Position::first(vec![Position::over(0.0); 2]));
        let mut rng = rng::stream(5, 0);
        let at = Situation { state: &game.start(), player: Player::FIRST, played: &[] };
        let mut counts = [0.0; 2];
        for _ in 0..10_000 {
            counts[usize::from(mast.choose(&game, &at, &mut rng).unwrap())] += 1e-4;
        }
        counts
    }

    #[test]
    fn results_count_for_the_player_who_took_the_action() {
        let mast = taught(MastChoice::EpsilonGreedy { epsilon: 0.0 });
        let mean = |player, index| mast.means.of(player, index).mean();
        assert!((mean(Player::FIRST, 1) - 2.0 / 3.0).abs() < 1e-6);
        assert!(mean(Player::FIRST, 0).abs() < 1e-6);
        assert!(mean(Player::SECOND, 1).abs() < 1e-6);
        assert!((mean(Player::FIRST, 7) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn epsilon_greedy_takes_the_best_mean_but_for_epsilon() {
        // 1 - epsilon / 2 of the time; standard deviation 0.004
        let [_, best] = frequencies(&mut taught(MastChoice::EpsilonGreedy { epsilon: 0.4 }));
        assert!((best - 0.8).abs() < 0.024, "{best}");
    }

    #[test]
    fn gibbs_draws_in_proportion_to_the_exponential_of_the_mean() {
        // means 0 and 2/3 at temperature 1/3: exp(2) / (1 + exp(2)) = 0.8808; standard deviation 0.0033
        let [_, best] = frequencies(&mut taught(MastChoice::Gibbs { temperature: 1.0 / 3.0 }));
        assert!((best - 0.8808).abs() < 0.02, "{best}");
    }
}

//! Priors of actions from a function of the caller.

use super::Evaluator;
use crate::game::{Exact, Game, Utilities};
use crate::rng::SearchRng;
use crate::trace::{Recorder, Trace};

/// How the values of a function become priors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PriorScale {
    /// Normalized to sum 1 over all legal actions; negative and non-finite values count as 0. If
    /// the sum is zero, all actions are equal.
    #[default]
    Probabilities,
    /// Unmodified.
    AsGiven,
}

/// An evaluator whose priors come from a function of game, state and action.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WithPriors<E, F> {
    /// The evaluator of leaves.
    pub evaluator: E,
    /// The prior of an action, a function of game, state and action.
    pub prior: F,
    /// How the function's values become priors.
    pub scale: PriorScale,
}

impl<G, E, F> Evaluator<G> for WithPriors<E, F>
where
    G: Game,
    E: Evaluator<G>,
    F: FnMut(&G, &G::State, G::Action) -> f32,
{
    const LEARNS: bool = E::LEARNS;
    const NEEDS_ACTION_INDICES: bool = E::NEEDS_ACTION_INDICES;
    const KNOWS_ENDINGS: bool = E::KNOWS_ENDINGS;

    fn lanes(&self) -> usize {
        self.evaluator.lanes()
    }

    fn evaluate(
        &mut self,
        game: &G,
        state: &G::State,
        recorder: &mut impl Recorder,
        rng: &mut SearchRng,
    ) -> Utilities {
        self.evaluator.evaluate(game, state, recorder, rng)
    }

    fn evaluate_all(
        &mut self,
        game: &G,
        states: &mut [G::State],
        rng: &mut SearchRng,
        results: &mut [Utilities],
    ) {
        self.evaluator.evaluate_all(game, states, rng, results);
    }

    fn learn(&mut self, trace: &Trace, utilities: &Utilities) {
        self.evaluator.learn(trace, utilities);
    }

    fn exact(&mut self, game: &G, state: &G::State) -> Option<Exact> {
        self.evaluator.exact(game, state)
    }

    fn priors(&mut self, game: &G, state: &G::State, actions: &[G::Action], priors: &mut [f32]) {
        let values = actions.iter().map(|action| (self.prior)(game, state, *action));
        if self.scale == PriorScale::AsGiven {
            priors.iter_mut().zip(values).for_each(|(prior, value)| *prior = value);
            return;
        }
        let even = 1.0 / actions.len() as f32;
        let mut sum = 0.0;
        for (prior, value) in priors.iter_mut().zip(values) {
            // negative and non-finite values count as zero
            *prior = if value.is_finite() { value.max(0.0) } else { 0.0 };
            sum += *prior;
        }
        for prior in priors {
            *prior = if sum > 0.0 { *prior / sum } else { even };
        }
    }
}

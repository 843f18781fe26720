//! Exact values of small endings.

use super::Evaluator;
use crate::game::{Exact, Game, Utilities};
use crate::rng::SearchRng;
use crate::trace::{Recorder, Trace};

/// Exact values of some states: a solver of small endings, or a table.
pub trait Endings<G: Game> {
    /// Game-theoretic value of a state that is not over; `None` if it is not known or too expensive
    /// to compute.
    fn solve(&mut self, game: &G, state: &G::State) -> Option<Exact>;
}

/// Any function of game and state with this result.
impl<G: Game, F: FnMut(&G, &G::State) -> Option<Exact>> Endings<G> for F {
    fn solve(&mut self, game: &G, state: &G::State) -> Option<Exact> {
        self(game, state)
    }
}

/// An evaluator with exact values of endings: a leaf with a known value is proven instead of
/// evaluated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WithEndings<E, X> {
    /// The evaluator of other leaves.
    pub evaluator: E,
    /// The exact values of endings.
    pub endings: X,
}

impl<G: Game, E: Evaluator<G>, X: Endings<G>> Evaluator<G> for WithEndings<E, X> {
    const LEARNS: bool = E::LEARNS;
    const NEEDS_ACTION_INDICES: bool = E::NEEDS_ACTION_INDICES;
    const KNOWS_ENDINGS: bool = true;

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
        self.endings.solve(game, state).or_else(|| self.evaluator.exact(game, state))
    }

    fn priors(&mut self, game: &G, state: &G::State, actions: &[G::Action], priors: &mut [f32]) {
        self.evaluator.priors(game, state, actions, priors);
    }
}

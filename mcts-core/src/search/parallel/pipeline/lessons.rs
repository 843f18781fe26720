//! Records what an evaluator learns, so that its copies on other threads learn the same in the same
//! order.

use crate::evaluation::Evaluator;
use crate::game::{Exact, Game, Utilities};
use crate::rng::SearchRng;
use crate::trace::{Recorder, Trace};
use alloc::vec::Vec;

/// Playouts in the order in which they were learned; the memory is reused.
#[derive(Debug, Default)]
pub(super) struct Lessons {
    traces: Vec<Trace>,
    utilities: Vec<Utilities>,
}

impl Lessons {
    fn clear(&mut self) {
        self.utilities.clear();
    }

    fn push(&mut self, trace: &Trace, utilities: &Utilities) {
        let place = self.utilities.len();
        if place == self.traces.len() {
            self.traces.push(Trace::EMPTY);
        }
        self.traces[place].copy_from(trace);
        self.utilities.push(*utilities);
    }

    /// Lets `evaluator` learn all of them.
    pub(super) fn teach<G: Game>(&self, evaluator: &mut impl Evaluator<G>) {
        for (trace, utilities) in self.traces.iter().zip(&self.utilities) {
            evaluator.learn(trace, utilities);
        }
    }
}

/// An evaluator that records its lessons.
#[derive(Debug, Clone)]
pub(super) struct Recorded<E> {
    pub(super) evaluator: E,
    lessons: Lessons,
}

impl Clone for Lessons {
    /// Without the lessons: a copy starts its own record.
    fn clone(&self) -> Self {
        Lessons::default()
    }
}

impl<E> Recorded<E> {
    pub(super) fn new(evaluator: E) -> Self {
        Recorded { evaluator, lessons: Lessons::default() }
    }

    /// Drops the lessons since the last call of [`take_lessons`](Self::take_lessons).
    pub(super) fn forget_lessons(&mut self) {
        self.lessons.clear();
    }

    /// Replaces `lessons` by the lessons since the last call.
    pub(super) fn take_lessons(&mut self, lessons: &mut Lessons) {
        core::mem::swap(&mut self.lessons, lessons);
        self.lessons.clear();
    }
}

impl<G: Game, E: Evaluator<G>> Evaluator<G> for Recorded<E> {
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

    fn exact(&mut self, game: &G, state: &G::State) -> Option<Exact> {
        self.evaluator.exact(game, state)
    }

    fn priors(&mut self, game: &G, state: &G::State, actions: &[G::Action], priors: &mut [f32]) {
        self.evaluator.priors(game, state, actions, priors);
    }

    fn learn(&mut self, trace: &Trace, utilities: &Utilities) {
        self.evaluator.learn(trace, utilities);
        self.lessons.push(trace, utilities);
    }
}

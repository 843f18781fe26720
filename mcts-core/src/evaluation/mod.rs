//! Phase 3: the value of a leaf.

mod choosing;
mod decisive;
mod endings;
mod epsilon_greedy;
mod knowledge;
mod last_good_reply;
mod mast;
mod priors;
mod rollout;

pub use decisive::{Decisive, Sight};
pub use endings::{Endings, WithEndings};
pub use epsilon_greedy::EpsilonGreedy;
pub use knowledge::{Knowledge, Prior};
pub use last_good_reply::{Forgetting, LastGoodReply};
pub use mast::{Mast, MastChoice, MastMean};
pub use priors::{PriorScale, WithPriors};
pub use rollout::{Cut, CutRollout, Rollout, RolloutPolicy, Situation, Uniform};

use crate::game::{Exact, Game, Utilities};
use crate::rng::SearchRng;
use crate::trace::{Recorder, Trace, Untraced};

/// Returns the value of a leaf state.
///
/// ```
/// # use mcts_core::testing::{Position, TreeGame};
/// # let answers = Position::second([Position::over(1.0), Position::over(0.6)]);
/// # let game = TreeGame::<2>::new(Position::first([Position::over(0.2), answers]));
/// use mcts_core::{Budget, Game, NoClock, Evaluator, Recorder, Search, SearchRng, Turn, Uct, Utilities};
///
/// /// Evaluates every position that is not over as a draw.
/// struct Even;
///
/// impl<G: Game> Evaluator<G> for Even {
///     fn evaluate(
///         &mut self,
///         game: &G,
///         state: &G::State,
///         _: &mut impl Recorder,
///         _: &mut SearchRng,
///     ) -> Utilities {
///         match game.turn(state) {
///             Turn::Over(utilities) => utilities,
///             Turn::Player(_) | Turn::Chance => Utilities::ZERO,
///         }
///     }
/// }
///
/// let parts = Uct::default().with_evaluator(Even);
/// let mut search = parts.search(game.clone(), 1);
/// let report = search.run_with_clock(&game.start(), &Budget::playouts(1_000), &NoClock)?;
/// assert_eq!(report.best, 1);
/// # Ok::<(), mcts_core::SearchError>(())
/// ```
pub trait Evaluator<G: Game> {
    /// Whether the evaluator learns from playouts; the search then traces them and calls
    /// [`learn`](Evaluator::learn).
    const LEARNS: bool = false;
    /// Whether the evaluator compares actions by their [`Game::action_index`] and therefore needs
    /// one.
    const NEEDS_ACTION_INDICES: bool = false;
    /// Whether the evaluator has exact values of some states that are not over.
    const KNOWS_ENDINGS: bool = false;

    /// Number of leaves that the search should collect and evaluate together.
    fn lanes(&self) -> usize {
        1
    }

    /// The expected utilities from `state`, within the bounds of the game. If the game is over in
    /// `state`, exactly its utilities.
    ///
    /// The search replaces values that are not finite: infinities by the nearest bound, NaN by the
    /// middle of the bounds. `testing::check_evaluator` finds such values.
    ///
    /// An evaluator with rollouts passes their actions to `recorder`, which contains the steps from
    /// the root to `state` if a part of the search learns from them.
    fn evaluate(
        &mut self,
        game: &G,
        state: &G::State,
        recorder: &mut impl Recorder,
        rng: &mut SearchRng,
    ) -> Utilities;

    /// [`evaluate`](Evaluator::evaluate) for several states, without a record; may change them.
    fn evaluate_all(
        &mut self,
        game: &G,
        states: &mut [G::State],
        rng: &mut SearchRng,
        results: &mut [Utilities],
    ) {
        for (state, result) in states.iter().zip(results) {
            *result = self.evaluate(game, state, &mut Untraced, rng);
        }
    }

    /// Game-theoretic value of `state`, in which the game is not over, if known. The search calls
    /// it at leaves and after each action of the root, and treats the result as proven.
    fn exact(&mut self, game: &G, state: &G::State) -> Option<Exact> {
        let _ = (game, state);
        None
    }

    /// Fills `priors[i]` for `actions[i]`, the legal actions of `state`, for selection policies that read priors and define
    /// their scale. On entry all are equal and add up to 1; a prior that is not a finite number is replaced by that.
    fn priors(&mut self, game: &G, state: &G::State, actions: &[G::Action], priors: &mut [f32]) {
        let _ = (game, state, actions, priors);
    }

    /// Learns from a whole playout: its steps from the root, and the utilities (with rewards, the
    /// returns from the root).
    fn learn(&mut self, trace: &Trace, utilities: &Utilities) {
        let _ = (trace, utilities);
    }
}

/// Any function of game and state is an evaluator.
impl<G: Game, F: FnMut(&G, &G::State) -> Utilities> Evaluator<G> for F {
    fn evaluate(
        &mut self,
        game: &G,
        state: &G::State,
        _: &mut impl Recorder,
        _: &mut SearchRng,
    ) -> Utilities {
        match game.turn(state) {
            crate::game::Turn::Over(utilities) => utilities,
            _ => self(game, state),
        }
    }
}

//! Rollouts: playing from a leaf to the end.

use super::Evaluator;
use crate::game::{Game, Player, Turn, Utilities};
use crate::rng::SearchRng;
use crate::trace::{Recorder, Trace, TraceStep, Untraced};

/// The situation in which a rollout policy chooses an action.
#[derive(Debug)]
pub struct Situation<'a, S> {
    /// The state.
    pub state: &'a S,
    /// The player to move.
    pub player: Player,
    /// The actions of this playout so far; empty unless a part of the search
    /// [`LEARNS`](RolloutPolicy::LEARNS) from traces.
    pub played: &'a [TraceStep],
}

/// How players choose their actions in a rollout.
pub trait RolloutPolicy<G: Game> {
    /// Whether the policy reads or learns from traces of playouts.
    const LEARNS: bool = false;
    /// Whether the policy compares actions by their [`Game::action_index`] and therefore needs one.
    const NEEDS_ACTION_INDICES: bool = false;

    /// The action of the player to move; `None` only if there is no legal action (a fault of the
    /// rules, which ends the rollout).
    fn choose(
        &mut self,
        game: &G,
        at: &Situation<'_, G::State>,
        rng: &mut SearchRng,
    ) -> Option<G::Action>;

    /// Learns from a playout, from the root to the end, and its utilities.
    fn learn(&mut self, trace: &Trace, utilities: &Utilities) {
        let _ = (trace, utilities);
    }

    /// Plays `state` to the end; returns the utilities or returns from here on. Passes each action
    /// to `recorder`.
    fn play_out(
        &mut self,
        game: &G,
        state: G::State,
        recorder: &mut impl Recorder,
        rng: &mut SearchRng,
    ) -> Utilities {
        Play { game, rng, plies: u32::MAX }.play(self, state, recorder).0
    }

    /// Plays several states to the end, without a record; may change them.
    fn play_out_all(
        &mut self,
        game: &G,
        states: &mut [G::State],
        rng: &mut SearchRng,
        results: &mut [Utilities],
    ) {
        for (state, result) in states.iter().zip(results) {
            *result = self.play_out(game, state.clone(), &mut Untraced, rng);
        }
    }
}

/// A uniformly random legal action.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Uniform;

impl<G: Game> RolloutPolicy<G> for Uniform {
    #[inline]
    fn choose(
        &mut self,
        game: &G,
        at: &Situation<'_, G::State>,
        rng: &mut SearchRng,
    ) -> Option<G::Action> {
        (game.count_actions(at.state) > 0).then(|| game.random_action(at.state, rng))
    }

    #[inline]
    fn play_out(
        &mut self,
        game: &G,
        state: G::State,
        recorder: &mut impl Recorder,
        rng: &mut SearchRng,
    ) -> Utilities {
        game.rollout(state, recorder, rng)
    }

    #[inline]
    fn play_out_all(
        &mut self,
        game: &G,
        states: &mut [G::State],
        rng: &mut SearchRng,
        results: &mut [Utilities],
    ) {
        game.rollouts(states, rng, results);
    }
}

/// Ends rollouts early: after `plies` plies the state is evaluated instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut<E> {
    /// Plies of the rollout before the cut.
    pub plies: u32,
    /// Evaluates the state at the cut.
    pub evaluator: E,
}

/// Evaluates a leaf by the result of a game played on by a [`RolloutPolicy`].
///
/// ```
/// # use mcts_core::testing::{Position, TreeGame};
/// # let answers = Position::second([Position::over(1.0), Position::over(0.6)]);
/// # let game = TreeGame::<2>::new(Position::first([Position::over(0.2), answers]));
/// use mcts_core::{Budget, Game, NoClock, Rollout, Search, Uct, Uniform};
///
/// // eight rollouts at a time
/// let rollouts = Rollout { policy: Uniform, lanes: 8 };
/// let parts = Uct::default().with_evaluator(rollouts);
/// let mut search = parts.search(game.clone(), 1);
/// let report = search.run_with_clock(&game.start(), &Budget::playouts(1_000), &NoClock)?;
/// assert_eq!(report.best, 1);
/// # Ok::<(), mcts_core::SearchError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rollout<P = Uniform> {
    /// The policy of both players.
    pub policy: P,
    /// Number of interleaved rollouts (see [`Game::rollouts`]); 1 for one after another. With more
    /// than one, that many leaves are collected first, with a virtual loss on their paths.
    pub lanes: usize,
}

impl Default for Rollout {
    /// Uniform, one at a time.
    fn default() -> Self {
        Rollout::with_policy(Uniform)
    }
}

impl<P> Rollout<P> {
    /// Rollouts by `policy`, one at a time.
    pub fn with_policy(policy: P) -> Self {
        Rollout { policy, lanes: 1 }
    }

    /// The same rollouts, cut after `plies` plies.
    pub fn cut<E>(self, plies: u32, evaluator: E) -> CutRollout<P, E> {
        CutRollout { policy: self.policy, cut: Cut { plies, evaluator } }
    }
}

impl<G: Game, P: RolloutPolicy<G>> Evaluator<G> for Rollout<P> {
    const LEARNS: bool = P::LEARNS;
    const NEEDS_ACTION_INDICES: bool = P::NEEDS_ACTION_INDICES;

    fn lanes(&self) -> usize {
        self.lanes
    }

    #[inline]
    fn evaluate(
        &mut self,
        game: &G,
        state: &G::State,
        recorder: &mut impl Recorder,
        rng: &mut SearchRng,
    ) -> Utilities {
        self.policy.play_out(game, state.clone(), recorder, rng)
    }

    #[inline]
    fn evaluate_all(
        &mut self,
        game: &G,
        states: &mut [G::State],
        rng: &mut SearchRng,
        results: &mut [Utilities],
    ) {
        self.policy.play_out_all(game, states, rng, results);
    }

    fn learn(&mut self, trace: &Trace, utilities: &Utilities) {
        self.policy.learn(trace, utilities);
    }
}

/// Evaluates a leaf by a few plies of a rollout and an evaluator at the cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutRollout<P, E> {
    /// The policy of both players.
    pub policy: P,
    /// Where the rollout is cut.
    pub cut: Cut<E>,
}

impl<G: Game, P: RolloutPolicy<G>, E: Evaluator<G>> Evaluator<G> for CutRollout<P, E> {
    const LEARNS: bool = P::LEARNS;
    const NEEDS_ACTION_INDICES: bool = P::NEEDS_ACTION_INDICES;

    fn evaluate(
        &mut self,
        game: &G,
        state: &G::State,
        recorder: &mut impl Recorder,
        rng: &mut SearchRng,
    ) -> Utilities {
        let play = Play { game, rng: &mut *rng, plies: self.cut.plies };
        let (total, rest) = play.play(&mut self.policy, state.clone(), recorder);
        match rest {
            None => total,
            Some((state, weight)) => {
                let value = self.cut.evaluator.evaluate(game, &state, &mut Untraced, rng);
                total.plus(&value, weight)
            }
        }
    }

    fn learn(&mut self, trace: &Trace, utilities: &Utilities) {
        self.policy.learn(trace, utilities);
    }
}

/// A rollout of at most `plies` plies.
struct Play<'a, G> {
    game: &'a G,
    rng: &'a mut SearchRng,
    plies: u32,
}

impl<G: Game> Play<'_, G> {
    /// The utilities, and the state (with the weight of later rewards) if the game is not over
    /// then.
    fn play(
        self,
        policy: &mut (impl RolloutPolicy<G> + ?Sized),
        mut state: G::State,
        recorder: &mut impl Recorder,
    ) -> (Utilities, Option<(G::State, f32)>) {
        let Play { game, rng, plies } = self;
        let mut total = Utilities::ZERO;
        let mut weight = 1.0;
        for _ in 0..plies {
            let action = match game.turn(&state) {
                Turn::Over(utilities) => return (total.plus(&utilities, weight), None),
                Turn::Chance => {
                    recorder.record(|| TraceStep::CHANCE);
                    game.random_outcome(&state, rng)
                }
                Turn::Player(player) => {
                    let at = Situation { state: &state, player, played: recorder.steps() };
                    let Some(action) = policy.choose(game, &at, rng) else { return (total, None) };
                    recorder.record(|| TraceStep::new(player, game.action_index(action)));
                    action
                }
            };
            if G::HAS_REWARDS {
                let rewards = game.apply_with_rewards(&mut state, action);
                total = total.plus(&rewards, weight);
                weight *= game.discount();
            } else {
                game.apply(&mut state, action);
            }
        }
        (total, Some((state, weight)))
    }
}

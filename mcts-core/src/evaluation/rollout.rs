//! Playing on from a leaf.

use super::Evaluator;
use crate::game::{Game, Player, Turn, Utilities};
use crate::rng::SearchRng;

/// How players choose their actions in a rollout.
pub trait RolloutPolicy<G: Game> {
    /// The action of `player`, who is to move in `state`, where there is at least one legal action.
    fn choose(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        rng: &mut SearchRng,
    ) -> G::Action;

    /// Plays `state` to the end; what each player gets from here on.
    fn play_out(&mut self, game: &G, state: G::State, rng: &mut SearchRng) -> Utilities {
        let mut choose =
            |state: &G::State, player, rng: &mut SearchRng| self.choose(game, state, player, rng);
        play(game, state, u32::MAX, rng, &mut choose).0
    }

    /// Plays several states to the end; may change them.
    fn play_out_all(
        &mut self,
        game: &G,
        states: &mut [G::State],
        rng: &mut SearchRng,
        results: &mut [Utilities],
    ) {
        for (state, result) in states.iter().zip(results) {
            *result = self.play_out(game, state.clone(), rng);
        }
    }
}

/// Every legal action equally often.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Uniform;

impl<G: Game> RolloutPolicy<G> for Uniform {
    #[inline]
    fn choose(&mut self, game: &G, state: &G::State, _: Player, rng: &mut SearchRng) -> G::Action {
        game.random_action(state, rng)
    }

    #[inline]
    fn play_out(&mut self, game: &G, state: G::State, rng: &mut SearchRng) -> Utilities {
        game.rollout(state, rng)
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

/// Ends rollouts early: after so many plies the state is evaluated instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut<E> {
    /// Plies of the rollout before the cut.
    pub plies: u32,
    /// What the state at the cut is worth.
    pub evaluator: E,
}

/// Evaluates a leaf by the result of a game played on by a [`RolloutPolicy`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rollout<P = Uniform> {
    /// Who plays.
    pub policy: P,
    /// How many rollouts run interleaved (see [`Game::rollouts`]); 1 for one after another. More than one gathers
    /// as many leaves first, with a virtual loss on their paths.
    pub lanes: usize,
}

impl<P: Default> Default for Rollout<P> {
    /// One at a time.
    fn default() -> Self {
        Rollout { policy: P::default(), lanes: 1 }
    }
}

impl<P> Rollout<P> {
    /// The same rollouts, cut after so many plies.
    pub fn cut<E>(self, plies: u32, evaluator: E) -> CutRollout<P, E> {
        CutRollout { policy: self.policy, cut: Cut { plies, evaluator } }
    }
}

impl<G: Game, P: RolloutPolicy<G>> Evaluator<G> for Rollout<P> {
    fn lanes(&self) -> usize {
        self.lanes
    }

    #[inline]
    fn evaluate(&mut self, game: &G, state: &G::State, rng: &mut SearchRng) -> Utilities {
        self.policy.play_out(game, state.clone(), rng)
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
}

/// Evaluates a leaf by a rollout of a few plies and an evaluator where it is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutRollout<P, E> {
    /// Who plays.
    pub policy: P,
    /// Where the rollout ends.
    pub cut: Cut<E>,
}

impl<G: Game, P: RolloutPolicy<G>, E: Evaluator<G>> Evaluator<G> for CutRollout<P, E> {
    fn evaluate(&mut self, game: &G, state: &G::State, rng: &mut SearchRng) -> Utilities {
        let CutRollout { policy, cut } = self;
        let mut choose =
            |state: &G::State, player, rng: &mut SearchRng| policy.choose(game, state, player, rng);
        let (total, rest) = play(game, state.clone(), cut.plies, rng, &mut choose);
        match rest {
            None => total,
            Some((state, weight)) => total.plus(&cut.evaluator.evaluate(game, &state, rng), weight),
        }
    }
}

/// Plays at most `plies` actions; what each player got, and the state (with the weight of what comes after it)
/// if the game is not over then.
fn play<G: Game>(
    game: &G,
    mut state: G::State,
    plies: u32,
    rng: &mut SearchRng,
    choose: &mut impl FnMut(&G::State, Player, &mut SearchRng) -> G::Action,
) -> (Utilities, Option<(G::State, f32)>) {
    let mut total = Utilities::ZERO;
    let mut weight = 1.0;
    for _ in 0..plies {
        let action = match game.turn(&state) {
            Turn::Over(utilities) => return (total.plus(&utilities, weight), None),
            Turn::Chance => game.random_outcome(&state, rng),
            Turn::Player(player) => choose(&state, player, rng),
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

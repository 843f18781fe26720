//! Decisions of one player under partial observability: a POMDP as a generative model.

use crate::rng::{self, SearchRng};

/// A partially observable Markov decision process (Astrom, 1965) given by a simulator instead of
/// explicit probabilities (a generative model; Kearns, Mansour and Ng, 2000).
///
/// In each step the player acts, the state changes, she receives a reward, and she makes an
/// observation that depends on the action and the new state. A game of several players is a POMDP
/// for each of them if the others play fixed policies.
///
/// As with [`HiddenInformation`](super::HiddenInformation), everything that she has seen and done
/// is a [`View`](Self::View), of another type than the state.
pub trait Model {
    /// Everything that changes, hidden or not.
    type State: Clone;
    /// One choice of the player.
    type Action: Copy + Eq + core::fmt::Debug;
    /// What the player sees after a step.
    type Observation: Clone + PartialEq + core::fmt::Debug;
    /// All that she has seen and done and that is relevant for the state.
    type View: Clone + PartialEq + core::fmt::Debug;

    // --- required ---

    /// The lowest and the highest return (discounted sum of rewards) from any state.
    fn return_bounds(&self) -> (f32, f32);

    /// Whether there are no more decisions and rewards.
    fn is_over(&self, state: &Self::State) -> bool;

    /// Calls `visit` once for each legal action, always in the same order; at least one unless it
    /// is over.
    ///
    /// The player can compute her legal actions, so states consistent with one view have the same
    /// ones.
    fn actions(&self, state: &Self::State, visit: impl FnMut(Self::Action));

    /// Applies `action` and chance to `state`; returns the reward.
    fn step(&self, state: &mut Self::State, action: Self::Action, rng: &mut SearchRng) -> f32;

    /// Samples what the player sees after `action` has led to `state`; also called when it is over.
    fn observe(
        &self,
        state: &Self::State,
        action: Self::Action,
        rng: &mut SearchRng,
    ) -> Self::Observation;

    /// Probability of `observation` after `action` has led to `state`.
    fn likelihood(
        &self,
        state: &Self::State,
        action: Self::Action,
        observation: &Self::Observation,
    ) -> f32;

    /// A key of observations: equal observations have equal keys, different ones different keys
    /// except for rare collisions.
    fn observation_key(&self, observation: &Self::Observation) -> u64;

    /// Adds a step to the view.
    fn grow(&self, view: &mut Self::View, action: Self::Action, observation: &Self::Observation);

    /// Samples a state consistent with `view`, ideally with its probability given the view.
    fn determinize(&self, view: &Self::View, rng: &mut SearchRng) -> Self::State;

    // --- provided ---

    /// Weight of a reward in the next step relative to one now, in (0, 1].
    fn discount(&self) -> f32 {
        1.0
    }

    /// Number of legal actions.
    fn count_actions(&self, state: &Self::State) -> usize {
        let mut count = 0;
        self.actions(state, |_| count += 1);
        count
    }

    /// Samples a legal action uniformly.
    ///
    /// # Panics
    /// If there is none.
    fn random_action(&self, state: &Self::State, rng: &mut SearchRng) -> Self::Action {
        let mut left = rng::below(rng, self.count_actions(state));
        let mut drawn = None;
        self.actions(state, |action| {
            if left == 0 && drawn.is_none() {
                drawn = Some(action);
            }
            left = left.saturating_sub(1);
        });
        drawn.expect("there is a legal action")
    }
}

/// A [`Model`] with explicit transition probabilities, for exact beliefs.
pub trait ExplicitModel: Model<State: Ord> {
    /// Calls `visit` with each state that `action` can lead to and its probability; equal states
    /// may be visited more than once.
    fn successors(
        &self,
        state: &Self::State,
        action: Self::Action,
        visit: impl FnMut(Self::State, f32),
    );
}

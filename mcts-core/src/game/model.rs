//! Decisions of one player in a world that she does not see whole: a POMDP as a generative model.

use crate::rng::{self, SearchRng};

/// A partially observable Markov decision process (Astrom, 1965) that can be played but need not be written out
/// (a generative model; Kearns, Mansour and Ng, 2000).
///
/// In each step the player acts, the state changes, she earns a reward, and makes an observation that depends on
/// the action and the new state. A game of several players is one too from the chair of each, once the others
/// play by fixed policies.
///
/// As with [`HiddenInformation`](super::HiddenInformation), what she has seen and done is a
/// [`View`](Self::View), apart from the state by type.
pub trait Model {
    /// Everything that changes, hidden or not.
    type State: Clone;
    /// One choice of the player.
    type Action: Copy + Eq + core::fmt::Debug;
    /// What the player sees after a step.
    type Observation: Clone + PartialEq + core::fmt::Debug;
    /// All that she has seen and done, as far as it tells of the state.
    type View: Clone + PartialEq + core::fmt::Debug;

    // --- required ---

    /// The lowest and the highest return (discounted sum of rewards) from any state on.
    fn return_bounds(&self) -> (f32, f32);

    /// Whether there is nothing to decide or to earn any more.
    fn is_over(&self, state: &Self::State) -> bool;

    /// Calls `visit` once for each legal action, always in the same order; at least one unless it is over.
    ///
    /// The player knows what she may do, so states that agree with one view have the same legal actions.
    fn actions(&self, state: &Self::State, visit: impl FnMut(Self::Action));

    /// Changes `state` by `action` and by chance; the reward.
    fn step(&self, state: &mut Self::State, action: Self::Action, rng: &mut SearchRng) -> f32;

    /// Draws what the player sees after `action` has led to `state`; also when it is over.
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

    /// A number that tells observations apart: equal ones have equal keys, others, but for rare accidents,
    /// different ones.
    fn observation_key(&self, observation: &Self::Observation) -> u64;

    /// Adds a step to the view.
    fn grow(&self, view: &mut Self::View, action: Self::Action, observation: &Self::Observation);

    /// Draws a state that agrees with all of `view`, as nearly as the model can with its probability given the
    /// view.
    fn determinize(&self, view: &Self::View, rng: &mut SearchRng) -> Self::State;

    // --- provided ---

    /// Weight of a reward one step later against one now, in (0, 1].
    fn discount(&self) -> f32 {
        1.0
    }

    /// Number of legal actions.
    fn count_actions(&self, state: &Self::State) -> usize {
        let mut count = 0;
        self.actions(state, |_| count += 1);
        count
    }

    /// Draws one legal action uniformly.
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

/// A [`Model`] whose chances can be written out, for exact beliefs.
pub trait ExplicitModel: Model<State: Ord> {
    /// Calls `visit` with each state that `action` can lead to and its probability; equal states may come more
    /// than once.
    fn successors(
        &self,
        state: &Self::State,
        action: Self::Action,
        visit: impl FnMut(Self::State, f32),
    );
}

//! Phase 3: what a leaf is worth.

mod knowledge;
mod rollout;

pub use knowledge::{Knowledge, Prior};
pub use rollout::{Cut, Rollout, RolloutPolicy, Uniform};

use crate::game::{Game, Utilities};
use crate::rng::SearchRng;

/// Gives a state that the tree has just reached its value.
pub trait Evaluator<G: Game> {
    /// How many leaves the search should gather before it asks for their values together.
    fn lanes(&self) -> usize {
        1
    }

    /// What each player can expect from `state` on, within the utility bounds of the game. If the game is over in
    /// `state`, exactly the utilities of the end.
    fn evaluate(&mut self, game: &G, state: &G::State, rng: &mut SearchRng) -> Utilities;

    /// [`evaluate`](Evaluator::evaluate) for several states at once; may change them.
    fn evaluate_all(
        &mut self,
        game: &G,
        states: &mut [G::State],
        rng: &mut SearchRng,
        results: &mut [Utilities],
    ) {
        for (state, result) in states.iter().zip(results) {
            *result = self.evaluate(game, state, rng);
        }
    }
}

/// Any function of game and state is an evaluator.
impl<G: Game, F: FnMut(&G, &G::State) -> Utilities> Evaluator<G> for F {
    fn evaluate(&mut self, game: &G, state: &G::State, _: &mut SearchRng) -> Utilities {
        match game.turn(state) {
            crate::game::Turn::Over(utilities) => utilities,
            _ => self(game, state),
        }
    }
}

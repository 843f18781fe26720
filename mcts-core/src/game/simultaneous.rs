//! Moves at the same time.

use super::Game;

/// A game in which players choose at the same time.
///
/// The rules let the players of one moment act one after another, as in any [`Game`]; what makes them simultaneous
/// is that each chooses without knowing what the others chose in the same moment. So neither who acts in a moment nor
/// the legal actions there may depend on the choices made in it. `testing::check_simultaneous` compares.
pub trait Simultaneous: Game {
    /// Whether the player to move in `state` chooses at the same time as the player who acted just before.
    fn is_same_moment(&self, state: &Self::State) -> bool;
}

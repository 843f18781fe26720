//! Simultaneous moves.

use super::Game;

/// A game with simultaneous moves.
///
/// In the rules the players of one moment act one after another, as in any [`Game`]; they are
/// simultaneous because each chooses without information about the other choices of the moment.
/// Therefore neither the players of a moment nor their legal actions may depend on the choices made
/// in it. `testing::check_simultaneous` checks this.
pub trait Simultaneous: Game {
    /// Whether the player to move in `state` chooses simultaneously with the player who acted just
    /// before.
    fn is_same_moment(&self, state: &Self::State) -> bool;
}

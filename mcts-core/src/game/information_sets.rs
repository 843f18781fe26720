//! What a player knows, told from a state.

use super::{HiddenInformation, Player};

/// Hidden information of a game whose states remember enough to tell what each player has seen.
///
/// That lets a search keep what it learns by information sets, those of the opponents included, in states that it
/// has drawn itself. `testing::check_information_sets` compares keys with views.
pub trait InformationSets: HiddenInformation {
    /// A well-mixed number for all that `player` has seen and done when the truth is `state`: equal for states that
    /// she cannot tell apart, and different, but for rare accidents, for others.
    fn information_key(&self, state: &Self::State, player: Player) -> u64;
}

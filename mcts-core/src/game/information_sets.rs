//! Keys of information sets, computed from a state.

use super::{HiddenInformation, Player};

/// Hidden information of a game whose states store enough to determine what each player has seen.
///
/// A search can then store statistics by information set, those of the opponents included, in
/// states that it has sampled itself. `testing::check_information_sets` compares keys with views.
pub trait InformationSets: HiddenInformation {
    /// A well-mixed key of everything that `player` has seen and done in `state`: equal for states
    /// in the same information set, and different for others except for rare collisions.
    fn information_key(&self, state: &Self::State, player: Player) -> u64;
}

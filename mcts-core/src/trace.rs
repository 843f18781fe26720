//! The actions of a playout with their players: plain numbers for the parts that learn from whole
//! playouts.

use crate::game::{MAX_PLAYERS, Player};
use alloc::vec::Vec;
use core::num::NonZeroU32;

/// One action of a playout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceStep {
    /// One more than the index.
    index_above: Option<NonZeroU32>,
    player: Player,
}

impl TraceStep {
    /// An outcome of chance; it has no index, and its player has no meaning.
    pub const CHANCE: TraceStep = TraceStep { index_above: None, player: Player::FIRST };

    /// An action of `player` with its [`action_index`](crate::Game::action_index), or `None` for a
    /// pass.
    #[inline]
    #[must_use]
    pub fn new(player: Player, index: Option<usize>) -> Self {
        TraceStep { index_above: index.and_then(|index| NonZeroU32::new(index as u32 + 1)), player }
    }

    /// The player of the action.
    #[inline]
    #[must_use]
    pub fn player(self) -> Player {
        self.player
    }

    /// The action's index; `None` for a pass and for an outcome of chance.
    #[inline]
    #[must_use]
    pub fn index(self) -> Option<usize> {
        self.index_above.map(|above| above.get() as usize - 1)
    }
}

/// The actions of one playout in order, those in the tree first; reused for every playout.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trace {
    steps: Vec<TraceStep>,
}

impl Trace {
    /// An empty trace.
    pub const EMPTY: Trace = Trace { steps: Vec::new() };

    /// Removes the steps and keeps the memory.
    #[inline]
    pub fn clear(&mut self) {
        self.steps.clear();
    }

    /// Adds a step to the end.
    #[inline]
    pub fn push(&mut self, step: TraceStep) {
        self.steps.push(step);
    }

    /// Copies the steps of another trace into the memory of this one.
    #[cfg(feature = "parallel")]
    pub(crate) fn copy_from(&mut self, other: &Trace) {
        self.steps.clone_from(&other.steps);
    }

    /// The steps in their order.
    #[inline]
    #[must_use]
    pub fn steps(&self) -> &[TraceStep] {
        &self.steps
    }
}

/// Receives the actions of a rollout as they are played.
///
/// Rollouts are generic over the recorder: [`Trace`] stores the actions, [`Untraced`] ignores them.
/// With the latter a rollout is compiled without a trace.
///
/// ```
/// # use mcts_core::{Player, trace::{Recorder, Trace, TraceStep, Untraced}};
/// fn play(recorder: &mut impl Recorder) {
///     recorder.record(|| TraceStep::new(Player::FIRST, Some(3)));
/// }
/// let mut trace = Trace::default();
/// play(&mut trace);
/// play(&mut Untraced);
/// assert_eq!(trace.steps(), [TraceStep::new(Player::FIRST, Some(3))]);
/// ```
pub trait Recorder {
    /// Adds the result of `step`; a recorder that stores nothing does not call it.
    fn record(&mut self, step: impl FnOnce() -> TraceStep);

    /// The steps so far, from the root of the search; empty if they are not stored.
    fn steps(&self) -> &[TraceStep];
}

impl Recorder for Trace {
    #[inline]
    fn record(&mut self, step: impl FnOnce() -> TraceStep) {
        self.steps.push(step());
    }

    #[inline]
    fn steps(&self) -> &[TraceStep] {
        &self.steps
    }
}

/// The [`Recorder`] that stores nothing, at no cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Untraced;

impl Recorder for Untraced {
    #[inline]
    fn record(&mut self, _: impl FnOnce() -> TraceStep) {}

    #[inline]
    fn steps(&self) -> &[TraceStep] {
        &[]
    }
}

/// A value for each action of each player, flat and by [`action_index`](crate::Game::action_index); the default
/// value where nothing was noted. Grows when a new action is written.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionTable<T> {
    by_player: [Vec<T>; MAX_PLAYERS],
}

impl<T> Default for ActionTable<T> {
    fn default() -> Self {
        ActionTable { by_player: [const { Vec::new() }; MAX_PLAYERS] }
    }
}

impl<T: Copy + Default> ActionTable<T> {
    /// The value for an action of a player.
    #[inline]
    #[must_use]
    pub fn of(&self, player: Player, index: usize) -> T {
        self.by_player[player.index() % MAX_PLAYERS].get(index).copied().unwrap_or_default()
    }

    /// The value for an action of a player, mutable.
    #[inline]
    pub fn entry(&mut self, player: Player, index: usize) -> &mut T {
        let values = &mut self.by_player[player.index() % MAX_PLAYERS];
        if index >= values.len() {
            values.resize(index + 1, T::default());
        }
        &mut values[index]
    }

    /// Every stored value, mutable.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.by_player.iter_mut().flatten()
    }
}

/// The actions of each player that were seen since the last [`clear`](ActionSet::clear).
#[derive(Debug, Clone, Default)]
pub(crate) struct ActionSet {
    met: ActionTable<u64>,
    members: Vec<TraceStep>,
}

/// Number of actions in one word.
const IN_A_WORD: usize = u64::BITS as usize;

impl ActionSet {
    /// Takes a word for every 64 indices up to the greatest that was ever seen, which are few
    /// ([`action_indices`](crate::Game::action_indices)).
    pub(crate) fn clear(&mut self) {
        self.members.clear();
        self.met.values_mut().for_each(|word| *word = 0);
    }

    /// Adds the action of a step, if it has an index; returns whether it is new.
    #[inline]
    pub(crate) fn insert(&mut self, step: TraceStep) -> bool {
        let Some(index) = step.index() else { return false };
        let word = self.met.entry(step.player(), index / IN_A_WORD);
        let bit = 1 << (index % IN_A_WORD);
        let is_new = *word & bit == 0;
        if is_new {
            *word |= bit;
            self.members.push(step);
        }
        is_new
    }

    /// Each of the actions once, in the order in which they were added.
    #[inline]
    pub(crate) fn members(&self) -> &[TraceStep] {
        &self.members
    }

    /// The actions of one player.
    #[inline]
    pub(crate) fn of(&self, player: Player) -> ActionsMet<'_> {
        ActionsMet { words: &self.met.by_player[player.index() % MAX_PLAYERS] }
    }
}

/// The actions of one player in an [`ActionSet`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct ActionsMet<'a> {
    words: &'a [u64],
}

impl ActionsMet<'_> {
    #[inline]
    pub(crate) fn contains(self, index: usize) -> bool {
        let word = self.words.get(index / IN_A_WORD).copied().unwrap_or(0);
        word >> (index % IN_A_WORD) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_tells_its_player_and_index() {
        let step = TraceStep::new(Player(3), Some(0));
        assert_eq!((step.player(), step.index()), (Player(3), Some(0)));
        assert_eq!(TraceStep::new(Player(1), None).index(), None);
        assert_eq!(TraceStep::CHANCE.index(), None);
        assert_eq!(size_of::<TraceStep>(), 8);
    }

    #[test]
    fn a_set_of_actions_is_emptied_and_tells_players_apart() {
        let mut set = ActionSet::default();
        set.clear();
        let step = TraceStep::new(Player::FIRST, Some(5));
        assert!(set.insert(step) && !set.insert(step) && !set.insert(TraceStep::CHANCE));
        assert_eq!(set.members(), [step]);
        assert!(set.of(Player::FIRST).contains(5));
        assert!(!set.of(Player::SECOND).contains(5));
        set.clear();
        assert!(!set.of(Player::FIRST).contains(5));
    }

    #[test]
    fn a_table_gives_the_default_where_nothing_was_noted() {
        let mut table = ActionTable::<u32>::default();
        *table.entry(Player::SECOND, 7) += 2;
        assert_eq!(table.of(Player::SECOND, 7), 2);
        assert_eq!(table.of(Player::SECOND, 900), 0);
        assert_eq!(table.of(Player::FIRST, 7), 0);
    }
}

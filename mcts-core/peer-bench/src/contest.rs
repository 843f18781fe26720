//! The rules that every search uses, and the shared parts of the adapters.

use arrayvec::ArrayVec;
use std::cell::Cell;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use mcts_core::trace::{Recorder, Untraced};
use mcts_core::{Game, Player, SearchRng, Turn, Utilities, rng};

/// A state of a two-player game whose players alternate.
pub(crate) trait Contest: Copy + Eq + fmt::Debug + Send + Sync + 'static {
    /// One move.
    type Action: Copy + Eq + fmt::Debug + Send + Sync + 'static;
    /// The rules.
    type Rules: Game<State = Self, Action = Self::Action> + Default + Copy + Send;

    /// The player to move; ignores whether the game is over.
    fn mover(&self) -> Player;
}

impl Contest for games::reversi::Position {
    type Action = games::reversi::Action;
    type Rules = games::reversi::Reversi;

    #[inline]
    fn mover(&self) -> Player {
        self.side().into()
    }
}

impl Contest for games::connect_four::Position {
    type Action = u8;
    type Rules = games::connect_four::ConnectFour;

    #[inline]
    fn mover(&self) -> Player {
        if self.is_first_to_move() { Player::FIRST } else { Player::SECOND }
    }
}

/// Upper bound on the number of actions of a state.
pub(crate) const MOST_ACTIONS: usize = 40;

thread_local! {
    /// Number of rollouts of this thread. A counter shared by threads would slow them down.
    static ROLLOUTS: Cell<u64> = const { Cell::new(0) };
}

/// The seed of this process, from which all rollouts are sampled.
static SEED: AtomicU64 = AtomicU64::new(0);

/// Sets the seed, before any search.
pub(crate) fn set_seed(seed: u64) {
    SEED.store(seed, Ordering::Relaxed);
}

/// The seed.
pub(crate) fn seed() -> u64 {
    SEED.load(Ordering::Relaxed)
}

#[inline]
fn count(rollouts: usize) {
    ROLLOUTS.set(ROLLOUTS.get() + rollouts as u64);
}

/// Number of rollouts of the calling thread so far.
pub(crate) fn rollouts_so_far() -> u64 {
    ROLLOUTS.get()
}

/// The rules of a contest; counts every rollout.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counted<S: Contest>(S::Rules);

impl<S: Contest> Counted<S> {
    #[inline]
    pub(crate) fn new() -> Self {
        Counted(S::Rules::default())
    }
}

impl<S: Contest> Game for Counted<S> {
    type State = S;
    type Action = S::Action;

    fn start(&self) -> S {
        self.0.start()
    }

    #[inline]
    fn turn(&self, state: &S) -> Turn {
        self.0.turn(state)
    }

    #[inline]
    fn actions(&self, state: &S, visit: impl FnMut(S::Action)) {
        self.0.actions(state, visit);
    }

    #[inline]
    fn apply(&self, state: &mut S, action: S::Action) {
        self.0.apply(state, action);
    }

    #[inline]
    fn action_index(&self, action: S::Action) -> Option<usize> {
        self.0.action_index(action)
    }

    fn action_indices(&self) -> usize {
        self.0.action_indices()
    }

    #[inline]
    fn count_actions(&self, state: &S) -> usize {
        self.0.count_actions(state)
    }

    #[inline]
    fn nth_action(&self, state: &S, n: usize) -> S::Action {
        self.0.nth_action(state, n)
    }

    #[inline]
    fn random_action(&self, state: &S, rng: &mut SearchRng) -> S::Action {
        self.0.random_action(state, rng)
    }

    #[inline]
    fn rollout(&self, state: S, recorder: &mut impl Recorder, rng: &mut SearchRng) -> Utilities {
        count(1);
        self.0.rollout(state, recorder, rng)
    }

    #[inline]
    fn rollouts(&self, states: &mut [S], rng: &mut SearchRng, results: &mut [Utilities]) {
        count(states.len());
        self.0.rollouts(states, rng, results);
    }
}

thread_local! {
    static GENERATOR: Cell<Option<SearchRng>> = const { Cell::new(None) };
}

/// A rollout for searches that cannot store a generator.
#[inline]
pub(crate) fn rollout<S: Contest>(state: S) -> Utilities {
    GENERATOR.with(|generator| {
        let mut rng = generator.take().unwrap_or_else(|| rng::stream(seed(), 1));
        let utilities = Counted::<S>::new().rollout(state, &mut Untraced, &mut rng);
        generator.set(Some(rng));
        utilities
    })
}

/// A state with the traits that the crates require.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Board<S>(pub(crate) S);

impl<S: fmt::Debug> fmt::Display for Board<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl<S: Contest> Board<S> {
    /// The utilities, if the game is over.
    #[inline]
    pub(crate) fn result(&self) -> Option<Utilities> {
        match Counted::<S>::new().turn(&self.0) {
            Turn::Over(utilities) => Some(utilities),
            Turn::Chance | Turn::Player(_) => None,
        }
    }

    /// The legal actions; none if the game is over.
    #[inline]
    pub(crate) fn actions_unless_over(&self) -> ArrayVec<S::Action, MOST_ACTIONS> {
        let mut actions = ArrayVec::new();
        if self.result().is_none() {
            Counted::<S>::new().actions(&self.0, |action| actions.push(action));
        }
        actions
    }

    /// The state after an action.
    #[inline]
    pub(crate) fn after(mut self, action: S::Action) -> Self {
        Counted::<S>::new().apply(&mut self.0, action);
        self
    }
}

/// An action with the traits that the crates require.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Move<A>(pub(crate) A);

impl<A: fmt::Debug> fmt::Display for Move<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// The generator of a search with one for each thread.
#[derive(Debug, Clone)]
pub(crate) struct Generator(SearchRng);

impl Default for Generator {
    fn default() -> Self {
        Generator(rng::stream(seed(), 1))
    }
}

impl Generator {
    /// The value of a new node: its result or that of a rollout.
    #[inline]
    pub(crate) fn value<S: Contest>(&mut self, board: &Board<S>) -> Utilities {
        board
            .result()
            .unwrap_or_else(|| Counted::<S>::new().rollout(board.0, &mut Untraced, &mut self.0))
    }
}

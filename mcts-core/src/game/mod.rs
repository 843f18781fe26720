//! The contract of a game: [`Game`] and its plain values.
//!
//! This module names no search, no tree and no particular game.

mod chair;
mod hidden;
mod information_sets;
mod margin;
mod model;
mod simultaneous;
mod utilities;

pub use chair::{Chair, ChairObservation, ChairState};
pub use hidden::HiddenInformation;
pub use information_sets::InformationSets;
pub use margin::Margin;
pub use model::{ExplicitModel, Model};
pub use simultaneous::Simultaneous;
pub(crate) use utilities::finite;
pub use utilities::{Exact, MAX_PLAYERS, Player, Utilities};

use crate::rng::{self, SearchRng};
use crate::trace::{Recorder, TraceStep, Untraced};

/// The player to move, or how the game ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Turn {
    /// This player chooses the next action.
    Player(Player),
    /// Chance chooses the next action, see [`Game::outcomes`].
    Chance,
    /// The game is over, with each player's utility; see [`Game::UTILITY_BOUNDS`].
    Over(Utilities),
}

/// The rules of a game as a value.
///
/// Constants of a game (a map, scores of cells, options) are stored in the value that implements
/// this trait, so that a [`State`](Game::State) is small and cheap to copy.
///
/// Four methods are required. The others have correct defaults; a game overrides one for speed, or
/// because some searches need it ([`action_index`](Game::action_index), [`hash`](Game::hash)), and
/// `testing::check_game` compares every override with its default.
///
/// A player may move several times in a row, and there may be one to [`MAX_PLAYERS`] players. A
/// pass is an ordinary action whose [`action_index`](Game::action_index) is `None`.
pub trait Game {
    /// The state of a game; ideally `Copy` and below a hundred bytes.
    type State: Clone + PartialEq;
    /// One legal choice of a player or of chance; with at most four bytes a node of the tree has 24
    /// bytes.
    type Action: Copy + Eq + core::fmt::Debug;

    /// Number of players, 1 to [`MAX_PLAYERS`].
    const PLAYERS: usize = 2;

    /// Whether the utilities of all players always sum to zero. Only read for two players.
    const ZERO_SUM: bool = Self::PLAYERS == 2;

    /// The lowest and the highest utility (rewards included) that a player can reach.
    const UTILITY_BOUNDS: (f32, f32) = (-1.0, 1.0);

    /// Whether [`apply_with_rewards`](Game::apply_with_rewards) ever returns anything but zero.
    const HAS_REWARDS: bool = false;

    // --- required ---

    /// The start state of a game under these rules.
    fn start(&self) -> Self::State;

    /// The player to move in `state`, or how the game ended.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Calls `visit` once for each legal action of `state`, always in the same order.
    ///
    /// At least one unless the game is over; not called for a game that is over. At a chance node
    /// the actions are the outcomes with positive probability.
    fn actions(&self, state: &Self::State, visit: impl FnMut(Self::Action));

    /// Applies `action` to `state` in place. The action must be legal; debug builds may assert it.
    fn apply(&self, state: &mut Self::State, action: Self::Action);

    // --- provided: numbers of actions ---

    /// An index below [`action_indices`](Game::action_indices), the same for "the same" action in
    /// every state, so that statistics of actions are flat arrays; `None` for a pass and for
    /// outcomes of chance, which have no such statistics.
    ///
    /// Needed by parts that compare an action with the same action elsewhere (RAVE, GRAVE,
    /// progressive history, MAST, last good replies); without it [`Uct::check`](crate::Uct::check)
    /// rejects such a part.
    fn action_index(&self, action: Self::Action) -> Option<usize> {
        let _ = action;
        None
    }

    /// The number of indices of [`action_index`](Game::action_index); small and dense. 0 if actions
    /// have none.
    fn action_indices(&self) -> usize {
        0
    }

    // --- provided: rewards and chance ---

    /// Applies `action` and returns each player's reward, in addition to the utilities at the end.
    ///
    /// Called instead of [`apply`](Game::apply) if [`HAS_REWARDS`](Game::HAS_REWARDS) is true.
    fn apply_with_rewards(&self, state: &mut Self::State, action: Self::Action) -> Utilities {
        self.apply(state, action);
        Utilities::ZERO
    }

    /// Weight of a reward one action later relative to one now, in (0, 1]; a search rejects other
    /// values.
    fn discount(&self) -> f32 {
        1.0
    }

    /// Calls `visit` with each outcome of a chance node and its probability; uniform by default.
    ///
    /// At least one outcome. The probabilities are positive and sum to 1; otherwise no exact value
    /// is proven by them.
    fn outcomes(&self, state: &Self::State, mut visit: impl FnMut(Self::Action, f32)) {
        let probability = 1.0 / self.count_actions(state) as f32;
        self.actions(state, |action| visit(action, probability));
    }

    /// Samples an outcome of a chance node by the probabilities of [`outcomes`](Game::outcomes).
    ///
    /// In the default, negative and NaN probabilities count as zero, the last outcome gets the
    /// missing probability, and outcomes beyond a sum of 1 never occur.
    ///
    /// # Panics
    /// If there is no outcome, which is a fault of the rules that `testing::check_game` finds.
    fn random_outcome(&self, state: &Self::State, rng: &mut SearchRng) -> Self::Action {
        let mut left = rng::unit(rng);
        let mut drawn = None;
        self.outcomes(state, |action, probability| {
            if left >= 0.0 {
                drawn = Some(action);
                left -= if probability > 0.0 { probability } else { 0.0 };
            }
        });
        drawn.expect("where `turn` is chance, `outcomes` gives at least one outcome")
    }

    // --- provided: faster ways to say the same ---

    /// Number of legal actions of `state`.
    fn count_actions(&self, state: &Self::State) -> usize {
        let mut count = 0;
        self.actions(state, |_| count += 1);
        count
    }

    /// The `n`-th legal action in the order of [`actions`](Game::actions), from zero.
    ///
    /// # Panics
    /// If there are no more than `n` legal actions.
    fn nth_action(&self, state: &Self::State, n: usize) -> Self::Action {
        let mut found = None;
        let mut at = 0;
        self.actions(state, |action| {
            if at == n {
                found = Some(action);
            }
            at += 1;
        });
        found.expect("n is below the number of legal actions")
    }

    /// Samples a legal action of a player uniformly.
    fn random_action(&self, state: &Self::State, rng: &mut SearchRng) -> Self::Action {
        let n = rng::below(rng, self.count_actions(state));
        self.nth_action(state, n)
    }

    /// Plays uniformly random actions from `state` to the end; returns the utilities (with rewards,
    /// the discounted returns) from here on.
    ///
    /// Gives `recorder` each action, passes and outcomes of chance included. A state without legal
    /// actions that is not over (a fault of the rules) ends the rollout with utility zero for all
    /// players.
    ///
    /// An override may consume the generator differently, but must have the same distribution of
    /// results, and the recorded actions must lead to the result. A recorder that stores nothing
    /// costs nothing, see [`Recorder`].
    fn rollout(
        &self,
        state: Self::State,
        recorder: &mut impl Recorder,
        rng: &mut SearchRng,
    ) -> Utilities {
        random_game(self, state, recorder, rng)
    }

    /// Plays one [`rollout`](Game::rollout) from each of `states` and writes its result to the same
    /// index of `results`; an override interleaves them in one thread to hide latencies of the
    /// processor.
    ///
    /// Must have the distribution of independent rollouts, and may change `states`.
    fn rollouts(&self, states: &mut [Self::State], rng: &mut SearchRng, results: &mut [Utilities]) {
        for (state, result) in states.iter().zip(results) {
            *result = self.rollout(state.clone(), &mut Untraced, rng);
        }
    }

    /// A hash of everything in `state` that the future depends on, side to move included; `None` if
    /// the game has none.
    fn hash(&self, state: &Self::State) -> Option<u64> {
        let _ = state;
        None
    }
}

/// A uniformly random game from `state` to the end.
#[inline]
fn random_game<G: Game + ?Sized>(
    game: &G,
    mut state: G::State,
    recorder: &mut impl Recorder,
    rng: &mut SearchRng,
) -> Utilities {
    let mut total = Utilities::ZERO;
    let mut weight = 1.0;
    loop {
        let action = match game.turn(&state) {
            Turn::Over(utilities) if !G::HAS_REWARDS => return utilities,
            Turn::Over(utilities) => return total.plus(&utilities, weight),
            Turn::Player(_) if game.count_actions(&state) == 0 => return total,
            Turn::Player(player) => {
                let action = game.random_action(&state, rng);
                recorder.record(|| TraceStep::new(player, game.action_index(action)));
                action
            }
            Turn::Chance => {
                recorder.record(|| TraceStep::CHANCE);
                game.random_outcome(&state, rng)
            }
        };
        if G::HAS_REWARDS {
            let rewards = game.apply_with_rewards(&mut state, action);
            total = total.plus(&rewards, weight);
            weight *= game.discount();
        } else {
            game.apply(&mut state, action);
        }
    }
}

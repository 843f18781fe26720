//! Alpha-beta: exact minimax to a depth limit, deepened step by step.
//!
//! The alternative to Monte Carlo tree search where positions can be evaluated without search, and an exact solver of
//! endings. For one-player games and two-player zero-sum games without rewards along the way; chance nodes are
//! searched by expectation, without cutoffs across them.

mod descent;
mod evaluation;
mod ordering;
mod root;
mod score;
mod table;

pub use evaluation::{Horizon, NoEvaluation, StaticEvaluation};

use crate::game::Game;
use crate::search::Depths;
use alloc::vec::Vec;
use descent::Frame;
use ordering::{Candidate, Ordering};
use root::Root;
use score::Scale;
use table::Table;

/// The parts of an alpha-beta search; [`AlphaBeta::search`] puts them to work on a game.
///
/// Principal variation search (Marsland and Campbell, 1982) with iterative deepening, a transposition table
/// (Greenblatt, Eastlake and Crocker, 1967), aspiration windows, the killer and history heuristics, quiescence by the
/// evaluation's forcing actions, and late move reductions. A move that leaves the same player to move is searched
/// without a change of sign. With [`NoEvaluation`] and no depth limit it is an exact solver of endings.
///
/// ```
/// # use mcts_core::{Game, Player, Turn, Utilities};
/// # #[derive(Clone)]
/// # struct Nim;
/// # impl Game for Nim {
/// #     type State = (u8, Player);
/// #     type Action = u8;
/// #     fn start(&self) -> (u8, Player) { (15, Player::FIRST) }
/// #     fn turn(&self, &(left, player): &(u8, Player)) -> Turn {
/// #         if left == 0 { Turn::Over(Utilities::win(player.opponent())) } else { Turn::Player(player) }
/// #     }
/// #     fn actions(&self, &(left, _): &(u8, Player), visit: impl FnMut(u8)) { (1..=left.min(3)).for_each(visit) }
/// #     fn apply(&self, state: &mut (u8, Player), taken: u8) { *state = (state.0 - taken, state.1.opponent()) }
/// #     fn hash(&self, &(left, player): &(u8, Player)) -> Option<u64> { Some(u64::from(left) * 2 + u64::from(player.0)) }
/// # }
/// use mcts_core::{AlphaBeta, Budget, NoClock, Search, StopReason};
///
/// let mut search = AlphaBeta::default().search(Nim);
/// let report = search.run_with_clock(&Nim.start(), &Budget::UNLIMITED, &NoClock)?;
/// assert_eq!((report.best, report.value(), report.stopped_by), (3, Some(1.0), StopReason::Proven));
///
/// // any function of game and state is an evaluation: the utility for the player to move
/// let evaluation = |_: &Nim, &(left, _): &(u8, Player)| if left % 4 == 0 { -0.5 } else { 0.5 };
/// let parts = AlphaBeta { depth: Some(2), ..AlphaBeta::default() }.with_evaluation(evaluation);
/// let report = parts.search(Nim).run_with_clock(&Nim.start(), &Budget::UNLIMITED, &NoClock)?;
/// assert_eq!((report.best, report.stopped_by), (3, StopReason::Depth));
/// # Ok::<(), mcts_core::SearchError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AlphaBeta<V = NoEvaluation> {
    /// The value of positions at the depth limit, and hints for the order of actions.
    pub evaluation: V,
    /// Most plies of an iteration before quiescence; `None` deepens until the value is proven or the budget is used.
    pub depth: Option<u32>,
    /// Half the width of the aspiration window around the value of the iteration before, as a utility; 0 searches
    /// every iteration with the full window.
    pub window: f32,
    /// How much less deep late actions are searched at first.
    pub reductions: Reductions,
    /// Bytes of the transposition table, rounded down to a power of two of 64-byte buckets.
    pub memory_cap_bytes: usize,
}

/// Late move reductions: an action that comes late in the order is searched less deep, and again at full depth if it
/// turns out to be better than the best before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reductions {
    /// Actions of each position that are always searched at full depth.
    pub full: u32,
    /// Least depth at which actions are reduced.
    pub least_depth: u32,
    /// Plies less for the others; 0 reduces nothing, which makes values exact minimax values of their depth.
    pub plies: u32,
}

impl Reductions {
    /// Every action at full depth.
    pub const NONE: Reductions = Reductions { full: 0, least_depth: 0, plies: 0 };
}

impl Default for AlphaBeta {
    /// Ends of the game alone, no depth limit, no reductions, 64 MiB.
    fn default() -> Self {
        AlphaBeta {
            evaluation: NoEvaluation,
            depth: None,
            window: 0.1,
            reductions: Reductions::NONE,
            memory_cap_bytes: 64 << 20,
        }
    }
}

impl<V> AlphaBeta<V> {
    /// The same parts except the evaluation.
    #[must_use]
    pub fn with_evaluation<W>(self, evaluation: W) -> AlphaBeta<W> {
        let AlphaBeta { depth, window, reductions, memory_cap_bytes, .. } = self;
        AlphaBeta { evaluation, depth, window, reductions, memory_cap_bytes }
    }

    /// A search of `game` with these parts.
    ///
    /// Does not compile for games with rewards along the way, for more than two players, or for two players whose
    /// utilities do not add up to zero.
    pub fn search<G: Game>(self, game: G) -> AlphaBetaSearch<G, V>
    where
        V: StaticEvaluation<G>,
    {
        const {
            assert!(!G::HAS_REWARDS, "alpha-beta does not know rewards along the way");
            assert!(
                G::PLAYERS == 1 || (G::PLAYERS == 2 && G::ZERO_SUM),
                "alpha-beta needs one player, or two whose utilities add up to zero"
            );
        }
        AlphaBetaSearch {
            scale: Scale::new(G::UTILITY_BOUNDS),
            table: Table::with_bytes(self.memory_cap_bytes),
            ordering: Ordering::new(&game),
            frames: Vec::new(),
            candidates: Vec::new(),
            lines: Vec::new(),
            root: None,
            visited: 0,
            depths: Depths::default(),
            game,
            parts: self,
        }
    }
}

/// An alpha-beta search of one game; keeps its table from move to move.
///
/// A playout is a node: a position that is visited. The search keeps its own stack, so it can stop at any node and go
/// on later, and the result depends on the number of nodes alone.
///
/// In its report an action's visits are the nodes below it. The value of the action to play is its minimax value at the
/// depth that was reached; that of any other action is an upper bound of its value.
#[derive(Debug)]
pub struct AlphaBetaSearch<G: Game, V = NoEvaluation> {
    game: G,
    parts: AlphaBeta<V>,
    scale: Scale,
    table: Table,
    ordering: Ordering<G::Action>,
    /// The positions from the root to the one that is searched now.
    frames: Vec<Frame<G::State>>,
    /// The actions of the positions in `frames`, one after the other.
    candidates: Vec<Candidate<G::Action>>,
    /// The principal variation of each position in `frames`.
    lines: Vec<Vec<G::Action>>,
    root: Option<Root<G>>,
    /// Nodes of the search from the present root.
    visited: u64,
    depths: Depths,
}

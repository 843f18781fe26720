//! Monte Carlo tree search, generic over a [`Game`].
//!
//! A playout has four phases, each with exchangeable parts:
//!
//! ```text
//!        selection          expansion          evaluation            backup
//!            o                  o                  o                   o  +
//!           / \                / \                / \                 / \
//!          o   o              o   o              o   o               o   o  +
//!             / \                / \                / \                 / \
//!            o   o              o   o              o   o               o   o  +
//!                                  /                  /                   /
//!                                 o  new             o ~~~~> end         o  +
//! ```
//!
//! Reading order: [`game`] (the contract of a game), [`search::uct`] (the loop), [`selection`],
//! [`expansion`], [`evaluation`], [`backup`], [`final_action`], then [`tree`], [`budget`] and
//! [`report`].
//!
//! The crate does no I/O, has no global state, and starts threads only in `search::parallel`. With
//! equal seeds, states and playout budgets a search gives equal reports on every machine, on
//! several threads as on one; the exception is `TreeParallel`, whose threads have no fixed
//! schedule.
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `std` (default) | the clocks of the system: `SystemClock` and [`Search::run`] |
//! | `parallel` | `search::parallel`: several threads for one decision |
//! | `serde` | [`Report`] and its parts as data |
//! | `testing` | `testing`: checks of games and evaluators, and small games with known values |
//!
//! Without `std` the crate needs only `alloc`; every search then runs on a [`Clock`] of the caller
//! by [`Search::run_with_clock`].
#![no_std]

/// The example of the README.
#[cfg(all(doctest, feature = "std"))]
#[doc = include_str!("../README.md")]
struct Readme;

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod backup;
pub mod belief;
pub mod budget;
pub mod evaluation;
pub mod expansion;
pub mod final_action;
pub mod game;
pub mod report;
pub mod rng;
pub mod search;
pub mod selection;
mod sqrt;
mod sqrt_ln;
#[cfg(feature = "testing")]
pub mod testing;
pub mod trace;
pub mod tree;

pub use belief::{Belief, Update};
#[cfg(feature = "std")]
pub use budget::SystemClock;
pub use budget::{Budget, Clock, NoClock, StopReason};
pub use evaluation::{Endings, Evaluator, Knowledge, Prior, Rollout, RolloutPolicy, Uniform};
pub use expansion::{Expansion, Growth};
pub use final_action::FinalAction;
pub use game::{
    Chair, Exact, ExplicitModel, Game, HiddenInformation, InformationSets, Margin, Model, Player,
    Simultaneous, Turn, Utilities,
};
pub use report::{ActionProbability, ActionReport, Report, Reuse, SearchError, Strategy};
pub use rng::SearchRng;
pub use search::{
    ActionStats, Choice, Control, Decoupled, DecoupledSearch, IsMcts, IsMctsSearch, Observers,
    OpenLoop, OpenLoopSearch, Pace, Parts, RootStats, Search, StopHandle, Watch,
};
pub use search::{AlphaBeta, AlphaBetaSearch};
pub use search::{
    GraphSearch, GraphUct, Pimc, PimcSearch, Pomcp, PomcpFromView, PomcpSearch, Uct, UctSearch,
};
#[cfg(feature = "parallel")]
pub use search::{PipelineParallel, PipelineParallelSearch};
#[cfg(feature = "parallel")]
pub use search::{RootParallel, RootParallelSearch, TreeParallel, TreeParallelSearch};
pub use selection::{
    Bandit, FirstPlay, Grave, ImplicitMinimax, ProgressiveBias, ProgressiveHistory, Puct, Rave,
    ScoreBounds, SelectionPolicy, Ucb1, Ucb1Tuned,
};
pub use trace::{Recorder, Trace, Untraced};
pub use tree::Proof;

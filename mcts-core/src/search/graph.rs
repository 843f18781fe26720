//! Monte Carlo graph search: states reached by several paths share their statistics
//! (transpositions).

mod nodes;
mod playout;
mod root;
mod view;

use crate::evaluation::{Evaluator, Rollout};
use crate::final_action::FinalAction;
use crate::game::{Game, Utilities};
use crate::report::{Reuse, SearchError};
use crate::rng::{self, SearchRng};
use crate::search::{BranchStats, Depths, NodeRef, Pace, RootStats, Search};
use crate::selection::{Scale, SelectionPolicy, Ucb1};
use alloc::vec::Vec;
use nodes::{Graph, NONE, NodeId};

/// The parts of a graph search; [`GraphUct::search`] creates the search.
///
/// UCT on a graph without double counting (Wu, 2022, "Monte-Carlo Graph Search from First
/// Principles", in the documents of KataGo; compare UCD by Saffidine, Cazenave and Mehat, 2012). An
/// edge counts the playouts that took it, a node those from all its parents. The mean of a node is
/// defined, not accumulated:
///
/// `mean(node) = (sum of own evaluations + sum over edges (edge visits * mean(child))) / visits`
///
/// and computed anew for the nodes on the path of each playout. A playout that comes to a node with
/// more visits than the edge it took stops there: the edge only catches up with what is known by
/// other ways.
///
/// Needs [`Game::hash`]; without it the graph is a tree. States with equal hashes are treated as
/// equal. A playout that returns to a state of its path stops there.
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
/// use mcts_core::{Budget, GraphUct, NoClock, Search};
///
/// // `Game::hash` identifies equal states
/// let mut search = GraphUct::default().search(Nim, 1);
/// let report = search.run_with_clock(&Nim.start(), &Budget::playouts(2_000), &NoClock)?;
/// assert_eq!(report.best, 3);
/// assert!(report.tree_nodes <= 32, "15 counters and two players");
/// # Ok::<(), mcts_core::SearchError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GraphUct<S = Ucb1, E = Rollout> {
    /// Phase 1: the selection policy.
    pub selection: S,
    /// The value of a leaf.
    pub evaluator: E,
    /// Evaluations of a state before it gets its edges.
    pub evaluations_first: u32,
    /// Whether exact values are proven in the graph; has no effect in games with rewards along the way.
    pub solver: bool,
    /// The rule for the action to play.
    pub final_action: FinalAction,
    /// Memory cap of the graph; when it is reached, playouts continue without adding nodes. A
    /// search that finds it more than half used starts afresh.
    pub memory_cap_bytes: usize,
}

impl Default for GraphUct {
    /// UCB1 and uniform rollouts.
    fn default() -> Self {
        GraphUct::new(Ucb1::default(), Rollout::default())
    }
}

impl<S, E> GraphUct<S, E> {
    /// These two parts, and otherwise as plain UCT: edges at the second visit, proven values, 256
    /// MiB.
    pub fn new(selection: S, evaluator: E) -> Self {
        GraphUct {
            selection,
            evaluator,
            evaluations_first: 1,
            solver: true,
            final_action: FinalAction::default(),
            memory_cap_bytes: 256 << 20,
        }
    }

    /// The same parts except the selection policy.
    #[must_use]
    pub fn with_selection<T>(self, selection: T) -> GraphUct<T, E> {
        let GraphUct {
            evaluator, evaluations_first, solver, final_action, memory_cap_bytes, ..
        } = self;
        GraphUct { selection, evaluator, evaluations_first, solver, final_action, memory_cap_bytes }
    }

    /// The same parts except the evaluator.
    #[must_use]
    pub fn with_evaluator<F>(self, evaluator: F) -> GraphUct<S, F> {
        let GraphUct {
            selection, evaluations_first, solver, final_action, memory_cap_bytes, ..
        } = self;
        GraphUct { selection, evaluator, evaluations_first, solver, final_action, memory_cap_bytes }
    }

    /// A search of `game` with these parts. Equal seeds, states and playout budgets give equal reports.
    pub fn search<G>(self, game: G, seed: u64) -> GraphSearch<G, S, E>
    where
        G: Game,
        S: SelectionPolicy<Extra = ()>,
        E: Evaluator<G>,
    {
        GraphSearch {
            scale: Scale::new(G::UTILITY_BOUNDS),
            graph: Graph::new::<G>(self.memory_cap_bytes),
            root: NONE,
            graph_rng: rng::stream(seed, 0),
            leaf_rng: rng::stream(seed, 1),
            lanes: Vec::new(),
            states: Vec::new(),
            results: Vec::new(),
            depths: Depths::default(),
            is_too_wide: false,
            game,
            parts: self,
        }
    }
}

/// A graph search of one game. It keeps its graph between moves and finds each root in it by its
/// hash.
#[derive(Debug)]
pub struct GraphSearch<G: Game, S = Ucb1, E = Rollout> {
    game: G,
    parts: GraphUct<S, E>,
    scale: Scale,
    graph: Graph<G::Action>,
    root: NodeId,
    graph_rng: SearchRng,
    leaf_rng: SearchRng,
    lanes: Vec<Lane>,
    states: Vec<G::State>,
    results: Vec<Utilities>,
    depths: Depths,
    /// Whether a state has more actions than a node can have edges.
    is_too_wide: bool,
}

/// One unfinished playout.
#[derive(Debug, Default)]
struct Lane {
    /// Nodes, and the indices of the edges taken from them.
    path: Vec<(NodeId, u16)>,
    /// Where it ended.
    leaf: NodeId,
}

impl<G: Game, S: SelectionPolicy<Extra = ()>, E: Evaluator<G>> GraphSearch<G, S, E> {
    /// The rules that are searched.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The parts of the search.
    pub fn parts(&self) -> &GraphUct<S, E> {
        &self.parts
    }
}

impl<G: Game, S: SelectionPolicy<Extra = ()>, E: Evaluator<G>> Search for GraphSearch<G, S, E> {
    type Position = G::State;
    type Action = G::Action;

    fn prepare(&mut self, at: &G::State) -> Result<Reuse, SearchError> {
        let reuse = self.prepare_root(at)?;
        let lanes = self.parts.evaluator.lanes().max(1);
        self.states.resize(lanes, at.clone());
        self.results.resize(lanes, Utilities::ZERO);
        self.lanes.resize_with(lanes, Lane::default);
        self.depths = Depths::default();
        Ok(reuse)
    }

    fn playouts(&mut self, at: &G::State, most: u64) -> u64 {
        let mut done = 0;
        while done < most && self.ended().is_none() {
            let playouts = self.lanes.len().min(usize::try_from(most - done).unwrap_or(usize::MAX));
            self.batch(at, playouts);
            done += playouts as u64;
        }
        done
    }

    fn read_root(&self, root: &mut RootStats<G::Action>) {
        self.read(root);
    }

    fn pace(&self) -> Pace {
        Pace { batch: self.lanes.len() as u64, ..Pace::default() }
    }

    fn principal_variation(&self, first: G::Action) -> Vec<G::Action> {
        self.line_from(first)
    }

    fn branches(&self, node: NodeRef) -> Vec<BranchStats<G::Action>> {
        self.branches_of(node)
    }
}

//! UCT: a tree over actions, one playout after another (Kocsis and Szepesvari, 2006; Coulom, 2006).

mod expand;
mod fast;
mod lanes;
mod learn;
mod playout;
mod prove;
mod root;
#[cfg(feature = "parallel")]
mod threads;
mod view;

use crate::backup::{ExactAt, Step};
use crate::evaluation::{Evaluator, Rollout};
use crate::expansion::Expansion;
use crate::final_action::FinalAction;
use crate::game::{Game, Player, Utilities};
use crate::report::{Reuse, SearchError};
use crate::rng::{self, SearchRng};
use crate::search::root::Samples;
use crate::search::{BranchStats, Depths, NodeRef, Pace, RootStats, Search};
use crate::selection::{Scale, SelectionPolicy, Ucb1};
use crate::trace::{ActionSet, Trace};
use crate::tree::{NodeId, Tree};
use alloc::vec::Vec;
use core::any::type_name;
use expand::NewChildren;

/// The parts of a UCT search; [`Uct::search`] creates the search.
///
/// Works for any number of players, several moves in a row, chance nodes, and rewards; each player
/// maximises their own utility (max^n; Luckhardt and Irani, 1986).
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
/// use mcts_core::{Budget, NoClock, Puct, Search, Uct};
///
/// // a game of 15 counters: take one to three, the last one wins
/// let mut search = Uct::default().search(Nim, 1);
/// let report = search.run_with_clock(&Nim.start(), &Budget::playouts(20_000), &NoClock)?;
/// assert_eq!((report.best, report.value()), (3, Some(1.0)));
///
/// // other parts and settings, the rest by default
/// let parts = Uct { solver: false, ..Uct::default().with_selection(Puct::default()) };
/// assert!(parts.search(Nim, 1).run_with_clock(&Nim.start(), &Budget::playouts(100), &NoClock)?.value() < Some(1.0));
/// # Ok::<(), mcts_core::SearchError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Uct<S = Ucb1, E = Rollout> {
    /// Phase 1: the selection policy.
    pub selection: S,
    /// Phase 2: the expansion of nodes.
    pub expansion: Expansion,
    /// Phase 3: the value of a leaf.
    pub evaluator: E,
    /// Whether exact values are proven in the tree (see [`crate::backup`]); has no effect in games with rewards
    /// along the way.
    pub solver: bool,
    /// The rule for the action to play.
    pub final_action: FinalAction,
    /// Memory cap of the tree; a full tree recycles its least visited subtrees.
    pub memory_cap_bytes: usize,
}

impl Default for Uct {
    /// UCB1 and uniform rollouts.
    fn default() -> Self {
        Uct::new(Ucb1::default(), Rollout::default())
    }
}

impl<S, E> Uct<S, E> {
    /// These two parts, children one by one, proven values, the robust child, and 256 MiB.
    pub fn new(selection: S, evaluator: E) -> Self {
        Uct {
            selection,
            expansion: Expansion::default(),
            evaluator,
            solver: true,
            final_action: FinalAction::default(),
            memory_cap_bytes: 256 << 20,
        }
    }

    /// The same parts except the selection policy.
    #[must_use]
    pub fn with_selection<T>(self, selection: T) -> Uct<T, E> {
        let Uct { expansion, evaluator, solver, final_action, memory_cap_bytes, .. } = self;
        Uct { selection, expansion, evaluator, solver, final_action, memory_cap_bytes }
    }

    /// The same parts except the evaluator.
    #[must_use]
    pub fn with_evaluator<F>(self, evaluator: F) -> Uct<S, F> {
        let Uct { selection, expansion, solver, final_action, memory_cap_bytes, .. } = self;
        Uct { selection, expansion, evaluator, solver, final_action, memory_cap_bytes }
    }

    /// Checks whether these parts can search `game`.
    ///
    /// # Errors
    /// [`SearchError::NoActionIndices`] if a part compares actions by their [`Game::action_index`],
    /// and the game has none.
    pub fn check<G>(&self, game: &G) -> Result<(), SearchError>
    where
        G: Game,
        S: SelectionPolicy,
        E: Evaluator<G>,
    {
        let part = match (S::NEEDS_ACTION_INDICES, E::NEEDS_ACTION_INDICES) {
            (true, _) => type_name::<S>(),
            (false, true) => type_name::<E>(),
            (false, false) => return Ok(()),
        };
        if game.action_indices() > 0 { Ok(()) } else { Err(SearchError::NoActionIndices { part }) }
    }

    /// A search of `game` with these parts. Equal seeds, states and playout budgets give equal reports.
    ///
    /// # Panics
    /// If the parts cannot search the game; [`check`](Self::check) returns that as an error.
    pub fn search<G>(self, game: G, seed: u64) -> UctSearch<G, S, E>
    where
        G: Game,
        S: SelectionPolicy,
        E: Evaluator<G>,
    {
        if let Err(error) = self.check(&game) {
            panic!("{error}");
        }
        UctSearch {
            scale: Scale::new(G::UTILITY_BOUNDS),
            tree: Tree::with_cap(self.memory_cap_bytes),
            tree_rng: rng::stream(seed, 0),
            leaf_rng: rng::stream(seed, 1),
            root_state: None,
            lanes: Vec::new(),
            states: Vec::new(),
            results: Vec::new(),
            ids: Vec::new(),
            new_children: NewChildren::default(),
            root_actions: Vec::new(),
            met: ActionSet::default(),
            root_player: Player::FIRST,
            samples: Samples::default(),
            depths: Depths::default(),
            widest: 1,
            is_too_wide: false,
            game,
            parts: self,
        }
    }
}

/// Stops before the visit counters overflow: the maximum number of visits of the root. No batch has
/// as many playouts as are left then.
const MOST_VISITS: u32 = u32::MAX - (1 << 24);

/// A UCT search of one game; keeps its tree between moves.
#[derive(Debug)]
pub struct UctSearch<G: Game, S: SelectionPolicy = Ucb1, E = Rollout> {
    game: G,
    parts: Uct<S, E>,
    scale: Scale,
    tree: Tree<G::Action, S::Extra>,
    tree_rng: SearchRng,
    leaf_rng: SearchRng,
    /// The state at the root of a kept tree.
    root_state: Option<G::State>,
    lanes: Vec<Lane>,
    states: Vec<G::State>,
    results: Vec<Utilities>,
    ids: Vec<NodeId>,
    new_children: NewChildren<G::Action, S::Extra>,
    root_actions: Vec<G::Action>,
    met: ActionSet,
    root_player: Player,
    /// The values of this search's playouts for the player at the root.
    samples: Samples,
    depths: Depths,
    /// Maximum number of children of a node so far.
    widest: u16,
    /// Whether a state has more actions than a node can have children.
    is_too_wide: bool,
}

/// One unfinished playout.
#[derive(Debug, Default)]
struct Lane {
    path: Vec<Step>,
    /// Each player's rewards on each step; only in games with rewards.
    rewards: Vec<Utilities>,
    /// Proven children on the path, whose values may be backed up instead of the result.
    exacts: Vec<ExactAt>,
    /// Every action so far; only if a part of the search learns from them.
    trace: Trace,
}

impl Lane {
    #[inline]
    fn restart(&mut self) {
        self.path.clear();
        self.rewards.clear();
        self.exacts.clear();
        self.trace.clear();
    }
}

impl<G: Game, S: SelectionPolicy, E: Evaluator<G>> UctSearch<G, S, E> {
    /// The rules that are searched.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The parts of the search.
    pub fn parts(&self) -> &Uct<S, E> {
        &self.parts
    }

    /// Advances from the root of the tree to `state` if actions inside the tree lead there; returns
    /// whether they do.
    fn catch_up(&mut self, state: &G::State) -> bool {
        let found = self.root_state.as_ref().and_then(|root| self.actions_to(root, state));
        match found {
            None => self.root_state = None,
            Some(actions) => {
                for action in actions.into_iter().flatten() {
                    self.re_root(action);
                }
            }
        }
        self.root_state.is_some()
    }

    /// Keeps the subtree of `action` and detaches the rest in constant time.
    fn re_root(&mut self, action: G::Action) {
        let Some(mut state) = self.root_state.take() else { return };
        let children = self.tree.children(NodeId::ROOT);
        if let Some(place) = children.iter().position(|child| child.action() == action) {
            self.tree.re_root(place);
            self.game.apply(&mut state, action);
            self.root_state = Some(state);
        }
    }

    /// Up to two actions inside the tree that lead from `root` to `state`.
    fn actions_to(&self, root: &G::State, state: &G::State) -> Option<[Option<G::Action>; 2]> {
        if root == state {
            return Some([None, None]);
        }
        let after = |from: &G::State, action| {
            let mut to = from.clone();
            self.game.apply(&mut to, action);
            to
        };
        let firsts = self.tree.children(NodeId::ROOT);
        for first in firsts {
            if after(root, first.action()) == *state {
                return Some([Some(first.action()), None]);
            }
        }
        for (place, first) in firsts.iter().enumerate() {
            let between = after(root, first.action());
            for second in self.tree.children(self.tree.child(NodeId::ROOT, place)) {
                if after(&between, second.action()) == *state {
                    return Some([Some(first.action()), Some(second.action())]);
                }
            }
        }
        None
    }
}

/// [`prepare`](Search::prepare) keeps the subtree of `at` if that is the root, one or two actions
/// below it, or where [`advance`](Search::advance) led; wins in one are found there without a
/// playout.
impl<G: Game, S: SelectionPolicy, E: Evaluator<G>> Search for UctSearch<G, S, E> {
    type Position = G::State;
    type Action = G::Action;

    fn prepare(&mut self, at: &G::State) -> Result<Reuse, SearchError> {
        let reuse = self.prepare_root(at)?;
        self.prepare_lanes(at, self.parts.evaluator.lanes().max(1));
        Ok(reuse)
    }

    fn playouts(&mut self, at: &G::State, most: u64) -> u64 {
        let mut done = 0;
        while done < most && self.ended().is_none() {
            self.tree.make_room(self.widest);
            let playouts = self.lanes.len().min(usize::try_from(most - done).unwrap_or(usize::MAX));
            if playouts == 1 {
                self.playout(at);
            } else {
                self.interleaved_playouts(at, playouts);
            }
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

    fn advance(&mut self, action: G::Action) {
        self.re_root(action);
    }

    fn principal_variation(&self, first: G::Action) -> Vec<G::Action> {
        self.line_from(first)
    }

    fn branches(&self, node: NodeRef) -> Vec<BranchStats<G::Action>> {
        self.branches_of(node)
    }
}

#[cfg(all(test, feature = "testing"))]
mod tests {
    use super::*;
    use crate::budget::{Budget, NoClock, StopReason};
    use crate::testing::{Position, TreeGame};

    #[test]
    fn full_counters_end_the_search_and_do_not_wrap() {
        let leaf = || Position::second([Position::over(0.5), Position::over(-0.5)]);
        let game = TreeGame::<2>::new(Position::first([leaf(), leaf(), leaf()]));
        let start = game.start();
        let parts = Uct { solver: false, ..<Uct>::default() };
        let mut search = parts.search(game, 1);
        let budget = Budget::UNLIMITED.to_the_end();
        let few = Budget::playouts(100).to_the_end();
        assert!(search.run_with_clock(&start, &few, &NoClock).is_ok());
        search.tree.node_mut(NodeId::ROOT).visits = MOST_VISITS - 1_000;
        let report = search.run_with_clock(&start, &budget, &NoClock);
        let report = report.expect("there are actions");
        assert_eq!(report.stopped_by, StopReason::Visits);
        assert!((1_000..2_000).contains(&report.playouts), "{}", report.playouts);
    }
}

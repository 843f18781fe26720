//! UCT: a tree over actions, one playout after another (Kocsis and Szepesvari, 2006; Coulom, 2006).

mod expand;
mod learn;
mod playout;
mod root;
#[cfg(feature = "parallel")]
mod threads;
mod walk;

use crate::backup::Step;
use crate::budget::{Budget, Clock, Meter, Standing, StopReason};
use crate::evaluation::{Evaluator, Rollout};
use crate::expansion::Expansion;
use crate::final_action::FinalAction;
use crate::game::{Game, Utilities};
use crate::report::{Report, SearchError};
use crate::rng::{self, SearchRng};
use crate::selection::{Scale, SelectionPolicy, Ucb1};
use crate::trace::{ActionSet, Trace};
use crate::tree::{NodeId, Tree};
use alloc::vec::Vec;
use expand::NewChildren;
use root::RootValues;

/// The parts of a UCT search; [`Uct::search`] puts them to work on a game.
///
/// Works for any number of players, several moves in a row, chance nodes, and rewards along the way; each player
/// maximises their own utility (max^n; Luckhardt and Irani, 1986).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Uct<S = Ucb1, E = Rollout> {
    /// Phase 1: which child a playout goes on to.
    pub selection: S,
    /// Phase 2: when a node gets children.
    pub expansion: Expansion,
    /// Phase 3: what a leaf is worth.
    pub evaluator: E,
    /// Whether exact values are proven in the tree (see [`crate::backup`]); has no effect in games with rewards
    /// along the way.
    pub solver: bool,
    /// Which action is played in the end.
    pub final_action: FinalAction,
    /// Most bytes of the tree; a full tree recycles the nodes of its least visited parts.
    pub memory_cap_bytes: usize,
}

impl<S: Default, E: Default> Default for Uct<S, E> {
    /// Plain UCT with proven values and 256 MiB.
    fn default() -> Self {
        Uct {
            selection: S::default(),
            expansion: Expansion::default(),
            evaluator: E::default(),
            solver: true,
            final_action: FinalAction::default(),
            memory_cap_bytes: 256 << 20,
        }
    }
}

impl<S, E> Uct<S, E> {
    /// The same parts but for the selection policy.
    #[must_use]
    pub fn with_selection<T>(self, selection: T) -> Uct<T, E> {
        let Uct { expansion, evaluator, solver, final_action, memory_cap_bytes, .. } = self;
        Uct { selection, expansion, evaluator, solver, final_action, memory_cap_bytes }
    }

    /// The same parts but for the evaluator.
    #[must_use]
    pub fn with_evaluator<F>(self, evaluator: F) -> Uct<S, F> {
        let Uct { selection, expansion, solver, final_action, memory_cap_bytes, .. } = self;
        Uct { selection, expansion, evaluator, solver, final_action, memory_cap_bytes }
    }

    /// A search of `game` with these parts. Equal seeds, states and playout budgets give equal reports.
    pub fn search<G>(self, game: G, seed: u64) -> UctSearch<G, S, E>
    where
        G: Game,
        S: SelectionPolicy,
        E: Evaluator<G>,
    {
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
            met: ActionSet::default(),
            root_values: RootValues::default(),
            widest: 1,
            game,
            parts: self,
        }
    }
}

/// Visits of the root at which a search ends: its counters are about full. No search makes as many playouts between
/// two looks at its budget as are left then.
const MOST_VISITS: u32 = u32::MAX - (1 << 24);

/// A UCT search of one game; keeps its tree from move to move.
#[derive(Debug)]
pub struct UctSearch<G: Game, S: SelectionPolicy = Ucb1, E = Rollout> {
    game: G,
    parts: Uct<S, E>,
    scale: Scale,
    tree: Tree<G::Action, S::Extra>,
    tree_rng: SearchRng,
    leaf_rng: SearchRng,
    /// The state at the root of a tree that is kept.
    root_state: Option<G::State>,
    lanes: Vec<Lane>,
    states: Vec<G::State>,
    results: Vec<Utilities>,
    ids: Vec<NodeId>,
    new_children: NewChildren<G::Action, S::Extra>,
    met: ActionSet,
    root_values: RootValues,
    /// Most children of one node so far.
    widest: u16,
}

/// One playout on its way.
#[derive(Debug, Default)]
struct Lane {
    path: Vec<Step>,
    /// What each player earned on each step; only in games with rewards along the way.
    rewards: Vec<Utilities>,
    /// Depths whose edges above learn these utilities instead of what is found further down.
    exacts: Vec<(usize, Utilities)>,
    /// Every action so far; only where a part of the search learns from them.
    trace: Trace,
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

    /// Searches `state` within `budget` on the clocks of the operating system.
    ///
    /// Builds on the tree of the search before if [`advance`](Self::advance) or [`catch_up`](Self::catch_up) led
    /// it here. With no budget at all there is still a legal action in the report, and a win in one is found.
    ///
    /// # Errors
    /// [`SearchError`] if there is nothing to decide in `state`.
    #[cfg(feature = "std")]
    pub fn run(
        &mut self,
        state: &G::State,
        budget: &Budget,
    ) -> Result<Report<G::Action>, SearchError> {
        self.run_with_clock(state, budget, &crate::budget::SystemClock)
    }

    /// [`run`](Self::run) on a clock of the caller.
    ///
    /// # Errors
    /// [`SearchError`] if there is nothing to decide in `state`.
    pub fn run_with_clock(
        &mut self,
        state: &G::State,
        budget: &Budget,
        clock: &impl Clock,
    ) -> Result<Report<G::Action>, SearchError> {
        let mut meter = Meter::start(*budget, clock);
        let reuse = self.prepare_root(state)?;
        self.prepare_lanes(state, self.parts.evaluator.lanes().max(1));
        let mut depths = Depths::default();
        let stopped_by = self.search(state, budget, &mut meter, &mut depths);
        let report = self.report(state, &meter, depths, (reuse, stopped_by));
        tracing::debug!(
            playouts = report.playouts,
            value = report.value(),
            stopped_by = ?report.stopped_by,
            reuse = ?report.reuse,
            memory_bytes = report.memory_bytes,
            "searched"
        );
        Ok(report)
    }

    /// The loop.
    fn search(
        &mut self,
        root: &G::State,
        budget: &Budget,
        meter: &mut Meter<&impl Clock>,
        depths: &mut Depths,
    ) -> StopReason {
        if let Some(reason) = self.nothing_to_search(budget) {
            return reason;
        }
        loop {
            if meter.is_due() {
                if self.tree.node(NodeId::ROOT).visits >= MOST_VISITS {
                    return StopReason::Visits;
                }
                if let Some(reason) = meter.look(|| self.standing()) {
                    return reason;
                }
            }
            self.tree.make_room(self.widest);
            let playouts = meter.playouts_left(self.lanes.len());
            if playouts == 1 {
                self.one_playout(root, depths);
            } else {
                self.interleaved_playouts(root, playouts, depths);
            }
            meter.count(playouts as u64);
            if self.tree.node(NodeId::ROOT).is_proven() {
                return StopReason::Proven;
            }
        }
    }

    /// Why there is no need for a playout, if there is none.
    pub(in crate::search) fn nothing_to_search(&self, budget: &Budget) -> Option<StopReason> {
        if self.tree.node(NodeId::ROOT).is_proven() {
            return Some(StopReason::Proven);
        }
        let single = budget.stop_when_decided && self.tree.children(NodeId::ROOT).len() == 1;
        single.then_some(StopReason::SingleAction)
    }

    pub(in crate::search) fn standing(&self) -> Standing {
        Standing { memory_bytes: self.tree.memory_bytes(), lead: self.lead() }
    }

    /// Tells the search that `action` was played: the tree below it is kept, the rest is dropped in constant time.
    pub fn advance(&mut self, action: G::Action) {
        let Some(mut state) = self.root_state.take() else { return };
        let children = self.tree.children(NodeId::ROOT);
        if let Some(place) = children.iter().position(|child| child.action() == action) {
            self.tree.re_root(place);
            self.game.apply(&mut state, action);
            self.root_state = Some(state);
        }
    }

    /// Tells the search that the game has come to `state`, by at most two actions that it was not told of; whether
    /// the tree has it and could be kept.
    pub fn catch_up(&mut self, state: &G::State) -> bool
    where
        G::State: PartialEq,
    {
        let found = self.root_state.as_ref().and_then(|root| self.actions_to(root, state));
        match found {
            None => self.root_state = None,
            Some((first, second)) => {
                for action in [first, second].into_iter().flatten() {
                    self.advance(action);
                }
            }
        }
        self.root_state.is_some()
    }

    /// Up to two actions inside the tree that lead from `root` to `state`.
    #[allow(clippy::type_complexity, reason = "the two actions are all there is to say")]
    fn actions_to(
        &self,
        root: &G::State,
        state: &G::State,
    ) -> Option<(Option<G::Action>, Option<G::Action>)>
    where
        G::State: PartialEq,
    {
        if root == state {
            return Some((None, None));
        }
        let after = |from: &G::State, action| {
            let mut to = from.clone();
            self.game.apply(&mut to, action);
            to
        };
        let firsts = self.tree.children(NodeId::ROOT);
        for first in firsts {
            if after(root, first.action()) == *state {
                return Some((Some(first.action()), None));
            }
        }
        for (place, first) in firsts.iter().enumerate() {
            let between = after(root, first.action());
            for second in self.tree.children(self.tree.child(NodeId::ROOT, place)) {
                if after(&between, second.action()) == *state {
                    return Some((Some(first.action()), Some(second.action())));
                }
            }
        }
        None
    }
}

/// How deep the playouts of one search went.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::search) struct Depths {
    deepest: u32,
    total: u64,
}

impl Depths {
    fn add(&mut self, depth: usize) {
        self.deepest = self.deepest.max(depth as u32);
        self.total += depth as u64;
    }
}

#[cfg(all(test, feature = "testing"))]
mod tests {
    use super::*;
    use crate::budget::NoClock;
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

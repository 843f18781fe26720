//! The root: iterations with rising depth, and what they found out about each action.

use super::AlphaBetaSearch;
use super::descent::{Value, Window};
use super::evaluation::StaticEvaluation;
use super::ordering::Candidate;
use super::score::{self, INFINITE, Score};
use super::table::Bound;
use crate::budget::StopReason;
use crate::game::{Game, Turn};
use crate::report::{Reuse, SearchError};
use crate::search::{ActionStats, Choice, Depths, Pace, RootStats, Search};
use crate::tree::{MAX_CHILDREN, Proof};
use alloc::vec::Vec;
use core::time::Duration;

/// The position that is searched.
#[derive(Debug)]
pub(super) struct Root<G: Game> {
    pub(super) state: G::State,
    pub(super) player: usize,
    pub(super) actions: Vec<RootAction<G::Action>>,
    /// Place of the best action so far.
    pub(super) best: usize,
    /// Depth and window of the iteration that is searched now.
    depth: u32,
    window: Window,
    /// The value of the last whole iteration.
    pub(super) last: Option<Value>,
    /// Why there is no deeper iteration, if there is none.
    pub(super) ended: Option<StopReason>,
}

/// What is known of an action of the root.
#[derive(Debug, Clone)]
pub(super) struct RootAction<A> {
    pub(super) action: A,
    pub(super) nodes: u64,
    /// Of the last iteration that searched it.
    pub(super) value: Option<(Value, Bound)>,
    /// The action and what follows; the best replies found when the action was best, else the action alone.
    pub(super) line: Vec<A>,
}

/// Depth from which on the window is narrowed.
const NARROW_FROM: u32 = 4;

/// Iterations end at this depth: no stack of the search grows without bound.
const DEEPEST: u32 = 250;

impl<G: Game> Root<G> {
    pub(super) fn write_candidates(&self, candidates: &mut Vec<Candidate<G::Action>>) {
        for (place, known) in self.actions.iter().enumerate() {
            let key = if place == self.best { i64::MAX } else { known.nodes as i64 };
            candidates.push(Candidate::keyed(known.action, place as u16, key));
        }
    }

    /// Notes the value of the action at `place`; `line` is the principal variation so far.
    pub(super) fn note(
        &mut self,
        place: u16,
        value: (Value, Bound),
        nodes: u64,
        line: &[G::Action],
    ) {
        let place = usize::from(place);
        let known = &mut self.actions[place];
        known.nodes += nodes;
        known.value = Some(value);
        if value.1 != Bound::Upper {
            known.line.clear();
            known.line.extend_from_slice(line);
            self.best = place;
        }
    }
}

impl<G: Game, V: StaticEvaluation<G>> AlphaBetaSearch<G, V> {
    /// Makes `state` the root of the next search.
    pub(super) fn place_root(&mut self, state: &G::State) -> Result<(), SearchError> {
        let player = match self.game.turn(state) {
            Turn::Over(utilities) => return Err(SearchError::GameOver(utilities)),
            Turn::Chance => return Err(SearchError::ChanceToMove),
            Turn::Player(player) => player.index(),
        };
        let mut actions = Vec::new();
        self.game.actions(state, |action| {
            let line = alloc::vec![action];
            actions.push(RootAction { action, nodes: 0, value: None, line });
        });
        match actions.len() {
            0 => return Err(SearchError::NoLegalAction),
            count if count > MAX_CHILDREN => return Err(SearchError::TooManyActions(count)),
            _ => {}
        }
        let order = |known: &RootAction<G::Action>| {
            self.parts.evaluation.order(&self.game, state, known.action, 1)
        };
        let orders: Vec<i32> = actions.iter().map(order).collect();
        let best = (0..orders.len()).rev().max_by_key(|place| orders[*place]).unwrap_or(0);
        self.table.next_search();
        self.ordering.next_search();
        self.visited = 0;
        self.depths = Depths::default();
        self.root = Some(Root {
            state: state.clone(),
            player,
            actions,
            best,
            depth: 1,
            window: Window::FULL,
            last: None,
            ended: None,
        });
        self.begin(1, Window::FULL);
        Ok(())
    }

    /// Visits nodes until they are `most` or the search is done; their number.
    pub(super) fn visit_nodes(&mut self, most: u64) -> u64 {
        let before = self.visited;
        while self.visited - before < most
            && self.root.as_ref().is_some_and(|root| root.ended.is_none())
        {
            if let Some(value) = self.step() {
                self.next_iteration(value);
            }
        }
        self.visited - before
    }

    /// Takes in the value of an iteration and begins the next: wider where the value fell outside the window, else
    /// deeper.
    fn next_iteration(&mut self, value: Value) {
        let width = self.scale.width(self.parts.window);
        let Some(root) = &mut self.root else { return };
        let Window { lower, upper } = root.window;
        let limit = self.parts.depth.unwrap_or(DEEPEST).min(DEEPEST);
        if value.score <= lower && lower > -INFINITE {
            root.window.lower = -INFINITE;
        } else if value.score >= upper && upper < INFINITE {
            root.window.upper = INFINITE;
        } else {
            root.last = Some(value);
            root.ended = if value.is_exhausted {
                Some(StopReason::Proven)
            } else {
                (root.depth >= limit).then_some(StopReason::Depth)
            };
            root.depth += 1;
            root.window = window_around(value.score, root.depth, width);
        }
        if root.ended.is_none() {
            let (depth, window) = (root.depth, root.window);
            self.begin(depth, window);
        }
    }
}

fn window_around(score: Score, depth: u32, width: Score) -> Window {
    if depth < NARROW_FROM || width == 0 {
        return Window::FULL;
    }
    Window { lower: score.saturating_sub(width).max(-INFINITE), upper: score.saturating_add(width) }
}

impl<G: Game, V: StaticEvaluation<G>> AlphaBetaSearch<G, V> {
    /// Nodes count as visits. The value of an action that was not better than those before it is an upper bound.
    fn stats(&self, known: &RootAction<G::Action>) -> ActionStats<G::Action> {
        let visits = u32::try_from(known.nodes).unwrap_or(u32::MAX);
        let value = known.value.map(|(value, _)| self.scale.utility(value.score));
        let is_exact = |(value, bound): &(Value, Bound)| match bound {
            Bound::Exact => true,
            Bound::Lower => score::is_won(value.score),
            Bound::Upper => score::is_lost(value.score),
        };
        let proven = known.value.filter(|known| known.0.is_exhausted && is_exact(known));
        let proven = proven.map(|(value, _)| Proof {
            utility: self.scale.utility(value.score),
            // counted from the position after the action, as in the tree
            plies: score::plies_to_end(value.score).unwrap_or(known.line.len() as u32) - 1,
        });
        let unvisited = ActionStats::unvisited(known.action);
        ActionStats { visits, value, observations: visits, proven, ..unvisited }
    }
}

impl<G: Game, V: StaticEvaluation<G>> Search for AlphaBetaSearch<G, V> {
    type Position = G::State;
    type Action = G::Action;

    /// Goes on where the search of the same state was left; otherwise starts with the first iteration, on the table.
    fn prepare(&mut self, at: &G::State) -> Result<Reuse, SearchError> {
        if self.root.as_ref().is_some_and(|root| root.state == *at) {
            self.depths = Depths::default();
        } else {
            self.place_root(at)?;
        }
        Ok(match u32::try_from(self.table.used()).unwrap_or(u32::MAX) {
            0 => Reuse::Fresh,
            visits => Reuse::Kept { visits },
        })
    }

    fn playouts(&mut self, _: &G::State, most: u64) -> u64 {
        self.visit_nodes(most)
    }

    fn read_root(&self, root: &mut RootStats<G::Action>) {
        root.actions.clear();
        root.bounds = G::UTILITY_BOUNDS;
        root.nodes = self.table.used();
        root.memory_bytes = self.table.memory_bytes();
        root.depths = self.depths;
        let Some(found) = &self.root else { return };
        root.actions.extend(found.actions.iter().map(|known| self.stats(known)));
        root.choice = Choice::Own { place: found.best, is_settled: false };
        root.ended = found.ended;
    }

    /// A node is short against a look at the clock, which reads the root, too.
    fn pace(&self) -> Pace {
        Pace { look: Duration::from_micros(200), playouts: 1024, ..Pace::default() }
    }

    fn principal_variation(&self, first: G::Action) -> Vec<G::Action> {
        let known =
            self.root.iter().flat_map(|root| &root.actions).find(|known| known.action == first);
        known.map_or_else(|| alloc::vec![first], |known| known.line.clone())
    }
}

//! The root of a search: checked and expanded before, read out after it.

use super::playout::place_to_action;
use super::{Depths, Lane, UctSearch};
use crate::backup::solver;
use crate::budget::{Clock, Meter, StopReason};
use crate::evaluation::Evaluator;
use crate::final_action::FinalAction;
use crate::game::{Exact, Game, Player, Turn, Utilities};
use crate::report::{ActionReport, Report, Reuse, SearchError};
use crate::selection::{SelectionPolicy, UtilityRange};
use crate::tree::{NodeId, Tree};
use alloc::vec;
use alloc::vec::Vec;

/// The values of this search's playouts, by the place of the root's child.
#[derive(Debug, Default)]
pub(super) struct RootValues {
    player: usize,
    sums: Vec<Sums>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Sums {
    playouts: u32,
    value: f64,
    square: f64,
}

impl RootValues {
    fn restart(&mut self, player: Player, children: usize) {
        self.player = player.index();
        self.sums.clear();
        self.sums.resize(children, Sums::default());
    }

    #[inline]
    pub(super) fn add(&mut self, place: usize, utilities: &Utilities) {
        let value = f64::from(utilities.0[self.player]);
        let sums = &mut self.sums[place];
        sums.playouts += 1;
        sums.value += value;
        sums.square += value * value;
    }

    /// Variance of one playout's value, where there are at least two.
    fn variance(&self, place: usize) -> Option<f64> {
        let Sums { playouts, value, square } = self.sums[place];
        if playouts < 2 {
            return None;
        }
        let playouts = f64::from(playouts);
        Some(((square - value * value / playouts) / (playouts - 1.0)).max(0.0))
    }
}

impl<G: Game, S: SelectionPolicy, E: Evaluator<G>> UctSearch<G, S, E> {
    /// Makes sure that the root is that of `state` and has a child for every legal action, and that wins in one
    /// are proven.
    pub(in crate::search) fn prepare_root(
        &mut self,
        state: &G::State,
    ) -> Result<Reuse, SearchError> {
        let player = match self.game.turn(state) {
            Turn::Over(utilities) => return Err(SearchError::GameOver(utilities)),
            Turn::Chance => return Err(SearchError::ChanceToMove),
            Turn::Player(player) => player,
        };
        let actions = self.game.count_actions(state);
        if actions == 0 {
            return Err(SearchError::NoLegalAction);
        }
        self.ensure_lane(state);
        let kept = self.root_state.is_some();
        let reuse = if kept && self.fits(state, player, actions) {
            Reuse::Kept { visits: self.tree.node(NodeId::ROOT).visits }
        } else {
            self.tree.restart(self.game.nth_action(state, 0), player);
            if kept { Reuse::Mismatch } else { Reuse::Fresh }
        };
        self.root_state = Some(state.clone());
        self.states[0].clone_from(state);
        self.tree.make_room(u16::try_from(actions).unwrap_or(u16::MAX));
        if S::COMPARES_UNVISITED && self.tree.node(NodeId::ROOT).child_count() == 0 {
            self.expand_all(NodeId::ROOT, 0, player);
        }
        while !self.tree.node(NodeId::ROOT).is_expanded() {
            let before = self.tree.children(NodeId::ROOT).len();
            self.grow(NodeId::ROOT, 0, player);
            if self.tree.children(NodeId::ROOT).len() == before {
                break;
            }
        }
        if self.proves() {
            self.prove_ends_in_one(state);
        }
        self.root_values.restart(player, self.tree.children(NodeId::ROOT).len());
        Ok(reuse)
    }

    /// Whether the children that the root has are those of `state`.
    fn fits(&self, state: &G::State, player: Player, actions: usize) -> bool {
        let root = self.tree.node(NodeId::ROOT);
        let children = self.tree.children(NodeId::ROOT);
        children.len() <= actions
            && root.is_expanded() == (children.len() == actions)
            && children.iter().enumerate().all(|(place, child)| {
                let nth = place_to_action(root.order(), place, actions);
                child.player() == player
                    && !child.is_by_chance()
                    && child.action() == self.game.nth_action(state, nth)
            })
    }

    /// Proves the children of the root whose value is known, and with them perhaps the root.
    fn prove_ends_in_one(&mut self, state: &G::State) {
        if self.tree.node(NodeId::ROOT).is_proven() {
            self.tree.node_mut(NodeId::ROOT).forget_proof();
        }
        for place in 0..self.tree.children(NodeId::ROOT).len() {
            let child = self.tree.child(NodeId::ROOT, place);
            if !self.tree.node(child).is_proven() {
                let mut after = state.clone();
                self.game.apply(&mut after, self.tree.node(child).action());
                let exact = match self.game.turn(&after) {
                    Turn::Over(utilities) => Some(Exact { utilities, plies: 0 }),
                    _ if E::KNOWS_ENDINGS => self.parts.evaluator.exact(&self.game, &after),
                    _ => None,
                };
                if let Some(exact) = exact {
                    solver::prove::<G, _>(&mut self.tree, child, exact);
                }
            }
        }
        solver::prove_from_children::<G, _>(&mut self.tree, NodeId::ROOT);
    }

    fn ensure_lane(&mut self, state: &G::State) {
        if self.states.is_empty() {
            self.states.push(state.clone());
        }
    }

    /// One state, path and result for each playout that runs at the same time.
    pub(in crate::search) fn prepare_lanes(&mut self, state: &G::State, lanes: usize) {
        self.states.resize(lanes, state.clone());
        self.results.resize(lanes, Utilities::ZERO);
        self.lanes.resize_with(lanes, Lane::default);
    }

    /// Lead in visits of the most visited action, where visits alone decide what is played.
    pub(super) fn lead(&self) -> Option<u64> {
        if self.parts.final_action != FinalAction::Robust {
            return None;
        }
        let (mut first, mut second) = (0, 0);
        let (lowest, _) = G::UTILITY_BOUNDS;
        for child in self.tree.children(NodeId::ROOT) {
            if child.is_proven() {
                if child.mean_of_visited() > lowest {
                    return None;
                }
            } else if child.visits > first {
                (first, second) = (child.visits, first);
            } else {
                second = second.max(child.visits);
            }
        }
        Some(u64::from(first - second))
    }

    pub(in crate::search) fn report(
        &self,
        state: &G::State,
        meter: &Meter<&impl Clock>,
        depths: Depths,
        (reuse, stopped_by): (Reuse, StopReason),
    ) -> Report<G::Action> {
        let mut actions = self.action_reports(NodeId::ROOT);
        for (place, action) in actions.iter_mut().enumerate() {
            action.standard_error = self.standard_error(place, action);
        }
        let best = self
            .parts
            .final_action
            .choose(&actions, G::UTILITY_BOUNDS)
            .map_or_else(|| self.game.nth_action(state, 0), |place| actions[place].action);
        let principal_variation = self.principal_variation(best);
        actions.sort_by_key(|action| core::cmp::Reverse(action.visits));
        let playouts = meter.playouts();
        Report {
            best,
            actions,
            principal_variation,
            playouts,
            deepest: depths.deepest,
            mean_depth: depths.total as f32 / playouts.max(1) as f32,
            tree_nodes: self.tree.len(),
            memory_bytes: self.tree.memory_bytes(),
            reuse,
            stopped_by,
            overshoot: meter.overshoot(),
            elapsed: meter.elapsed(),
        }
    }

    /// What the tree knows of the children of a node, in their order, without standard errors.
    fn action_reports(&self, id: NodeId) -> Vec<ActionReport<G::Action>> {
        let children = self.tree.children(id).iter().enumerate();
        children
            .map(|(place, child)| {
                let UtilityRange { least, most } = S::utility_range(&child.extra);
                ActionReport {
                    action: child.action(),
                    visits: child.visits,
                    value: child.mean().map(|mean| mean.clamp(least, most)),
                    standard_error: None,
                    proven: solver::proof::<G, _>(&self.tree, self.tree.child(id, place)),
                }
            })
            .collect()
    }

    fn standard_error(&self, place: usize, action: &ActionReport<G::Action>) -> Option<f32> {
        if action.proven.is_some() {
            return Some(0.0);
        }
        let value = f64::from(action.value?);
        let (lowest, highest) = G::UTILITY_BOUNDS;
        // a value in [lowest, highest] with this mean has at most this variance (Bhatia and Davis, 2000)
        let most = (f64::from(highest) - value) * (value - f64::from(lowest));
        let variance = self.root_values.variance(place).unwrap_or(most.max(0.0));
        Some(libm::sqrt(variance / f64::from(action.visits)) as f32)
    }

    /// The line that the final action's rule plays from the root on, as far as the tree has visits.
    fn principal_variation(&self, best: G::Action) -> Vec<G::Action> {
        let mut line = vec![best];
        let of_action = |id, action| position(&self.tree, id, action);
        let mut at = of_action(NodeId::ROOT, best);
        while let Some(id) = at {
            let actions = self.action_reports(id);
            let next = self.parts.final_action.choose(&actions, G::UTILITY_BOUNDS);
            at = next.filter(|next| actions[*next].visits > 0).and_then(|next| {
                line.push(actions[next].action);
                of_action(id, actions[next].action)
            });
        }
        line
    }
}

fn position<A: Copy + PartialEq, X: Copy + Default>(
    tree: &Tree<A, X>,
    parent: NodeId,
    action: A,
) -> Option<NodeId> {
    let place = tree.children(parent).iter().position(|child| child.action() == action)?;
    Some(tree.child(parent, place))
}

//! One playout: down the tree, one node more, evaluated, and back up.

use super::expand::Expanded;
use super::{Lane, UctSearch};
use crate::backup::solver::{self, Replay};
use crate::backup::{Step, add_playout, add_playout_beside_exact, resolve};
use crate::evaluation::Evaluator;
use crate::expansion::Growth;
use crate::game::{Exact, Game, Player, Turn, Utilities};
use crate::selection::{SelectionPolicy, most_urgent, most_urgent_of_open, most_valuable_exact};
use crate::tree::{MAX_CHILDREN, NodeId};
use core::ops::Range;
use rand::Rng;

/// Where the way down the tree ended.
enum Leaf {
    /// In a state that is still to be evaluated.
    Open,
    /// Where it is known what each player gets.
    Known(Utilities),
}

/// What became of a node that should get a child.
pub(super) enum Grown {
    /// The new child's place.
    Child(usize),
    /// There is no legal action; a fault of the rules.
    Stuck,
    /// The memory cap leaves no room.
    Full,
}

impl<G: Game, S: SelectionPolicy, E: Evaluator<G>> UctSearch<G, S, E> {
    /// One playout from start to end.
    #[inline]
    pub(super) fn one_playout(&mut self, root: &G::State) {
        let utilities = match self.descend(root, 0) {
            Leaf::Known(utilities) => utilities,
            Leaf::Open => self.evaluate(0),
        };
        self.back_up(0, &utilities, 1, 0.0);
        self.depths.add(self.lanes[0].path.len());
    }

    /// Several playouts whose leaves are evaluated together.
    pub(super) fn interleaved_playouts(&mut self, root: &G::State, playouts: usize) {
        let open = self.gather(root, 0..playouts);
        let mut results = core::mem::take(&mut self.results);
        let values = &mut results[..open];
        self.evaluate_all(values);
        self.settle(0, values);
        self.results = results;
    }

    /// Starts one playout in each of `lanes`. Those that need an evaluation stay open, in the first lanes of the
    /// range; returns how many do.
    ///
    /// Until [`settle`](Self::settle) brings its value, the path of an open playout carries a virtual loss
    /// (Chaslot, Winands and van den Herik, 2008), so that the next ones look elsewhere.
    pub(in crate::search) fn gather(&mut self, root: &G::State, lanes: Range<usize>) -> usize {
        let losses = Utilities([G::UTILITY_BOUNDS.0; crate::game::MAX_PLAYERS]);
        let first = lanes.start;
        let mut open = first;
        for _ in lanes {
            let leaf = self.descend(root, open);
            self.depths.add(self.lanes[open].path.len());
            match leaf {
                Leaf::Known(utilities) => self.back_up(open, &utilities, 1, 0.0),
                Leaf::Open => {
                    add_playout(&mut self.tree, &self.lanes[open].path, &losses, (1, 0.0));
                    open += 1;
                }
            }
        }
        open - first
    }

    /// Ends the open playouts from lane `first` on with these values.
    pub(in crate::search) fn settle(&mut self, first: usize, values: &[Utilities]) {
        let loss = f64::from(G::UTILITY_BOUNDS.0);
        for (lane, utilities) in (first..).zip(values) {
            self.back_up(lane, utilities, 0, -loss);
        }
    }

    fn back_up(&mut self, lane: usize, utilities: &Utilities, visits: u32, correction: f64) {
        let utilities = &utilities.made_finite(G::PLAYERS, G::UTILITY_BOUNDS);
        let Lane { path, rewards, exacts, .. } = &mut self.lanes[lane];
        if G::HAS_REWARDS {
            let mut total = *utilities;
            for reward in rewards.iter_mut().rev() {
                total = reward.plus(&total, self.game.discount());
                *reward = total;
            }
            crate::backup::add_returns(&mut self.tree, path, rewards, (visits, correction));
        } else if exacts.is_empty() {
            add_playout(&mut self.tree, path, utilities, (visits, correction));
        } else {
            resolve(&self.tree, path, &mut self.ids);
            let learnt = (utilities, &mut *exacts);
            add_playout_beside_exact(&mut self.tree, &self.ids, learnt, (visits, correction));
        }
        let at_root = match exacts.first() {
            _ if G::HAS_REWARDS => rewards.first(),
            Some((_, exact)) => Some(exact),
            None => Some(utilities),
        };
        if let (Some(step), Some(utilities)) = (path.first(), at_root) {
            let value = f64::from(utilities.of_player(self.root_player));
            self.samples.add(usize::from(step.place), value);
        }
        self.learn(lane, utilities);
    }

    /// Goes down from the root to a leaf, which gets at most one node more.
    fn descend(&mut self, root: &G::State, lane: usize) -> Leaf {
        self.states[lane].clone_from(root);
        self.lanes[lane].path.clear();
        self.lanes[lane].rewards.clear();
        self.lanes[lane].exacts.clear();
        self.lanes[lane].trace.clear();
        let mut id = NodeId::ROOT;
        let mut grown = false;
        loop {
            if !grown {
                id = self.walk(id, lane);
            }
            let node = self.tree.node(id);
            if node.is_proven() && id != NodeId::ROOT {
                return Leaf::Known(solver::utilities::<G, _>(&self.tree, id));
            }
            let place = if node.child_count() > 0 && !grown {
                let by_chance = self.tree.children(id)[0].is_by_chance();
                if by_chance {
                    self.outcome(id, lane, &mut grown)
                } else {
                    self.choose(id, lane, &mut grown)
                }
            } else {
                let turn = self.game.turn(&self.states[lane]);
                match turn {
                    Turn::Over(utilities) => {
                        return self.known(id, lane, Exact { utilities, plies: 0 });
                    }
                    _ if grown || node.visits + 1 < self.parts.expansion.at_visit => {
                        return self.open(id, lane);
                    }
                    Turn::Chance => self.outcome(id, lane, &mut grown),
                    Turn::Player(player) => {
                        grown = true;
                        match self.expand(id, lane, player) {
                            Grown::Child(place) => Some(place),
                            Grown::Stuck => return Leaf::Known(Utilities::ZERO),
                            Grown::Full => None,
                        }
                    }
                }
            };
            let Some(place) = place else { return Leaf::Open };
            id = self.step(id, place, lane);
        }
    }

    /// Takes the edge to the child at `place`.
    #[inline]
    fn step(&mut self, id: NodeId, place: usize, lane: usize) -> NodeId {
        let child = self.tree.child(id, place);
        let action = self.tree.node(child).action();
        self.trace_edge(child, lane);
        let Lane { path, rewards, .. } = &mut self.lanes[lane];
        path.push(Step { place: place as u16 });
        if G::HAS_REWARDS {
            rewards.push(self.game.apply_with_rewards(&mut self.states[lane], action));
        } else {
            self.game.apply(&mut self.states[lane], action);
        }
        child
    }

    /// The child to go on to, a new one included; `None` if that one finds no room below the memory cap.
    ///
    /// There is nothing to learn from a proven child: the playout goes on to the most urgent open one. The best proven
    /// value is noted, for the edges above to learn where the open child is no better. So proofs make progress with
    /// every playout, and the exploration of worse actions does not draw down the means above.
    #[inline]
    fn choose(&mut self, id: NodeId, lane: usize, grown: &mut bool) -> Option<usize> {
        let node = self.tree.node(id);
        let parent = self.parts.selection.parent_with_extra(node.visits.max(1), &node.extra);
        if S::SIDE_BY_SIDE && node.is_expanded() {
            let children = self.tree.children(id);
            let found = most_urgent_of_open(&self.parts.selection, parent, children, self.scale);
            if let Some(place) = found {
                return Some(super::walk::foreseen(place));
            }
        }
        let new = if node.is_expanded() {
            f32::NEG_INFINITY
        } else {
            self.parts.selection.first_play(parent, &S::Extra::default())
        };
        if new == f32::INFINITY {
            if self.proves() {
                self.note_exact(most_valuable_exact(self.tree.children(id), self.scale), id, lane);
            }
            let player = self.tree.children(id)[0].player();
            if let Grown::Child(place) = self.grow(id, lane, player) {
                *grown = true;
                return Some(place);
            }
        }
        let children = self.tree.children(id);
        let most = most_urgent(&self.parts.selection, parent, children, self.scale);
        let open = most.open.map_or(f32::NEG_INFINITY, |(_, urgency)| urgency);
        self.note_exact(most.exact, id, lane);
        // without open children this node is proven too, unless the solver is off or its table full
        let old = most.open.map(|(place, _)| place).or(most.exact);
        if new <= open {
            return old.or(Some(0));
        }
        let player = self.tree.children(id)[0].player();
        *grown = true;
        match self.grow(id, lane, player) {
            Grown::Child(place) => Some(place),
            Grown::Stuck | Grown::Full => old,
        }
    }

    /// Notes the utilities of the proven child at this place for the edges above its parent, if there are any.
    #[inline]
    fn note_exact(&mut self, place: Option<usize>, parent: NodeId, lane: usize) {
        let Lane { path, exacts, .. } = &mut self.lanes[lane];
        if let Some(place) = place
            && !path.is_empty()
        {
            let exact = solver::utilities::<G, _>(&self.tree, self.tree.child(parent, place));
            exacts.push((path.len(), exact));
        }
    }

    /// Gives a node without children its first ones; the place of the child to go on to.
    fn expand(&mut self, id: NodeId, lane: usize, player: Player) -> Grown {
        let one_by_one = self.parts.expansion.growth == Growth::OneByOne;
        if one_by_one && !S::COMPARES_UNVISITED {
            return self.grow(id, lane, player);
        }
        match self.expand_all(id, lane, player) {
            Expanded::Stuck => return Grown::Stuck,
            Expanded::Full => return Grown::Full,
            Expanded::All => {}
        }
        let node = self.tree.node(id);
        let parent = self.parts.selection.parent_with_extra(node.visits.max(1), &node.extra);
        let children = self.tree.children(id);
        let most = most_urgent(&self.parts.selection, parent, children, self.scale);
        Grown::Child(most.open.map_or(0, |(place, _)| place))
    }

    /// Adds a child for the next action without one. Each node has an order of its own, so that no action is
    /// favoured for its place in the rules.
    pub(super) fn grow(&mut self, id: NodeId, lane: usize, player: Player) -> Grown {
        let state = &self.states[lane];
        let actions = self.game.count_actions(state);
        let place = self.tree.node(id).child_count();
        if place >= actions {
            self.tree.node_mut(id).set_expanded(true);
            return Grown::Stuck;
        }
        if actions > MAX_CHILDREN {
            self.is_too_wide = true;
            return Grown::Full;
        }
        if place == 0 {
            let order = self.tree_rng.next_u64() as u8;
            self.tree.node_mut(id).set_order(order);
        }
        let nth = place_to_action(self.tree.node(id).order(), place, actions);
        let action = self.game.nth_action(state, nth);
        if self.tree.add_child(id, action, player).is_none() {
            return Grown::Full;
        }
        self.widest = self.widest.max(place as u16 + 1);
        if place + 1 == actions {
            self.tree.node_mut(id).set_expanded(true);
        }
        Grown::Child(place)
    }

    /// The child for an outcome that chance draws now; `None` if it is new and the memory cap leaves no room.
    fn outcome(&mut self, id: NodeId, lane: usize, grown: &mut bool) -> Option<usize> {
        let state = &self.states[lane];
        let action = self.game.random_outcome(state, &mut self.tree_rng);
        let children = self.tree.children(id);
        if let Some(place) = children.iter().position(|child| child.action() == action) {
            return Some(place);
        }
        *grown = true;
        let place = children.len();
        let decider = self.tree.node(id).player();
        let child = self.tree.add_child(id, action, decider)?;
        self.tree.node_mut(child).set_by_chance();
        self.widest = self.widest.max(place as u16 + 1);
        if place + 1 == self.game.count_actions(state) {
            self.tree.node_mut(id).set_expanded(true);
        }
        Some(place)
    }

    /// A leaf whose value is known exactly.
    fn known(&mut self, id: NodeId, lane: usize, exact: Exact) -> Leaf {
        let utilities = exact.utilities.made_finite(G::PLAYERS, G::UTILITY_BOUNDS);
        let exact = Exact { utilities, ..exact };
        if self.proves() && id != NodeId::ROOT {
            let UctSearch { game, tree, root_state, states, lanes, ids, .. } = self;
            solver::prove::<G, _>(tree, id, exact);
            resolve(tree, &lanes[lane].path, ids);
            if let Some(root) = root_state {
                // nobody evaluates the state of a leaf that is known
                let replay = Replay { game, root, scratch: &mut states[lane] };
                solver::propagate(tree, ids, replay);
            }
        }
        Leaf::Known(exact.utilities)
    }

    /// A leaf where the game goes on.
    #[inline]
    fn open(&mut self, id: NodeId, lane: usize) -> Leaf {
        if E::KNOWS_ENDINGS && id != NodeId::ROOT {
            let exact = self.parts.evaluator.exact(&self.game, &self.states[lane]);
            if let Some(exact) = exact {
                return self.known(id, lane, exact);
            }
        }
        Leaf::Open
    }

    /// Whether this search proves values.
    pub(super) fn proves(&self) -> bool {
        self.parts.solver && !G::HAS_REWARDS
    }
}

/// Which legal action gets the child at `place`: a permutation for each `order`.
#[inline]
pub(super) fn place_to_action(order: u8, place: usize, actions: usize) -> usize {
    const PRIMES: [usize; 8] = [65_537, 65_539, 65_543, 65_551, 65_557, 65_563, 65_579, 65_581];
    // more actions than any of the primes never get children, and a prime above their number is coprime to it
    let start = (usize::from(order) * actions) >> 8;
    (start + place * PRIMES[usize::from(order & 7)]) % actions
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn every_order_is_a_permutation() {
        for actions in [1, 2, 3, 7, 8, 64, 72, 218, 1000] {
            for order in 0..=255 {
                let mut seen = vec![false; actions];
                for place in 0..actions {
                    let nth = place_to_action(order, place, actions);
                    assert!(!core::mem::replace(&mut seen[nth], true));
                }
            }
        }
    }
}

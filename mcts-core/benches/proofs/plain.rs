//! UCT in plain code, with each rule for the backup above a proven child.

use mcts_core::rng::{below, stream};
use mcts_core::trace::Untraced;
use mcts_core::{ActionReport, FinalAction, Game, Proof, SearchRng, Turn, Utilities};

/// The value backed up above a node with both proven and open children.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Rule {
    /// Nothing is proven.
    NoSolver,
    /// Proven children except losses compete with the others by their urgency; a playout that
    /// reaches one backs up its value (Winands, Bjornsson and Saito, 2008, where only wins and
    /// losses are proven).
    Published,
    /// Every playout continues to an open child. Its result is replaced by the best proven value if
    /// that is at least the urgency of the open child.
    Urgency,
    /// The same, if it is at least the mean of the open child.
    Mean,
    /// The same, if it is at least the mean of every open child.
    EveryMean,
    /// As `Mean`; the result of a child's first playout is replaced if the value is at least the
    /// mean of the node.
    MeanOrParent,
    /// As `Mean`; when a child is proven, the sum of its playouts above it is replaced by the
    /// better of its value and the mean of its siblings.
    MeanMended,
    /// As `Mean`, with the mean after the playout.
    MeanAfter,
    /// The greater of the best proven value and the result, for the player who chooses.
    Greater,
}

#[derive(Debug, Clone)]
struct Node {
    action: u16,
    player: usize,
    by_chance: bool,
    visits: f64,
    sums: [f64; 3],
    proof: Option<(Utilities, u32)>,
    children: Vec<usize>,
    /// The actions without a child, in reverse.
    left: Vec<u16>,
    is_expanded: bool,
}

/// One search; the parts are those of plain `Uct`.
pub(crate) struct Plain<'a, G: Game> {
    game: &'a G,
    rule: Rule,
    nodes: Vec<Node>,
    rng: SearchRng,
}

const EXPLORATION: f64 = 0.7;

impl<'a, G: Game<State = u32, Action = u16>> Plain<'a, G> {
    pub(crate) fn new(game: &'a G, rule: Rule, seed: u64) -> Self {
        let mut plain = Plain { game, rule, nodes: Vec::new(), rng: stream(seed, 7) };
        plain.add(0, 0, false);
        plain.expand(0, 0);
        while !plain.nodes[0].left.is_empty() {
            plain.grow(0);
        }
        plain
    }

    fn add(&mut self, action: u16, player: usize, by_chance: bool) -> usize {
        self.nodes.push(Node {
            action,
            player,
            by_chance,
            visits: 0.0,
            sums: [0.0; 3],
            proof: None,
            children: Vec::new(),
            left: Vec::new(),
            is_expanded: false,
        });
        self.nodes.len() - 1
    }

    fn expand(&mut self, id: usize, state: u32) {
        let mut left = Vec::new();
        self.game.actions(&state, |action| left.push(action));
        for at in (1..left.len()).rev() {
            left.swap(at, below(&mut self.rng, at + 1));
        }
        self.nodes[id].left = left;
        self.nodes[id].is_expanded = true;
        if let Turn::Player(player) = self.game.turn(&state) {
            self.nodes[id].player = player.index();
        }
    }

    fn grow(&mut self, id: usize) -> usize {
        let action = self.nodes[id].left.pop().expect("an action is left");
        let mover = self.nodes[id].player;
        let child = self.add(action, mover, false);
        self.nodes[id].children.push(child);
        child
    }

    pub(crate) fn playouts(&mut self, playouts: u32) {
        for _ in 0..playouts {
            if self.nodes[0].proof.is_some() {
                return;
            }
            self.playout();
        }
    }

    fn playout(&mut self) {
        let (mut path, mut states) = (vec![0], vec![0]);
        // depths above which an exact value replaces the result
        let mut exacts: Vec<(usize, Utilities)> = Vec::new();
        let mut is_new = false;
        let result = loop {
            let (id, state) = (path[path.len() - 1], states[states.len() - 1]);
            if id != 0
                && let Some((exact, _)) = self.nodes[id].proof
            {
                break exact;
            }
            let turn = self.game.turn(&state);
            if let Turn::Over(utilities) = turn {
                if self.rule != Rule::NoSolver {
                    self.prove(&path, &states, (utilities, 0));
                }
                break utilities;
            }
            if id != 0 && (is_new || self.nodes[id].visits < 1.0) {
                break self.game.rollout(state, &mut Untraced, &mut self.rng);
            }
            let child = match turn {
                Turn::Chance => self.outcome(id, state, &mut is_new),
                _ => self.choose(id, state, path.len() - 1, (&mut exacts, &mut is_new)),
            };
            let Some(child) = child else { break exacts.pop().expect("an exact value").1 };
            let mut next = state;
            self.game.apply(&mut next, self.nodes[child].action);
            path.push(child);
            states.push(next);
        };
        self.back_up(&path, &exacts, result);
    }

    fn outcome(&mut self, id: usize, state: u32, is_new: &mut bool) -> Option<usize> {
        let action = self.game.random_outcome(&state, &mut self.rng);
        let known =
            self.nodes[id].children.iter().find(|child| self.nodes[**child].action == action);
        Some(known.copied().unwrap_or_else(|| {
            *is_new = true;
            let child = self.add(action, 0, true);
            self.nodes[id].children.push(child);
            child
        }))
    }

    fn unit(&self, utility: f64) -> f64 {
        let (lowest, highest) = G::UTILITY_BOUNDS;
        (utility - f64::from(lowest)) / f64::from(highest - lowest)
    }

    /// The child to continue to; `None` if the playout ends with the exact value noted last.
    fn choose(
        &mut self,
        id: usize,
        state: u32,
        depth: usize,
        (exacts, is_new): (&mut Vec<(usize, Utilities)>, &mut bool),
    ) -> Option<usize> {
        if !self.nodes[id].is_expanded {
            self.expand(id, state);
        }
        let mover = self.nodes[id].player;
        let best = self.best_proven(id, mover);
        let value = best.map(|exact| self.unit(f64::from(exact.0[mover])));
        if !self.nodes[id].left.is_empty() {
            *is_new = true;
            let mean = self.unit(self.nodes[id].sums[mover] / self.nodes[id].visits.max(1.0));
            let replaces = match self.rule {
                Rule::MeanOrParent => value >= Some(mean),
                Rule::Greater | Rule::MeanAfter => true,
                _ => false,
            };
            exacts.extend(best.filter(|_| replaces).map(|exact| (depth, exact)));
            return Some(self.grow(id));
        }
        let log = self.nodes[id].visits.max(1.0).ln();
        let open = self.nodes[id].children.iter().map(|child| (*child, &self.nodes[*child]));
        let (mut most, mut mean, mut every, mut place) = (f64::MIN, 0.0, f64::MIN, None);
        for (child, node) in open.filter(|(_, node)| node.proof.is_none()) {
            let own = self.unit(node.sums[mover] / node.visits.max(1.0));
            let urgency = match node.visits > 0.0 {
                true => own + EXPLORATION * (log / node.visits).sqrt(),
                false => f64::INFINITY,
            };
            every = every.max(own);
            if urgency > most {
                (most, mean, place) = (urgency, own, Some(child));
            }
        }
        let (Some(exact), Some(value)) = (best, value) else { return place };
        let replaces = match self.rule {
            Rule::NoSolver => false,
            Rule::Published => {
                let proven = self.nodes[id].children.iter().map(|child| &self.nodes[*child]);
                let proven = proven.filter(|node| node.proof.is_some());
                let bonus =
                    proven.map(|node| (log / node.visits.max(1.0)).sqrt()).fold(0.0, f64::max);
                if value + EXPLORATION * bonus < most {
                    return place;
                }
                exacts.push((depth, exact));
                return None;
            }
            Rule::Urgency => value >= most,
            Rule::Mean | Rule::MeanOrParent | Rule::MeanMended => value >= mean,
            Rule::EveryMean => value >= every,
            Rule::Greater | Rule::MeanAfter => true,
        };
        if replaces || place.is_none() {
            exacts.push((depth, exact));
        }
        place
    }

    /// The best of the proven children except losses.
    fn best_proven(&self, id: usize, mover: usize) -> Option<Utilities> {
        let children = self.nodes[id].children.iter().map(|child| &self.nodes[*child]);
        let known = children.filter_map(|node| node.proof.map(|(exact, _)| exact));
        let known = known.filter(|exact| exact.0[mover] > G::UTILITY_BOUNDS.0);
        known.reduce(|best, next| if next.0[mover] > best.0[mover] { next } else { best })
    }

    fn back_up(&mut self, path: &[usize], exacts: &[(usize, Utilities)], result: Utilities) {
        let mut learnt = result;
        for depth in (0..path.len()).rev() {
            if let Some((_, exact)) = exacts.iter().find(|(above, _)| *above == depth) {
                let mover = self.nodes[path[depth]].player;
                let after = path.get(depth + 1).map(|child| &self.nodes[*child]);
                let after = after.map_or(f64::MIN, |node| node.sums[mover] / node.visits);
                let is_kept = match self.rule {
                    Rule::Greater => learnt.0[mover] > exact.0[mover],
                    Rule::MeanAfter => after > f64::from(exact.0[mover]),
                    _ => false,
                };
                learnt = if is_kept { learnt } else { *exact };
            }
            let node = &mut self.nodes[path[depth]];
            node.visits += 1.0;
            for (sum, utility) in node.sums.iter_mut().zip(learnt.0) {
                *sum += f64::from(utility);
            }
        }
    }

    /// Proves the last node of a path, and those above it that it decides.
    fn prove(&mut self, path: &[usize], states: &[u32], exact: (Utilities, u32)) {
        let mut exact = Some(exact);
        for depth in (0..path.len()).rev() {
            let Some(known) = exact else { return };
            self.nodes[path[depth]].proof = Some(known);
            if depth > 0 {
                if self.rule == Rule::MeanMended {
                    self.mend(&path[..=depth], known.0);
                }
                exact = self.decided(path[depth - 1], states[depth - 1]);
            }
        }
    }

    /// Replaces the sum of the playouts of a newly proven child in the nodes above it.
    fn mend(&mut self, path: &[usize], exact: Utilities) {
        let (child, parent) = (path[path.len() - 1], path[path.len() - 2]);
        let (visits, old) = (self.nodes[child].visits, self.nodes[child].sums);
        let mover = self.nodes[parent].player;
        let (mut new, mut best) = (exact.0.map(f64::from), f64::from(exact.0[mover]));
        if !self.nodes[child].by_chance {
            for sibling in &self.nodes[parent].children {
                let node = &self.nodes[*sibling];
                let mean = node.sums.map(|sum| sum / node.visits.max(1.0));
                if node.proof.is_none() && node.visits > 0.0 && mean[mover] > best {
                    best = mean[mover];
                    new[..3].copy_from_slice(&mean);
                }
            }
        }
        for id in path {
            for player in 0..3 {
                self.nodes[*id].sums[player] += visits * new[player] - old[player];
            }
        }
    }

    fn decided(&self, id: usize, state: u32) -> Option<(Utilities, u32)> {
        let node = &self.nodes[id];
        let known: Vec<_> = node.children.iter().map(|child| self.nodes[*child].proof).collect();
        if self.game.turn(&state) == Turn::Chance {
            let mut all = (Utilities::ZERO, 0);
            let mut is_known = true;
            self.game.outcomes(&state, |action, probability| {
                let child = node.children.iter().find(|child| self.nodes[**child].action == action);
                match child.and_then(|child| self.nodes[*child].proof) {
                    Some((exact, plies)) => {
                        all = (all.0.plus(&exact, probability), plies.max(all.1));
                    }
                    None => is_known = false,
                }
            });
            return is_known.then_some((all.0, all.1 + 1));
        }
        let all = node.left.is_empty() && known.iter().all(Option::is_some);
        let best = known.into_iter().flatten().reduce(|best, next| {
            if next.0.0[node.player] > best.0.0[node.player] { next } else { best }
        })?;
        let decided = all || best.0.0[node.player] >= G::UTILITY_BOUNDS.1;
        decided.then_some((best.0, best.1 + 1))
    }

    pub(crate) fn is_proven(&self) -> bool {
        self.nodes[0].proof.is_some()
    }

    /// The action to play with its estimated value for the player who plays it.
    pub(crate) fn best(&self) -> (u16, f32) {
        let mover = self.nodes[0].player;
        let reports: Vec<_> =
            self.nodes[0].children.iter().map(|child| &self.nodes[*child]).collect();
        let reports: Vec<_> = reports
            .into_iter()
            .map(|node| {
                let proven =
                    node.proof.map(|(exact, plies)| Proof { utility: exact.0[mover], plies });
                let mean = (node.sums[mover] / node.visits.max(1.0)) as f32;
                let value = proven.map(|proof| proof.utility);
                ActionReport {
                    action: node.action,
                    visits: node.visits as u32,
                    value: value.or((node.visits > 0.0).then_some(mean)),
                    standard_error: None,
                    proven,
                }
            })
            .collect();
        let best =
            FinalAction::Robust.choose(&reports, G::UTILITY_BOUNDS).expect("there are actions");
        (reports[best].action, reports[best].value.unwrap_or(0.0))
    }
}

//! Read access to the tree of a search: traversal from the root, and a bounded export as JSON or
//! Graphviz DOT.

use super::{RootStats, Search};
use crate::game::Player;
use crate::tree::Proof;
use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write};

/// A node of a search's tree. Valid until the search runs another playout, is prepared or advanced;
/// afterwards it may refer to another node or to none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeRef(pub(super) u64);

impl NodeRef {
    /// The root, from which every playout starts.
    pub const ROOT: NodeRef = NodeRef(u64::MAX);
}

/// The kind of a branch from a node to one of its children.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Branch<A> {
    /// An action of a player, or an outcome of chance.
    Action(A),
    /// The player's observation after her action, by its [key](crate::Model::observation_key).
    Observation(u64),
    /// A determinization that is searched separately, by its number.
    World(u32),
}

/// One branch of a node, with its statistics.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BranchStats<A> {
    /// The kind of branch.
    pub branch: Branch<A>,
    /// The player who takes it; `None` for outcomes of chance and observations.
    pub player: Option<Player>,
    /// Playouts through it.
    pub visits: u32,
    /// Mean utility of each player, exact if proven; `None` without visits, and for players whose
    /// values the search does not store.
    pub values: Vec<Option<f32>>,
    /// The evaluator's prior, if the selection policy stores it.
    pub prior: Option<f32>,
    /// Exact value, from the view of the player who takes it.
    pub proven: Option<Proof>,
    /// The node after it, if it is in the tree.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub node: Option<NodeRef>,
}

/// The extent of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExportLimits {
    /// Maximum depth, in branches from the root.
    pub depth: usize,
    /// Branches with fewer visits are omitted.
    pub least_visits: u32,
    /// Maximum number of nodes; shallow and often visited ones come first.
    pub nodes: usize,
}

impl Default for ExportLimits {
    /// Three branches deep, branches with at least 10 visits, 1,000 nodes.
    fn default() -> Self {
        ExportLimits { depth: 3, least_visits: 10, nodes: 1_000 }
    }
}

/// A part of a tree as a list: the root first, every other node after its parent.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ExportedTree<A> {
    /// The nodes except the root.
    pub nodes: Vec<ExportedNode<A>>,
}

/// A node of an exported tree and the branch that leads into it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ExportedNode<A> {
    /// The index of its parent in the list; `None` for children of the root.
    pub parent: Option<usize>,
    /// Branches from the root.
    pub depth: usize,
    /// The statistics.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub stats: BranchStats<A>,
}

/// The branches of the root from its statistics, for searches without a tree.
pub(super) fn root_branches<S: Search + ?Sized>(search: &S) -> Vec<BranchStats<S::Action>> {
    let mut root = RootStats::default();
    search.read_root(&mut root);
    let branches = root.actions.iter().map(|action| BranchStats {
        branch: Branch::Action(action.action),
        player: None,
        visits: action.visits,
        values: alloc::vec![action.value],
        prior: None,
        proven: action.proven,
        node: None,
    });
    branches.collect()
}

/// The part of the tree of `search` within `limits`.
pub(super) fn export<S: Search + ?Sized>(
    search: &S,
    limits: &ExportLimits,
) -> ExportedTree<S::Action> {
    let mut nodes = Vec::new();
    let mut open = VecDeque::from([(None, 0, NodeRef::ROOT)]);
    while let Some((parent, depth, node)) = open.pop_front() {
        if depth == limits.depth {
            break;
        }
        let mut branches = search.branches(node);
        branches.retain(|branch| branch.visits >= limits.least_visits);
        branches.sort_by_key(|branch| core::cmp::Reverse(branch.visits));
        for stats in branches.into_iter().take(limits.nodes - nodes.len()) {
            let (place, depth) = (nodes.len(), depth + 1);
            open.extend(stats.node.map(|child| (Some(place), depth, child)));
            nodes.push(ExportedNode { parent, depth, stats });
        }
    }
    ExportedTree { nodes }
}

impl<A> ExportedTree<A> {
    /// The tree in the DOT language of Graphviz, with `label` for each action: visits, and the
    /// value for the player who takes the branch; wider lines have more visits.
    #[must_use]
    pub fn to_dot(&self, label: impl Fn(&A) -> String) -> String {
        let mut dot = String::new();
        // writing to a string cannot fail
        let _ = self.write_dot(&mut dot, label);
        dot
    }

    fn write_dot(&self, dot: &mut String, label: impl Fn(&A) -> String) -> fmt::Result {
        writeln!(dot, "digraph search {{\n  node [shape=box];\n  root [label=\"\", shape=point];")?;
        for (place, node) in self.nodes.iter().enumerate() {
            let BranchStats { branch, visits, proven, .. } = &node.stats;
            let name = match branch {
                Branch::Action(action) => escaped(&label(action)),
                Branch::Observation(key) => alloc::format!("sees {key:x}"),
                Branch::World(number) => alloc::format!("world {number}"),
            };
            write!(dot, "  n{place} [label=\"{name}\\n{visits}")?;
            if let Some(value) = node.stats.own_value() {
                write!(dot, "\\n{value:+.3}")?;
            }
            let frame = if proven.is_some() { ", peripheries=2" } else { "" };
            writeln!(dot, "\"{frame}];")?;
            let above = |parent: usize| self.nodes[parent].stats.visits;
            let of = node.parent.map_or_else(|| self.root_visits(), above).max(1);
            let width = 0.5 + 4.0 * f64::from(*visits) / f64::from(of);
            match node.parent {
                None => write!(dot, "  root")?,
                Some(parent) => write!(dot, "  n{parent}")?,
            }
            writeln!(dot, " -> n{place} [penwidth={width:.2}];")?;
        }
        writeln!(dot, "}}")
    }

    /// Visits of all exported children of the root.
    fn root_visits(&self) -> u32 {
        let children = self.nodes.iter().filter(|node| node.parent.is_none());
        children.fold(0, |sum, node| sum.saturating_add(node.stats.visits))
    }
}

impl<A> BranchStats<A> {
    /// The value for the player who takes the branch, or the only known one.
    #[must_use]
    pub fn own_value(&self) -> Option<f32> {
        match self.player {
            Some(player) => self.values.get(player.index()).copied().flatten(),
            None => self.values.first().copied().flatten(),
        }
    }
}

/// Escapes quotes and backslashes for a DOT string.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

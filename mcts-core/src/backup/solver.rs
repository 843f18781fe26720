//! Exact values in the tree: MCTS-Solver (Winands, Bjornsson and Saito, 2008), for any number of
//! players and chance.
//!
//! A node is proven when its mover has an action proven to have the greatest utility of the game,
//! or when every legal action is proven; its value is that of the best action for the mover. A
//! chance node is proven when all of its outcomes are; its value is their mean.
//!
//! Deviations from the paper: draws and all other exact utilities are proven, too. Playouts only go
//! to open children, and back up the best proven value of a node if the child on their path is not
//! better (`add_beside_exact`); in the paper proven draws compete with open children, and results
//! are backed up unchanged.

use super::exact::{Expectation, ProvenChildren};
use crate::game::{Exact, Game, Utilities};
use crate::tree::{Node, NodeId, Proof, Tree};

/// Maximum number of entries of the table of utilities, which games that are not zero-sum need;
/// beyond it nothing more is proven.
const MOST_TABLE_ENTRIES: usize = 1 << 20;

/// Whether one number per node determines the utilities of all players.
pub(crate) const fn is_scalar<G: Game>() -> bool {
    G::PLAYERS == 1 || (G::PLAYERS == 2 && G::ZERO_SUM)
}

/// The proof of a node, from the view of the player who took the edge into it.
pub(crate) fn proof<G: Game, X: Copy + Default>(
    tree: &Tree<G::Action, X>,
    id: NodeId,
) -> Option<Proof> {
    let player = tree.node(id).player();
    proven::<G, X>(tree, id)
        .map(|known| Proof { utility: known.utilities.of_player(player), plies: known.plies })
}

/// Each player's utility at a proven node; zero for all players if it is not proven.
pub(crate) fn utilities<G: Game, X: Copy + Default>(
    tree: &Tree<G::Action, X>,
    id: NodeId,
) -> Utilities {
    proven::<G, X>(tree, id).map_or(Utilities::ZERO, |known| known.utilities)
}

/// The rules and a state in which a line of the tree is replayed, since the tree does not store the
/// probabilities of outcomes.
pub(crate) struct Replay<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) root: &'a G::State,
    /// A state to be overwritten.
    pub(crate) scratch: &'a mut G::State,
}

/// Propagates a proof from the last node of `path` towards the root, as far as it decides nodes.
pub(crate) fn propagate<G: Game, X: Copy + Default>(
    tree: &mut Tree<G::Action, X>,
    path: &[NodeId],
    mut replay: Replay<'_, G>,
) {
    for depth in (0..path.len().saturating_sub(1)).rev() {
        let parent = path[depth];
        let decided = if tree.children(parent).first().is_some_and(Node::is_by_chance) {
            expected(tree, &path[..=depth], &mut replay)
        } else {
            decided_by_children::<G, X>(tree, parent)
        };
        let Some(known) = decided else { return };
        prove::<G, X>(tree, parent, known);
    }
}

/// Proves a node where a player is to move, if its children decide it.
pub(crate) fn prove_from_children<G: Game, X: Copy + Default>(
    tree: &mut Tree<G::Action, X>,
    parent: NodeId,
) {
    if let Some(known) = decided_by_children::<G, X>(tree, parent) {
        prove::<G, X>(tree, parent, known);
    }
}

fn decided_by_children<G: Game, X: Copy + Default>(
    tree: &Tree<G::Action, X>,
    parent: NodeId,
) -> Option<Exact> {
    let children = tree.children(parent).iter().enumerate().map(|(place, child)| {
        let known = proven::<G, X>(tree, tree.child(parent, place))?;
        let utility = known.utilities.of_player(child.player());
        Some((Proof { utility, plies: known.plies }, known))
    });
    let choice = ProvenChildren::among(children, G::UTILITY_BOUNDS);
    let (_, known) = choice.decided(tree.node(parent).is_expanded(), G::UTILITY_BOUNDS)?;
    Some(Exact { plies: known.plies.saturating_add(1), ..known })
}

/// The value of the chance node at the end of `path`, if all of its outcomes are proven.
fn expected<G: Game, X: Copy + Default>(
    tree: &Tree<G::Action, X>,
    path: &[NodeId],
    replay: &mut Replay<'_, G>,
) -> Option<Exact> {
    let chance = *path.last()?;
    let children = tree.children(chance);
    if !tree.node(chance).is_expanded() || !children.iter().all(Node::is_proven) {
        return None;
    }
    let Replay { game, root, scratch } = replay;
    scratch.clone_from(root);
    path[1..].iter().for_each(|id| game.apply(scratch, tree.node(*id).action()));
    let mut expectation = Expectation::default();
    game.outcomes(scratch, |action, probability| {
        let place = children.iter().position(|child| child.action() == action);
        let outcome = place.and_then(|place| proven::<G, X>(tree, tree.child(chance, place)));
        expectation.add(probability, outcome);
    });
    expectation.exact()
}

fn proven<G: Game, X: Copy + Default>(tree: &Tree<G::Action, X>, id: NodeId) -> Option<Exact> {
    let (utility, beside) = tree.node(id).proof_bits()?;
    if !is_scalar::<G>() {
        let (utilities, plies) = tree.proven_utilities(beside);
        return Some(Exact { utilities, plies });
    }
    let utilities = match (G::PLAYERS, tree.node(id).player().index()) {
        (1, _) => Utilities::single(utility),
        (_, 0) => Utilities::zero_sum(utility),
        _ => Utilities::zero_sum(-utility),
    };
    Some(Exact { utilities, plies: beside })
}

/// Stores the exact value of a node.
pub(crate) fn prove<G: Game, X: Copy + Default>(
    tree: &mut Tree<G::Action, X>,
    id: NodeId,
    known: Exact,
) {
    let utility = known.utilities.of_player(tree.node(id).player());
    if is_scalar::<G>() {
        tree.node_mut(id).set_proof_bits(utility, known.plies);
    } else if let Some(place) =
        tree.note_proven_utilities(known.utilities, known.plies, MOST_TABLE_ENTRIES)
    {
        tree.node_mut(id).set_proof_bits(utility, place);
    }
}

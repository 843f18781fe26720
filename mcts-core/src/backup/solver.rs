//! Exact values in the tree: MCTS-Solver (Winands, Bjornsson and Saito, 2008), for any number of players.
//!
//! A node is proven when its mover has an action proven to be worth the most that the game can give, or when
//! every legal action is proven; it is then worth what its best action gives each player. Deviation from the
//! paper: draws and any other exact utilities are proven alike, and nothing is done to the means above.

use crate::game::{Exact, Game, Utilities};
use crate::tree::{NodeId, Proof, Tree};

/// Most entries of the table of utilities that games with other than zero-sum utilities need; beyond it
/// nothing more is proven.
const MOST_TABLE_ENTRIES: usize = 1 << 20;

/// Whether one number per node tells the utilities of all players.
pub(crate) const fn is_scalar<G: Game>() -> bool {
    G::PLAYERS == 1 || (G::PLAYERS == 2 && G::ZERO_SUM)
}

/// What is proven about a node, from the view of the player who took the edge into it.
pub(crate) fn proof<G: Game, X: Copy + Default>(
    tree: &Tree<G::Action, X>,
    id: NodeId,
) -> Option<Proof> {
    let player = tree.node(id).player();
    proven::<G, X>(tree, id)
        .map(|known| Proof { utility: known.utilities.of_player(player), plies: known.plies })
}

/// What each player gets at a proven node; nothing for anybody if it is not proven.
pub(crate) fn utilities<G: Game, X: Copy + Default>(
    tree: &Tree<G::Action, X>,
    id: NodeId,
) -> Utilities {
    proven::<G, X>(tree, id).map_or(Utilities::ZERO, |known| known.utilities)
}

/// Carries a proof from the last of `path` towards the root, as far as it decides anything.
pub(crate) fn propagate<G: Game, X: Copy + Default>(
    tree: &mut Tree<G::Action, X>,
    path: &[NodeId],
) {
    for parent in path.iter().rev().skip(1) {
        if !prove_from_children::<G, X>(tree, *parent) {
            return;
        }
    }
}

/// Proves a node if its children decide it; whether they do.
pub(crate) fn prove_from_children<G: Game, X: Copy + Default>(
    tree: &mut Tree<G::Action, X>,
    parent: NodeId,
) -> bool {
    match decided_by_children::<G, X>(tree, parent) {
        Some(known) => {
            prove::<G, X>(tree, parent, known);
            true
        }
        None => false,
    }
}

fn decided_by_children<G: Game, X: Copy + Default>(
    tree: &Tree<G::Action, X>,
    parent: NodeId,
) -> Option<Exact> {
    let (lowest, highest) = G::UTILITY_BOUNDS;
    let children = tree.children(parent);
    let by_chance = children.first()?.is_by_chance();
    let mut all = tree.node(parent).is_expanded();
    let mut best: Option<(f32, usize, Exact)> = None;
    for (place, child) in children.iter().enumerate() {
        let Some(known) = proven::<G, X>(tree, tree.child(parent, place)) else {
            all = false;
            continue;
        };
        let utility = known.utilities.of_player(child.player());
        let better = match best {
            None => true,
            Some((_, _, first)) if by_chance => {
                all &= first.utilities == known.utilities;
                first.plies < known.plies
            }
            Some((most, _, other)) => {
                utility > most
                    || (utility >= most && (utility <= lowest) != (known.plies < other.plies))
            }
        };
        if better {
            best = Some((utility, place, known));
        }
    }
    let (utility, _, known) = best?;
    let decided = all || (!by_chance && utility >= highest);
    decided.then_some(Exact { plies: known.plies + 1, ..known })
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

/// Notes what is known of a node.
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

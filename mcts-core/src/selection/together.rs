//! The most urgent of plain siblings, several compared at a time.

use super::{Candidate, Scale, SelectionPolicy};
use crate::tree::Node;
use core::array::from_fn;

/// Siblings compared at a time.
const TOGETHER: usize = 8;

/// The place of the most urgent child, the first of equals, as [`most_urgent`](super::most_urgent) finds it; `None`
/// if there are no children or one of them is unvisited, proven or an outcome of chance. For policies that keep
/// nothing on the edge.
///
/// Always as many are compared at a time, the last one several times if need be: so the arithmetic becomes vector
/// instructions, and no branch depends on what is found.
#[inline]
pub(crate) fn most_urgent_of_plain<A, S>(
    policy: &S,
    parent: S::Parent,
    children: &[Node<A, S::Extra>],
    scale: Scale,
) -> Option<usize>
where
    A: Copy,
    S: SelectionPolicy,
{
    let mut most = 0;
    let mut all_plain = true;
    for (step, siblings) in children.chunks(TOGETHER).enumerate() {
        if siblings.is_empty() {
            return None;
        }
        let last = siblings.len() - 1;
        let at: [&Node<A, S::Extra>; TOGETHER] = from_fn(|place| &siblings[place.min(last)]);
        let visits = at.map(|child| child.visits);
        let sums = at.map(Node::plain_sum);
        all_plain &= at.iter().fold(true, |all, child| all & child.is_plain());
        let keys: [u64; TOGETHER] = from_fn(|place| {
            let visits = visits[place];
            let value = scale.to_unit(sums[place] as f32 / visits as f32);
            let extra = S::Extra::default();
            let urgency = policy.urgency(parent, &Candidate { visits, value, extra });
            // of equal urgencies the first place makes the greatest key
            u64::from(ordered(urgency)) << 32 | u64::from(!((TOGETHER * step + place) as u32))
        });
        most = keys.into_iter().fold(most, u64::max);
    }
    (all_plain && most > 0).then_some(!(most as u32) as usize)
}

/// A number that compares as `urgency` does.
#[inline]
fn ordered(urgency: f32) -> u32 {
    let bits = urgency.to_bits();
    bits ^ (((bits as i32) >> 31) as u32 | 1 << 31)
}

#[cfg(test)]
mod tests {
    use super::super::{Ucb1, most_urgent};
    use super::*;
    use crate::game::Player;
    use crate::rng;
    use alloc::vec::Vec;

    #[test]
    fn plain_siblings_are_compared_as_all_are() {
        let mut rng = rng::stream(1, 0);
        let scale = Scale::new((-1.0, 1.0));
        let policy = Ucb1::default();
        for count in (1..=40).cycle().take(4000) {
            // few visits and few values, so that there are ties
            let children: Vec<Node<u8>> = (0..count)
                .map(|_| {
                    let mut child = Node::new(0, Player::FIRST);
                    child.visits = 1 + rng::below(&mut rng, 3) as u32;
                    let wins = rng::below(&mut rng, child.visits as usize + 1);
                    child.add_value(2.0 * wins as f64 - f64::from(child.visits));
                    child
                })
                .collect();
            let parent = policy.parent(1 + rng::below(&mut rng, 1000) as u32);
            let expected = most_urgent(&policy, parent, &children, scale).open;
            let found = most_urgent_of_plain(&policy, parent, &children, scale);
            assert_eq!(found, expected.map(|(place, _)| place));
        }
    }

    #[test]
    fn one_sibling_that_is_not_plain_leaves_the_choice_to_others() {
        let scale = Scale::new((-1.0, 1.0));
        let policy = Ucb1::default();
        let find = |children: &[Node<u8>]| most_urgent_of_plain(&policy, 1.0, children, scale);
        let mut children = Vec::from([Node::new(0, Player::FIRST); 10]);
        assert_eq!(find(&[]), None);
        children.iter_mut().for_each(|child| child.visits = 1);
        assert_eq!(find(&children), Some(0));
        let with = |change: fn(&mut Node<u8>)| {
            let mut children = children.clone();
            change(&mut children[9]);
            find(&children)
        };
        assert_eq!(with(|child| child.visits = 0), None);
        assert_eq!(with(|child| child.set_proof_bits(1.0, 0)), None);
        assert_eq!(with(Node::set_by_chance), None);
    }

    #[test]
    fn keys_are_ordered_as_urgencies() {
        let urgencies = [f32::NEG_INFINITY, -2.0, -0.5, 0.0, 1e-30, 0.5, 2.0, f32::INFINITY];
        assert!(urgencies.is_sorted_by_key(|urgency| ordered(*urgency)));
    }
}

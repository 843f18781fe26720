//! The most urgent of plain siblings, several compared at a time.

use super::{Candidate, Scale, SelectionPolicy};
use crate::tree::Node;
use core::array::from_fn;
use core::hint::black_box;

/// Siblings compared at a time.
const TOGETHER: usize = 8;

/// Siblings from which on the greatest of all is found in the end only.
pub(crate) const WIDE: usize = 2 * TOGETHER;

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
        all_plain &= at.iter().fold(true, |all, child| all & child.is_plain());
        let keys = keys(policy, parent, (at, TOGETHER * step), scale);
        most = keys.into_iter().fold(most, u64::max);
    }
    (all_plain && most > 0).then_some(!(most as u32) as usize)
}

/// Numbers that compare as the urgencies of siblings from this place on; of equals the first is the greatest.
#[inline]
fn keys<A, S>(
    policy: &S,
    parent: S::Parent,
    (siblings, first): ([&Node<A, S::Extra>; TOGETHER], usize),
    scale: Scale,
) -> [u64; TOGETHER]
where
    A: Copy,
    S: SelectionPolicy,
{
    let visits = siblings.map(|child| child.visits);
    let sums = siblings.map(Node::plain_sum);
    from_fn(|place| {
        let visits = visits[place];
        let value = scale.to_unit(sums[place] as f32 / visits as f32);
        let extra = S::Extra::default();
        let urgency = policy.urgency(parent, &Candidate { visits, value, extra });
        u64::from(ordered(urgency)) << 32 | u64::from(!((first + place) as u32))
    })
}

/// [`most_urgent_of_plain`] where there are so many that it pays to find the greatest of all in the end only.
#[inline]
pub(crate) fn most_urgent_of_many_plain<A, S>(
    policy: &S,
    parent: S::Parent,
    children: &[Node<A, S::Extra>],
    scale: Scale,
) -> Option<usize>
where
    A: Copy,
    S: SelectionPolicy,
{
    let (groups, rest) = children.as_chunks();
    let mut most = [0; TOGETHER];
    let mut fewest = [u32::MAX; TOGETHER];
    let mut flags = 0;
    let mut compare = |group: [&Node<A, S::Extra>; TOGETHER], first: usize| {
        let keys = keys(policy, parent, (group, first), scale);
        most = from_fn(|place| most[place].max(keys[place]));
        fewest = from_fn(|place| fewest[place].min(group[place].visits));
        flags = group.iter().fold(flags, |flags, child| flags | child.flags());
    };
    for (step, group) in groups.iter().enumerate() {
        // otherwise the compiler gathers across groups, which is slow
        compare(group.each_ref(), black_box(TOGETHER * step));
    }
    if let Some(last) = rest.len().checked_sub(1) {
        compare(from_fn(|place| &rest[place.min(last)]), TOGETHER * groups.len());
    }
    let all_plain = Node::<A>::are_plain_flags(flags) && fewest.iter().all(|&visits| visits > 0);
    let most = most.into_iter().fold(0, u64::max);
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
            let expected = expected.map(|(place, _)| place);
            assert_eq!(most_urgent_of_plain(&policy, parent, &children, scale), expected);
            assert_eq!(most_urgent_of_many_plain(&policy, parent, &children, scale), expected);
        }
    }

    #[test]
    fn one_sibling_that_is_not_plain_leaves_the_choice_to_others() {
        let scale = Scale::new((-1.0, 1.0));
        let policy = Ucb1::default();
        let find = |children: &[Node<u8>]| {
            let found = most_urgent_of_plain(&policy, 1.0, children, scale);
            assert_eq!(most_urgent_of_many_plain(&policy, 1.0, children, scale), found);
            found
        };
        let mut children = Vec::from([Node::new(0, Player::FIRST); 10]);
        assert_eq!(find(&[]), None);
        children.iter_mut().for_each(|child| child.visits = 1);
        assert_eq!(find(&children), Some(0));
        for place in [0, 7, 8, 9] {
            let with = |change: fn(&mut Node<u8>)| {
                let mut children = children.clone();
                change(&mut children[place]);
                find(&children)
            };
            assert_eq!(with(|child| child.visits = 0), None);
            assert_eq!(with(|child| child.set_proof_bits(1.0, 0)), None);
            assert_eq!(with(Node::set_by_chance), None);
        }
    }

    #[test]
    fn keys_are_ordered_as_urgencies() {
        let urgencies = [f32::NEG_INFINITY, -2.0, -0.5, 0.0, 1e-30, 0.5, 2.0, f32::INFINITY];
        assert!(urgencies.is_sorted_by_key(|urgency| ordered(*urgency)));
    }
}

//! Selects the child of greatest urgency among plain siblings, several at a time.

use super::{Candidate, Scale, SelectionPolicy};
use crate::tree::Node;
use core::array::from_fn;
use core::hint::black_box;

/// Siblings compared at a time.
const TOGETHER: usize = 8;

/// From this number of siblings on, the maximum of all is reduced once at the end.
pub(crate) const WIDE: usize = 2 * TOGETHER;

/// The index of the child of greatest urgency, ties to the first, as
/// [`most_urgent`](super::most_urgent) finds it; `None` if there are no children or one of them is
/// unvisited, proven or an outcome of chance. For policies without statistics on the edge.
///
/// A fixed number of siblings is compared at a time, repeating the last one if necessary, so that
/// the arithmetic is vectorized and no branch depends on the result.
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

/// The index of the child of greatest urgency, ties to the first, unvisited ones included; `None`
/// if there are no children or one of them is proven or an outcome of chance. For policies that
/// compute [without branches](SelectionPolicy::SIDE_BY_SIDE).
#[inline]
pub(crate) fn most_urgent_of_open<A, S>(
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
    let mut flags = 0;
    for (step, siblings) in children.chunks(TOGETHER).enumerate() {
        let last = siblings.len().checked_sub(1)?;
        let at: [&Node<A, S::Extra>; TOGETHER] = from_fn(|place| &siblings[place.min(last)]);
        flags = at.iter().fold(flags, |flags, child| flags | child.flags());
        let visits = at.map(|child| child.visits);
        let sums = at.map(Node::plain_sum);
        let keys: [u64; TOGETHER] = from_fn(|place| {
            let (visits, extra) = (visits[place], at[place].extra);
            let value = scale.to_unit(sums[place] as f32 / visits.max(1) as f32);
            let urgency = policy.urgency_of_any(parent, &Candidate { visits, value, extra });
            key(urgency, TOGETHER * step + place)
        });
        most = keys.into_iter().fold(most, u64::max);
    }
    (Node::<A>::are_plain_flags(flags) && most > 0).then_some(!(most as u32) as usize)
}

/// Keys ordered like the urgencies of siblings from this index on; of equal urgencies the first has
/// the greatest key.
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
        key(urgency, first + place)
    })
}

/// A key ordered like the urgency; of equal urgencies the first index has the greatest key.
#[inline]
fn key(urgency: f32, place: usize) -> u64 {
    u64::from(ordered(urgency)) << 32 | u64::from(!(place as u32))
}

/// [`most_urgent_of_plain`] for many siblings: the maximum is reduced once at the end.
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

/// A number ordered like `urgency`.
#[inline]
fn ordered(urgency: f32) -> u32 {
    let bits = urgency.to_bits();
    bits ^ (((bits as i32) >> 31) as u32 | 1 << 31)
}

#[cfg(test)]
mod tests {
    use super::super::{AmafEdge, Rave, RaveSchedule, Ucb1, most_urgent};
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
    fn open_siblings_of_any_kind_are_compared_as_all_are() {
        let mut rng = rng::stream(2, 0);
        let scale = Scale::new((-1.0, 1.0));
        let schedules = [
            RaveSchedule::MinimumMse { bias: 0.1 },
            RaveSchedule::HandSelected { equivalence: 50.0 },
        ];
        for (round, count) in (1..=40).cycle().take(4000).enumerate() {
            let rave = Rave { schedule: schedules[round % 2], ..Rave::default() };
            let mut few = |below| rng::below(&mut rng, below) as u32;
            let children: Vec<Node<u8, AmafEdge<()>>> = (0..count)
                .map(|_| {
                    let mut child: Node<u8, AmafEdge<()>> = Node::new(0, Player::FIRST);
                    child.visits = few(3);
                    child.add_value(2.0 * f64::from(few(2)) * f64::from(child.visits) - 1.0);
                    (0..few(4)).for_each(|_| child.extra.amaf.add(0.5));
                    child
                })
                .collect();
            let parent = rave.parent(1 + few(1000));
            let expected = most_urgent(&rave, parent, &children, scale).open.unwrap();
            let place = most_urgent_of_open(&rave, parent, &children, scale).unwrap();
            let candidate = |child: &Node<u8, AmafEdge<()>>| Candidate {
                visits: child.visits,
                value: scale.to_unit(child.mean().unwrap_or(0.0)),
                extra: child.extra,
            };
            let urgency = |child: &Node<u8, AmafEdge<()>>| match child.visits {
                0 => rave.first_play(parent, &child.extra),
                _ => rave.urgency(parent, &candidate(child)),
            };
            // values are rounded differently here, so that ties may be broken differently
            let (found, expected) = (urgency(&children[place]), urgency(&children[expected.0]));
            assert!(found >= expected - 1e-5, "{found} at {place}, but there is {expected}");
            for child in &children {
                let (any, own) = (rave.urgency_of_any(parent, &candidate(child)), urgency(child));
                let same = any.is_infinite() && own.is_infinite() || (any - own).abs() < 1e-5;
                assert!(same, "{any} of any, {own} of its kind");
            }
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

//! The actions of all information sets in two flat vectors; those of one set are contiguous.

use crate::selection::Arm;
use crate::tree::{block_class, block_size};
use alloc::vec::Vec;

/// Size classes of blocks, up to 2^31 arms.
const CLASSES: usize = 62;

/// End of a chain of free blocks.
const NONE: u32 = u32::MAX;

/// The range of the arms of one information set.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Run {
    first: u32,
    count: u32,
}

impl Run {
    pub(super) fn count(self) -> u32 {
        self.count
    }

    /// Its first `count` arms.
    pub(super) fn first(self, count: u32) -> Run {
        Run { count, ..self }
    }

    fn range(self) -> core::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// Actions and their arms, in blocks that grow like those of the tree; an outgrown block is reused.
///
/// Memory is allocated as needed.
#[derive(Debug)]
pub(super) struct Arms<A> {
    actions: Vec<A>,
    arms: Vec<Arm>,
    /// Heads of the chains of free blocks by class; the visits of a free block's first arm store
    /// the next block.
    free: [u32; CLASSES],
    most: usize,
}

impl<A: Copy + Eq> Arms<A> {
    /// Bytes of one arm.
    pub(super) const BYTES: usize = size_of::<A>() + size_of::<Arm>();

    /// Raises the cap to at least `more` further arms.
    pub(super) fn allow(&mut self, more: usize) {
        if self.most < more {
            self.most = more;
        }
    }

    /// An empty store with a cap of `most` arms.
    pub(super) fn with_room(most: usize) -> Self {
        Arms { actions: Vec::new(), arms: Vec::new(), free: [NONE; CLASSES], most }
    }

    pub(super) fn clear(&mut self) {
        self.actions.clear();
        self.arms.clear();
        self.free = [NONE; CLASSES];
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.arms.len() * Self::BYTES
    }

    pub(super) fn is_half_full(&self) -> bool {
        self.arms.len() > self.most / 2
    }

    pub(super) fn actions(&self, run: Run) -> &[A] {
        &self.actions[run.range()]
    }

    pub(super) fn of(&self, run: Run) -> &[Arm] {
        &self.arms[run.range()]
    }

    pub(super) fn of_mut(&mut self, run: Run) -> &mut [Arm] {
        &mut self.arms[run.range()]
    }

    /// The index of an action in its run; `likely` is checked first, since actions mostly come in
    /// the same order each time.
    pub(super) fn find(&self, run: Run, action: A, likely: u32) -> Option<u32> {
        let actions = self.actions(run);
        let (before, from) = actions.split_at(actions.len().min(likely as usize));
        let after = from.iter().position(|known| *known == action);
        let place = after.map(|place| before.len() + place);
        let place = place.or_else(|| before.iter().position(|known| *known == action));
        place.map(|place| place as u32)
    }

    /// Adds an arm to a run; returns its index, or `None` if the cap is reached.
    pub(super) fn push(&mut self, run: &mut Run, action: A) -> Option<u32> {
        let count = run.count;
        if count == 0 || block_size(block_class(count)) == count {
            let first = self.allocate(block_class(count + 1), action)?;
            self.actions.copy_within(run.range(), first as usize);
            self.arms.copy_within(run.range(), first as usize);
            if count > 0 {
                self.release(run.first, block_class(count));
            }
            run.first = first;
        }
        run.count += 1;
        let at = (run.first + count) as usize;
        (self.actions[at], self.arms[at]) = (action, Arm::default());
        Some(count)
    }

    /// A block of this class, filled with `filler`.
    fn allocate(&mut self, class: usize, filler: A) -> Option<u32> {
        let free = self.free[class];
        if free != NONE {
            self.free[class] = self.arms[free as usize].visits;
            return Some(free);
        }
        let first = self.arms.len();
        let end = first + block_size(class) as usize;
        let has_memory = end <= self.most
            && self.actions.try_reserve(end - first).is_ok()
            && self.arms.try_reserve(end - first).is_ok();
        has_memory.then(|| {
            self.actions.resize(end, filler);
            self.arms.resize(end, Arm::default());
            first as u32
        })
    }

    fn release(&mut self, first: u32, class: usize) {
        self.arms[first as usize].visits = self.free[class];
        self.free[class] = first;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_grow_by_turns_keep_their_arms() {
        let mut arms: Arms<u32> = Arms::with_room(2_000);
        let mut runs = [Run::default(); 10];
        for place in 0..40 {
            for (number, run) in (0..).zip(&mut runs) {
                assert_eq!(arms.push(run, number * 100 + place), Some(place));
                arms.of_mut(*run)[place as usize].visits = number + place;
            }
        }
        for (number, run) in (0..).zip(runs) {
            for place in 0..40 {
                let action = number * 100 + place;
                assert_eq!(arms.actions(run)[place as usize], action);
                assert_eq!(arms.of(run)[place as usize].visits, number + place);
                assert_eq!(arms.find(run, action, 20), Some(place));
            }
            assert_eq!(arms.find(run, 99, 0), None);
        }
    }

    #[test]
    fn outgrown_blocks_are_used_again() {
        let mut arms: Arms<u16> = Arms::with_room(1_000);
        for _ in 0..10 {
            let mut run = Run::default();
            (0..40).for_each(|action| assert_eq!(arms.push(&mut run, action), Some(action.into())));
        }
        // ten blocks of 48, and one of each smaller size
        let smaller = 1 + 2 + 3 + 4 + 6 + 8 + 12 + 16 + 24 + 32;
        assert_eq!(arms.memory_bytes(), (10 * 48 + smaller) * Arms::<u16>::BYTES);
    }

    #[test]
    fn a_full_table_says_so_and_loses_nothing() {
        let mut arms: Arms<u16> = Arms::with_room(10);
        let mut run = Run::default();
        let added = (0..100).take_while(|action| arms.push(&mut run, *action).is_some()).count();
        assert_eq!(arms.actions(run), (0..added as u16).collect::<Vec<_>>());
        assert!(added >= 3, "{added}");
        assert_eq!(arms.push(&mut run, 200), None);
        let mut other = Run::default();
        assert!(arms.push(&mut other, 7).is_some(), "an outgrown block is free");
        arms.clear();
        assert!(!arms.is_half_full());
        assert_eq!(arms.push(&mut Run::default(), 7), Some(0));
    }
}

//! Places of things by a 64-bit key of each.

use alloc::vec::Vec;

/// A slot without a place; the others hold their place plus one. Zero, so that the system hands out a large table
/// page by page.
const NONE: u32 = 0;

/// Bytes that the system hands out at once.
const PAGE_BYTES: usize = 4096;

/// A hash table of places, with open addressing; who owns the things tells their keys, which must be well mixed.
#[derive(Debug)]
pub(crate) struct Index {
    /// A power of two long, at most half full.
    slots: Vec<u32>,
    used: usize,
}

impl Default for Index {
    fn default() -> Self {
        Index { slots: alloc::vec![NONE; 1 << 10], used: 0 }
    }
}

impl Index {
    /// Most bytes that [`memory_bytes`](Self::memory_bytes) counts for one thing.
    pub(crate) const MOST_BYTES: usize = PAGE_BYTES;

    /// Makes room for `more` things; whether the system has the memory.
    pub(crate) fn reserve(&mut self, more: usize, key_of: impl Fn(u32) -> u64) -> bool {
        let wanted = (self.used + more) * 2;
        if wanted <= self.slots.len() {
            return true;
        }
        let mut slots = Vec::new();
        if slots.try_reserve_exact(wanted.next_power_of_two()).is_err() {
            return false;
        }
        slots.resize(wanted.next_power_of_two(), NONE);
        let old = core::mem::replace(&mut self.slots, slots);
        for known in old.into_iter().filter(|known| *known != NONE) {
            let slot = self.slot(key_of(known - 1), &key_of);
            self.slots[slot] = known;
        }
        true
    }

    /// Forgets everything, without a look at the table.
    pub(crate) fn clear(&mut self) {
        self.slots = alloc::vec![NONE; self.slots.len()];
        self.used = 0;
    }

    /// Bytes of the table that things have touched.
    pub(crate) fn memory_bytes(&self) -> usize {
        (self.slots.len() * size_of::<u32>()).min(self.used * PAGE_BYTES)
    }

    /// The place of the thing with this key.
    #[inline]
    pub(crate) fn find(&self, key: u64, key_of: impl Fn(u32) -> u64) -> Option<u32> {
        self.slots[self.slot(key, key_of)].checked_sub(1)
    }

    /// Adds a thing whose key is new; false if there is no memory for it.
    pub(crate) fn insert(&mut self, key: u64, place: u32, key_of: impl Fn(u32) -> u64) -> bool {
        if !self.reserve(1, &key_of) {
            return false;
        }
        self.used += 1;
        let slot = self.slot(key, &key_of);
        self.slots[slot] = place + 1;
        true
    }

    /// The slot where a key is, or belongs.
    #[inline]
    fn slot(&self, key: u64, key_of: impl Fn(u32) -> u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = key as usize & mask;
        while self.slots[slot] != NONE && key_of(self.slots[slot] - 1) != key {
            slot = (slot + 1) & mask;
        }
        slot
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_found_while_the_table_grows() {
        let key = |place: u32| crate::rng::mix(u64::from(place / 2 * 3 + place % 2) << 10);
        let mut index = Index::default();
        for place in 0..5_000 {
            assert_eq!(index.find(key(place), key), None);
            assert!(index.insert(key(place), place, key));
        }
        assert!((0..5_000).all(|place| index.find(key(place), key) == Some(place)));
        index.clear();
        assert_eq!(index.find(key(7), key), None);
    }
}

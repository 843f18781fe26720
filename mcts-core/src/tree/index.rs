//! A hash table from 64-bit keys to indices.

use alloc::vec::Vec;

/// An empty slot; the others store their index plus one. Zero, so that the system provides a large
/// table page by page.
const NONE: u32 = 0;

/// Bytes that the system provides at a time.
const PAGE_BYTES: usize = 4096;

/// A hash table of indices with open addressing. The keys, which must be well mixed, are stored by
/// the caller.
#[derive(Debug)]
pub(crate) struct Index {
    /// Its length is a power of two; at most half full.
    slots: Vec<u32>,
    used: usize,
}

impl Default for Index {
    fn default() -> Self {
        Index { slots: alloc::vec![NONE; 1 << 10], used: 0 }
    }
}

impl Index {
    /// Maximum number of bytes that [`memory_bytes`](Self::memory_bytes) counts for one entry.
    pub(crate) const MOST_BYTES: usize = PAGE_BYTES;

    /// Reserves memory for `more` entries; false if the allocation fails.
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

    /// Removes all entries, without clearing the table.
    pub(crate) fn clear(&mut self) {
        self.slots = alloc::vec![NONE; self.slots.len()];
        self.used = 0;
    }

    /// Bytes of the table that entries have touched.
    pub(crate) fn memory_bytes(&self) -> usize {
        (self.slots.len() * size_of::<u32>()).min(self.used * PAGE_BYTES)
    }

    /// The index of this key.
    #[inline]
    pub(crate) fn find(&self, key: u64, key_of: impl Fn(u32) -> u64) -> Option<u32> {
        self.slots[self.slot(key, key_of)].checked_sub(1)
    }

    /// Adds an entry with a new key; false if the allocation fails.
    pub(crate) fn insert(&mut self, key: u64, place: u32, key_of: impl Fn(u32) -> u64) -> bool {
        if !self.reserve(1, &key_of) {
            return false;
        }
        self.used += 1;
        let slot = self.slot(key, &key_of);
        self.slots[slot] = place + 1;
        true
    }

    /// The slot of a key, or the slot where it belongs.
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

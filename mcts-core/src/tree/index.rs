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
        Index::with_room(1 << 9)
    }
}

impl Index {
    /// Room for so many things; with more of them the table grows.
    pub(crate) fn with_room(things: usize) -> Self {
        Index { slots: alloc::vec![NONE; (things * 2).next_power_of_two()], used: 0 }
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

    /// Adds a thing whose key is new.
    pub(crate) fn insert(&mut self, key: u64, place: u32, key_of: impl Fn(u32) -> u64) {
        self.used += 1;
        if self.used * 2 > self.slots.len() {
            let slots = alloc::vec![NONE; self.slots.len() * 2];
            let old = core::mem::replace(&mut self.slots, slots);
            for known in old.into_iter().filter(|known| *known != NONE) {
                let slot = self.slot(key_of(known - 1), &key_of);
                self.slots[slot] = known;
            }
        }
        let slot = self.slot(key, &key_of);
        self.slots[slot] = place + 1;
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
            index.insert(key(place), place, key);
        }
        assert!((0..5_000).all(|place| index.find(key(place), key) == Some(place)));
        index.clear();
        assert_eq!(index.find(key(7), key), None);
    }
}

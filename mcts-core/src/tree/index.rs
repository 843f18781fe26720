//! Places of things by a 64-bit key of each.

use alloc::vec::Vec;

/// No place.
const NONE: u32 = u32::MAX;

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
    pub(crate) fn clear(&mut self) {
        self.slots.fill(NONE);
        self.used = 0;
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.slots.len() * size_of::<u32>()
    }

    /// The place of the thing with this key.
    #[inline]
    pub(crate) fn find(&self, key: u64, key_of: impl Fn(u32) -> u64) -> Option<u32> {
        let place = self.slots[self.slot(key, key_of)];
        (place != NONE).then_some(place)
    }

    /// Adds a thing whose key is new.
    pub(crate) fn insert(&mut self, key: u64, place: u32, key_of: impl Fn(u32) -> u64) {
        self.used += 1;
        if self.used * 2 > self.slots.len() {
            let slots = alloc::vec![NONE; self.slots.len() * 2];
            let old = core::mem::replace(&mut self.slots, slots);
            for known in old.into_iter().filter(|known| *known != NONE) {
                let slot = self.slot(key_of(known), &key_of);
                self.slots[slot] = known;
            }
        }
        let slot = self.slot(key, &key_of);
        self.slots[slot] = place;
    }

    /// The slot where a key is, or belongs.
    #[inline]
    fn slot(&self, key: u64, key_of: impl Fn(u32) -> u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = key as usize & mask;
        while self.slots[slot] != NONE && key_of(self.slots[slot]) != key {
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

//! The transposition table: what is known of positions by their hashes.

use super::score::Score;
use alloc::vec;
use alloc::vec::Vec;

/// On which side of the stored score the value of a position lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    /// The value is the score.
    Exact,
    /// The value is at least the score.
    Lower,
    /// The value is at most the score.
    Upper,
}

/// Depth of an entry whose subtree was searched to the end of the game everywhere.
pub(super) const TO_THE_END: u8 = u8::MAX;

/// What is known of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Known {
    /// Seen from the position itself.
    pub(super) score: Score,
    pub(super) bound: Bound,
    /// Plies that were searched below it; [`TO_THE_END`] if nothing was left out.
    pub(super) depth: u8,
    /// The best action, by its place among the legal ones.
    pub(super) place: u16,
}

/// The hash of a position, and what is known of it: score, place, depth, age and bound, from the high bits down. An
/// empty slot is all zeros, so that the system hands out a new table without it being written.
type Slot = [u64; 2];

const EMPTY: Slot = [0; 2];

/// Ages in turn, from 1; an entry that many searches old looks new again.
const AGES: u8 = 63;

fn slot(hash: u64, known: Known, age: u8) -> Slot {
    let bound = match known.bound {
        Bound::Exact => 0,
        Bound::Lower => 1,
        Bound::Upper => 2,
    };
    let score = u64::from(known.score.cast_unsigned()) << 32;
    let rest =
        u64::from(known.place) << 16 | u64::from(known.depth) << 8 | u64::from(age << 2 | bound);
    [hash, score | rest]
}

fn known(slot: Slot) -> Known {
    let bound = match slot[1] & 3 {
        0 => Bound::Exact,
        1 => Bound::Lower,
        _ => Bound::Upper,
    };
    let score = ((slot[1] >> 32) as u32).cast_signed();
    Known { score, bound, depth: depth(slot), place: (slot[1] >> 16) as u16 }
}

fn depth(slot: Slot) -> u8 {
    (slot[1] >> 8) as u8
}

/// The search that wrote the slot, 1 to [`AGES`]; 0 for an empty one.
fn age(slot: Slot) -> u8 {
    slot[1] as u8 >> 2
}

fn is_of(slot: Slot, hash: u64) -> bool {
    slot[0] == hash && age(slot) != 0
}

/// Slots that share an index.
const SLOTS: usize = 4;

/// A table of a fixed number of bytes, in buckets of four slots.
///
/// A new entry replaces the one of its own position, else that of the earliest search, of equals the shallowest.
#[derive(Debug)]
pub(super) struct Table {
    buckets: Vec<[Slot; SLOTS]>,
    age: u8,
    used: usize,
}

impl Table {
    /// A table of at most `bytes` bytes, rounded down to a power of two of buckets; nothing is stored in a table
    /// that has no room for a bucket.
    pub(super) fn with_bytes(bytes: usize) -> Self {
        let fitting = bytes / size_of::<[Slot; SLOTS]>();
        let count = if fitting == 0 { 0 } else { 1 << fitting.ilog2() };
        Table { buckets: vec![[EMPTY; SLOTS]; count], age: 1, used: 0 }
    }

    /// From now on entries of earlier searches are replaced first.
    pub(super) fn next_search(&mut self) {
        self.age = self.age % AGES + 1;
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.buckets.len() * size_of::<[Slot; SLOTS]>()
    }

    /// Slots with an entry.
    pub(super) fn used(&self) -> usize {
        self.used
    }

    /// The low bits of the hash choose the bucket; all bits identify the position.
    fn bucket(&self, hash: u64) -> Option<usize> {
        self.buckets.len().checked_sub(1).map(|mask| hash as usize & mask)
    }

    pub(super) fn get(&self, hash: u64) -> Option<Known> {
        let bucket = &self.buckets[self.bucket(hash)?];
        bucket.iter().find(|slot| is_of(**slot, hash)).map(|slot| known(*slot))
    }

    pub(super) fn put(&mut self, hash: u64, known: Known) {
        let Some(bucket) = self.bucket(hash) else { return };
        let now = self.age;
        let keeping = |slot: Slot| (age(slot) != 0, age(slot) == now, depth(slot));
        let slots = &mut self.buckets[bucket];
        let own = slots.iter().position(|slot| is_of(*slot, hash));
        let place = own.unwrap_or_else(|| {
            let cheapest = (0..SLOTS).min_by_key(|place| keeping(slots[*place]));
            cheapest.expect("a bucket has slots")
        });
        self.used += usize::from(age(slots[place]) == 0);
        slots[place] = slot(hash, known, now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn searched(depth: u8) -> Known {
        Known { score: i32::from(depth), bound: Bound::Exact, depth, place: 0 }
    }

    #[test]
    fn a_full_bucket_gives_up_the_shallowest_entry_of_an_earlier_search() {
        let mut table = Table::with_bytes(size_of::<[Slot; SLOTS]>());
        for (hash, depth) in [(1, 9), (2, 3), (3, 8)] {
            table.put(hash, searched(depth));
        }
        table.next_search();
        table.put(4, searched(1));
        table.put(5, searched(1));
        let depths = [1, 2, 3, 4, 5].map(|hash| table.get(hash).map(|known| known.depth));
        assert_eq!(depths, [Some(9), None, Some(8), Some(1), Some(1)]);
        assert_eq!(table.used(), 4);
    }

    #[test]
    fn an_entry_comes_back_unchanged() {
        let mut table = Table::with_bytes(1 << 12);
        for (at, score) in [i32::MIN + 1, -1, 0, 1, i32::MAX].into_iter().enumerate() {
            for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
                let entry = Known { score, bound, depth: TO_THE_END, place: u16::MAX - at as u16 };
                table.put(at as u64, entry);
                assert_eq!(table.get(at as u64), Some(entry));
            }
        }
    }

    #[test]
    fn a_table_without_room_stores_nothing() {
        let mut table = Table::with_bytes(10);
        table.put(1, searched(3));
        assert!(table.get(1).is_none());
        assert_eq!(table.memory_bytes(), 0);
    }
}

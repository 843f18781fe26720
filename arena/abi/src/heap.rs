//! An allocator for the memory of a module: lists of free blocks by size, and an unused rest at the
//! top.
//!
//! Bots allocate little and rarely: buffers, strings, and one large tree. Small sizes are rounded
//! up to a class, of which there are four for each doubling; a freed block goes to the list of its
//! class. Large sizes are multiples of a unit, and adjacent free blocks are merged.

/// Bytes by which a memory grows.
pub const PAGE_BYTES: usize = 1 << 16;

/// Every size and every address is a multiple of it; a free block stores its size and the next
/// block.
const GRAIN: usize = 16;

/// Sizes of at least this are large.
const LARGE: usize = 1 << 15;

/// Large sizes are multiples of it.
const UNIT: usize = 1 << 12;

/// Minimum number of pages by which the memory grows.
const FEWEST_PAGES: usize = 16;

/// Eight sizes up to 128 bytes, and four for each doubling up to [`LARGE`].
const CLASSES: usize = 8 + 4 * 8;

/// A memory that can grow; new pages are zero.
pub trait Memory {
    /// The first address that may be allocated.
    fn base(&self) -> usize;
    /// The address after the last one.
    fn end(&self) -> usize;
    /// Grows by this number of pages; false if the growth fails.
    fn grow(&mut self, pages: usize) -> bool;
    /// The word at an address.
    fn load(&self, at: usize) -> usize;
    /// Replaces the word at an address.
    fn store(&mut self, at: usize, value: usize);
}

/// The free blocks of a memory. The address 0 stands for no block.
#[derive(Debug)]
pub struct Heap<M> {
    memory: M,
    /// Start of the unused rest of the memory; 0 before the first allocation.
    top: usize,
    /// The highest `top` so far.
    used: usize,
    small: [usize; CLASSES],
    /// By address: (size, next) in the first words of each.
    large: usize,
}

impl<M: Memory> Heap<M> {
    /// An empty heap.
    pub const fn new(memory: M) -> Self {
        Heap { memory, top: 0, used: 0, small: [0; CLASSES], large: 0 }
    }

    /// Memory from this address on has never been allocated and is zero.
    pub fn used_before(&self) -> usize {
        self.used
    }

    /// A block of `size` bytes at a multiple of `align`; 0 if the memory is exhausted.
    pub fn allocate(&mut self, size: usize, align: usize) -> usize {
        let Some(size) = padded(size, align) else { return 0 };
        let block = match class(size) {
            Some((class, size)) => self.pop_small(class).unwrap_or_else(|| self.extend(size)),
            None => self.take_large(size).unwrap_or_else(|| self.extend(size)),
        };
        block.next_multiple_of(align.max(GRAIN))
    }

    /// Frees a block that was allocated by this size and alignment.
    pub fn free(&mut self, block: usize, size: usize, align: usize) {
        if align > GRAIN {
            // the start of the block is not known; no bot uses such alignments
            return;
        }
        let Some(size) = padded(size, align) else { return };
        match class(size) {
            Some((class, _)) => {
                self.memory.store(block, self.small[class]);
                self.small[class] = block;
            }
            None => self.insert_large(block, size),
        }
    }

    /// Resizes a block of `old` bytes to `new` bytes in place; false if that is not possible.
    pub fn resize(&mut self, block: usize, old: usize, new: usize, align: usize) -> bool {
        let (Some(old), Some(new)) = (padded(old, align), padded(new, align)) else { return false };
        let held = |size| class(size).map_or(size, |(_, size)| size);
        if held(old) == held(new) {
            return true;
        }
        let is_last = align <= GRAIN && block + held(old) == self.top;
        if is_last && class(old).is_none() && class(new).is_none() {
            return self.raise(block, new);
        }
        false
    }

    fn pop_small(&mut self, class: usize) -> Option<usize> {
        let block = self.small[class];
        if block == 0 {
            return None;
        }
        self.small[class] = self.memory.load(block);
        Some(block)
    }

    /// Takes the first free large block of at least this size, and frees the rest of it.
    fn take_large(&mut self, size: usize) -> Option<usize> {
        let (mut before, mut block) = (0, self.large);
        while block != 0 {
            let (found, next) = self.region(block);
            if found >= size {
                let rest = if found == size { next } else { block + size };
                if found > size {
                    self.set_region(rest, found - size, next);
                }
                self.link(before, rest);
                return Some(block);
            }
            (before, block) = (block, next);
        }
        None
    }

    fn insert_large(&mut self, block: usize, size: usize) {
        let (mut before, mut next) = (0, self.large);
        while next != 0 && next < block {
            (before, next) = (next, self.region(next).1);
        }
        let (mut block, mut size) = (block, size);
        if next != 0 && block + size == next {
            let (more, after) = self.region(next);
            (size, next) = (size + more, after);
        }
        self.set_region(block, size, next);
        self.link(before, block);
        if before != 0 {
            let less = self.region(before).0;
            if before + less == block {
                (block, size) = (before, less + size);
                self.set_region(block, size, next);
            }
        }
        if block + size == self.top {
            self.unlink(block);
            self.top = block;
        }
    }

    fn unlink(&mut self, block: usize) {
        let (mut before, mut at) = (0, self.large);
        while at != block {
            (before, at) = (at, self.region(at).1);
        }
        let next = self.region(block).1;
        self.link(before, next);
    }

    fn link(&mut self, before: usize, next: usize) {
        if before == 0 {
            self.large = next;
        } else {
            self.memory.store(before + size_of::<usize>(), next);
        }
    }

    fn region(&self, block: usize) -> (usize, usize) {
        (self.memory.load(block), self.memory.load(block + size_of::<usize>()))
    }

    fn set_region(&mut self, block: usize, size: usize, next: usize) {
        self.memory.store(block, size);
        self.memory.store(block + size_of::<usize>(), next);
    }

    /// A block from the unused rest.
    fn extend(&mut self, size: usize) -> usize {
        if self.top == 0 {
            self.top = self.memory.base().next_multiple_of(GRAIN);
            self.used = self.top;
        }
        let block = self.top;
        if self.raise(block, size) { block } else { 0 }
    }

    /// Moves the top to `size` bytes after `block`; grows the memory if it is too short.
    fn raise(&mut self, block: usize, size: usize) -> bool {
        let Some(top) = block.checked_add(size) else { return false };
        let missing = top.saturating_sub(self.memory.end()).div_ceil(PAGE_BYTES);
        let grows = |memory: &mut M, pages| pages == 0 || memory.grow(pages);
        let wanted = if missing == 0 { 0 } else { missing.max(FEWEST_PAGES) };
        if !grows(&mut self.memory, wanted) && !grows(&mut self.memory, missing) {
            return false;
        }
        self.top = top;
        self.used = self.used.max(top);
        true
    }
}

/// The size that fits `size` bytes at any address after alignment to `align`.
fn padded(size: usize, align: usize) -> Option<usize> {
    let slack = if align > GRAIN { align } else { 0 };
    let size = size.max(1).checked_add(slack)?;
    let grain = if size >= LARGE { UNIT } else { GRAIN };
    size.checked_next_multiple_of(grain)
}

/// The class of a small size and the bytes of its blocks.
fn class(size: usize) -> Option<(usize, usize)> {
    if size <= 8 * GRAIN {
        return Some((size.div_ceil(GRAIN) - 1, size));
    }
    if size >= LARGE {
        return None;
    }
    // 128 < size < LARGE: in (2^k, 2^(k+1)], four steps of 2^(k-2)
    let power = (size - 1).ilog2();
    let step = 1_usize << (power - 2);
    let steps = (size - (1 << power)).div_ceil(step);
    Some((8 + 4 * (power as usize - 7) + steps - 1, (1 << power) + steps * step))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeMap;
    use alloc::vec;
    use alloc::vec::Vec;
    use mcts_core::rng;

    /// Words from address 4096 on, at most `most` pages.
    struct Words(Vec<usize>, usize);

    const BASE: usize = 4096;

    impl Memory for Words {
        fn base(&self) -> usize {
            BASE + 8
        }
        fn end(&self) -> usize {
            BASE + self.0.len() * size_of::<usize>()
        }
        fn grow(&mut self, pages: usize) -> bool {
            let words = self.0.len() + pages * PAGE_BYTES / size_of::<usize>();
            let fits = words * size_of::<usize>() <= self.1 * PAGE_BYTES;
            if fits {
                self.0.resize(words, 0);
            }
            fits
        }
        fn load(&self, at: usize) -> usize {
            self.0[(at - BASE) / size_of::<usize>()]
        }
        fn store(&mut self, at: usize, value: usize) {
            self.0[(at - BASE) / size_of::<usize>()] = value;
        }
    }

    fn heap(pages: usize) -> Heap<Words> {
        Heap::new(Words(vec![], pages))
    }

    #[test]
    fn a_class_holds_every_size_that_belongs_to_it_and_wastes_less_than_a_quarter() {
        let mut last = (0, 16);
        for size in 1..=LARGE - GRAIN {
            let (class, held) = class(padded(size, 1).expect("small")).expect("small");
            assert!(held >= size && held % GRAIN == 0 && class < CLASSES, "{size}");
            assert!(held - size < GRAIN || held * 4 < size * 5, "{held} for {size}");
            assert_eq!(class == last.0, held == last.1, "{size}: one size a class");
            assert!(class == last.0 || class == last.0 + 1);
            last = (class, held);
        }
        assert_eq!(last.0, CLASSES - 1);
    }

    #[test]
    fn blocks_never_overlap_whatever_is_freed_and_resized() {
        let mut heap = heap(4_000);
        let mut rng = rng::stream(1, 0);
        let mut held: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        for step in 0..30_000 {
            let size = match rng::below(&mut rng, 10) {
                0 => LARGE - 40 + rng::below(&mut rng, 80_000),
                1..4 => rng::below(&mut rng, 4_000),
                _ => rng::below(&mut rng, 200),
            };
            let pick = |rng: &mut _, held: &BTreeMap<usize, (usize, usize)>| {
                held.iter().nth(rng::below(rng, held.len())).map(|(at, what)| (*at, *what))
            };
            match rng::below(&mut rng, 3) {
                0 if held.len() > 100 => {
                    let (block, (size, align)) = pick(&mut rng, &held).expect("some are held");
                    held.remove(&block);
                    heap.free(block, size, align);
                }
                1 if !held.is_empty() => {
                    let (block, (old, align)) = pick(&mut rng, &held).expect("some are held");
                    if heap.resize(block, old, size, align) {
                        held.insert(block, (size, align));
                    }
                }
                _ => {
                    let align = [1, 8, 16, 64][rng::below(&mut rng, 4)];
                    let block = heap.allocate(size, align);
                    assert!(block >= BASE + 8 && block.is_multiple_of(align), "step {step}");
                    assert!(held.insert(block, (size, align)).is_none());
                }
            }
            let places: Vec<(usize, usize)> = held.iter().map(|(at, what)| (*at, what.0)).collect();
            if step % 500 == 0 {
                assert!(
                    places.windows(2).all(|two| two[0].0 + two[0].1 <= two[1].0),
                    "step {step}"
                );
                assert!(places.last().is_none_or(|(at, size)| at + size <= heap.top));
            }
        }
    }

    #[test]
    fn freed_memory_is_used_again_and_goes_back_to_the_top() {
        let mut heap = heap(64);
        let first = heap.allocate(100_000, 8);
        let second = heap.allocate(200_000, 8);
        let third = heap.allocate(300_000, 8);
        heap.free(first, 100_000, 8);
        heap.free(second, 200_000, 8);
        assert_eq!(heap.allocate(290_000, 8), first, "two neighbours became one block");
        heap.free(first, 290_000, 8);
        heap.free(third, 300_000, 8);
        assert_eq!(heap.allocate(50, 8), first, "all is unused again");
        let small = heap.allocate(50, 8);
        heap.free(small, 50, 8);
        assert_eq!(heap.allocate(60, 8), small);
    }

    #[test]
    fn the_last_block_grows_in_place_and_memory_has_an_end() {
        let mut heap = heap(20);
        let block = heap.allocate(100_000, 8);
        assert!(heap.resize(block, 100_000, 1_000_000, 8));
        assert!(!heap.resize(block, 1_000_000, 20 * PAGE_BYTES, 8), "more than there is");
        assert_eq!(heap.allocate(20 * PAGE_BYTES, 8), 0);
        assert_eq!(heap.allocate(usize::MAX - 3, 8), 0);
        assert!(heap.resize(block, 1_000_000, 50_000, 8));
        assert_ne!(heap.allocate(1_000_000, 8), 0, "what was given back");
    }
}

//! The parts that exist only inside a module: its memory, its imports, its single thread.
#![allow(
    unsafe_code,
    reason = "raw memory, imports and an allocator cannot be reached without; a module has one thread"
)]

use alloc::boxed::Box;
use core::alloc::{GlobalAlloc, Layout};
use core::arch::wasm32;
use core::cell::{RefCell, UnsafeCell};

use bots::{ParameterError, Parameters, Seat};
use mcts_core::Clock;

use crate::heap::{self, Memory};

/// Builds the bot.
pub type Build = fn(&mut Parameters) -> Result<Box<dyn Seat>, ParameterError>;

/// A value that is used only by the module's single thread.
#[derive(Debug)]
pub struct Single<T>(RefCell<T>);

// SAFETY: a module without the `atomics` feature has one thread.
unsafe impl<T> Sync for Single<T> {}

impl<T> Single<T> {
    /// Holds `value`.
    pub const fn new(value: T) -> Self {
        Single(RefCell::new(value))
    }

    /// Calls `use_it` on the value.
    ///
    /// # Panics
    /// If `use_it` reaches the same value again.
    pub fn with<R>(&self, use_it: impl FnOnce(&mut T) -> R) -> R {
        use_it(&mut self.0.borrow_mut())
    }
}

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    safe fn monotonic_nanos() -> i64;
    safe fn cpu_nanos() -> i64;
}

/// The clocks of the host.
#[derive(Debug, Clone, Copy)]
pub struct HostClock;

impl Clock for HostClock {
    fn monotonic_nanos(&self) -> u64 {
        monotonic_nanos().cast_unsigned()
    }

    fn cpu_nanos(&self) -> Option<u64> {
        u64::try_from(cpu_nanos()).ok()
    }
}

/// The module's memory, from the end of its static data on.
#[derive(Debug)]
struct Linear;

unsafe extern "C" {
    static __heap_base: u8;
}

impl Memory for Linear {
    fn base(&self) -> usize {
        &raw const __heap_base as usize
    }

    fn end(&self) -> usize {
        wasm32::memory_size(0) * heap::PAGE_BYTES
    }

    fn grow(&mut self, pages: usize) -> bool {
        wasm32::memory_grow(0, pages) != usize::MAX
    }

    fn load(&self, at: usize) -> usize {
        // SAFETY: `heap` loads only from free blocks, which lie inside the memory and are aligned to 16 bytes.
        unsafe { *(at as *const usize) }
    }

    fn store(&mut self, at: usize, value: usize) {
        // SAFETY: as for `load`; a free block has no other user.
        unsafe { *(at as *mut usize) = value }
    }
}

/// The global allocator of a module.
///
/// Its functions are called from hundreds of places and seldom, so they are not inlined.
#[derive(Debug)]
pub struct Heap(UnsafeCell<heap::Heap<Linear>>);

// SAFETY: a module without the `atomics` feature has one thread.
unsafe impl Sync for Heap {}

impl Heap {
    /// An empty allocator.
    #[must_use]
    pub const fn new() -> Heap {
        Heap(UnsafeCell::new(heap::Heap::new(Linear)))
    }

    fn with<R>(&self, use_it: impl FnOnce(&mut heap::Heap<Linear>) -> R) -> R {
        // SAFETY: there is one thread, and `heap::Heap` calls nothing that allocates.
        use_it(unsafe { &mut *self.0.get() })
    }
}

impl Default for Heap {
    fn default() -> Self {
        Heap::new()
    }
}

// SAFETY: blocks of `heap::Heap` are disjoint, aligned as asked for, and stay in place until they are freed.
unsafe impl GlobalAlloc for Heap {
    #[cold]
    #[inline(never)]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.with(|heap| heap.allocate(layout.size(), layout.align())) as *mut u8
    }

    #[cold]
    #[inline(never)]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        self.with(|heap| heap.free(block as usize, layout.size(), layout.align()));
    }

    #[cold]
    #[inline(never)]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let (block, used) = self.with(|heap| {
            let used = heap.used_before();
            (heap.allocate(layout.size(), layout.align()), used)
        });
        let dirty = used.saturating_sub(block).min(layout.size());
        if block != 0 {
            // SAFETY: the block has `layout.size()` bytes; those from `used` on are zero since the memory grew.
            unsafe { (block as *mut u8).write_bytes(0, dirty) };
        }
        block as *mut u8
    }

    #[cold]
    #[inline(never)]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let (old, align) = (layout.size(), layout.align());
        if self.with(|heap| heap.resize(block as usize, old, size, align)) {
            return block;
        }
        let new = self.with(|heap| heap.allocate(size, align)) as *mut u8;
        if !new.is_null() {
            // SAFETY: both blocks are at least that long, and disjoint; the old one is freed once.
            unsafe { new.copy_from_nonoverlapping(block, old.min(size)) };
            self.with(|heap| heap.free(block as usize, old, align));
        }
        new
    }
}

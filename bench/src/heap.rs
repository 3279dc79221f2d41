//! Counts what a thread has on the heap. For benchmarks only: reduct itself uses the system's allocator as it is.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

#[global_allocator]
static HEAP: Counting = Counting;

thread_local! {
    /// The bytes that this thread has allocated less those that it has freed, and the most of them. Neither needs the heap.
    static COUNT: Cell<(isize, isize)> = const { Cell::new((0, 0)) };
}

struct Counting;

fn count(bytes: isize) {
    // A thread that is ending counts no more.
    let _ = COUNT.try_with(|count| {
        let (now, peak) = count.get();
        count.set((now + bytes, peak.max(now + bytes)));
    });
}

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed());
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count(-layout.size().cast_signed());
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(at, layout) }
    }
}

/// Begins to count.
pub(crate) fn reset() {
    COUNT.set((0, 0));
}

/// Returns the most bytes that this thread had at a time since then, beyond what it had at that time.
pub(crate) fn peak() -> usize {
    COUNT.get().1.max(0).cast_unsigned()
}

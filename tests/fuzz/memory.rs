//! How many bytes are asked of the system's allocator.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The system's allocator, counted.
struct Counted;

static BYTES: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static MEMORY: Counted = Counted;

// SAFETY: everything is handed on to the system's allocator as it comes.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        BYTES.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `GlobalAlloc`, which is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// Bytes asked for so far, in all; memory that grows counts anew.
pub fn asked_for() -> usize {
    BYTES.load(Ordering::Relaxed)
}

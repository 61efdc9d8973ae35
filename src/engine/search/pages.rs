//! The one place of the search that talks to the system's memory management, which Rust calls unsafe.

/// Asks the system to back this memory with huge pages: a table that is read at random then misses the processor's
/// address cache less often. A system that has none, or does not want to, changes nothing.
pub(super) fn ask_for_huge_pages<T>(memory: &mut [T]) {
    #[cfg(target_os = "linux")]
    {
        let start = memory.as_mut_ptr().addr().next_multiple_of(HUGE_PAGE_BYTES);
        let end = memory.as_mut_ptr_range().end.addr() / HUGE_PAGE_BYTES * HUGE_PAGE_BYTES;
        if start >= end {
            return;
        }
        let skipped = start - memory.as_mut_ptr().addr();
        #[expect(unsafe_code, reason = "a call of the system")]
        // SAFETY: the range lies within `memory`, which is borrowed; the advice changes how it is mapped, not what it holds.
        unsafe {
            libc::madvise(memory.as_mut_ptr().byte_add(skipped).cast(), end - start, libc::MADV_HUGEPAGE);
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}

/// What x86-64 and most of the others have.
#[cfg(target_os = "linux")]
const HUGE_PAGE_BYTES: usize = 2 << 20;

//! The one place that asks for memory ahead of time: it needs an instruction which Rust calls unsafe.

/// Tells the processor that this memory is going to be read soon.
#[inline(always)]
#[expect(clippy::inline_always, reason = "one instruction")]
pub(super) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    #[expect(unsafe_code, reason = "an intrinsic of an instruction set that every x86-64 has")]
    // SAFETY: SSE belongs to x86-64, and a prefetch is a hint that neither reads nor writes anything by the rules of the language.
    unsafe {
        core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T0 }>(
            core::ptr::from_ref(value).cast(),
        );
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

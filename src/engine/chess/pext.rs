//! The one place of the rules that needs an instruction which Rust calls unsafe.

/// Gathers the bits of `value` under `mask` into the lowest bits of the result (the BMI2 instruction `PEXT`).
#[inline(always)]
#[expect(clippy::inline_always, reason = "one instruction")]
#[expect(unsafe_code, reason = "an intrinsic of an instruction set that this build requires")]
pub(super) fn pext(value: u64, mask: u64) -> u64 {
    // SAFETY: this module is compiled only if the whole build has BMI2 (`cfg(target_feature = "bmi2")`), and the binary
    // refuses to run on a processor without it before anything else happens. The instruction touches no memory.
    unsafe { core::arch::x86_64::_pext_u64(value, mask) }
}

/// Spreads the lowest bits of `value` over the bits of `mask` (the BMI2 instruction `PDEP`).
#[inline(always)]
#[expect(clippy::inline_always, reason = "one instruction")]
#[expect(unsafe_code, reason = "an intrinsic of an instruction set that this build requires")]
pub(super) fn pdep(value: u64, mask: u64) -> u64 {
    // SAFETY: as above.
    unsafe { core::arch::x86_64::_pdep_u64(value, mask) }
}

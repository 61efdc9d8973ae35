//! Whether this processor can run this build, asked before anything else does.

use std::fmt;

/// The processor lacks instructions that this build uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    missing: Vec<&'static str>,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "this build of centipawn needs an x86-64-v3 processor (2013 or later), and this one lacks {}.\n\
             Build one that runs on every x86-64 processor with:\n  \
             RUSTFLAGS=\"-C target-cpu=x86-64\" cargo build --release",
            self.missing.join(", ")
        )
    }
}

/// Compares what the build was compiled for with what the processor and the operating system offer.
///
/// The standard library's own detection is of no use here: what the build is compiled for, it takes for granted.
///
/// # Errors
/// If instructions are missing. The message names them, and the command for a portable build.
#[inline(never)]
pub fn check() -> Result<(), Unsupported> {
    let missing = missing();
    if missing.is_empty() { Ok(()) } else { Err(Unsupported { missing }) }
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "bmi2")))]
fn missing() -> Vec<&'static str> {
    Vec::new()
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "bmi2"))]
fn missing() -> Vec<&'static str> {
    x86_64_v3::missing()
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "bmi2"))]
mod x86_64_v3 {
    use std::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};

    /// Leaf 1, register ECX: the bits of Intel's manual, volume 2A, "CPUID".
    const LEAF_1_ECX: [(u32, &str); 5] =
        [(12, "fma"), (22, "movbe"), (23, "popcnt"), (27, "osxsave"), (28, "avx")];
    /// Leaf 7, register EBX.
    const LEAF_7_EBX: [(u32, &str); 3] = [(3, "bmi1"), (5, "avx2"), (8, "bmi2")];
    /// Leaf 0x8000_0001, register ECX.
    const EXTENDED_ECX: [(u32, &str); 1] = [(5, "lzcnt")];

    /// Leaf 1, ECX: the operating system lets programs ask which registers it saves.
    const OSXSAVE: u32 = 1 << 27;
    /// XCR0: the operating system saves the XMM and the YMM registers.
    const SAVES_YMM: u64 = 0b110;

    pub(super) fn missing() -> Vec<&'static str> {
        let leaf_1 = __cpuid(1).ecx;
        let leaf_7 = if __cpuid(0).eax >= 7 { __cpuid_count(7, 0).ebx } else { 0 };
        let extended = if __cpuid(0x8000_0000).eax > 0x8000_0000 { __cpuid(0x8000_0001).ecx } else { 0 };
        let mut missing = Vec::new();
        absent(&mut missing, leaf_1, &LEAF_1_ECX);
        absent(&mut missing, leaf_7, &LEAF_7_EBX);
        absent(&mut missing, extended, &EXTENDED_ECX);
        if leaf_1 & OSXSAVE != 0 && saved_registers() & SAVES_YMM != SAVES_YMM {
            missing.push("the operating system's support of avx");
        }
        missing
    }

    fn absent(missing: &mut Vec<&'static str>, register: u32, features: &[(u32, &'static str)]) {
        for (bit, name) in features {
            if register & (1 << bit) == 0 {
                missing.push(name);
            }
        }
    }

    #[expect(
        unsafe_code,
        reason = "no safe way leads to XCR0, and only it tells what the operating system saves"
    )]
    fn saved_registers() -> u64 {
        // SAFETY: XGETBV with register 0 is valid wherever OSXSAVE is set, which the only caller has just seen; it
        // reads a register and touches no memory.
        unsafe { _xgetbv(0) }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn the_machine_that_runs_the_tests_lacks_nothing() {
            assert_eq!(missing(), Vec::<&str>::new());
        }

        #[test]
        fn an_absent_bit_is_named() {
            let mut missing = Vec::new();
            absent(&mut missing, !(1 << 5), &LEAF_7_EBX);
            assert_eq!(missing, ["avx2"]);
        }
    }
}

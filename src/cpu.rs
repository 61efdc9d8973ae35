//! Whether this processor can run this build, asked before anything else does.
//!
//! The code here is itself compiled for the processor it asks for, so it keeps to what no compiler turns into newer
//! instructions: scalars, tests of constant bits, calls into the standard library (which is compiled for every
//! processor). No values of 16 bytes are moved, nothing is formatted, nothing is shifted by a variable. The test under an
//! emulated processor of 2008 (`tests/deploy/cpu.sh`) holds it to that.
//!
//! The standard library's own detection is of no use: what a build is compiled for, it takes for granted.

#[cfg(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "bmi2"))]
pub use x86_64_v3::{complain, is_sufficient};

/// Whether the processor and the operating system offer what this build was compiled for. This is a portable build.
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "bmi2")))]
#[must_use]
pub const fn is_sufficient() -> bool {
    true
}

/// Says on stderr what is missing: nothing, in a portable build.
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "bmi2")))]
pub const fn complain() {}

#[cfg(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "bmi2"))]
mod x86_64_v3 {
    use std::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};
    use std::io::{self, Write};

    /// A bit of a CPUID register, and the name of what it stands for (Intel's manual, volume 2A, "CPUID").
    type Feature = (u32, &'static str);

    /// Leaf 1, register ECX.
    static LEAF_1_ECX: [Feature; 5] =
        [(1 << 12, "fma"), (1 << 22, "movbe"), (1 << 23, "popcnt"), (OSXSAVE, "osxsave"), (1 << 28, "avx")];
    /// Leaf 7, register EBX.
    static LEAF_7_EBX: [Feature; 3] = [(1 << 3, "bmi1"), (1 << 5, "avx2"), (1 << 8, "bmi2")];
    /// Leaf `0x8000_0001`, register ECX.
    static EXTENDED_ECX: [Feature; 1] = [(1 << 5, "lzcnt")];

    /// Leaf 1, ECX: the operating system lets programs ask which registers it saves.
    const OSXSAVE: u32 = 1 << 27;
    /// XCR0: the operating system saves the XMM and the YMM registers.
    const SAVES_YMM: u64 = 0b110;

    /// Whether the processor and the operating system offer what this build was compiled for.
    #[inline(never)]
    #[must_use]
    pub fn is_sufficient() -> bool {
        has_all(leaf_1_ecx(), &LEAF_1_ECX)
            && has_all(leaf_7_ebx(), &LEAF_7_EBX)
            && has_all(extended_ecx(), &EXTENDED_ECX)
            && saved_registers() & SAVES_YMM == SAVES_YMM
    }

    /// Says on stderr what is missing, and how to build without it.
    #[inline(never)]
    pub fn complain() {
        say("error: this build of centipawn needs an x86-64-v3 processor (2013 or later); this one lacks:");
        name_absent(leaf_1_ecx(), &LEAF_1_ECX);
        name_absent(leaf_7_ebx(), &LEAF_7_EBX);
        name_absent(extended_ecx(), &EXTENDED_ECX);
        if leaf_1_ecx() & OSXSAVE != 0 && saved_registers() & SAVES_YMM != SAVES_YMM {
            say(" avx in the operating system");
        }
        say("\nA build that runs on every x86-64 processor:\n");
        say("  RUSTFLAGS=\"-C target-cpu=x86-64\" cargo build --release\n");
    }

    fn has_all(register: u32, features: &[Feature]) -> bool {
        for (bit, _) in features {
            if register & bit == 0 {
                return false;
            }
        }
        true
    }

    fn name_absent(register: u32, features: &[Feature]) {
        for &(bit, name) in features {
            if register & bit == 0 {
                say(" ");
                say(name);
            }
        }
    }

    /// Nobody reads a closed stderr.
    fn say(text: &str) {
        let _ = io::stderr().write_all(text.as_bytes());
    }

    fn leaf_1_ecx() -> u32 {
        __cpuid(1).ecx
    }

    fn leaf_7_ebx() -> u32 {
        if __cpuid(0).eax >= 7 { __cpuid_count(7, 0).ebx } else { 0 }
    }

    fn extended_ecx() -> u32 {
        if __cpuid(0x8000_0000).eax > 0x8000_0000 { __cpuid(0x8000_0001).ecx } else { 0 }
    }

    /// The register XCR0, or 0 where it cannot be asked for.
    #[expect(
        unsafe_code,
        reason = "no safe way leads to XCR0, and only it tells what the operating system saves"
    )]
    fn saved_registers() -> u64 {
        if leaf_1_ecx() & OSXSAVE == 0 {
            return 0;
        }
        // SAFETY: XGETBV with register 0 is valid wherever OSXSAVE is set; it reads a register and touches no memory.
        unsafe { _xgetbv(0) }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn the_machine_that_runs_the_tests_suffices() {
            assert!(is_sufficient());
        }

        #[test]
        fn every_bit_counts() {
            for features in [&LEAF_1_ECX[..], &LEAF_7_EBX, &EXTENDED_ECX] {
                let all = features.iter().fold(0, |bits, (bit, _)| bits | bit);
                assert!(has_all(all, features));
                for (bit, name) in features {
                    assert!(!has_all(all & !bit, features), "{name}");
                }
            }
        }
    }
}

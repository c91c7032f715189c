//! Which instructions loops are compiled with and run on this machine.

use std::env;
use std::sync::OnceLock;

/// What says how wide a register may be.
const VARIABLE: &str = "OWARE_VECTOR_BYTES";

/// Instructions that this machine has: only this file makes them, and it asks the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instructions(Set);

/// Sets of instructions that loops are compiled with, slowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Set {
    /// Those of any processor.
    Portable,
    /// 16 bytes at a time: NEON or WebAssembly's simd128.
    #[cfg(any(test, target_arch = "aarch64", target_feature = "simd128"))]
    Sixteen,
    /// 32 bytes at a time: AVX2, with the instructions for bits that such processors have.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// 64 bytes at a time: AVX-512 with VBMI, VBMI2 and BITALG.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Set {
    const ALL: &[Set] = &[
        Set::Portable,
        #[cfg(any(test, target_arch = "aarch64", target_feature = "simd128"))]
        Set::Sixteen,
        #[cfg(target_arch = "x86_64")]
        Set::Avx2,
        #[cfg(target_arch = "x86_64")]
        Set::Avx512,
    ];

    /// Returns whether the processor has them, and `OWARE_VECTOR_BYTES` does not leave them out.
    #[inline(always)]
    fn is_available(self) -> bool {
        match self {
            Set::Portable => is_allowed(0),
            #[cfg(any(test, target_arch = "aarch64", target_feature = "simd128"))]
            Set::Sixteen => is_allowed(16),
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => {
                is_allowed(32)
                    && is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("lzcnt")
                    && is_x86_feature_detected!("popcnt")
            }
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => {
                is_allowed(64)
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512vbmi")
                    && is_x86_feature_detected!("avx512vbmi2")
                    && is_x86_feature_detected!("avx512bitalg")
                    && is_x86_feature_detected!("bmi2")
            }
        }
    }
}

impl Instructions {
    /// Those of any processor.
    pub const PORTABLE: Instructions = Instructions(Set::Portable);

    /// Those that this machine has and `OWARE_VECTOR_BYTES` allows, slowest first.
    pub fn available() -> impl Iterator<Item = Instructions> {
        Set::ALL.iter().copied().filter(|set| set.is_available()).map(Instructions)
    }

    /// The fastest of these.
    #[inline(always)]
    pub fn best() -> Instructions {
        let best = Set::ALL.iter().rev().find(|set| set.is_available());
        best.map_or(Instructions::PORTABLE, |&set| Instructions(set))
    }

    /// Returns the set.
    #[inline(always)]
    pub(crate) fn set(self) -> Set {
        self.0
    }

    /// What people call them.
    pub fn name(self) -> &'static str {
        match self.0 {
            Set::Portable => "portable",
            #[cfg(target_arch = "aarch64")]
            Set::Sixteen => "NEON",
            #[cfg(target_feature = "simd128")]
            Set::Sixteen => "simd128",
            #[cfg(all(test, not(any(target_arch = "aarch64", target_feature = "simd128"))))]
            Set::Sixteen => "arrays",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => "AVX-512",
        }
    }
}

/// Returns whether instructions may be used that handle this many bytes at a time: of those that the
/// processor has, all but those that are wider than `OWARE_VECTOR_BYTES` says. A measurement
/// compares with less, and a diagnosis of a processor does without.
#[inline]
fn is_allowed(bytes: usize) -> bool {
    static MOST: OnceLock<usize> = OnceLock::new();
    bytes <= *MOST.get_or_init(|| most(env::var(VARIABLE).ok().as_deref()))
}

/// Any, but where the variable is a number.
fn most(variable: Option<&str>) -> usize {
    variable.and_then(|bytes| bytes.trim().parse().ok()).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_a_limit_and_nothing_else_is() {
        assert_eq!(
            [Some("32"), Some(" 0 "), Some("wide"), None].map(most),
            [32, 0, usize::MAX, usize::MAX]
        );
    }
}

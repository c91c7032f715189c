//! How wide a register may be.

use std::env;
use std::sync::OnceLock;

/// What says it.
const VARIABLE: &str = "OWARE_VECTOR_BYTES";

/// Returns whether instructions may be used that handle this many bytes at a time: of those that
/// the processor has, all but those that are wider than `OWARE_VECTOR_BYTES` says. A measurement
/// can compare with narrower ones, and a user who doubts a processor can exclude them.
#[inline]
pub fn is_allowed(bytes: usize) -> bool {
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

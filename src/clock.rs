//! The clock, which a browser has elsewhere than the systems that the standard library knows.

/// A moment.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub type Instant = std::time::Instant;

/// A moment.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub type Instant = web_time::Instant;

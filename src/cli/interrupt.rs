//! Ctrl-C, for commands that drive engines.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Returns a flag that the first Ctrl-C sets; the second ends the program at once. If that cannot
/// be arranged, the first one ends the program, and guards end the engines.
pub fn flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = flag.clone();
    let _ = ctrlc::set_handler(move || {
        if set.swap(true, Ordering::Relaxed) {
            std::process::exit(1);
        }
    });
    flag
}

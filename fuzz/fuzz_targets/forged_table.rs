//! Honest files with edits that the bytes choose, and every checksum right.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use oware_db_fuzz::edits::forged;
use oware_db_fuzz::files::honest;
use oware_db_fuzz::tables::examine;

static HONEST: LazyLock<Vec<Vec<u8>>> = LazyLock::new(honest);

fuzz_target!(|choices: &[u8]| {
    examine(forged(&HONEST, choices));
});

//! Any bytes as a table. Nearly all are refused for a checksum; `forged_table` gets past those.

#![no_main]

use libfuzzer_sys::fuzz_target;
use oware_db_fuzz::tables::examine;

fuzz_target!(|file: &[u8]| {
    examine(file.to_vec());
});

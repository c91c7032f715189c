//! Any bytes as game records: what is read is written and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use oware_db_fuzz::records::examine;

fuzz_target!(|text: &[u8]| {
    examine(text);
});

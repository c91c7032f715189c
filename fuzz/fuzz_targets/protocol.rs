//! Any line, as one that an engine or its driver sends.

#![no_main]

use libfuzzer_sys::fuzz_target;
use oware_db_fuzz::protocol::exchange;

fuzz_target!(|line: &str| {
    exchange(line);
});

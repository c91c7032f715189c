//! Any text as a position: what is read is written in every form and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use oware_db_fuzz::positions::round_trip;

fuzz_target!(|text: &str| {
    round_trip(text);
});

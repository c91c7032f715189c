//! Any bytes as the exceptions of a layer, in a file that is right otherwise, every checksum
//! included: packed as they are, and as what a right frame holds.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use oware_db_fuzz::files::honest;
use oware_db_fuzz::layout::Pieces;
use oware_db_fuzz::tables::examine;

static HONEST: LazyLock<Vec<Pieces>> = LazyLock::new(|| {
    let pieces = honest().into_iter().map(|file| Pieces::of(&file));
    pieces.filter(|pieces| !pieces.exceptions.is_empty()).collect()
});

fuzz_target!(|bytes: &[u8]| {
    let Some((&which, bytes)) = bytes.split_first() else { return };
    let honest = &HONEST[usize::from(which / 2) % HONEST.len()];
    let exceptions = if which % 2 == 0 {
        bytes.to_vec()
    } else {
        zstd::bulk::compress(bytes, 1).expect("there is memory")
    };
    examine(honest.with_exceptions(exceptions).joined());
});

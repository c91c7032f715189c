//! Sections of a table that are looked at as a whole: a zstd frame each.
//!
//! A frame of a few kilobytes can claim gigabytes. So a section comes to no more than
//! [`EXPANSION`] times its length, and what is read of it takes memory in proportion to the bytes
//! that say it. Measured on tables of all sheets, sections come to 7 times their length at most.

use std::collections::TryReserveError;
use std::io::{self, Read};

use super::Flaw;

/// How many times its length a section may come to.
pub(super) const EXPANSION: usize = 32;

/// First bytes of a frame that decompressors skip; the length of the rest follows.
const SKIPPED: [u8; 4] = 0x184D_2A50u32.to_le_bytes();

/// Packs a section. One that compresses too well is filled up with a frame that says nothing.
pub(super) fn pack(raw: &[u8], level: i32) -> io::Result<Vec<u8>> {
    let mut packed = zstd::bulk::compress(raw, level)?;
    if raw.len() > EXPANSION * packed.len() {
        let missing = raw.len() / EXPANSION - packed.len();
        packed.extend(SKIPPED);
        packed.extend((missing as u32).to_le_bytes());
        packed.resize(packed.len() + missing, 0);
    }
    Ok(packed)
}

/// Unpacks a section, called `name`.
///
/// # Errors
/// A flaw if it is none or comes to too much, and an error of the system if there is no memory.
pub(super) fn unpack(packed: &[u8], name: &str) -> Result<Vec<u8>, Flaw> {
    let broken = |error: io::Error| match error.kind() {
        io::ErrorKind::OutOfMemory => Flaw::Io(error),
        _ => Flaw::new(format!("its {name} cannot be decompressed")),
    };
    let (most, mut raw) = (EXPANSION * packed.len(), Vec::new());
    let frame = zstd::stream::read::Decoder::with_buffer(packed).map_err(broken)?;
    frame.take(most as u64 + 1).read_to_end(&mut raw).map_err(broken)?;
    match raw.len() > most {
        true => Err(Flaw::new(format!(
            "its {name} come to more than {EXPANSION} times the bytes they take"
        ))),
        false => Ok(raw),
    }
}

/// The error of the system that there is no memory.
pub(super) fn no_memory(_: TryReserveError) -> Flaw {
    Flaw::Io(io::ErrorKind::OutOfMemory.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_back_however_well_it_compresses() {
        for length in [0, 1, 100, 3_000, 1 << 20] {
            let zeros = vec![0; length];
            let numbers: Vec<u8> = (0..length).map(|at| (at * at / 8) as u8).collect();
            for raw in [zeros, numbers] {
                let packed = pack(&raw, 3).unwrap();
                assert_eq!(unpack(&packed, "parts").unwrap(), raw);
                assert!(raw.len() <= EXPANSION * packed.len());
            }
        }
    }

    #[test]
    fn a_frame_that_claims_more_than_it_is_long_for_is_refused() {
        let packed = zstd::bulk::compress(&vec![0; 100 << 20], 19).unwrap();
        let Err(Flaw::Corrupt(what)) = unpack(&packed, "parts") else { panic!("it was taken") };
        assert!(what.contains("its parts come to more than 32 times"), "{what}");
    }
}

//! A checkpoint of a layer of the games beside Oware in a file, from which this very program can go
//! on.
//!
//! ```text
//! +----------+-------+-------+----------+
//! | Identity | stage | bytes | checksum |   `bao-stores-20.oware.checkpoint`
//! +----------+-------+-------+----------+
//! ```
//!
//! The bytes are the solver's affair ([`Snapshot`]). As with Oware's, a checkpoint is taken only if
//! its length and its identity are what they must be, and its checksum that of all bytes before.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::{file_name, named_layer};
use crate::error::Result;
use crate::layer::general::GeneralLayer;
use crate::solver::general::{Resumed, Snapshot, Way};
use crate::table::checkpoint::{Summing, check_length, check_sum, fixed, load, save};

/// First bytes of a file, as those of tables are.
const MAGIC: [u8; 8] = *b"\x89OWG\r\n\x1a\n";

/// What a checkpoint belongs to. It is of no use to anything else.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned,
)]
#[repr(C)]
struct Identity {
    magic: [u8; 8],
    program: U64,
    sheet: [u8; 24],
    owners: U32,
    seeds: u8,
    way: u8,
    bytes: U64,
}

/// The file of a layer's checkpoint, whether or not it is there.
pub struct GeneralCheckpoint {
    path: PathBuf,
    identity: Identity,
}

/// Returns the path of a layer's checkpoint.
pub fn path(dir: &Path, layer: &GeneralLayer) -> PathBuf {
    dir.join(file_name(layer) + ".checkpoint")
}

/// Returns whether a file is named like `bao-stores-20.oware.checkpoint.tmp`, which is what a
/// checkpoint is called while it is being written.
pub fn is_unfinished(name: &str) -> bool {
    name.strip_suffix(".checkpoint.tmp").is_some_and(|table| named_layer(table).is_some())
}

impl GeneralCheckpoint {
    /// Names the file for a layer that `program` solves some way, with so many bytes.
    pub fn new(
        dir: &Path,
        layer: &GeneralLayer,
        way: Way,
        bytes: u64,
        program: u64,
    ) -> GeneralCheckpoint {
        let id = layer.sheet().id;
        let mut sheet = [0; 24];
        sheet[..id.len()].copy_from_slice(id.as_bytes());
        let identity = Identity {
            magic: MAGIC,
            program: program.into(),
            sheet,
            owners: layer.owners().into(),
            seeds: layer.seeds() as u8,
            way: match way {
                Way::Ordered => 1,
                Way::Anew => 2,
                Way::Alone => 3,
                Way::Kept => 4,
            },
            bytes: bytes.into(),
        };
        GeneralCheckpoint { path: path(dir, layer), identity }
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns its length in bytes, if it is there.
    pub fn length(&self) -> u64 {
        self.identity.bytes.get() + (size_of::<Identity>() + 3 * size_of::<u64>()) as u64
    }

    /// Writes it; there is always a whole one if there ever was.
    ///
    /// # Errors
    /// [`crate::Error::Io`]; then the one before is still there.
    pub fn save(&self, snapshot: &Snapshot) -> Result<()> {
        save(&self.path, |out| {
            out.write_all(self.identity.as_bytes())?;
            out.write_all(snapshot.stage.map(U64::new).as_bytes())?;
            (snapshot.write)(out)
        })
    }

    /// Reads the checkpoint, if the file is there.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn load(&self) -> std::result::Result<Option<Resumed>, String> {
        load(&self.path, |file| self.read(file))
    }

    fn read(&self, file: File) -> io::Result<Resumed> {
        let length = file.metadata()?.len();
        let mut input = Summing::new(file);
        self.identify(fixed(&mut input)?)?;
        check_length(length, self.length())?;
        let stage: [U64; 2] = fixed(&mut input)?;
        let mut bytes = vec![0; self.identity.bytes.get() as usize];
        input.read_exact(&mut bytes)?;
        check_sum(input)?;
        Ok(Resumed { stage: stage.map(U64::get), bytes })
    }

    /// Checks that it is of the build at hand.
    fn identify(&self, found: Identity) -> io::Result<()> {
        let Identity { magic, program, .. } = self.identity;
        let what = match found {
            _ if found == self.identity => return Ok(()),
            _ if found.magic != magic => "it is no checkpoint",
            _ if found.program != program => "it is of another build of this program",
            _ => "it is of another layer, or of a build with other memory",
        };
        Err(io::Error::other(what))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::game::mancala::{BAO_LAPS, BAO_STORES};

    const CONTENT: &[u8] = b"what was there before the lights went out";

    fn file(dir: &Path, layer: &GeneralLayer, way: Way, program: u64) -> GeneralCheckpoint {
        GeneralCheckpoint::new(dir, layer, way, CONTENT.len() as u64, program)
    }

    fn saved(dir: &Path) -> (GeneralLayer, GeneralCheckpoint) {
        let layer = GeneralLayer::new(&BAO_STORES, 5);
        let file = file(dir, &layer, Way::Ordered, 1);
        let write = |out: &mut dyn Write| out.write_all(CONTENT);
        let bytes = CONTENT.len() as u64;
        file.save(&Snapshot { way: Way::Ordered, stage: [3, 77], bytes, write: &write }).unwrap();
        (layer, file)
    }

    #[test]
    fn what_is_saved_comes_back() {
        let dir = tempfile::tempdir().unwrap();
        let (layer, file) = saved(dir.path());
        let expected = Resumed { stage: [3, 77], bytes: CONTENT.to_vec() };
        assert_eq!(file.load(), Ok(Some(expected)));
        assert_eq!(fs::metadata(file.path()).unwrap().len(), file.length());
        fs::remove_file(path(dir.path(), &layer)).unwrap();
        assert_eq!(file.load(), Ok(None));
    }

    #[test]
    fn every_flipped_bit_and_every_missing_byte_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let (_, file) = saved(dir.path());
        let whole = fs::read(file.path()).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            fs::write(file.path(), &bytes).unwrap();
            assert!(file.load().is_err(), "{at}");
            fs::write(file.path(), &whole[..at]).unwrap();
            assert!(file.load().is_err(), "{at}");
        }
    }

    #[test]
    fn checkpoints_of_others_are_not_taken() {
        let dir = tempfile::tempdir().unwrap();
        let (layer, mine) = saved(dir.path());
        let other = GeneralLayer::new(&BAO_LAPS, 5);
        fs::copy(mine.path(), path(dir.path(), &other)).unwrap();
        for (layer, way, program, part) in [
            (&layer, Way::Ordered, 2, "another build of this program"),
            (&layer, Way::Anew, 1, "other memory"),
            (&other, Way::Ordered, 1, "another layer"),
        ] {
            let flaw = file(dir.path(), layer, way, program).load().unwrap_err();
            assert!(flaw.contains(part), "{flaw}");
        }
        assert!(mine.load().is_ok());
    }
}

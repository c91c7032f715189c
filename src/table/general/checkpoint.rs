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

use std::io::Read;
use std::path::{Path, PathBuf};

use super::{file_name, named_layer};
use crate::error::Result;
use crate::layer::general::GeneralLayer;
use crate::solver::general::{Resumed, Snapshot, Way};
use crate::table::checkpoint::Kept;

/// The file of a layer's checkpoint, whether or not it is there.
pub struct GeneralCheckpoint(Kept);

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
        let way = match way {
            Way::Ordered => 1,
            Way::Anew => 2,
            Way::Alone => 3,
            Way::Kept => 4,
        };
        let layer_of = (layer.owners(), layer.seeds() as u8, way);
        GeneralCheckpoint(Kept::new(path(dir, layer), program, layer.sheet().id, layer_of, bytes))
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// Returns its length in bytes, if it is there.
    pub fn length(&self) -> u64 {
        self.0.length()
    }

    /// Writes it; there is always a whole one if there ever was.
    ///
    /// # Errors
    /// [`crate::Error::Io`]; then the one before is still there.
    pub fn save(&self, snapshot: &Snapshot) -> Result<()> {
        self.0.save(snapshot.stage, |out| (snapshot.write)(out))
    }

    /// Reads the checkpoint, if the file is there.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn load(&self) -> std::result::Result<Option<Resumed>, String> {
        self.0.load(|stage, input| {
            let mut bytes = vec![0; self.0.bytes() as usize];
            input.read_exact(&mut bytes)?;
            Ok(Resumed { stage, bytes })
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

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

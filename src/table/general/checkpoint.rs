//! Checkpoints of the other games: their bytes are the solver's affair ([`Snapshot`]).

use std::io::{self, Read};
use std::path::Path;

use super::file_name;
use crate::error::Result;
use crate::layer::general::GeneralLayer;
use crate::solver::general::{Resumed, Snapshot, Way};
use crate::table::checkpoint::{CheckpointFile, path};

impl CheckpointFile {
    /// Names the file for a layer that `program` solves some way, with this many bytes.
    pub fn of_other(
        dir: &Path,
        layer: &GeneralLayer,
        way: Way,
        bytes: u64,
        program: u64,
    ) -> CheckpointFile {
        let layer_of = (layer.owners(), layer.seeds() as u8, way as u8);
        CheckpointFile::of(path(dir, &file_name(layer)), program, layer.sheet().id, layer_of, bytes)
    }

    /// Writes it; there is always a whole one if there ever was.
    ///
    /// # Errors
    /// [`crate::Error::Io`]; then the one before is still there.
    pub fn save_snapshot(&self, snapshot: &Snapshot) -> Result<()> {
        self.save_as(snapshot.stage, |out| (snapshot.write)(out))
    }

    /// Reads the checkpoint of a layer that is solved some way, if the file is there.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn resume(&self, layer: &GeneralLayer, way: Way) -> io::Result<Option<Resumed>> {
        let kept = self.load_as(|stage, input| {
            let mut bytes = vec![0; self.memory() as usize];
            input.read_exact(&mut bytes)?;
            Ok(Resumed { stage, bytes })
        })?;
        match kept.as_ref().is_none_or(|kept| kept.is_possible(layer, way)) {
            true => Ok(kept),
            false => Err(io::Error::other("it holds scores that the layer cannot have")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;
    use crate::game::mancala::{BAO_LAPS, BAO_STORES};

    const CONTENT: &[u8] = &[0, 1, 5, 0xff, 0xfb, 0, 0, 3, 0xfe];

    fn file(dir: &Path, layer: &GeneralLayer, way: Way, program: u64) -> CheckpointFile {
        CheckpointFile::of_other(dir, layer, way, CONTENT.len() as u64, program)
    }

    fn saved(dir: &Path) -> (GeneralLayer, CheckpointFile) {
        let layer = GeneralLayer::new(&BAO_STORES, 5);
        let file = file(dir, &layer, Way::Ordered, 1);
        let write = |out: &mut dyn Write| out.write_all(CONTENT);
        let bytes = CONTENT.len() as u64;
        file.save_snapshot(&Snapshot { way: Way::Ordered, stage: [2, 0], bytes, write: &write })
            .unwrap();
        (layer, file)
    }

    #[test]
    fn what_is_saved_comes_back() {
        let dir = tempfile::tempdir().unwrap();
        let (layer, file) = saved(dir.path());
        let expected = Resumed { stage: [2, 0], bytes: CONTENT.to_vec() };
        assert_eq!(file.resume(&layer, Way::Ordered).unwrap(), Some(expected));
        assert_eq!(fs::metadata(file.path()).unwrap().len(), file.bytes());
        fs::remove_file(file.path()).unwrap();
        assert_eq!(file.resume(&layer, Way::Ordered).unwrap(), None);
    }

    #[test]
    fn every_flipped_bit_and_every_missing_byte_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let (layer, file) = saved(dir.path());
        let whole = fs::read(file.path()).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            fs::write(file.path(), &bytes).unwrap();
            assert!(file.resume(&layer, Way::Ordered).is_err(), "{at}");
            fs::write(file.path(), &whole[..at]).unwrap();
            assert!(file.resume(&layer, Way::Ordered).is_err(), "{at}");
        }
    }

    #[test]
    fn checkpoints_of_others_are_not_taken() {
        let dir = tempfile::tempdir().unwrap();
        let (layer, mine) = saved(dir.path());
        let other = GeneralLayer::new(&BAO_LAPS, 5);
        fs::copy(mine.path(), path(dir.path(), &file_name(&other))).unwrap();
        for (layer, way, program, part) in [
            (&layer, Way::Ordered, 2, "another build of this program"),
            (&layer, Way::Anew, 1, "other memory"),
            (&other, Way::Ordered, 1, "another layer"),
        ] {
            let flaw =
                file(dir.path(), layer, way, program).resume(layer, way).unwrap_err().to_string();
            assert!(flaw.contains(part), "{flaw}");
        }
        assert!(mine.resume(&layer, Way::Ordered).is_ok());
    }

    /// A checksum is no proof: anyone can make one.
    #[test]
    fn scores_that_a_layer_cannot_have_are_not_gone_on_from() {
        let dir = tempfile::tempdir().unwrap();
        let layer = GeneralLayer::new(&BAO_STORES, 5);
        let possible = |way, stage, bytes: &[u8]| {
            let file = CheckpointFile::of_other(dir.path(), &layer, way, bytes.len() as u64, 1);
            let write = |out: &mut dyn Write| out.write_all(bytes);
            let snapshot = Snapshot { way, stage, bytes: bytes.len() as u64, write: &write };
            file.save_snapshot(&snapshot).unwrap();
            file.resume(&layer, way).is_ok()
        };
        let positions = layer.positions() as usize;
        let each = |bytes: &[u8]| bytes.repeat(positions);
        for (way, stage, bytes, is_possible) in [
            (Way::Ordered, [0, 0], each(&[5]), true),
            (Way::Ordered, [0, 0], each(&[6]), false),
            (Way::Ordered, [2, 0], each(&[5]), true),
            (Way::Ordered, [2, 1], each(&[5]), false),
            (Way::Ordered, [3, 0], each(&[5]), false),
            (Way::Kept, [5, 0], each(&[0x80, 200]), true),
            (Way::Kept, [5, 0], each(&[6, 200]), false),
            (Way::Kept, [6, 0], each(&[0x80, 200]), false),
            (Way::Kept, [1 << 20, 0], each(&[0x80, 200]), false),
            (Way::Anew, [5, 3], each(&[11, 200]), true),
            (Way::Anew, [5, 3], each(&[13, 200]), false),
            (Way::Alone, [20, 0], each(&[10 << 2 | 1, 0]), true),
            (Way::Alone, [20, 0], each(&[11 << 2 | 1, 0]), false),
            (Way::Alone, [20, u64::MAX], each(&[0, 0]), false),
            (Way::Alone, [1, 9], each(&[1 << 2 | 1, 0]), true),
            (Way::Alone, [1, 9], each(&[2 << 2 | 1, 0]), false),
            (Way::Alone, [2 << 14, 0], each(&[0, 0]), false),
        ] {
            assert_eq!(possible(way, stage, &bytes), is_possible, "{way:?} {stage:?} {}", bytes[0]);
        }
    }
}

//! A checkpoint in a file, from which this very program can go on.
//!
//! ```text
//! +----------+-------+-------------------+----------+
//! | Identity | stage | low, high, if any | checksum |   `awari-20.oware.checkpoint`
//! +----------+-------+-------------------+----------+
//! ```
//!
//! Planes are the solver's memory as it is, one byte for each position, or less where scores are
//! clamped; a layer may begin with one and go on with two. In the other games that memory is the
//! solver's own affair. A checkpoint has a short life and is read where it was written, so nothing is
//! spent on making it small. It is taken only if its length and its identity are what they must be,
//! and if its checksum is that of all bytes before.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::error::{Error, Result};
use crate::game::Rules;
use crate::layer::general::GeneralLayer;
use crate::layer::{Layer, Plane};
use crate::solver::general::{Resumed, Way};
use crate::solver::{Checkpoint, ReadPlane, ShownPlane, planes};
use crate::table::publish::create_beside;
use crate::table::shelf::open_file;
use crate::table::summing::Summing;
use crate::table::{file_name, general};

/// First bytes of a file, as those of tables are.
const MAGIC: [u8; 8] = *b"\x89OWC\r\n\x1a\n";

/// What a checkpoint belongs to. It is of no use to anything else.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned,
)]
#[repr(C)]
struct Identity {
    magic: [u8; 8],
    program: U64,
    sheet: [u8; 24],
    /// Who owns which places; 0 of Oware.
    owners: U32,
    seeds: u8,
    /// Seeds of the games that clamped scores decide; 0 of scores that are not clamped.
    game: u8,
    /// Planes of Oware; for other games, how the layer is solved.
    way: u8,
    /// The solver's memory.
    bytes: U64,
}

/// The file of a layer's checkpoint, of Oware or of another game, whether or not it is there. Only
/// the program takes it that wrote it, to go on with the same layer.
pub struct CheckpointFile {
    path: PathBuf,
    identity: Identity,
}

/// Returns the path of the checkpoint of a layer whose table has this name.
pub fn path(dir: &Path, table: &str) -> PathBuf {
    dir.join(format!("{table}.checkpoint"))
}

/// Returns a fingerprint of the program that runs. What it keeps in memory is its own affair, and
/// no other program may take it for something else.
///
/// # Errors
/// If its file cannot be read.
pub fn program() -> io::Result<u64> {
    let mut program = Summing::new(File::open(std::env::current_exe()?)?);
    io::copy(&mut program, &mut io::sink())?;
    Ok(program.sum.digest())
}

impl CheckpointFile {
    /// Names the file for a layer that `program` builds in a directory, with as many planes as the
    /// sheet usually has.
    pub fn new(dir: &Path, rules: &Rules, layer: Layer, program: u64) -> CheckpointFile {
        let planes = planes(rules);
        let path = path(dir, &file_name(rules, layer.seeds()));
        let way = (0, layer.seeds().get() as u8, planes as u8);
        let mut file =
            CheckpointFile::of(path, program, rules.id, way, planes * Plane::memory(layer));
        file.identity.game = layer.range().game().map_or(0, |game| game.get() as u8);
        file
    }

    /// Names the file for a layer of another game that `program` solves some way, with this many
    /// bytes.
    pub fn of_other(
        dir: &Path,
        layer: &GeneralLayer,
        way: Way,
        bytes: u64,
        program: u64,
    ) -> CheckpointFile {
        let path = path(dir, &general::file_name(layer));
        let of_layer = (layer.owners(), layer.seeds() as u8, way as u8);
        CheckpointFile::of(path, program, layer.sheet().id, of_layer, bytes)
    }

    /// Writes it; there is always a whole one if there ever was.
    ///
    /// # Errors
    /// [`Error::Io`]; then the one before is still there.
    pub fn save(&self, checkpoint: &Checkpoint<&dyn ShownPlane>) -> Result<()> {
        let &Checkpoint { low, high, sweep } = checkpoint;
        self.holding(checkpoint).save_as([sweep as u64, 0], &|out| {
            [Some(low), high].into_iter().flatten().try_for_each(|plane| plane.write_to(out))
        })
    }

    /// Reads the checkpoint, if the file is there: each plane is given to `read`. What has been read
    /// is worth nothing until this returns a checkpoint.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn load(&self, read: &mut ReadPlane) -> io::Result<Option<Checkpoint<()>>> {
        let planes = self.found().map_or(1, |found| found.way.clamp(1, 2));
        self.with_planes(planes).load_as(|[sweep, _], input| {
            let mut plane = || read(input);
            plane()?;
            let high = (planes > 1).then(&mut plane).transpose()?;
            Ok(Checkpoint { low: (), high, sweep: sweep as usize })
        })
    }

    /// Reads the checkpoint of a layer of another game that is solved some way, if the file is
    /// there.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn resume(&self, layer: &GeneralLayer, way: Way) -> io::Result<Option<Resumed>> {
        let kept = self.load_as(|stage, input| {
            let mut bytes = vec![0; self.identity.bytes.get() as usize];
            input.read_exact(&mut bytes)?;
            Ok(Resumed { stage, bytes })
        })?;
        match kept.as_ref().is_none_or(|kept| kept.is_possible(layer, way)) {
            true => Ok(kept),
            false => Err(io::Error::other("it holds scores that the layer cannot have")),
        }
    }

    /// Returns the same file with the planes of a checkpoint.
    pub fn holding<P>(&self, checkpoint: &Checkpoint<P>) -> CheckpointFile {
        self.with_planes(1 + u8::from(checkpoint.high.is_some()))
    }

    /// Returns the same file with this many planes.
    pub fn with_planes(&self, planes: u8) -> CheckpointFile {
        let Identity { way, bytes, .. } = self.identity;
        let bytes = (bytes.get() / u64::from(way) * u64::from(planes)).into();
        let identity = Identity { way: planes, bytes, ..self.identity };
        CheckpointFile { path: self.path.clone(), identity }
    }

    /// Returns the seeds of the games that the file decides, 0 if its scores are full, where it is
    /// whole and would be taken but for these.
    pub fn other_game(&self) -> Option<u8> {
        let identity = self.found().ok()?;
        let known = self.with_planes(identity.way.clamp(1, 2)).identity;
        let is_other = is_for_other_games(known, identity);
        let file = CheckpointFile { path: self.path.clone(), identity };
        let read = |_, input: &mut Summing<File>| {
            io::copy(&mut input.take(identity.bytes.get()), &mut io::sink())
        };
        (is_other && file.load_as(read).is_ok()).then_some(identity.game)
    }

    /// Returns what the file says that it belongs to.
    fn found(&self) -> io::Result<Identity> {
        fixed(&mut open_file(&self.path)?)
    }

    /// Names a file of this many bytes of memory, of a layer of the game: owners, seeds and way.
    fn of(
        path: PathBuf,
        program: u64,
        id: &str,
        (owners, seeds, way): (u32, u8, u8),
        bytes: u64,
    ) -> CheckpointFile {
        let mut sheet = [0; 24];
        sheet[..id.len()].copy_from_slice(id.as_bytes());
        let (program, owners, bytes) = (program.into(), owners.into(), bytes.into());
        let game = 0;
        let identity = Identity { magic: MAGIC, program, sheet, owners, seeds, game, way, bytes };
        CheckpointFile { path, identity }
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns its length in bytes, if it is there.
    pub fn bytes(&self) -> u64 {
        let around = size_of::<Identity>() + size_of::<[U64; 2]>() + size_of::<u64>();
        (around as u64).saturating_add(self.identity.bytes.get())
    }

    /// Writes where the solver was and what it has in memory, under another name, and then gives it
    /// its own.
    ///
    /// # Errors
    /// As [`CheckpointFile::save`].
    pub fn save_as(
        &self,
        stage: [u64; 2],
        write: &dyn Fn(&mut dyn Write) -> io::Result<()>,
    ) -> Result<()> {
        let unfinished = create_beside(&self.path)?;
        let save = || {
            let mut file = unfinished.as_file();
            let mut out = Summing::new(file);
            out.write_all(self.identity.as_bytes())?;
            out.write_all(stage.map(U64::new).as_bytes())?;
            write(&mut out)?;
            file.write_all(&out.sum.digest().to_le_bytes())?;
            file.sync_all()
        };
        let named = save().and_then(|()| Ok(unfinished.persist(&self.path)?));
        named.map(drop).map_err(Error::io("writing", &self.path))
    }

    /// Reads it, if the file is there: `read` takes where the solver was, and what it had in memory.
    fn load_as<T>(
        &self,
        read: impl FnOnce([u64; 2], &mut Summing<File>) -> io::Result<T>,
    ) -> io::Result<Option<T>> {
        let file = match open_file(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        let (length, known) = (file.metadata()?.len(), self.bytes());
        let mut input = Summing::new(file);
        self.identify(fixed(&mut input)?)?;
        if length != known {
            return Err(io::Error::other(format!("it has {length} bytes instead of {known}")));
        }
        let stage: [U64; 2] = fixed(&mut input)?;
        let found = read(stage.map(U64::get), &mut input)?;
        let Summing { inner: mut file, sum, .. } = input;
        match fixed::<U64>(&mut file)? == sum.digest() {
            true => Ok(Some(found)),
            false => Err(io::Error::other("it is damaged")),
        }
    }

    /// Checks that it is of this build.
    fn identify(&self, found: Identity) -> io::Result<()> {
        let Identity { magic, program, .. } = self.identity;
        let what = match found {
            _ if found == self.identity => return Ok(()),
            _ if found.magic != magic => "it is not a checkpoint",
            _ if found.program != program => "it was written by another build of this program",
            _ if is_for_other_games(self.identity, found) => "its scores are clamped otherwise",
            _ => "it is of another layer, or of a build with other memory",
        };
        Err(io::Error::other(what))
    }
}

/// Returns whether only the games differ that scores decide, and with them how scores are packed.
fn is_for_other_games(known: Identity, found: Identity) -> bool {
    let Identity { game, bytes, .. } = known;
    found.game != game && Identity { game, bytes, ..found } == known
}

/// Reads a part of fixed length.
fn fixed<T: FromBytes + IntoBytes>(input: &mut impl Read) -> io::Result<T> {
    let mut part = T::new_zeroed();
    input.read_exact(part.as_mut_bytes()).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => io::Error::other("it is cut off"),
        _ => error,
    })?;
    Ok(part)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::game::mancala::{BAO_LAPS, BAO_STORES};
    use crate::game::{ABAPA, ABAPA_EVEN, ABAPA_EVERY, AWARI, ScoreRange, Seeds};
    use crate::layer::Arena;

    const SEEDS: Seeds = Seeds::new(5).expect("fewer than 48");

    fn checkpoint(rules: &Rules, planes: u64) -> Checkpoint<Plane> {
        let layer = Layer::of(rules, SEEDS);
        let plane = |first: i8| {
            Plane::of_scores(layer, (0..).map(|place: i64| first.wrapping_add((place % 7) as i8)))
        };
        Checkpoint { low: plane(-9), high: (planes > 1).then(|| plane(20)), sweep: 77 }
    }

    fn save(file: &CheckpointFile, checkpoint: &Checkpoint<Plane>) {
        file.save(&checkpoint.as_ref().map(|plane| plane as &dyn ShownPlane)).unwrap();
    }

    fn saved(dir: &Path) -> CheckpointFile {
        let file = CheckpointFile::new(dir, &ABAPA, Layer::of(&ABAPA, SEEDS), 1);
        save(&file, &checkpoint(&ABAPA, planes(&ABAPA)));
        file
    }

    /// Saves these bytes of the solver of another game.
    fn saved_other(
        dir: &Path,
        layer: &GeneralLayer,
        (way, stage): (Way, [u64; 2]),
        content: &[u8],
    ) -> CheckpointFile {
        let bytes = content.len() as u64;
        let file = CheckpointFile::of_other(dir, layer, way, bytes, 1);
        let write = |out: &mut dyn Write| out.write_all(content);
        file.save_as(stage, &write).unwrap();
        file
    }

    /// Nine bytes of a layer of another game.
    const CONTENT: &[u8] = &[0, 1, 5, 0xff, 0xfb, 0, 0, 3, 0xfe];

    fn saved_bao(dir: &Path) -> (GeneralLayer, CheckpointFile) {
        let layer = GeneralLayer::new(&BAO_STORES, 5);
        (layer, saved_other(dir, &layer, (Way::Ordered, [2, 0]), CONTENT))
    }

    fn load(file: &CheckpointFile) -> io::Result<Option<Checkpoint<Plane>>> {
        let Identity { sheet, seeds, .. } = file.identity;
        let id = str::from_utf8(&sheet).unwrap().trim_end_matches('\0');
        let (rules, seeds) = (Rules::by_id(id).unwrap(), Seeds::new(seeds.into()).unwrap());
        let (mut planes, layer) = (Vec::new(), Layer::of(rules, seeds));
        let kept = file.load(&mut |mut input| {
            planes.push(Plane::read_from(&Arena::default(), layer, &mut input)?);
            Ok(())
        });
        let mut planes = planes.into_iter();
        kept.map(|kept| kept.map(|kept| kept.map(|()| planes.next().unwrap())))
    }

    /// Where rows decide what endless play is worth, a layer begins with one plane and may go on with two.
    #[test]
    fn what_is_saved_comes_back_with_either_number_of_planes() {
        for (rules, many) in
            [&ABAPA, &ABAPA_EVERY, &AWARI].into_iter().flat_map(|it| [(it, 1), (it, 2)])
        {
            let dir = tempfile::tempdir().unwrap();
            let file = CheckpointFile::new(dir.path(), rules, Layer::of(rules, SEEDS), 1);
            assert_eq!(load(&file).unwrap(), None);
            let expected = checkpoint(rules, many);
            save(&file, &expected);
            let bytes = fs::metadata(file.path()).unwrap().len();
            assert_eq!(bytes, file.holding(&expected).bytes(), "{} {many}", rules.id);
            assert_eq!(bytes == file.bytes(), many == planes(rules), "{} {many}", rules.id);
            assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
            assert_eq!(load(&file).unwrap(), Some(expected), "{} {many}", rules.id);
        }
        let dir = tempfile::tempdir().unwrap();
        let (layer, file) = saved_bao(dir.path());
        let expected = Resumed { stage: [2, 0], bytes: CONTENT.to_vec() };
        assert_eq!(file.resume(&layer, Way::Ordered).unwrap(), Some(expected));
        assert_eq!(fs::metadata(file.path()).unwrap().len(), file.bytes());
        fs::remove_file(file.path()).unwrap();
        assert_eq!(file.resume(&layer, Way::Ordered).unwrap(), None);
    }

    #[test]
    fn a_whole_checkpoint_of_other_games_is_told_from_others() {
        let dir = tempfile::tempdir().unwrap();
        let layer = |game: Option<usize>| {
            let range = ScoreRange::deciding(&ABAPA, SEEDS, game.and_then(Seeds::new));
            Layer::of(&ABAPA, SEEDS).with_range(range)
        };
        let file = |game, program| CheckpointFile::new(dir.path(), &ABAPA, layer(game), program);
        assert!(Plane::memory(layer(None)) > Plane::memory(layer(Some(6))));
        assert_eq!(file(None, 1).other_game(), None);
        for (kept, others, found) in [(Some(6), [None, Some(5)], 6), (None, [Some(5), Some(6)], 0)]
        {
            for planes in [1, 2] {
                let plane = || Plane::new(layer(kept), 0).unwrap();
                let saved = Checkpoint { low: plane(), high: (planes > 1).then(plane), sweep: 7 };
                save(&file(kept, 1), &saved);
                assert_eq!(others.map(|game| file(game, 1).other_game()), [Some(found); 2]);
                assert_eq!(
                    (file(kept, 1).other_game(), file(others[0], 2).other_game()),
                    (None, None)
                );
            }
            let flaw = load(&file(others[0], 1)).unwrap_err();
            assert_eq!(flaw.to_string(), "its scores are clamped otherwise");
            let mut bytes = fs::read(file(kept, 1).path()).unwrap();
            let last = bytes.len() - 20;
            bytes[last] ^= 1;
            fs::write(file(kept, 1).path(), bytes).unwrap();
            assert_eq!(others.map(|game| file(game, 1).other_game()), [None; 2]);
        }
    }

    #[test]
    fn every_flipped_bit_and_every_missing_byte_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let (oware, (layer, bao)) = (saved(dir.path()), saved_bao(dir.path()));
        let (is_sound, is_bao) =
            (|| load(&oware).is_ok(), || bao.resume(&layer, Way::Ordered).is_ok());
        for (file, is_sound) in [(&oware, &is_sound as &dyn Fn() -> bool), (&bao, &is_bao)] {
            let whole = fs::read(file.path()).unwrap();
            let places =
                (0..whole.len()).filter(|at| at % 31 == 0 || *at < 100 || at + 10 > whole.len());
            for at in places {
                let mut bytes = whole.clone();
                bytes[at] ^= 1 << (at % 8);
                fs::write(file.path(), &bytes).unwrap();
                assert!(!is_sound(), "{at}");
                fs::write(file.path(), &whole[..at]).unwrap();
                assert!(!is_sound(), "{at}");
            }
            fs::write(file.path(), [&whole[..], b"x"].concat()).unwrap();
            assert!(!is_sound());
        }
        assert!(load(&oware).unwrap_err().to_string().contains("bytes instead of"));
    }

    #[test]
    fn checkpoints_of_others_are_not_taken() {
        let dir = tempfile::tempdir().unwrap();
        let (mine, (layer, bao)) = (saved(dir.path()), saved_bao(dir.path()));
        let copied = |mine: &CheckpointFile, file: CheckpointFile| {
            if file.path() != mine.path() {
                fs::copy(mine.path(), file.path()).unwrap();
            }
            file
        };
        for (rules, seeds, program, part) in [
            (&ABAPA, SEEDS, 2, "another build of this program"),
            (&ABAPA_EVEN, SEEDS, 1, "another layer"),
            (&ABAPA, Seeds::new(6).unwrap(), 1, "another layer"),
        ] {
            let file = CheckpointFile::new(dir.path(), rules, Layer::of(rules, seeds), program);
            let flaw = load(&copied(&mine, file)).unwrap_err().to_string();
            assert!(flaw.contains(part), "{flaw}");
        }
        for (layer, way, program, part) in [
            (layer, Way::Ordered, 2, "another build of this program"),
            (layer, Way::Anew, 1, "other memory"),
            (GeneralLayer::new(&BAO_LAPS, 5), Way::Ordered, 1, "another layer"),
        ] {
            let bytes = CONTENT.len() as u64;
            let file = CheckpointFile::of_other(dir.path(), &layer, way, bytes, program);
            let flaw = copied(&bao, file).resume(&layer, way).unwrap_err().to_string();
            assert!(flaw.contains(part), "{flaw}");
        }
        assert!(load(&mine).is_ok() && bao.resume(&layer, Way::Ordered).is_ok());
    }

    /// A checksum is no proof: anyone can make one.
    #[test]
    fn scores_that_a_layer_cannot_have_are_not_gone_on_from() {
        let dir = tempfile::tempdir().unwrap();
        let layer = GeneralLayer::new(&BAO_STORES, 5);
        let possible = |way, stage, bytes: &[u8]| {
            let file = saved_other(dir.path(), &layer, (way, stage), bytes);
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

//! Edits of a table file, chosen by bytes: the same bytes choose the same edits.

use oware_db::game::{Rules, Seeds};
use oware_db::layer::Layer;

use super::layout::{
    ENTRY, FIELDS, FRAME_CELLS, HEADER, PLANES, POSITIONS, Pieces, SEEDS, SHEET, TRAILER, mend, put,
};

/// Edits that one file may get; with more hardly any opens.
const MOST: usize = 4;

/// The longest that an edit makes a file or a tile that is not compressed.
const LONGEST: usize = 1 << 16;

/// The most tiles that an edit gives a file.
const MOST_FRAMES: usize = 4000;

/// Decisions, read off some bytes; 0 when they have run out.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    /// A number below `end`, which is at least 1.
    fn below(&mut self, end: usize) -> usize {
        let bytes = if end <= 1 << 8 { 1 } else { 3 };
        (0..bytes).fold(0, |number, _| number << 8 | usize::from(self.byte())) % end
    }

    fn one_of<T: Clone>(&mut self, many: &[T]) -> T {
        many[self.below(many.len())].clone()
    }

    /// Where an edit begins and ends, often in what is not a tile.
    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let region = match self.byte() % 8 {
            0 => 0..length.min(HEADER),
            1 => length.saturating_sub(TRAILER)..length,
            2 => length.saturating_sub(TRAILER + 3 * ENTRY)..length.saturating_sub(TRAILER),
            _ => 0..length,
        };
        let from = region.start + self.below(region.len().max(1));
        from..(from + self.below(64)).min(length)
    }

    /// A number that is likely to be the limit of something.
    fn extreme(&mut self, length: usize) -> u64 {
        let limits = [
            0,
            1,
            48,
            128,
            255,
            1 << 15,
            1 << 20,
            1 << 31,
            1 << 32,
            1 << 63,
            u64::MAX,
            length as u64,
        ];
        self.one_of(&limits).wrapping_add(u64::from(self.byte() % 3)).wrapping_sub(1)
    }

    fn file<'a>(&mut self, files: &'a [Vec<u8>]) -> &'a [u8] {
        &files[self.below(files.len())]
    }

    /// Does edits until the bytes have run out.
    fn repeat(&mut self, mut edit: impl FnMut(&mut Self)) {
        for _ in 0..MOST {
            if self.0.is_empty() {
                return;
            }
            edit(self);
        }
    }
}

/// A file with edits, some of them with bytes of `files`; checksums stay as they are.
pub fn damaged(file: &[u8], files: &[Vec<u8>], choices: &[u8]) -> Vec<u8> {
    let mut file = file.to_vec();
    Choices(choices).repeat(|choices| damage(&mut file, files, choices));
    file
}

/// One of `files` with edits of its pieces and then, maybe, of its bytes; every checksum is right.
pub fn forged(files: &[Vec<u8>], choices: &[u8]) -> Vec<u8> {
    let mut choices = Choices(choices);
    let mut pieces = Pieces::of(choices.file(files));
    let also_bytes = choices.byte() % 2 == 1;
    // Half of the choices are left for the bytes.
    let (first, second) =
        choices.0.split_at(if also_bytes { choices.0.len() / 2 } else { choices.0.len() });
    Choices(first).repeat(|choices| forge(&mut pieces, files, choices));
    let mut file = pieces.joined();
    Choices(second).repeat(|choices| damage(&mut file, files, choices));
    mend(&mut file);
    file
}

/// Changes some bytes of a file.
fn damage(file: &mut Vec<u8>, files: &[Vec<u8>], choices: &mut Choices) {
    let (kind, range) = (choices.byte() % 10, choices.range(file.len()));
    match kind {
        0 => {
            let bit = 1 << (choices.byte() % 8);
            file[range.start..].iter_mut().take(1).for_each(|byte| *byte ^= bit);
        }
        1 => file[range].fill(choices.byte()),
        2 => {
            let number = choices.extreme(file.len()).to_le_bytes();
            put(file, range.start, &number[..choices.one_of(&[1, 2, 4, 8])]);
        }
        3 => {
            let field = choices.one_of(&FIELDS);
            let number = choices.extreme(file.len()).to_le_bytes();
            put(file, field.start, &number[..field.len().min(8)]);
        }
        4 => file.truncate(choices.below(file.len() + 1)),
        5 => drop(file.drain(range)),
        6 if file.len() < LONGEST => {
            let again = file[range.clone()].to_vec();
            file.splice(range.start..range.start, again);
        }
        6 => file.truncate(range.end),
        7 => {
            let other = choices.file(files);
            let from =
                if choices.byte() % 2 == 1 { choices.below(other.len()) } else { range.start };
            let end = (from + range.len()).min(other.len());
            put(file, range.start, &other[from.min(end)..end]);
        }
        8 => {
            let to = choices.below(file.len().saturating_sub(range.len()).max(1));
            let (one, other) = (file[range.clone()].to_vec(), file[to..to + range.len()].to_vec());
            put(file, range.start, &other);
            put(file, to, &one);
        }
        _ => {
            let more = choices.below(2 * HEADER);
            file.resize(file.len() + more, choices.byte());
        }
    }
}

/// Changes a header, a preface, exceptions or a frame.
fn forge(pieces: &mut Pieces, files: &[Vec<u8>], choices: &mut Choices) {
    let kind = choices.byte() % 14;
    let at = choices.below(pieces.frames.len().max(1));
    match kind {
        0 => {
            let field = choices.one_of(&FIELDS);
            let number = choices.extreme(HEADER).to_le_bytes();
            put(&mut pieces.header, field.start, &number[..field.len().min(8)]);
        }
        1 | 2 => reshape(pieces, files, choices),
        3 => pieces.frames.insert(at, frame(choices)),
        10 => {
            let place = choices.below(pieces.preface.len().max(1));
            put(&mut pieces.preface, place, &[choices.byte()]);
        }
        11 => pieces.preface = repacked(&pieces.preface, choices),
        12 => {
            let place = choices.below(pieces.exceptions.len().max(1));
            put(&mut pieces.exceptions, place, &[choices.byte()]);
        }
        13 => pieces.exceptions = repacked(&pieces.exceptions, choices),
        _ if pieces.frames.is_empty() => {}
        4 => drop(pieces.frames.remove(at)),
        5 => {
            let other = choices.below(pieces.frames.len());
            pieces.frames.swap(at, other);
        }
        6 => pieces.frames[at] = frame(choices),
        7 => {
            let other = Pieces::of(choices.file(files)).frames;
            pieces.frames[at] = choices.one_of(&other);
        }
        8 => pieces.frames[at] = repacked(&pieces.frames[at], choices),
        _ => {
            let frame = &mut pieces.frames[at];
            let place = choices.below(frame.len().max(1));
            put(frame, place, &[choices.byte()]);
        }
    }
}

/// Makes the file one of another layer or sheet, or of frames of another size, with the preface
/// of some file.
fn reshape(pieces: &mut Pieces, files: &[Vec<u8>], choices: &mut Choices) {
    let header = &mut pieces.header;
    put(header, SHEET.start, &choices.file(files)[SHEET]);
    header[SEEDS] = match choices.byte() {
        any if any < 64 => any % 49,
        few => few % 8,
    };
    header[PLANES] = 1 + choices.byte() % 2;
    let has_strategy = choices.byte().is_multiple_of(2);
    let id = header[SHEET.start..].split(|&byte| byte == 0).next().unwrap_or_default();
    let rules =
        std::str::from_utf8(id).ok().and_then(Rules::by_id).expect("the sheet of an honest file");
    let positions =
        Layer::of(rules, Seeds::new(header[SEEDS].into()).expect("48 at most")).positions();
    let size = match choices.byte() % 4 {
        0 => (1 << 10) + choices.below(1 << 10) as u64,
        1 => 1 << 16,
        2 => positions.clamp(1, 1 << 13),
        _ => 1 << (choices.byte() % 18),
    };
    put(header, POSITIONS.start, &positions.to_le_bytes());
    put(header, FRAME_CELLS.start, &(size as u32).to_le_bytes());
    let other = Pieces::of(choices.file(files));
    pieces.preface = other.preface;
    pieces.exceptions = if has_strategy { other.exceptions } else { Vec::new() };
    let (count, one) = (choices.below(MOST_FRAMES), frame(choices));
    pieces.frames = vec![one; count];
}

/// What is compressed, changed in some places and compressed again: an honest frame of something
/// that no builder writes.
fn repacked(frame: &[u8], choices: &mut Choices) -> Vec<u8> {
    let mut bytes = zstd::decode_all(frame).unwrap_or_default();
    for _ in 0..=choices.byte() % 4 {
        let place = choices.below(bytes.len().max(1));
        put(&mut bytes, place, &[choices.byte()]);
    }
    compressed(&bytes)
}

/// A frame that is no honest one's: nothing at all, one that is much larger than it looks, or
/// anything.
fn frame(choices: &mut Choices) -> Vec<u8> {
    let (byte, length) = (choices.byte(), choices.below(1 << 12));
    match choices.byte() % 4 {
        0 => Vec::new(),
        1 => compressed(&vec![byte; length << 9]),
        2 => compressed(&vec![byte % 8; length]),
        _ => vec![byte; length],
    }
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(bytes, 1).expect("there is memory")
}

//! What a table holds of a strategy of default moves, as bytes: the exceptions.
//!
//! ```text
//!   count    u64
//!   houses   a byte each, 0 to 5
//!   gaps     for each by how much its rank is more than the one before, the first than 0:
//!              seven bits a byte, lowest first; the high bit says that more follow
//! ```
//!
//! All of it is one [section](super::section).

use std::io::{self, Read};

use super::Flaw;
use super::section::{no_memory, pack, unpack};
use crate::game::House;
use crate::layer::{Exception, Exceptions, Layer, Rank};

/// Bytes of a gap at most: what no layer's ranks need more than.
const GAP: usize = 6;

/// Encodes exceptions.
pub(super) fn encode(exceptions: &Exceptions, level: i32) -> io::Result<Vec<u8>> {
    let mut raw = (exceptions.len() as u64).to_le_bytes().to_vec();
    raw.extend(exceptions.iter().map(|found| found.house.index() as u8));
    let mut before = 0;
    for found in exceptions.iter() {
        put(found.rank.0 - before, &mut raw);
        before = found.rank.0;
    }
    pack(&raw, level)
}

fn put(mut gap: u64, raw: &mut Vec<u8>) {
    while gap > 0x7f {
        raw.push(gap as u8 | 0x80);
        gap >>= 7;
    }
    raw.push(gap as u8);
}

/// Bytes of a section in which its first block, and so the count, ends.
pub(super) const BEGINNING: usize = 1 << 18;

/// Returns how many exceptions there are by the beginning of their section, all of it or
/// [`BEGINNING`].
pub(super) fn count(beginning: &[u8], layer: Layer) -> Result<u64, Flaw> {
    let mut count = [0; 8];
    let frame = zstd::stream::read::Decoder::with_buffer(beginning);
    frame
        .and_then(|mut frame| frame.read_exact(&mut count))
        .map_err(|_| Flaw::new("its exceptions cannot be decompressed"))?;
    match u64::from_le_bytes(count) {
        count if count > layer.positions() => Err(Flaw::new("it has too many exceptions")),
        count => Ok(count),
    }
}

/// Decodes the exceptions of a layer, and proves that they could be some.
pub(super) fn decode(bytes: &[u8], layer: Layer) -> Result<Exceptions, Flaw> {
    let raw = unpack(bytes, "exceptions")?;
    let cut_off = || Flaw::new("its exceptions are cut off");
    let (count, rest) = raw.split_first_chunk::<8>().ok_or_else(cut_off)?;
    let count = usize::try_from(u64::from_le_bytes(*count)).map_err(|_| cut_off())?;
    let (houses, mut gaps) = rest.split_at_checked(count).ok_or_else(cut_off)?;
    let mut all = Exceptions::with_room(count).map_err(no_memory)?;
    let mut next = 0u64;
    for (at, &house) in houses.iter().enumerate() {
        let gap = take(&mut gaps).ok_or_else(cut_off)?;
        let rank = next + gap;
        if rank >= layer.positions() || at > 0 && gap == 0 {
            return Err(Flaw::new("its exceptions are not positions of the layer in order"));
        }
        let house =
            House::new(house.into()).ok_or_else(|| Flaw::new("an exception has no house"))?;
        all.push(Exception { rank: Rank(rank), house });
        next = rank;
    }
    if !gaps.is_empty() {
        return Err(Flaw::new("its exceptions are followed by something else"));
    }
    Ok(all)
}

/// The gap that `gaps` begin with, written as we would have written it.
fn take(gaps: &mut &[u8]) -> Option<u64> {
    let mut gap = 0;
    for at in 0..GAP {
        let &byte = gaps.split_off_first()?;
        gap |= u64::from(byte & 0x7f) << (7 * at);
        if byte < 0x80 {
            return (at == 0 || byte > 0).then_some(gap);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{AWARI, Seeds};

    fn layer() -> Layer {
        Layer::of(&AWARI, Seeds::new(12).unwrap())
    }

    fn exceptions(ranks: &[u64]) -> Exceptions {
        let one = |&rank: &u64| {
            let house = House::ALL[rank as usize % House::ALL.len()];
            Exception { rank: Rank(rank), house }
        };
        Exceptions::new(ranks.iter().map(one))
    }

    fn what(raw: &[u8]) -> String {
        match decode(&pack(raw, 3).unwrap(), layer()) {
            Err(Flaw::Corrupt(what)) => what,
            found => panic!("{found:?}"),
        }
    }

    #[test]
    fn exceptions_come_back() {
        let last = layer().positions() - 1;
        for ranks in [&[][..], &[0], &[last], &[0, 1, 2, 128, 129, 300_000, last]] {
            let written = exceptions(ranks);
            let bytes = encode(&written, 3).unwrap();
            assert_eq!(decode(&bytes, layer()).unwrap(), written);
            assert!((0..bytes.len()).all(|end| decode(&bytes[..end], layer()).is_err()));
        }
    }

    #[test]
    fn exceptions_are_counted_by_the_beginning_of_their_section() {
        let most = layer().positions();
        for step in [most, 1000, 3] {
            let ranks: Vec<u64> = (0..most).step_by(step as usize).collect();
            let bytes = encode(&exceptions(&ranks), 1).unwrap();
            let beginning = &bytes[..bytes.len().min(BEGINNING)];
            assert_eq!(count(beginning, layer()).unwrap(), ranks.len() as u64);
        }
        let counted = |raw: &[u8]| count(&pack(raw, 3).unwrap(), layer());
        assert!(counted(&(most + 1).to_le_bytes()).is_err() && counted(&[1, 2, 3]).is_err());
        assert!(count(b"no frame", layer()).is_err());
    }

    #[test]
    fn lies_are_named() {
        let with = |count: u64, rest: &[u8]| [&count.to_le_bytes()[..], rest].concat();
        for (raw, part) in [
            (with(0, &[0]), "followed by something else"),
            (with(1, &[6, 1]), "no house"),
            (with(1, &[5]), "cut off"),
            (with(1, &[5, 0x80]), "cut off"),
            (with(1, &[5, 0x80, 0]), "cut off"),
            (with(2, &[5, 5, 7, 0]), "in order"),
            (with(1, &[5, 0xff, 0xff, 0xff, 0x7f]), "in order"),
            (with(u64::MAX, &[5, 1]), "cut off"),
            (vec![1, 2, 3], "cut off"),
        ] {
            let what = what(&raw);
            assert!(what.contains(part), "{raw:?}: {what}");
        }
        let what = decode(b"nothing of the kind", layer()).unwrap_err();
        let Flaw::Corrupt(what) = what else { panic!("{what:?}") };
        assert!(what.contains("decompressed"), "{what}");
    }
}

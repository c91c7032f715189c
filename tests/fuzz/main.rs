//! Bytes and texts of any kind: what the fuzzer does without end (`fuzz/`), for a few seconds.
//!
//! Choices are drawn with a fixed seed, so that every run is the same one; what fails is made as
//! small as possible and printed. `OWARE_FUZZ=1000000 cargo test --release --test fuzz` runs so
//! many cases.

mod edits;
mod files;
mod layout;
mod memory;
mod positions;
mod protocol;
mod records;
mod tables;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::sync::{Arc, LazyLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use oware_db::error::Error;
use oware_db::layer::{Layer, Rank};
use oware_db::probe::{Prober, Tables};
use oware_db::table::{self, FarShelf, Fetch, Fetched, Table};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{RngSeed, TestRunner};

use edits::{damaged, forged};
use layout::{HEADER, Pieces, TRAILER, mend, put};
use tables::{Outcome, examine, notice};

static HONEST: LazyLock<Vec<Vec<u8>>> = LazyLock::new(files::honest);

/// Memory is counted for the whole process, so nothing else runs beside a test that looks at it.
static ALONE: RwLock<()> = RwLock::new(());

fn alone() -> RwLockWriteGuard<'static, ()> {
    ALONE.write().unwrap_or_else(PoisonError::into_inner)
}

/// Tests that do not look at memory run beside each other.
fn with_others() -> RwLockReadGuard<'static, ()> {
    ALONE.read().unwrap_or_else(PoisonError::into_inner)
}

/// The same cases each time, so many unless the environment wants another number.
fn runner(cases: u32) -> TestRunner {
    let cases = std::env::var("OWARE_FUZZ")
        .map_or(cases, |number| number.parse().expect("a number of cases"));
    let rng_seed = RngSeed::Fixed(48);
    TestRunner::new(ProptestConfig {
        cases,
        rng_seed,
        failure_persistence: None,
        ..ProptestConfig::default()
    })
}

fn choices() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..40)
}

#[test]
fn honest_files_are_sound() {
    let _others = with_others();
    for file in HONEST.iter() {
        assert_eq!(examine(file.clone()), Outcome::Sound);
        assert_eq!(&Pieces::of(file).joined(), file);
        let mut mended = file.clone();
        mended[HEADER - 8..HEADER].fill(0);
        mend(&mut mended);
        assert_eq!(&mended, file);
    }
}

#[test]
fn every_byte_matters() {
    let _others = with_others();
    for file in HONEST.iter().filter(|file| file.len() < 700) {
        let honest = Table::from_bytes(file.clone()).unwrap();
        for at in 0..file.len() {
            for change in [1, 0xff] {
                let mut damaged = file.clone();
                damaged[at] ^= change;
                notice(damaged, &honest);
            }
        }
    }
}

/// Opening does not bind the header to the rest, so some of these open; verifying does.
#[test]
fn a_header_of_another_file_is_noticed() {
    let _others = with_others();
    for (header, rest) in
        HONEST.iter().flat_map(|header| HONEST.iter().map(move |rest| (header, rest)))
    {
        let file = [&header[..HEADER], &rest[HEADER..]].concat();
        assert!(HONEST.contains(&file) || examine(file) != Outcome::Sound);
    }
}

/// How many cases had which outcome.
#[derive(Debug, Default)]
struct Counts(RefCell<BTreeMap<Outcome, u32>>);

impl Counts {
    fn enter(&self, outcome: Outcome) {
        *self.0.borrow_mut().entry(outcome).or_insert(0) += 1;
    }

    /// Whether at least one case of a hundred had each of these outcomes.
    fn has(&self, outcomes: &[Outcome]) -> bool {
        let counts = self.0.borrow();
        let all: u32 = counts.values().sum();
        outcomes.iter().all(|outcome| counts.get(outcome).is_some_and(|&count| count > all / 100))
    }
}

#[test]
fn damage_is_noticed() {
    let _others = with_others();
    let honest: Vec<Table> =
        HONEST.iter().map(|file| Table::from_bytes(file.clone()).unwrap()).collect();
    let counts = Counts::default();
    let run = runner(100_000).run(&(any::<Index>(), choices()), |(file, choices)| {
        let file = file.index(HONEST.len());
        let damaged = damaged(&HONEST[file], &HONEST, &choices);
        if !HONEST.contains(&damaged) {
            counts.enter(notice(damaged, &honest[file]));
        }
        Ok(())
    });
    run.unwrap_or_else(|failure| panic!("{failure}"));
    assert!(counts.has(&[Outcome::Refused, Outcome::Flawed]), "{counts:?}");
}

#[test]
fn forgeries_say_what_a_layer_could() {
    let _others = with_others();
    let counts = Counts::default();
    let run = runner(12_000).run(&choices(), |choices| {
        counts.enter(examine(forged(&HONEST, &choices)));
        Ok(())
    });
    run.unwrap_or_else(|failure| panic!("{failure}"));
    assert!(counts.has(&[Outcome::Refused, Outcome::Flawed, Outcome::Sound]), "{counts:?}");
}

/// Any bytes as exceptions: as a frame, and as what a frame holds.
#[test]
fn exceptions_are_those_of_a_layer() {
    let _others = with_others();
    let counts = Counts::default();
    let pieces: Vec<Pieces> = HONEST
        .iter()
        .map(|file| Pieces::of(file))
        .filter(|pieces| !pieces.exceptions.is_empty())
        .collect();
    let raw = prop_oneof![
        vec(any::<u8>(), 0..60),
        // As many as are counted, one after the other.
        (0..6_u8, 1..20_usize).prop_map(|(house, count)| {
            [&(count as u64).to_le_bytes()[..], &vec![house; count], &vec![1; count]].concat()
        })
    ];
    let cases = (any::<Index>(), any::<bool>(), raw);
    let run = runner(12_000).run(&cases, |(file, is_packed, bytes)| {
        let exceptions =
            if is_packed { bytes } else { zstd::bulk::compress(&bytes, 1).expect("memory") };
        let honest = &pieces[file.index(pieces.len())];
        counts.enter(examine(honest.with_exceptions(exceptions).joined()));
        Ok(())
    });
    run.unwrap_or_else(|failure| panic!("{failure}"));
    assert!(counts.has(&[Outcome::Flawed, Outcome::Sound]), "{counts:?}");
}

/// A frame of some kilobytes may claim gigabytes: 37 KB of exceptions came to ten.
#[test]
fn exceptions_take_memory_in_proportion_to_their_bytes() {
    let _alone = alone();
    let mut honest = HONEST.iter().map(|file| Pieces::of(file));
    let honest = honest.rfind(|pieces| !pieces.exceptions.is_empty()).expect("a strategy");
    let mut refused = 0;
    for count in [1_000, 1_000_000, 50_000_000u64] {
        let claimed =
            [&count.to_le_bytes()[..], &vec![0; count as usize], &vec![1; count as usize]];
        let bomb = zstd::bulk::compress(&claimed.concat(), 19).expect("memory");
        let length = bomb.len();
        let table = Table::from_bytes(honest.with_exceptions(bomb).joined()).expect("it opens");
        let before = memory::asked_for();
        refused += u32::from(table.exceptions().is_err());
        let allocated = memory::asked_for() - before;
        assert!(allocated <= 200 * length + (1 << 20), "{allocated} bytes for {length}");
    }
    assert_eq!(refused, 3);
}

/// A header may claim the largest layer there is. What opening allocates follows from the length of
/// the file: a copy of the directory, and a message. The preface may be larger than it looks, but
/// no larger than a model of 94 letters and 256 classes, and what is made of it.
#[test]
fn opening_takes_no_more_memory_than_the_file() {
    let _alone = alone();
    let run = runner(20_000).run(&choices(), |choices| {
        let file = forged(&HONEST, &choices);
        let (length, before) = (file.len(), memory::asked_for());
        drop(Table::from_bytes(file));
        let allocated = memory::asked_for() - before;
        assert!(
            allocated <= 2 * length + (1 << 22),
            "{allocated} bytes allocated for a file of {length}"
        );
        Ok(())
    });
    run.unwrap_or_else(|failure| panic!("{failure}"));
}

/// A host may claim any length, in its list of files as in a file. What is read from far away takes
/// memory as bytes come.
#[test]
fn files_far_away_take_memory_in_proportion_to_their_bytes() {
    let _alone = alone();
    let counts = Counts::default();
    let hole = prop_oneof![Just(0), Just(1 << 62)];
    let run = runner(3_000).run(&(any::<Index>(), choices(), hole), |(honest, choices, hole)| {
        let honest = honest.get(&HONEST);
        let layer = Table::from_bytes(honest.clone()).expect("it opens");
        let (rules, seeds) = (layer.rules(), layer.seeds());
        let host = Host::new(forged(std::slice::from_ref(honest), &choices), hole);
        let (length, before) = (host.file.len(), memory::asked_for());
        let listed = length as u64 + host.hole;
        let shelf = FarShelf::new(host);
        shelf.note(table::file_name(rules, seeds), listed);
        let tables = Tables::on_shelf("far away", Arc::new(shelf));
        let board = Layer::of(rules, seeds).position(Rank(0)).expect("there is one");
        let found = tables.require(rules, seeds).and_then(|table| {
            table.exceptions()?;
            Prober::new(&tables, rules).interval(&board)
        });
        // Captures lead into layers that are not there.
        let is_sound = matches!(found, Ok(_) | Err(Error::MissingTable { .. }));
        counts.enter(if is_sound { Outcome::Sound } else { Outcome::Refused });
        let allocated = memory::asked_for() - before;
        assert!(allocated <= 300 * length + (64 << 20), "{allocated} bytes for {length}");
        Ok(())
    });
    run.unwrap_or_else(|failure| panic!("{failure}"));
    assert!(counts.has(&[Outcome::Refused, Outcome::Sound]), "{counts:?}");
}

/// Sends a file in which there is a hole before the directory.
struct Host {
    file: Vec<u8>,
    directory: usize,
    hole: u64,
}

impl Host {
    fn new(mut file: Vec<u8>, hole: u64) -> Host {
        let trailer = file.len().saturating_sub(TRAILER);
        let directory = match file.get(trailer..trailer + 8) {
            Some(bytes) => u64::from_le_bytes(bytes.try_into().expect("eight bytes")),
            None => 0,
        };
        put(&mut file, trailer, &directory.wrapping_add(hole).to_le_bytes());
        Host { directory: trailer.min(directory as usize), file, hole }
    }
}

impl Fetch for Host {
    fn fetch(&self, _: &str, range: Range<u64>) -> io::Result<Fetched> {
        let behind = self.directory as u64 + self.hole;
        let byte = |at: u64| match at {
            _ if at < self.directory as u64 => self.file.get(at as usize).copied(),
            _ if at < behind => Some(0),
            _ => self.file.get((at - self.hole) as usize).copied(),
        };
        let count = if range.end - range.start > MOST_SENT { 0 } else { usize::MAX };
        Ok(Fetched::Part(range.map_while(byte).take(count).collect()))
    }
}

/// Bytes that a host sends at once at most. Of more it sends none.
const MOST_SENT: u64 = 1 << 20;

/// A position, with some characters changed.
fn text() -> impl Strategy<Value = String> {
    let forms = [
        "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
        "1-0-0-0-0-0-0-0-0-0-0-2-20-25-n",
        "0 | 20 25 | 1 0 0 0 0 0 0 0 0 0 0 2",
        "1|0 0|4 4 4 4 4 4 4 4 4 4 4 4",
        "0 0 0 0 1 2 / 1 0 0 0 3 0",
        "48,0,0,0,0,0,0,0,0,0,0,0",
    ];
    let letters: Vec<char> = "0123456789 ,-/|SsNn+\t\n½é\u{2003}\u{660}".chars().collect();
    let letter = prop_oneof![4 => proptest::sample::select(letters), 1 => any::<char>()];
    let edits = vec((any::<Index>(), proptest::option::of(letter)), 0..5);
    (proptest::sample::select(forms.to_vec()), edits).prop_map(|(form, edits)| {
        let mut text: Vec<char> = form.chars().collect();
        for (at, letter) in edits {
            let at = at.index(text.len());
            match letter {
                Some(letter) => text[at] = letter,
                None => drop(text.remove(at)),
            }
        }
        text.into_iter().collect()
    })
}

#[test]
fn positions_come_back_in_every_form() {
    let _others = with_others();
    let read = RefCell::new([0; 2]);
    let run = runner(100_000).run(&text(), |text| {
        read.borrow_mut()[usize::from(positions::round_trip(&text))] += 1;
        Ok(())
    });
    run.unwrap_or_else(|failure| panic!("{failure}"));
    assert!(read.borrow().iter().all(|&times| times > 1_000), "{read:?}");
}

/// A line of the engines' protocol, with some words changed, doubled or left out, and some letters.
fn line() -> impl Strategy<Value = String> {
    let lines = [
        "uci",
        "isready",
        "setoption name Tables Path value /some where/else",
        "position startpos moves FfBe",
        "position fen 1-0-0-0-0-0-0-0-0-0-0-2-20-25-N moves b A",
        "go depth 8 movetime 100 nodes 5 infinite",
        "id name engine 1.0",
        "option name Hash type spin default 64 min 1 max 64",
        "option name Rules type combo default a var a var b",
        "info depth 9 score cp -150 nodes 77 time 3 tbhits 2 pv A b string that was it",
        "bestmove F ponder a",
        "uciok",
        "readyok",
        "stop",
    ];
    let word =
        proptest::sample::select(lines.iter().flat_map(|line| line.split(' ')).collect::<Vec<_>>());
    let letter = prop_oneof![
        any::<char>().prop_map(|c| c.to_string()),
        Just(" ".to_owned()),
        Just("-".to_owned())
    ];
    let piece = prop_oneof![4 => word.prop_map(|word| format!(" {word} ")), 1 => letter];
    (proptest::sample::select(lines.to_vec()), vec((any::<Index>(), any::<bool>(), piece), 0..5))
        .prop_map(|(line, edits)| {
            let mut words: Vec<String> = line.split_inclusive(' ').map(str::to_owned).collect();
            for (at, replaces, piece) in edits {
                let at = at.index(words.len());
                if replaces {
                    words[at] = piece;
                } else {
                    words.insert(at, piece);
                }
            }
            words.concat()
        })
}

#[test]
fn lines_of_the_protocol_come_back() {
    let _others = with_others();
    let read = RefCell::new([0; 2]);
    let run = runner(100_000).run(&line(), |line| {
        read.borrow_mut()[usize::from(protocol::exchange(&line))] += 1;
        Ok(())
    });
    run.unwrap_or_else(|failure| panic!("{failure}"));
    assert!(read.borrow().iter().all(|&times| times > 1_000), "{read:?}");
}

#[test]
fn any_text_is_a_line() {
    let _others = with_others();
    let run = runner(20_000).run(&any::<String>(), |line| {
        protocol::exchange(&line);
        Ok(())
    });
    run.unwrap_or_else(|failure| panic!("{failure}"));
}

/// Games, with some pieces changed, dropped or put in, and any bytes.
fn games() -> impl Strategy<Value = Vec<u8>> {
    let pieces = [
        "[Event \"x\"]",
        "[FEN \"0-0-0-0-1-2-1-0-0-0-3-0-20-21-N\"]",
        "[",
        "]",
        "\"",
        "\n",
        "\n\n",
        "\r\n",
        " ",
        "1.",
        "2...",
        "A",
        "a",
        "Ff",
        "G",
        "{",
        "}",
        "{a comment}",
        "(",
        ")",
        "; rest\n",
        "#",
        "%",
        "$1",
        "!?",
        "*",
        "1-0",
        "25-23",
        "½-½",
        "moves",
        " moves ",
        "0 0 0 0 1 2 1 0 0 0 3 0 moves Ea\n",
        "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
        "\\",
        "\u{2003}",
    ];
    let piece = prop_oneof![
        12 => proptest::sample::select(pieces.to_vec()).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => vec(any::<u8>(), 0..4),
    ];
    vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

#[test]
fn records_come_back_as_they_were_read() {
    let _others = with_others();
    let seen = RefCell::new([0; 2]);
    let run = runner(40_000).run(&games(), |text| {
        let found = records::examine(&text);
        found
            .into_iter()
            .zip(seen.borrow_mut().iter_mut())
            .for_each(|(found, times)| *times += u32::from(found));
        Ok(())
    });
    run.unwrap_or_else(|failure| panic!("{failure}"));
    assert!(seen.borrow().iter().all(|&times| times > 4_000), "{seen:?}");
}

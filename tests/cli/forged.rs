//! Forged files under every command: all checksums are right, and what they say is not.
//!
//! A command has to end by itself, within 5 seconds and 1 GB of addresses, without a panic. What
//! `check --proof` passes says the same as the honest table. So with checkpoints, manifests and weights.
//! `OWARE_FUZZ=20000 cargo test --release --test
//! cli -- forged` tries so many.

#[path = "../fuzz/edits.rs"]
#[allow(dead_code)]
mod edits;
#[path = "../fuzz/layout.rs"]
#[allow(dead_code)]
mod layout;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

use assert_cmd::cargo::cargo_bin;
use oware_db::random::Dice;
use rayon::prelude::*;
use tempfile::TempDir;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use super::tables::built;
use layout::Pieces;

/// How many forgeries are tried.
fn cases(usual: u64) -> u64 {
    std::env::var("OWARE_FUZZ").map_or(usual, |number| number.parse().expect("a number of cases"))
}

/// Runs the command under the limits, and fails if it does not end by itself.
#[track_caller]
fn ended(words: &str, dir: &Path, case: u64) -> Output {
    let words = words.replace("DIR", &dir.display().to_string());
    let program = cargo_bin("oware");
    let line = format!("ulimit -v 1000000; exec timeout 5 {} {words}", program.display());
    let output = Command::new("sh").arg("-c").arg(line).output().expect("a shell");
    let said = String::from_utf8_lossy(&output.stderr);
    let code = output.status.code();
    assert!(matches!(code, Some(0..=2)), "case {case}: {words}: {code:?} {said}");
    assert!(!said.contains("panicked"), "case {case}: {words}: {said}");
    output
}

/// A copy of tables with one of them replaced.
fn with(honest: &TempDir, name: &str, forged: &[u8]) -> TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    for entry in fs::read_dir(honest.path()).expect("tables").flatten() {
        fs::copy(entry.path(), dir.path().join(entry.file_name())).expect("copies");
    }
    fs::write(dir.path().join(name), forged).expect("writes");
    dir
}

/// What a layer's scores are, as text.
fn scores(dir: &Path, rules: &str, seeds: usize, case: u64) -> Vec<u8> {
    let words =
        format!("export --format csv --rules {rules} --seeds {seeds} --tables DIR --out DIR/out");
    ended(&words, dir, case);
    let files = fs::read_dir(dir.join("out")).into_iter().flatten().flatten();
    let mut paths: Vec<_> = files.map(|entry| entry.path()).collect();
    paths.sort();
    paths.iter().flat_map(|path| fs::read(path).expect("a file")).collect()
}

/// Tries forgeries of a table under the commands that read it. Returns how many `check` has passed and
/// how many the proof.
fn try_all(
    honest: &TempDir,
    (rules, seeds, name): (&str, usize, &str),
    position: &str,
    usual: u64,
    forge: impl Fn(u64) -> Vec<u8> + Sync,
) -> [usize; 2] {
    let whole = fs::read(honest.path().join(name)).expect("a table");
    let right = scores(with(honest, name, &whole).path(), rules, seeds, u64::MAX);
    let (checked, proved) = (AtomicUsize::new(0), AtomicUsize::new(0));
    (0..cases(usual)).into_par_iter().for_each(|case| {
        let dir = with(honest, name, &forge(case));
        let dir = dir.path();
        let check = ended(&format!("check --rules {rules} --tables DIR"), dir, case);
        ended(&format!("query --rules {rules} --tables DIR \"{position}\""), dir, case);
        ended(&format!("stats --rules {rules} --tables DIR"), dir, case);
        let found = scores(dir, rules, seeds, case);
        if check.status.success() {
            checked.fetch_add(1, Ordering::Relaxed);
            let proof = ended(&format!("check --proof --rules {rules} --tables DIR"), dir, case);
            if proof.status.success() {
                proved.fetch_add(1, Ordering::Relaxed);
                assert!(found == right, "case {case}: other scores pass the proof");
            }
        }
    });
    [checked.into_inner(), proved.into_inner()]
}

/// Bytes that choose edits, the same for the same case.
fn choices(case: u64) -> Vec<u8> {
    let mut dice = Dice::new(case);
    let count = dice.number() % 40;
    (0..count).map(|_| dice.number() as u8).collect()
}

#[test]
fn forged_tables_of_oware_end_no_command() {
    let honest = built("abapa", 6);
    let read = |seeds: usize| {
        fs::read(honest.path().join(format!("abapa-0{seeds}.oware"))).expect("a table")
    };
    let files: Vec<Vec<u8>> = (0..=6).map(read).collect();
    let forge = |case| edits::forged(&files, &choices(case));
    let position = "0 0 0 1 0 1  1 0 0 1 0 1";
    try_all(&honest, ("abapa", 5, "abapa-05.oware"), position, 120, forge);
}

/// The frames hold other scores, and nothing else is wrong: the worst forgery there is.
#[test]
fn other_scores_with_right_checksums_do_not_pass_the_proof() {
    let honest = built("abapa", 6);
    let whole = fs::read(honest.path().join("abapa-05.oware")).expect("a table");
    let forge = |case: u64| {
        let (mut pieces, mut dice) = (Pieces::of(&whole), Dice::new(case));
        for frame in &mut pieces.frames {
            let mut parts = zstd::decode_all(&frame[..]).expect("a frame");
            for _ in 0..=dice.number() % 3 {
                let at = dice.number() as usize % parts.len();
                parts[at] ^= 1 << (dice.number() % 8);
            }
            *frame = zstd::bulk::compress(&parts, 1).expect("memory");
        }
        pieces.joined()
    };
    let position = "0 0 0 1 0 1  1 0 0 1 0 1";
    try_all(&honest, ("abapa", 5, "abapa-05.oware"), position, 60, forge);
}

/// A directory with layers to 8 and a checkpoint of the next one, which a killed build has left.
fn stopped() -> TempDir {
    let (below, name) = (built("abapa", 8), "abapa-09.oware");
    loop {
        let dir = with(&below, "SHA256SUMS", b"");
        let words = ["build", "--quiet", "--seeds", "9", "--checkpoint-seconds", "0", "--out"];
        let mut build = Command::new(cargo_bin("oware"));
        let mut build = build.args(words).arg(dir.path()).spawn().expect("starts");
        let checkpoint = dir.path().join(CHECKPOINT);
        while !checkpoint.exists() && build.try_wait().expect("lives").is_none() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        build.kill().expect("kills");
        build.wait().expect("ends");
        if checkpoint.exists() && !dir.path().join(name).exists() {
            return dir;
        }
    }
}

const CHECKPOINT: &str = "abapa-09.oware.checkpoint";
/// Bytes of a checkpoint before the scores.
const BEFORE_SCORES: usize = 71;

/// A checkpoint with other scores, or other bytes anywhere, and the right checksum.
fn forged_checkpoint(whole: &[u8], case: u64) -> Vec<u8> {
    let (mut dice, mut file) = (Dice::new(case), whole[..whole.len() - 8].to_vec());
    let from = if dice.number().is_multiple_of(4) { 0 } else { BEFORE_SCORES };
    for _ in 0..1 << (dice.number() % 12) {
        let at = from + dice.number() as usize % (file.len() - from);
        file[at] = match dice.number() % 4 {
            0 => dice.number() as u8,
            1 => [0x80, 0x7f, 0xff, 0][dice.number() as usize % 4],
            _ => (dice.number() % 21) as u8 - 10,
        };
    }
    let sum = xxh3_64(&file);
    file.extend(sum.to_le_bytes());
    file
}

/// Scores of a checkpoint are proved like those of a sweep: a build that goes on from other ones ends
/// with the same table, or says that it is not proved.
#[test]
fn forged_checkpoints_make_no_other_table() {
    let stopped = stopped();
    let whole = fs::read(stopped.path().join(CHECKPOINT)).expect("a checkpoint");
    let right = fs::read(built("abapa", 9).path().join("abapa-09.oware")).expect("a table");
    let (same, refused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    (0..cases(25)).into_par_iter().for_each(|case| {
        let dir = with(&stopped, CHECKPOINT, &forged_checkpoint(&whole, case));
        let build = ended("build --quiet --seeds 9 --threads 1 --out DIR", dir.path(), case);
        if build.status.success() {
            let table = fs::read(dir.path().join("abapa-09.oware")).expect("a table");
            assert!(table == right, "case {case}: another table");
            same.fetch_add(1, Ordering::Relaxed);
        } else {
            assert!(!build.stderr.is_empty(), "case {case}: no sentence");
            refused.fetch_add(1, Ordering::Relaxed);
        }
    });
    assert!(same.into_inner() > 0, "{refused:?} refused");
}

#[test]
fn forged_manifests_end_no_check() {
    let honest = built("abapa", 4);
    ended("check --write-manifest --tables DIR", honest.path(), u64::MAX);
    let whole = fs::read(honest.path().join("SHA256SUMS")).expect("a manifest");
    let passed = |case: u64| {
        let (mut dice, mut file) = (Dice::new(case), whole.clone());
        for _ in 0..dice.number() % 6 {
            let at = dice.number() as usize % file.len();
            match dice.number() % 4 {
                0 => file[at] = dice.number() as u8,
                1 => file.truncate(at.max(1)),
                2 => file.extend_from_within(at..),
                _ => drop(file.splice(at..at, *b"../../etc/passwd\n")),
            }
        }
        let dir = with(&honest, "SHA256SUMS", &file);
        let check = ended("check --manifest --tables DIR", dir.path(), case).status.success();
        assert!(!check || file == whole || is_a_part(&file, &whole), "case {case}");
        usize::from(check)
    };
    assert!((0..cases(100)).into_par_iter().map(passed).sum::<usize>() > 0);
}

/// Whether every line of a manifest is one of another.
fn is_a_part(manifest: &[u8], whole: &[u8]) -> bool {
    let whole: Vec<&[u8]> = whole.split(|&byte| byte == b'\n').collect();
    manifest.split(|&byte| byte == b'\n').all(|line| whole.contains(&line.trim_ascii_end()))
}

/// The engine plays a legal move whatever weights it is given, and says so if it does not take them.
#[test]
fn forged_weights_end_no_engine() {
    let whole: &[u8] = include_bytes!("../../src/engine/search/evaluation.bin");
    let fnv = |bytes: &[u8]| {
        let step = |sum: u64, &byte: &u8| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
    };
    assert_eq!(whole[whole.len() - 8..], fnv(&whole[..whole.len() - 8]).to_le_bytes());
    let taken = |case: u64| {
        let (mut dice, mut file) = (Dice::new(case), whole[..whole.len() - 8].to_vec());
        let from = if dice.number().is_multiple_of(4) { 0 } else { 16 };
        for _ in 0..1 << (dice.number() % 14) {
            let at = from + dice.number() as usize % (file.len() - from);
            file[at] = dice.number() as u8;
        }
        if dice.number().is_multiple_of(8) {
            file.truncate(dice.number() as usize % file.len());
        }
        file.extend(fnv(&file).to_le_bytes());
        let dir = tempfile::tempdir().expect("a directory");
        fs::write(dir.path().join("weights"), &file).expect("writes");
        let lines = "printf 'go nodes 300\\n' |";
        let engine = cargo_bin("oware");
        let words = format!("{lines} timeout 5 {} engine --no-tables", engine.display());
        let weights = dir.path().join("weights");
        let line = format!("ulimit -v 1000000; {words} --evaluation {}", weights.display());
        let output = Command::new("sh").arg("-c").arg(line).output().expect("a shell");
        let said =
            [output.stdout, output.stderr].map(|text| String::from_utf8(text).expect("text"));
        let best = said[0].lines().filter(|line| line.starts_with("bestmove ")).count();
        assert!(output.status.success() && best == 1, "case {case}: {said:?}");
        assert!(!said[1].contains("panicked"), "case {case}: {said:?}");
        usize::from(said[1].is_empty())
    };
    let taken = (0..cases(100)).into_par_iter().map(taken).sum::<usize>();
    assert!((1..100).contains(&taken) || cases(100) != 100, "{taken} taken");
}

/// Where the parts of a table of another game are.
const HEADER: usize = 128;
const TRAILER: usize = 48;

/// A table of another game with other bytes in a frame, and every checksum right.
fn forged_general(whole: &[u8], case: u64) -> Vec<u8> {
    let number = |at: usize| u64::from_le_bytes(whole[at..at + 8].try_into().expect("eight bytes"));
    let figures = u32::from_le_bytes(whole[64..68].try_into().expect("four bytes")) as usize;
    let directory = number(whole.len() - TRAILER) as usize;
    let entries = (directory..whole.len() - TRAILER).step_by(16);
    let mut dice = Dice::new(case);
    let (mut file, mut entered) = (whole[..HEADER + figures].to_vec(), Vec::new());
    for entry in entries {
        let (at, length) = (number(entry) as usize, number(entry + 8) as u32 as usize);
        let mut bytes = zstd::decode_all(&whole[at..at + length]).expect("a frame");
        for _ in 0..dice.number() % 4 {
            let place = dice.number() as usize % bytes.len();
            bytes[place] = [0x80, 0x7f, 0xff, dice.number() as u8][dice.number() as usize % 4];
        }
        let packed = zstd::bulk::compress(&bytes, 1).expect("memory");
        entered.extend((file.len() as u64).to_le_bytes());
        entered.extend((packed.len() as u32).to_le_bytes());
        entered.extend((xxh3_64(&packed) as u32).to_le_bytes());
        file.extend(packed);
    }
    if dice.number().is_multiple_of(8) {
        let place = HEADER + dice.number() as usize % figures;
        file[place] ^= 1 << (dice.number() % 8);
        let sum = xxh3_64(&file[HEADER..HEADER + figures]) as u32;
        file[68..72].copy_from_slice(&sum.to_le_bytes());
        let sum = xxh3_64(&file[..HEADER - 8]);
        file[HEADER - 8..HEADER].copy_from_slice(&sum.to_le_bytes());
    }
    let at = file.len() as u64;
    file.extend(&entered);
    file.extend([at, entered.len() as u64, xxh3_64(&entered)].map(u64::to_le_bytes).concat());
    let sum = xxh3_128(&file);
    file.extend(sum.to_le_bytes());
    file.extend(b"OWARE.ok");
    file
}

/// `-128` of 5 seeds was believed.
#[test]
fn forged_tables_of_other_games_end_no_command_and_say_nothing_that_cannot_be() {
    for (rules, seeds, position) in [
        ("bao-stores", 4, "0 0 0 0 0 0 1 1  0 0 0 0 0 0 1 1"),
        ("bao-laps-drawn", 4, "0 0 0 0 0 0 1 1  0 0 0 0 0 0 1 1"),
    ] {
        let honest = built(rules, seeds);
        let name = format!("{rules}-0{seeds}.oware");
        let whole = fs::read(honest.path().join(&name)).expect("a table");
        let forge = |case| forged_general(&whole, case);
        let [_, proved] = try_all(&honest, (rules, seeds, &name), position, 40, forge);
        assert!(proved > 0, "some are as they were");
        let beyond = |case: u64| {
            let dir = with(&honest, &name, &forge(case));
            let exported = scores(dir.path(), rules, seeds, case);
            String::from_utf8(exported).expect("text").contains("-128")
        };
        assert!(!(0..10).any(beyond));
    }
}

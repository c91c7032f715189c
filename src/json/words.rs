//! How the program words errors and sizes for its users, also as JSON.

use std::path::Path;

use serde_json::{Value, json};

use crate::error::{Error, Kind};
use crate::game::{Rules, Seeds};
use crate::probe::{Tables, address, directories};

/// Returns the message of an error, with a command of `oware` as the remedy where one helps.
pub fn with_command(error: &Error) -> String {
    match error {
        Error::TooLittleMemory { seeds, needed, allowed, possible } => {
            let [needed, allowed] = unlike_bytes([*needed, *allowed]);
            format!(
                "the layer of {seeds} seeds needs {needed} of memory, but only {allowed} are \
                 allowed; raise --memory or build fewer seeds{}",
                largest(*possible)
            )
        }
        Error::TooLittleDisk { dir, needed, free, possible } => {
            let [needed, free] = unlike_bytes([*needed, *free]);
            format!(
                "the build needs about {needed} in {}, but only {free} are free; choose another \
                 directory or build fewer seeds{}",
                dir.display(),
                largest(*possible)
            )
        }
        Error::OutOfMemory { bytes: count } => format!(
            "could not allocate {}; close other programs, or lower --memory if the command has it",
            bytes(*count)
        ),
        _ => match command(error) {
            Some(advice) => format!("{}; {advice}", error.facts()),
            None => error.to_string(),
        },
    }
}

/// The option by which the tables are built that are missing, where owners are named.
pub fn owned(owners: Option<&str>) -> String {
    owners.map_or(String::new(), |owners| format!(" --owners {owners}"))
}

/// How many seeds are few enough, if that is known.
fn largest(possible: Option<usize>) -> String {
    possible.map_or(String::new(), |seeds| format!(": `--seeds {seeds}` is possible"))
}

/// The remedy as a command, if there is one.
fn command(error: &Error) -> Option<String> {
    Some(match error {
        // Nothing is built at an address.
        Error::MissingTable { dir: at, .. }
        | Error::MissingStrategy { dir: at, .. }
        | Error::CorruptTable { path: at, .. }
        | Error::WrongVersion { path: at, .. }
            if address(at).is_some() =>
        {
            return None;
        }
        Error::MissingTable { dir, rules, seeds, owners } => {
            let dirs = directories(dir);
            let clamping = clamping(game_there(&dirs[0], rules, *seeds), *seeds);
            let options = clamping + &owned(owners.as_deref());
            let dir = quoted(&dirs[0]);
            format!(
                "`oware build --rules {rules} --seeds {seeds}{options} --tables {dir}` builds it; \
                 --dry-run shows what that takes"
            )
        }
        Error::Needed { missing, .. } => return command(missing),
        Error::MissingStrategy { dir, rules, seeds } => format!(
            "`oware build --force --rules {rules} --seeds {seeds}{} --tables {}` without \
             --no-strategy rebuilds it with one",
            clamping(game_there(dir, rules, *seeds), 0),
            quoted(dir)
        ),
        Error::CorruptTable { path, .. } | Error::WrongVersion { path, .. } => {
            format!("`{}` rebuilds it", repair(path))
        }
        Error::Interrupted => {
            "finished layers are kept, run the same command again to continue".to_owned()
        }
        _ => return None,
    })
}

/// Quotes a path for a shell.
pub fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+".contains(c);
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// The command that rebuilds the table `path`, as far as its name shows: `dir/awari-07.oware`.
fn repair(path: &Path) -> String {
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    let dir = path.parent().map(|dir| if dir == Path::new("") { Path::new(".") } else { dir });
    match (stem.and_then(|stem| stem.rsplit_once('-')), dir) {
        (Some((rules, _)), Some(dir)) => {
            // Of Nam Nam the owners of the houses stand between.
            if let Some((rules, owners)) = rules.rsplit_once('-')
                && owners.len() == 12
                && owners.bytes().all(|owner| matches!(owner, b'm' | b'o'))
            {
                let dir = quoted(dir);
                return format!(
                    "oware build --repair --rules {rules} --owners {owners} --tables {dir}"
                );
            }
            let options = clamping(game_there(dir, rules, Seeds::MAX.get()), 0);
            format!("oware build --repair --rules {rules}{options} --tables {}", quoted(dir))
        }
        _ => "oware build --repair".to_owned(),
    }
}

/// Returns the seeds of the games that tables of a sheet of Oware in a directory decide: the largest up
/// to this layer, which has the fewest scores, or else the first above. `None` if that has full scores.
pub(crate) fn game_there(dir: &Path, rules: &str, seeds: usize) -> Option<Seeds> {
    let rules = Rules::by_id(rules)?;
    // An address is not asked.
    let tables = dir.is_dir().then(|| Tables::open(dir).ok()).flatten()?;
    let present = tables.available(rules).ok()?;
    let (below, above) = present.split_at(present.partition_point(|at| at.get() <= seeds));
    let mut there = below.iter().rev().chain(above);
    there.find_map(|&at| tables.layer(rules, at).ok()?)?.range().game()
}

/// Returns the option with which a build up to a layer keeps tables that decide such games; or replaces
/// them, if these games have no such layer.
pub(crate) fn clamping(game: Option<Seeds>, seeds: usize) -> String {
    match game {
        Some(game) if game.get() < seeds => " --force".to_owned(),
        Some(game) => format!(" --game-seeds {game}"),
        None => String::new(),
    }
}

/// More bytes than any machine has: those of layers whose positions cannot be counted, too, which add up
/// to no number.
const UNCOUNTED: u64 = 1_000_000_000_000_000_000;

/// Returns a number of bytes for people, as in `1.50 MB`: powers of 1000, three digits; of terabytes
/// all, and two after the point.
pub fn bytes(count: u64) -> String {
    if count > UNCOUNTED {
        return format!("more than {}", bytes(UNCOUNTED));
    }
    let mut value = count as f64;
    for unit in ["B", "KB", "MB", "GB"] {
        if value < 999.5 {
            let digits = if unit == "B" || value >= 99.95 {
                0
            } else if value >= 9.995 {
                1
            } else {
                2
            };
            return format!("{value:.digits$} {unit}");
        }
        value /= 1000.0;
    }
    format!("{value:.2} TB")
}

/// Returns two numbers of bytes for people, byte by byte if they look the same otherwise.
fn unlike_bytes(counts: [u64; 2]) -> [String; 2] {
    let [one, other] = counts.map(bytes);
    if one == other { counts.map(|count| format!("{count} B")) } else { [one, other] }
}

/// Reads a number of bytes: `8G`, `500MB`, `1.5GiB`, `100000`.
///
/// # Errors
/// What was expected.
pub fn parse_bytes(text: &str) -> std::result::Result<u64, String> {
    let wrong = || "not a number of bytes such as 8G, 500M or 1.5GiB".to_owned();
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..end].parse().map_err(|_| wrong())?;
    let unit = text[end..].trim().to_ascii_lowercase();
    let (prefix, base) = match unit.strip_suffix("ib").or(unit.strip_suffix('i')) {
        Some(prefix) => (prefix, 1024.0),
        None => (unit.strip_suffix('b').unwrap_or(&unit), 1000.0f64),
    };
    let power =
        ["", "k", "m", "g", "t"].iter().position(|&known| known == prefix).ok_or_else(wrong)?;
    Ok((number * base.powi(power as i32)) as u64)
}

/// Returns the document in place of an answer: `{"error": {"kind": …, "message": …}}`.
pub(crate) fn error_document(kind: Kind, message: &str) -> Value {
    json!({"error": {"kind": kind.name(), "message": message}})
}

//! `oware check --manifest`: are the files those that were published?
//!
//! A manifest is what `sha256sum` prints and `sha256sum -c` reads: for each file a line of its
//! SHA-256 in 64 hexadecimal digits, two spaces and its name. Names have no directory: the files
//! are those of the directory of the tables.

use std::collections::BTreeSet;
use std::io;
use std::path::{Component, Path, PathBuf};

use rayon::prelude::*;
use serde_json::json;

use crate::error::{Error, Result};
use crate::game::{Rules, SHEETS};
use crate::table::checksum::sha256;
use crate::table::general::named_layer;
use crate::table::named_seeds;

use super::findings::{Findings, Problem};
use crate::cli::output::count;
use crate::cli::result_file::ResultFile;

/// The default name of a manifest.
pub const NAME: &str = "SHA256SUMS";

/// A line of a manifest.
struct ManifestLine {
    sum: String,
    name: String,
}

/// Returns the path of the manifest that an option means, with or without a file.
pub fn path(dir: &Path, file: Option<&Path>) -> PathBuf {
    file.map_or_else(|| dir.join(NAME), Path::to_owned)
}

/// Writes the manifest of some files of a directory, sorted by name.
pub fn write(dir: &Path, mut names: Vec<String>, mut manifest: ResultFile) -> Result<Findings> {
    names.sort_unstable();
    let sums: Vec<String> =
        names.par_iter().map(|name| sha256(&dir.join(name))).collect::<Result<_>>()?;
    let lines = sums.iter().zip(&names).map(|(sum, name)| format!("{sum}  {name}\n"));
    manifest.add(&lines.collect::<String>())?;
    Ok(compared(manifest.path(), names.len()))
}

/// Compares tables with the text of a manifest, and whatever else it names. Lines about tables that
/// were not `asked` for, by their sheet's id and their seeds, are skipped.
pub fn compare(
    dir: &Path,
    mut names: Vec<String>,
    asked: impl Fn(&str, usize) -> bool,
    manifest: &Path,
    text: &str,
    problems: &mut Vec<Problem>,
) -> Findings {
    let file = manifest.display().to_string();
    let mut lines = Vec::new();
    for (number, line) in
        (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
    {
        match ManifestLine::parse(line) {
            Some(line) => lines.push(line),
            None => {
                let what =
                    format!("line {number} is not a SHA-256, two spaces and the name of a file");
                problems.push(Problem { file: file.clone(), what });
            }
        }
    }
    lines.retain(|line| table(&line.name).is_none_or(|(id, seeds)| asked(id, seeds)));
    let named: BTreeSet<&str> = lines.iter().map(|line| line.name.as_str()).collect();
    let differences: Vec<_> = lines.par_iter().filter_map(|line| line.difference(dir)).collect();
    problems.extend(differences);
    names.sort_unstable();
    for name in names.into_iter().filter(|name| !named.contains(name.as_str())) {
        let what = "it is not in the manifest".to_owned();
        problems.push(Problem { file: shown(dir, &name), what });
    }
    compared(manifest, named.len())
}

/// Says how many files a manifest names, as far as they were asked for.
fn compared(manifest: &Path, files: usize) -> Findings {
    let file = manifest.display().to_string();
    let text = format!("{file}: SHA-256 sums of {}.\n", count(files as u64, "file"));
    Findings { fields: json!({ "file": file, "files": files }), text }
}

impl ManifestLine {
    /// Reads `<64 hexadecimal digits>  <name>`; a star in place of the second space, as in binary
    /// mode, is the same.
    fn parse(line: &str) -> Option<ManifestLine> {
        let (sum, name) = line.split_at_checked(64)?;
        let name = name.strip_prefix("  ").or_else(|| name.strip_prefix(" *"))?;
        let mut steps = Path::new(name).components();
        let Some(Component::Normal(step)) = steps.next() else { return None };
        let plain = step == name && steps.next().is_none();
        let digits = sum.bytes().all(|digit| digit.is_ascii_hexdigit());
        (plain && digits)
            .then(|| ManifestLine { sum: sum.to_ascii_lowercase(), name: name.to_owned() })
    }

    /// Returns how the file differs from what this line says about it.
    fn difference(&self, dir: &Path) -> Option<Problem> {
        let what = match sha256(&dir.join(&self.name)) {
            Ok(sum) if sum == self.sum => return None,
            Ok(sum) => format!("its SHA-256 is {sum}, but the manifest has {}", self.sum),
            Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                "it is in the manifest, but missing".to_owned()
            }
            Err(error) => error.to_string(),
        };
        Some(Problem { file: shown(dir, &self.name), what })
    }
}

/// Returns the id of the sheet and the seeds of the table that a file of this name would be.
fn table(name: &str) -> Option<(&'static str, usize)> {
    let oware = |rules: &'static Rules| Some((rules.id, named_seeds(rules, name)?.get()));
    let other = || named_layer(name).map(|layer| (layer.sheet().id, layer.seeds()));
    SHEETS.into_iter().find_map(oware).or_else(other)
}

fn shown(dir: &Path, name: &str) -> String {
    dir.join(name).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_name_files_of_the_directory_alone() {
        let sum = "Ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        for name in ["awari-07.oware", "two words", "..."] {
            for between in ["  ", " *"] {
                let line = ManifestLine::parse(&format!("{sum}{between}{name}")).expect("a line");
                assert_eq!((line.sum, line.name.as_str()), (sum.to_ascii_lowercase(), name));
            }
        }
        let table = "awari-07.oware";
        let [above, here] = ["..", "."].map(|dir| format!("{dir}/{table}"));
        for name in ["", ".", "..", "/etc/passwd", &above, &here, "of/mine", "mine/"] {
            assert!(ManifestLine::parse(&format!("{sum}  {name}")).is_none(), "{name}");
        }
        let [no_sum, short, near] = [" ", "ba78 ", sum].map(|sum| format!("{sum} {table}"));
        for line in [sum, &no_sum, &short, &near, "½"] {
            assert!(ManifestLine::parse(line).is_none(), "{line}");
        }
        assert!(ManifestLine::parse(&format!("{}  file", sum.replace('a', "g"))).is_none());
    }
}

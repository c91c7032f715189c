//! `oware page`: the page as plain files, for any web space.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;
use serde_json::json;
use tempfile::NamedTempFile;
use xxhash_rust::xxh3::xxh3_64;

use crate::answers::{Answers, Question};
use crate::error::{Error, Result};
use crate::game::SHEETS;
use crate::json::words::bytes;
use crate::probe::{Tables, address};
use crate::server::{PAGE_FILES, SITE_FILES};
use crate::table::InMemoryShelf;
use crate::table::checksum::sha256;

use super::options::named_tables;
use super::output;

/// Write the web page as static files, for hosting without a server program
///
/// The page is the one of `oware serve`. Instead of asking a server it runs the library in the
/// browser, as WebAssembly: it builds small tables on the spot and reads parts of the tables next
/// to the page. After the first visit the page works offline, except for those tables.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  oware page --out site --package oware-db --tables tables\n  \
                        python3 -m http.server --directory site")]
pub struct Args {
    /// Output directory: a new one, or one that this command has written
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Directory of the WebAssembly package `oware-db` [default: where `npm install oware-db` puts it
    /// here, or scripts/web beside the program]
    #[arg(long, value_name = "DIR")]
    package: Option<PathBuf>,
    /// Include the Oware tables of this directory [env: OWARE_TABLES]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
}

/// The files of the package that the page needs.
const PACKAGE: [&str; 6] =
    ["core.js", "host.js", "oware.js", "oware_db_web.js", "oware_db_web_bg.wasm", "worker.js"];
/// The licences of all that is in the package; visitors need not keep them.
const LICENCES: [&str; 3] = ["LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY"];
/// What only directories have that this command has written.
const MARK: &str = "sw.js";
/// Where tables stand, and the list of them.
const TABLES: &str = "tables";
const LIST: &str = "tables.json";
/// What everyone asks first, answered.
const FIRST: &str = "first.json";

/// A table of the site.
#[derive(Serialize)]
struct TableEntry {
    file: String,
    rules: &'static str,
    seeds: usize,
    bytes: u64,
    sha256: String,
}

impl Args {
    /// Writes the site, its first file last.
    pub fn run(self, json: bool) -> Result<()> {
        self.refuse_address()?;
        let package = self.package.clone().unwrap_or_else(usual_package);
        let mut files = Self::files(&package)?;
        self.prepare()?;
        let tables = self.copy_tables()?;
        // Of what is in the site: tables of other games are not.
        let copied = (!tables.is_empty()).then(|| self.out.join(TABLES));
        files.push((FIRST.to_owned(), first_answers(copied.as_deref())?));
        let modules = modules(&files);
        // The first page comes last: with it there is a site.
        files.sort_by_key(|(name, _)| name == "index.html");
        if let Some((_, index)) = files.last_mut() {
            *index = marked(index, !tables.is_empty(), &modules);
        }
        files.insert(0, (MARK.to_owned(), worker(&files)));
        for name in LICENCES {
            files.insert(0, (name.to_owned(), Self::packed(&package, name)?));
        }
        for (name, bytes) in &files {
            write(&self.out.join(name), bytes)?;
        }
        let (out, count) = (self.out.display().to_string(), files.len());
        let bytes: u64 = files.iter().map(|(_, bytes)| bytes.len() as u64).sum();
        let document = json!({"out": out, "files": count, "bytes": bytes, "tables": tables});
        output::result(json, &document, |_| summary(&out, count, bytes, &tables))
    }

    /// Refuses tables that cannot be copied.
    fn refuse_address(&self) -> Result<()> {
        match self.tables().as_deref().and_then(address) {
            None => Ok(()),
            Some(address) => Err(Error::Usage(format!(
                "--tables: a site's tables are copied from a directory, but {address} is an address"
            ))),
        }
    }

    /// Returns the files of the page and of the package.
    fn files(package: &Path) -> Result<Vec<(String, Vec<u8>)>> {
        let page = PAGE_FILES.iter().map(|&(name, bytes)| (name.to_owned(), bytes.to_vec()));
        let site = SITE_FILES.into_iter().filter(|(name, _)| *name != MARK);
        let site = site.map(|(name, text)| (name.to_owned(), text.into()));
        let mut files: Vec<(String, Vec<u8>)> = page.chain(site).collect();
        for name in PACKAGE {
            files.push((name.to_owned(), Self::packed(package, name)?));
        }
        Ok(files)
    }

    /// Returns a file of the package.
    fn packed(package: &Path, name: &str) -> Result<Vec<u8>> {
        fs::read(package.join(name)).map_err(|_| no_package(package, name))
    }

    /// Returns the directory of the tables to include.
    fn tables(&self) -> Option<PathBuf> {
        self.tables.clone().or_else(named_tables)
    }

    /// Makes the directory, unless something else is in it.
    fn prepare(&self) -> Result<()> {
        let out = &self.out;
        fs::create_dir_all(out).map_err(Error::io("making", out))?;
        let mut listing = fs::read_dir(out).map_err(Error::io("listing", out))?;
        if listing.next().is_some() && !out.join(MARK).is_file() {
            return Err(Error::Usage(format!(
                "--out: {} contains other files; choose a new directory",
                out.display()
            )));
        }
        // With the mark the directory is known again if the rest fails.
        let mark = out.join(MARK);
        if mark.is_file() { Ok(()) } else { write(&mark, b"") }
    }

    /// Copies tables, and writes the list of them.
    fn copy_tables(&self) -> Result<Vec<TableEntry>> {
        let Some(dir) = self.tables() else { return Ok(Vec::new()) };
        let (from, to) = (Tables::open(dir)?, self.out.join(TABLES));
        fs::create_dir_all(&to).map_err(Error::io("making", &to))?;
        let mut entries = Vec::new();
        for rules in SHEETS {
            for seeds in from.available(rules)? {
                let table = from.require(rules, seeds)?;
                let file = crate::table::file_name(rules, seeds);
                let path = to.join(&file);
                // The site's own tables may be those to include.
                let copy = NamedTempFile::new_in(&to).map_err(Error::io("writing", &path))?;
                fs::copy(table.path(), copy.path()).map_err(Error::io("writing", &path))?;
                copy.persist(&path)
                    .map_err(|refused| Error::io("writing", &path)(refused.error))?;
                let (bytes, sha256) = (table.bytes(), sha256(&path)?);
                entries.push(TableEntry {
                    file,
                    rules: rules.id,
                    seeds: seeds.get(),
                    bytes,
                    sha256,
                });
            }
        }
        // As the page reads it.
        let list = serde_json::to_vec_pretty(&json!({ "tables": entries }));
        write(&to.join(LIST), &list.expect("text keys"))?;
        Ok(entries)
    }
}

/// Where npm puts the package, or else where `scripts/web make` does: beside the directory of the program.
fn usual_package() -> PathBuf {
    let installed = PathBuf::from("node_modules/oware-db");
    let program = std::env::current_exe().unwrap_or_default();
    let made = program.ancestors().nth(2).map(|target| target.join("web/package"));
    made.filter(|made| made.is_dir() && !installed.is_dir()).unwrap_or(installed)
}

/// Returns what everyone asks first with its answers, as the page asks it: the sheets, and the beginning
/// of a game.
fn first_answers(tables: Option<&Path>) -> Result<Vec<u8>> {
    let none = || Ok(Tables::on_shelf("this page", Arc::new(InMemoryShelf::default())));
    let answers = Answers::new(tables.map_or_else(none, Tables::open)?);
    let game = "rules=abapa&board=4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";
    let asked =
        ["v1/sheets".to_owned(), format!("v1/game?{game}&moves="), format!("v1/moves?{game}")];
    let answer = |path: &String| {
        let (at, parameters) = path.split_once('?').unwrap_or((path, ""));
        let question = Question { method: "GET", path: &format!("/{at}"), parameters, body: &[] };
        let document = answers.answer(&question).expect("these have answers").into_bytes();
        format!("\"{path}\":{}", String::from_utf8_lossy(&document).trim_end())
    };
    Ok(format!("{{{}}}\n", asked.iter().map(answer).collect::<Vec<String>>().join(","))
        .into_bytes())
}

/// Returns the names of the scripts of the page, which the browser then fetches at once, not one import
/// after the other. Those of the package are for the worker, which comes later.
fn modules(files: &[(String, Vec<u8>)]) -> Vec<String> {
    let is_module = |name: &String| name.ends_with(".js") && !PACKAGE.contains(&name.as_str());
    files.iter().map(|(name, _)| name.clone()).filter(is_module).collect()
}

fn no_package(dir: &Path, name: &str) -> Error {
    Error::Usage(format!(
        "--package: {} has no {name}; use the npm package `oware-db`, which `npm install oware-db` \
         puts into node_modules and `scripts/web make` into target/web/package",
        dir.display()
    ))
}

/// Returns the first file with what makes the page ask the library.
fn marked(index: &[u8], has_tables: bool, modules: &[String]) -> Vec<u8> {
    let content = if has_tables { "tables" } else { "" };
    let ahead = |name: &String| format!("<link rel=\"modulepreload\" href=\"{name}\">\n    ");
    let ahead: String = modules.iter().map(ahead).collect();
    let marks = format!(
        "<meta name=\"oware-site\" content=\"{content}\">\n    \
         <link rel=\"manifest\" href=\"manifest.webmanifest\">\n    \
         {ahead}<link rel=\"preload\" href=\"{FIRST}\" as=\"fetch\" crossorigin>\n    <title>"
    );
    String::from_utf8_lossy(index).replacen("<title>", &marks, 1).into_bytes()
}

/// Returns the service worker that keeps these files; it is another one when any of them changes.
fn worker(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let sums: Vec<u8> = files.iter().flat_map(|(_, bytes)| xxh3_64(bytes).to_le_bytes()).collect();
    let version = format!("{:016x}", xxh3_64(&sums));
    let names: Vec<String> = files.iter().map(|(name, _)| format!("\"{name}\"")).collect();
    let [(_, text), _] = SITE_FILES;
    let text = text.replacen("{VERSION}", &version, 1);
    text.replacen("\"{FILES}\"", &format!("\"./\", {}", names.join(", ")), 1).into_bytes()
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).map_err(Error::io("writing", path))
}

/// Returns what has been written, for people.
fn summary(out: &str, files: usize, written: u64, tables: &[TableEntry]) -> String {
    let mut text = format!("The page is in {out}: {files} files, {}", bytes(written));
    if !tables.is_empty() {
        let all = tables.iter().map(|table| table.bytes).sum();
        text += &format!("; {} tables, {}", tables.len(), bytes(all));
    }
    text + &format!(".\nSee it: python3 -m http.server --directory {out}\n")
}

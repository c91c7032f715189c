//! `oware page`: a site of plain files.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::tables::built;
use super::{Run, command, oware};

/// What stands in a site and is not kept by visitors.
const LICENCES: [&str; 3] = ["LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY"];

/// A package as far as the command looks at it.
fn package() -> TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    for name in
        ["core.js", "host.js", "oware.js", "oware_db_web.js", "oware_db_web_bg.wasm", "worker.js"]
            .into_iter()
            .chain(LICENCES)
    {
        fs::write(dir.path().join(name), format!("content of {name}")).expect("written");
    }
    dir
}

fn site(out: &Path, words: &str) -> Run {
    oware(&format!("page --json --out {} {words}", out.display()))
}

fn read(path: &Path) -> String {
    String::from_utf8_lossy(&fs::read(path).expect("a file")).into_owned()
}

#[test]
fn a_site_has_all_that_its_files_name() {
    let (package, tables, dir) = (package(), built("abapa", 5), tempfile::tempdir().unwrap());
    let out = dir.path().join("site");
    let words = format!("--package {}", package.path().display());
    let bare = site(&out, &words).json();
    assert!(read(&out.join("index.html")).contains("name=\"oware-site\" content=\"\""));
    let kept = read(&out.join("sw.js"));

    // Once more, with tables.
    let words = format!("{words} --tables {}", tables.path().display());
    let said = site(&out, &words).json();
    assert_eq!((&said["files"], said["tables"].as_array().unwrap().len()), (&bare["files"], 6));
    let index = read(&out.join("index.html"));
    assert!(index.contains("name=\"oware-site\" content=\"tables\""));
    let worker = read(&out.join("sw.js"));
    assert_ne!(worker, kept, "another site is kept under another name");

    // What the service worker keeps is there, and there is nothing else but itself and the tables.
    let list = worker.split("const FILES = ").nth(1).and_then(|rest| rest.split(';').next());
    let list: BTreeSet<String> = serde_json::from_str(list.expect("a list")).expect("JSON");
    let there: BTreeSet<String> = fs::read_dir(&out)
        .expect("a directory")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .filter(|name| !["sw.js", "tables"].contains(&name.as_str()))
        .filter(|name| !LICENCES.contains(&name.as_str()))
        .chain(["./".to_owned()])
        .collect();
    assert_eq!(list, there);
    for name in ["\"manifest.webmanifest\"", "src=\"main.js\"", "\"first.json\""] {
        assert!(index.contains(name), "{name}");
    }
    // Scripts are fetched at once, those of the library later.
    let ahead = |name: &str| index.contains(&format!("\"modulepreload\" href=\"{name}\""));
    let scripts = list.iter().filter(|name| name.ends_with(".js"));
    for name in scripts {
        let is_library = fs::read(package.path().join(name)).is_ok();
        assert_ne!(ahead(name), is_library, "{name}");
    }
    // What everyone asks first has its answers beside the page.
    let first: Value = serde_json::from_str(&read(&out.join("first.json"))).expect("JSON");
    assert_eq!(first["v1/sheets"]["sheets"][0]["layers"], serde_json::json!([0, 1, 2, 3, 4, 5]));
    let moves = first
        .as_object()
        .expect("answers")
        .iter()
        .find(|(path, _)| path.starts_with("v1/moves?"))
        .expect("moves");
    assert_eq!(moves.1["moves"].as_array().map(Vec::len), Some(6));
    assert_eq!(read(&out.join("worker.js")), "content of worker.js");

    // Tables are those of the directory, and listed as the page reads them.
    let listed: Value = serde_json::from_str(&read(&out.join("tables/tables.json"))).expect("JSON");
    // The site's own tables are tables as others.
    let own = format!("--package {} --tables {}/tables", package.path().display(), out.display());
    assert_eq!(site(&out, &own).json()["tables"], said["tables"]);
    for (seeds, table) in listed["tables"].as_array().expect("tables").iter().enumerate() {
        let name = table["file"].as_str().expect("a name");
        let (from, to) = (tables.path().join(name), out.join("tables").join(name));
        assert_eq!(fs::read(&from).expect("read"), fs::read(to).expect("read"));
        assert_eq!((&table["seeds"], &table["rules"]), (&seeds.into(), &"abapa".into()));
        assert_eq!(table["bytes"], fs::metadata(&from).expect("a file").len());
        assert_eq!(table["sha256"].as_str().map(str::len), Some(64));
    }
}

#[test]
fn what_is_in_the_way_or_missing_is_said() {
    let (package, dir) = (package(), tempfile::tempdir().unwrap());
    let words = format!("--package {}", package.path().display());
    fs::write(dir.path().join("thesis.txt"), "years of work").expect("written");
    let message = site(dir.path(), &words).json_error(2, "usage");
    assert!(message.contains("contains other files"), "{message}");
    assert_eq!(fs::read_dir(dir.path()).expect("a directory").count(), 1);

    let out = dir.path().join("site");
    let nowhere = format!("{words} --tables {}/none", dir.path().display());
    assert!(site(&out, &nowhere).json_error(1, "io").contains("none"));
    let new = dir.path().join("new");
    let message =
        site(&new, &format!("{words} --tables http://127.0.0.1:1/t")).json_error(2, "usage");
    assert!(message.contains("from a directory") && !new.exists(), "{message}");
    let mut run = command(&format!("page --json --out new {words}"));
    run.current_dir(dir.path()).env("OWARE_TABLES", "http://127.0.0.1:1/t");
    Run::of(run.output().expect("runs")).json_error(2, "usage");
    assert!(!new.exists());
    // An empty variable names nothing.
    let mut run = command(&format!("page --json --out unnamed {words}"));
    run.current_dir(dir.path()).env("OWARE_TABLES", "");
    assert_eq!(Run::of(run.output().expect("runs")).code, 0);
    fs::remove_file(package.path().join("host.js")).expect("removed");
    let message = site(&out, &words).json_error(2, "usage");
    assert!(message.contains("has no host.js") && message.contains("npm install"), "{message}");

    // What a run leaves that fails is known again.
    let (junk, half) = (dir.path().join("junk"), dir.path().join("half"));
    fs::create_dir(&junk).expect("made");
    fs::write(junk.join("abapa-00.oware"), "no table").expect("written");
    for _ in 0..2 {
        let whole = self::package();
        let from = format!("--package {} --tables {}", whole.path().display(), junk.display());
        site(&half, &from).json_error(1, "corrupt_table");
    }

    // Without a name it is where npm puts it.
    fs::create_dir(dir.path().join("node_modules")).expect("made");
    fs::rename(package.path(), dir.path().join("node_modules/oware-db")).expect("moved");
    let run = command("page --json --out site").current_dir(dir.path()).output().expect("runs");
    assert!(Run::of(run).json_error(2, "usage").contains("oware-db has no host.js"));
}

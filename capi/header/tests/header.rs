//! The header in `include/` is what cbindgen makes of the sources. `OWARE_HEADER=write` renews it.

use std::fs;
use std::path::Path;

/// The version of the header is that of the crate.
#[test]
fn the_version_of_the_header_is_that_of_the_library() {
    let header = include_str!("../../../include/oware.h");
    let manifest = include_str!("../../Cargo.toml");
    let version = manifest.lines().find_map(|line| line.strip_prefix("version = "));
    let version = version.expect("a version").trim_matches('"');
    assert!(header.contains(&format!("#define OWARE_VERSION \"{version}\"\n")));
    for (name, number) in ["MAJOR", "MINOR", "PATCH"].iter().zip(version.split('.')) {
        assert!(header.contains(&format!("#define OWARE_VERSION_{name} {number}\n")), "{name}");
    }
}

#[test]
fn the_header_is_that_of_the_sources() {
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut made = Vec::new();
    let bindings = cbindgen::generate(&library).expect("cbindgen reads the sources");
    bindings.write(&mut made);
    let made = String::from_utf8(made).expect("a text");
    let path = library.join("../include/oware.h");
    if std::env::var("OWARE_HEADER").is_ok_and(|what| what == "write") {
        fs::write(&path, &made).expect("writes the header");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == made, "include/oware.h is stale: `scripts/c --write` renews it");
}

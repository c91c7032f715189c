//! The header in `include/` is what cbindgen makes of the sources. `OWARE_HEADER=write` renews it.

use std::fs;
use std::path::Path;

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

//! The files of this folder.

use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;

/// The lines of a file of facts, without the first, which is its source.
pub fn facts(name: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/games").join(name);
    let bytes = std::fs::read(path).expect("facts");
    let mut text = String::new();
    if name.ends_with(".gz") {
        GzDecoder::new(&bytes[..]).read_to_string(&mut text).expect("text");
    } else {
        text = String::from_utf8(bytes).expect("text");
    }
    text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
}

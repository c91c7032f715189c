//! What the targets share with `tests/fuzz`, where the files are.

#[path = "../../tests/fuzz/edits.rs"]
pub mod edits;
#[path = "../../tests/fuzz/files.rs"]
pub mod files;
#[path = "../../tests/fuzz/layout.rs"]
pub mod layout;
#[path = "../../tests/fuzz/positions.rs"]
pub mod positions;
#[path = "../../tests/fuzz/records.rs"]
pub mod records;
#[path = "../../tests/fuzz/tables.rs"]
pub mod tables;

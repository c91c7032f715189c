//! Names of files.

use oware_db::game::{ABAPA, ABAPA_EVEN, PLAIN, SHEETS, Seeds};
use oware_db::table::{file_name, named_seeds};

#[test]
fn names_come_back() {
    for rules in SHEETS {
        for seeds in Seeds::MAX.up_to() {
            assert_eq!(named_seeds(rules, &file_name(rules, seeds)), Some(seeds));
        }
    }
    assert_eq!(file_name(&ABAPA_EVEN, Seeds::ZERO), "abapa-even-00.oware");
}

#[test]
fn foreign_names_are_nobodys() {
    for name in [
        "abapa-even-07.oware",
        "abapa-7.oware",
        "abapa-007.oware",
        "abapa-49.oware",
        "abapa-+7.oware",
    ] {
        assert_eq!(named_seeds(&ABAPA, name), None, "{name}");
    }
    for name in ["plain-opposite-07.oware", "plain-07.oware.12-0.tmp", "plain-07oware", "plain", ""]
    {
        assert_eq!(named_seeds(&PLAIN, name), None, "{name}");
    }
}

//! Lines of best play as JSON.

use serde::{Serialize, Serializer};

use crate::probe::{Line, LineEnd};

#[derive(Serialize)]
struct Fields {
    line: Vec<char>,
    #[serde(flatten)]
    ends: LineEnd,
    until_capture: Option<usize>,
}

impl Serialize for Line {
    /// Writes `line`, the letters of the moves, `line_end`, `cycle_after` if the line cycles,
    /// and `until_capture`.
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let (ends, until_capture) = (self.ends, self.until_capture());
        Fields { line: self.letters().collect(), ends, until_capture }.serialize(serializer)
    }
}

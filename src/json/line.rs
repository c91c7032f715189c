//! Lines of best play as JSON.

use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::probe::{Line, LineEnd};

impl Serialize for Line {
    /// Writes `line`, the letters of the moves, `line_end`, `cycle_after` if the line goes round,
    /// and `until_capture`.
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let (end, cycle_after) = match self.ends {
            LineEnd::GameOver => ("game_over", None),
            LineEnd::Cycle { after } => ("cycle", Some(after)),
            LineEnd::Limit => ("limit", None),
        };
        let mut object = serializer.serialize_struct("Line", 4)?;
        object.serialize_field("line", &self.letters().collect::<Vec<char>>())?;
        object.serialize_field("line_end", end)?;
        match cycle_after {
            Some(after) => object.serialize_field("cycle_after", &after)?,
            None => object.skip_field("cycle_after")?,
        }
        object.serialize_field("until_capture", &self.until_capture())?;
        object.end()
    }
}

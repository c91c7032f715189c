//! Placements as people type them.

use super::placement::{Placement, own_half, owners_text, sum};
use super::sheets::Sheet;
use crate::error::{Error, Result};
use crate::game::position::{NEGATIVE, has_sign};
use crate::lines;

impl Sheet {
    /// Reads a position: as many numbers as the board has places, the mover's first, separated by
    /// spaces, commas, dashes or slashes; where houses have owners, these may follow, as in
    /// `mmmmmmoooooo`, a letter for each house as the mover sees it.
    ///
    /// # Errors
    /// [`Error::Usage`] that says what is wrong.
    pub fn parse(&self, text: &str) -> Result<Placement> {
        let separates = |c: char| c.is_whitespace() || matches!(c, ',' | '-' | '/' | '|');
        if has_sign(text, separates) {
            return Err(self.wrong(NEGATIVE.to_owned()));
        }
        let mut fields: Vec<&str> =
            text.split(separates).filter(|field| !field.is_empty()).collect();
        let owners = fields.pop_if(|last| last.starts_with(['m', 'o']));
        let owners = owners.map(|text| self.parse_owners(text)).transpose()?;
        let places = 2 * self.half;
        if fields.len() != places {
            return Err(self.wrong(format!("{} numbers instead of {places}", fields.len())));
        }
        let counts: Vec<u8> =
            fields.into_iter().map(|field| self.parse_count(field)).collect::<Result<_>>()?;
        let seeds = sum(&counts);
        if seeds > self.most {
            return Err(self.wrong(format!("{seeds} seeds, and the game has {}", self.most)));
        }
        if seeds > 0 && !self.has_layer(seeds) {
            return Err(self.wrong(format!("{seeds} seeds, which never are on the board")));
        }
        let placement = Placement::new(&counts);
        Ok(placement.with_owners(owners.unwrap_or(own_half(self.half))))
    }

    fn parse_count(&self, field: &str) -> Result<u8> {
        let shown = lines::shown(field, 20);
        let count = field.parse().ok().filter(|_| !field.starts_with('+'));
        count.ok_or_else(|| self.wrong(format!("`{shown}` is not a number of seeds")))
    }

    /// Reads whose the houses are, as the mover sees them.
    ///
    /// # Errors
    /// [`Error::Usage`] that says what is wrong.
    pub fn parse_owners(&self, text: &str) -> Result<u32> {
        let places = 2 * self.half;
        let shown = lines::shown(text, 20);
        if !self.has_owners {
            let what = format!("houses of {} have no owners; omit `{shown}`", self.id);
            return Err(Error::Usage(what));
        }
        if text.len() != places || !text.bytes().all(|letter| matches!(letter, b'm' | b'o')) {
            return Err(Error::Usage(format!(
                "not the owners of the houses of {}: `{shown}` is not {places} letters m or o, the \
                 mover's houses first, as in `{}`",
                self.id,
                owners_text(own_half(self.half), self.half)
            )));
        }
        let owners =
            text.bytes().rev().fold(0, |owners, letter| 2 * owners + u32::from(letter == b'm'));
        if !self.can_own(owners) {
            let what =
                "a player who owns no house has lost the match; the other has to own one, too";
            return Err(Error::Usage(what.to_owned()));
        }
        Ok(owners)
    }

    fn wrong(&self, what: String) -> Error {
        Error::Usage(format!(
            "not a position of {}: {what}; write {} numbers, the mover's first, as in `{}`",
            self.id,
            2 * self.half,
            self.initial()
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::super::sheets::{BAO_LAPS, MANCALAS, NAM_NAM};

    #[test]
    fn positions_are_read_as_they_are_written() {
        for sheet in MANCALAS {
            assert_eq!(sheet.parse(&sheet.initial().to_string()).unwrap(), sheet.initial());
        }
        let owned = NAM_NAM.parse("4,4,4,4,4,4/4,4,4,4,4,4 mmmmmmmooooo").unwrap();
        assert_eq!(owned.owners(), 0b111_1111);
        assert_eq!(NAM_NAM.parse(&owned.to_string()).unwrap(), owned);
    }

    #[test]
    fn mistakes_are_named() {
        let twos = "2 2 2 2 2 2 2 2  2 2 2 2 2 2 2";
        for (sheet, text, part) in [
            (&BAO_LAPS, twos.to_owned(), "15 numbers instead of 16"),
            (&BAO_LAPS, format!("{twos} 3"), "33 seeds, and the game has 32"),
            (&BAO_LAPS, format!("{twos} -2"), "a negative number"),
            (&BAO_LAPS, format!("{twos} x"), "`x` is not a number"),
            (&BAO_LAPS, format!("{twos} +2"), "`+2` is not a number"),
            (&BAO_LAPS, format!("{twos} 2 mmmmmmoooooo"), "no owners"),
            (&NAM_NAM, "1 0 0 0 0 0 0 0 0 0 0 0".to_owned(), "never are on the board"),
            (&NAM_NAM, "8 0 0 0 0 0 0 0 0 0 0 0 mmm".to_owned(), "is not 12 letters"),
            (&NAM_NAM, "8 0 0 0 0 0 0 0 0 0 0 0 mmmmmmmmmmmm".to_owned(), "owns no house"),
        ] {
            let error = sheet.parse(&text).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}

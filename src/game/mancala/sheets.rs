//! The sheets of the other games, as values.

#[cfg(feature = "serde")]
use serde::{Serialize, Serializer};

use super::Mancala;
use super::bao_laps::BaoLaps;
use super::bao_stores::BaoStores;
use super::kujifunza::Kujifunza;
use super::nam_nam::NamNam;
use super::outcome::Outcomes;
use super::placement::{Placement, own_half, turned_owners};

/// What endless play is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Circling {
    /// Half of what is left each: 0.
    EvenSplit,
    /// The game is drawn, whatever was captured: a table holds two numbers, see
    /// [`Endless::Drawn`](crate::game::Endless::Drawn).
    Drawn,
    /// It cannot happen.
    Never,
}

/// How a game becomes smaller while it is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layers {
    /// Captured seeds leave the board: a layer rests on those with fewer seeds, and a score is a
    /// difference of seeds.
    BySeeds,
    /// Nothing leaves the board: for each number of seeds there is one table, which rests on no
    /// other, and a score is 1, 0 or −1, with the plies to the end.
    Alone,
}

/// A game other than Oware: its name, its board, and how it is played.
#[derive(Clone, Copy)]
pub struct Sheet {
    /// The name that users type and that begins the names of files.
    pub id: &'static str,
    /// A description in one line.
    pub title: &'static str,
    /// The number that stands for it in files.
    pub number: u8,
    /// Places of a half of the board.
    pub half: usize,
    /// Seeds of the whole game.
    pub most: usize,
    /// The fewest seeds of a game that is not over.
    pub least: usize,
    /// Only multiples of this number of seeds occur.
    pub step: usize,
    /// Seeds in each place of the initial position.
    pub each: u8,
    /// Whether houses can have other owners than the player in front of whom they lie.
    pub has_owners: bool,
    /// What endless play is worth.
    pub circling: Circling,
    /// How the game becomes smaller.
    pub layers: Layers,
    /// How it is played.
    pub game: &'static (dyn Mancala + 'static),
}

impl Sheet {
    /// Returns the sheet with this id.
    pub fn by_id(id: &str) -> Option<&'static Sheet> {
        MANCALAS.into_iter().find(|sheet| sheet.id == id)
    }

    /// Returns the initial position.
    pub fn initial(&self) -> Placement {
        Placement::new(&vec![self.each; 2 * self.half])
    }

    /// Returns the legal moves.
    pub fn outcomes(&self, placement: &Placement) -> Outcomes {
        let mut found = Outcomes::new();
        self.game.add_outcomes(placement, &mut found);
        found
    }

    /// Returns what the mover gets of the seeds left minus what the opponent gets, if the game is
    /// over.
    pub fn final_score(&self, placement: &Placement) -> Option<i8> {
        self.outcomes(placement).is_empty().then(|| self.game.final_score(placement))
    }

    /// Returns the number of bounds that a table holds.
    pub fn planes(&self) -> usize {
        match self.circling {
            Circling::EvenSplit | Circling::Never => 1,
            Circling::Drawn => 2,
        }
    }

    /// Returns whether one player can own these places, a bit for each, and the other the rest.
    pub(crate) fn can_own(&self, owners: u32) -> bool {
        let theirs = turned_owners(owners, self.half);
        let are_some = owners != 0 && theirs != 0 && turned_owners(theirs, self.half) == owners;
        owners == own_half(self.half) || self.has_owners && are_some
    }

    /// Returns whether a layer of this many seeds occurs.
    pub fn has_layer(&self, seeds: usize) -> bool {
        let is_left = match self.layers {
            Layers::BySeeds => seeds == 0 || seeds >= self.least,
            Layers::Alone => seeds >= self.least,
        };
        is_left && seeds <= self.most && seeds.is_multiple_of(self.step)
    }
}

impl PartialEq for Sheet {
    fn eq(&self, other: &Sheet) -> bool {
        self.id == other.id
    }
}

impl std::fmt::Debug for Sheet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Sheet({})", self.id)
    }
}

#[cfg(feature = "serde")]
impl Serialize for Sheet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id)
    }
}

/// Bao as Kenyan children play it, see [`BaoStores`].
pub const BAO_STORES: Sheet = Sheet {
    id: "bao-stores",
    title: "Bao of Kenyan children, two rows of eight: players sow their own store",
    number: 1,
    half: 8,
    most: 48,
    least: 1,
    step: 1,
    each: 3,
    has_owners: false,
    circling: Circling::Never,
    layers: Layers::BySeeds,
    game: &BaoStores,
};

/// Bao of Kenya with laps, see [`BaoLaps`].
pub const BAO_LAPS: Sheet = Sheet {
    id: "bao-laps",
    title: "Bao of Kenya, two rows of eight, with laps: a cycle splits the remaining seeds evenly",
    number: 2,
    half: 8,
    most: 32,
    least: 1,
    step: 1,
    each: 2,
    has_owners: false,
    circling: Circling::EvenSplit,
    layers: Layers::BySeeds,
    game: &BaoLaps,
};

/// The moves of [`BAO_LAPS`] with what its source says of endless play.
pub const BAO_LAPS_DRAWN: Sheet = Sheet {
    id: "bao-laps-drawn",
    title: "Bao of Kenya, with laps: endless play is a draw",
    number: 3,
    circling: Circling::Drawn,
    ..BAO_LAPS
};

/// A round of Oware Nam Nam, see [`NamNam`].
pub const NAM_NAM: Sheet = Sheet {
    id: "nam-nam",
    title: "Oware Nam Nam, one round: laps, fours are captured at once",
    number: 4,
    half: 6,
    most: 48,
    least: 8,
    step: 4,
    each: 4,
    has_owners: true,
    circling: Circling::EvenSplit,
    layers: Layers::BySeeds,
    game: &NamNam,
};

const fn kujifunza<const COLUMNS: usize>(
    id: &'static str,
    title: &'static str,
    number: u8,
) -> Sheet {
    Sheet {
        id,
        title,
        number,
        half: 2 * COLUMNS,
        most: if COLUMNS < 6 { 48 } else { 8 * COLUMNS },
        least: 1,
        step: 1,
        each: 2,
        has_owners: false,
        circling: Circling::EvenSplit,
        layers: Layers::Alone,
        game: const { &Kujifunza { columns: COLUMNS } },
    }
}

/// Bao la Kujifunza on four rows of two, see [`Kujifunza`].
pub const KUJIFUNZA_2: Sheet = kujifunza::<2>(
    "bao-kujifunza-4x2",
    "Bao la Kujifunza on four rows of two: won, drawn or lost",
    5,
);
/// Bao la Kujifunza on four rows of three.
pub const KUJIFUNZA_3: Sheet =
    kujifunza::<3>("bao-kujifunza-4x3", "Bao la Kujifunza on four rows of three", 6);
/// Bao la Kujifunza on four rows of four.
pub const KUJIFUNZA_4: Sheet =
    kujifunza::<4>("bao-kujifunza-4x4", "Bao la Kujifunza on four rows of four", 7);
/// Bao la Kujifunza on four rows of five.
pub const KUJIFUNZA_5: Sheet =
    kujifunza::<5>("bao-kujifunza-4x5", "Bao la Kujifunza on four rows of five", 8);
/// Bao la Kujifunza on four rows of six.
pub const KUJIFUNZA_6: Sheet =
    kujifunza::<6>("bao-kujifunza-4x6", "Bao la Kujifunza on four rows of six", 9);
/// Bao la Kujifunza on the whole board, four rows of eight.
pub const KUJIFUNZA_8: Sheet = kujifunza::<8>(
    "bao-kujifunza-4x8",
    "Bao la Kujifunza on the whole board, four rows of eight",
    10,
);

/// Every sheet of the other games, in the order they are listed to users.
pub const MANCALAS: [&Sheet; 10] = [
    &BAO_STORES,
    &BAO_LAPS,
    &BAO_LAPS_DRAWN,
    &NAM_NAM,
    &KUJIFUNZA_2,
    &KUJIFUNZA_3,
    &KUJIFUNZA_4,
    &KUJIFUNZA_5,
    &KUJIFUNZA_6,
    &KUJIFUNZA_8,
];

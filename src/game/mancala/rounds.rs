//! The match of Nam Nam: a finite graph above the rounds.
//!
//! Who captures 4a seeds in a round owns a houses in the next one. The *leader*, who owns more,
//! fills the own six houses and chooses the others; the opponent fills the rest. Who did not begin
//! the last round begins the next, and the match is won with all twelve houses. So a vertex is who
//! owns what, up to the turning of the ring, and who begins; its edges are the results of a round,
//! thirteen of them, and behind each stands a choice of the next leader's:
//!
//! ```text
//!   mmmmmmmooooo, leader begins ── 12 houses ──> the leader has won the match
//!                               ──  9 houses ──> ten classes to choose from, the other begins
//!                               ──  6 houses ──> six houses each, the other begins
//!                               ──  4 houses ──> the other leads, with eight houses, and begins
//! ```
//!
//! A table's score is the greatest difference of seeds that a player can secure in a round. It is
//! the edge that good play leads along if it is never worse to own more houses, which has not been
//! proved; [`solve`] says what the match is worth *if* rounds have given scores.
//!
//! # Readings of the source
//!
//! * Who begins the next round is not said: in turn, as at oware.org.
//! * A round that cycles for ever is halved. Where that halves a four, the leader owns whole
//!   fours, for the text gives the loser "the remaining houses".

use std::collections::BTreeMap;

use super::placement::{own_half, owners_text};

/// Houses of the ring.
const RING: u32 = 12;

/// Houses in front of a player.
const ROW: u32 = RING / 2;

/// Who owns the houses in a round, up to the turning of the ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Class {
    /// How many houses the leader owns, so that classes are in order of that.
    houses: u32,
    /// The least mask of the leader's that has the own six.
    owners: u32,
}

impl Class {
    /// The class of the first round: six houses each.
    pub const EQUAL: Class = Class { houses: ROW, owners: (1 << ROW) - 1 };

    /// Returns the class in which the leader owns these houses; `None` if no six of them lie side by
    /// side, which no match leads to.
    pub fn of(leaders: u32) -> Option<Class> {
        let row = own_half(ROW as usize);
        let turned =
            (0..RING).map(|by| (leaders << by | leaders >> (RING - by)) & ((1 << RING) - 1));
        let owners = turned.filter(|turned| turned & row == row).min()?;
        Some(Class { houses: owners.count_ones(), owners })
    }

    /// Returns all classes of rounds, those with fewest houses of the leader's first.
    pub fn all() -> Vec<Class> {
        (ROW..RING).flat_map(Class::with_houses).collect()
    }

    /// Returns what a leader of this many houses can choose from.
    pub fn with_houses(houses: u32) -> Vec<Class> {
        let chosen = (0..1u32 << ROW).filter(|others| others.count_ones() + ROW == houses);
        let mut found: Vec<Class> =
            chosen.filter_map(|others| Class::of(own_half(ROW as usize) | others << ROW)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns the leader's houses, a bit for each, the own six first.
    pub fn owners(self) -> u32 {
        self.owners
    }

    /// Returns how many houses the leader owns.
    pub fn houses(self) -> u32 {
        self.houses
    }

    /// Returns the owners as text, from the leader's seat.
    pub fn text(self) -> String {
        owners_text(self.owners, ROW as usize)
    }
}

/// A vertex: who owns what in a round, and who begins. If both own six houses, the player who
/// begins is the leader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Start {
    class: Class,
    leader_begins: bool,
}

/// What a round leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum After {
    /// One player owns all houses.
    Over {
        /// Whether it is the leader of the round.
        leader_won: bool,
    },
    /// Another round.
    Round {
        /// Whether its leader was the leader of this one.
        same_leader: bool,
        /// What its leader can choose from.
        choices: Vec<Start>,
    },
}

impl Start {
    /// Returns the vertex of a class and of who begins.
    pub fn new(class: Class, leader_begins: bool) -> Start {
        Start { class, leader_begins: leader_begins || class == Class::EQUAL }
    }

    /// Returns all vertices.
    pub fn all() -> Vec<Start> {
        let both = |class| [Start::new(class, true), Start::new(class, false)];
        let mut found: Vec<Start> = Class::all().into_iter().flat_map(both).collect();
        found.dedup();
        found
    }

    /// Returns who owns what.
    pub fn class(self) -> Class {
        self.class
    }

    /// Returns whether the leader begins.
    pub fn leader_begins(self) -> bool {
        self.leader_begins
    }

    /// Returns what follows if the leader has this many houses after the round.
    ///
    /// # Panics
    /// If there are not this many.
    pub fn after(self, houses: u32) -> After {
        assert!(houses <= RING, "houses of the ring");
        if houses == 0 || houses == RING {
            return After::Over { leader_won: houses == RING };
        }
        // Who begins next is the other one.
        let same_leader = match houses {
            ROW => !self.leader_begins,
            houses => houses > ROW,
        };
        let leader_begins = self.leader_begins != same_leader;
        let choices = Class::with_houses(houses.max(RING - houses));
        let choices = choices.into_iter().map(|class| Start::new(class, leader_begins)).collect();
        After::Round { same_leader, choices }
    }
}

/// Returns the houses that the leader of a round owns after it, given by how many of the 48 seeds
/// that leader has got more.
pub fn houses_after(score: i8) -> u32 {
    (ROW as i32 + i32::from(score) / 8) as u32
}

/// What a match is worth to the leader of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// It is won, at the latest with the last of this many rounds.
    Won(u32),
    /// It is lost, at the earliest with the last of this many rounds.
    Lost(u32),
    /// No player can bring it to an end.
    Endless,
}

impl Worth {
    /// What it is a round earlier, to the same leader or to the other player.
    fn a_round_earlier(self, same_leader: bool) -> Worth {
        match (self, same_leader) {
            (Worth::Won(rounds), true) | (Worth::Lost(rounds), false) => Worth::Won(rounds + 1),
            (Worth::Lost(rounds), true) | (Worth::Won(rounds), false) => Worth::Lost(rounds + 1),
            (Worth::Endless, _) => Worth::Endless,
        }
    }

    /// Greater for what is better: a win soon, a loss late.
    fn rank(self) -> (i8, i64) {
        match self {
            Worth::Won(rounds) => (1, -i64::from(rounds)),
            Worth::Lost(rounds) => (-1, i64::from(rounds)),
            Worth::Endless => (0, 0),
        }
    }
}

/// Returns what the match is worth at each vertex to the leader of its round, if the leader gets
/// `score` seeds more than the other in that round and leaders choose their houses well.
pub fn solve(score: impl Fn(Start) -> i8) -> BTreeMap<Start, Worth> {
    let starts = Start::all();
    let after: Vec<After> =
        starts.iter().map(|&start| start.after(houses_after(score(start)))).collect();
    let mut worth: BTreeMap<Start, Worth> =
        starts.iter().map(|&start| (start, Worth::Endless)).collect();
    // In round n what ends within n rounds is known, and nothing else has changed.
    loop {
        let next = starts.iter().zip(&after).map(|(&start, after)| (start, best(after, &worth)));
        let next: BTreeMap<Start, Worth> = next.collect();
        if next == worth {
            return worth;
        }
        worth = next;
    }
}

/// What a result of a round is worth to its leader.
fn best(after: &After, worth: &BTreeMap<Start, Worth>) -> Worth {
    match after {
        After::Over { leader_won: true } => Worth::Won(1),
        After::Over { leader_won: false } => Worth::Lost(1),
        After::Round { same_leader, choices } => {
            let best = choices.iter().map(|choice| worth[choice]).max_by_key(|worth| worth.rank());
            best.expect("a class of this many houses").a_round_earlier(*same_leader)
        }
    }
}

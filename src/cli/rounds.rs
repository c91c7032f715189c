//! `oware rounds`: the match of Nam Nam, a graph above its rounds.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde::Serialize;
use serde_json::json;

use oware_db::error::{Error, Result};
use oware_db::game::mancala::NAM_NAM;
use oware_db::game::mancala::placement::turned_owners;
use oware_db::game::mancala::rounds::{After, Class, Start, Worth, solve};
use oware_db::layer::general::GeneralLayer;

use super::input;
use super::options::TablesArgs;
use super::output;

/// Show the match of Nam Nam: who can own which houses in a round, and what a round leads to
///
/// Without OWNERS: lists the 32 divisions of the houses that a match can reach, up to rotation of
/// the ring, and the tables present for each. With OWNERS: shows what each result of a round leads
/// to. Houses are written from the seat of the leader, who owns six in a row and possibly more;
/// `m` marks the leader's.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  oware rounds\n  oware rounds mmmmmmmooooo --begins other\n  \
                        oware rounds --scores scores.txt")]
pub struct Args {
    /// Owner of each house in a round, as in `mmmmmmmooooo`
    #[arg(value_name = "OWNERS")]
    owners: Option<String>,
    /// Player who begins the round
    #[arg(long, value_name = "WHO", default_value = "leader", requires = "owners")]
    begins: Begins,
    /// Show the value of the match for the round results in this file
    ///
    /// Each line is `OWNERS leader|other SCORE`, with the seeds that the leader gets more than the
    /// other.
    #[arg(long, value_name = "FILE", conflicts_with = "owners")]
    scores: Option<PathBuf>,
    #[command(flatten)]
    tables: TablesArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum Begins {
    /// The player who owns more houses
    Leader,
    /// The player who owns fewer houses
    Other,
}

#[derive(Serialize)]
struct ClassFields {
    owners: String,
    houses: u32,
    /// Seeds of the layers that have a table.
    layers: BTreeSet<usize>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct Round {
    owners: String,
    begins: Begins,
}

/// A result of a round, from the seat of its leader.
#[derive(Serialize)]
struct ResultFields {
    /// What the leader owns then.
    houses: u32,
    /// Who leads the next round, as who that was in this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    leads: Option<Begins>,
    /// Who has won the match.
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<Begins>,
    /// The rounds that can be next, of which the next leader chooses.
    choices: Vec<Round>,
}

#[derive(Serialize)]
struct ValueFields {
    #[serde(flatten)]
    round: Round,
    score: i8,
    /// Who wins the match with best play; none if it has no end.
    winner: Option<Begins>,
    /// Rounds to the end.
    rounds: Option<u32>,
}

impl Args {
    /// Shows the graph.
    pub fn run(self, json: bool) -> Result<()> {
        let rules = NAM_NAM.id;
        let (document, page) = match (&self.owners, &self.scores) {
            (Some(owners), _) => {
                let start = Start::new(class(owners)?, self.begins == Begins::Leader);
                let results: Vec<_> =
                    (0..=12).rev().map(|houses| ResultFields::of(start, houses)).collect();
                let Round { owners, begins } = Round::of(start);
                let page = results_page(&owners, begins, &results);
                let document =
                    json!({"rules": rules, "owners": owners, "begins": begins, "results": results});
                (document, page)
            }
            (None, Some(file)) => {
                let rounds = values(file)?;
                (json!({"rules": rules, "rounds": rounds}), values_page(&rounds))
            }
            (None, None) => {
                let classes = self.classes()?;
                (json!({"rules": rules, "classes": classes}), classes_page(&classes))
            }
        };
        output::result(json, &document, |_| page)
    }

    fn classes(&self) -> Result<Vec<ClassFields>> {
        let layers = self.tables.open()?.available(&NAM_NAM)?;
        let fields = |class: Class| {
            let layers = layers.iter().filter(|layer| Class::of(layer.owners()) == Some(class));
            // Of a class there may be several tables.
            let layers = layers.map(GeneralLayer::seeds).collect();
            ClassFields { owners: class.text(), houses: class.houses(), layers }
        };
        Ok(Class::all().into_iter().map(fields).collect())
    }
}

/// Reads the class of some owners.
fn class(owners: &str) -> Result<Class> {
    let owners = NAM_NAM.parse_owners(owners)?;
    let leaders = match owners.count_ones() {
        0..6 => turned_owners(owners, NAM_NAM.half),
        6.. => owners,
    };
    let none = "no match reaches these owners: the leader's own six houses are adjacent";
    Class::of(leaders).ok_or_else(|| Error::Usage(none.to_owned()))
}

impl Round {
    fn of(start: Start) -> Round {
        Round { owners: start.class().text(), begins: who(start.leader_begins()) }
    }
}

fn who(is_leader: bool) -> Begins {
    if is_leader { Begins::Leader } else { Begins::Other }
}

impl ResultFields {
    fn of(start: Start, houses: u32) -> ResultFields {
        let (leads, winner, choices) = match start.after(houses) {
            After::Over { leader_won } => (None, Some(who(leader_won)), Vec::new()),
            After::Round { same_leader, choices } => (Some(who(same_leader)), None, choices),
        };
        let choices = choices.into_iter().map(Round::of).collect();
        ResultFields { houses, leads, winner, choices }
    }
}

/// Solves the match for the scores of a file.
fn values(file: &Path) -> Result<Vec<ValueFields>> {
    let text = input::text(file)?;
    let mut scores = BTreeMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default();
        if !line.trim().is_empty() {
            let wrong = |what| Error::Usage(format!("{}:{number}: {what}", file.display()));
            let (start, score) = read_score(line).map_err(wrong)?;
            if scores.insert(start, score).is_some() {
                return Err(wrong("the round has a score on a line before".to_owned()));
            }
        }
    }
    if let Some(start) = Start::all().into_iter().find(|start| !scores.contains_key(start)) {
        let Round { owners, begins } = Round::of(start);
        let begins = begins.name();
        return Err(Error::Usage(format!(
            "{}: no score of the round `{owners} {begins}`; each of the 63 rounds needs one",
            file.display()
        )));
    }
    let worth = solve(|start| scores[&start]);
    let fields = |(start, worth): (Start, Worth)| {
        let (winner, rounds) = match worth {
            Worth::Won(rounds) => (Some(Begins::Leader), Some(rounds)),
            Worth::Lost(rounds) => (Some(Begins::Other), Some(rounds)),
            Worth::Endless => (None, None),
        };
        ValueFields { round: Round::of(start), score: scores[&start], winner, rounds }
    };
    Ok(worth.into_iter().map(fields).collect())
}

/// Reads `OWNERS leader|other SCORE`.
fn read_score(line: &str) -> std::result::Result<(Start, i8), String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [owners, begins, score] = words[..] else {
        return Err("a line is `OWNERS leader|other SCORE`".to_owned());
    };
    let class = class(owners).map_err(|error| error.to_string())?;
    let begins = Begins::from_str(begins, false)
        .map_err(|_| format!("`{begins}` is neither `leader` nor `other`"))?;
    let is_score = |score: &i8| score.unsigned_abs() <= 48 && score % 4 == 0;
    let score = score.parse().ok().filter(is_score);
    let score = score.ok_or("a score is a multiple of four, from -48 to 48")?;
    Ok((Start::new(class, begins == Begins::Leader), score))
}

impl Begins {
    fn name(self) -> String {
        self.to_possible_value().expect("none is hidden").get_name().to_owned()
    }

    fn of_round(self) -> &'static str {
        match self {
            Begins::Leader => "the leader",
            Begins::Other => "the other player",
        }
    }
}

fn classes_page(classes: &[ClassFields]) -> String {
    let mut page = "Rounds of a match of Nam Nam, up to rotation of the ring:\n\n".to_owned();
    page += "  houses  owners        tables of seeds\n";
    for ClassFields { owners, houses, layers } in classes {
        let layers: Vec<String> = layers.iter().map(usize::to_string).collect();
        let layers = if layers.is_empty() { "-".to_owned() } else { layers.join(" ") };
        page += &format!("  {houses:>6}  {owners}  {layers}\n");
    }
    page
}

fn results_page(owners: &str, begins: Begins, results: &[ResultFields]) -> String {
    let begins = begins.of_round();
    let mut page = format!("Round {owners}, {begins} begins. What the leader owns after it:\n\n");
    for ResultFields { houses, leads, winner, choices } in results {
        page += &match (leads, winner) {
            (Some(leads), _) => next(*houses, *leads, choices),
            (None, winner) => {
                let winner = winner.unwrap_or(Begins::Other).of_round();
                format!("  {houses:>2} houses: {winner} has won the match\n")
            }
        };
    }
    page
}

/// A line about the next round.
fn next(houses: u32, leads: Begins, choices: &[Round]) -> String {
    let leads_on = match (houses, leads) {
        (6, _) => "six houses each".to_owned(),
        (_, leads) => format!("{} leads with {}", leads.of_round(), houses.max(12 - houses)),
    };
    // The leader of the next round, or the other one, is the leader of this one, or is not.
    let beginner = choices.first().map_or(leads, |round| who(round.begins == leads));
    let classes: Vec<&str> = choices.iter().map(|round| round.owners.as_str()).collect();
    let choose = if classes.len() > 1 { "one of " } else { "" };
    format!(
        "  {houses:>2} houses: {leads_on}, {} begins: {choose}{}\n",
        beginner.of_round(),
        classes.join(" ")
    )
}

fn values_page(rounds: &[ValueFields]) -> String {
    let mut page = "The match, if rounds have these scores for their leader:\n\n".to_owned();
    for ValueFields { round: Round { owners, begins }, score, winner, rounds } in rounds {
        let worth = match (winner, rounds) {
            (Some(winner), Some(1)) => format!("{} wins with it", winner.of_round()),
            (Some(winner), Some(rounds)) => {
                format!("{} wins with the last of {rounds} rounds", winner.of_round())
            }
            _ => "the match has no end".to_owned(),
        };
        page += &format!("  {owners} {:<6} {score:>4}  {worth}\n", begins.name());
    }
    page
}

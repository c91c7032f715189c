//! `oware rounds`: the match of Nam Nam, a graph above its rounds.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde::Serialize;
use serde_json::{Value, json};

use crate::error::{Error, Result};
use crate::game::mancala::NAM_NAM;
use crate::game::mancala::placement::turned_owners;
use crate::game::mancala::rounds::{After, Class, Start, Worth, solve};
use crate::layer::general::GeneralLayer;

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

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum Begins {
    /// The player who owns more houses
    Leader,
    /// The player who owns fewer houses
    Other,
}

/// A document, and what people read of it.
type Shown = (Value, String);

impl Args {
    /// Shows the graph.
    pub fn run(self, json: bool) -> Result<()> {
        let (document, page) = match (&self.owners, &self.scores) {
            (Some(owners), _) => results(Start::new(class(owners)?, self.begins == Begins::Leader)),
            (None, Some(file)) => values(&scores(file)?),
            (None, None) => self.classes()?,
        };
        output::result(json, &document, |_| page)
    }

    /// Shows the classes, and of which seeds each has tables.
    fn classes(&self) -> Result<Shown> {
        let tables = self.tables.open()?.available(&NAM_NAM)?;
        let mut page = "Rounds of a match of Nam Nam, up to rotation of the ring:\n\n".to_owned();
        page += "  houses  owners        tables of seeds\n";
        let mut classes = Vec::new();
        for class in Class::all() {
            let of_class = tables.iter().filter(|layer| Class::of(layer.owners()) == Some(class));
            // Of a class there may be several tables.
            let layers: BTreeSet<usize> = of_class.map(GeneralLayer::seeds).collect();
            let (owners, houses) = (class.text(), class.houses());
            let seeds: Vec<String> = layers.iter().map(usize::to_string).collect();
            let seeds = if seeds.is_empty() { "-".to_owned() } else { seeds.join(" ") };
            page += &format!("  {houses:>6}  {owners}  {seeds}\n");
            classes.push(json!({"owners": owners, "houses": houses, "layers": layers}));
        }
        Ok((json!({"rules": NAM_NAM.id, "classes": classes}), page))
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

/// Shows what a round leads to, result by result, from the seat of its leader.
fn results(start: Start) -> Shown {
    let (owners, begins) = named(start);
    let begins_it = begins.player();
    let mut page =
        format!("Round {owners}, {begins_it} begins. What the leader owns after it:\n\n");
    let mut results = Vec::new();
    for houses in (0..=12).rev() {
        match start.after(houses) {
            After::Over { leader_won } => {
                let winner = who(leader_won);
                page += &format!("  {houses:>2} houses: {} has won the match\n", winner.player());
                results.push(json!({"houses": houses, "winner": winner, "choices": []}));
            }
            After::Round { same_leader, choices } => {
                page += &next(houses, same_leader, &choices);
                let leads = who(same_leader);
                let round = |(owners, begins)| json!({"owners": owners, "begins": begins});
                let choices: Vec<Value> = choices.into_iter().map(named).map(round).collect();
                results.push(json!({"houses": houses, "leads": leads, "choices": choices}));
            }
        }
    }
    let rules = NAM_NAM.id;
    (json!({"rules": rules, "owners": owners, "begins": begins, "results": results}), page)
}

/// A line about the next round, whose leader chooses.
fn next(houses: u32, same_leader: bool, choices: &[Start]) -> String {
    let leads_on = match houses {
        6 => "six houses each".to_owned(),
        _ => format!("{} leads with {}", who(same_leader).player(), houses.max(12 - houses)),
    };
    // The leader of the next round, or the other one, is the leader of this one, or is not.
    let beginner = who(choices[0].leader_begins() == same_leader);
    let classes: Vec<String> = choices.iter().map(|round| round.class().text()).collect();
    let choose = if classes.len() > 1 { "one of " } else { "" };
    format!(
        "  {houses:>2} houses: {leads_on}, {} begins: {choose}{}\n",
        beginner.player(),
        classes.join(" ")
    )
}

/// Shows what the match is worth if rounds have these scores: who wins with best play, in how many
/// rounds.
fn values(scores: &BTreeMap<Start, i8>) -> Shown {
    let mut page = "The match, if rounds have these scores for their leader:\n\n".to_owned();
    let mut rounds = Vec::new();
    for (start, worth) in solve(|start| scores[&start]) {
        let won = match worth {
            Worth::Won(rounds) => Some((Begins::Leader, rounds)),
            Worth::Lost(rounds) => Some((Begins::Other, rounds)),
            Worth::Endless => None,
        };
        let text = match won {
            Some((winner, 1)) => format!("{} wins with it", winner.player()),
            Some((winner, last)) => {
                format!("{} wins with the last of {last} rounds", winner.player())
            }
            None => "the match has no end".to_owned(),
        };
        let ((owners, begins), score) = (named(start), scores[&start]);
        page += &format!("  {owners} {:<6} {score:>4}  {text}\n", begins.name());
        let (winner, last) = won.unzip();
        rounds.push(json!({
            "owners": owners, "begins": begins, "score": score, "winner": winner, "rounds": last,
        }));
    }
    (json!({"rules": NAM_NAM.id, "rounds": rounds}), page)
}

/// Reads the scores of all rounds from a file.
fn scores(file: &Path) -> Result<BTreeMap<Start, i8>> {
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
    let Some(start) = Start::all().into_iter().find(|start| !scores.contains_key(start)) else {
        return Ok(scores);
    };
    let (owners, begins) = named(start);
    Err(Error::Usage(format!(
        "{}: no score of the round `{owners} {}`; each of the 63 rounds needs one",
        file.display(),
        begins.name()
    )))
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

/// Returns who owns what in a round, as text, and who begins.
fn named(start: Start) -> (String, Begins) {
    (start.class().text(), who(start.leader_begins()))
}

fn who(is_leader: bool) -> Begins {
    if is_leader { Begins::Leader } else { Begins::Other }
}

impl Begins {
    fn name(self) -> &'static str {
        match self {
            Begins::Leader => "leader",
            Begins::Other => "other",
        }
    }

    fn player(self) -> &'static str {
        match self {
            Begins::Leader => "the leader",
            Begins::Other => "the other player",
        }
    }
}

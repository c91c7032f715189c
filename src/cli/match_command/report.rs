//! What a match has come to, as JSON and for people.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::engine::arena::{
    Contestant, Finish, Match, MatchScore, Openings, Sprt, SprtState, Times,
};
use crate::engine::driver::Launch;
use crate::game::Seat;

use super::schedule::{NumberedGame, Played};

/// What a match has come to.
#[derive(Serialize)]
pub struct MatchReport {
    rules: &'static str,
    engines: [NamedEngine; 2],
    go: String,
    /// The file that openings come from; without one they are drawn by these numbers.
    pub openings: Option<String>,
    openings_seed: Option<u64>,
    opening_plies: Option<u32>,
    most_plies: usize,
    /// Games that were to be played.
    planned: u64,
    /// Why less were played, but for a test that has decided.
    pub cut_short: Option<String>,
    /// Of the first engine.
    #[serde(flatten)]
    score: MatchScore,
    south_score: f64,
    mean_plies: f64,
    /// Number of games by how they ended.
    endings: BTreeMap<&'static str, u32>,
    forfeits: Vec<Forfeit>,
    /// What each engine thought.
    time: [ThinkingTime; 2],
    /// The test that may have ended the match.
    sprt: Option<SprtState>,
    results: Vec<NumberedGame>,
}

/// An engine: its command line, and what it calls itself.
#[derive(Serialize)]
struct NamedEngine {
    command: String,
    name: Option<String>,
}

/// What an engine thought, in milliseconds.
#[derive(Serialize)]
struct ThinkingTime {
    moves: u32,
    mean_ms: f64,
    longest_ms: f64,
}

/// A game that was lost by a missing or illegal move.
#[derive(Serialize)]
struct Forfeit {
    /// Number of the game, from 1 on.
    game: u64,
    /// Number of the engine that lost, 1 or 2.
    engine: u8,
    why: String,
}

impl MatchReport {
    /// Adds up the games of a match of which `planned` were to be played.
    pub fn new(
        terms: &Match,
        launches: [Launch; 2],
        played: Played,
        planned: u64,
        sprt: Option<Sprt>,
    ) -> MatchReport {
        let mut score = MatchScore::default();
        let mut south = MatchScore::default();
        let mut endings: BTreeMap<&'static str, u32> = BTreeMap::new();
        let mut time = [Times::default(); 2];
        for NumberedGame { played: game, .. } in &played.games {
            score.add(game.result);
            south.add(if game.first == Seat::South { game.result } else { 1.0 - game.result });
            *endings.entry(game.finish.name()).or_default() += 1;
            time.iter_mut().zip(game.times).for_each(|(sum, times)| sum.merge(times));
        }
        let (openings_seed, opening_plies) = match terms.openings {
            Openings::Drawn { seed, plies } => (Some(seed), Some(plies)),
            Openings::Given(_) => (None, None),
        };
        let plies: usize = played.games.iter().map(|game| game.played.moves.len()).sum();
        MatchReport {
            rules: terms.rules.id,
            planned,
            cut_short: None,
            go: terms.pace.to_string().trim_start_matches("go ").to_owned(),
            openings: None,
            openings_seed,
            opening_plies,
            most_plies: terms.most_plies,
            score,
            south_score: south.score(),
            mean_plies: plies as f64 / played.games.len() as f64,
            endings,
            forfeits: forfeits(&played.games),
            time: time.map(|times| ThinkingTime {
                moves: times.moves,
                mean_ms: times.mean_milliseconds(),
                longest_ms: times.longest.as_secs_f64() * 1000.0,
            }),
            sprt: played.decided.or_else(|| sprt.map(|sprt| sprt.state(played.pairs()))),
            engines: launches.map(|launch| {
                let name = launch.introduction().name;
                NamedEngine { command: launch.command, name }
            }),
            results: played.games,
        }
    }

    /// Returns the report for people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (number, engine) in (1..).zip(&self.engines) {
            let name = engine.name.as_deref().unwrap_or("it gave no name");
            text += &format!("Engine {number}: {} ({name})\n", engine.command);
        }
        if let Some(why) = &self.cut_short {
            let (played, planned) = (self.score.games(), self.planned);
            text += &format!("Cut short after {played} of {planned} games: {why}.\n");
        }
        let (games, rules, go, openings) =
            (self.score.games(), self.rules, &self.go, self.openings());
        text += &format!(
            "{games} games of `{rules}`, go {go}, {openings}, each played with both sides.\n\n"
        );
        text + &self.strength() + &self.games() + &self.times()
    }

    fn openings(&self) -> String {
        match (&self.openings, self.openings_seed, self.opening_plies) {
            (None, Some(seed), Some(plies)) => {
                format!("openings of {plies} random plies (--openings-seed {seed})")
            }
            (file, ..) => format!("openings of {}", file.as_deref().unwrap_or_default()),
        }
    }

    fn times(&self) -> String {
        let line = |(number, time): (u32, &ThinkingTime)| {
            let ThinkingTime { mean_ms, longest_ms, .. } = time;
            format!(
                "Engine {number} thought {mean_ms:.1} ms per move, {longest_ms:.0} ms at \
                     most.\n"
            )
        };
        let times: String = (1..).zip(&self.time).map(line).collect();
        let sprt = self.sprt.map_or(String::new(), |sprt| format!("{sprt}.\n"));
        times + &sprt
    }

    fn strength(&self) -> String {
        let MatchScore { wins, draws, losses } = self.score;
        let score = percent(self.score.score());
        let (low, high) = self.score.bounds();
        let (low, high) = (percent(low), percent(high));
        let [value, least, most] = self.score.elo().map(elo);
        format!(
            "Engine 1 won {wins}, drew {draws} and lost {losses}: a score of {score} % \
             ({low} to {high} %, 95 % confidence),\n\
             an Elo difference of {value} ({least} to {most}).\n\n"
        )
    }

    fn games(&self) -> String {
        let endings: Vec<String> =
            self.endings.iter().map(|(name, count)| format!("{count} {}", ending(name))).collect();
        let mut text = format!(
            "Games ended: {}; {:.1} plies on average after the opening. South scored {} %.\n",
            endings.join(", "),
            self.mean_plies,
            percent(self.south_score)
        );
        for Forfeit { game, engine, why } in &self.forfeits {
            text += &format!("Game {game} was lost by engine {engine}: {why}\n");
        }
        text
    }
}

fn forfeits(games: &[NumberedGame]) -> Vec<Forfeit> {
    let forfeit = |&NumberedGame { game, ref played }| {
        let Finish::Forfeit(engine, attempt) = &played.finish else { return None };
        let engine = 1 + u8::from(*engine == Contestant::Second);
        Some(Forfeit { game, engine, why: attempt.to_string() })
    };
    games.iter().filter_map(forfeit).collect()
}

fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

fn elo(difference: Option<f64>) -> String {
    difference.map_or("no bound".to_owned(), |difference| format!("{difference:+.0}"))
}

/// Returns the words for how games ended.
fn ending(name: &str) -> &str {
    match name {
        "decided" => "by 25 seeds",
        "repetition" => "by repetition",
        "no_move" => "without a move left",
        "most_plies" => "by the limit on moves",
        "adjudicated" => "by the tables",
        "claimed" => "as an engine claimed, by another repetition rule",
        _ => "by forfeit",
    }
}

//! `oware match`: two engines play each other.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use oware_db::engine::arena::{Contest, Elo, Engine, Finish, Played, Tally};
use oware_db::engine::driver::{Answer, Driver, Launch};
use oware_db::engine::protocol::Go;
use oware_db::error::{Error, Result};
use oware_db::game::Seat;

use super::{RulesArg, guard, interrupt, output};

/// Let two engines play each other, and tell by how much one is stronger
///
/// Both speak the engines' protocol. Games come in pairs: a random opening is played twice, with
/// sides swapped. 25 seeds decide a game, a repeated position ends it as the sheet has it, and so does
/// the cap on moves; an engine that is late, crashes or wants an illegal move loses the game. The score
/// comes with the bounds between which the true one lies with 95 % confidence (Wilson's interval).
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  oware match --engine \"oware engine\" --engine \"oware engine --no-tables\" \
                        --games 100 --movetime 50"
)]
pub struct Args {
    #[command(flatten)]
    rules: RulesArg,
    /// Command line of an engine; give two. Words are split as a shell does, nothing is expanded
    #[arg(long = "engine", value_name = "CMD", required = true)]
    engines: Vec<String>,
    /// Games to play; an odd number is rounded up
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Milliseconds for a move; 100 if nothing else limits it
    #[arg(long, value_name = "MS", conflicts_with = "depth")]
    movetime: Option<u64>,
    /// Plies to look ahead, instead of a time
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// How openings are drawn
    #[arg(long, value_name = "S", default_value_t = 1)]
    openings_seed: u64,
    /// Random plies of an opening
    #[arg(long, value_name = "N", default_value_t = 8)]
    opening_plies: u32,
    /// Plies after the opening, at most; what is left is then counted as on a cycle
    #[arg(long, value_name = "N", default_value_t = 400)]
    most_plies: usize,
    /// Milliseconds that an engine may take beyond its time
    #[arg(long, value_name = "MS", default_value_t = 5000)]
    timeout: u64,
    /// Set an option of both engines
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parse_option)]
    options: Vec<(String, String)>,
    /// Write the games in OGN, for `oware verify --games` and others
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Games played at the same time
    #[arg(long, value_name = "N", default_value = "1")]
    concurrency: NonZeroUsize,
}

/// Reads `NAME=VALUE`.
pub fn parse_option(text: &str) -> std::result::Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

impl Args {
    /// Plays.
    pub fn run(self, json: bool) -> Result<ExitCode> {
        let [first, second] = &self.engines[..] else {
            return Err(Error::Usage("a match has two engines; give --engine twice".to_owned()));
        };
        let launches = [self.launch(first)?, self.launch(second)?];
        let contest = Contest {
            rules: self.rules.rules,
            seed: self.openings_seed,
            opening: self.opening_plies,
            go: self.go(),
            most_plies: self.most_plies,
        };
        let games = u64::from(self.games).next_multiple_of(2);
        let (names, played) = play(&contest, &launches, games, self.concurrency)?;
        if let Some(path) = &self.record {
            std::fs::write(path, self.records(&names, &played))
                .map_err(Error::io("writing", path))?;
        }
        let report = self.report(names, played);
        match json {
            true => output::document(&report)?,
            false => output::text(&report.text())?,
        }
        Ok(ExitCode::SUCCESS)
    }

    /// A new start for each game, should one be needed.
    fn launch(&self, command: &str) -> Result<Launch> {
        let launch = Launch::new(command)?
            .with_options(self.options.clone())
            .with_rules(self.rules.rules)
            .with_timeout(Duration::from_millis(self.timeout))
            .with_restarts(self.games.saturating_add(1));
        guard::guarded(launch)
    }

    fn go(&self) -> Go {
        let movetime = self.movetime.or(self.depth.is_none().then_some(100));
        Go { depth: self.depth, movetime: movetime.map(Duration::from_millis), ..Go::default() }
    }

    fn records(&self, names: &[Option<String>; 2], played: &[Played]) -> String {
        let name = |at: usize| names[at].as_deref().unwrap_or(&self.engines[at]);
        // Engines that call themselves the same are told apart.
        let same = name(0) == name(1);
        let named = |at: usize| {
            if same { format!("{} ({})", name(at), at + 1) } else { name(at).to_owned() }
        };
        let (first, second) = (named(0), named(1));
        let record = |(round, game): (u64, &Played)| {
            game.record(self.rules.rules, round, [&first, &second]).to_string()
        };
        (1..).zip(played).map(record).collect::<Vec<_>>().join("\n")
    }

    fn report(&self, names: [Option<String>; 2], played: Vec<Played>) -> Report {
        let mut tally = Tally::default();
        let mut endings: BTreeMap<&'static str, u32> = BTreeMap::new();
        let mut forfeits = Vec::new();
        let mut south = Tally::default();
        for (number, game) in played.iter().enumerate() {
            tally.add(game.result);
            south.add((f64::from(game.margin.get().signum()) + 1.0) / 2.0);
            *endings.entry(game.finish.name()).or_default() += 1;
            if let Finish::Forfeit(engine, answer) = &game.finish {
                let engine = 1 + u8::from(*engine == Engine::Second);
                forfeits.push(Forfeit { game: number, engine, why: why(answer) });
            }
        }
        let (score_low, score_high) = tally.bounds();
        let Elo { value: elo, low: elo_low, high: elo_high } = tally.elo();
        let plies: usize = played.iter().map(|game| game.moves.len()).sum();
        Report {
            rules: self.rules.rules.id,
            engines: self
                .engines
                .iter()
                .cloned()
                .zip(names)
                .map(|(command, name)| Named { command, name })
                .collect(),
            go: self.go().to_string().trim().to_owned(),
            openings_seed: self.openings_seed,
            opening_plies: self.opening_plies,
            most_plies: self.most_plies,
            games: tally.games(),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            score: tally.score(),
            score_low,
            score_high,
            elo,
            elo_low,
            elo_high,
            south_score: south.score(),
            mean_plies: plies as f64 / played.len() as f64,
            endings,
            forfeits,
            results: played.iter().map(GameLine::from).collect(),
        }
    }
}

/// Plays all games and gives them in order, with what the engines call themselves.
fn play(
    contest: &Contest,
    launches: &[Launch; 2],
    games: u64,
    concurrency: NonZeroUsize,
) -> Result<([Option<String>; 2], Vec<Played>)> {
    let interrupt = interrupt::flag();
    let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{bar:30} {pos} of {len} games, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let table =
        Tables { contest, games, next: AtomicU64::new(0), done: Mutex::default(), bar: &bar };
    let workers = concurrency.get().min(games as usize);
    let results: Vec<Result<[Option<String>; 2]>> = thread::scope(|scope| {
        let work = || table.work(launches, &interrupt);
        let started: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        started.into_iter().map(|worker| worker.join().expect("a worker does not panic")).collect()
    });
    bar.finish_and_clear();
    let names = results.into_iter().collect::<Result<Vec<_>>>()?;
    let mut played = table.done.into_inner().expect("nobody panicked");
    played.sort_by_key(|(number, _)| *number);
    let names = names.into_iter().next().expect("there is a worker");
    Ok((names, played.into_iter().map(|(_, game)| game).collect()))
}

/// What workers share.
struct Tables<'a> {
    contest: &'a Contest,
    games: u64,
    next: AtomicU64,
    done: Mutex<Vec<(u64, Played)>>,
    bar: &'a ProgressBar,
}

impl Tables<'_> {
    /// Plays games as long as there are any, with two engines of its own.
    fn work(&self, launches: &[Launch; 2], interrupt: &AtomicBool) -> Result<[Option<String>; 2]> {
        let mut engines =
            [Driver::new(&launches[0], interrupt), Driver::new(&launches[1], interrupt)];
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.games {
                return Ok(engines.map(|engine| engine.name().map(str::to_owned)));
            }
            let [first, second] = &mut engines;
            match self.contest.play(number, [first, second]) {
                Ok(game) => self.done.lock().expect("nobody panicked").push((number, game)),
                Err(error) => {
                    // Nobody need go on.
                    self.next.store(self.games, Ordering::Relaxed);
                    return Err(error);
                }
            }
            self.bar.inc(1);
        }
    }
}

/// An answer that loses, in words.
pub fn why(answer: &Answer) -> String {
    match answer {
        Answer::Move(_) | Answer::NoMove => "it said that there is no move".to_owned(),
        Answer::Illegal { said } => format!("illegal move `{said}`"),
        Answer::Garbled { said } => format!("cannot be understood: `{said}`"),
        Answer::TimedOut => "time-out".to_owned(),
        Answer::Flooded => "endless output".to_owned(),
        Answer::Crashed { how } => format!("crash: {how}"),
        Answer::GaveUp => "it has crashed too often".to_owned(),
    }
}

#[derive(Serialize)]
struct Report {
    rules: &'static str,
    engines: Vec<Named>,
    go: String,
    openings_seed: u64,
    opening_plies: u32,
    most_plies: usize,
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    score: f64,
    score_low: f64,
    score_high: f64,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    south_score: f64,
    mean_plies: f64,
    endings: BTreeMap<&'static str, u32>,
    forfeits: Vec<Forfeit>,
    results: Vec<GameLine>,
}

#[derive(Serialize)]
struct Named {
    command: String,
    name: Option<String>,
}

#[derive(Serialize)]
struct Forfeit {
    game: usize,
    engine: u8,
    why: String,
}

#[derive(Serialize)]
struct GameLine {
    first: &'static str,
    opening: String,
    moves: String,
    ending: &'static str,
    margin: i8,
    result: f64,
}

impl From<&Played> for GameLine {
    fn from(game: &Played) -> GameLine {
        let letters =
            |plies: &[oware_db::game::Ply]| plies.iter().map(ToString::to_string).collect();
        GameLine {
            first: if game.first == Seat::South { "South" } else { "North" },
            opening: letters(&game.opening.moves),
            moves: letters(&game.moves),
            ending: game.finish.name(),
            margin: game.margin.get(),
            result: game.result,
        }
    }
}

impl Report {
    fn text(&self) -> String {
        let mut text = String::new();
        for (number, engine) in (1..).zip(&self.engines) {
            let name = engine.name.as_deref().unwrap_or("it gave no name");
            let _ = writeln!(text, "Engine {number}: {} ({name})", engine.command);
        }
        let Report { games, wins, draws, losses, .. } = self;
        let _ = writeln!(
            text,
            "{games} games of `{}`, go {}, openings of {} random plies (--openings-seed {}), each played with both sides.\n",
            self.rules, self.go, self.opening_plies, self.openings_seed
        );
        let _ = writeln!(
            text,
            "Engine 1 won {wins}, drew {draws} and lost {losses}: a score of {} % ({} to {} %, 95 % confidence),",
            percent(self.score),
            percent(self.score_low),
            percent(self.score_high)
        );
        let _ = writeln!(
            text,
            "an Elo difference of {} ({} to {}).\n",
            elo(self.elo),
            elo(self.elo_low),
            elo(self.elo_high)
        );
        let endings: Vec<String> =
            self.endings.iter().map(|(name, count)| format!("{count} {}", told(name))).collect();
        let _ = writeln!(
            text,
            "Games ended: {}; {:.1} plies on average after the opening. South scored {} %.",
            endings.join(", "),
            self.mean_plies,
            percent(self.south_score)
        );
        for Forfeit { game, engine, why } in &self.forfeits {
            let _ = writeln!(text, "Game {game} was lost by engine {engine}: {why}");
        }
        text
    }
}

fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

fn elo(difference: Option<f64>) -> String {
    difference.map_or("no bound".to_owned(), |difference| format!("{difference:+.0}"))
}

fn told(ending: &str) -> &str {
    match ending {
        "decided" => "by 25 seeds",
        "repetition" => "by repetition",
        "no_move" => "without a move left",
        "most_plies" => "by the cap on moves",
        _ => "by forfeit",
    }
}

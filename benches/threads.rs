//! What many threads would do: the schedule of a layer, played on threads that nobody here has.
//!
//! One thread solves a layer that is cut for `T` threads, and notes what each task takes
//! ([`oware_db::timeline`]). Then the tasks are handed out to `T` threads as the program hands them
//! out: in order, each to the first thread that is free, locks passed on in order. What lies
//! between regions is done by one thread while the others wait. The model knows no memory bus and
//! no caches that are shared; what it says is how much the schedule leaves idle.
//!
//! `cargo bench --bench threads` plays `awari` and `abapa`, 20 and 24 seeds; `LAYERS=22`,
//! `SHEETS=masters`, `THREADS=16`, `GAME_SEEDS=24` ask for others, and `STRATEGIES=0` leaves them
//! out. The figures are good if nothing else works beside it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};
use std::time::Duration;

use oware_db::game::{Rules, SHEETS, Seeds};
use oware_db::layer::Layer;
use oware_db::solver::{InMemory, Kernel, Solver, Unobserved};
use oware_db::timeline::{Mark, record};

/// Nanoseconds.
type Time = u64;

/// How often a layer is solved. Of each step the least time counts: whoever else is at work on the
/// machine now and then makes one step long, and of a step that all wait for that would be much.
const RUNS: usize = 3;

/// What one thread does in a row, in a lock or without.
type Step = (Option<usize>, Time);

/// What happens one after the other.
enum Piece {
    /// One thread works.
    Alone(String, Time),
    /// All do.
    Shared(&'static str, Vec<Vec<Step>>),
}

fn main() {
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    for sheet in list("SHEETS", "awari,abapa") {
        let rules = SHEETS.into_iter().find(|rules| rules.id == sheet).expect("a sheet of Oware");
        for seeds in list("LAYERS", "20,24").iter().map(|layer| seeds(layer)) {
            for threads in list("THREADS", "4,16,32,64") {
                let threads = threads.parse().expect("a number of threads");
                let pieces = alone.install(|| pieces(rules, seeds, threads));
                println!("{sheet}, {seeds} seeds, {threads} threads");
                report(&pieces, threads);
            }
        }
    }
}

/// The words of a variable, or else those usual.
fn list(variable: &str, usual: &str) -> Vec<String> {
    let words = std::env::var(variable).unwrap_or_else(|_| usual.to_owned());
    words.split(',').map(str::to_owned).collect()
}

fn seeds(text: &str) -> Seeds {
    Seeds::new(text.parse().expect("a number of seeds")).expect("48 at most")
}

/// Solves a layer, cut for so many threads, on this one.
fn pieces(rules: &'static Rules, seeds: Seeds, threads: usize) -> Vec<Piece> {
    let game = std::env::var("GAME_SEEDS").ok().map(|game| self::seeds(&game));
    let solver = || {
        let solver = Solver::new(rules, Kernel::best()).for_games_of(game);
        match std::env::var("STRATEGIES").as_deref() {
            Ok("0") => solver.without_strategies(),
            _ => solver,
        }
    };
    let (mut solver, mut lower) = (solver().with_threads(threads), InMemory::default());
    for below in seeds.up_to().filter(|&below| below != seeds) {
        lower.push(solver.solve(below, &lower, &Unobserved).expect("solved"));
    }
    // Plans and pages are there after a first run, as they are when layers follow each other.
    solver.solve(seeds, &lower, &Unobserved).expect("solved");
    let mut times: Vec<(Mark, Time)> = Vec::new();
    for run in 0..RUNS {
        let (solved, marks) = record(|| solver.solve(seeds, &lower, &Unobserved));
        let positions = Layer::of(rules, seeds).positions();
        assert_eq!(solved.expect("solved").layer().positions(), positions);
        let found = marks.windows(2).map(|pair| {
            let time = pair[1].0.duration_since(pair[0].0).as_nanos() as Time;
            (pair[0].1, time)
        });
        if run == 0 {
            times = found.collect();
        } else {
            assert_eq!(times.len(), marks.len() - 1, "the same each time");
            times.iter_mut().zip(found).for_each(|(least, (_, time))| least.1 = least.1.min(time));
        }
    }
    cut(&times)
}

/// Cuts what one thread has done into pieces.
fn cut(times: &[(Mark, Time)]) -> Vec<Piece> {
    let (mut pieces, mut tasks, mut depth) = (Vec::new(), Vec::<Vec<Step>>::new(), 0);
    let mut name = "";
    for &(mark, time) in times {
        match mark {
            Mark::Region(found) => {
                depth += 1;
                if depth == 1 {
                    name = found;
                }
            }
            Mark::End => {
                depth -= i32::from(depth > 0);
                if depth == 0 && !tasks.is_empty() {
                    pieces.push(Piece::Shared(name, std::mem::take(&mut tasks)));
                }
            }
            Mark::Task => tasks.push(Vec::new()),
            Mark::Enter(_) | Mark::Leave => {}
        }
        let lock = match mark {
            Mark::Enter(number) => Some(number),
            _ => None,
        };
        match tasks.last_mut() {
            Some(task) => task.push((lock, time)),
            None => pieces.push(Piece::Alone(format!("alone, {name} behind"), time)),
        }
    }
    pieces
}

/// How long so many threads take for the tasks of a region.
fn play(tasks: &[Vec<Step>], threads: usize) -> Time {
    let mut free: BinaryHeap<Reverse<Time>> = (0..threads).map(|_| Reverse(0)).collect();
    let (mut left, mut last) = (HashMap::<usize, Time>::new(), 0);
    for task in tasks {
        let Reverse(mut now) = free.pop().expect("a thread");
        for &(lock, time) in task {
            match lock {
                None => now += time,
                Some(lock) => {
                    let left = left.entry(lock).or_default();
                    now = now.max(*left) + time;
                    *left = now;
                }
            }
        }
        last = last.max(now);
        free.push(Reverse(now));
    }
    last
}

/// Prints how busy the threads are, and what they wait in.
fn report(pieces: &[Piece], threads: usize) {
    let mut parts = BTreeMap::<&str, [Time; 2]>::new();
    for piece in pieces {
        let (name, work, time) = match piece {
            Piece::Alone(name, time) => (name.as_str(), *time, *time),
            Piece::Shared(name, tasks) => {
                let work = tasks.iter().flatten().map(|(_, time)| time).sum();
                (*name, work, play(tasks, threads))
            }
        };
        let part = parts.entry(name).or_default();
        *part = [part[0] + work, part[1] + time];
    }
    let sum = |which: usize| parts.values().map(|part| part[which]).sum::<Time>();
    let (work, time) = (sum(0), sum(1));
    let seconds = |time| Duration::from_nanos(time).as_secs_f64();
    let busy = |work: Time, time: Time| 100.0 * work as f64 / (threads as f64 * time as f64);
    println!(
        "  {:.3} s on one thread, {:.3} s on {threads}: {:.1} % busy",
        seconds(work),
        seconds(time),
        busy(work, time)
    );
    let mut parts: Vec<_> = parts.into_iter().collect();
    parts.sort_by_key(|(_, [work, time])| Reverse((*time * threads as Time).saturating_sub(*work)));
    for (name, [part, took]) in parts {
        let share = |part: Time, all: Time| 100.0 * part as f64 / all as f64;
        println!(
            "    {name:32} {:5.1} % of the work, {:5.1} % of the time, {:5.1} % busy",
            share(part, work),
            share(took, time),
            busy(part, took)
        );
    }
}

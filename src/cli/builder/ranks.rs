//! Builds that `mpirun` has started: rank 0 builds, the others help it to solve and to encode.
//!
//! Ranks but the first read no tables, write nothing and show nothing. Whatever goes wrong on one
//! of them is said there, and ends all, on whichever of its threads that is.

use std::time::Duration;

use crate::error::{Error, Result};
use crate::pool;
#[cfg(feature = "mpi")]
use crate::solver::cluster::{JobNetwork, Purpose, Team, Transport};
use crate::solver::cluster::{Networks, Terms};

use crate::cli::{interrupt, output};

/// Seconds after which a rank that has not been heard of ends the build.
pub const PATIENCE: u64 = 60;

/// What a program exits with that has panicked.
#[cfg(feature = "mpi")]
const PANICKED: i32 = 101;

/// Returns how many ranks `mpirun` has started; `None` if it has not started this one, or a single one of
/// a program without MPI.
pub fn started() -> Option<usize> {
    number(["OMPI_COMM_WORLD_SIZE", "PMI_SIZE"]).filter(|&ranks| ranks > 1 || cfg!(feature = "mpi"))
}

/// Returns how many of the machine's processors there are for each rank: they share them.
pub fn processors() -> usize {
    (pool::processors() / on_this_machine()).max(1)
}

/// Returns how many ranks share this machine, this one included.
pub fn on_this_machine() -> usize {
    number(["OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"]).unwrap_or(1).max(1)
}

/// Returns a number that Open MPI or MPICH tells a process.
fn number(variables: [&str; 2]) -> Option<usize> {
    variables.iter().find_map(|name| std::env::var(name).ok()?.parse().ok())
}

/// Refuses what several ranks would all do.
///
/// # Errors
/// [`Error::Usage`] if there are several.
pub fn refuse_many(what: &str) -> Result<()> {
    match started() {
        Some(ranks) if ranks > 1 => Err(Error::Usage(format!(
            "{what} is not possible with {ranks} MPI processes; start the command without mpirun"
        ))),
        _ => Ok(()),
    }
}

/// Ends this process, and so all others, after an error on a thread that no other waits for.
pub fn end(error: &Error) -> ! {
    output::note(&format!("{} {}", output::who(), output::with_command(error)));
    std::process::exit(interrupt::exit_code(error).into())
}

/// Lets rank 0 `lead` and the others `assist` once they have found that they go by the same terms.
/// A rank that has not been heard of for longer than `patience` ends all; `quiet` leaves out what
/// each has sent.
#[cfg(feature = "mpi")]
pub fn run(
    terms: Terms,
    patience: Duration,
    quiet: bool,
    lead: impl FnOnce(Networks) -> Result<()>,
    assist: impl FnOnce(Networks) -> Result<()>,
) -> Result<()> {
    let mut network = JobNetwork::join().expect("a process joins once");
    let silent = Some(patience.as_secs());
    network.watch(patience, move |rank| end(&Error::RankLost { rank, silent }));
    let (solving, encoding) = (network.channel(), network.second_channel());
    let encoding = encoding.as_ref().map(|channel| channel as &dyn Transport);
    let networks = Networks { solving: &solving, encoding };
    let leads = network.rank() == 0;
    end_if_any_thread_panics();
    if !leads {
        // The leader says which process is interrupted; a process that ended at once would end the
        // others.
        let _ = interrupt::on_signal(|| {});
    }
    let threads = if encoding.is_some() { "several" } else { "one" };
    let team = Team::new(&solving);
    let agreed = terms.with("threads that may call MPI:", threads).agree(&team);
    let end = agreed.and_then(|()| if leads { lead(networks) } else { assist(networks) });
    let end = end.and_then(|()| tell_sent(&team, network.sent(), quiet));
    match end {
        // All know, and the leader is about to say so. If another ended with an error before,
        // `mpirun` would end the leader.
        Err(Error::Interrupted | Error::RanksDiffer { .. } | Error::RanksDisagree { .. })
            if !leads =>
        {
            Ok(())
        }
        // They part from the leader.
        Err(error @ (Error::RanksDiffer { .. } | Error::RanksDisagree { .. })) => Err(error),
        Err(error) => {
            // A process that ends without having parted from the others ends them, too.
            std::mem::forget(network);
            Err(error)
        }
        done => done,
    }
}

/// Says what each rank has sent, once all are done.
#[cfg(feature = "mpi")]
fn tell_sent(team: &Team, sent: [u64; 2], quiet: bool) -> Result<()> {
    let all = team.collect(sent.to_vec(), Purpose::Control)?;
    if team.leads() && !quiet {
        let of = |what: usize| {
            let words: Vec<String> = all.iter().skip(what).step_by(2).map(u64::to_string).collect();
            words.join(", ")
        };
        output::note(&format!("sent by each MPI process: {} bytes in {} messages", of(0), of(1)));
    }
    Ok(())
}

/// The others would wait for it for ever.
#[cfg(feature = "mpi")]
fn end_if_any_thread_panics() {
    let say = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        say(panic);
        std::process::exit(PANICKED);
    }));
}

/// A program without MPI builds alone: all processes would build the same.
///
/// # Errors
/// [`Error::Usage`].
#[cfg(not(feature = "mpi"))]
pub fn run(
    _terms: Terms,
    _patience: Duration,
    _quiet: bool,
    _lead: impl FnOnce(Networks) -> Result<()>,
    _assist: impl FnOnce(Networks) -> Result<()>,
) -> Result<()> {
    let ranks = started().unwrap_or(1);
    Err(Error::Usage(format!(
        "mpirun has started {ranks} processes of a program without MPI; build it with `cargo build \
         --release --features mpi`"
    )))
}

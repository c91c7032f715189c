//! Builds by several processes, as far as one process can try them: `scripts/mpi` does the rest.

#[cfg(not(feature = "mpi"))]
use super::tables::files;
use super::{Run, command};

/// What `mpirun` would tell a process.
fn started_with(ranks: &str, words: &str) -> Run {
    Run::of(command(words).env("OMPI_COMM_WORLD_SIZE", ranks).output().expect("it starts"))
}

/// Otherwise all of them would build the same.
#[test]
#[cfg(not(feature = "mpi"))]
fn a_program_without_mpi_is_not_started_more_than_once() {
    let dir = tempfile::tempdir().expect("a directory");
    let tables = dir.path().join("tables").display().to_string();
    let refused = started_with("3", &format!("build --seeds 3 --tables {tables}"));
    assert!(refused.error(2).contains("--features mpi"), "{}", refused.err);
    assert!(files(dir.path()).is_empty());
    assert_eq!(started_with("1", &format!("build --seeds 3 --tables {tables}")).code, 0);
}

#[test]
fn several_processes_do_not_do_the_same_thing_side_by_side() {
    for words in ["build --rules nam-nam --seeds 2", "build --dry-run --seeds 2"] {
        assert!(started_with("2", words).error(2).contains("without mpirun"), "{words}");
    }
}

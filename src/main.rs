//! The `oware` command: builds, asks and examines endgame tables.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}

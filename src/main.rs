//! The `oware` command: builds, asks and examines endgame tables.

mod cli;

fn main() -> std::process::ExitCode {
    match cli::parsed() {
        Ok(cli) => cli.run(),
        Err(code) => code,
    }
}

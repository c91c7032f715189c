//! The program `oware`, which is the room `cli` of the library.

fn main() -> std::process::ExitCode {
    oware_db::cli::run()
}

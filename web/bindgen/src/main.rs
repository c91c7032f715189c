//! `wasm-bindgen --target web --no-typescript FILE --out-dir DIR`, without the rest of that program.

use std::env::args_os;

use anyhow::Context;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> anyhow::Result<()> {
    let (file, dir) = args_os().nth(1).zip(args_os().nth(2)).context("usage: FILE DIR")?;
    Bindgen::new().input_path(file).web(true)?.omit_default_module_path(false).generate(dir)
}

//! Layers as data frames and files, made by what Python has for that: `package/oware_db/_frames.py`.

use std::path::PathBuf;

use pyo3::prelude::*;

/// Returns a layer as a data frame of pandas.
pub fn frame<'py>(layer: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    layer.py().import("oware_db._frames")?.call_method1("frame", (layer,))
}

/// Returns a layer as a table of Arrow.
pub fn arrow<'py>(layer: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    layer.py().import("oware_db._frames")?.call_method1("arrow", (layer,))
}

/// Writes a layer as a Parquet file.
pub fn parquet(layer: &Bound<'_, PyAny>, path: PathBuf) -> PyResult<()> {
    layer.py().import("oware_db._frames")?.call_method1("parquet", (layer, path)).map(drop)
}

/// Returns the names of the columns of a board's places, as exports have them.
pub fn places(half: usize, name: impl Fn(usize) -> String) -> Vec<String> {
    let of = |owner: &'static str| {
        let name = &name;
        (0..half).map(move |place| format!("{owner}_{}", name(place)))
    };
    of("mover").chain(of("opponent")).collect()
}

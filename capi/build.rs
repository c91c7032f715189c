//! Gives the shared library a name with its version, so that a program finds the one that it was
//! linked with: before 1.0 each minor version may change the interface.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let of = |name: &str| env::var(name).unwrap_or_default();
    let (major, minor) = (of("CARGO_PKG_VERSION_MAJOR"), of("CARGO_PKG_VERSION_MINOR"));
    let version = if major == "0" { format!("0.{minor}") } else { major };
    match (of("CARGO_CFG_TARGET_OS").as_str(), of("CARGO_CFG_TARGET_FAMILY").as_str()) {
        ("macos", _) => {
            let name = format!("@rpath/liboware.{version}.dylib");
            println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,{name}");
        }
        (_, "unix") => {
            println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,liboware.so.{version}");
        }
        _ => {}
    }
}

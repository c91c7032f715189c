//! Checksums of files while they are written.

use std::io::{self, Write};

use xxhash_rust::xxh3::Xxh3Default;

/// A writer that counts and sums what goes through it.
pub struct Summing<W> {
    out: W,
    hash: Xxh3Default,
    written: u64,
}

impl<W: Write> Summing<W> {
    /// Begins a file in `out`.
    pub fn new(out: W) -> Summing<W> {
        Summing { out, hash: Xxh3Default::new(), written: 0 }
    }

    /// Writes some bytes.
    pub fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hash.update(bytes);
        self.written += bytes.len() as u64;
        self.out.write_all(bytes)
    }

    /// Returns how many bytes have been written.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Returns the checksum of all bytes that have been written.
    pub fn checksum(&self) -> u128 {
        self.hash.digest128()
    }

    /// Hands everything on that waits in buffers.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

//! Checksums of what is written or read, on the way.

use std::io::{self, Read, Write};

use xxhash_rust::xxh3::Xxh3Default;

/// What is summed and passed on at a time: it stays in the cache meanwhile.
const STRIDE: usize = 1 << 18;

/// A reader or writer that counts and sums what passes.
pub struct Summing<T> {
    pub inner: T,
    pub sum: Xxh3Default,
    /// Bytes that have passed.
    pub passed: u64,
}

impl<T> Summing<T> {
    /// Begins at what `inner` comes to next.
    pub fn new(inner: T) -> Summing<T> {
        Summing { inner, sum: Xxh3Default::new(), passed: 0 }
    }

    fn pass(&mut self, bytes: &[u8]) {
        self.sum.update(bytes);
        self.passed += bytes.len() as u64;
    }
}

impl<R: Read> Read for Summing<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let most = bytes.len().min(STRIDE);
        let count = self.inner.read(&mut bytes[..most])?;
        self.pass(&bytes[..count]);
        Ok(count)
    }
}

impl<W: Write> Write for Summing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(&bytes[..bytes.len().min(STRIDE)])?;
        self.pass(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

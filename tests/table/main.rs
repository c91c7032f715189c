//! Table files, and what is read from them.

mod files;
mod probe;
mod published;

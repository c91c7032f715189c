//! Table files, and what is read from them.

mod far;
mod files;
mod probe;
mod published;

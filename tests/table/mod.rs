//! Table files, and what is read from them.

mod far;
mod files;
mod names;
mod probe;
mod published;

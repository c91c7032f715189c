//! A report as a page.

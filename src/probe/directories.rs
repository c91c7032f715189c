//! Several directories of tables under one name.

use std::path::{Path, PathBuf};

/// Returns the directories that a path names: itself, or if there is no such directory, those in it
/// that the system's separator divides as in `PATH`, `:` on Unix and `;` on Windows.
///
/// What several of them have, the first one's counts.
pub fn directories(path: &Path) -> Vec<PathBuf> {
    let parts: Vec<PathBuf> =
        std::env::split_paths(path).filter(|part| !part.as_os_str().is_empty()).collect();
    if parts.is_empty() || path.is_dir() { vec![path.to_owned()] } else { parts }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_path_is_itself_or_several() {
        let dir = tempfile::tempdir().unwrap();
        let named = dir.path().join("a:b");
        for (path, expected) in
            [("", vec![""]), ("a", vec!["a"]), ("a:b/c::d:", vec!["a", "b/c", "d"])]
        {
            let expected: Vec<PathBuf> = expected.into_iter().map(PathBuf::from).collect();
            assert_eq!(directories(Path::new(path)), expected, "{path}");
        }
        assert_eq!(directories(&named).len(), 2);
        std::fs::create_dir(&named).unwrap();
        assert_eq!(directories(&named), [named]);
    }
}

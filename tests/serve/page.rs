//! The page's files. What the page does is tested in a browser, by `scripts/page`.

use std::fs;
use std::path::Path;

use super::Server;

/// The files of the page that are texts, and where they are found.
fn files() -> Vec<(String, String)> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/server/page");
    let names =
        fs::read_dir(dir).expect("a directory").map(|entry| entry.expect("an entry").file_name());
    let names = names.map(|name| name.into_string().expect("UTF-8"));
    let place = |name: &str| if name == "index.html" { "/".to_owned() } else { format!("/{name}") };
    names.filter(|name| !name.ends_with(".jpg")).map(|name| (place(&name), name)).collect()
}

#[test]
fn every_file_is_served_as_it_is() {
    let server = Server::new();
    let files = files();
    assert!(files.len() > 3);
    for (path, name) in files {
        let answer = server.get(&path);
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/server/page").join(&name);
        assert_eq!(
            (answer.status, answer.body),
            (200, fs::read_to_string(file).expect("a file")),
            "{path}"
        );
        let kind = match name.rsplit_once('.').expect("an ending").1 {
            "html" => "text/html; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "json" => "application/json",
            "svg" => "image/svg+xml",
            other => panic!("what is {other}?"),
        };
        let header = |wanted: &str| {
            answer.headers.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str())
        };
        assert_eq!(
            (header("content-type"), header("cache-control")),
            (Some(kind), Some("no-cache")),
            "{path}"
        );
    }
}

#[test]
fn the_picture_of_links_is_served() {
    let server = Server::new();
    let mut stream = server.connect();
    let asked = b"GET /preview.jpg HTTP/1.0\r\nhost: localhost\r\n\r\n";
    std::io::Write::write_all(&mut stream, asked).expect("is heard");
    let mut answer = Vec::new();
    std::io::Read::read_to_end(&mut stream, &mut answer).expect("an answer");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/server/page/preview.jpg");
    assert!(answer.ends_with(&fs::read(file).expect("a file")));
    let head = String::from_utf8_lossy(&answer[..600]).to_lowercase();
    assert!(head.contains("content-type: image/jpeg"), "{head}");
}

#[test]
fn a_file_that_is_known_is_not_sent_again() {
    let server = Server::new();
    let tag = server.get("/").header("etag").expect("a tag").to_owned();
    for tags in [tag.clone(), format!("\"other\", {tag}"), "*".to_owned()] {
        let again = server.get_with("/", &[("if-none-match", &tags)]);
        assert_eq!(
            (again.status, again.body.as_str(), again.header("etag")),
            (304, "", Some(tag.as_str()))
        );
    }
    assert_eq!(server.get_with("/", &[("if-none-match", "\"other\"")]).status, 200);
}

#[test]
fn what_is_large_is_compressed_for_those_who_want_it() {
    let server = Server::new();
    let length = |coding: &str| {
        let asked = format!(
            "GET /openapi.json HTTP/1.0\r\nhost: localhost\r\naccept-encoding: {coding}\r\n\r\n"
        );
        let mut stream = server.connect();
        std::io::Write::write_all(&mut stream, asked.as_bytes()).expect("is heard");
        let mut answer = Vec::new();
        std::io::Read::read_to_end(&mut stream, &mut answer).expect("an answer");
        let head = String::from_utf8_lossy(&answer[..300]).to_lowercase();
        assert_eq!(head.contains("content-encoding: gzip"), coding == "gzip", "{head}");
        answer.len()
    };
    assert!(length("gzip") * 3 < length("identity"));
}

#[test]
fn nothing_on_the_page_comes_from_elsewhere() {
    for (_, name) in files() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/server/page").join(&name);
        let text =
            fs::read_to_string(file).expect("a file").replace("http://www.w3.org/2000/svg", "");
        for foreign in ["http://", "https://", "//cdn", "style=", "onclick=", "<style", "innerHTML"]
        {
            assert!(!text.contains(foreign), "{name}: {foreign}");
        }
    }
}

//! What is part of the binary: the files of the page, as they are or bundled by `scripts/bundle`,
//! and the description of the API, `GET /openapi.json`.

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use xxhash_rust::xxh3::xxh3_64;

use super::state::AppState;

/// Lists files of a directory, each with its name.
macro_rules! assets {
    ($dir:expr; $($name:literal)*) => {
        [$(($name, include_bytes!(concat!($dir, "/", $name)).as_slice())),*]
    };
}

/// The files of the page.
#[cfg(feature = "bundled-page")]
pub const PAGE_FILES: &[(&str, &[u8])] = &assets! {
    env!("OWARE_PAGE", "a bundled page stands where OWARE_PAGE says; scripts/bundle makes it");
    "index.html" "style.css" "main.js" "icon.svg" "preview.jpg" "puzzles.json"
};

/// The files of the page.
#[cfg(not(feature = "bundled-page"))]
pub const PAGE_FILES: &[(&str, &[u8])] = &assets! {
    "page";
    "index.html" "board.css" "panels.css" "style.css" "address.js" "api.js" "asking.js" "board.js"
    "busy.js" "comments.js" "daily.js" "de.js" "dom.js" "engine.js" "en.js" "entering.js"
    "failures.de.js" "failures.fr.js" "fr.js" "graph.js" "help.js" "importer.js" "keys.js" "laps.js"
    "layer.js" "line.js" "loss.js" "main.js" "moves.js" "newgame.js" "ogn.js" "otherboard.js"
    "othermatch.js" "others.js" "otherwords.js" "places.js" "playing.js" "position.js" "puzzles.js"
    "puzzling.js" "record.js" "refusal.js" "result.js" "review.js" "reviewing.js" "score.js"
    "seeds.js" "setup.js" "sheets.js" "sowing.js" "state.js" "texts.js" "theme.js" "trace.js"
    "site.js" "variations.js" "verdict.js" "view.js" "icon.svg" "preview.jpg" "puzzles.json"
};

/// The additional files of a page without a server.
pub const SITE_FILES: [(&str, &str); 2] = [
    ("sw.js", include_str!("site/sw.js")),
    ("manifest.webmanifest", include_str!("site/manifest.webmanifest")),
];

/// Returns the routes of the files.
pub fn routes() -> Router<Arc<AppState>> {
    PAGE_FILES.iter().fold(Router::new(), |router, &(name, bytes)| {
        // The same file in another coding is equivalent to a reader, hence a weak tag.
        let tag = format!("W/\"{:016x}\"", xxh3_64(bytes));
        let tag = HeaderValue::from_str(&tag).expect("letters and digits");
        let file =
            move |headers: HeaderMap| async move { answer(&headers, tag, kind(name), bytes) };
        let path = if name == "index.html" { "/".to_owned() } else { format!("/{name}") };
        router.route(&path, get(file))
    })
}

/// Returns the media type of a file.
fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("jpg") => "image/jpeg",
        Some("json") => "application/json",
        _ => unreachable!("no other files are listed"),
    }
}

/// Returns a file, or that it is the one that the client has already.
fn answer(
    headers: &HeaderMap,
    tag: HeaderValue,
    kind: &'static str,
    bytes: &'static [u8],
) -> Response {
    let known = headers.get_all(header::IF_NONE_MATCH).iter().any(|tags| contains(tags, &tag));
    let headers = [
        (header::ETAG, tag),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
    ];
    if known {
        (StatusCode::NOT_MODIFIED, headers).into_response()
    } else {
        (headers, bytes).into_response()
    }
}

/// Whether a list of tags has a tag, or stands for all.
fn contains(tags: &HeaderValue, tag: &HeaderValue) -> bool {
    tags.to_str()
        .is_ok_and(|tags| tags.split(',').any(|each| each.trim() == "*" || tag == each.trim()))
}

/// The description, in the words of OpenAPI.
const DOCUMENT: &str = include_str!("openapi.json");

/// `GET /openapi.json`: the description.
pub(super) async fn description() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-cache")], DOCUMENT)
}

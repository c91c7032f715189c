//! The page: files that are part of the binary, as they are or bundled by `scripts/bundle`.

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use xxhash_rust::xxh3::xxh3_64;

use super::state::AppState;

/// A file of the page, with its path on the server and its media type.
struct Asset {
    path: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
}

/// Lists files of a directory, each with its path on the server, its name and its media type.
macro_rules! assets {
    ($dir:expr; $($path:literal $file:literal $kind:literal)*) => {
        [$(Asset { path: $path, kind: $kind, bytes: include_bytes!(concat!($dir, "/", $file)) }),*]
    };
}

#[cfg(feature = "bundled-page")]
const ASSETS: &[Asset] = &assets! {
    env!("OWARE_PAGE", "a bundled page stands where OWARE_PAGE says; scripts/bundle makes it");
    "/" "index.html" "text/html; charset=utf-8"
    "/style.css" "style.css" "text/css; charset=utf-8"
    "/main.js" "main.js" "text/javascript; charset=utf-8"
    "/icon.svg" "icon.svg" "image/svg+xml"
    "/preview.jpg" "preview.jpg" "image/jpeg"
    "/puzzles.json" "puzzles.json" "application/json"
};

#[cfg(not(feature = "bundled-page"))]
const ASSETS: &[Asset] = &assets! {
    "page";
    "/" "index.html" "text/html; charset=utf-8"
    "/board.css" "board.css" "text/css; charset=utf-8"
    "/panels.css" "panels.css" "text/css; charset=utf-8"
    "/style.css" "style.css" "text/css; charset=utf-8"
    "/address.js" "address.js" "text/javascript; charset=utf-8"
    "/api.js" "api.js" "text/javascript; charset=utf-8"
    "/asking.js" "asking.js" "text/javascript; charset=utf-8"
    "/board.js" "board.js" "text/javascript; charset=utf-8"
    "/busy.js" "busy.js" "text/javascript; charset=utf-8"
    "/comments.js" "comments.js" "text/javascript; charset=utf-8"
    "/daily.js" "daily.js" "text/javascript; charset=utf-8"
    "/de.js" "de.js" "text/javascript; charset=utf-8"
    "/dom.js" "dom.js" "text/javascript; charset=utf-8"
    "/engine.js" "engine.js" "text/javascript; charset=utf-8"
    "/en.js" "en.js" "text/javascript; charset=utf-8"
    "/entering.js" "entering.js" "text/javascript; charset=utf-8"
    "/failures.de.js" "failures.de.js" "text/javascript; charset=utf-8"
    "/failures.fr.js" "failures.fr.js" "text/javascript; charset=utf-8"
    "/fr.js" "fr.js" "text/javascript; charset=utf-8"
    "/graph.js" "graph.js" "text/javascript; charset=utf-8"
    "/help.js" "help.js" "text/javascript; charset=utf-8"
    "/importer.js" "importer.js" "text/javascript; charset=utf-8"
    "/keys.js" "keys.js" "text/javascript; charset=utf-8"
    "/laps.js" "laps.js" "text/javascript; charset=utf-8"
    "/layer.js" "layer.js" "text/javascript; charset=utf-8"
    "/line.js" "line.js" "text/javascript; charset=utf-8"
    "/loss.js" "loss.js" "text/javascript; charset=utf-8"
    "/main.js" "main.js" "text/javascript; charset=utf-8"
    "/moves.js" "moves.js" "text/javascript; charset=utf-8"
    "/newgame.js" "newgame.js" "text/javascript; charset=utf-8"
    "/ogn.js" "ogn.js" "text/javascript; charset=utf-8"
    "/otherboard.js" "otherboard.js" "text/javascript; charset=utf-8"
    "/othermatch.js" "othermatch.js" "text/javascript; charset=utf-8"
    "/others.js" "others.js" "text/javascript; charset=utf-8"
    "/otherwords.js" "otherwords.js" "text/javascript; charset=utf-8"
    "/places.js" "places.js" "text/javascript; charset=utf-8"
    "/playing.js" "playing.js" "text/javascript; charset=utf-8"
    "/position.js" "position.js" "text/javascript; charset=utf-8"
    "/puzzles.js" "puzzles.js" "text/javascript; charset=utf-8"
    "/puzzling.js" "puzzling.js" "text/javascript; charset=utf-8"
    "/record.js" "record.js" "text/javascript; charset=utf-8"
    "/refusal.js" "refusal.js" "text/javascript; charset=utf-8"
    "/result.js" "result.js" "text/javascript; charset=utf-8"
    "/review.js" "review.js" "text/javascript; charset=utf-8"
    "/reviewing.js" "reviewing.js" "text/javascript; charset=utf-8"
    "/score.js" "score.js" "text/javascript; charset=utf-8"
    "/seeds.js" "seeds.js" "text/javascript; charset=utf-8"
    "/setup.js" "setup.js" "text/javascript; charset=utf-8"
    "/sheets.js" "sheets.js" "text/javascript; charset=utf-8"
    "/sowing.js" "sowing.js" "text/javascript; charset=utf-8"
    "/state.js" "state.js" "text/javascript; charset=utf-8"
    "/texts.js" "texts.js" "text/javascript; charset=utf-8"
    "/theme.js" "theme.js" "text/javascript; charset=utf-8"
    "/trace.js" "trace.js" "text/javascript; charset=utf-8"
    "/site.js" "site.js" "text/javascript; charset=utf-8"
    "/variations.js" "variations.js" "text/javascript; charset=utf-8"
    "/verdict.js" "verdict.js" "text/javascript; charset=utf-8"
    "/view.js" "view.js" "text/javascript; charset=utf-8"
    "/icon.svg" "icon.svg" "image/svg+xml"
    "/preview.jpg" "preview.jpg" "image/jpeg"
    "/puzzles.json" "puzzles.json" "application/json"
};

/// Returns the files, each with its name.
pub fn page_files() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    let name = |path: &'static str| match path.trim_start_matches('/') {
        "" => "index.html",
        name => name,
    };
    ASSETS.iter().map(move |asset| (name(asset.path), asset.bytes))
}

/// The additional files of a page without a server.
pub const SITE_FILES: [(&str, &str); 2] = [
    ("sw.js", include_str!("site/sw.js")),
    ("manifest.webmanifest", include_str!("site/manifest.webmanifest")),
];

/// Returns the routes of the files.
pub fn routes() -> Router<Arc<AppState>> {
    ASSETS.iter().fold(Router::new(), |router, asset| {
        // The same file in another coding is equivalent to a reader, hence a weak tag.
        let tag = format!("W/\"{:016x}\"", xxh3_64(asset.bytes));
        let tag = HeaderValue::from_str(&tag).expect("letters and digits");
        router.route(
            asset.path,
            get(move |headers: HeaderMap| async move { asset.answer(&headers, tag) }),
        )
    })
}

impl Asset {
    /// Returns the file, or that it is the one that the client has already.
    fn answer(&self, headers: &HeaderMap, tag: HeaderValue) -> Response {
        let known = headers.get_all(header::IF_NONE_MATCH).iter().any(|tags| contains(tags, &tag));
        let headers = [
            (header::ETAG, tag),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
            (header::CONTENT_TYPE, HeaderValue::from_static(self.kind)),
        ];
        if known {
            (StatusCode::NOT_MODIFIED, headers).into_response()
        } else {
            (headers, self.bytes).into_response()
        }
    }
}

/// Whether a list of tags has a tag, or stands for all.
fn contains(tags: &HeaderValue, tag: &HeaderValue) -> bool {
    tags.to_str()
        .is_ok_and(|tags| tags.split(',').any(|each| each.trim() == "*" || tag == each.trim()))
}

//! Pages of other sites: which of them may read the answers.

use axum::http::{HeaderValue, Method, header};
use tower_http::cors::{AllowOrigin, Any, CorsLayer};

use crate::error::{Error, Result};

/// Returns the layer that lets pages of these origins read the answers; `None` without origins,
/// and browsers then keep all other sites out.
///
/// # Errors
/// [`Error::Usage`] for an origin that is not a scheme and a host.
pub fn layer(origins: &[String]) -> Result<Option<CorsLayer>> {
    if origins.is_empty() {
        return Ok(None);
    }
    let layer = CorsLayer::new()
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([header::CONTENT_TYPE]);
    if origins.iter().any(|origin| origin == "*") {
        return Ok(Some(layer.allow_origin(Any)));
    }
    let origins = origins.iter().map(|text| origin(text)).collect::<Result<Vec<_>>>()?;
    Ok(Some(layer.allow_origin(AllowOrigin::list(origins))))
}

fn origin(text: &str) -> Result<HeaderValue> {
    let value = HeaderValue::from_str(text).ok().filter(|_| is_origin(text));
    value.ok_or_else(|| {
        Error::Usage(format!(
            "`{text}` is not an origin; write one as in `https://example.org`, or *"
        ))
    })
}

/// Whether a text is a scheme and a host, without a path.
fn is_origin(text: &str) -> bool {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    host.is_some_and(|host| !host.is_empty() && !host.contains(['/', ' ', '?', '#', '@']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_schemes_and_hosts() {
        for text in ["https://example.org", "http://localhost:8080"] {
            assert!(is_origin(text), "{text}");
        }
        for text in [
            "",
            "null",
            "example.org",
            "https://",
            "https://example.org/",
            "https://a b",
            "ftp://example.org",
        ] {
            assert!(!is_origin(text), "{text}");
            assert!(layer(&[text.to_owned()]).is_err(), "{text}");
        }
        assert!(layer(&[]).unwrap().is_none() && layer(&["*".to_owned()]).unwrap().is_some());
    }
}

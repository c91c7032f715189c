//! Headers of every answer, and the pages of other sites that may read it.

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Method, Response, header};
use tower_http::cors::{AllowOrigin, Any, CorsLayer};
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::set_header::response::SetMultipleResponseHeadersLayer;

use crate::error::{Error, Result};

/// What browsers keep to: nothing comes from elsewhere, and nothing is written into the page's
/// own text.
const SECURITY: [(&str, &str); 6] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
         connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("x-frame-options", "DENY"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// Returns the layer that tells browsers to be careful.
pub fn security() -> SetMultipleResponseHeadersLayer<Response<Body>> {
    let headers = SECURITY.map(|(name, value)| {
        (HeaderName::from_static(name), HeaderValue::from_static(value)).into()
    });
    SetMultipleResponseHeadersLayer::overriding(headers.into())
}

/// Returns the layer that keeps answers out of caches if they do not say otherwise.
pub fn uncached() -> SetResponseHeaderLayer<HeaderValue> {
    let no_store = HeaderValue::from_static("no-store");
    SetResponseHeaderLayer::if_not_present(header::CACHE_CONTROL, no_store)
}

/// Returns the layer that lets pages of these origins read the answers; `None` without origins,
/// and browsers then keep all other sites out.
///
/// # Errors
/// [`Error::Usage`] for an origin that is not a scheme and a host.
pub fn cors(origins: &[String]) -> Result<Option<CorsLayer>> {
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
            assert!(cors(&[text.to_owned()]).is_err(), "{text}");
        }
        assert!(cors(&[]).unwrap().is_none() && cors(&["*".to_owned()]).unwrap().is_some());
    }
}

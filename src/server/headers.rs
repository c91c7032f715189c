//! Headers of every answer.

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Response, header};
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::set_header::response::SetMultipleResponseHeadersLayer;

/// What browsers keep to: nothing comes from elsewhere, and nothing is written into the page's
/// own text.
const SECURITY: [(HeaderName, HeaderValue); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
             connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ),
    ),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    ),
];

/// Returns the layer that tells browsers to be careful.
pub fn security() -> SetMultipleResponseHeadersLayer<Response<Body>> {
    let headers = SECURITY.into_iter().map(|(name, value)| (name, value).into());
    SetMultipleResponseHeadersLayer::overriding(headers.collect())
}

/// Returns the layer that keeps answers out of caches if they do not say otherwise.
pub fn uncached() -> SetResponseHeaderLayer<HeaderValue> {
    let no_store = HeaderValue::from_static("no-store");
    SetResponseHeaderLayer::if_not_present(header::CACHE_CONTROL, no_store)
}

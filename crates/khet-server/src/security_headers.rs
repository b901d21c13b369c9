//! The security headers of all responses.

use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::{self, HeaderName};
use axum::response::Response;

use crate::server_state::ServerState;

/// Everything comes from this server. Code is WebAssembly and script files: no inline script or
/// style, no `eval`. Images may also be `blob:` URLs, which only the app can create; it uses one to
/// save a picture of a board.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; \
    script-src 'self' 'wasm-unsafe-eval'; \
    style-src 'self'; \
    img-src 'self' blob:; \
    connect-src 'self'; \
    worker-src 'self'; \
    manifest-src 'self'; \
    base-uri 'none'; \
    form-action 'none'; \
    frame-ancestors 'none'";

const SECURITY_HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    // These two isolate the page, so that it may share memory with the engine's worker.
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-embedder-policy"), "require-corp"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    ),
];

/// Makes browsers use https only, for a year. Subdomains are not ours to decide about.
const TRANSPORT_SECURITY: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// Adds the headers to a response.
pub(crate) async fn add_security_headers(
    State(server): State<ServerState>,
    mut response: Response,
) -> Response {
    let headers = response.headers_mut();
    for (name, value) in SECURITY_HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if server.config.is_secure() {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, TRANSPORT_SECURITY);
    }
    response
}

//! The headers that let the app do what it does, and nothing else.

use axum::http::HeaderValue;
use axum::http::header::{self, HeaderName};
use axum::response::Response;

/// Everything comes from this server. Code is WebAssembly and scripts in files: no script or style in
/// the page itself, no `eval`. Pictures may also be `blob:`, which only the app itself can make: it paints a
/// board that is to be saved.
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

const PROTECTION: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    // The two that isolate the page, so that it may share memory with the engine's worker.
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

/// Adds the headers to an answer.
pub(crate) async fn protect(mut response: Response) -> Response {
    for (name, value) in PROTECTION {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

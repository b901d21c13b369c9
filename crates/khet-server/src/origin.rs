//! Protection against cross-site request forgery: a request that changes something must come from
//! our own pages, or from a program without a cookie.
//!
//! Browsers send the origin of a request, and pages can't change it. So another site can't act with
//! the cookie of its visitor.

use axum::extract::{Request, State};
use axum::http::header::{COOKIE, HOST, ORIGIN, UPGRADE};
use axum::http::{HeaderMap, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use khet_protocol::ErrorCode;

use crate::error_response::ErrorResponse;
use crate::server_state::ServerState;

/// Rejects requests with side effects from other sites.
pub(crate) async fn check(
    State(server): State<ServerState>,
    request: Request,
    next: Next,
) -> Response {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let upgrades = request.headers().contains_key(UPGRADE);
    if (reads && !upgrades) || is_own(request.headers(), server.config.origin.as_deref()) {
        return next.run(request).await;
    }
    ErrorResponse::new(ErrorCode::WrongOrigin, "this request comes from another site")
        .into_response()
}

/// Returns whether a request comes from the app's own site.
fn is_own(headers: &HeaderMap, own: Option<&str>) -> bool {
    let text = |name| {
        headers.get(name).map(|value: &axum::http::HeaderValue| value.to_str().unwrap_or("?"))
    };
    match (text(ORIGIN), own) {
        (Some(origin), Some(own)) => origin == own,
        (Some(origin), None) => {
            let host = origin.split_once("://").map(|(_, host)| host);
            host.is_some() && host == text(HOST)
        }
        // Browsers send `Origin` with every such request, so the sender is not a browser, or one
        // too old to trust. Without a cookie there is no session that another site could abuse;
        // browsers never send tokens on their own.
        (None, _) => !headers.contains_key(COOKIE),
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderMap;

    use super::is_own;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
    }

    #[test]
    fn other_sites_are_rejected() {
        let own = [("origin", "http://khet:8080"), ("host", "khet:8080"), ("cookie", "khet=1")];
        assert!(is_own(&headers(&own), None));
        assert!(!is_own(&headers(&own), Some("https://khet.example")));
        for origin in ["http://evil", "null", "http://khet:8081", "khet:8080", ""] {
            let other = [("origin", origin), ("host", "khet:8080")];
            assert!(!is_own(&headers(&other), None), "{origin}");
        }
        assert!(!is_own(&headers(&[("host", "khet:8080"), ("cookie", "khet=1")]), None));
        assert!(is_own(&headers(&[("host", "khet:8080")]), None));
    }
}

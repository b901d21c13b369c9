//! Serves the files and pages of the web app.

use std::io::Write as _;

use axum::body::Body;
use axum::extract::{Extension, State};
use axum::http::header::{
    ACCEPT_ENCODING, ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG,
    IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderName, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::assets::{File, content_hash};
use crate::connections::Peer;
use crate::encoding::Encoding;
use crate::server_state::ServerState;
use crate::{addresses, previews};

/// For files whose name contains a hash of the content.
const FOREVER: &str = "public, max-age=31536000, immutable";
/// Browsers may store the file and must ask each time whether it has changed.
const REVALIDATE: &str = "no-cache";

/// Serves every path without a route.
pub(crate) async fn serve(
    State(server): State<ServerState>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    peer: Option<Extension<Peer>>,
) -> Response {
    if method != Method::GET && method != Method::HEAD {
        let text = "Method not allowed.\n";
        return (StatusCode::METHOD_NOT_ALLOWED, [(ALLOW, "GET, HEAD")], text).into_response();
    }
    let path = uri.path();
    if let Some(file) = path.strip_prefix('/').and_then(|name| server.assets.find(name)) {
        return send(file, &headers, StatusCode::OK);
    }
    let status = if addresses::is_page(path) { StatusCode::OK } else { StatusCode::NOT_FOUND };
    // The app shows unknown pages in the reader's language; a missing file gets a plain response.
    let looks_like_file = path.rsplit('/').next().is_some_and(|last| last.contains('.'));
    match server.assets.find("index.html") {
        Some(index) if !looks_like_file => {
            let peer = peer.map(|Extension(peer)| peer);
            match previews::page(&server, &uri, &headers, peer, index.plain).await {
                Some(page) => send_preview_page(page, index, &headers),
                None => send(index, &headers, status),
            }
        }
        _ => (StatusCode::NOT_FOUND, [(CACHE_CONTROL, REVALIDATE)], "Not found.\n").into_response(),
    }
}

/// Sends a page with link preview tags. It is specific to this request, so it is compressed now.
fn send_preview_page(page: Vec<u8>, index: &File, headers: &HeaderMap) -> Response {
    let etag = format!("W/\"{:016x}\"", content_hash(&page));
    let mut response_headers = vec![(CACHE_CONTROL, REVALIDATE.to_owned()), (ETAG, etag.clone())];
    if is_cached(headers, &etag) {
        return respond(StatusCode::NOT_MODIFIED, response_headers, Body::empty());
    }
    response_headers.push((CONTENT_TYPE, index.media_type().to_owned()));
    // The language of the preview is the reader's if the address has none.
    response_headers.push((VARY, "accept-encoding, accept-language".to_owned()));
    let mut content = page;
    if Encoding::accepts_gzip(&accepted_encodings(headers))
        && let Some(compressed) = gzip(&content)
    {
        response_headers.push((CONTENT_ENCODING, "gzip".to_owned()));
        content = compressed;
    }
    response_headers.push((CONTENT_LENGTH, content.len().to_string()));
    respond(StatusCode::OK, response_headers, Body::from(content))
}

/// Compresses a page or a file.
pub(crate) fn gzip(page: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    // Writing to memory does not fail.
    encoder.write_all(page).ok()?;
    encoder.finish().ok()
}

/// Returns the encodings that the browser accepts.
fn accepted_encodings(headers: &HeaderMap) -> String {
    let accept = headers.get_all(ACCEPT_ENCODING).iter();
    let accept: Vec<&str> = accept.filter_map(|value| value.to_str().ok()).collect();
    accept.join(",")
}

/// Responds with a file, in an encoding that the browser accepts.
pub(crate) fn send(file: &'static File, headers: &HeaderMap, status: StatusCode) -> Response {
    let accepted = accepted_encodings(headers);
    let brotli = file.brotli.filter(|_| Encoding::accepted(&accepted) == Encoding::Brotli);
    // Also for files that have no copy in Brotli.
    let gzip = file.gzip.filter(|_| Encoding::accepts_gzip(&accepted));
    let (content, encoding) = match (brotli, gzip) {
        (Some(content), _) => (content, Some("br")),
        (None, Some(content)) => (content, Some("gzip")),
        (None, None) => (file.plain, None),
    };
    let etag = format!("W/\"{:016x}\"", content_hash(file.plain));
    let caching = if file.is_named_by_content() { FOREVER } else { REVALIDATE };
    let mut response_headers: Vec<(HeaderName, String)> = vec![
        (CACHE_CONTROL, caching.to_owned()),
        (ETAG, etag.clone()),
        (VARY, "accept-encoding".to_owned()),
    ];
    if status == StatusCode::OK && is_cached(headers, &etag) {
        return respond(StatusCode::NOT_MODIFIED, response_headers, Body::empty());
    }
    response_headers.push((CONTENT_TYPE, file.media_type().to_owned()));
    response_headers.push((CONTENT_LENGTH, content.len().to_string()));
    if let Some(encoding) = encoding {
        response_headers.push((CONTENT_ENCODING, encoding.to_owned()));
    }
    respond(status, response_headers, Body::from(content))
}

/// Returns whether the browser has this version.
fn is_cached(headers: &HeaderMap, etag: &str) -> bool {
    let cached = headers.get(IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    cached.is_some_and(|cached| cached.split(',').any(|one| one.trim() == etag))
}

/// Creates a response.
fn respond(status: StatusCode, headers: Vec<(HeaderName, String)>, content: Body) -> Response {
    let mut response = Response::new(content);
    *response.status_mut() = status;
    for (name, value) in headers {
        if let Ok(value) = value.parse() {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

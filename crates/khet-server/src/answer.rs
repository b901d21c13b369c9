//! Answers to requests: a file, a page of the app, or that there is nothing.

use axum::body::Body;
use axum::extract::{Extension, State};
use axum::http::header::{
    ACCEPT_ENCODING, ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG,
    IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderName, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};

use crate::assets::{File, mark};
use crate::connections::Peer;
use crate::encoding::Encoding;
use crate::server_state::ServerState;
use crate::{addresses, previews};

/// Browsers may keep it as long as they like.
const FOREVER: &str = "public, max-age=31536000, immutable";
/// Browsers may keep it, and ask each time whether it is still the same.
const ASK: &str = "no-cache";

/// Answers whatever has no route of its own.
pub(crate) async fn answer(
    State(app): State<ServerState>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    peer: Option<Extension<Peer>>,
) -> Response {
    if method != Method::GET && method != Method::HEAD {
        let text = "This can only be read.\n";
        return (StatusCode::METHOD_NOT_ALLOWED, [(ALLOW, "GET, HEAD")], text).into_response();
    }
    let path = uri.path();
    if let Some(file) = path.strip_prefix('/').and_then(|name| app.assets.find(name)) {
        return send(file, &headers, StatusCode::OK);
    }
    let status = if addresses::is_page(path) { StatusCode::OK } else { StatusCode::NOT_FOUND };
    // A mistyped page is answered by the app, in the reader's language; a missing file is just missing.
    let looks_like_file = path.rsplit('/').next().is_some_and(|last| last.contains('.'));
    match app.assets.find("index.html") {
        Some(index) if !looks_like_file => {
            let peer = peer.map(|Extension(peer)| peer);
            match previews::page(&app, &uri, &headers, peer, index.plain).await {
                Some(page) => send_told(page, index, &headers),
                None => send(index, &headers, status),
            }
        }
        _ => (StatusCode::NOT_FOUND, [(CACHE_CONTROL, ASK)], "There is nothing here.\n")
            .into_response(),
    }
}

/// Sends a page that tells what it is about. It is small, and made for this request: not worth compressing.
fn send_told(page: Vec<u8>, index: &File, headers: &HeaderMap) -> Response {
    let mark = format!("W/\"{:016x}\"", mark(&page));
    let mut answer = vec![(CACHE_CONTROL, ASK.to_owned()), (ETAG, mark.clone())];
    if is_known(headers, &mark) {
        return respond(StatusCode::NOT_MODIFIED, answer, Body::empty());
    }
    answer.push((CONTENT_TYPE, index.media_type().to_owned()));
    answer.push((CONTENT_LENGTH, page.len().to_string()));
    respond(StatusCode::OK, answer, Body::from(page))
}

fn send(file: &'static File, headers: &HeaderMap, status: StatusCode) -> Response {
    let accept: Vec<&str> =
        headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok()).collect();
    let (content, encoding) = match Encoding::accepted(&accept.join(",")) {
        Encoding::Brotli => (file.brotli, Some("br")),
        Encoding::Gzip => (file.gzip, Some("gzip")),
        Encoding::Plain => (None, None),
    };
    let (content, encoding) = match content {
        Some(content) => (content, encoding),
        None => (file.plain, None),
    };
    let mark = format!("W/\"{:016x}\"", mark(file.plain));
    let caching = if file.is_named_by_content() { FOREVER } else { ASK };
    let mut answer: Vec<(HeaderName, String)> = vec![
        (CACHE_CONTROL, caching.to_owned()),
        (ETAG, mark.clone()),
        (VARY, "accept-encoding".to_owned()),
    ];
    if status == StatusCode::OK && is_known(headers, &mark) {
        return respond(StatusCode::NOT_MODIFIED, answer, Body::empty());
    }
    answer.push((CONTENT_TYPE, file.media_type().to_owned()));
    answer.push((CONTENT_LENGTH, content.len().to_string()));
    if let Some(encoding) = encoding {
        answer.push((CONTENT_ENCODING, encoding.to_owned()));
    }
    respond(status, answer, Body::from(content))
}

/// Whether the browser has this content already.
fn is_known(headers: &HeaderMap, mark: &str) -> bool {
    let known = headers.get(IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    known.is_some_and(|known| known.split(',').any(|one| one.trim() == mark))
}

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

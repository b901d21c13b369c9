//! The web app over HTTP, as a browser requests it.

use std::net::SocketAddr;
use std::time::Duration;

use khet_server::{Assets, Config, File, testing};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A small app, because only the transfer of files matters.
static FILES: [File; 4] = [
    File { name: "icon-0123456789ab.png", plain: b"a picture", brotli: None, gzip: None },
    File {
        name: "index.html",
        plain: b"the page",
        brotli: Some(b"the page in Brotli"),
        gzip: Some(b"the page in gzip"),
    },
    File {
        name: "khet-0123456789ab.wasm",
        plain: b"the app",
        brotli: Some(b"the app in Brotli"),
        gzip: Some(b"the app in gzip"),
    },
    File { name: "service-worker.js", plain: b"the worker", brotli: None, gzip: None },
];

struct Server {
    address: SocketAddr,
    running: khet_server::Server,
    _folder: TempDir,
}

struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().skip(1).find_map(|line| {
            let (known, value) = line.split_once(": ")?;
            known.eq_ignore_ascii_case(name).then_some(value)
        })
    }
}

async fn start(assets: Assets) -> Server {
    let folder = TempDir::new().expect("a folder");
    let mut config = Config::new(testing::database(folder.path().join("khet.sqlite")));
    config.address = SocketAddr::from(([127, 0, 0, 1], 0));
    let running = khet_server::Server::start(config, assets).await.expect("a server");
    Server { address: running.address(), running, _folder: folder }
}

impl Server {
    async fn ask(&self, request: &str) -> Answer {
        let mut stream = TcpStream::connect(self.address).await.expect("connected");
        stream.write_all(request.as_bytes()).await.expect("asked");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.expect("answered");
        let answer = String::from_utf8_lossy(&answer);
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        Answer { status: status.expect("a status"), head: head.into(), body: body.into() }
    }

    async fn get_with(&self, path: &str, headers: &str) -> Answer {
        self.ask(&format!(
            "GET {path} HTTP/1.1\r\nHost: khet\r\nConnection: close\r\n{headers}\r\n"
        ))
        .await
    }

    async fn get(&self, path: &str) -> Answer {
        self.get_with(path, "").await
    }
}

#[tokio::test]
async fn compression_follows_accept_encoding() {
    let server = start(Assets::new(&FILES)).await;
    for (accept, encoding, body) in [
        ("gzip, deflate, br", Some("br"), "the app in Brotli"),
        ("gzip", Some("gzip"), "the app in gzip"),
        ("br;q=0.1, gzip;q=0.9", Some("gzip"), "the app in gzip"),
        ("identity", None, "the app"),
        ("br;q=0", None, "the app"),
    ] {
        let accept = format!("Accept-Encoding: {accept}\r\n");
        let answer = server.get_with("/khet-0123456789ab.wasm", &accept).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("content-encoding"), encoding, "{accept}");
        assert_eq!(answer.header("vary"), Some("accept-encoding"));
        assert_eq!(answer.header("content-length"), Some(&*body.len().to_string()));
        assert_eq!(answer.header("content-type"), Some("application/wasm"));
        assert_eq!(answer.body, body);
    }
    let picture = server.get_with("/icon-0123456789ab.png", "Accept-Encoding: br\r\n").await;
    assert_eq!(picture.header("content-encoding"), None);
    assert_eq!(picture.body, "a picture");
}

#[tokio::test]
async fn all_puzzles_are_one_compressed_file() {
    let server = start(Assets::new(&FILES)).await;
    let plain = server.get("/api/puzzles.txt").await;
    assert_eq!(plain.status, 200);
    assert_eq!(plain.header("content-type"), Some("text/plain; charset=utf-8"));
    assert_eq!(plain.header("cache-control"), Some("no-cache"));
    assert_eq!(plain.body, include_str!("../../../data/puzzles.txt"));
    let compressed = server.get_with("/api/puzzles.txt", "Accept-Encoding: gzip, br\r\n").await;
    assert_eq!(compressed.header("content-encoding"), Some("gzip"));
    let length = compressed.header("content-length").and_then(|length| length.parse().ok());
    assert!(length.is_some_and(|length: usize| length < plain.body.len() / 2), "{length:?}");
    let etag = plain.header("etag").expect("a tag");
    assert_eq!(compressed.header("etag"), Some(etag));
    let known = format!("If-None-Match: {etag}\r\n");
    assert_eq!(server.get_with("/api/puzzles.txt", &known).await.status, 304);
    server.running.stop().await;
}

#[tokio::test]
async fn hashed_names_are_cached_forever_and_others_revalidated() {
    let server = start(Assets::new(&FILES)).await;
    let asset = server.get("/khet-0123456789ab.wasm").await;
    assert_eq!(asset.header("cache-control"), Some("public, max-age=31536000, immutable"));
    for path in ["/", "/en", "/index.html", "/service-worker.js"] {
        let answer = server.get(path).await;
        assert_eq!(answer.header("cache-control"), Some("no-cache"), "{path}");
    }
}

#[tokio::test]
async fn unchanged_files_are_not_sent_again() {
    let server = start(Assets::new(&FILES)).await;
    let first = server.get("/en").await;
    let mark = first.header("etag").expect("a mark");
    let again = server.get_with("/en", &format!("If-None-Match: \"other\", {mark}\r\n")).await;
    assert_eq!((again.status, &*again.body), (304, ""));
    assert_eq!(again.header("etag"), Some(mark));
    let other = server.get_with("/en", "If-None-Match: \"other\"\r\n").await;
    assert_eq!((other.status, &*other.body), (200, "the page"));
}

#[tokio::test]
async fn pages_serve_the_app_and_other_paths_are_not_found() {
    let server = start(Assets::new(&FILES)).await;
    for path in ["/", "/en", "/cs/", "/fr/rules", "/de/computer", "/nl/table?x=1"] {
        let answer = server.get(path).await;
        assert_eq!((answer.status, &*answer.body), (200, "the page"), "{path}");
        assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
    }
    // The app itself shows the error page, in the reader's language.
    for path in ["/english", "/en/nothing", "/en/rules/more", "/admin"] {
        let answer = server.get(path).await;
        assert_eq!((answer.status, &*answer.body), (404, "the page"), "{path}");
    }
    for path in ["/khet-ffffffffffff.js", "/en/missing.css", "/favicon.ico", "/index.html.br"] {
        let answer = server.get(path).await;
        assert_eq!((answer.status, &*answer.body), (404, "Not found.\n"), "{path}");
    }
}

#[tokio::test]
async fn path_traversal_is_rejected() {
    let server = start(Assets::new(&FILES)).await;
    for path in [
        "/../Cargo.toml",
        "/../../../../etc/passwd",
        "/en/../../Cargo.toml",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/..%2f..%2fetc%2fpasswd",
        "/..\\..\\etc\\passwd",
        "/en/%00",
        "//etc/passwd",
        "/./index.html",
        "/index.html/",
        "/index.html%00.png",
    ] {
        let answer = server.get(path).await;
        assert!(matches!(answer.status, 400 | 404), "{path}: {}", answer.status);
        assert!(!answer.body.contains("root:") && !answer.body.contains("[package]"), "{path}");
    }
}

#[tokio::test]
async fn every_response_has_security_headers() {
    let server = start(Assets::new(&FILES)).await;
    for path in ["/", "/khet-0123456789ab.wasm", "/nothing", "/nothing.js", "/healthz"] {
        let answer = server.get(path).await;
        let policy = answer.header("content-security-policy").expect("a policy");
        assert!(policy.starts_with("default-src 'none'; "), "{path}");
        assert!(policy.contains("script-src 'self' 'wasm-unsafe-eval'; "), "{path}");
        assert!(policy.contains("style-src 'self'; "), "{path}");
        assert!(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"), "{path}");
        assert!(!policy.contains("http") && !policy.contains('*'), "only this server: {path}");
        for (name, value) in [
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-embedder-policy", "require-corp"),
            ("cross-origin-resource-policy", "same-origin"),
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
        ] {
            assert_eq!(answer.header(name), Some(value), "{path}");
        }
    }
}

#[tokio::test]
async fn other_methods_are_rejected() {
    let server = start(Assets::new(&FILES)).await;
    let head = server.ask("HEAD /en HTTP/1.1\r\nHost: khet\r\nConnection: close\r\n\r\n").await;
    assert_eq!((head.status, head.header("content-length"), &*head.body), (200, Some("8"), ""));
    for method in ["POST", "PUT", "DELETE", "PATCH"] {
        let request = format!(
            "{method} /en HTTP/1.1\r\nHost: khet\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        );
        let answer = server.ask(&request).await;
        assert_eq!((answer.status, answer.header("allow")), (405, Some("GET, HEAD")), "{method}");
    }
    let nonsense = server.ask("BREW\r\n\r\n").await;
    assert_eq!(nonsense.status, 400);
}

#[tokio::test]
async fn health_checks() {
    let server = start(Assets::new(&FILES)).await;
    let answer = server.get("/healthz").await;
    assert_eq!((answer.status, &*answer.body), (200, "ok\n"));
}

#[tokio::test]
async fn signal_stops_the_server() {
    let server = start(Assets::new(&FILES)).await;
    assert_eq!(server.get("/en").await.status, 200);
    let ended = tokio::time::timeout(Duration::from_secs(10), server.running.stop()).await;
    ended.expect("it ends");
    assert!(TcpStream::connect(server.address).await.is_err());
}

/// A build without the app serves a page with instructions.
#[tokio::test]
async fn the_embedded_app_is_served() {
    let server = start(Assets::embedded()).await;
    let answer = server.get("/en").await;
    assert_eq!(answer.status, 200);
    assert!(answer.body.starts_with("<!doctype html>"), "{}", answer.body);
    assert!(answer.body.contains("Khet"));
}

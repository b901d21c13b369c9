//! Rate limits, cross-site requests, and forged identities.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use khet_server::ServerLimits;
use serde_json::json;

use crate::test_server::{PASSWORD, TestServer, act, begin, moves};

#[test]
fn password_attempts_are_limited_per_address() {
    let server = TestServer::with(ServerLimits { sign_ins_per_hour: 5, ..ServerLimits::default() });
    server.account("Anna");
    let mut thief = server.stranger();
    let wrong = json!({"name": "Anna", "password": "wrong password"});
    for _ in 0..5 {
        assert_eq!(thief.post("/api/sign-in", wrong.clone()).status, 401);
    }
    // Not even the right password is accepted now.
    let right = json!({"name": "Anna", "password": PASSWORD});
    let refused = thief.post("/api/sign-in", right.clone());
    assert_eq!((refused.status, &*refused.code()), (429, "too-many"));
    let seconds = refused.header("retry-after").parse::<u64>().expect("seconds");
    assert_eq!(refused.json()["retry_after"], seconds);
    assert!((1..=720).contains(&seconds), "{seconds}");
    server.skip(std::time::Duration::from_secs(seconds));
    assert_eq!(thief.post("/api/sign-in", right).status, 200);
}

#[test]
fn password_attempts_are_limited_per_name_and_address() {
    let server = TestServer::unlimited();
    server.account("Anna");
    let mut thief = server.stranger();
    let attempt = json!({"name": "Anna", "password": "wrong password"});
    let statuses: Vec<u16> =
        (0..22).map(|_| thief.post("/api/sign-in", attempt.clone()).status).collect();
    assert_eq!(statuses[..20], [401; 20]);
    assert_eq!(statuses[20..], [429; 2]);
    // The same address may try another name.
    let other = json!({"name": "Ben", "password": "wrong password"});
    assert_eq!(thief.post("/api/sign-in", other).status, 401);
}

#[test]
fn sockets_are_limited_per_visitor_behind_a_proxy() {
    let server = TestServer::configured(|config| {
        config.behind_proxy = true;
        config.limits.connections_per_address = 2;
    });
    let at = server.stranger().server.replace("http://", "");
    let open = |visitor: &str| {
        let mut stream = TcpStream::connect(&at).expect("a connection");
        let head = format!(
            "GET /api/live HTTP/1.1\r\nHost: {at}\r\nOrigin: http://{at}\r\n\
             X-Forwarded-For: {visitor}\r\n\
             Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).expect("sent");
        let mut status = String::new();
        BufReader::new(&stream).read_line(&mut status).expect("an answer");
        (stream, status.split(' ').nth(1).unwrap_or_default().to_owned())
    };
    let (first, status) = open("192.0.2.1");
    assert_eq!(status, "101");
    let (_second, status) = open("192.0.2.1");
    assert_eq!(status, "101");
    assert_eq!(open("192.0.2.1").1, "429");
    assert_eq!(open("192.0.2.2").1, "101");
    drop(first);
    let comes_free = (0..500).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        open("192.0.2.1").1 == "101"
    });
    assert!(comes_free);
}

#[test]
fn rate_limit_errors_have_retry_after() {
    let server = TestServer::with(ServerLimits {
        sign_ups_per_hour: 2,
        exports_per_hour: 1,
        challenges_per_minute: 2,
        requests_per_minute_and_person: 20,
        ..ServerLimits::default()
    });
    let mut anna = server.account("Anna");
    server.account("Ben");
    let mut stranger = server.stranger();
    let sign_up = stranger.post("/api/sign-up", json!({"name": "Clara", "password": PASSWORD}));
    stranger.get("/api/export");
    let export = stranger.get("/api/export");
    let challenge = json!({"start": "classic", "time": "none"});
    anna.post("/api/challenges", challenge.clone());
    anna.post("/api/challenges", challenge.clone());
    let challenges = anna.post("/api/challenges", challenge);
    let requests = (0..20).map(|_| anna.get("/api/me")).last().expect("one");
    for refused in [sign_up, export, challenges, requests] {
        assert_eq!((refused.status, &*refused.code()), (429, "too-many"), "{}", refused.text);
        assert!(refused.header("retry-after").parse::<u32>().is_ok_and(|seconds| seconds > 0));
        assert!(refused.json()["retry_after"].as_u64().is_some_and(|seconds| seconds > 0));
    }
}

#[test]
fn cross_site_requests_are_rejected() {
    let server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    let game = begin(&mut anna, &mut ben, json!({}));
    for origin in ["https://evil.example", "null", "http://127.0.0.1:1"] {
        let mut lured = anna.clone();
        lured.origin = Some(origin.to_owned());
        for (method, path) in [
            ("POST", "/api/sign-up"),
            ("POST", "/api/sign-in"),
            ("POST", "/api/sign-out"),
            ("POST", "/api/sign-out-everywhere"),
            ("POST", "/api/me/password"),
            ("POST", "/api/me/tokens"),
            ("DELETE", "/api/me/tokens/abc"),
            ("DELETE", "/api/me"),
            ("POST", "/api/guest"),
            ("POST", "/api/challenges"),
            ("POST", "/api/challenges/k3JvQ9sT1b/accept"),
            ("DELETE", "/api/challenges/k3JvQ9sT1b"),
            ("POST", &*format!("/api/games/{game}/action")),
        ] {
            let answer = lured.send(method, path, Some("{}"));
            assert_eq!((answer.status, &*answer.code()), (403, "wrong-origin"), "{method} {path}");
        }
    }
    assert_eq!(anna.get("/api/me").status, 200, "still signed in");
}

#[test]
fn forged_cookie_is_ignored() {
    let server = TestServer::unlimited();
    let mut anna = server.account("Anna");
    let true_cookie = anna.cookie.clone().unwrap();
    let changed = true_cookie.replace(&true_cookie[10..12], "zz");
    for forged in [&*changed, "khet=", "khet=' OR 1=1 --", &format!("khet={}", "0".repeat(64))] {
        anna.cookie = Some(forged.to_owned());
        let answer = anna.get("/api/me");
        assert_eq!((answer.status, &*answer.code()), (401, "signed-out"), "{forged}");
        assert_eq!(anna.send("DELETE", "/api/me", Some("{}")).status, 401);
    }
    anna.cookie = Some(true_cookie);
    assert_eq!(anna.get("/api/me").status, 200);
}

#[test]
fn token_identifies_its_own_account() {
    let server = TestServer::unlimited();
    let (mut anna, mut bot) = (server.account("Anna"), server.account("Robot"));
    let mut ben = server.account("Ben");
    let token = bot.post("/api/me/tokens", json!({"label": "engine"})).json();
    let game = begin(&mut anna, &mut ben, json!({}));
    // The token has priority over the cookie.
    let mut both = anna.clone();
    both.token = Some(token["token"].as_str().unwrap().to_owned());
    assert_eq!(both.get("/api/me").json()["name"], "Robot");
    let refused = act(&mut both, &game, json!({"move": {"ply": 0, "move": "h2+"}}));
    assert_eq!((refused.status, &*refused.code()), (403, "forbidden"));
    // A session's secret is no API token, and a token opens no session.
    let mut mixed = server.stranger();
    mixed.token = anna.cookie.as_ref().map(|cookie| cookie.replace("khet=", ""));
    assert_eq!(mixed.get("/api/me").status, 401);
    mixed.token = None;
    mixed.cookie = both.token.as_ref().map(|token| format!("khet={token}"));
    assert_eq!(mixed.get("/api/me").status, 401);
    moves([&mut anna, &mut ben], &game, &["h2+", "c7+"]);
}

#[test]
fn unknown_paths_return_json_errors() {
    let server = TestServer::unlimited();
    let mut anyone = server.stranger();
    for path in ["/api/nothing", "/api/games/short", "/api/games/00000000", "/api/people/Nemo"] {
        let answer = anyone.get(path);
        assert_eq!((answer.status, &*answer.code()), (404, "not-found"), "{path}");
    }
    let wrong = anyone.get("/api/sign-up");
    assert_eq!((wrong.status, &*wrong.code(), wrong.header("allow")), (405, "malformed", "POST"));
    let large = format!("{{\"name\": \"{}\"}}", "x".repeat(20_000));
    let answer = anyone.send("POST", "/api/sign-up", Some(&large));
    assert_eq!((answer.status, &*answer.code()), (413, "too-large"));
    let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
    let answer = anyone.send("POST", "/api/sign-up", Some(&deep));
    assert!((400..500).contains(&answer.status), "{}", answer.text);
}

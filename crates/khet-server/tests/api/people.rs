//! People: names, passwords, sessions, deletion of accounts.

use khet_protocol::{Action, ServerMessage};
use serde_json::json;

use crate::test_server::{PASSWORD, TestServer, act, begin, moves, win};

#[test]
fn guest_keeps_games_after_sign_up() {
    let server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.stranger(), server.stranger());
    let game = begin(&mut anna, &mut ben, json!({}));
    let before = anna.id();
    let old_cookie = anna.cookie.clone();
    let signed_up = anna.post("/api/sign-up", json!({"name": "Anna", "password": PASSWORD}));
    assert_eq!(signed_up.status, 201);
    assert_eq!(signed_up.json()["kind"], "account");
    assert_eq!(anna.id(), before, "the same person");
    assert_ne!(anna.cookie, old_cookie, "with another session");
    // The game continues.
    moves([&mut anna, &mut ben], &game, &["h2+", "c7+"]);
    act(&mut ben, &game, json!("resign"));
    let games = ben.get("/api/games?player=anna").json();
    assert_eq!(games["games"][0]["id"], game.as_str());
    assert_eq!(games["games"][0]["players"]["silver"]["name"], "Anna");
    // The guest's session has ended.
    anna.cookie = old_cookie;
    assert_eq!(anna.get("/api/me").status, 401);
}

#[test]
fn cookies_have_safe_attributes() {
    let server =
        TestServer::configured(|config| config.origin = Some("https://khet.example".to_owned()));
    let mut anna = server.stranger();
    anna.origin = Some("https://khet.example".to_owned());
    let answer = anna.post("/api/sign-up", json!({"name": "Anna", "password": PASSWORD}));
    let cookie = answer.header("set-cookie");
    for part in ["HttpOnly", "SameSite=Lax", "Secure", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert_eq!(answer.header("cache-control"), "no-store");
}

#[test]
fn similar_names_are_rejected() {
    let server = TestServer::unlimited();
    server.account("William");
    let mut other = server.stranger();
    for (name, status, code) in [
        ("william", 409, "taken"),
        ("Wi11iam", 409, "taken"),
        ("vvil-liam", 409, "taken"),
        ("Admin", 409, "taken"),
        ("Khet-7", 409, "taken"),
        ("W", 422, "invalid"),
        ("Wіlliam", 422, "invalid"),
        ("a b", 422, "invalid"),
        ("1st", 422, "invalid"),
        ("<script>", 422, "invalid"),
    ] {
        let answer = other.post("/api/sign-up", json!({"name": name, "password": PASSWORD}));
        assert_eq!((answer.status, &*answer.code()), (status, code), "{name}: {}", answer.text);
    }
    for password in ["1234567", "Wilhelmina", &"x".repeat(201)] {
        let answer =
            other.post("/api/sign-up", json!({"name": "Wilhelmina", "password": password}));
        assert_eq!(answer.status, 422, "{password}");
    }
    assert_eq!(other.cookie, None);
}

#[test]
fn sign_in_and_sign_out() {
    let server = TestServer::unlimited();
    let mut anna = server.account("Anna");
    let mut elsewhere = server.stranger();
    let wrong =
        elsewhere.post("/api/sign-in", json!({"name": "anna", "password": "wrong password"}));
    assert_eq!((wrong.status, &*wrong.code()), (401, "signed-out"));
    let unknown = elsewhere.post("/api/sign-in", json!({"name": "Nemo", "password": PASSWORD}));
    assert_eq!(unknown.text, wrong.text, "the error does not say which of the two was wrong");
    let right = elsewhere.post("/api/sign-in", json!({"name": "aNNa", "password": PASSWORD}));
    assert_eq!(right.status, 200, "{}", right.text);
    assert_eq!(right.json()["name"], "Anna");
    // Signing out affects only this browser.
    let kept = elsewhere.cookie.clone();
    assert_eq!(elsewhere.post("/api/sign-out", json!(null)).status, 204);
    elsewhere.cookie = kept;
    assert_eq!(elsewhere.get("/api/me").status, 401);
    assert_eq!(anna.get("/api/me").status, 200);
    // Signing out everywhere affects all browsers.
    elsewhere.post("/api/sign-in", json!({"name": "Anna", "password": PASSWORD}));
    assert_eq!(elsewhere.get("/api/me").status, 200);
    assert_eq!(anna.post("/api/sign-out-everywhere", json!(null)).status, 204);
    assert_eq!(elsewhere.get("/api/me").status, 401);
    assert_eq!(anna.cookie, None);
}

#[test]
fn signing_out_everywhere_closes_connections() {
    let server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    let game = begin(&mut anna, &mut ben, json!({}));
    let (mut hers, mut his) = (server.open_socket(&anna, &game), server.open_socket(&ben, &game));
    assert_eq!(anna.post("/api/sign-out-everywhere", json!(null)).status, 204);
    server.wait(async {
        loop {
            match hers.receive().await {
                Ok(Some(ServerMessage::Closing { .. })) => break,
                Ok(Some(_)) => {}
                other => panic!("{other:?}"),
            }
        }
        // The other player is not affected.
        his.act(1, Action::Chat { text: "hello?".to_owned() }).await.expect("sent");
        loop {
            match his.receive().await {
                Ok(Some(ServerMessage::Done(_))) => break,
                Ok(Some(_)) => {}
                other => panic!("{other:?}"),
            }
        }
    });
}

#[test]
fn changing_the_password_ends_other_sessions() {
    let server = TestServer::unlimited();
    let mut anna = server.account("Anna");
    let mut thief = anna.clone();
    let change = |old: &str, new: &str| json!({"old": old, "new": new});
    assert_eq!(
        anna.post("/api/me/password", change("wrong password", "a new password")).status,
        403
    );
    assert_eq!(anna.post("/api/me/password", change(PASSWORD, "short")).status, 422);
    assert_eq!(anna.post("/api/me/password", change(PASSWORD, "a new password")).status, 204);
    assert_eq!(thief.get("/api/me").status, 401);
    assert_eq!(anna.get("/api/me").status, 200);
    let sign_in = |password| json!({"name": "Anna", "password": password});
    assert_eq!(thief.post("/api/sign-in", sign_in(PASSWORD)).status, 401);
    assert_eq!(thief.post("/api/sign-in", sign_in("a new password")).status, 200);
}

#[test]
fn deleted_account_leaves_no_personal_data() {
    let mut server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Annabella"), server.account("Ben"));
    let finished = win(&mut anna, &mut ben, json!({"rated": true}));
    act(&mut anna, &finished, json!({"chat": {"text": "seven secrets"}}));
    act(&mut ben, &finished, json!({"chat": {"text": "the answer"}}));
    let played = begin(&mut anna, &mut ben, json!({}));
    moves([&mut anna, &mut ben], &played, &["h2+", "c7+"]);
    anna.post("/api/challenges", json!({"start": "classic", "time": "none", "open": true}));

    let mut session = anna.clone();
    assert_eq!(anna.send("DELETE", "/api/me", Some(r#"{"password": "not that"}"#)).status, 403);
    let gone = anna.send("DELETE", "/api/me", Some(&json!({"password": PASSWORD}).to_string()));
    assert_eq!(gone.status, 204, "{}", gone.text);
    assert_eq!(session.get("/api/me").status, 401);
    assert_eq!(ben.get("/api/people/Annabella").status, 404);
    assert_eq!(ben.get("/api/challenges").json()["challenges"], json!([]));
    // The game in progress is lost; the finished one has neither her name nor her messages.
    let page = ben.get("/api/games?player=Ben").json();
    assert_eq!(page["games"].as_array().map(Vec::len), Some(2));
    for game in page["games"].as_array().unwrap() {
        assert_eq!(game["players"]["silver"]["kind"], "gone");
    }
    // No other person can take her name.
    let mut other = server.stranger();
    let taken = other.post("/api/sign-up", json!({"name": "annabe11a", "password": PASSWORD}));
    assert_eq!(taken.status, 409);
    // A restart, after which nothing is cached, changes nothing.
    server.stop();
    server.start();
    let mut ben = {
        let mut again = server.stranger();
        again.cookie = ben.cookie.clone();
        again
    };
    let events = ben.get(&format!("/api/games/{finished}")).text;
    assert!(events.contains("the answer") && !events.contains("seven secrets"), "{events}");
    assert_eq!(ben.get(&format!("/api/games/{played}/kgn")).status, 200);
}

#[test]
fn download_has_all_my_data_and_no_opponent_chat() {
    let server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    let first = win(&mut anna, &mut ben, json!({"rated": true}));
    act(&mut anna, &first, json!({"chat": {"text": "my words"}}));
    act(&mut ben, &first, json!({"chat": {"text": "other words"}}));
    let second = begin(&mut anna, &mut ben, json!({}));
    let answer = anna.get("/api/me/data");
    assert!(answer.header("content-disposition").contains("khet-my-data.json"));
    let data = answer.json();
    assert_eq!(data["me"]["name"], "Anna");
    assert_eq!(data["ratings"][0]["points"].as_array().map(Vec::len), Some(1));
    let games: Vec<&str> =
        data["games"].as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap()).collect();
    assert_eq!(games, [second, first]);
    assert!(answer.text.contains("my words") && !answer.text.contains("other words"));
    assert!(!answer.text.contains("argon2"));
    assert_eq!(server.stranger().get("/api/me/data").status, 401);
}

#[test]
fn secrets_are_not_stored() {
    let mut server = TestServer::unlimited();
    let mut anna = server.account("Anna");
    let cookie = anna.cookie.clone().unwrap().replace("khet=", "");
    let token = anna.post("/api/me/tokens", json!({"label": "engine"})).json();
    let token = token["token"].as_str().unwrap().to_owned();
    server.stop();
    let bytes = server.bytes();
    for secret in [PASSWORD, &cookie, &token] {
        let found = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
        assert!(!found, "{secret}");
    }
}

//! Bots: their tokens, streams and actions.

use serde_json::{Value, json};

use crate::test_server::{Client, PASSWORD, TestServer, act, begin, moves, win};

/// Creates a bot account with a token.
fn bot(server: &TestServer, name: &str) -> Client {
    let mut client = server.account(name);
    let given = client.post("/api/me/tokens", json!({"label": " my engine "}));
    assert_eq!(given.status, 201, "{}", given.text);
    assert_eq!(given.json()["label"], "my engine");
    let mut program = server.stranger();
    program.token = given.json()["token"].as_str().map(str::to_owned);
    program
}

#[test]
fn token_turns_an_account_into_a_bot() {
    let server = TestServer::unlimited();
    let mut owner = server.account("Robot");
    let given = owner.post("/api/me/tokens", json!({"label": "engine"})).json();
    assert_eq!(owner.get("/api/people/Robot").json()["kind"], "bot");
    let list = owner.get("/api/me/tokens").json();
    assert_eq!(list[0]["id"], given["id"]);
    assert_eq!(list[0].get("token"), None, "it was shown once");
    let mut program = server.stranger();
    program.token = given["token"].as_str().map(str::to_owned);
    assert_eq!(program.get("/api/me").json()["name"], "Robot");
    // The bot plays with the token, but can't take over the account.
    for (method, path) in [
        ("POST", "/api/me/tokens"),
        ("GET", "/api/me/tokens"),
        ("POST", "/api/me/password"),
        ("DELETE", "/api/me"),
        ("POST", "/api/sign-out-everywhere"),
        ("GET", "/api/me/data"),
    ] {
        let answer = program.send(method, path, Some("{}"));
        assert_eq!((answer.status, &*answer.code()), (403, "forbidden"), "{method} {path}");
    }
    // A revoked token is invalid; only the owner can revoke it.
    let path = format!("/api/me/tokens/{}", given["id"].as_str().unwrap());
    assert_eq!(server.account("Ben").send("DELETE", &path, None).status, 404);
    assert_eq!(owner.send("DELETE", &path, None).status, 204);
    assert_eq!(program.get("/api/me").status, 401);
}

#[test]
fn accounts_with_rated_games_cannot_become_bots() {
    let server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    win(&mut anna, &mut ben, json!({"rated": true}));
    let refused = anna.post("/api/me/tokens", json!({"label": "engine"}));
    assert_eq!((refused.status, &*refused.code()), (403, "forbidden"));
    let mut guest = server.stranger();
    guest.post("/api/guest", json!(null));
    assert_eq!(guest.post("/api/me/tokens", json!({"label": "engine"})).status, 403);
    for label in ["", "  ", "two\nlines", &"x".repeat(51)] {
        assert_eq!(ben.post("/api/me/tokens", json!({"label": label})).status, 422, "{label}");
    }
}

#[test]
fn bot_receives_challenges_and_games_and_plays() {
    let server = TestServer::unlimited();
    let mut robot = bot(&server, "Robot");
    let mut anna = server.account("Anna");
    let mut stream = robot.lines("/api/stream");
    let challenge = json!({"start": "classic", "time": "300+3", "color": "silver", "to": "robot"});
    let made = anna.post("/api/challenges", challenge).json();
    let id = made["challenge"]["id"].as_str().unwrap().to_owned();
    let message = stream.next().expect("a challenge");
    assert_eq!(message["challenge"]["id"], id.as_str());
    assert_eq!(message["challenge"]["by"]["name"], "Anna");
    robot.post(&format!("/api/challenges/{id}/accept"), json!(null));
    let message = stream.next().expect("a game");
    assert_eq!(message["game"]["challenge"], id.as_str());
    let game = message["game"]["id"].as_str().unwrap().to_owned();

    let mut events = robot.lines(&format!("/api/games/{game}/stream"));
    let joined = events.next().expect("game-joined");
    assert_eq!(joined["game-joined"]["you"], "red");
    moves([&mut anna, &mut robot], &game, &["h2+", "c7+"]);
    let mut mv = || loop {
        let line: Value = events.next().expect("an event");
        if let Some(mv) = line["event"]["kind"]["move"]["move"].as_str() {
            return mv.to_owned();
        }
    };
    assert_eq!([mv(), mv()], ["h2+", "c7+"]);
    // A move sent twice counts once; another move with the same ply is rejected.
    let again = json!({"key": 77, "action": {"move": {"ply": 2, "move": "h2-"}}});
    let path = format!("/api/games/{game}/action");
    let first = anna.post(&path, again.clone());
    assert_eq!(first.status, 200);
    assert_eq!(anna.post(&path, again).text, first.text);
    let wrong = act(&mut robot, &game, json!({"move": {"ply": 3, "move": "a1b2"}}));
    assert_eq!((wrong.status, &*wrong.code()), (422, "illegal-move"), "{}", wrong.text);
    // A new stream begins with the games in progress.
    let mut again = robot.lines("/api/stream");
    assert_eq!(again.next().expect("a game")["game"]["id"], game.as_str());
}

#[test]
fn revoking_a_token_ends_its_streams() {
    let server = TestServer::unlimited();
    let mut owner = server.account("Robot");
    let given = owner.post("/api/me/tokens", json!({"label": "engine"})).json();
    let mut program = server.stranger();
    program.token = given["token"].as_str().map(str::to_owned);
    let mut anna = server.account("Anna");
    let game = begin(&mut anna, &mut program, json!({}));
    let mut stream = program.lines("/api/stream");
    let mut events = program.lines(&format!("/api/games/{game}/stream"));
    assert!(stream.next().is_some() && events.next().is_some(), "both have begun");
    owner.send("DELETE", &format!("/api/me/tokens/{}", given["id"].as_str().unwrap()), None);
    // Both streams end; otherwise this would not return.
    stream.for_each(drop);
    events.for_each(drop);
}

#[test]
fn spectators_do_not_receive_chat() {
    let server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.stranger(), server.stranger());
    let game = begin(&mut anna, &mut ben, json!({}));
    let mut events = server.stranger().lines(&format!("/api/games/{game}/stream?seen=1"));
    let joined = events.next().expect("game-joined");
    assert_eq!(joined["game-joined"]["you"], Value::Null);
    assert_eq!(joined["game-joined"]["after"], 1);
    act(&mut anna, &game, json!({"chat": {"text": "a secret"}}));
    act(&mut anna, &game, json!("abort"));
    let mut received = String::new();
    for line in events.by_ref() {
        received.push_str(&line.to_string());
        if received.contains("aborted") {
            break;
        }
    }
    assert!(received.contains("chat-hidden") && !received.contains("secret"), "{received}");
    let look = server.stranger().get(&format!("/api/games/{game}"));
    assert!(!look.text.contains("secret"));
    assert!(anna.get(&format!("/api/games/{game}")).text.contains("secret"));
}

#[test]
fn bot_challenges_are_listed_while_the_bot_listens() {
    let server = TestServer::unlimited();
    let mut robot = bot(&server, "Robot");
    let mut anna = server.stranger();
    robot.post("/api/challenges", json!({"start": "classic", "time": "300+3", "open": true}));
    let shown = |anna: &mut Client| {
        anna.get("/api/challenges").json()["challenges"].as_array().map_or(0, Vec::len)
    };
    assert_eq!(shown(&mut anna), 0);
    let mut stream = robot.lines("/api/stream");
    stream.next().expect("the own challenge");
    assert_eq!(shown(&mut anna), 1);
    drop(stream);
    // The server notices a closed stream only when it next writes; signing out acts at once.
    let mut owner = server.stranger();
    owner.post("/api/sign-in", json!({"name": "Robot", "password": PASSWORD}));
    owner.post("/api/sign-out-everywhere", json!(null));
    let gone = (0..100).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        shown(&mut anna) == 0
    });
    assert!(gone);
}

#[test]
fn house_bot_tokens_are_valid_until_the_next_start() {
    let mut server = TestServer::configured(|config| {
        config.house_bots = vec!["Khet-1".parse().unwrap(), "Khet-7".parse().unwrap()];
    });
    let mut program = server.stranger();
    let (name, token) = server.running().house_bots()[1].clone();
    program.token = Some(token.clone());
    let me = program.get("/api/me").json();
    assert_eq!((&me["name"], &me["kind"]), (&json!(name.as_str()), &json!("bot")));
    assert!(!format!("{:?}", server.running()).contains(&token));
    server.stop();
    server.start();
    let mut again = server.stranger();
    again.token = Some(token);
    assert_eq!(again.get("/api/me").status, 401);
    again.token = Some(server.running().house_bots()[1].1.clone());
    assert_eq!(again.get("/api/me").json()["id"], me["id"], "the same person");
}

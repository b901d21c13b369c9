//! The inbox: challenges to a person, declined challenges, and games in progress.

use std::time::Duration;

use khet_load::ClientSocket;
use khet_protocol::{ClientMessage, ServerMessage, Subscription};
use serde_json::{Value, json};

use crate::test_server::{Client, TestServer, act, begin, moves, sign_in};

/// Returns a part of a person's inbox.
fn inbox(client: &mut Client, part: &str) -> Vec<Value> {
    let answer = client.get("/api/me/inbox");
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()[part].as_array().expect("a list").clone()
}

/// Challenges a person. Returns the path of the challenge.
fn challenge(by: &mut Client, to: &str, time: &str) -> String {
    let challenge = json!({"start": "classic", "time": time, "to": to, "color": "silver"});
    let made = by.post("/api/challenges", challenge);
    assert_eq!(made.status, 201, "{}", made.text);
    format!("/api/challenges/{}", made.json()["challenge"]["id"].as_str().expect("an id"))
}

#[test]
fn only_the_person_who_was_challenged_gets_accepts_and_declines_it() {
    let server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    let (mut carl, mut guest) = (server.account("Carl"), server.stranger());
    let path = challenge(&mut anna, "ben", "600+5");
    assert_eq!(inbox(&mut anna, "challenges"), [] as [Value; 0]);
    assert_eq!(inbox(&mut carl, "challenges"), [] as [Value; 0]);
    let received = inbox(&mut ben, "challenges");
    assert_eq!(
        (&received[0]["by"]["name"], &received[0]["time"]),
        (&json!("Anna"), &json!("600+5"))
    );
    for other in [&mut carl, &mut guest] {
        let accepted = other.post(&format!("{path}/accept"), json!(null));
        assert_eq!((accepted.status, &*accepted.code()), (403, "forbidden"));
        let declined = other.send("DELETE", &path, None);
        assert_eq!((declined.status, &*declined.code()), (403, "forbidden"));
    }
    let accepted = ben.post(&format!("{path}/accept"), json!(null));
    assert_eq!(accepted.status, 200, "{}", accepted.text);
    assert_eq!(inbox(&mut ben, "challenges"), [] as [Value; 0]);
    assert_eq!(ben.send("DELETE", &path, None).status, 409, "it is a game");
    let mut nobody = server.stranger();
    assert_eq!(nobody.get("/api/me/inbox").status, 401);
}

#[test]
fn a_declined_challenge_is_in_the_inbox_of_the_challenger_until_it_is_removed() {
    let mut server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    let path = challenge(&mut anna, "Ben", "3d");
    assert_eq!(ben.send("DELETE", &path, None).status, 204);
    assert_eq!(inbox(&mut ben, "challenges"), [] as [Value; 0]);
    assert_eq!(inbox(&mut anna, "declined")[0]["to"], "Ben");
    assert_eq!(anna.get(&path).json()["declined"], true);
    let late = ben.post(&format!("{path}/accept"), json!(null));
    assert_eq!((late.status, &*late.code()), (409, "taken"));
    assert_eq!(ben.send("DELETE", &path, None).status, 204, "declining again changes nothing");
    // It does not open again with a restart.
    server.stop();
    server.start();
    let (mut anna, mut ben) = (sign_in(&server, "Anna"), sign_in(&server, "Ben"));
    assert_eq!(inbox(&mut ben, "challenges"), [] as [Value; 0]);
    assert_eq!(inbox(&mut anna, "declined").len(), 1);
    assert_eq!(anna.send("DELETE", &path, None).status, 204);
    assert_eq!(inbox(&mut anna, "declined"), [] as [Value; 0]);
    assert_eq!(anna.get(&path).status, 404);
}

#[test]
fn a_real_time_challenge_leaves_the_inbox_after_the_challenger() {
    let server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    challenge(&mut anna, "Ben", "300+3");
    challenge(&mut anna, "Ben", "3d");
    assert_eq!(inbox(&mut ben, "challenges").len(), 2);
    server.skip(Duration::from_secs(11 * 60));
    let left = inbox(&mut ben, "challenges");
    assert_eq!((left.len(), &left[0]["time"]), (1, &json!("3d")));
    let _lobby = lobby_socket(&server, &anna);
    assert_eq!(inbox(&mut ben, "challenges").len(), 2, "Anna waits in the lobby");
}

/// Opens the lobby.
fn lobby_socket(server: &TestServer, client: &Client) -> ClientSocket {
    let address = server.running().address();
    server.wait(async {
        let mut socket = ClientSocket::open(address, client.cookie.as_deref()).await.expect("open");
        let subscribe = ClientMessage::Subscribe(Subscription::Lobby);
        socket.send_message(&subscribe).await.expect("sent");
        until(&mut socket, |message| matches!(message, ServerMessage::Lobby(_))).await;
        socket
    })
}

/// Receives messages until one is as expected.
async fn until(socket: &mut ClientSocket, expected: impl Fn(&ServerMessage) -> bool) {
    while !expected(&socket.receive().await.expect("received").expect("open")) {}
}

#[test]
fn changes_are_announced_in_the_lobby_and_during_games() {
    let server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    let mut carl = server.account("Carl");
    let game = begin(&mut ben, &mut carl, json!({}));
    let mut in_game = server.open_socket(&ben, &game);
    let mut in_lobby = lobby_socket(&server, &anna);
    let changed = |message: &ServerMessage| *message == ServerMessage::InboxChanged;
    let path = challenge(&mut anna, "Ben", "300+3");
    server.wait(until(&mut in_game, changed));
    assert_eq!(inbox(&mut ben, "challenges").len(), 1);
    assert_eq!(ben.send("DELETE", &path, None).status, 204);
    server.wait(until(&mut in_lobby, changed));
    assert_eq!(inbox(&mut anna, "declined").len(), 1);
    let path = challenge(&mut anna, "Ben", "300+3");
    server.wait(until(&mut in_game, changed));
    assert_eq!(anna.send("DELETE", &path, None).status, 204);
    server.wait(until(&mut in_game, changed));
    assert_eq!(inbox(&mut ben, "challenges"), [] as [Value; 0], "withdrawn");
}

#[test]
fn games_in_progress_are_listed_with_the_turn() {
    let server = TestServer::unlimited();
    let (mut anna, mut guest) = (server.account("Anna"), server.stranger());
    let first = begin(&mut anna, &mut guest, json!({"time": "3d"}));
    let second = begin(&mut anna, &mut guest, json!({"time": "3d"}));
    moves([&mut anna, &mut guest], &first, &["h2+"]);
    let games = |client: &mut Client| {
        let games = inbox(client, "games");
        let game = |game: &Value| {
            let id = game["id"].as_str().expect("an id").to_owned();
            (id, game["opponent"].clone(), game["your_turn"] == true)
        };
        games.iter().map(game).collect::<Vec<_>>()
    };
    let nobody = Value::Null;
    assert_eq!(
        games(&mut anna),
        [(second.clone(), nobody.clone(), true), (first.clone(), nobody, false)]
    );
    assert_eq!(
        games(&mut guest),
        [(first.clone(), json!("Anna"), true), (second.clone(), json!("Anna"), false)]
    );
    assert_eq!(act(&mut anna, &second, json!("abort")).status, 200);
    assert_eq!(games(&mut guest), [(first, json!("Anna"), true)]);
}

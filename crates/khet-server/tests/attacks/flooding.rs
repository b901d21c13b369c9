//! Clients that do too much of something: limits count for people and addresses, not for
//! connections, and hold for requests at the same time.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

use khet_load::{ClientSocket, Guest};
use khet_protocol::{Action, ErrorCode, EventKind, ServerMessage};
use khet_server::{ServerLimits, Time};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use crate::test_game::{self, Client, start_game};
use crate::test_server::{TestServer, act, begin};

const NOW: u64 = 1_800_000_000_000;

/// Each of a person's connections had its own limit.
#[tokio::test]
async fn messages_of_all_connections_count_together() {
    let limits = ServerLimits { messages_per_second: 20, ..ServerLimits::default() };
    let mut server = test_game::TestServer::with(Time::standing(NOW), limits).await;
    let (guest, _) = Guest::enter(server.address()).await.expect("a guest");
    let mut handled = 0;
    for _ in 0..8 {
        let mut socket = ClientSocket::open(server.address(), guest.cookie.as_deref())
            .await
            .expect("a connection");
        for _ in 0..15 {
            socket.send(Message::text("?")).await.expect("sent");
        }
        // The answer to each message, and one for all that are too many.
        for _ in 0..15 {
            match socket.receive().await {
                Ok(Some(ServerMessage::Refused { error, .. })) => match error.code {
                    ErrorCode::Malformed => handled += 1,
                    ErrorCode::TooMany => break,
                    other => panic!("{other:?}"),
                },
                other => panic!("{other:?}"),
            }
        }
    }
    assert_eq!(handled, 40);
    server.stop().await;
}

/// Two people started 4,669 games in 20 seconds.
#[test]
fn rematches_are_limited() {
    let server = TestServer::configured(|config| {
        config.limits = ServerLimits { games_per_minute: 5, ..TestServer::high_limits() };
        config.time = Time::standing(NOW);
    });
    let [mut anna, mut ben] = ["Anna", "Ben"].map(|name| server.account(name));
    let mut game = begin(&mut anna, &mut ben, json!({}));
    let mut started = 1;
    for _ in 0..20 {
        assert_eq!(act(&mut anna, &game, json!("abort")).status, 200);
        let offered = act(&mut anna, &game, json!("rematch"));
        let accepted = act(&mut ben, &game, json!("rematch"));
        if offered.status != 200 || accepted.status != 200 {
            let refused = if offered.status == 200 { accepted } else { offered };
            assert_eq!((refused.status, &*refused.code()), (429, "too-many"));
            break;
        }
        started += 1;
        let games = anna.get("/api/me/games").json();
        game = games[0]["id"].as_str().expect("a game").to_owned();
    }
    assert_eq!(started, 5);
}

/// Nothing limited the games that one person had in progress.
#[test]
fn games_in_progress_are_limited_per_person() {
    let server =
        TestServer::with(ServerLimits { games_per_person: 3, ..TestServer::high_limits() });
    let [mut anna, mut ben, mut clara] = ["Anna", "Ben", "Clara"].map(|name| server.account(name));
    let challenge = json!({"start": "classic", "time": "1d"});
    let offer = |client: &mut crate::test_server::Client| {
        let made = client.post("/api/challenges", challenge.clone());
        made.json()["challenge"]["id"].as_str().map(str::to_owned)
    };
    let offers: Vec<String> = (0..5).map(|_| offer(&mut ben).expect("a challenge")).collect();
    let mut accept =
        |id: &String| anna.post(&format!("/api/challenges/{id}/accept"), Value::Null).status;
    let statuses: Vec<u16> = offers.iter().map(&mut accept).collect();
    assert_eq!(statuses, [200, 200, 200, 429, 429]);
    assert_eq!(ben.post("/api/challenges", challenge.clone()).status, 429);
    assert_eq!(clara.post("/api/challenges", challenge.clone()).status, 201);
}

/// The limits of ten tokens and ten challenges did not hold for requests at the same time.
#[test]
fn limits_hold_for_requests_at_the_same_time() {
    let server = TestServer::unlimited();
    let anna = server.account("Anna");
    for (path, body) in [
        ("/api/challenges", json!({"start": "classic", "time": "none"})),
        ("/api/me/tokens", json!({"label": "engine"})),
    ] {
        let created: u32 = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..30)
                .map(|_| {
                    let (mut client, body) = (anna.clone(), body.clone());
                    scope.spawn(move || u32::from(client.post(path, body).status == 201))
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("an answer")).sum()
        });
        assert_eq!(created, 10, "{path}");
    }
}

/// A visitor behind a proxy could open any number of streams.
#[test]
fn streams_are_limited_per_visitor_behind_a_proxy() {
    let server = TestServer::configured(|config| {
        config.behind_proxy = true;
        config.limits = ServerLimits { connections_per_address: 2, ..TestServer::high_limits() };
    });
    let [mut anna, mut ben] = ["Anna", "Ben"].map(|name| server.account(name));
    let game = begin(&mut anna, &mut ben, json!({}));
    let at = anna.server.replace("http://", "");
    let open = |visitor: &str| {
        let mut stream = TcpStream::connect(&at).expect("a connection");
        let request = format!(
            "GET /api/games/{game}/stream HTTP/1.1\r\nHost: {at}\r\n\
             X-Forwarded-For: {visitor}\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).expect("sent");
        let mut status = String::new();
        BufReader::new(&stream).read_line(&mut status).expect("an answer");
        (stream, status.split(' ').nth(1).unwrap_or_default().to_owned())
    };
    let streams = [open("192.0.2.1"), open("192.0.2.1")];
    assert!(streams.iter().all(|(_, status)| status == "200"));
    assert_eq!(open("192.0.2.1").1, "429");
    assert_eq!(open("192.0.2.2").1, "200");
}

/// Forgotten games and challenges stayed until the next start.
#[tokio::test]
async fn forgotten_games_and_challenges_expire() {
    let mut server = test_game::TestServer::unlimited(Time::standing(NOW)).await;
    let test_game = start_game(&server, "none").await;
    let mut silver = Client::open(&test_game.people[0], test_game.game).await;
    let mut red = Client::open(&test_game.people[1], test_game.game).await;
    silver.mv(0, "h2+").await.expect("accepted");
    red.mv(1, "c7+").await.expect("accepted");
    silver.event().await;
    let mut anna = Guest::without_session(server.address());
    let open = r#"{"start": "classic", "time": "1d", "open": true}"#;
    let id = anna.challenge(&test_game::options(open)).await.expect("accepted");
    server.skip(Duration::from_secs(13 * 24 * 60 * 60));
    let path = format!("/api/challenges/{id}");
    assert_eq!(anna.ask("GET", &path, "").await.expect("an answer").status, 200);
    server.skip(Duration::from_secs(18 * 24 * 60 * 60));
    let EventKind::Ended(end) = silver.event().await else { panic!("the end") };
    assert_eq!((end.winner, end.is_aborted()), (None, false));
    for _ in 0..2000 {
        let lobby = anna.ask("GET", "/api/challenges", "").await.expect("an answer").body;
        let gone = anna.ask("GET", &path, "").await.expect("an answer").status == 404;
        if gone && !lobby.contains(id.as_str()) {
            server.stop().await;
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the challenge is still there");
}

/// One person's challenges pushed those of all others off the list.
#[test]
fn lobby_lists_few_challenges_per_person_and_the_newest_first() {
    let server = TestServer::unlimited();
    let [mut anna, mut ben] = ["Anna", "Ben"].map(|name| server.account(name));
    let open = |client: &mut crate::test_server::Client, days: u32| {
        let challenge = json!({"start": "classic", "time": format!("{days}d"), "open": true});
        assert_eq!(client.post("/api/challenges", challenge).status, 201);
        server.skip(Duration::from_secs(1));
    };
    for days in 1..=5 {
        open(&mut anna, days);
    }
    open(&mut ben, 1);
    let lobby = anna.get("/api/challenges").json();
    let listed: Vec<(&str, &str)> = lobby["challenges"]
        .as_array()
        .expect("challenges")
        .iter()
        .map(|listed| {
            (listed["by"]["name"].as_str().expect("a name"), listed["time"].as_str().expect("time"))
        })
        .collect();
    assert_eq!(listed, [("Ben", "1d"), ("Anna", "5d"), ("Anna", "4d"), ("Anna", "3d")]);
}

/// Giving time was unlimited, and everybody who watched got every event.
#[tokio::test]
async fn added_time_is_limited() {
    let mut server = test_game::TestServer::unlimited(Time::standing(NOW)).await;
    let test_game = start_game(&server, "60+0").await;
    let mut silver = Client::open(&test_game.people[0], test_game.game).await;
    let mut added = 0;
    let refused = loop {
        match silver.act(Action::AddTime).await {
            Ok(_) => added += 1,
            Err(error) => break error.code,
        }
    };
    assert_eq!((added, refused), (20, ErrorCode::TooMany));
    server.stop().await;
}

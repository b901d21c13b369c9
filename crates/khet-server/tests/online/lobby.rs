//! The lobby over the network: pairing, the list of seeks, waiting bots, and live counts.

use std::time::{Duration, Instant};

use khet_load::{ClientSocket, Guest, HttpResponse, request};
use khet_protocol::{
    ApiError, ChallengeResponse, ClientMessage, ErrorCode, GameId, IssuedToken, LobbyCounts,
    LobbyResponse, PairedResponse, PersonId, PublicProfile, SeekId, ServerMessage, Subscription,
};
use khet_server::Time;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::test_game::{Client, TestServer, options};

const BLITZ: &str = r#"{"start": "classic", "time": "300+3"}"#;
const RATED_BLITZ: &str = r#"{"start": "classic", "time": "300+3", "rated": true}"#;
const OPEN_BLITZ: &str = r#"{"start": "classic", "time": "300+3", "open": true}"#;

async fn server() -> TestServer {
    TestServer::unlimited(Time::standing(1_800_000_000_000)).await
}

/// A person with a page of the lobby.
struct Visitor {
    guest: Guest,
    id: PersonId,
    socket: ClientSocket,
    lobby: LobbyResponse,
    games: Vec<GameId>,
    key: u32,
}

impl Visitor {
    /// Opens the lobby as a new guest.
    async fn guest(server: &TestServer) -> Visitor {
        let (guest, id) = Guest::enter(server.address()).await.expect("a guest");
        Visitor::open(guest, id).await
    }

    /// Opens the lobby with a new account.
    async fn account(server: &TestServer, name: &str) -> Visitor {
        let (guest, id) = sign_up(server, name).await;
        Visitor::open(guest, id).await
    }

    async fn open(guest: Guest, id: PersonId) -> Visitor {
        let mut socket =
            ClientSocket::open(guest.server, guest.cookie.as_deref()).await.expect("a connection");
        socket.send_message(&ClientMessage::Subscribe(Subscription::Lobby)).await.expect("sent");
        let Ok(Some(ServerMessage::Lobby(lobby))) = socket.receive().await else {
            panic!("the lobby")
        };
        Visitor { guest, id, socket, lobby, games: Vec::new(), key: 0 }
    }

    /// Receives a message and remembers what it says about the lobby.
    async fn receive(&mut self) -> ServerMessage {
        let message = self.socket.receive().await.expect("received").expect("open");
        match &message {
            ServerMessage::Lobby(lobby) => self.lobby = lobby.clone(),
            ServerMessage::LobbyCounts(counts) => self.lobby.counts = *counts,
            ServerMessage::Paired { game } => self.games.push(*game),
            _ => {}
        }
        message
    }

    /// Receives messages until the lobby is as expected.
    async fn until(&mut self, expected: impl Fn(&LobbyResponse) -> bool) {
        while !expected(&self.lobby) {
            self.receive().await;
        }
    }

    /// Receives messages until a game starts.
    async fn paired(&mut self) -> GameId {
        while self.games.is_empty() {
            self.receive().await;
        }
        self.games.remove(0)
    }

    /// Seeks a game and waits for the acknowledgement.
    async fn seek(&mut self, challenge: &str) -> Result<(), ApiError> {
        self.key += 1;
        let (key, challenge) = (self.key, Box::new(options(challenge)));
        let message = ClientMessage::Seek { key, challenge };
        self.socket.send_message(&message).await.expect("sent");
        loop {
            match self.receive().await {
                ServerMessage::Done(ack) if ack.key == key => return Ok(()),
                ServerMessage::Refused { error, .. } => return Err(error),
                _ => {}
            }
        }
    }

    async fn accept_seek(&mut self, id: SeekId) -> HttpResponse {
        accept_seek(&mut self.guest, id).await
    }
}

async fn sign_up(server: &TestServer, name: &str) -> (Guest, PersonId) {
    let mut guest = Guest::without_session(server.address());
    let body = format!(r#"{{"name": "{name}", "password": "correct horse battery"}}"#);
    let answer = guest.post("/api/sign-up", &body).await.expect("an answer");
    let me: khet_protocol::Me = answer.read().expect("an account");
    (guest, me.id)
}

async fn accept_seek(guest: &mut Guest, id: SeekId) -> HttpResponse {
    guest.post(&format!("/api/seeks/{id}/accept"), "").await.expect("an answer")
}

/// Returns the code of an error.
fn code(answer: &HttpResponse) -> (u16, ErrorCode) {
    let error: ApiError = serde_json::from_str(&answer.body).expect("an error");
    (answer.status, error.code)
}

/// Checks that two people play the game, each one colour.
async fn assert_players(game: GameId, one: &Visitor, other: &Visitor) {
    let one = Client::open(&one.guest, game).await.joined.you;
    let other = Client::open(&other.guest, game).await.joined.you;
    assert!(one.is_some() && other.is_some() && one != other, "{one:?} {other:?}");
}

#[tokio::test]
async fn a_seek_takes_a_matching_open_challenge() {
    let server = server().await;
    let mut anna = Visitor::guest(&server).await;
    let mut ben = Visitor::guest(&server).await;
    for other in [
        r#"{"start": "classic", "time": "300+5", "open": true}"#,
        r#"{"start": "imhotep", "time": "300+3", "open": true}"#,
        r#"{"start": "classic", "time": "300+3", "color": "red", "open": true}"#,
        r#"{"start": "classic", "time": "300+3", "open": false}"#,
    ] {
        anna.guest.challenge(&options(other)).await.expect("posted");
    }
    let red_seek = r#"{"start": "classic", "time": "300+3", "color": "red"}"#;
    ben.seek(red_seek).await.expect("waits");
    ben.until(|lobby| lobby.seeks.len() == 1 && lobby.challenges.len() == 3).await;
    assert!(ben.games.is_empty(), "nothing matches yet");
    let id = anna.guest.challenge(&options(OPEN_BLITZ)).await.expect("posted");
    // The new challenge has found the seek.
    let game = anna.paired().await;
    assert_eq!(ben.paired().await, game);
    assert_eq!(Client::open(&ben.guest, game).await.joined.you, Some(khet::Color::Red));
    let answer = anna.guest.ask("GET", &format!("/api/challenges/{id}"), "").await;
    let challenge: ChallengeResponse = answer.expect("an answer").read().expect("a challenge");
    assert_eq!(challenge.game, Some(game));
    anna.until(|lobby| lobby.seeks.is_empty()).await;
    // The other way round: the challenge was there first.
    let body = serde_json::to_string(&options(OPEN_BLITZ)).expect("JSON");
    let posted = anna.guest.post("/api/challenges", &body).await.expect("an answer");
    assert_eq!(posted.read::<ChallengeResponse>().expect("posted").game, None);
    ben.seek(BLITZ).await.expect("paired");
    let game = ben.paired().await;
    assert_eq!(anna.paired().await, game);
    assert_players(game, &anna, &ben).await;
}

#[tokio::test]
async fn a_challenge_is_paired_when_its_author_comes_back() {
    let server = server().await;
    let (mut anna, id) = Guest::enter(server.address()).await.expect("a guest");
    anna.challenge(&options(OPEN_BLITZ)).await.expect("posted");
    let mut ben = Visitor::guest(&server).await;
    ben.seek(BLITZ).await.expect("waits");
    assert!(ben.lobby.challenges.is_empty() && ben.games.is_empty(), "Anna is away");
    let mut anna = Visitor::open(anna, id).await;
    let game = anna.paired().await;
    assert_eq!(ben.paired().await, game);
    assert_players(game, &anna, &ben).await;
}

#[tokio::test]
async fn everybody_sees_a_seek_and_one_person_can_accept_it() {
    let server = server().await;
    let mut anna = Visitor::guest(&server).await;
    let mut ben = Visitor::guest(&server).await;
    anna.seek(BLITZ).await.expect("waits");
    ben.until(|lobby| lobby.seeks.len() == 1).await;
    let seek = ben.lobby.seeks[0].clone();
    assert_eq!((seek.by.id, seek.options.time.to_string()), (anna.id, "300+3".to_owned()));
    assert_eq!(code(&anna.accept_seek(seek.id).await), (403, ErrorCode::Forbidden));
    // Many people accept it at once. One plays; the others learn that it is gone.
    let mut tasks = Vec::new();
    for _ in 0..8 {
        let (mut guest, _) = Guest::enter(server.address()).await.expect("a guest");
        tasks.push(tokio::spawn(async move { accept_seek(&mut guest, seek.id).await }));
    }
    let mut games = Vec::new();
    for task in tasks {
        let answer = task.await.expect("an answer");
        match answer.status {
            200 => games.push(answer.read::<PairedResponse>().expect("a game").game),
            status => assert!(status == 409 || status == 404, "{status} {}", answer.body),
        }
    }
    assert_eq!(games, [anna.paired().await]);
    ben.until(|lobby| lobby.seeks.is_empty() && lobby.counts.games == 1).await;
    assert_eq!(code(&ben.accept_seek(seek.id).await), (404, ErrorCode::NotFound));
}

#[tokio::test]
async fn a_seek_ends_when_it_is_cancelled_or_its_connection_closes() {
    let server = server().await;
    let mut anna = Visitor::guest(&server).await;
    let mut ben = Visitor::guest(&server).await;
    anna.seek(BLITZ).await.expect("waits");
    anna.seek(r#"{"start": "classic", "time": "60+0"}"#).await.expect("replaces the first one");
    let time =
        |lobby: &LobbyResponse| lobby.seeks.first().map(|seek| seek.options.time.to_string());
    ben.until(|lobby| time(lobby).as_deref() == Some("60+0")).await;
    assert_eq!(ben.lobby.seeks.len(), 1);
    anna.socket.send_message(&ClientMessage::Unseek).await.expect("sent");
    ben.until(|lobby| lobby.seeks.is_empty()).await;
    anna.seek(BLITZ).await.expect("waits");
    ben.until(|lobby| lobby.seeks.len() == 1).await;
    let seek = ben.lobby.seeks[0].id;
    drop(anna);
    ben.until(|lobby| lobby.seeks.is_empty()).await;
    assert_eq!(code(&ben.accept_seek(seek).await), (404, ErrorCode::NotFound));
}

#[tokio::test]
async fn rated_and_casual_seekers_play_only_if_one_accepts_the_other() {
    let server = server().await;
    let mut anna = Visitor::account(&server, "Anna").await;
    let mut guest = Visitor::guest(&server).await;
    assert_eq!(guest.seek(RATED_BLITZ).await.expect_err("a guest").code, ErrorCode::Forbidden);
    anna.seek(RATED_BLITZ).await.expect("waits");
    guest.seek(BLITZ).await.expect("waits");
    // Nothing starts without asking; each sees that the other waits.
    for visitor in [&mut anna, &mut guest] {
        visitor.until(|lobby| lobby.seeks.len() == 2).await;
        assert!(visitor.games.is_empty());
        let [one, other] = &visitor.lobby.seeks[..] else { panic!("two seeks") };
        assert!(one.options.differs_only_in_rated(&other.options));
    }
    let seek_of = |visitor: &Visitor, by: PersonId| {
        visitor.lobby.seeks.iter().find(|seek| seek.by.id == by).expect("a seek").id
    };
    let (rated, casual) = (seek_of(&guest, anna.id), seek_of(&anna, guest.id));
    assert_eq!(code(&guest.accept_seek(rated).await), (403, ErrorCode::Forbidden));
    let answer: PairedResponse = anna.accept_seek(casual).await.read().expect("a game");
    assert_eq!(guest.paired().await, answer.game);
    assert_eq!(anna.paired().await, answer.game);
    let state = Client::open(&anna.guest, answer.game).await.state();
    assert!(!state.options().rated, "the game is as the seek that was accepted");
    // Both seeks have ended, so that neither player is paired again.
    let mut ben = Visitor::account(&server, "Ben").await;
    assert!(ben.lobby.seeks.is_empty());
    ben.seek(RATED_BLITZ).await.expect("waits");
    assert!(ben.games.is_empty());
}

#[tokio::test]
async fn somebody_who_seeks_in_two_tabs_gets_one_game() {
    let server = server().await;
    let mut tab = Visitor::guest(&server).await;
    let mut other_tab = Visitor::open(tab.guest.clone(), tab.id).await;
    tab.seek(BLITZ).await.expect("waits");
    other_tab.seek(r#"{"start": "classic", "time": "600+5"}"#).await.expect("waits");
    let mut ben = Visitor::guest(&server).await;
    let mut clara = Visitor::guest(&server).await;
    ben.seek(BLITZ).await.expect("paired");
    let game = tab.paired().await;
    assert_eq!(ben.paired().await, game);
    clara.until(|lobby| lobby.seeks.is_empty()).await;
    clara.seek(r#"{"start": "classic", "time": "600+5"}"#).await.expect("waits");
    assert!(clara.games.is_empty(), "the other tab's seek is over");
}

/// The stream of a bot, open until it is dropped.
struct BotStream(TcpStream);

impl BotStream {
    async fn open(server: &TestServer, token: &str, query: &str) -> BotStream {
        let mut stream = TcpStream::connect(server.address()).await.expect("a connection");
        let request = format!(
            "GET /api/stream{query} HTTP/1.1\r\nHost: khet\r\nAuthorization: Bearer {token}\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).await.expect("sent");
        BotStream(stream)
    }

    /// Reads until a text has come.
    async fn until(&mut self, text: &str) {
        let (mut read, mut buffer) = (String::new(), [0; 1024]);
        while !read.contains(text) {
            let count = self.0.read(&mut buffer).await.expect("received");
            assert!(count > 0, "the stream ends after {read}");
            read.push_str(&String::from_utf8_lossy(&buffer[..count]));
        }
    }
}

#[tokio::test]
async fn bots_wait_for_people_who_choose_them() {
    let server = server().await;
    let (mut owner, _) = sign_up(&server, "Robot").await;
    let token = owner.post("/api/me/tokens", r#"{"label": "engine"}"#).await.expect("an answer");
    let token = token.read::<IssuedToken>().expect("a token").token;
    let authorization = format!("Authorization: Bearer {token}\r\n");
    let ask = async |method: &str, path: &str, body: &str| {
        request(server.address(), method, path, &authorization, body).await.expect("an answer")
    };
    let mut anna = Visitor::guest(&server).await;
    for (query, status) in [("?times=soon", 422), ("?times=5%2B0", 422)] {
        let answer = ask("GET", &format!("/api/stream{query}"), "").await;
        assert_eq!(answer.status, status, "{query}: {}", answer.body);
    }
    let mut stream = BotStream::open(&server, &token, "?times=300%2B3,600+5").await;
    anna.until(|lobby| lobby.bots.len() == 1).await;
    let bot = anna.lobby.bots[0].clone();
    assert_eq!(bot.profile.name.as_ref().map(|name| name.as_str()), Some("Robot"));
    assert_eq!(bot.times, ["300+3", "600+5"].map(|time| time.parse().expect("a time control")));
    // Neither the bot's challenge nor its declaration pairs it with a person who does not ask.
    assert_eq!(ask("POST", "/api/challenges", OPEN_BLITZ).await.status, 201);
    anna.until(|lobby| lobby.challenges.len() == 1).await;
    anna.seek(BLITZ).await.expect("waits");
    anna.until(|lobby| lobby.seeks.len() == 1).await;
    assert!(anna.games.is_empty());
    let accept = format!("/api/seeks/{}/accept", anna.lobby.seeks[0].id);
    assert_eq!(code(&ask("POST", &accept, "").await), (403, ErrorCode::Forbidden));
    // A challenge to the bot that it declines, and one that it accepts.
    let to_bot = options(r#"{"start": "classic", "time": "300+3", "to": "Robot"}"#);
    let declined = anna.guest.challenge(&to_bot).await.expect("posted");
    stream.until(declined.as_str()).await;
    let path = format!("/api/challenges/{declined}");
    assert_eq!(ask("DELETE", &path, "").await.status, 204);
    let notice = ServerMessage::ChallengeDeclined { challenge: declined };
    while anna.receive().await != notice {}
    let accepted = anna.guest.challenge(&to_bot).await.expect("posted");
    assert_eq!(ask("POST", &format!("/api/challenges/{accepted}/accept"), "").await.status, 200);
    anna.paired().await;
    anna.until(|lobby| lobby.seeks.is_empty()).await;
    drop(stream);
    anna.until(|lobby| lobby.bots.is_empty() && lobby.challenges.is_empty()).await;
}

#[tokio::test]
async fn counts_are_right_and_live() {
    let server = server().await;
    let mut anna = Visitor::guest(&server).await;
    assert_eq!(anna.lobby.counts, LobbyCounts { games: 0, people: 1 });
    let mut ben = Visitor::guest(&server).await;
    let mut clara = Visitor::guest(&server).await;
    let people = |people| move |lobby: &LobbyResponse| lobby.counts.people == people;
    for visitor in [&mut anna, &mut ben, &mut clara] {
        visitor.until(people(3)).await;
    }
    // A second tab is the same person, a browser without a session is another one.
    let tab = Visitor::open(anna.guest.clone(), anna.id).await;
    assert_eq!(tab.lobby.counts.people, 3);
    let mut stranger = ClientSocket::open(server.address(), None).await.expect("a connection");
    stranger.send_message(&ClientMessage::Subscribe(Subscription::Lobby)).await.expect("sent");
    ben.until(people(4)).await;
    // It becomes a guest and connects again, as the app does.
    let (guest, id) = Guest::enter(server.address()).await.expect("a guest");
    let dora = Visitor::open(guest, id).await;
    drop(stranger);
    let is_settled = |lobby: &LobbyResponse| lobby.counts.people == 4;
    ben.until(is_settled).await;
    drop((tab, dora));
    ben.until(people(3)).await;
    // Games count from their start to their end.
    anna.seek(BLITZ).await.expect("waits");
    ben.seek(BLITZ).await.expect("paired");
    clara.until(|lobby| lobby.counts.games == 1).await;
    let game = anna.paired().await;
    let mut player = Client::open(&anna.guest, game).await;
    player.act(khet_protocol::Action::Abort).await.expect("aborted");
    clara.until(|lobby| lobby.counts.games == 0).await;
    drop((player, anna, ben));
    clara.until(people(1)).await;
    let answer = clara.guest.ask("GET", "/api/challenges", "").await.expect("an answer");
    let listed: LobbyResponse = answer.read().expect("the lobby");
    assert_eq!(listed.counts, LobbyCounts { games: 0, people: 1 });
}

#[tokio::test]
async fn counts_are_sent_at_a_bounded_rate() {
    let server = server().await;
    let mut anna = Visitor::guest(&server).await;
    let began = Instant::now();
    let mut strangers = Vec::new();
    for _ in 0..60 {
        let socket = ClientSocket::open(server.address(), None).await.expect("a connection");
        strangers.push(socket);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let mut messages = 0;
    while anna.lobby.counts.people < 61 {
        anna.receive().await;
        messages += 1;
    }
    let seconds = began.elapsed().as_secs();
    assert!(messages <= seconds + 1, "{messages} messages in {seconds} s");
}

#[tokio::test]
async fn invalid_seeks_are_refused() {
    let server = server().await;
    let mut anna = Visitor::guest(&server).await;
    let private = r#"{"start": "classic", "time": "300+3", "private": true}"#;
    assert_eq!(anna.seek(private).await.expect_err("private").code, ErrorCode::Invalid);
    let mut stranger = Guest::without_session(server.address());
    let answer = stranger.post("/api/seeks/nonsense/accept", "").await.expect("an answer");
    assert_eq!(answer.status, 404, "{}", answer.body);
    let answer = stranger.post("/api/seeks/Wd5rT0xYp2/accept", "").await.expect("an answer");
    assert_eq!(code(&answer), (404, ErrorCode::NotFound));
    // A connection without a session cannot seek.
    let mut socket = ClientSocket::open(server.address(), None).await.expect("a connection");
    socket.send_message(&ClientMessage::Subscribe(Subscription::Lobby)).await.expect("sent");
    let challenge = Box::new(options(BLITZ));
    socket.send_message(&ClientMessage::Seek { key: 1, challenge }).await.expect("sent");
    let refused = loop {
        match socket.receive().await.expect("received").expect("open") {
            ServerMessage::Refused { key: 1, error } => break error,
            ServerMessage::Lobby(_) | ServerMessage::LobbyCounts(_) => {}
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(refused.code, ErrorCode::SignedOut);
}

/// A person who watches with two tabs is one spectator.
#[tokio::test]
async fn spectators_are_counted_once() {
    let server = server().await;
    let game = crate::test_game::start_game(&server, "300+3").await;
    let mut silver = Client::open(&game.people[0], game.game).await;
    let (guest, _) = Guest::enter(server.address()).await.expect("a guest");
    let _tabs = [Client::open(&guest, game.game).await, Client::open(&guest, game.game).await];
    let _stranger = Client::open(&Guest::without_session(server.address()), game.game).await;
    let fresh = Client::open(&game.people[1], game.game).await;
    assert_eq!(fresh.joined.presence.spectators, 2);
    // The players learn it.
    let presence = loop {
        match silver.socket.receive().await.expect("received").expect("open") {
            ServerMessage::Presence(presence) if presence.spectators > 0 => break presence,
            _ => {}
        }
    };
    assert_eq!(presence.spectators, 2);
    let answer = Guest::without_session(server.address())
        .ask("GET", &format!("/api/games/{}", game.game), "")
        .await;
    let shown: khet_protocol::GameJoined = answer.expect("an answer").read().expect("a game");
    assert_eq!(shown.presence.spectators, 2);
    let _: &PublicProfile = shown.players.get(khet::Color::Silver);
}

//! A server and clients for the tests of the API.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::time::Duration;

use khet_load::ClientSocket;
use khet_protocol::ServerMessage;
use khet_server::{Assets, Config, DatabaseLocation, File, Server, ServerLimits, Time, testing};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// A minimal page of the app.
static PAGE: [File; 1] = [File {
    name: "index.html",
    plain:
        b"<!doctype html>\n<html>\n<head>\n<title>Khet</title>\n</head>\n<body></body>\n</html>\n",
    brotli: None,
    gzip: None,
}];

/// A server that runs in the background.
pub(crate) struct TestServer {
    runtime: Runtime,
    pub(crate) config: Config,
    server: Option<Server>,
    folder: TempDir,
}

impl TestServer {
    /// Starts a server with high limits.
    pub(crate) fn unlimited() -> TestServer {
        TestServer::with(TestServer::high_limits())
    }

    pub(crate) fn high_limits() -> ServerLimits {
        ServerLimits {
            requests_per_minute: 1_000_000,
            requests_per_minute_and_person: 1_000_000,
            sign_ups_per_hour: 1_000_000,
            sign_ins_per_hour: 1_000_000,
            exports_per_hour: 1_000_000,
            reviews_per_hour: 1_000_000,
            guests_per_hour: 1_000_000,
            challenges_per_minute: 1_000_000,
            setups_per_hour: 1_000_000,
            games_per_person: 1_000_000,
            games_per_minute: 1_000_000,
            searches_per_minute: 1_000_000,
            subscriptions_per_minute: 1_000_000,
            ..ServerLimits::default()
        }
    }

    pub(crate) fn with(limits: ServerLimits) -> TestServer {
        TestServer::configured(|config| config.limits = limits)
    }

    pub(crate) fn configured(change: impl FnOnce(&mut Config)) -> TestServer {
        let folder = TempDir::new().expect("a folder");
        let database = testing::database(folder.path().join("khet.sqlite"));
        TestServer::start_in(folder, database, change)
    }

    /// Starts a server with a database file, also in a run of the tests on PostgreSQL.
    pub(crate) fn with_file(change: impl FnOnce(&mut Config)) -> TestServer {
        let folder = TempDir::new().expect("a folder");
        let file = folder.path().join("khet.sqlite");
        TestServer::start_in(folder, file.into(), change)
    }

    fn start_in(
        folder: TempDir,
        database: DatabaseLocation,
        change: impl FnOnce(&mut Config),
    ) -> TestServer {
        let mut config = Config::new(database);
        config.address = SocketAddr::from(([127, 0, 0, 1], 0));
        config.time = Time::default();
        change(&mut config);
        let runtime = Runtime::new().expect("a runtime");
        let mut server = TestServer { runtime, config, server: None, folder };
        server.start();
        server
    }

    pub(crate) fn start(&mut self) {
        let started = Server::start(self.config.clone(), Assets::new(&PAGE));
        self.server = Some(self.runtime.block_on(started).expect("a server"));
    }

    pub(crate) fn stop(&mut self) {
        if let Some(server) = self.server.take() {
            self.runtime.block_on(server.stop());
        }
    }

    pub(crate) fn running(&self) -> &Server {
        self.server.as_ref().expect("it runs")
    }

    /// Returns every byte of the database files, or all rows of the PostgreSQL database.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        if let DatabaseLocation::Postgres(_) = self.config.database {
            return testing::dump(&self.config.database).into_bytes();
        }
        let files = std::fs::read_dir(self.folder.path()).expect("a folder");
        let names = files.map(|file| file.expect("a file").path());
        names.flat_map(|name| std::fs::read(name).expect("read")).collect()
    }

    pub(crate) fn skip(&self, time: Duration) {
        self.config.time.skip(time);
    }

    /// Blocks until a future is ready.
    pub(crate) fn wait<T>(&self, something: impl Future<Output = T>) -> T {
        self.runtime.block_on(something)
    }

    /// Opens a WebSocket.
    pub(crate) fn connect(&self, client: &Client) -> ClientSocket {
        let address = self.running().address();
        let opened = match &client.token {
            Some(token) => self.wait(ClientSocket::open_with_token(address, token)),
            None => self.wait(ClientSocket::open(address, client.cookie.as_deref())),
        };
        opened.expect("a connection")
    }

    /// Opens a WebSocket that is subscribed to a game.
    pub(crate) fn open_socket(&self, client: &Client, game: &str) -> ClientSocket {
        let mut socket = self.connect(client);
        self.wait(async {
            socket.subscribe(game.parse().expect("a game"), 0).await.expect("sent");
            match socket.receive().await {
                Ok(Some(ServerMessage::GameJoined(_))) => socket,
                other => panic!("{other:?}"),
            }
        })
    }

    /// Returns a client without a session.
    pub(crate) fn stranger(&self) -> Client {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            // A request that is rejected before its body is read ends the connection.
            .max_idle_connections(0)
            .timeout_per_read(Some(Duration::from_secs(30)));
        Client {
            agent: ureq::Agent::new_with_config(config.build()),
            server: format!("http://{}", self.running().address()),
            cookie: None,
            token: None,
            origin: None,
            languages: String::new(),
        }
    }

    /// Returns a client with an account.
    pub(crate) fn account(&self, name: &str) -> Client {
        let mut client = self.stranger();
        let answer = client.post("/api/sign-up", json!({"name": name, "password": PASSWORD}));
        assert_eq!(answer.status, 201, "{}", answer.text);
        client
    }
}

impl TestServer {
    /// Returns a client with an account that moderates the gallery.
    pub(crate) fn moderator(&self, name: &str) -> Client {
        let client = self.account(name);
        let name = name.parse().expect("a name");
        assert!(self.wait(self.running().add_moderator(&name)).expect("stored"));
        client
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The password of all accounts.
pub(crate) const PASSWORD: &str = "correct horse battery";

/// A browser or a bot.
#[derive(Clone)]
pub(crate) struct Client {
    agent: ureq::Agent,
    pub(crate) server: String,
    pub(crate) cookie: Option<String>,
    pub(crate) token: Option<String>,
    /// The `Origin` header, if it is not the server's own.
    pub(crate) origin: Option<String>,
    /// The `Accept-Language` header, unless it is empty.
    pub(crate) languages: String,
}

/// A response of the server.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: ureq::http::HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text)
            .unwrap_or_else(|error| panic!("{error} in {} {}", self.status, self.text))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("text"))
    }

    /// Returns the code of an error.
    pub(crate) fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_default().to_owned()
    }
}

impl Client {
    pub(crate) fn get(&mut self, path: &str) -> Answer {
        self.send("GET", path, None)
    }

    pub(crate) fn post(&mut self, path: &str, body: Value) -> Answer {
        self.send("POST", path, Some(&body.to_string()))
    }

    pub(crate) fn send(&mut self, method: &str, path: &str, body: Option<&str>) -> Answer {
        let mut answer = self.call(method, path, body);
        self.keep_cookie(&answer);
        let mut text = String::new();
        let body = answer.body_mut().with_config().limit(100 << 20).reader();
        for line in BufReader::new(body).lines() {
            text.push_str(&line.expect("text"));
            text.push('\n');
        }
        Answer { status: answer.status().as_u16(), headers: answer.headers().clone(), text }
    }

    /// Returns a binary response: status, media type, caching and content.
    pub(crate) fn bytes(&self, path: &str) -> (u16, String, String, Vec<u8>) {
        let answer = self.call("GET", path, None);
        let header = |name: &str| {
            let value = answer.headers().get(name);
            value.map_or("", |value| value.to_str().expect("text")).to_owned()
        };
        let (media, keeping) = (header("content-type"), header("cache-control"));
        let status = answer.status().as_u16();
        let mut content = Vec::new();
        answer.into_body().into_reader().read_to_end(&mut content).expect("content");
        (status, media, keeping, content)
    }

    fn call(
        &self,
        method: &str,
        path: &str,
        body: Option<&str>,
    ) -> ureq::http::Response<ureq::Body> {
        let url = format!("{}{path}", self.server);
        let request = match method {
            "POST" => self.agent.post(url),
            "PUT" => self.agent.put(url),
            "DELETE" => self.agent.delete(url).force_send_body(),
            "GET" => self.agent.get(url).force_send_body(),
            other => panic!("{other}"),
        };
        let mut request = request;
        if let Some(cookie) = &self.cookie {
            request = request.header("cookie", cookie);
        }
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        if !self.languages.is_empty() {
            request = request.header("accept-language", &self.languages);
        }
        if method != "GET" {
            let origin = self.origin.as_ref().unwrap_or(&self.server);
            request = request.header("origin", origin);
        }
        let answer = match body {
            Some(body) => request.content_type("application/json").send(body),
            None => request.send_empty(),
        };
        answer.expect("an answer")
    }

    fn keep_cookie(&mut self, answer: &ureq::http::Response<ureq::Body>) {
        let Some(cookie) = answer.headers().get("set-cookie") else { return };
        let cookie = cookie.to_str().expect("text").split(';').next().expect("a value");
        self.cookie = (cookie != "khet=").then(|| cookie.to_owned());
    }

    /// Returns the lines of a streaming response.
    pub(crate) fn lines(&self, path: &str) -> impl Iterator<Item = Value> + use<> {
        self.try_lines(path).unwrap_or_else(|status| panic!("{path}: {status}"))
    }

    /// Returns the lines of a streaming response, or the status of an error.
    pub(crate) fn try_lines(&self, path: &str) -> Result<impl Iterator<Item = Value> + use<>, u16> {
        let answer = self.call("GET", path, None);
        if answer.status().as_u16() != 200 {
            return Err(answer.status().as_u16());
        }
        assert_eq!(answer.headers()["content-type"], "application/x-ndjson");
        let body = BufReader::new(answer.into_body().into_reader());
        let lines = body.lines().map_while(Result::ok).filter(|line| !line.is_empty());
        Ok(lines.map(|line| serde_json::from_str(&line).expect("JSON")))
    }

    pub(crate) fn id(&mut self) -> String {
        let me = self.get("/api/me");
        me.json()["id"].as_str().unwrap_or_else(|| panic!("{}", me.text)).to_owned()
    }
}

/// Returns the path of a game.
pub(crate) fn game_path(game: &str, what: &str) -> String {
    format!("/api/games/{game}{what}")
}

/// Starts a game; the first client plays Silver.
pub(crate) fn begin(silver: &mut Client, red: &mut Client, options: Value) -> String {
    let mut challenge = json!({"start": "classic", "time": "300+3", "color": "silver"});
    for (name, value) in options.as_object().expect("options") {
        challenge[name] = value.clone();
    }
    let made = silver.post("/api/challenges", challenge);
    assert_eq!(made.status, 201, "{}", made.text);
    let id = made.json()["challenge"]["id"].as_str().expect("an id").to_owned();
    let accepted = red.post(&format!("/api/challenges/{id}/accept"), json!(null));
    assert_eq!(accepted.status, 200, "{}", accepted.text);
    accepted.json()["game"].as_str().expect("a game").to_owned()
}

/// Sends an action in a game.
pub(crate) fn act(client: &mut Client, game: &str, act: Value) -> Answer {
    let key = random_key();
    client.post(&game_path(game, "/action"), json!({"key": key, "action": act}))
}

/// Signs in to an account that exists.
pub(crate) fn sign_in(server: &TestServer, name: &str) -> Client {
    let mut client = server.stranger();
    let answer = client.post("/api/sign-in", json!({"name": name, "password": PASSWORD}));
    assert_eq!(answer.status, 200, "{}", answer.text);
    client
}

/// Plays moves, beginning with Silver.
pub(crate) fn moves(people: [&mut Client; 2], game: &str, moves: &[&str]) {
    let [silver, red] = people;
    for (ply, mv) in moves.iter().enumerate() {
        let client = if ply % 2 == 0 { &mut *silver } else { &mut *red };
        let made = act(client, game, json!({"move": {"ply": ply, "move": mv}}));
        assert_eq!(made.status, 200, "{mv}: {}", made.text);
    }
}

/// Plays a whole rated game that the first client wins as Silver.
pub(crate) fn win(winner: &mut Client, loser: &mut Client, options: Value) -> String {
    let game = begin(winner, loser, options);
    moves([winner, loser], &game, &["h2+", "c7+"]);
    let resigned = act(loser, &game, json!("resign"));
    assert_eq!(resigned.status, 200, "{}", resigned.text);
    game
}

fn random_key() -> u32 {
    use std::hash::{BuildHasher, Hasher};
    std::hash::RandomState::new().build_hasher().finish() as u32
}

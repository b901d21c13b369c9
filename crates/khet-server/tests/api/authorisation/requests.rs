//! Calls the operations of the table and describes what comes of it, in the words of the table.

use std::time::Duration;

use khet_load::ClientSocket;
use khet_protocol::{Action, ClientMessage, ErrorCode, GameJoined, ServerMessage, Subscription};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use super::subjects::{CYCLE, SECRET};
use super::table::PermissionRow;
use super::{PermissionServer, Requester};
use crate::test_server::{Answer, PASSWORD, act};

/// Longer than a player has to be gone before the other one may claim the game.
const ABSENCE: Duration = Duration::from_secs(61);
/// Longer than lists are cached.
const CACHE_TIME: Duration = Duration::from_secs(3);

const ALLOWED: &str = "allowed";

impl PermissionServer {
    /// Performs a row's operation for a requester. Returns the cell of the table.
    pub(super) fn result(&mut self, row: &PermissionRow, requester: Requester) -> String {
        if let Some(action) = row.call.strip_prefix("action ") {
            let over_socket = self.act_over_socket(action, requester);
            let over_http = self.act_over_http(action, requester);
            assert_eq!(over_socket, over_http, "{row}");
            return over_socket;
        }
        let subject = self.create_subject(&row.subject);
        match &*row.call {
            "GET /api/live" => {
                self.connect(requester);
                ALLOWED.to_owned()
            }
            "GET /api/stream" => self.stream(requester, &subject.id),
            "GET /api/games/{id}/stream" => {
                let path = format!("/api/games/{}/stream", subject.id);
                match self.client(requester).try_lines(&path) {
                    Err(status) => status.to_string(),
                    Ok(mut lines) => view(&lines.next().expect("a line")["game-joined"]),
                }
            }
            "subscribe game" => {
                let mut socket = self.connect(requester);
                self.subscribe(&mut socket, &subject.id)
            }
            "subscribe challenge" => {
                let id = subject.id.parse().expect("an id");
                let mut socket = self.connect(requester);
                match self.ask(&mut socket, Subscription::Challenge { id }) {
                    ServerMessage::Challenge(answer) => owner(answer.own),
                    other => panic!("{other:?}"),
                }
            }
            "subscribe lobby" => {
                let mut socket = self.connect(requester);
                match self.ask(&mut socket, Subscription::Lobby) {
                    ServerMessage::Lobby(_) => ALLOWED.to_owned(),
                    other => panic!("{other:?}"),
                }
            }
            "seek" => self.seek(requester),
            "unseek" => self.unseek(requester),
            _ => self.request(row, requester, &subject.id),
        }
    }

    fn connect(&mut self, requester: Requester) -> ClientSocket {
        self.server.connect(&self.clients[requester as usize])
    }

    /// Sends a request over HTTP.
    fn request(&mut self, row: &PermissionRow, requester: Requester, id: &str) -> String {
        let (method, path) = row.call.split_once(' ').expect("a method and a path");
        let operation = row.operation();
        let body = self.body(operation);
        let mut client = if changes_session(operation) {
            let name = format!("Player{}", self.next_number());
            self.create(requester, &name)
        } else {
            self.client(requester).clone()
        };
        if operation == "GET /api/watch" {
            self.server.skip(CACHE_TIME);
        }
        let (before, address) = (client.cookie.clone(), fill_in(path, id));
        if path.starts_with("/pictures/") {
            let (status, ..) = client.bytes(&address);
            return if status == 200 { ALLOWED.to_owned() } else { status.to_string() };
        }
        let answer = client.send(method, &address, body.map(|body| body.to_string()).as_deref());
        let is_new = before.is_none() && client.cookie.is_some() && !changes_session(operation);
        match operation {
            _ if answer.status >= 400 => answer.status.to_string(),
            _ if is_new => "as new guest".to_owned(),
            "GET /api/games/{id}" => view(&answer.json()),
            "GET /api/challenges/{id}" => owner(answer.json()["own"] == true),
            "GET /api/setups/{id}" => owner(answer.json()["mine"] == true),
            // A list or a file, in which the subject is or is not.
            _ if !path.contains('{') && !id.is_empty() => listed(&answer, id),
            _ => ALLOWED.to_owned(),
        }
    }

    /// Returns the body of a request: the example of the API's document, with what must be new.
    fn body(&mut self, operation: &str) -> Option<Value> {
        let (method, path) = operation.split_once(' ').expect("a method and a path");
        let described = &self.document["paths"][path][method.to_lowercase()];
        let example = &described["requestBody"]["content"]["application/json"]["example"];
        let mut body = (!example.is_null()).then(|| example.clone());
        match operation {
            "POST /api/sign-up" => {
                let name = format!("Signed{}", self.next_number());
                body = Some(json!({"name": name, "password": PASSWORD}));
            }
            "POST /api/setups" => {
                body = Some(json!({"name": "Two Rivers", "position": self.new_position()}));
            }
            "POST /api/games/{id}/action" | "POST /api/games/{id}/act" => {
                body = Some(json!({"key": 7, "action": {"chat": {"text": "Hello"}}}));
            }
            _ => {}
        }
        body
    }

    /// Opens the stream of notices. The requester posts a challenge of their own after the subject
    /// was created, so everything that comes before it has been listed.
    fn stream(&mut self, requester: Requester, id: &str) -> String {
        let marker = match requester {
            Requester::Anonymous => String::new(),
            _ => self.challenge_of(requester, json!({})),
        };
        let mut lines = match self.client(requester).try_lines("/api/stream") {
            Err(status) => return status.to_string(),
            Ok(lines) => lines,
        };
        let mut found = false;
        loop {
            let line = lines.next().expect("a line").to_string();
            found |= line.contains(id);
            if line.contains(&marker) {
                return if found { "found" } else { "hidden" }.to_owned();
            }
        }
    }

    /// Changes the subject of a connection. Returns the answer.
    fn ask(&self, socket: &mut ClientSocket, subject: Subscription) -> ServerMessage {
        self.server.wait(async {
            socket.send_message(&ClientMessage::Subscribe(subject)).await.expect("sent");
            loop {
                match socket.receive().await.expect("received").expect("open") {
                    ServerMessage::InboxChanged | ServerMessage::Paired { .. } => {}
                    answer => return answer,
                }
            }
        })
    }

    /// Subscribes to a game.
    fn subscribe(&self, socket: &mut ClientSocket, game: &str) -> String {
        let id = game.parse().expect("an id");
        match self.ask(socket, Subscription::Game { id, seen: 0 }) {
            ServerMessage::GameJoined(joined) => {
                view(&serde_json::to_value::<GameJoined>(*joined).expect("JSON"))
            }
            ServerMessage::Refused { error, .. } => status(error.code),
            other => panic!("{other:?}"),
        }
    }

    /// Sends a message that is answered with its key.
    fn send(&self, socket: &mut ClientSocket, expected: u32, message: &ClientMessage) -> String {
        self.server.wait(async {
            socket.send_message(message).await.expect("sent");
            loop {
                match socket.receive().await.expect("received").expect("open") {
                    ServerMessage::Done(done) if done.key == expected => return ALLOWED.to_owned(),
                    ServerMessage::Refused { key, error } if key == expected => {
                        return status(error.code);
                    }
                    _ => {}
                }
            }
        })
    }

    fn seek(&mut self, requester: Requester) -> String {
        // A time control of its own, because equal seeks are paired.
        let time = format!("{}+0", 600 + 60 * self.next_number() % 6000);
        let challenge = json!({"start": "classic", "time": time});
        let challenge = Box::new(serde_json::from_value(challenge).expect("options"));
        let mut socket = self.connect(requester);
        self.ask(&mut socket, Subscription::Lobby);
        self.send(&mut socket, 5, &ClientMessage::Seek { key: 5, challenge })
    }

    /// Cancels a seek, which is not answered. An unreadable message after it is.
    fn unseek(&mut self, requester: Requester) -> String {
        let mut socket = self.connect(requester);
        self.ask(&mut socket, Subscription::Lobby);
        self.server.wait(async {
            socket.send_message(&ClientMessage::Unseek).await.expect("sent");
            socket.send(Message::text("?")).await.expect("sent");
            loop {
                if let Some(ServerMessage::Refused { error, .. }) =
                    socket.receive().await.expect("received")
                {
                    return match error.code {
                        ErrorCode::Malformed => ALLOWED.to_owned(),
                        code => status(code),
                    };
                }
            }
        })
    }

    fn act_over_socket(&mut self, action: &str, requester: Requester) -> String {
        let (game, action) = self.game_for(action, requester);
        let action: Action = serde_json::from_value(action).expect("an action");
        let mut socket = self.connect(requester);
        self.subscribe(&mut socket, &game);
        self.send(&mut socket, 6, &ClientMessage::Action { key: 6, action })
    }

    fn act_over_http(&mut self, action: &str, requester: Requester) -> String {
        let (game, action) = self.game_for(action, requester);
        match act(self.client(requester), &game, action).status {
            200 => ALLOWED.to_owned(),
            status => status.to_string(),
        }
    }

    /// Starts a game in which the requester, if a player, can perform an action. For others it is
    /// one in which the guest can. Returns the game and the action.
    fn game_for(&mut self, action: &str, requester: Requester) -> (String, Value) {
        let (actor, opponent) = match requester {
            Requester::Account => (Requester::Account, Requester::Guest),
            _ => (Requester::Guest, Requester::Account),
        };
        // Red moves after one more ply.
        let offset = usize::from(actor == Requester::Account);
        let plies = match action {
            "abort" => 0,
            "claim-repetition" => 8 + offset,
            _ => 2 + offset,
        };
        let game = self.create_game(plies, json!({}));
        let before = match action {
            "decline-draw" => vec![(opponent, "draw")],
            "withdraw-draw" => vec![(actor, "draw")],
            "decline-takeback" => vec![(opponent, "takeback")],
            "withdraw-takeback" => vec![(actor, "takeback")],
            "rematch" => vec![(opponent, "resign")],
            "decline-rematch" => vec![(opponent, "resign"), (opponent, "rematch")],
            "withdraw-rematch" => vec![(opponent, "resign"), (actor, "rematch")],
            _ => Vec::new(),
        };
        for (requester, action) in before {
            self.perform(requester, &game, json!(action));
        }
        if action.starts_with("claim-") {
            self.server.skip(ABSENCE);
        }
        let action = match action {
            "move" => json!({"move": {"ply": plies, "move": CYCLE[plies % 4]}}),
            "chat" => json!({"chat": {"text": "Hello"}}),
            _ => json!(action),
        };
        (game, action)
    }
}

/// Returns whether an operation ends or replaces the session, or changes the kind of the account,
/// so that it needs a client of its own.
fn changes_session(operation: &str) -> bool {
    matches!(
        operation,
        "POST /api/sign-up"
            | "POST /api/sign-in"
            | "POST /api/sign-out"
            | "POST /api/sign-out-everywhere"
            | "POST /api/me/password"
            | "POST /api/me/tokens"
            | "DELETE /api/me"
    )
}

/// Fills in the parameter of a path, and the query that an operation needs.
fn fill_in(path: &str, id: &str) -> String {
    match path {
        "/{*page}" => "/en".to_owned(),
        "/pictures/position.png" => format!("{path}?position=classic"),
        "/pictures/setup/{file}" => format!("/pictures/setup/{id}.png"),
        "/api/leaderboard/{speed}" => "/api/leaderboard/blitz".to_owned(),
        _ => match (path.find('{'), path.find('}')) {
            (Some(start), Some(end)) => format!("{}{id}{}", &path[..start], &path[end + 1..]),
            _ => path.to_owned(),
        },
    }
}

/// Returns how a game is seen. Only players see the chat.
fn view(joined: &Value) -> String {
    let sees_chat = joined["events"].to_string().contains(SECRET);
    match (joined["you"].is_string(), sees_chat) {
        (true, true) => "as player".to_owned(),
        (false, false) => "as spectator".to_owned(),
        (plays, _) => panic!("plays: {plays}, sees the chat: {sees_chat}: {joined}"),
    }
}

fn owner(is_owner: bool) -> String {
    if is_owner { "as owner" } else { ALLOWED }.to_owned()
}

fn listed(answer: &Answer, id: &str) -> String {
    if answer.text.contains(id) { "found" } else { "hidden" }.to_owned()
}

/// Returns the HTTP status that corresponds to an error over the WebSocket.
fn status(code: ErrorCode) -> String {
    let status = match code {
        ErrorCode::SignedOut => 401,
        ErrorCode::Forbidden => 403,
        ErrorCode::NotFound => 404,
        ErrorCode::NotNow | ErrorCode::NotYourTurn | ErrorCode::Stale | ErrorCode::Over => 409,
        other => panic!("{other:?}"),
    };
    status.to_string()
}

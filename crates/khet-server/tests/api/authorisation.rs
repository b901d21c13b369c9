//! Permissions: calls every operation in every role and compares the results with the table in
//! `docs/authorisation.md`, which is the specification.

mod requests;
mod subjects;
mod table;

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use self::table::PermissionRow;
use crate::document::{in_the_source, operations};
use crate::explorer;
use crate::test_server::{Client, TestServer};

/// The sender of a request; each is a column of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Requester {
    Anonymous,
    Guest,
    OtherGuest,
    Account,
    OtherAccount,
    Bot,
    BotOwner,
    Moderator,
}

impl Requester {
    const ALL: [Requester; 8] = [
        Requester::Anonymous,
        Requester::Guest,
        Requester::OtherGuest,
        Requester::Account,
        Requester::OtherAccount,
        Requester::Bot,
        Requester::BotOwner,
        Requester::Moderator,
    ];

    /// Returns the heading of the column.
    fn heading(self) -> &'static str {
        match self {
            Requester::Anonymous => "anonymous",
            Requester::Guest => "guest",
            Requester::OtherGuest => "other guest",
            Requester::Account => "account",
            Requester::OtherAccount => "other account",
            Requester::Bot => "bot",
            Requester::BotOwner => "bot owner",
            Requester::Moderator => "moderator",
        }
    }
}

/// A server with a client for each requester. What the table's operations act on is created for
/// each call.
struct PermissionServer {
    server: TestServer,
    document: Value,
    /// In the order of [`Requester::ALL`].
    clients: Vec<Client>,
    imported: String,
    /// The id of the bot's token that the last call was about.
    spare_token: Option<String>,
    /// Makes names and positions unique.
    counter: u32,
}

impl PermissionServer {
    fn new() -> PermissionServer {
        let mut limits = TestServer::high_limits();
        limits.waiting_challenges = 1_000_000;
        limits.connections_per_address = 10_000;
        limits.messages_per_second = 1_000_000;
        let mut server = TestServer::with(limits);
        explorer::import(&mut server, &["[Setup \"Classic\"]\n\n1. h2+ 1-0\n".to_owned()], false);
        let imported = explorer::ask(&mut server.stranger(), "", 1);
        let imported = imported["recent"][0]["imported"].as_str().expect("an id").to_owned();
        let document = server.stranger().get("/api/openapi.json").json();
        let clients = Vec::new();
        let mut server =
            PermissionServer { server, document, clients, imported, spare_token: None, counter: 0 };
        // The examples of the API's document sign in with the first name.
        for (requester, name) in
            Requester::ALL.into_iter().zip(["", "", "", "Anna", "Ben", "", "Robot", "Mona"])
        {
            let client = match requester {
                Requester::Bot => server.server.stranger(),
                _ => server.create(requester, name),
            };
            server.clients.push(client);
        }
        // The bot and its owner are one person.
        let token =
            server.client(Requester::BotOwner).post("/api/me/tokens", json!({"label": "a"}));
        server.client(Requester::Bot).token = token.json()["token"].as_str().map(str::to_owned);
        server
    }

    /// Returns the client of a requester.
    fn client(&mut self, requester: Requester) -> &mut Client {
        &mut self.clients[requester as usize]
    }

    /// Creates a client, with this name if it has an account.
    fn create(&self, requester: Requester, name: &str) -> Client {
        match requester {
            Requester::Anonymous => self.server.stranger(),
            Requester::Guest | Requester::OtherGuest => {
                let mut guest = self.server.stranger();
                assert_eq!(guest.post("/api/guest", json!(null)).status, 200);
                guest
            }
            Requester::Account | Requester::OtherAccount => self.server.account(name),
            Requester::Moderator => self.server.moderator(name),
            Requester::Bot | Requester::BotOwner => {
                let mut owner = self.server.account(name);
                let token = owner.post("/api/me/tokens", json!({"label": "engine"}));
                assert_eq!(token.status, 201, "{}", token.text);
                if requester == Requester::BotOwner {
                    return owner;
                }
                let mut bot = self.server.stranger();
                bot.token = token.json()["token"].as_str().map(str::to_owned);
                bot
            }
        }
    }

    /// Returns a number that was not used before.
    fn next_number(&mut self) -> u32 {
        self.counter += 1;
        self.counter
    }

    /// Returns every operation that the server has: routes, and messages of the WebSocket.
    fn operations(&self) -> BTreeSet<String> {
        let documented = operations(&self.document).into_iter();
        let documented = documented.map(|(method, path, _)| format!("{method} {path}"));
        let mut lines = Vec::new();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        in_the_source(&source, &mut BTreeSet::new(), &mut lines);
        let others = lines.iter().flat_map(|line| line.split("route(\"").skip(1)).map(|route| {
            let (path, handler) = route.split_once("\", ").expect("a path and a handler");
            let method = handler.split('(').next().unwrap_or_default();
            // A route for all methods is called with one of them.
            format!("{} {path}", method.replace("any", "get").to_uppercase())
        });
        // The fallback of the router: pages and files of the app.
        let pages = ["GET /{*page}".to_owned()];
        documented.chain(others).chain(pages).chain(self.messages()).collect()
    }

    /// Returns every message that a client can send over the WebSocket.
    fn messages(&self) -> Vec<String> {
        let variants = |name: &str| -> Vec<String> {
            let schema = &self.document["components"]["schemas"][name];
            let choices = schema["oneOf"].as_array().unwrap_or_else(|| panic!("{schema}"));
            let names = choices.iter().flat_map(|choice| {
                let words = choice["enum"].as_array().into_iter().flatten();
                let words = words.map(|word| word.as_str().expect("a word").to_owned());
                let fields = choice["properties"].as_object().into_iter().flatten();
                words.chain(fields.map(|(name, _)| name.clone()))
            });
            names.collect()
        };
        let messages = variants("ClientMessage").into_iter();
        messages
            .flat_map(|message| match &*message {
                "subscribe" => prefixed("subscribe", variants("Subscription")),
                "action" => prefixed("action", variants("Action")),
                _ => vec![message],
            })
            .collect()
    }
}

/// Puts a word before each of the others.
fn prefixed(word: &str, others: Vec<String>) -> Vec<String> {
    others.into_iter().map(|other| format!("{word} {other}")).collect()
}

#[test]
fn every_operation_is_permitted_as_in_the_table() {
    let tables = table::read();
    let listed = tables.iter().flatten().map(|row| row.operation().to_owned()).collect();
    let mut wrong = Vec::new();
    for rows in &tables {
        // A new server for each table, because lists are short and show the first games only.
        let mut server = PermissionServer::new();
        let existing = server.operations();
        let missing: Vec<&String> = existing.difference(&listed).collect();
        assert!(missing.is_empty(), "docs/authorisation.md has no row for {missing:?}");
        let unknown: Vec<&String> = listed.difference(&existing).collect();
        assert!(unknown.is_empty(), "docs/authorisation.md has rows for {unknown:?}");
        for row in rows {
            let found = Requester::ALL.map(|requester| server.result(row, requester));
            if found.as_slice() != row.cells.as_slice() {
                wrong.push(PermissionRow { cells: found.to_vec(), ..row.clone() }.to_string());
            }
        }
    }
    assert!(wrong.is_empty(), "the server permits this instead:\n{}", wrong.join("\n"));
}

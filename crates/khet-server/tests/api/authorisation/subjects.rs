//! Creates what the operations of the table act on. The guest plays Silver, the account Red.

use khet_load::ClientSocket;
use serde_json::{Value, json};

use super::{PermissionServer, Requester};
use crate::document;
use crate::test_server::{act, begin, moves};

/// Something that an operation acts on.
pub(super) struct PermissionSubject {
    pub(super) id: String,
    /// A seek ends with its connection.
    _seeker: Option<ClientSocket>,
}

/// A chat message that only the players of a game may see.
pub(super) const SECRET: &str = "between us";

/// Moves that can be repeated: after every fourth one the position is the same again.
pub(super) const CYCLE: [&str; 4] = ["h2+", "c7+", "h2-", "c7-"];

impl PermissionServer {
    /// Creates what a row of the table acts on.
    pub(super) fn create_subject(&mut self, name: &str) -> PermissionSubject {
        let mut seeker = None;
        let id = match name {
            "" => String::new(),
            "a game" => self.create_game(2, json!({})),
            "a private game" => self.create_game(2, json!({"private": true})),
            "a finished game" => self.create_finished_game(json!({})),
            "a finished private game" => self.create_finished_game(json!({"private": true})),
            "a game with a review" => {
                let game = self.create_finished_game(json!({}));
                let path = format!("/api/games/{game}/review");
                let requested = self.client(Requester::Guest).post(&path, json!(null));
                assert_eq!(requested.status, 202, "{}", requested.text);
                game
            }
            "the account's challenge" => self.create_challenge(json!({"open": true})),
            "the account's challenge to the other account" => {
                self.create_challenge(json!({"to": "Ben"}))
            }
            "the account's challenge that the guest has accepted" => {
                let id = self.create_challenge(json!({}));
                let path = format!("/api/challenges/{id}/accept");
                let accepted = self.client(Requester::Guest).post(&path, json!(null));
                assert_eq!(accepted.status, 200, "{}", accepted.text);
                id
            }
            "the account's seek" => {
                let account = &self.clients[Requester::Account as usize];
                let (id, socket) = document::seek(&self.server, account);
                seeker = Some(socket);
                id
            }
            "the account's setup" => self.create_setup(),
            "the account's reported setup" => self.create_reported_setup(),
            "the account's removed setup" => {
                let id = self.create_setup();
                let path = format!("/api/setups/{id}");
                let removed = self.client(Requester::Moderator).send("DELETE", &path, None);
                assert_eq!(removed.status, 204, "{}", removed.text);
                id
            }
            "a moderator's decision" => self.create_decision(),
            "a puzzle" => self.daily_puzzle(),
            "the account's attempt at a puzzle" => {
                let id = self.untried_puzzle();
                let path = format!("/api/puzzles/{id}/attempt");
                let tried = self.client(Requester::Account).post(&path, json!({"moves": ""}));
                assert_eq!(tried.status, 200, "{}", tried.text);
                id
            }
            "the bot's token" => self.create_token(),
            "an imported game" => self.imported.clone(),
            "the account's name" => "Anna".to_owned(),
            other => panic!("{other} is unknown"),
        };
        PermissionSubject { id, _seeker: seeker }
    }

    /// Starts a game of the guest and the account, and plays moves.
    pub(super) fn create_game(&mut self, plies: usize, options: Value) -> String {
        let [mut guest, mut account] =
            [Requester::Guest, Requester::Account].map(|requester| self.client(requester).clone());
        let game = begin(&mut guest, &mut account, options);
        let played: Vec<&str> = CYCLE.into_iter().cycle().take(plies).collect();
        moves([&mut guest, &mut account], &game, &played);
        self.perform(Requester::Guest, &game, json!({"chat": {"text": SECRET}}));
        game
    }

    fn create_finished_game(&mut self, options: Value) -> String {
        let game = self.create_game(2, options);
        self.perform(Requester::Account, &game, json!("resign"));
        game
    }

    /// Performs an action that must succeed.
    pub(super) fn perform(&mut self, requester: Requester, game: &str, action: Value) {
        let performed = act(self.client(requester), game, action);
        assert_eq!(performed.status, 200, "{}", performed.text);
    }

    fn create_challenge(&mut self, options: Value) -> String {
        self.challenge_of(Requester::Account, options)
    }

    /// Posts a correspondence challenge.
    pub(super) fn challenge_of(&mut self, requester: Requester, options: Value) -> String {
        let mut challenge = json!({"start": "classic", "time": "3d"});
        for (name, value) in options.as_object().expect("options") {
            challenge[name] = value.clone();
        }
        let posted = self.client(requester).post("/api/challenges", challenge);
        assert_eq!(posted.status, 201, "{}", posted.text);
        posted.json()["challenge"]["id"].as_str().expect("an id").to_owned()
    }

    fn create_setup(&mut self) -> String {
        let position = self.new_position();
        let setup = json!({"name": "Far Apart", "position": position});
        let published = self.client(Requester::Account).post("/api/setups", setup);
        assert_eq!(published.status, 201, "{}", published.text);
        published.json()["id"].as_str().expect("an id").to_owned()
    }

    fn create_reported_setup(&mut self) -> String {
        let id = self.create_setup();
        // Accounts may report only a few setups per hour.
        self.server.skip(std::time::Duration::from_secs(10 * 60));
        let path = format!("/api/setups/{id}/report");
        let reported = self.client(Requester::OtherAccount).post(&path, json!({"reason": "Rude."}));
        assert_eq!(reported.status, 204, "{}", reported.text);
        id
    }

    /// Returns the puzzle of the day.
    fn daily_puzzle(&mut self) -> String {
        let daily = self.client(Requester::Anonymous).get("/api/puzzles/daily");
        daily.json()["id"].as_str().expect("an id").to_owned()
    }

    /// Returns a puzzle without attempts: all subjects but the account try only the puzzle of the day.
    fn untried_puzzle(&mut self) -> String {
        let daily = self.daily_puzzle();
        loop {
            let next = self.client(Requester::Anonymous).get("/api/puzzles/next").json();
            let id = next["id"].as_str().expect("an id");
            if id != daily {
                return id.to_owned();
            }
        }
    }

    fn create_decision(&mut self) -> String {
        let id = self.create_reported_setup();
        let moderator = self.client(Requester::Moderator);
        let kept = moderator.post(&format!("/api/setups/{id}/keep"), json!(null));
        assert_eq!(kept.status, 204, "{}", kept.text);
        let decisions = moderator.get("/api/setups/decisions").json();
        decisions["decisions"][0]["number"].to_string()
    }

    fn create_token(&mut self) -> String {
        // An account has few tokens, so the one of the last call is revoked.
        let last = self.spare_token.take();
        let owner = self.client(Requester::BotOwner);
        if let Some(last) = last {
            owner.send("DELETE", &format!("/api/me/tokens/{last}"), None);
        }
        let token = owner.post("/api/me/tokens", json!({"label": "spare"}));
        assert_eq!(token.status, 201, "{}", token.text);
        let id = token.json()["id"].as_str().expect("an id").to_owned();
        self.spare_token = Some(id.clone());
        id
    }

    /// Returns a legal position that no setup has yet: two pyramids in the middle of the board.
    pub(super) fn new_position(&mut self) -> String {
        let number = self.next_number();
        let rank = |place: u32| {
            let (column, facing) = (2 + place % 6, 1 + place / 6);
            format!("{column}P{facing}{}", 9 - column)
        };
        let (first, second) = (rank(number % 24), rank(number / 24 % 24));
        format!("4k5/10/{first}/10/{second}/10/10/5K4 s")
    }
}

//! Messages of the WebSocket at `/api/live`: JSON text, one message per frame.
//!
//! The first message is [`ClientMessage::Subscribe`], which names the subject of the connection;
//! another one changes that. Actions carry a key that the client chooses. The answer,
//! [`ServerMessage::Done`] or [`ServerMessage::Refused`], repeats it. Keys of moves must differ
//! from move to move (random numbers do): a move that is sent again with the same key, perhaps over
//! another connection, counts once.

use khet::{Color, Move, tower};
use serde::{Deserialize, Serialize};

use crate::{
    ApiError, Challenge, ChallengeId, Event, GameId, NewChallenge, PublicProfile, Seek, WaitingBot,
};

/// A message from a client to the server.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum ClientMessage {
    /// Changes the subject of the connection.
    #[serde(alias = "hello")]
    Subscribe(Subscription),
    /// An action of a player in the game.
    #[serde(alias = "act")]
    Action {
        /// The client's key for it.
        key: u32,
        /// The action.
        #[serde(alias = "act")]
        action: Action,
    },
    /// In the lobby: play the first person who seeks the same or has posted such a challenge. Until
    /// then the seek is listed in the lobby, where everybody can accept it. It ends with the
    /// connection.
    ///
    /// Rated and casual seeks are not paired, nor are seeks and the challenges of bots: the list
    /// shows them, and either side may accept the other's.
    Seek {
        /// The client's key for it.
        key: u32,
        /// The game that is sought.
        challenge: Box<NewChallenge>,
    },
    /// In the lobby: cancels the seek.
    Unseek,
}

/// The subject of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Subscription {
    /// A game, as a player or as a spectator. Answered with [`ServerMessage::GameJoined`].
    Game {
        /// The game.
        id: GameId,
        /// The number of the last event that the client has; 0 for none.
        #[serde(default)]
        seen: u32,
    },
    /// The open challenges and seeks. Answered with [`ServerMessage::Lobby`] and, after changes,
    /// with another one or with [`ServerMessage::LobbyCounts`].
    Lobby,
    /// A challenge of one's own, until it is accepted. Answered with [`ServerMessage::Challenge`],
    /// and with [`ServerMessage::Paired`] when the game starts, at once if it has started already.
    Challenge {
        /// The challenge.
        id: ChallengeId,
    },
}

/// An action of a player in a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Action {
    /// Make a move.
    #[serde(alias = "turn")]
    Move {
        /// Number of moves made before, so that the move is never played in another position.
        ply: u32,
        /// The move in notation.
        #[cfg_attr(feature = "openapi", schema(value_type = String, example = "h2+"))]
        #[serde(rename = "move", alias = "turn")]
        mv: Move<tower::Square>,
    },
    /// Offer a draw, or accept the opponent's offer.
    Draw,
    /// Decline the opponent's draw offer.
    DeclineDraw,
    /// Withdraw one's own draw offer.
    WithdrawDraw,
    /// Claim a draw by repetition.
    ClaimRepetition,
    /// Resign. Before both players have made a move, this aborts the game.
    Resign,
    /// End the game without a result, before both players have made a move.
    Abort,
    /// Ask for a takeback of one's last move, or grant the opponent's request. Casual games only.
    Takeback,
    /// Decline the opponent's takeback request.
    DeclineTakeback,
    /// Withdraw one's own takeback request.
    WithdrawTakeback,
    /// Give the opponent time.
    AddTime,
    /// Claim victory because the opponent has left.
    ClaimWin,
    /// Claim a draw because the opponent has left.
    ClaimDraw,
    /// Send a chat message to the opponent.
    Chat {
        /// The message.
        text: String,
    },
    /// Offer a rematch with colours exchanged, or accept the opponent's offer.
    Rematch,
    /// Decline the opponent's rematch offer.
    DeclineRematch,
    /// Withdraw one's own rematch offer.
    WithdrawRematch,
}

/// A message from the server to a client.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum ServerMessage {
    /// The game that was subscribed to, with all events that the client does not have.
    #[serde(alias = "welcome")]
    GameJoined(Box<GameJoined>),
    /// An event of the game. It is on disk.
    Event(Event),
    /// The players and spectators who are connected, after a change.
    Presence(Presence),
    /// An action was carried out; a move that was sent again counts as carried out.
    Done(ActionAck),
    /// An action, a seek or a subscription was refused.
    Refused {
        /// The client's key for it; 0 for a subscription, or if the message could not be read.
        key: u32,
        /// The reason.
        error: ApiError,
    },
    /// All open challenges and seeks.
    Lobby(LobbyResponse),
    /// The numbers of people and games, after a change. Sent at most once per second.
    LobbyCounts(LobbyCounts),
    /// The challenge that was subscribed to.
    Challenge(Box<ChallengeResponse>),
    /// A challenge was accepted, or a seek was matched: the game starts.
    Paired {
        /// The game to go to.
        game: GameId,
    },
    /// The person who was challenged has declined.
    ChallengeDeclined {
        /// The challenge, which is no longer open.
        challenge: ChallengeId,
    },
    /// The person's inbox has changed; `GET /api/me/inbox` returns it.
    InboxChanged,
    /// The server will close the connection. Reconnect later, with the number of the last event.
    Closing {
        /// Milliseconds until the client should reconnect.
        retry_after: u64,
    },
}

/// A game for a client that opens it or reconnects.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GameJoined {
    /// The game.
    pub game: GameId,
    /// The colour that the client plays; none for spectators.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, example = "silver"))]
    pub you: Option<Color>,
    /// The players.
    pub players: ByColor<PublicProfile>,
    /// The number of the event after which `events` begin: the client's `seen`, or 0 if it gets
    /// all.
    pub after: u32,
    /// The events that the client does not have.
    pub events: Vec<Event>,
    /// The players and spectators who are connected.
    pub presence: Presence,
    /// The time by the server's clock, in milliseconds since 1970.
    pub now: u64,
}

/// A value for each player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ByColor<T> {
    /// Silver's value.
    pub silver: T,
    /// Red's value.
    pub red: T,
}

impl<T> ByColor<T> {
    /// Returns the value of a player.
    pub fn get(&self, color: Color) -> &T {
        match color {
            Color::Silver => &self.silver,
            Color::Red => &self.red,
        }
    }

    /// Returns the value of a player for changing it.
    pub fn get_mut(&mut self, color: Color) -> &mut T {
        match color {
            Color::Silver => &mut self.silver,
            Color::Red => &mut self.red,
        }
    }
}

/// The players and spectators of a game who are connected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Presence {
    /// Whether each player is connected.
    #[serde(alias = "here")]
    pub connected: ByColor<bool>,
    /// Number of spectators; one with several connections counts once.
    #[serde(alias = "watching")]
    pub spectators: u32,
    /// When victory or a draw can be claimed because a player has left, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim_at: Option<u64>,
}

/// The acknowledgement of an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ActionAck {
    /// The client's key for it.
    pub key: u32,
    /// The number of the event that it caused; 0 outside games.
    pub number: u32,
}

/// The lobby: `GET /api/challenges`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LobbyResponse {
    /// Open challenges, the oldest first.
    pub challenges: Vec<Challenge>,
    /// People who wait for an opponent, those who have waited longest first.
    #[serde(default)]
    pub seeks: Vec<Seek>,
    /// Connected bots that accept challenges.
    #[serde(default)]
    pub bots: Vec<WaitingBot>,
    /// The numbers of people and games.
    #[serde(flatten)]
    pub counts: LobbyCounts,
}

/// The numbers of people and games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LobbyCounts {
    /// Number of games in progress.
    pub games: u32,
    /// Number of people who are connected. A person with several connections counts once; without
    /// a session, each connection counts.
    pub people: u32,
}

/// The game that starts when a seek is accepted: `POST /api/seeks/{id}/accept`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PairedResponse {
    /// The game to go to.
    pub game: GameId,
}

/// A challenge, and the game if it was accepted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChallengeResponse {
    /// The challenge.
    pub challenge: Challenge,
    /// True if the person who asks made it.
    pub own: bool,
    /// The game, once the challenge was accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<GameId>,
    /// True if the person who was challenged has declined.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub declined: bool,
}

#[cfg(test)]
mod tests {
    use super::{Action, ClientMessage, Presence, Subscription};

    #[test]
    fn former_names_of_messages_are_still_read() {
        for text in [r#"{"subscribe":"lobby"}"#, r#"{"hello":"lobby"}"#] {
            let message: ClientMessage = serde_json::from_str(text).unwrap();
            assert_eq!(message, ClientMessage::Subscribe(Subscription::Lobby));
        }
        for text in
            [r#"{"action":{"key":1,"action":"resign"}}"#, r#"{"act":{"key":1,"act":"resign"}}"#]
        {
            let message: ClientMessage = serde_json::from_str(text).unwrap();
            assert_eq!(message, ClientMessage::Action { key: 1, action: Action::Resign });
        }
        let text = r#"{"here":{"silver":true,"red":false},"watching":2}"#;
        let presence: Presence = serde_json::from_str(text).unwrap();
        assert_eq!((presence.connected.silver, presence.spectators), (true, 2));
    }
}

//! What is said over the WebSocket at `/api/live`, as JSON text: one message a frame.
//!
//! The first message is [`ClientMessage::Hello`], which says what the socket is about; another one changes that. Acts
//! carry a number of the client's own choice, by which they are answered with [`ServerMessage::Done`] or
//! [`ServerMessage::Refused`]. For moves that number must differ from move to turn (random ones do): a move that is sent
//! again with the same number, perhaps over another connection, counts once.

use khet::{Color, Move};
use serde::{Deserialize, Serialize};

use crate::{ApiError, Challenge, ChallengeId, Event, GameId, NewChallenge, PublicProfile};

/// What a client says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum ClientMessage {
    /// What the socket is about from now on.
    Hello(Subject),
    /// Something that a player does in the game.
    Action {
        /// The client's number for it.
        key: u32,
        /// What is done.
        act: Action,
    },
    /// In the lobby: play whoever wants the same, as soon as there is someone. Ends with the connection.
    Seek {
        /// The client's number for it.
        key: u32,
        /// What is looked for.
        challenge: Box<NewChallenge>,
    },
    /// In the lobby: no longer look for someone.
    Unseek,
}

/// What a socket is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Subject {
    /// A game, as its player or to watch. Answered with [`ServerMessage::Welcome`].
    Game {
        /// Which one.
        id: GameId,
        /// The number of the last event that the client has; 0 for none.
        #[serde(default)]
        seen: u32,
    },
    /// The open challenges. Answered with [`ServerMessage::Lobby`].
    Lobby,
    /// An own challenge, until someone accepts it. Answered with [`ServerMessage::Challenge`], and with
    /// [`ServerMessage::Paired`] when there is a game, at once if there is one already.
    Challenge {
        /// Which one.
        id: ChallengeId,
    },
}

/// What a player can do in a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Action {
    /// Make a move.
    #[serde(alias = "turn")]
    Move {
        /// How many moves were made before it, so that it can't be meant for another position.
        ply: u32,
        /// The move in notation.
        #[cfg_attr(feature = "openapi", schema(value_type = String, example = "h2+"))]
        #[serde(rename = "move", alias = "turn")]
        mv: Move,
    },
    /// Offer a draw, or accept the other's offer.
    Draw,
    /// Decline the other's offer.
    DeclineDraw,
    /// Claim a draw because the arrangement came back.
    ClaimRepetition,
    /// Give up.
    Resign,
    /// End the game without a result, before both have made a move.
    Abort,
    /// Ask to take the last own turn back, or grant that to the other. In casual games only.
    Takeback,
    /// Decline the other's wish.
    DeclineTakeback,
    /// Give the other player time.
    AddTime,
    /// The other player is gone: claim the win.
    ClaimWin,
    /// The other player is gone: claim a draw.
    ClaimDraw,
    /// Say something to the other player.
    Chat {
        /// What is said.
        text: String,
    },
    /// Offer another game with colours changed, or accept that.
    Rematch,
    /// Decline it.
    DeclineRematch,
}

/// What the server says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum ServerMessage {
    /// The game that was asked for: all events that the client does not have.
    Welcome(Box<Welcome>),
    /// Something happened in the game. It is on disk.
    Event(Event),
    /// Who is there now.
    Presence(Presence),
    /// An act was done; a move that was sent again counts as done.
    Done(ActionAck),
    /// An act, a seek or a hello was refused.
    Refused {
        /// The client's number for it; 0 for a hello, or if the message could not be read.
        key: u32,
        /// Why.
        error: ApiError,
    },
    /// The open challenges, all of them.
    Lobby(LobbyAnswer),
    /// A challenge that was asked for.
    Challenge(Box<ChallengeAnswer>),
    /// A challenge was accepted, or a seek met another: this is the game.
    Paired {
        /// The game to go to.
        game: GameId,
    },
    /// The connection will be closed. Come back later, with the number of the last event.
    Closing {
        /// In how many milliseconds to try again.
        retry_after: u64,
    },
}

/// A game for a client that opens it or comes back.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Welcome {
    /// Which game.
    pub game: GameId,
    /// Whom the client plays; nobody when it watches.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, example = "silver"))]
    pub you: Option<Color>,
    /// Who plays.
    pub players: Seats<PublicProfile>,
    /// Behind which event `events` go on: what the client said it has, or 0 if it gets them all.
    pub after: u32,
    /// The events that the client does not have.
    pub events: Vec<Event>,
    /// Who is there.
    pub presence: Presence,
    /// The time by the server's clock, in milliseconds since 1970.
    pub now: u64,
}

/// Something for each player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Seats<T> {
    /// Silver's.
    pub silver: T,
    /// Red's.
    pub red: T,
}

impl<T> Seats<T> {
    /// A player's.
    pub fn get(&self, color: Color) -> &T {
        match color {
            Color::Silver => &self.silver,
            Color::Red => &self.red,
        }
    }

    /// A player's, to be changed.
    pub fn get_mut(&mut self, color: Color) -> &mut T {
        match color {
            Color::Silver => &mut self.silver,
            Color::Red => &mut self.red,
        }
    }
}

/// Who is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Presence {
    /// Whether each player is connected.
    pub here: Seats<bool>,
    /// How many others watch.
    pub watching: u32,
    /// When the win or a draw can be claimed from a player who is gone, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim_at: Option<u64>,
}

/// An act that was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ActionAck {
    /// The client's number for it.
    pub key: u32,
    /// The number of the event that came of it; 0 outside of games.
    pub number: u32,
}

/// What stands in the lobby.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LobbyAnswer {
    /// Open challenges, the oldest first.
    pub challenges: Vec<Challenge>,
    /// Games that are played now.
    pub games: u32,
    /// People who are connected now.
    pub people: u32,
}

/// A challenge, or the game that came of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChallengeAnswer {
    /// The challenge.
    pub challenge: Challenge,
    /// Whether it is the asking person's own.
    pub own: bool,
    /// The game, once it was accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<GameId>,
}

//! A stream of a person's notices: games that start, challenges that arrive.

use axum::extract::rejection::QueryRejection;
use axum::extract::{Extension, Query, State};
use axum::response::Response;
use khet::{TimeControl, TimeLimits};
use khet_protocol::{ApiError, ChallengeId, ErrorCode, PersonId, PersonKind, StreamMessage};
use serde::Deserialize;

use super::{RequiredPerson, SessionExpiry, load_public_profile};
use crate::connections::Peer;
use crate::error_response::ErrorResponse;
use crate::ndjson::{self, StreamReader};
use crate::notices::Notice;
use crate::server_state::ServerState;

/// Largest number of time controls that a bot may declare.
const MAX_TIMES: usize = 20;

/// The declaration of a bot that opens its stream.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub(crate) struct BotDeclaration {
    /// Time controls, separated by commas: the lobby offers the bot to people who wait for a casual
    /// game with one of them, and the bot accepts their challenges at once. At most 20.
    #[param(example = "300%2B3,600%2B5")]
    times: String,
}

impl BotDeclaration {
    /// Returns the time controls.
    pub(crate) fn time_controls(&self) -> Result<Vec<TimeControl>, ErrorResponse> {
        // In a query `+` means a space unless it is escaped.
        let times = self.times.split(',').filter(|text| !text.is_empty());
        let times = times.map(|text| TimeLimits::ONLINE.parse(&text.replace(' ', "+")));
        let times: Vec<TimeControl> = times
            .collect::<Result<_, _>>()
            .map_err(|error| ErrorResponse::new(ErrorCode::Invalid, error.to_string()))?;
        if times.len() > MAX_TIMES {
            let message = format!("at most {MAX_TIMES} time controls can be declared");
            return Err(ErrorResponse::new(ErrorCode::Invalid, message));
        }
        Ok(times)
    }
}

/// My notices, one line of JSON each: first my games in progress and open challenges, then new
/// ones. An empty line comes every 15 seconds.
#[utoipa::path(
    get, path = "/api/stream", operation_id = "stream", tag = "bots",
    params(BotDeclaration),
    responses(
        (
            status = 200, description = "A stream of lines",
            body = StreamMessage, content_type = "application/x-ndjson",
        ),
        (status = 401, description = "Not signed in", body = ApiError),
        (status = 422, description = "Not time controls", body = ApiError),
        (status = 429, description = "Too many streams", body = ApiError),
    ),
)]
pub(crate) async fn stream(
    State(server): State<ServerState>,
    RequiredPerson(person): RequiredPerson,
    session_expiry: Option<Extension<SessionExpiry>>,
    peer: Option<Extension<Peer>>,
    query: Result<Query<BotDeclaration>, QueryRejection>,
) -> Result<Response, ErrorResponse> {
    let Query(query) = query?;
    let times = query.time_controls()?;
    let permit = ndjson::open(&server, peer, Some(person))?;
    // Subscribes before reading, so that nothing is missed. Clients recognise duplicates by their
    // ids.
    let inbox = server.notices.subscribe(person);
    // Removes the bot again if this request is cancelled.
    let guard =
        PresenceGuard { server: server.clone(), person, stream: server.games.next_subscriber_id() };
    server.lobby.presence_changed(&server, person);
    let profile = load_public_profile(&server.store, person, None).await?;
    let name = profile.name.clone();
    if profile.kind == PersonKind::Bot && !times.is_empty() {
        server.lobby.add_bot(guard.stream, profile, times);
    }
    let games = server.games.live_of(&server, person).await?.into_iter();
    let games = games.map(|(id, _)| StreamMessage::Game { id, challenge: None });
    let challenges = server.lobby.challenges_of(person, name.as_ref().map(|name| name.as_str()));
    let challenges =
        challenges.into_iter().map(|challenge| StreamMessage::Challenge(Box::new(challenge)));
    let first = games.chain(challenges).map(|message| line(&message)).collect();
    let lobby = server.clone();
    let find = move |id: ChallengeId| {
        let name = name.as_ref().map(|name| name.as_str());
        let waiting = lobby.lobby.challenges_of(person, name);
        waiting.into_iter().find(|challenge| challenge.id == id)
    };
    let write = move |notice| match notice {
        Notice::GameStarted { game, challenge } => {
            Some(line(&StreamMessage::Game { id: game, challenge }))
        }
        // The challenge may be gone already.
        Notice::Challenged { challenge } => {
            find(challenge).map(|challenge| line(&StreamMessage::Challenge(Box::new(challenge))))
        }
        Notice::ChallengeDeclined { challenge } => {
            Some(line(&StreamMessage::ChallengeDeclined { id: challenge }))
        }
        Notice::ChallengeWithdrawn => None,
    };
    let reader = StreamReader { person: Some(person), session_expiry };
    Ok(ndjson::response(&server, reader, first, inbox, write, (guard, permit)))
}

/// Notifies the lobby when the stream ends.
struct PresenceGuard {
    server: ServerState,
    person: PersonId,
    /// The id of the stream.
    stream: u64,
}

impl Drop for PresenceGuard {
    fn drop(&mut self) {
        self.server.lobby.remove_bot(self.stream);
        self.server.lobby.presence_changed(&self.server, self.person);
    }
}

/// Returns a message as a line of JSON.
fn line(message: &StreamMessage) -> String {
    serde_json::to_string(message).unwrap_or_default()
}

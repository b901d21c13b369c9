//! A stream of a person's notices: games that start, challenges that arrive.

use axum::extract::State;
use axum::response::Response;
use khet_protocol::{ApiError, ChallengeId, PersonId, StreamMessage};

use super::{RequiredPerson, load_public_profile};
use crate::error_response::ErrorResponse;
use crate::ndjson;
use crate::notices::Notice;
use crate::server_state::ServerState;

/// My notices, one line of JSON each: first my games in progress and open challenges, then new
/// ones. An empty line comes every 15 seconds.
#[utoipa::path(
    get, path = "/api/stream", operation_id = "stream", tag = "bots",
    responses(
        (
            status = 200, description = "A stream of lines",
            body = StreamMessage, content_type = "application/x-ndjson",
        ),
        (status = 401, description = "Not signed in", body = ApiError),
    ),
)]
pub(crate) async fn stream(
    State(server): State<ServerState>,
    RequiredPerson(person): RequiredPerson,
) -> Result<Response, ErrorResponse> {
    // Subscribes before reading, so that nothing is missed. Clients recognise duplicates by their
    // ids.
    let inbox = server.notices.subscribe(person);
    server.lobby.presence_changed(person);
    let name = load_public_profile(&server.store, person, None).await?.name;
    let games = server
        .games
        .live()
        .into_iter()
        .filter(|(_, info)| [info.started.silver, info.started.red].contains(&person));
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
    };
    Ok(ndjson::response(
        &server,
        Some(person),
        first,
        inbox,
        write,
        PresenceGuard(server.clone(), person),
    ))
}

/// Notifies the lobby when the stream ends.
struct PresenceGuard(ServerState, PersonId);

impl Drop for PresenceGuard {
    fn drop(&mut self) {
        self.0.lobby.presence_changed(self.1);
    }
}

/// Returns a message as a line of JSON.
fn line(message: &StreamMessage) -> String {
    serde_json::to_string(message).unwrap_or_default()
}

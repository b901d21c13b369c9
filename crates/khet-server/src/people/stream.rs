//! What concerns a person, as it happens: games that begin, challenges that come.

use axum::extract::State;
use axum::response::Response;
use khet_protocol::{ApiError, ChallengeId, PersonId, StreamMessage};

use super::{Somebody, face};
use crate::lines;
use crate::notices::Notice;
use crate::refusal::Refusal;
use crate::server_state::ServerState;

/// What concerns me, a line of JSON each: first the games that I play and the challenges that wait, then what comes.
/// An empty line comes every 15 seconds.
#[utoipa::path(
    get, path = "/api/stream", operation_id = "stream", tag = "bots",
    responses(
        (status = 200, description = "Lines that go on", body = StreamMessage, content_type = "application/x-ndjson"),
        (status = 401, description = "Nobody is signed in", body = ApiError),
    ),
)]
pub(crate) async fn listen(
    State(app): State<ServerState>,
    Somebody(person): Somebody,
) -> Result<Response, Refusal> {
    // Listened to before it is looked at, so that nothing falls between. What is told twice is known by its id.
    let inbox = app.notices.listen(person);
    app.lobby.attendance_changed(person);
    let name = face(&app.store, person, None).await?.name;
    let games = app
        .games
        .live()
        .into_iter()
        .filter(|(_, brief)| [brief.started.silver, brief.started.red].contains(&person));
    let games = games.map(|(id, _)| StreamMessage::Game { id, challenge: None });
    let challenges = app.lobby.concerning(person, name.as_ref().map(|name| name.as_str()));
    let challenges =
        challenges.into_iter().map(|challenge| StreamMessage::Challenge(Box::new(challenge)));
    let first = games.chain(challenges).map(|told| line(&told)).collect();
    let lobby = app.clone();
    let find = move |id: ChallengeId| {
        let name = name.as_ref().map(|name| name.as_str());
        let waiting = lobby.lobby.concerning(person, name);
        waiting.into_iter().find(|challenge| challenge.id == id)
    };
    let write = move |notice| match notice {
        Notice::GameStarted { game, challenge } => {
            Some(line(&StreamMessage::Game { id: game, challenge }))
        }
        // It may be gone already.
        Notice::Challenged { challenge } => {
            find(challenge).map(|challenge| line(&StreamMessage::Challenge(Box::new(challenge))))
        }
    };
    Ok(lines::answer(&app, Some(person), first, inbox, write, Leave(app.clone(), person)))
}

/// Tells the lobby, when it is dropped, that someone no longer listens.
struct Leave(ServerState, PersonId);

impl Drop for Leave {
    fn drop(&mut self) {
        self.0.lobby.attendance_changed(self.1);
    }
}

fn line(told: &StreamMessage) -> String {
    serde_json::to_string(told).unwrap_or_default()
}

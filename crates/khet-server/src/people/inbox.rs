//! The inbox of a person: games in progress, challenges to the person, and declined ones.

use axum::Json;
use axum::extract::State;
use khet::Color;
use khet_protocol::{ApiError, Challenge, GameId, Inbox, InboxGame, PersonId};

use super::{RequiredPerson, load_public_profile};
use crate::challenges;
use crate::error_response::ErrorResponse;
use crate::games::LiveGameInfo;
use crate::server_state::ServerState;
use crate::storage::StorageError;

/// Largest number of entries of each kind.
const MAX_ENTRIES: usize = 20;
/// Time for which a real-time challenge is listed although the challenger has left, in
/// milliseconds: ten minutes.
const REAL_TIME_CHALLENGE_AGE: u64 = 10 * 60 * 1000;

/// My inbox: games in progress, challenges to me, and challenges of mine that were declined.
#[utoipa::path(
    get, path = "/api/me/inbox", operation_id = "inbox", tag = "people",
    responses(
        (status = 200, description = "The inbox", body = Inbox),
        (status = 401, description = "Not signed in", body = ApiError),
    ),
)]
pub(crate) async fn show(
    State(server): State<ServerState>,
    RequiredPerson(person): RequiredPerson,
) -> Result<Json<Inbox>, ErrorResponse> {
    let mut live = server.games.live_of(&server, person).await?;
    live.sort_by_key(|(id, info)| (!is_turn_of(person, info), info.moved_at, *id));
    live.truncate(MAX_ENTRIES);
    let mut games = Vec::new();
    for (id, info) in live {
        games.push(to_inbox_game(&server, person, id, &info).await?);
    }
    let name = load_public_profile(&server.store, person, None).await?.name;
    let challenges = server.lobby.challenges_of(person, name.as_ref().map(|name| name.as_str()));
    let challenges = challenges
        .into_iter()
        .filter(|challenge| challenge.by.id != person && is_current(&server, challenge));
    let mut declined = Vec::new();
    for stored in server.store.declined_challenges(person, MAX_ENTRIES as u32).await? {
        declined.push(challenges::to_challenge(&server, &stored).await?);
    }
    Ok(Json(Inbox { games, challenges: challenges.take(MAX_ENTRIES).collect(), declined }))
}

/// Returns whether it is the person's turn.
fn is_turn_of(person: PersonId, info: &LiveGameInfo) -> bool {
    let to_move = match info.position.side_to_move() {
        Color::Silver => info.started.silver,
        Color::Red => info.started.red,
    };
    to_move == person
}

/// Returns whether a challenge can still be expected to lead to a game.
fn is_current(server: &ServerState, challenge: &Challenge) -> bool {
    let age = server.time.now().saturating_sub(challenge.at);
    !challenge.options.time.is_real_time()
        || age < REAL_TIME_CHALLENGE_AGE
        || server.lobby.awaits_games(server, challenge.by.id)
}

/// Adds the name of the opponent to a game.
async fn to_inbox_game(
    server: &ServerState,
    person: PersonId,
    id: GameId,
    info: &LiveGameInfo,
) -> Result<InboxGame, StorageError> {
    let people = [info.started.silver, info.started.red];
    let opponent = people[usize::from(people[0] == person)];
    let opponent = load_public_profile(&server.store, opponent, None).await?.name;
    Ok(InboxGame { id, opponent, your_turn: is_turn_of(person, info) })
}

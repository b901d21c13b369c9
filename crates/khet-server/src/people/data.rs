//! The download of all data about a person.

use axum::body::{Body, Bytes};
use axum::extract::{Extension, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use khet_protocol::{
    ApiError, Challenge, Event, EventKind, GallerySetup, GameCursor, GameId, GameSummary, Me,
    PersonId, RatingHistory, ReportReason, SetupDescription, SetupId, SetupName, TokenInfo,
};
use serde::Serialize;

use super::identity::Session;
use super::me;
use crate::connections::Peer;
use crate::error_response::ErrorResponse;
use crate::puzzles::SolverData;
use crate::server_state::ServerState;
use crate::storage::{GameFilter, SetupFilter, StorageError};

/// Number of games read at once.
const CHUNK_SIZE: u32 = 50;
const MAX_RATING_POINTS: u32 = 1_000_000;
const MAX_SETUPS: u32 = 1_000_000;

/// All data except games.
#[derive(Serialize)]
struct PersonalData {
    me: Me,
    since: u64,
    sessions_since: Vec<u64>,
    tokens: Vec<TokenInfo>,
    ratings: Vec<RatingHistory>,
    challenges: Vec<Challenge>,
    setups: Vec<GallerySetup>,
    /// Setups that moderators have removed: id, name, description.
    removed_setups: Vec<(SetupId, SetupName, SetupDescription)>,
    liked_setups: Vec<SetupId>,
    reported_setups: Vec<(SetupId, ReportReason)>,
    puzzles: SolverData,
}

/// A game with the events that this person may see.
#[derive(Serialize)]
struct GameData<'a> {
    id: GameId,
    events: &'a [Event],
}

/// Everything that the server stores about me, as a JSON file: account, sessions, ratings,
/// challenges, setups, puzzles, and all games with their events. Passwords and tokens are not included,
/// because only their hashes are stored.
#[utoipa::path(
    get, path = "/api/me/data", operation_id = "my-data", tag = "people",
    responses(
        (
            status = 200, description = "The file",
            body = serde_json::Value, content_type = "application/json",
        ),
        (status = 401, description = "Not signed in", body = ApiError),
        (status = 429, description = "Too many exports", body = ApiError),
    ),
)]
pub(crate) async fn download(
    State(server): State<ServerState>,
    peer: Option<Extension<Peer>>,
    Session { person, .. }: Session,
) -> Result<Response, ErrorResponse> {
    if let Some(Extension(Peer(address))) = peer {
        server.rate_limits.exports.take(address, server.time.now())?;
    }
    let me = me(&server, person).await?;
    let name = me.name.clone();
    let own = SetupFilter { author: Some(person), with_hidden: true, ..SetupFilter::default() };
    let setups = server.store.list_setups(&own, Some(person), MAX_SETUPS).await?;
    let data = PersonalData {
        since: server.store.person_since(person).await?.unwrap_or_default(),
        sessions_since: server.store.session_times(person).await?,
        tokens: server.store.tokens(person).await?,
        ratings: server.store.rating_histories(person, MAX_RATING_POINTS).await?,
        challenges: server.lobby.challenges_of(person, name.as_ref().map(|name| name.as_str())),
        setups: setups.into_iter().map(|(card, _)| card).collect(),
        removed_setups: server.store.removed_setups_of(person).await?,
        liked_setups: server.store.likes_of(person).await?,
        reported_setups: server.store.reports_of(person).await?,
        puzzles: SolverData::load(&server, person).await?,
        me,
    };
    let live = server.games.live_of(&server, person).await?.into_iter();
    let live: Vec<GameId> = live.map(|(id, _)| id).collect();
    let data = serde_json::to_string(&data).unwrap_or_default();
    // The list of games is the last field of the object, so that it can be streamed.
    let head = format!("{},\"games\":[\n", data.strip_suffix('}').unwrap_or_default());
    let head = stream::once(async move { Ok(Bytes::from(head)) });
    let pieces = stream::unfold(Some(DownloadCursor { person, live, after: None, first: true }), {
        move |cursor| {
            let server = server.clone();
            async move {
                match next_games(&server, cursor?).await {
                    Ok((text, cursor)) => Some((Ok(Bytes::from(text)), cursor)),
                    Err(error) => Some((Err(std::io::Error::other(error.to_string())), None)),
                }
            }
        }
    });
    let disposition = "attachment; filename=\"khet-my-data.json\"";
    let headers = [(CONTENT_TYPE, "application/json"), (CONTENT_DISPOSITION, disposition)];
    Ok((headers, Body::from_stream(head.chain(pieces))).into_response())
}

/// Position in the list of games.
struct DownloadCursor {
    person: PersonId,
    /// Games in progress, which come first.
    live: Vec<GameId>,
    after: Option<GameCursor>,
    first: bool,
}

/// Returns the text of some games, and the position after them.
async fn next_games(
    server: &ServerState,
    cursor: DownloadCursor,
) -> Result<(String, Option<DownloadCursor>), StorageError> {
    let DownloadCursor { person, mut live, after, mut first } = cursor;
    let mut text = String::new();
    let (ids, after, last) = if live.is_empty() {
        let (visitor, player) = (Some(person), Some(person));
        let filter = GameFilter { visitor, player, after, ..GameFilter::default() };
        let games = server.store.find_games(&filter, CHUNK_SIZE).await?;
        let ends_at = |game: &GameSummary| Some(GameCursor { ended: game.ended?, id: game.id });
        let after = games.last().and_then(ends_at);
        let last = games.len() < CHUNK_SIZE as usize;
        (games.iter().map(|game| game.id).collect(), after, last)
    } else {
        (std::mem::take(&mut live), None, false)
    };
    for id in ids {
        let Some(mut stored) = server.store.archived_game(id).await? else { continue };
        remove_opponent_chat(&mut stored.events, person);
        if !std::mem::take(&mut first) {
            text.push_str(",\n");
        }
        let game = GameData { id, events: &stored.events };
        text.push_str(&serde_json::to_string(&game).unwrap_or_default());
    }
    if last {
        text.push_str("\n]}\n");
        return Ok((text, None));
    }
    Ok((text, Some(DownloadCursor { person, live, after, first })))
}

/// Removes the chat messages of the other player.
fn remove_opponent_chat(events: &mut [Event], person: PersonId) {
    let own = events.first().and_then(|first| match &first.kind {
        EventKind::Started(started) if started.silver == person => Some(khet::Color::Silver),
        EventKind::Started(started) if started.red == person => Some(khet::Color::Red),
        _ => None,
    });
    for event in events {
        if let EventKind::Chat { by, .. } = event.kind
            && Some(by) != own
        {
            event.kind = EventKind::ChatHidden;
        }
    }
}

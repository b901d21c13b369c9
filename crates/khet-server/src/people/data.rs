//! All that is known about a person, for them to take home.

use axum::body::{Body, Bytes};
use axum::extract::{Extension, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use khet_protocol::{
    ApiError, Challenge, Event, EventKind, GallerySetup, GameCursor, GameId, GameSummary, Me,
    PersonId, RatingHistory, ReportReason, SetupId, TokenInfo,
};
use serde::Serialize;

use super::identity::Session;
use super::me;
use crate::app::App;
use crate::connections::Peer;
use crate::refusal::Refusal;
use crate::storage::{StorageError, Wanted, WantedSetups};

/// Games that are read at once.
const CHUNK: u32 = 50;
/// Rated games whose ratings are told.
const POINTS: u32 = 1_000_000;
/// Setups that are told.
const SETUPS: u32 = 1_000_000;

/// What is known besides games.
#[derive(Serialize)]
struct Known {
    me: Me,
    since: u64,
    sessions_since: Vec<u64>,
    tokens: Vec<TokenInfo>,
    ratings: Vec<RatingHistory>,
    challenges: Vec<Challenge>,
    setups: Vec<GallerySetup>,
    liked_setups: Vec<SetupId>,
    reported_setups: Vec<(SetupId, ReportReason)>,
}

/// A game with everything in it that this person may see.
#[derive(Serialize)]
struct Game<'a> {
    id: GameId,
    events: &'a [Event],
}

/// Everything that the server knows about me, as a JSON file: account, sessions, ratings, challenges, setups, and all games with
/// their events. Passwords and tokens are not in it: of these only hashes are kept.
#[utoipa::path(
    get, path = "/api/me/data", operation_id = "my-data", tag = "people",
    responses(
        (status = 200, description = "The file", body = serde_json::Value, content_type = "application/json"),
        (status = 401, description = "Nobody is signed in", body = ApiError),
        (status = 429, description = "Too many exports", body = ApiError),
    ),
)]
pub(crate) async fn download(
    State(app): State<App>,
    peer: Option<Extension<Peer>>,
    Session { person, .. }: Session,
) -> Result<Response, Refusal> {
    if let Some(Extension(Peer(address))) = peer {
        app.exports.take(address, app.time.now())?;
    }
    let me = me(&app, person).await?;
    let name = me.name.clone();
    let own = WantedSetups { author: Some(person), hidden_too: true, ..WantedSetups::default() };
    let setups = app.store.list_setups(&own, Some(person), SETUPS).await?;
    let known = Known {
        since: app.store.person_since(person).await?.unwrap_or_default(),
        sessions_since: app.store.sessions_of(person).await?,
        tokens: app.store.tokens(person).await?,
        ratings: app.store.rating_histories(person, POINTS).await?,
        challenges: app.lobby.concerning(person, name.as_ref().map(|name| name.as_str())),
        setups: setups.into_iter().map(|listed| listed.card).collect(),
        liked_setups: app.store.likes_of(person).await?,
        reported_setups: app.store.reports_of(person).await?,
        me,
    };
    let live = app
        .games
        .live()
        .into_iter()
        .filter(|(_, brief)| [brief.started.silver, brief.started.red].contains(&person));
    let live: Vec<GameId> = live.map(|(id, _)| id).collect();
    let known = serde_json::to_string(&known).unwrap_or_default();
    // An object whose last field is the list of games, which is written as it is read.
    let head = format!("{},\"games\":[\n", known.strip_suffix('}').unwrap_or_default());
    let head = stream::once(async move { Ok(Bytes::from(head)) });
    let pieces = stream::unfold(Some(Place { person, live, after: None, first: true }), {
        move |place| {
            let app = app.clone();
            async move {
                match next(&app, place?).await {
                    Ok((text, place)) => Some((Ok(Bytes::from(text)), place)),
                    Err(error) => Some((Err(std::io::Error::other(error.to_string())), None)),
                }
            }
        }
    });
    let disposition = "attachment; filename=\"khet-my-data.json\"";
    let headers = [(CONTENT_TYPE, "application/json"), (CONTENT_DISPOSITION, disposition)];
    Ok((headers, Body::from_stream(head.chain(pieces))).into_response())
}

/// How far the games are written.
struct Place {
    person: PersonId,
    /// Games that are played now, which come first.
    live: Vec<GameId>,
    after: Option<GameCursor>,
    first: bool,
}

/// Some games, and where to go on.
async fn next(app: &App, place: Place) -> Result<(String, Option<Place>), StorageError> {
    let Place { person, mut live, after, mut first } = place;
    let mut text = String::new();
    let (ids, after, last) = if live.is_empty() {
        let wanted = Wanted { player: Some(person), after, ..Wanted::default() };
        let games = app.store.find_games(&wanted, CHUNK).await?;
        let ends_at = |game: &GameSummary| Some(GameCursor { ended: game.ended?, id: game.id });
        let after = games.last().and_then(ends_at);
        let last = games.len() < CHUNK as usize;
        (games.iter().map(|game| game.id).collect(), after, last)
    } else {
        (std::mem::take(&mut live), None, false)
    };
    for id in ids {
        let Some(mut stored) = app.store.game(id).await? else { continue };
        hide_others_words(&mut stored.events, person);
        if !std::mem::take(&mut first) {
            text.push_str(",\n");
        }
        let game = Game { id, events: &stored.events };
        text.push_str(&serde_json::to_string(&game).unwrap_or_default());
    }
    if last {
        text.push_str("\n]}\n");
        return Ok((text, None));
    }
    Ok((text, Some(Place { person, live, after, first })))
}

/// What the other player said is theirs.
fn hide_others_words(events: &mut [Event], person: PersonId) {
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

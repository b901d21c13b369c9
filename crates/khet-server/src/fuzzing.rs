//! The server's readers of outside bytes, for the fuzz targets in `fuzz`. Not a public interface.

use std::net::IpAddr;

use axum::extract::Query;
use axum::http::{HeaderMap, HeaderValue, Uri};
use khet::{AnyPosition, Color, Outcome, Record, TimeControl};
use khet_protocol::{Action, ApiError, ApplyError, Event, GameState};
use serde::de::DeserializeOwned;

use crate::addresses::{self, PathParts};
use crate::encoding::Encoding;
use crate::forwarded::{self, ProxyHeader};
use crate::games::decision::{self, ActionContext, Decision};
use crate::import::{ImportError, ImportedGame};
use crate::people::Token;
use crate::pictures::{self, PositionQuery};
use crate::previews;
use crate::storage::{ImportedRow, StorageError};

/// Returns the client's address that follows from the lines of a header. Lines that are no header
/// values are left out; no request with one gets that far.
pub fn client_address(header: ProxyHeader, lines: &[&str]) -> Option<IpAddr> {
    forwarded::client_address(&headers(header.name(), lines), header)
}

/// Returns the session token in the lines of the header `Cookie`.
pub fn session_token(lines: &[&str]) -> Option<String> {
    Token::cookie(&headers("cookie", lines)).map(|token| token.secret().to_owned())
}

/// Returns the API token in the header `Authorization`.
pub fn api_token(line: &str) -> Option<String> {
    Token::bearer(&headers("authorization", &[line])).map(|token| token.secret().to_owned())
}

/// Returns the content encoding that follows from `Accept-Encoding`, if one is accepted.
pub fn content_encoding(line: &str) -> Option<&'static str> {
    match Encoding::accepted(line) {
        Encoding::Brotli => Some("br"),
        Encoding::Gzip => Some("gzip"),
        Encoding::Plain => None,
    }
}

/// Returns the language that follows from `Accept-Language`.
pub fn language(line: &str) -> &'static str {
    previews::accepted_language(&headers("accept-language", &[line]))
}

/// Returns the header lines that can be sent.
fn headers(name: &'static str, lines: &[&str]) -> HeaderMap {
    let values = lines.iter().filter_map(|line| HeaderValue::from_bytes(line.as_bytes()).ok());
    let mut headers = HeaderMap::new();
    for value in values {
        headers.append(name, value);
    }
    headers
}

/// Splits the path of a page into language, page and subject.
pub fn page_path(path: &str) -> Option<(Option<&str>, &str, Option<&str>)> {
    let PathParts { language, page, subject } = addresses::parts(path)?;
    Some((language, page, subject))
}

/// Reads the query of a request.
pub fn query<T: DeserializeOwned>(query: &str) -> Option<T> {
    let uri: Uri = format!("/?{query}").parse().ok()?;
    Query::try_from_uri(&uri).ok().map(|Query(query)| query)
}

/// Returns the position of which a query requests an image.
pub fn pictured_position(text: &str) -> Option<AnyPosition> {
    query::<PositionQuery>(text)?.position()
}

/// Returns the query that requests the image of a position.
pub fn picture_query(position: &AnyPosition) -> String {
    let address = pictures::address(position);
    address.split_once('?').map_or(String::new(), |(_, query)| query.to_owned())
}

/// Returns the time controls that a bot declares.
pub fn declared_times(text: &str) -> Option<Vec<TimeControl>> {
    query::<crate::people::stream::BotDeclaration>(text)?.time_controls().ok()
}

/// Imports a game and returns it as it is exported.
///
/// # Errors
///
/// If the game can't be imported.
///
/// # Panics
///
/// If the stored game can't be read.
pub fn import(record: &Record<AnyPosition>) -> Result<Record<AnyPosition>, ImportError> {
    let game = ImportedGame::from_record(record)?;
    let read = |row: ImportedRow| -> Result<ImportedGame, StorageError> {
        let stored = ImportedGame::try_from(row)?;
        stored.check_id()?;
        Ok(stored)
    };
    let stored = read(ImportedRow::from(&game)).expect("what was stored can be read");
    // The explorer counts it.
    let _ = (stored.game_id(), stored.played());
    Ok(stored.record())
}

/// An action of a player, and its circumstances.
#[derive(Clone, Copy, Debug)]
pub struct TimedAction<'a> {
    /// The player.
    pub by: Color,
    /// The client's key.
    pub key: u32,
    /// The action.
    pub action: &'a Action,
    /// The time, in milliseconds since 1970.
    pub now: u64,
    /// Lag compensation, in milliseconds.
    pub lag: u64,
    /// The time since which the opponent is disconnected.
    pub other_gone_since: Option<u64>,
}

/// Performs a player's action. Returns the events that it causes.
///
/// # Errors
///
/// If the action is refused, or its move is illegal.
pub fn act(
    state: &mut GameState,
    timed: TimedAction<'_>,
) -> Result<Vec<Event>, Result<ApiError, ApplyError>> {
    let TimedAction { by, key, action, now, lag, other_gone_since } = timed;
    let context = ActionContext { now, lag, other_gone_since };
    match decision::decide(state, by, key, action, context).map_err(Ok)? {
        Decision::Append(kind) => decision::apply(state, kind, now).map_err(Err),
        Decision::Duplicate(_) | Decision::Rematch => Ok(Vec::new()),
    }
}

/// Returns when the game ends unless a player acts, and how.
pub fn time_up(state: &GameState) -> Option<(u64, Outcome)> {
    decision::deadline(state).map(|deadline| (deadline, decision::time_up(state)))
}

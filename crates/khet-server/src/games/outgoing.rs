//! Messages to clients: their JSON text, and events as spectators see them.

use axum::extract::ws::Utf8Bytes;
use khet::Color;
use khet_protocol::{Event, ServerMessage};

/// Returns an event as a player or a spectator may see it.
pub(crate) fn visible_to(event: &Event, color: Option<Color>) -> Event {
    let kind = match color {
        Some(_) => event.kind.clone(),
        None => event.kind.for_spectators(),
    };
    Event { number: event.number, at: event.at, kind }
}

/// Returns a message as JSON text.
pub(crate) fn to_json(message: &ServerMessage) -> Utf8Bytes {
    serde_json::to_string(message).unwrap_or_default().into()
}

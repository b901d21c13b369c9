//! Fuzz target: any text, read as a message over the WebSocket, in either direction.

use khet_protocol::{ClientMessage, ServerMessage};

use super::json;

/// Reads a message as the server does, and as a client does.
pub fn read_message(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Some(ClientMessage::Seek { challenge, .. }) = json::read(text) {
        let _ = challenge.options.position();
    }
    json::read::<ServerMessage>(text);
}

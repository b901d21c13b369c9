//! Identifies the sender of a request: a person by the session token in the cookie, a bot by its
//! token in `Authorization: Bearer`.
//!
//! Tokens are 256 random bits. The server stores only their hashes, so a stolen database cannot be
//! used to sign in. The extractor that a handler uses decides whether a request without a session
//! is accepted, rejected, or creates a guest.

use std::sync::{Arc, OnceLock};

use axum::extract::{FromRequestParts, Request};
use axum::http::header::{AUTHORIZATION, COOKIE, SET_COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use khet_protocol::{ErrorCode, PersonId};
use sha2::{Digest, Sha256};

use crate::connections::Peer;
use crate::error_response::ErrorResponse;
use crate::random;
use crate::server_state::ServerState;

const COOKIE_NAME: &str = "khet";
/// Age at which sessions and their cookies expire, in seconds: one year.
const COOKIE_AGE: u32 = 365 * 24 * 60 * 60;
/// The same age in milliseconds.
pub(crate) const SESSION_LIFETIME: u64 = COOKIE_AGE as u64 * 1000;

/// A secret that identifies a person.
pub(crate) struct Token(String);

impl Token {
    pub(crate) fn random() -> Token {
        Token(hex(&random::bytes::<32>()))
    }

    /// Returns the hash that is stored.
    pub(crate) fn hash(&self) -> String {
        hex(&Sha256::digest(self.0.as_bytes()))
    }

    /// Returns the token itself, which is sent to the client once.
    pub(crate) fn secret(&self) -> &str {
        &self.0
    }

    /// Returns the API token of a request.
    pub(crate) fn bearer(headers: &HeaderMap) -> Option<Token> {
        let value = headers.get(AUTHORIZATION)?.to_str().unwrap_or_default();
        Some(Token(value.strip_prefix("Bearer ").unwrap_or_default().trim().to_owned()))
    }

    /// Returns the session token of a request.
    pub(crate) fn cookie(headers: &HeaderMap) -> Option<Token> {
        let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        cookies
            .flat_map(|cookies| cookies.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='))
            .find(|(name, _)| *name == COOKIE_NAME)
            .map(|(_, value)| Token(value.to_owned()))
    }
}

/// Formats bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The `Set-Cookie` header of the response, which handlers and extractors can set.
#[derive(Clone, Default)]
pub(crate) struct SetCookie(Arc<OnceLock<HeaderValue>>);

impl SetCookie {
    /// Sets the cookie of a session.
    pub(crate) fn session(&self, server: &ServerState, token: &Token) {
        self.set(server, token.secret(), COOKIE_AGE);
    }

    /// Deletes the cookie.
    pub(crate) fn clear(&self, server: &ServerState) {
        self.set(server, "", 0);
    }

    /// Sets the cookie with a maximum age in seconds.
    fn set(&self, server: &ServerState, value: &str, age: u32) {
        let secure = if server.config.is_secure() { "; Secure" } else { "" };
        let cookie =
            format!("{COOKIE_NAME}={value}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax{secure}");
        if let Ok(cookie) = cookie.parse() {
            let _ = self.0.set(cookie);
        }
    }
}

/// Middleware that adds the `Set-Cookie` header to the response.
pub(crate) async fn send_cookie(mut request: Request, next: Next) -> Response {
    let set_cookie = SetCookie::default();
    request.extensions_mut().insert(set_cookie.clone());
    let mut response = next.run(request).await;
    if let Some(cookie) = set_cookie.0.get() {
        response.headers_mut().append(SET_COOKIE, cookie.clone());
    }
    response
}

/// The session of a request.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    pub(crate) person: PersonId,
    /// Hash of the token.
    pub(crate) token: String,
}

/// The time at which the session of a request expires, as an extension of the request. Connections
/// that stay open end then.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SessionExpiry(pub(crate) u64);

/// The session of a request, if there is one. Bots are rejected.
#[derive(Clone, Debug)]
pub(crate) struct OptionalSession(pub(crate) Option<Session>);

impl FromRequestParts<ServerState> for OptionalSession {
    type Rejection = ErrorResponse;

    async fn from_request_parts(
        parts: &mut Parts,
        server: &ServerState,
    ) -> Result<OptionalSession, ErrorResponse> {
        if parts.headers.contains_key(AUTHORIZATION) {
            return Err(ErrorResponse::new(
                ErrorCode::Forbidden,
                "this needs a session, not an API token",
            ));
        }
        let Some(token) = Token::cookie(&parts.headers) else { return Ok(OptionalSession(None)) };
        let token = token.hash();
        let Some((person, began)) = server.store.person_by_session(&token).await? else {
            return Ok(OptionalSession(None));
        };
        let (now, expiry) = (server.time.now(), began + SESSION_LIFETIME);
        if now >= expiry {
            return Ok(OptionalSession(None));
        }
        parts.extensions.insert(SessionExpiry(expiry));
        server.rate_limits.requests_by_person.take(person, now)?;
        Ok(OptionalSession(Some(Session { person, token })))
    }
}

impl FromRequestParts<ServerState> for Session {
    type Rejection = ErrorResponse;

    async fn from_request_parts(
        parts: &mut Parts,
        server: &ServerState,
    ) -> Result<Session, ErrorResponse> {
        let OptionalSession(session) = OptionalSession::from_request_parts(parts, server).await?;
        session.ok_or_else(signed_out)
    }
}

/// The sender of a request, if it has a session or an API token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OptionalPerson(pub(crate) Option<PersonId>);

impl FromRequestParts<ServerState> for OptionalPerson {
    type Rejection = ErrorResponse;

    async fn from_request_parts(
        parts: &mut Parts,
        server: &ServerState,
    ) -> Result<OptionalPerson, ErrorResponse> {
        let Some(token) = Token::bearer(&parts.headers) else {
            let OptionalSession(session) =
                OptionalSession::from_request_parts(parts, server).await?;
            return Ok(OptionalPerson(session.map(|session| session.person)));
        };
        let Some(person) = server.store.person_by_token(&token.hash()).await? else {
            return Err(ErrorResponse::new(ErrorCode::SignedOut, "unknown token"));
        };
        server.rate_limits.requests_by_person.take(person, server.time.now())?;
        Ok(OptionalPerson(Some(person)))
    }
}

/// The sender of a request. Requests without session or API token are rejected.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RequiredPerson(pub(crate) PersonId);

impl FromRequestParts<ServerState> for RequiredPerson {
    type Rejection = ErrorResponse;

    async fn from_request_parts(
        parts: &mut Parts,
        server: &ServerState,
    ) -> Result<RequiredPerson, ErrorResponse> {
        let OptionalPerson(known) = OptionalPerson::from_request_parts(parts, server).await?;
        known.map(RequiredPerson).ok_or_else(signed_out)
    }
}

/// Returns the error for a request that needs a session.
pub(crate) fn signed_out() -> ErrorResponse {
    ErrorResponse::new(ErrorCode::SignedOut, "you are not signed in")
}

/// The sender of a request. A request without a session creates a guest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PersonOrNewGuest(pub(crate) PersonId);

impl FromRequestParts<ServerState> for PersonOrNewGuest {
    type Rejection = ErrorResponse;

    async fn from_request_parts(
        parts: &mut Parts,
        server: &ServerState,
    ) -> Result<PersonOrNewGuest, ErrorResponse> {
        let OptionalPerson(known) = OptionalPerson::from_request_parts(parts, server).await?;
        if let Some(person) = known {
            return Ok(PersonOrNewGuest(person));
        }
        let set_cookie = parts.extensions.get::<SetCookie>().cloned().unwrap_or_default();
        let peer = parts.extensions.get::<Peer>().copied();
        let now = server.time.now();
        if let Some(Peer(address)) = peer {
            server.rate_limits.new_guests.take(address, now)?;
        }
        let person = PersonId::from_number(random::number());
        let token = Token::random();
        server.store.add_guest(person, token.hash(), now).await?;
        set_cookie.session(server, &token);
        Ok(PersonOrNewGuest(person))
    }
}

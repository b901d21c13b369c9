//! Who is asking: a person by a session's token in the cookie, a program by its token behind `Authorization: Bearer`.
//!
//! Tokens are 256 random bits. The server keeps their hashes only, so that a stolen database opens no session. Who needs to be
//! someone and is not becomes a guest, with a session like any other.

use std::sync::{Arc, OnceLock};

use axum::extract::{FromRequestParts, Request};
use axum::http::header::{AUTHORIZATION, COOKIE, SET_COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use khet_protocol::{ErrorCode, PersonId};
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::connections::Peer;
use crate::random;
use crate::refusal::Refusal;

/// The cookie's name.
const COOKIE_NAME: &str = "khet";
/// A year, in seconds.
const COOKIE_AGE: u32 = 365 * 24 * 60 * 60;

/// A secret by which someone is known.
pub(crate) struct Token(String);

impl Token {
    /// A new one.
    pub(crate) fn random() -> Token {
        Token(hex(&random::bytes::<32>()))
    }

    /// What is kept of it.
    pub(crate) fn hash(&self) -> String {
        hex(&Sha256::digest(self.0.as_bytes()))
    }

    /// The token itself, to be given away once.
    pub(crate) fn secret(&self) -> &str {
        &self.0
    }

    /// The token of a program that a request brings.
    fn bearer(headers: &HeaderMap) -> Option<Token> {
        let value = headers.get(AUTHORIZATION)?.to_str().unwrap_or_default();
        Some(Token(value.strip_prefix("Bearer ").unwrap_or_default().trim().to_owned()))
    }

    /// The token of a session that a request brings.
    fn cookie(headers: &HeaderMap) -> Option<Token> {
        let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        cookies
            .flat_map(|cookies| cookies.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='))
            .find(|(name, _)| *name == COOKIE_NAME)
            .map(|(_, value)| Token(value.to_owned()))
    }
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The cookie that an answer gives, if the request led to one.
#[derive(Clone, Default)]
pub(crate) struct Gift(Arc<OnceLock<HeaderValue>>);

impl Gift {
    /// Gives a session's cookie with the answer.
    pub(crate) fn session(&self, app: &App, token: &Token) {
        self.set(app, token.secret(), COOKIE_AGE);
    }

    /// Takes the cookie away with the answer.
    pub(crate) fn nothing(&self, app: &App) {
        self.set(app, "", 0);
    }

    fn set(&self, app: &App, value: &str, age: u32) {
        let tls = app.config.origin.as_ref().is_some_and(|origin| origin.starts_with("https://"));
        let secure = if tls { "; Secure" } else { "" };
        let cookie =
            format!("{COOKIE_NAME}={value}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax{secure}");
        if let Ok(cookie) = cookie.parse() {
            let _ = self.0.set(cookie);
        }
    }
}

/// Puts the cookie that a request led to into its answer.
pub(crate) async fn give_cookie(mut request: Request, next: Next) -> Response {
    let gift = Gift::default();
    request.extensions_mut().insert(gift.clone());
    let mut response = next.run(request).await;
    if let Some(cookie) = gift.0.get() {
        response.headers_mut().append(SET_COOKIE, cookie.clone());
    }
    response
}

/// A session, by the cookie of the request.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    pub(crate) person: PersonId,
    /// The token's hash.
    pub(crate) token: String,
}

/// The session of the request, if there is one. Programs have none.
#[derive(Clone, Debug)]
pub(crate) struct Cookie(pub(crate) Option<Session>);

impl FromRequestParts<App> for Cookie {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Cookie, Refusal> {
        if parts.headers.contains_key(AUTHORIZATION) {
            return Err(Refusal::new(
                ErrorCode::Forbidden,
                "programs can't do this with their token",
            ));
        }
        let Some(token) = Token::cookie(&parts.headers) else { return Ok(Cookie(None)) };
        let token = token.hash();
        let Some(person) = app.store.session(&token).await? else { return Ok(Cookie(None)) };
        app.person_requests.take(person, app.time.now())?;
        Ok(Cookie(Some(Session { person, token })))
    }
}

impl FromRequestParts<App> for Session {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Session, Refusal> {
        let Cookie(session) = Cookie::from_request_parts(parts, app).await?;
        session.ok_or_else(signed_out)
    }
}

/// Who is asking, if that is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visitor(pub(crate) Option<PersonId>);

impl FromRequestParts<App> for Visitor {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Visitor, Refusal> {
        let Some(token) = Token::bearer(&parts.headers) else {
            let Cookie(session) = Cookie::from_request_parts(parts, app).await?;
            return Ok(Visitor(session.map(|session| session.person)));
        };
        let Some(person) = app.store.token(&token.hash()).await? else {
            return Err(Refusal::new(ErrorCode::SignedOut, "this token is not known"));
        };
        app.person_requests.take(person, app.time.now())?;
        Ok(Visitor(Some(person)))
    }
}

/// Who is asking. Who is nobody is refused.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Somebody(pub(crate) PersonId);

impl FromRequestParts<App> for Somebody {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Somebody, Refusal> {
        let Visitor(known) = Visitor::from_request_parts(parts, app).await?;
        known.map(Somebody).ok_or_else(signed_out)
    }
}

/// What is said to nobody.
pub(crate) fn signed_out() -> Refusal {
    Refusal::new(ErrorCode::SignedOut, "nobody is signed in")
}

/// Who is asking. Who is nobody yet becomes a guest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Person(pub(crate) PersonId);

impl FromRequestParts<App> for Person {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Person, Refusal> {
        let Visitor(known) = Visitor::from_request_parts(parts, app).await?;
        if let Some(person) = known {
            return Ok(Person(person));
        }
        let gift = parts.extensions.get::<Gift>().cloned().unwrap_or_default();
        let peer = parts.extensions.get::<Peer>().copied();
        let now = app.time.now();
        if let Some(Peer(address)) = peer {
            app.guests.take(address, now)?;
        }
        let person = PersonId::from_number(random::number());
        let token = Token::random();
        app.store.add_guest(person, token.hash(), now).await?;
        gift.session(app, &token);
        Ok(Person(person))
    }
}

//! HTTP requests to the server.

pub(crate) mod inbox;
pub(crate) mod me;
pub(crate) mod paging;

use khet_protocol::{ApiError, ErrorCode};
use leptos::prelude::*;
use leptos::web_sys::{Request, RequestInit, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use crate::languages::Words;

/// The reason why a request failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum RequestError {
    /// The server refused the request.
    Refused(ApiError),
    /// The server is unreachable, or its response is unreadable.
    Unreachable,
}

impl RequestError {
    /// Returns the server's error code, if it answered.
    pub(crate) fn code(&self) -> Option<ErrorCode> {
        match self {
            RequestError::Refused(error) => Some(error.code),
            RequestError::Unreachable => None,
        }
    }

    /// Returns the message for the reader.
    pub(crate) fn message(&self, words: Words) -> String {
        match self {
            RequestError::Refused(error) => error_message(error, words),
            RequestError::Unreachable => words.online_unreachable().to_owned(),
        }
    }
}

/// Returns whether a request that was refused with this error may succeed later.
pub(crate) fn is_temporary(error: &ApiError) -> bool {
    matches!(error.code, ErrorCode::Unavailable | ErrorCode::TooMany)
}

/// Returns the message for an error of the server.
pub(crate) fn error_message(error: &ApiError, words: Words) -> String {
    match (error.code, error.retry_after) {
        (ErrorCode::TooMany, Some(seconds)) => {
            words.online_rate_limited_for(usize::try_from(seconds).unwrap_or(usize::MAX))
        }
        (ErrorCode::TooMany, None) => words.online_rate_limited().to_owned(),
        (ErrorCode::Unavailable | ErrorCode::Internal, _) => words.online_server_error().to_owned(),
        (ErrorCode::NotFound, _) => words.online_not_found().to_owned(),
        (ErrorCode::SignedOut, _) => words.online_signed_out().to_owned(),
        (ErrorCode::Forbidden | ErrorCode::WrongOrigin, _) => words.online_forbidden().to_owned(),
        (ErrorCode::NotYourTurn, _) => words.online_not_your_turn().to_owned(),
        (ErrorCode::Stale | ErrorCode::Over | ErrorCode::NotNow | ErrorCode::IllegalMove, _) => {
            words.online_not_now().to_owned()
        }
        (ErrorCode::Taken, _) => words.online_already_taken().to_owned(),
        (ErrorCode::Malformed | ErrorCode::Invalid | ErrorCode::TooLarge, _) => {
            words.online_invalid().to_owned()
        }
    }
}

/// Sends a `GET` request.
pub(crate) async fn get<T: DeserializeOwned>(path: &str) -> Result<T, RequestError> {
    let text = send_request("GET", path, None).await?;
    serde_json::from_str(&text).map_err(|_| RequestError::Unreachable)
}

/// Sends a `GET` request for plain text.
pub(crate) async fn get_text(path: &str) -> Result<String, RequestError> {
    send_request("GET", path, None).await
}

/// Sends a request that changes something, and reads the JSON response.
pub(crate) async fn send<T: DeserializeOwned>(
    method: &str,
    path: &str,
    body: Option<&impl Serialize>,
) -> Result<T, RequestError> {
    let text = send_for_text(method, path, body).await?;
    serde_json::from_str(&text).map_err(|_| RequestError::Unreachable)
}

/// Sends a request that changes something, and returns the response as text.
pub(crate) async fn send_for_text(
    method: &str,
    path: &str,
    body: Option<&impl Serialize>,
) -> Result<String, RequestError> {
    // Request bodies always serialise.
    let body = body.map(|body| serde_json::to_string(body).unwrap_or_default());
    send_request(method, path, body).await
}

/// Sends a request, and returns the body of a successful response.
async fn send_request(
    method: &str,
    path: &str,
    body: Option<String>,
) -> Result<String, RequestError> {
    let (status, text) = fetch(method, path, body).await.map_err(|_| RequestError::Unreachable)?;
    if (200..300).contains(&status) {
        return Ok(text);
    }
    Err(serde_json::from_str(&text).map_or(RequestError::Unreachable, RequestError::Refused))
}

/// Calls `fetch`, and returns the status and the body of the response.
pub(crate) async fn fetch(
    method: &str,
    path: &str,
    body: Option<String>,
) -> Result<(u16, String), JsValue> {
    let init = RequestInit::new();
    init.set_method(method);
    if let Some(body) = &body {
        init.set_body(&JsValue::from_str(body));
    }
    let request = Request::new_with_str_and_init(path, &init)?;
    if body.is_some() {
        request.headers().set("content-type", "application/json")?;
    }
    let response = JsFuture::from(window().fetch_with_request(&request)).await?;
    let response: Response = response.dyn_into()?;
    let text = JsFuture::from(response.text()?).await?.as_string().unwrap_or_default();
    Ok((response.status(), text))
}

/// Returns the query string of a URL: `player=Anna&limit=24`.
pub(crate) fn query(question: &impl Serialize) -> String {
    let Ok(serde_json::Value::Object(fields)) = serde_json::to_value(question) else {
        return String::new();
    };
    let fields = fields.iter().map(|(name, value)| {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        format!("{name}={}", String::from(js_sys::encode_uri_component(&value)))
    });
    fields.collect::<Vec<_>>().join("&")
}

/// The `body` of requests that have none.
pub(crate) const NO_BODY: Option<&()> = None;

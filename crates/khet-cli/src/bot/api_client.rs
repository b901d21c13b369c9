//! A blocking client of the server's HTTP API: requests, and NDJSON streams.

use std::fmt;
use std::io::{BufRead, BufReader};
use std::time::Duration;

use khet_protocol::{ApiError, ErrorCode};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Read timeout of a stream. The server sends a line at least every 15 seconds, so after this time
/// the connection is dead.
const STREAM_TIMEOUT: Duration = Duration::from_secs(45);
const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);
/// How long an idle connection is kept for the next request. Shorter than on servers, so that the
/// server does not close it while a request is sent.
const MAX_IDLE: Duration = Duration::from_secs(5);
/// The longest line of a stream in bytes; enough for a game of thousands of moves.
const MAX_LINE: u64 = 16 * 1024 * 1024;

/// An error of an API request.
#[derive(Debug)]
pub(crate) enum ClientError {
    /// The server answered with an error.
    Api(ApiError),
    /// The connection failed, or the response can't be read.
    Connection(String),
}

impl ClientError {
    /// Returns whether the token is invalid, so that trying again is useless.
    pub(crate) fn is_final(&self) -> bool {
        matches!(self, ClientError::Api(error) if error.code == ErrorCode::SignedOut)
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClientError::Api(error) => error.fmt(f),
            ClientError::Connection(message) => f.write_str(message),
        }
    }
}

fn connection_error(error: impl fmt::Display) -> ClientError {
    ClientError::Connection(error.to_string())
}

type Response = ureq::http::Response<ureq::Body>;

/// A client that authenticates with a bot's token.
pub(crate) struct ApiClient {
    base_url: String,
    authorization: String,
    requests: ureq::Agent,
    streams: ureq::Agent,
}

impl ApiClient {
    pub(crate) fn new(base_url: &str, token: &str) -> ApiClient {
        let agent = |config: ureq::config::ConfigBuilder<ureq::typestate::AgentScope>| {
            ureq::Agent::new_with_config(config.http_status_as_error(false).build())
        };
        let config = || {
            ureq::Agent::config_builder()
                .timeout_connect(Some(REQUEST_TIMEOUT))
                .max_idle_age(MAX_IDLE)
        };
        ApiClient {
            base_url: base_url.trim_end_matches('/').to_owned(),
            authorization: format!("Bearer {}", token.trim()),
            requests: agent(config().timeout_global(Some(REQUEST_TIMEOUT))),
            streams: agent(config().timeout_per_read(Some(STREAM_TIMEOUT))),
        }
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base_url)
    }

    /// Sends a GET request and reads the JSON response.
    pub(crate) fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, ClientError> {
        let request = self.requests.get(self.url(path));
        let response = request.header("authorization", &self.authorization).call();
        let mut response = check_status(response.map_err(connection_error)?)?;
        response.body_mut().read_json().map_err(connection_error)
    }

    /// Sends a POST request with a JSON body and reads the JSON response.
    pub(crate) fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, ClientError> {
        let request = self.requests.post(self.url(path));
        let response = request.header("authorization", &self.authorization).send_json(body);
        let mut response = check_status(response.map_err(connection_error)?)?;
        response.body_mut().read_json().map_err(connection_error)
    }

    /// Sends a DELETE request.
    pub(crate) fn delete(&self, path: &str) -> Result<(), ClientError> {
        let request = self.requests.delete(self.url(path));
        let response = request.header("authorization", &self.authorization).call();
        check_status(response.map_err(connection_error)?).map(drop)
    }

    /// Opens an NDJSON stream and returns its lines as they arrive.
    pub(crate) fn stream(
        &self,
        path: &str,
    ) -> Result<impl Iterator<Item = Result<String, ClientError>> + use<>, ClientError> {
        let request = self.streams.get(self.url(path));
        let response = request.header("authorization", &self.authorization).call();
        let response = check_status(response.map_err(connection_error)?)?;
        let body = response.into_body().into_with_config().limit(u64::MAX).reader();
        Ok(BoundedLines(BufReader::new(body)))
    }
}

/// An iterator over lines of at most [`MAX_LINE`] bytes.
struct BoundedLines<R>(R);

impl<R: BufRead> Iterator for BoundedLines<R> {
    type Item = Result<String, ClientError>;

    fn next(&mut self) -> Option<Result<String, ClientError>> {
        let mut line = Vec::new();
        let mut bounded = std::io::Read::take(&mut self.0, MAX_LINE);
        match bounded.read_until(b'\n', &mut line) {
            Ok(0) => None,
            Ok(_) if line.last() == Some(&b'\n') => {
                line.pop();
                Some(String::from_utf8(line).map_err(connection_error))
            }
            Ok(_) => Some(Err(connection_error("incomplete line in a stream"))),
            Err(error) => Some(Err(connection_error(error))),
        }
    }
}

/// Turns a response with an error status into an error.
fn check_status(mut response: Response) -> Result<Response, ClientError> {
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    match response.body_mut().read_json() {
        Ok(error) => Err(ClientError::Api(error)),
        Err(_) => Err(connection_error(format!("the server answers {status}"))),
    }
}

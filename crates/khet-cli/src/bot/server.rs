//! The server as a program sees it: requests, and answers that go on.

use std::fmt;
use std::io::{BufRead, BufReader};
use std::time::Duration;

use khet_protocol::{ApiError, ErrorCode};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The server says something at least every 15 seconds. Who hears nothing for so long is alone.
const SILENCE: Duration = Duration::from_secs(45);
/// How long a request may take.
const REQUEST: Duration = Duration::from_secs(20);
/// How long a connection is kept for the next request: less than servers do, so that it is not closed under it.
const IDLE: Duration = Duration::from_secs(5);
/// The longest line that is read: a game of thousands of moves.
const LONGEST_LINE: u64 = 16 * 1024 * 1024;

/// Why something did not work.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The server said no.
    Refused(ApiError),
    /// The connection failed, or what came over it makes no sense.
    Broken(String),
}

impl Trouble {
    /// Whether it is of no use to try again.
    pub(crate) fn is_final(&self) -> bool {
        matches!(self, Trouble::Refused(error) if error.code == ErrorCode::SignedOut)
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Refused(error) => error.fmt(f),
            Trouble::Broken(what) => f.write_str(what),
        }
    }
}

fn broken(error: impl fmt::Display) -> Trouble {
    Trouble::Broken(error.to_string())
}

type Answer = ureq::http::Response<ureq::Body>;

/// A server, and the token by which it knows us.
pub(crate) struct Server {
    address: String,
    authorization: String,
    requests: ureq::Agent,
    streams: ureq::Agent,
}

impl Server {
    pub(crate) fn new(address: &str, token: &str) -> Server {
        let agent = |config: ureq::config::ConfigBuilder<ureq::typestate::AgentScope>| {
            ureq::Agent::new_with_config(config.http_status_as_error(false).build())
        };
        let config =
            || ureq::Agent::config_builder().timeout_connect(Some(REQUEST)).max_idle_age(IDLE);
        Server {
            address: address.trim_end_matches('/').to_owned(),
            authorization: format!("Bearer {}", token.trim()),
            requests: agent(config().timeout_global(Some(REQUEST))),
            streams: agent(config().timeout_per_read(Some(SILENCE))),
        }
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }

    /// Reads something.
    pub(crate) fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Trouble> {
        let request = self.requests.get(self.url(path));
        let answer = request.header("authorization", &self.authorization).call();
        let mut answer = checked(answer.map_err(broken)?)?;
        answer.body_mut().read_json().map_err(broken)
    }

    /// Does something.
    pub(crate) fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, Trouble> {
        let request = self.requests.post(self.url(path));
        let answer = request.header("authorization", &self.authorization).send_json(body);
        let mut answer = checked(answer.map_err(broken)?)?;
        answer.body_mut().read_json().map_err(broken)
    }

    /// Removes something.
    pub(crate) fn delete(&self, path: &str) -> Result<(), Trouble> {
        let request = self.requests.delete(self.url(path));
        let answer = request.header("authorization", &self.authorization).call();
        checked(answer.map_err(broken)?).map(drop)
    }

    /// Lines as they come.
    pub(crate) fn lines(
        &self,
        path: &str,
    ) -> Result<impl Iterator<Item = Result<String, Trouble>> + use<>, Trouble> {
        let request = self.streams.get(self.url(path));
        let answer = request.header("authorization", &self.authorization).call();
        let answer = checked(answer.map_err(broken)?)?;
        let body = answer.into_body().into_with_config().limit(u64::MAX).reader();
        Ok(Lines(BufReader::new(body)))
    }
}

/// Lines of a bounded length.
struct Lines<R>(R);

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Result<String, Trouble>;

    fn next(&mut self) -> Option<Result<String, Trouble>> {
        let mut line = Vec::new();
        let mut bounded = std::io::Read::take(&mut self.0, LONGEST_LINE);
        match bounded.read_until(b'\n', &mut line) {
            Ok(0) => None,
            Ok(_) if line.last() == Some(&b'\n') => {
                line.pop();
                Some(String::from_utf8(line).map_err(broken))
            }
            Ok(_) => Some(Err(broken("a line was cut off"))),
            Err(error) => Some(Err(broken(error))),
        }
    }
}

/// An answer that says yes.
fn checked(mut answer: Answer) -> Result<Answer, Trouble> {
    let status = answer.status();
    if status.is_success() {
        return Ok(answer);
    }
    match answer.body_mut().read_json() {
        Ok(error) => Err(Trouble::Refused(error)),
        Err(_) => Err(broken(format!("the server answers {status}"))),
    }
}

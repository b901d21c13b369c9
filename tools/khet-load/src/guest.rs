//! An HTTP client with the session cookie of a guest.

use std::io;
use std::net::SocketAddr;

use khet_protocol::{
    ChallengeId, ChallengeResponse, GameId, NewChallenge, PersonId, PublicProfile,
};
use serde::de::DeserializeOwned;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// An HTTP response.
#[derive(Clone, Debug)]
pub struct HttpResponse {
    /// The status code.
    pub status: u16,
    /// The status line and the headers.
    pub head: String,
    /// The body.
    pub body: String,
}

impl HttpResponse {
    /// Returns the value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().skip(1).find_map(|line| {
            let (known, value) = line.split_once(": ")?;
            known.eq_ignore_ascii_case(name).then_some(value)
        })
    }

    /// Parses the body as JSON.
    ///
    /// # Errors
    ///
    /// If the status is an error, or the body is not the expected JSON.
    pub fn read<T: DeserializeOwned>(&self) -> io::Result<T> {
        if self.status >= 400 {
            return Err(io::Error::other(format!("{}: {}", self.status, self.body)));
        }
        serde_json::from_str(&self.body).map_err(io::Error::other)
    }
}

/// A client that the server identifies by its cookie.
#[derive(Clone, Debug)]
pub struct Guest {
    /// The server's address.
    pub server: SocketAddr,
    /// The session cookie; `None` before the server has set one.
    pub cookie: Option<String>,
}

impl Guest {
    /// Creates a client without a session.
    pub fn without_session(server: SocketAddr) -> Guest {
        Guest { server, cookie: None }
    }

    /// Creates a client with a new guest session.
    ///
    /// # Errors
    ///
    /// If the server does not answer, or refuses.
    pub async fn enter(server: SocketAddr) -> io::Result<(Guest, PersonId)> {
        let mut guest = Guest::without_session(server);
        let profile: PublicProfile = guest.post("/api/guest", "").await?.read()?;
        Ok((guest, profile.id))
    }

    /// Sends a request as a page of the server would, and keeps a cookie of the response.
    ///
    /// # Errors
    ///
    /// If the server does not answer.
    pub async fn ask(&mut self, method: &str, path: &str, body: &str) -> io::Result<HttpResponse> {
        let server = self.server;
        let mut headers = format!("Origin: http://{server}\r\n");
        if let Some(cookie) = &self.cookie {
            headers += &format!("Cookie: {cookie}\r\n");
        }
        let answer = request(server, method, path, &headers, body).await?;
        if let Some(cookie) = answer.header("set-cookie") {
            self.cookie = cookie.split(';').next().map(str::to_owned);
        }
        Ok(answer)
    }

    /// Sends a POST request.
    ///
    /// # Errors
    ///
    /// If the server does not answer.
    pub async fn post(&mut self, path: &str, body: &str) -> io::Result<HttpResponse> {
        self.ask("POST", path, body).await
    }

    /// Creates a challenge.
    ///
    /// # Errors
    ///
    /// If the server does not answer, or refuses.
    pub async fn challenge(&mut self, challenge: &NewChallenge) -> io::Result<ChallengeId> {
        let body = serde_json::to_string(challenge).map_err(io::Error::other)?;
        let answer: ChallengeResponse = self.post("/api/challenges", &body).await?.read()?;
        Ok(answer.challenge.id)
    }

    /// Accepts a challenge.
    ///
    /// # Errors
    ///
    /// If the server does not answer, or refuses.
    pub async fn accept(&mut self, challenge: ChallengeId) -> io::Result<GameId> {
        let path = format!("/api/challenges/{challenge}/accept");
        let answer: ChallengeResponse = self.post(&path, "").await?.read()?;
        answer.game.ok_or_else(|| io::Error::other("no game"))
    }
}

/// Sends a request with additional header lines, each ended by `\r\n`.
///
/// # Errors
///
/// If the server does not answer.
pub async fn request(
    server: SocketAddr,
    method: &str,
    path: &str,
    headers: &str,
    body: &str,
) -> io::Result<HttpResponse> {
    let mut stream = TcpStream::connect(server).await?;
    let length = body.len();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {server}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n{headers}\r\n{body}"
    );
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    let answer = String::from_utf8_lossy(&answer);
    let (head, body) =
        answer.split_once("\r\n\r\n").ok_or_else(|| io::Error::other("no answer"))?;
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    let status = status.ok_or_else(|| io::Error::other("no status"))?;
    Ok(HttpResponse { status, head: head.to_owned(), body: body.to_owned() })
}

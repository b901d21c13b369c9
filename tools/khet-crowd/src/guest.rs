//! A person at a server, known by a cookie: requests over HTTP.

use std::io;
use std::net::SocketAddr;

use khet_protocol::{
    ChallengeId, ChallengeResponse, GameId, NewChallenge, PersonId, PublicProfile,
};
use serde::de::DeserializeOwned;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// An answer over HTTP.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status, as in 200.
    pub status: u16,
    /// The head, line by line.
    pub head: String,
    /// The body.
    pub body: String,
}

impl Answer {
    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().skip(1).find_map(|line| {
            let (known, value) = line.split_once(": ")?;
            known.eq_ignore_ascii_case(name).then_some(value)
        })
    }

    /// The body, read as JSON.
    ///
    /// # Errors
    ///
    /// If the answer is a refusal, or something else.
    pub fn read<T: DeserializeOwned>(&self) -> io::Result<T> {
        if self.status >= 400 {
            return Err(io::Error::other(format!("{}: {}", self.status, self.body)));
        }
        serde_json::from_str(&self.body).map_err(io::Error::other)
    }
}

/// Someone who is known by a cookie.
#[derive(Clone, Debug)]
pub struct Guest {
    /// Where the server is.
    pub server: SocketAddr,
    /// The cookie, as it is sent; nobody has none.
    pub cookie: Option<String>,
}

impl Guest {
    /// Nobody yet.
    pub fn nobody(server: SocketAddr) -> Guest {
        Guest { server, cookie: None }
    }

    /// A new guest.
    ///
    /// # Errors
    ///
    /// If the server does not answer, or refuses.
    pub async fn enter(server: SocketAddr) -> io::Result<(Guest, PersonId)> {
        let mut guest = Guest::nobody(server);
        let face: PublicProfile = guest.post("/api/guest", "").await?.read()?;
        Ok((guest, face.id))
    }

    /// Asks for something, as a page of the server would. A cookie in the answer is kept.
    ///
    /// # Errors
    ///
    /// If the server does not answer.
    pub async fn ask(&mut self, method: &str, path: &str, body: &str) -> io::Result<Answer> {
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

    /// Posts something.
    ///
    /// # Errors
    ///
    /// If the server does not answer.
    pub async fn post(&mut self, path: &str, body: &str) -> io::Result<Answer> {
        self.ask("POST", path, body).await
    }

    /// Makes a challenge.
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

/// A request, with headers as they are sent.
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
) -> io::Result<Answer> {
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
    Ok(Answer { status, head: head.to_owned(), body: body.to_owned() })
}

//! A bare WebSocket to a server, on which anything can be said.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use khet_protocol::{Action, ClientMessage, GameId, ServerMessage, Subscription};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message};

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(20);
/// Thousands of lines have such buffers.
const BUFFER: usize = 2048;

/// A connection.
#[derive(Debug)]
pub struct Line {
    socket: WebSocketStream<TcpStream>,
}

impl Line {
    /// Connects, with a cookie if there is one.
    ///
    /// # Errors
    ///
    /// If the server is not there, or refuses.
    pub async fn open(server: SocketAddr, cookie: Option<&str>) -> io::Result<Line> {
        let origin = format!("http://{server}");
        Line::open_from(server, cookie, &origin).await
    }

    /// Connects as a page of some site.
    ///
    /// # Errors
    ///
    /// If the server is not there, or refuses.
    pub async fn open_from(
        server: SocketAddr,
        cookie: Option<&str>,
        origin: &str,
    ) -> io::Result<Line> {
        let mut request =
            format!("ws://{server}/api/live").into_client_request().map_err(io::Error::other)?;
        let headers = request.headers_mut();
        headers.insert("origin", origin.parse().map_err(io::Error::other)?);
        if let Some(cookie) = cookie {
            headers.insert("cookie", cookie.parse().map_err(io::Error::other)?);
        }
        let stream = TcpStream::connect(server).await?;
        stream.set_nodelay(true)?;
        let config = WebSocketConfig::default()
            .read_buffer_size(BUFFER)
            .write_buffer_size(0)
            .max_write_buffer_size(usize::MAX);
        let opening = tokio_tungstenite::client_async_with_config(request, stream, Some(config));
        let opened = tokio::time::timeout(PATIENCE, opening).await.map_err(io::Error::other)?;
        let (socket, _) = opened.map_err(io::Error::other)?;
        Ok(Line { socket })
    }

    /// Says something that makes sense.
    ///
    /// # Errors
    ///
    /// If the connection is gone.
    pub async fn say(&mut self, message: &ClientMessage) -> io::Result<()> {
        let text = serde_json::to_string(message).map_err(io::Error::other)?;
        self.send(Message::text(text)).await
    }

    /// Says hello to a game.
    ///
    /// # Errors
    ///
    /// If the connection is gone.
    pub async fn hello(&mut self, id: GameId, seen: u32) -> io::Result<()> {
        self.say(&ClientMessage::Subscribe(Subscription::Game { id, seen })).await
    }

    /// Does something in the game.
    ///
    /// # Errors
    ///
    /// If the connection is gone.
    pub async fn act(&mut self, key: u32, act: Action) -> io::Result<()> {
        self.say(&ClientMessage::Action { key, action: act }).await
    }

    /// Sends anything.
    ///
    /// # Errors
    ///
    /// If the connection is gone.
    pub async fn send(&mut self, message: Message) -> io::Result<()> {
        self.socket.send(message).await.map_err(io::Error::other)
    }

    /// The next message. `None` if the server closed the connection.
    ///
    /// # Errors
    ///
    /// If nothing comes, or what comes makes no sense.
    pub async fn hear(&mut self) -> io::Result<Option<ServerMessage>> {
        match tokio::time::timeout(PATIENCE, self.next()).await {
            Ok(heard) => heard,
            Err(_) => Err(io::Error::new(io::ErrorKind::TimedOut, "the server says nothing")),
        }
    }

    /// The next message, however long that takes.
    ///
    /// # Errors
    ///
    /// If what comes makes no sense.
    pub async fn next(&mut self) -> io::Result<Option<ServerMessage>> {
        loop {
            match self.socket.next().await {
                None | Some(Ok(Message::Close(_))) => return Ok(None),
                Some(Ok(Message::Text(text))) => {
                    return serde_json::from_str(&text).map(Some).map_err(io::Error::other);
                }
                Some(Ok(_)) => {}
                Some(Err(Error::ConnectionClosed | Error::AlreadyClosed | Error::Io(_))) => {
                    return Ok(None);
                }
                Some(Err(Error::Protocol(_))) => return Ok(None),
                Some(Err(error)) => return Err(io::Error::other(error)),
            }
        }
    }

    /// The stream below, for those who do not keep to the protocol.
    pub fn stream(&mut self) -> &mut TcpStream {
        self.socket.get_mut()
    }
}

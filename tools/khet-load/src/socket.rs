//! A WebSocket connection to a server that can also send messages outside the protocol.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use khet_protocol::{Action, ClientMessage, GameId, ServerMessage, Subscription};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message};

/// The timeout of connecting and of receiving a message.
const TIMEOUT: Duration = Duration::from_secs(20);
/// The size of the read buffer; small, because there are thousands of connections.
const READ_BUFFER_SIZE: usize = 2048;

/// A WebSocket connection.
#[derive(Debug)]
pub struct ClientSocket {
    socket: WebSocketStream<TcpStream>,
}

impl ClientSocket {
    /// Connects with an optional session cookie.
    ///
    /// # Errors
    ///
    /// If the server cannot be reached, or refuses the connection.
    pub async fn open(server: SocketAddr, cookie: Option<&str>) -> io::Result<ClientSocket> {
        let origin = format!("http://{server}");
        ClientSocket::open_from(server, cookie, &origin).await
    }

    /// Connects as a page of the given origin.
    ///
    /// # Errors
    ///
    /// If the server cannot be reached, or refuses the connection.
    pub async fn open_from(
        server: SocketAddr,
        cookie: Option<&str>,
        origin: &str,
    ) -> io::Result<ClientSocket> {
        let stream = TcpStream::connect(server).await?;
        let cookie = cookie.map(|cookie| ("cookie", cookie));
        let headers = [("origin", origin)].into_iter().chain(cookie);
        ClientSocket::open_over(stream, server, headers).await
    }

    /// Connects without a session from one of the machine's addresses.
    ///
    /// # Errors
    ///
    /// If the server cannot be reached, or refuses the connection.
    pub async fn open_bound(server: SocketAddr, from: Ipv4Addr) -> io::Result<ClientSocket> {
        let socket = TcpSocket::new_v4()?;
        socket.bind(SocketAddr::from((from, 0)))?;
        let stream = socket.connect(server).await?;
        let origin = format!("http://{server}");
        ClientSocket::open_over(stream, server, [("origin", origin.as_str())]).await
    }

    /// Connects as a bot with an API token.
    ///
    /// # Errors
    ///
    /// If the server cannot be reached, or refuses the connection.
    pub async fn open_with_token(server: SocketAddr, token: &str) -> io::Result<ClientSocket> {
        let stream = TcpStream::connect(server).await?;
        let bearer = format!("Bearer {token}");
        ClientSocket::open_over(stream, server, [("authorization", bearer.as_str())]).await
    }

    /// Opens a WebSocket with these headers over a TCP connection.
    async fn open_over(
        stream: TcpStream,
        server: SocketAddr,
        headers: impl IntoIterator<Item = (&'static str, &str)>,
    ) -> io::Result<ClientSocket> {
        let mut request =
            format!("ws://{server}/api/live").into_client_request().map_err(io::Error::other)?;
        for (name, value) in headers {
            request.headers_mut().insert(name, value.parse().map_err(io::Error::other)?);
        }
        stream.set_nodelay(true)?;
        let config = WebSocketConfig::default()
            .read_buffer_size(READ_BUFFER_SIZE)
            .write_buffer_size(0)
            .max_write_buffer_size(usize::MAX);
        let opening = tokio_tungstenite::client_async_with_config(request, stream, Some(config));
        let opened = tokio::time::timeout(TIMEOUT, opening).await.map_err(io::Error::other)?;
        let (socket, _) = opened.map_err(io::Error::other)?;
        Ok(ClientSocket { socket })
    }

    /// Sends a message of the protocol.
    ///
    /// # Errors
    ///
    /// If the connection is closed.
    pub async fn send_message(&mut self, message: &ClientMessage) -> io::Result<()> {
        let text = serde_json::to_string(message).map_err(io::Error::other)?;
        self.send(Message::text(text)).await
    }

    /// Subscribes to a game, of whose events `seen` are known.
    ///
    /// # Errors
    ///
    /// If the connection is closed.
    pub async fn subscribe(&mut self, id: GameId, seen: u32) -> io::Result<()> {
        self.send_message(&ClientMessage::Subscribe(Subscription::Game { id, seen })).await
    }

    /// Sends an action in the game.
    ///
    /// # Errors
    ///
    /// If the connection is closed.
    pub async fn act(&mut self, key: u32, act: Action) -> io::Result<()> {
        self.send_message(&ClientMessage::Action { key, action: act }).await
    }

    /// Sends any WebSocket message.
    ///
    /// # Errors
    ///
    /// If the connection is closed.
    pub async fn send(&mut self, message: Message) -> io::Result<()> {
        self.socket.send(message).await.map_err(io::Error::other)
    }

    /// Returns the next message, or `None` if the server closed the connection.
    ///
    /// # Errors
    ///
    /// If no message arrives in time, or it is not a message of the protocol.
    pub async fn receive(&mut self) -> io::Result<Option<ServerMessage>> {
        match tokio::time::timeout(TIMEOUT, self.next()).await {
            Ok(message) => message,
            Err(_) => Err(io::Error::new(io::ErrorKind::TimedOut, "the server sends no message")),
        }
    }

    /// Returns the next message without a timeout.
    ///
    /// # Errors
    ///
    /// If it is not a message of the protocol.
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

    /// Returns the TCP stream, for tests that violate the protocol.
    pub fn stream(&mut self) -> &mut TcpStream {
        self.socket.get_mut()
    }
}

//! A TCP proxy between a node and a service, which can cut the node off.

use std::io;
use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// The size of a read.
const BUFFER_SIZE: usize = 16 * 1024;

/// What a proxy does with connections.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LinkState {
    /// It carries bytes.
    Open,
    /// It closes all connections and each new one.
    Closed,
    /// It keeps connections open and carries nothing, like a network that loses all packets. Bytes
    /// are carried later if the link is opened again.
    Silent,
}

/// A proxy, which ends when this is dropped.
#[derive(Debug)]
pub struct TcpProxy {
    address: SocketAddr,
    state: watch::Sender<LinkState>,
    accepting: JoinHandle<()>,
}

impl TcpProxy {
    /// Starts a proxy in front of a service.
    ///
    /// # Errors
    ///
    /// If it can't listen.
    pub async fn start(service: SocketAddr) -> io::Result<TcpProxy> {
        let listener = TcpListener::bind(("127.0.0.1", khet_services::free_port()?)).await?;
        let address = listener.local_addr()?;
        let state = watch::Sender::new(LinkState::Open);
        let link = state.subscribe();
        let accepting = tokio::spawn(async move {
            // Connections end with the proxy.
            let mut connections = tokio::task::JoinSet::new();
            loop {
                if let Ok((client, _)) = listener.accept().await {
                    connections.spawn(carry_both(client, service, link.clone()));
                }
                while connections.try_join_next().is_some() {}
            }
        });
        Ok(TcpProxy { address, state, accepting })
    }

    /// Returns the address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Changes what happens to connections.
    pub fn set(&self, state: LinkState) {
        self.state.send_replace(state);
    }
}

impl Drop for TcpProxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Carries a connection until one side closes it or the link is closed.
async fn carry_both(client: TcpStream, service: SocketAddr, mut link: watch::Receiver<LinkState>) {
    if !is_carried(&mut link).await {
        return;
    }
    let Ok(server) = TcpStream::connect(service).await else { return };
    let _ = client.set_nodelay(true);
    let _ = server.set_nodelay(true);
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    tokio::select! {
        _ = carry(from_client, to_server, link.clone()) => {}
        _ = carry(from_server, to_client, link.clone()) => {}
        // Fails if the proxy ends.
        _ = link.wait_for(|state| *state == LinkState::Closed) => {}
    }
}

/// Carries one direction.
async fn carry(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    mut link: watch::Receiver<LinkState>,
) -> io::Result<()> {
    let mut buffer = vec![0; BUFFER_SIZE];
    loop {
        let length = from.read(&mut buffer).await?;
        if length == 0 || !is_carried(&mut link).await {
            return Ok(());
        }
        to.write_all(&buffer[..length]).await?;
    }
}

/// Waits while the link is silent. Returns whether it is open then.
async fn is_carried(link: &mut watch::Receiver<LinkState>) -> bool {
    let state = link.wait_for(|state| *state != LinkState::Silent).await;
    state.is_ok_and(|state| *state == LinkState::Open)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Starts a service that returns what it gets, and a proxy in front of it.
    async fn echo_proxy() -> TcpProxy {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let service = listener.local_addr().expect("an address");
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                tokio::spawn(async move {
                    let (mut from, mut to) = client.split();
                    tokio::io::copy(&mut from, &mut to).await
                });
            }
        });
        TcpProxy::start(service).await.expect("a proxy")
    }

    /// Sends bytes and returns what comes back.
    async fn echo(client: &mut TcpStream, text: &str) -> io::Result<String> {
        client.write_all(text.as_bytes()).await?;
        let mut echoed = vec![0; text.len()];
        client.read_exact(&mut echoed).await?;
        Ok(String::from_utf8_lossy(&echoed).into_owned())
    }

    #[tokio::test]
    async fn silent_link_carries_later() {
        let proxy = echo_proxy().await;
        let mut client = TcpStream::connect(proxy.address()).await.expect("a connection");
        assert_eq!(echo(&mut client, "one").await.expect("an echo"), "one");
        proxy.set(LinkState::Silent);
        let silent = tokio::time::timeout(Duration::from_millis(50), echo(&mut client, "two"));
        silent.await.expect_err("silence");
        proxy.set(LinkState::Open);
        let mut echoed = [0; 3];
        client.read_exact(&mut echoed).await.expect("an echo");
        assert_eq!(&echoed, b"two");
    }

    #[tokio::test]
    async fn closed_link_closes_connections() {
        let proxy = echo_proxy().await;
        let mut client = TcpStream::connect(proxy.address()).await.expect("a connection");
        assert_eq!(echo(&mut client, "one").await.expect("an echo"), "one");
        proxy.set(LinkState::Closed);
        echo(&mut client, "two").await.expect_err("a closed connection");
        let mut other = TcpStream::connect(proxy.address()).await.expect("a connection");
        echo(&mut other, "three").await.expect_err("a closed connection");
        proxy.set(LinkState::Open);
        let mut other = TcpStream::connect(proxy.address()).await.expect("a connection");
        assert_eq!(echo(&mut other, "four").await.expect("an echo"), "four");
    }
}

//! `khet-idle-load`: opens many sockets that do nothing, and signs in many times, and prints how
//! much memory the server needs for that, as JSON.

use std::error::Error;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use clap::Parser;
use khet_load::{ClientSocket, Guest, ProcessStats};
use khet_protocol::{ClientMessage, Subscription};
use serde::Serialize;

/// Open sockets that do nothing, and sign in many times
#[derive(Parser)]
struct Args {
    /// Address of the server
    #[arg(long)]
    server: SocketAddr,
    /// Process of the server, to measure its memory
    #[arg(long)]
    process: u32,
    /// Number of sockets; fewer are opened if there may not be that many open files
    #[arg(long, default_value_t = 15_000)]
    sockets: u32,
    /// Number of times to sign in
    #[arg(long, default_value_t = 100)]
    sign_ins: u32,
}

/// Sockets per client address; each address has about 28,000 ports.
const SOCKETS_PER_ADDRESS: u32 = 10_000;
/// Time in which the server settles before its memory is read.
const SETTLE_TIME: Duration = Duration::from_secs(2);
/// Number of sign-ins per account, all at once; the server limits them.
const SIGN_INS_PER_ACCOUNT: u32 = 4;
/// The memory for which the number of sockets is estimated: 2 GB.
const MEMORY_LIMIT: f64 = 2e9;

/// Memory in bytes.
#[derive(Serialize)]
struct IdleReport {
    /// Memory of the server without connections.
    memory_at_start: f64,
    /// Open sockets.
    sockets: usize,
    /// Memory with them.
    memory_with_sockets: f64,
    /// Bytes per socket.
    bytes_per_socket: f64,
    /// The number of sockets that fit into 2 GB, extrapolated from that.
    sockets_in_2_gb: f64,
    /// Memory after the sign-ins, and its peak meanwhile.
    memory_after_sign_ins: f64,
    peak_memory: f64,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let server = ProcessStats(args.process);
    // The first sockets load code and fill caches of the server.
    drop(open_sockets(args.server, 100).await?);
    tokio::time::sleep(SETTLE_TIME).await;
    let memory_at_start = server.memory()?;
    let sockets = open_sockets(args.server, args.sockets).await?;
    tokio::time::sleep(SETTLE_TIME).await;
    let memory_with_sockets = server.memory()?;
    let count = sockets.len();
    drop(sockets);
    let bytes_per_socket = (memory_with_sockets - memory_at_start) / count as f64;
    sign_in(args.server, args.sign_ins).await?;
    tokio::time::sleep(SETTLE_TIME).await;
    let report = IdleReport {
        memory_at_start,
        sockets: count,
        memory_with_sockets,
        bytes_per_socket,
        sockets_in_2_gb: (MEMORY_LIMIT - memory_at_start) / bytes_per_socket,
        memory_after_sign_ins: server.memory()?,
        peak_memory: server.peak_memory()?,
    };
    println!("{}", serde_json::to_string(&report)?);
    Ok(())
}

/// Opens sockets of visitors in the lobby, who do nothing.
async fn open_sockets(server: SocketAddr, count: u32) -> io::Result<Vec<ClientSocket>> {
    let mut sockets = Vec::new();
    for number in 0..count {
        // Several addresses of the loopback network, because each has a limited number of ports.
        let host = 2 + u8::try_from(number / SOCKETS_PER_ADDRESS).unwrap_or(u8::MAX - 2);
        let from = Ipv4Addr::new(127, 0, 0, host);
        let mut socket = match ClientSocket::open_bound(server, from).await {
            Ok(socket) => socket,
            // Too many open files.
            Err(_) if number > 1000 => break,
            Err(error) => return Err(error),
        };
        socket.send_message(&ClientMessage::Subscribe(Subscription::Lobby)).await?;
        socket.receive().await?;
        sockets.push(socket);
    }
    Ok(sockets)
}

/// Creates accounts, and signs in to each several times.
async fn sign_in(server: SocketAddr, count: u32) -> Result<(), Box<dyn Error>> {
    let letter = |number: u32| char::from(b"abcdefgh"[number as usize % 8]);
    for account in 0..count.div_ceil(SIGN_INS_PER_ACCOUNT) {
        let name = format!("Visitor-{}{}", letter(account / 8), letter(account));
        let body = format!(r#"{{"name": "{name}", "password": "a long password"}}"#);
        let created = Guest::without_session(server).post("/api/sign-up", &body).await?;
        if created.status != 201 {
            return Err(format!("sign-up: {}", created.body).into());
        }
        let sign_ins = (0..SIGN_INS_PER_ACCOUNT)
            .map(|_| async { Guest::without_session(server).post("/api/sign-in", &body).await });
        for answer in futures_util::future::join_all(sign_ins).await {
            let answer = answer?;
            if answer.status >= 400 {
                return Err(format!("sign-in: {}", answer.body).into());
            }
        }
    }
    Ok(())
}

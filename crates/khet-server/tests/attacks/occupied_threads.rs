//! Requests that occupy threads and memory: link preview images and password hashes.

#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::mpsc;

use khet_server::{Assets, Config, Server, ServerLimits, testing};
use serde_json::json;

use crate::test_server::TestServer;

/// Returns a number of kilobytes of `/proc/self/status`.
fn status(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("status");
    let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("a line");
    line.trim_start_matches(':')
        .split_whitespace()
        .next()
        .expect("a value")
        .parse()
        .expect("number")
}

/// Number of images that are drawn or wait at the same time.
const MAX_IMAGES: usize = 32;

/// Sends a request over a connection.
fn send(stream: &mut TcpStream, path: &str) -> std::io::Result<()> {
    stream.write_all(format!("GET {path} HTTP/1.1\r\nHost: khet\r\n\r\n").as_bytes())
}

/// Requests an image. Each number gives another one.
fn request_image(stream: &mut TcpStream, number: usize) {
    let mut ranks = ["4k5", "10", "10", "10", "10", "10", "10", "5K4"].map(str::to_owned);
    ranks[number / 8 + 1] = format!("{}p1{}", number % 8 + 1, 8 - number % 8);
    let path = format!("/pictures/position.png?position={}_s", ranks.join("/"));
    send(stream, &path).expect("sent");
}

/// Waits for a response and returns its status, or nothing if the connection is closed without one.
fn receive(stream: &TcpStream) -> Option<String> {
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line).ok()?;
    line.split(' ').nth(1).map(str::to_owned)
}

/// 590 requests gave 198 threads and 1 GB: each client that hung up made room for another image
/// while its own was still being drawn.
///
/// Here the only thread for such work is occupied, so that no image is ever finished.
#[test]
fn clients_that_hang_up_do_not_occupy_more_threads() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(1)
        .enable_all()
        .build()
        .expect("a runtime");
    let (release, held) = mpsc::channel::<()>();
    // The server itself may not call this function; the test does it in its place.
    #[allow(clippy::disallowed_methods)]
    runtime.spawn_blocking(move || held.recv());
    let folder = tempfile::TempDir::new().expect("a folder");
    let mut config = Config::new(testing::database(folder.path().join("khet.sqlite")));
    config.address = SocketAddr::from(([127, 0, 0, 1], 0));
    config.limits =
        ServerLimits { connections_per_address: MAX_IMAGES + 1, ..TestServer::high_limits() };
    let server = runtime.block_on(Server::start(config, Assets::new(&[]))).expect("a server");
    let connect = || TcpStream::connect(server.address()).expect("a connection");
    // One more than may be drawn or wait: when it is refused, the server has all of them.
    let (answered, answers) = mpsc::channel();
    let clients: Vec<TcpStream> = (0..=MAX_IMAGES).map(|_| connect()).collect();
    for (number, client) in clients.iter().enumerate() {
        let mut client = client.try_clone().expect("a connection");
        request_image(&mut client, number);
        let answered = answered.clone();
        std::thread::spawn(move || answered.send(receive(&client)));
    }
    assert_eq!(answers.recv().expect("an answer").as_deref(), Some("503"));
    // All clients hang up. New ones are let in after the server has noticed it.
    for client in clients {
        let _ = client.shutdown(Shutdown::Both);
    }
    let visit = || {
        let mut client = connect();
        send(&mut client, "/healthz").ok()?;
        // The last line of the response.
        let mut lines = BufReader::new(&client).lines().map_while(Result::ok);
        lines.any(|line| line == "ok").then_some(client)
    };
    let mut visitors = Vec::new();
    while visitors.len() <= MAX_IMAGES {
        match visit() {
            Some(visitor) => visitors.push(visitor),
            None => std::thread::yield_now(),
        }
    }
    // The images of the clients that hung up still count, so there is no thread for another one.
    let mut visitor = visitors.pop().expect("a visitor");
    request_image(&mut visitor, MAX_IMAGES + 1);
    assert_eq!(receive(&visitor).as_deref(), Some("503"));
    drop(release);
    runtime.block_on(server.stop());
}

/// 100 sign-ins left 854 MB, because the allocator keeps the memory of each thread.
#[test]
fn sign_ins_do_not_use_more_and_more_memory() {
    let server = TestServer::unlimited();
    let before = status("VmRSS");
    std::thread::scope(|scope| {
        for thread in 0..10 {
            let mut client = server.stranger();
            scope.spawn(move || {
                for attempt in 0..6 {
                    let name = format!("Nobody{thread}x{attempt}");
                    let answer = client
                        .post("/api/sign-in", json!({"name": name, "password": "some password"}));
                    assert!([401, 503].contains(&answer.status), "{}", answer.text);
                }
            });
        }
    });
    let grown = status("VmRSS").saturating_sub(before) / 1024;
    assert!(grown < 150, "{grown} MB more");
}

//! Requests that occupy threads and memory: link preview images and password hashes.

#![cfg(target_os = "linux")]

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::sync::Mutex;

use khet_server::ServerLimits;
use serde_json::json;

use crate::test_server::TestServer;

/// Held by tests that measure the whole process.
static MEASURING: Mutex<()> = Mutex::new(());

/// Returns a number of `/proc/self/status`: a count, or kilobytes.
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

/// 590 requests gave 198 threads and 1 GB: each client that hung up made room for another image
/// while its own was still being drawn. On a quick machine the images are drawn as fast as they are
/// requested; the test of `BlockingJobs` shows the fault on every machine.
#[test]
fn clients_that_hang_up_do_not_occupy_more_threads() {
    let _measuring = MEASURING.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let server = TestServer::with(ServerLimits {
        requests_per_minute: 1_000_000,
        ..ServerLimits::default()
    });
    let address = server.stranger().server.replace("http://", "");
    let before = status("Threads");
    let (mut most, mut open) = (0, VecDeque::new());
    for number in 0..400 {
        // Every image is of another position.
        let (row, column) = (number / 9 % 6 + 1, number % 9);
        let rank = match column {
            0 => "p19".to_owned(),
            column => format!("{column}p1{}", 9 - column),
        };
        let mut ranks = vec!["10".to_owned(); 8];
        ranks[0] = "4k5".to_owned();
        ranks[7] = format!("{}K{}", number / 54 % 8 + 1, 8 - number / 54 % 8);
        ranks[row] = rank;
        let position = ranks.join("/");
        let mut stream = TcpStream::connect(&address).expect("a connection");
        let request = format!(
            "GET /pictures/position.png?position={position}_s HTTP/1.1\r\nHost: {address}\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).expect("sent");
        if number == 0 {
            let mut line = String::new();
            BufReader::new(&stream).read_line(&mut line).expect("an answer");
            assert!(line.contains("200"), "{line}");
        }
        // The client hangs up after the server has begun with its request.
        open.push_back(stream);
        if open.len() > 8 {
            open.pop_front();
        }
        most = most.max(status("Threads"));
    }
    // Other tests run at the same time, with a few threads each.
    assert!(most < before + 60, "{before} threads before, {most} during the attack");
}

/// 100 sign-ins left 854 MB, because the allocator keeps the memory of each thread.
#[test]
fn sign_ins_do_not_use_more_and_more_memory() {
    let _measuring = MEASURING.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
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

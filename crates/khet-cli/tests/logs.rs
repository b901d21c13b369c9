//! Logs of the server that can't be written, as on a full disk, do not disturb the games.

#![cfg(target_os = "linux")]

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// A process that is killed when it is dropped.
struct ProcessGuard(Child);

impl Drop for ProcessGuard {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The first message that could not be logged stopped the task that logged it.
#[test]
fn server_runs_without_a_log() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let full = File::options().write(true).open("/dev/full").expect("a full disk");
    let process = Command::new(env!("CARGO_BIN_EXE_khet"))
        .args(["serve", "--address", "127.0.0.1:0", "--log", "debug", "--database"])
        .arg(folder.path().join("khet.sqlite"))
        .stdout(Stdio::piped())
        .stderr(full)
        .spawn()
        .expect("khet starts");
    let mut process = ProcessGuard(process);
    let output = process.0.stdout.take().expect("its output");
    let mut line = String::new();
    BufReader::new(output).read_line(&mut line).expect("a line");
    let address = line.split("http://").nth(1).and_then(|rest| rest.split(' ').next());
    let address = address.unwrap_or_else(|| panic!("the server did not start: {line:?}"));
    // A guest is stored, which the log reports, too.
    for path in ["/api/guest", "/api/guest"] {
        let mut stream = TcpStream::connect(address).expect("a connection");
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\n\
             Connection: close\r\nContent-Length: 0\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 20"), "{answer}");
    }
}

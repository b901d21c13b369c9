//! `khet backup` while the server runs, and `khet restore` while it does not.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use khet_load::Guest;
use khet_protocol::ChallengeId;

/// Runs a server, calls `test` with a client, and stops the server.
fn with_server<T>(database: &Path, test: impl AsyncFnOnce(&mut Guest) -> T) -> T {
    let mut process = Command::new(env!("CARGO_BIN_EXE_khet"))
        .args(["serve", "--log", "error", "--address", "127.0.0.1:0", "--database"])
        .arg(database)
        .stdout(Stdio::piped())
        .spawn()
        .expect("khet starts");
    let mut line = String::new();
    let output = process.stdout.take().expect("its output");
    BufReader::new(output).read_line(&mut line).expect("its address");
    let address = line.split("http://").nth(1).and_then(|rest| rest.split(' ').next());
    let address = address.and_then(|address| address.parse().ok()).expect("an address");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let answer = runtime.block_on(test(&mut Guest::without_session(address)));
    let stop = Command::new("kill").arg(process.id().to_string()).status();
    assert!(stop.expect("kill runs").success());
    assert!(process.wait().expect("stopped").success());
    answer
}

fn khet(command: &str, copy: &Path, database: &Path) -> Output {
    let mut khet = Command::new(env!("CARGO_BIN_EXE_khet"));
    khet.arg(command).arg(copy).arg("--database").arg(database).output().expect("khet runs")
}

/// Runs `khet restore`, which must fail, and returns its message.
fn restore_error(copy: &Path, database: &Path) -> String {
    let output = khet("restore", copy, database);
    assert!(!output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

async fn challenge(guest: &mut Guest) -> ChallengeId {
    let text = r#"{"start": "classic", "time": "none"}"#;
    guest.challenge(&serde_json::from_str(text).expect("a challenge")).await.expect("accepted")
}

async fn is_known(guest: &mut Guest, id: ChallengeId) -> bool {
    let answer = guest.ask("GET", &format!("/api/challenges/{id}"), "").await;
    answer.expect("an answer").status == 200
}

#[test]
fn a_backup_of_a_running_server_can_be_restored_after_it_stops() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let (database, copy) = (folder.path().join("khet.sqlite"), folder.path().join("copy.sqlite"));
    let (before, after) = with_server(&database, async |guest| {
        let before = challenge(guest).await;
        let output = khet("backup", &copy, &database);
        assert!(output.status.success(), "{output:?}");
        let after = challenge(guest).await;
        let message = restore_error(&copy, &database);
        assert!(message.contains("in use"), "{message}");
        let other = folder.path().join("other.sqlite");
        let message = restore_error(&database, &other);
        assert!(message.contains("in use") && !other.exists(), "{message}");
        #[cfg(unix)]
        {
            let link = folder.path().join("link.sqlite");
            std::os::unix::fs::symlink(&database, &link).expect("a link");
            let message = restore_error(&copy, &link);
            assert!(message.contains("in use"), "{message}");
        }
        assert!(is_known(guest, after).await);
        (before, after)
    });
    assert!(
        !folder.path().join("khet.sqlite-wal").exists(),
        "the server leaves one file when it stops"
    );
    let output = khet("backup", &copy, &database);
    assert!(!output.status.success(), "a backup is never overwritten");
    let output = khet("restore", &copy, &database);
    assert!(output.status.success(), "{output:?}");
    assert!(folder.path().join("khet.sqlite.before-restore-1").exists());
    with_server(&database, async |guest| {
        assert!(is_known(guest, before).await);
        assert!(!is_known(guest, after).await);
    });
}

#[test]
fn a_file_that_is_not_a_database_is_not_restored() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let (database, copy) = (folder.path().join("khet.sqlite"), folder.path().join("copy.sqlite"));
    fs::write(&copy, "this is no database, though it is long enough to be one".repeat(100))
        .expect("written");
    assert!(!khet("restore", &copy, &database).status.success());
    assert!(!database.exists());
    assert!(!khet("backup", &copy, &database).status.success(), "there is no database to back up");
}

//! `khet backup` while the server runs, and `khet restore` while it does not.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use khet_crowd::Guest;
use khet_protocol::ChallengeId;

/// Asks a server for something, as long as it runs.
fn with_server<T>(database: &Path, ask: impl AsyncFnOnce(&mut Guest) -> T) -> T {
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
    let answer = runtime.block_on(ask(&mut Guest::nobody(address)));
    let told = Command::new("kill").arg(process.id().to_string()).status();
    assert!(told.expect("told to stop").success());
    assert!(process.wait().expect("stopped").success());
    answer
}

fn khet(command: &str, copy: &Path, database: &Path) -> Output {
    let mut khet = Command::new(env!("CARGO_BIN_EXE_khet"));
    khet.arg(command).arg(copy).arg("--database").arg(database).output().expect("khet runs")
}

async fn challenge(guest: &mut Guest) -> ChallengeId {
    let text = r#"{"start": "classic", "time": "none"}"#;
    guest.challenge(&serde_json::from_str(text).expect("a challenge")).await.expect("made")
}

async fn is_known(guest: &mut Guest, id: ChallengeId) -> bool {
    let answer = guest.ask("GET", &format!("/api/challenges/{id}"), "").await;
    answer.expect("an answer").status == 200
}

#[test]
fn a_copy_is_taken_while_the_server_runs_and_put_back_while_it_does_not() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let (database, copy) = (folder.path().join("khet.sqlite"), folder.path().join("copy.sqlite"));
    let (before, behind) = with_server(&database, async |guest| {
        let before = challenge(guest).await;
        let output = khet("backup", &copy, &database);
        assert!(output.status.success(), "{output:?}");
        let behind = challenge(guest).await;
        let output = khet("restore", &copy, &database);
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && complaint.contains("in use"), "{complaint}");
        #[cfg(unix)]
        {
            let link = folder.path().join("link.sqlite");
            std::os::unix::fs::symlink(&database, &link).expect("a link");
            let other = folder.path().join("other.sqlite");
            for (copy, database) in [(&copy, &link), (&database, &other)] {
                let output = khet("restore", copy, database);
                let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
                assert!(!output.status.success() && complaint.contains("in use"), "{complaint}");
            }
            assert!(!other.exists(), "a database in use is not a backup");
        }
        assert!(is_known(guest, behind).await);
        (before, behind)
    });
    assert!(!folder.path().join("khet.sqlite-wal").exists(), "a stop leaves one file");
    let output = khet("backup", &copy, &database);
    assert!(!output.status.success(), "a copy is never overwritten");
    let output = khet("restore", &copy, &database);
    assert!(output.status.success(), "{output:?}");
    assert!(folder.path().join("khet.sqlite.before-restore-1").exists());
    with_server(&database, async |guest| {
        assert!(is_known(guest, before).await);
        assert!(!is_known(guest, behind).await);
    });
}

#[test]
fn what_is_no_database_is_not_put_back() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let (database, copy) = (folder.path().join("khet.sqlite"), folder.path().join("copy.sqlite"));
    fs::write(&copy, "this is no database, though it is long enough to be one".repeat(100))
        .expect("written");
    assert!(!khet("restore", &copy, &database).status.success());
    assert!(!database.exists());
    assert!(!khet("backup", &copy, &database).status.success(), "there is nothing to copy");
}

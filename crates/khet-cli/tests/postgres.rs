//! Commands with a database on a PostgreSQL server. Skipped without `KHET_TEST_POSTGRES`.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use khet_server::{DatabaseLocation, testing};
use serde_json::Value;
use tempfile::TempDir;

/// A database of version 0.1.0.
const DATABASE: &[u8] = include_bytes!("../../khet-server/tests/fixtures/0.1.0/khet.sqlite");

/// Returns whether there is no server, and prints it.
fn skip() -> bool {
    if !testing::uses_postgres() {
        eprintln!("skipped: KHET_TEST_POSTGRES is not set");
    }
    !testing::uses_postgres()
}

fn khet<T: AsRef<OsStr>>(arguments: impl IntoIterator<Item = T>) -> Output {
    let mut khet = Command::new(env!("CARGO_BIN_EXE_khet"));
    khet.args(arguments).env_remove("KHET_DATABASE").output().expect("khet runs")
}

fn error(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns the last line of JSON.
fn summary(output: &Output) -> Value {
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(text.lines().last().expect("a line")).expect("JSON")
}

fn migrate(direction: &str, from: &OsStr, to: &OsStr) -> Output {
    let arguments = ["migrate", direction, "--json", "--from"].map(OsStr::new);
    khet(arguments.into_iter().chain([from, OsStr::new("--to"), to]))
}

fn location(text: &OsStr) -> DatabaseLocation {
    DatabaseLocation::try_from(text.to_owned()).expect("a database")
}

/// Creates a file with the old database, and an empty database on the server.
fn databases(folder: &Path) -> (OsString, OsString) {
    let file = folder.join("khet.sqlite");
    fs::write(&file, DATABASE).expect("written");
    (file.into(), testing::database_argument(folder.join("unused.sqlite")))
}

#[test]
fn a_database_is_the_same_after_moving_there_and_back() {
    if skip() {
        return;
    }
    let folder = TempDir::new().expect("a folder");
    let (file, server) = databases(folder.path());
    let there = summary(&migrate("sqlite-to-postgres", &file, &server));
    assert_eq!((&there["games"], &there["faults"]), (&Value::from(10), &Value::from(0)));
    let verified = summary(&khet([OsStr::new("verify"), OsStr::new("--json"), &server]));
    assert_eq!((&verified["games"], &verified["events"]), (&there["games"], &there["events"]));
    let copy = folder.path().join("copy.sqlite").into_os_string();
    let back = summary(&migrate("postgres-to-sqlite", &server, &copy));
    assert_eq!(there, back);
    // A second copy is refused by both.
    for (direction, from, to) in
        [("sqlite-to-postgres", &copy, &server), ("postgres-to-sqlite", &server, &file)]
    {
        let message = error(&migrate(direction, from, to));
        assert!(message.contains("not empty"), "{message}");
    }
}

#[test]
fn an_interrupted_move_continues_and_no_server_starts_before_its_end() {
    if skip() {
        return;
    }
    let folder = TempDir::new().expect("a folder");
    let (file, server) = databases(folder.path());
    let complete = summary(&migrate("sqlite-to-postgres", &file, &server));
    // The state after an interruption in the middle of the events.
    let source = fs::canonicalize(&file).expect("a file");
    let target = location(&server);
    testing::execute(&target, "CREATE TABLE unfinished_transfer (source TEXT NOT NULL)");
    let mark = format!("INSERT INTO unfinished_transfer VALUES ('{}')", source.display());
    testing::execute(&target, &mark);
    for table in
        ["ratings", "rating_changes", "finished", "explorer", "explorer_progress", "reviews"]
    {
        testing::execute(&target, &format!("DELETE FROM {table}"));
    }
    assert!(testing::execute(&target, "DELETE FROM events WHERE game > 'V'") > 0);
    for arguments in [["serve", "--address", "127.0.0.1:0"], ["moderator", "list", "--"]] {
        let arguments = arguments.into_iter().filter(|argument| *argument != "--");
        let arguments = arguments.map(OsString::from).chain(["--database".into(), server.clone()]);
        let message = error(&khet(arguments));
        assert!(message.contains("unfinished"), "{message}");
    }
    let other = folder.path().join("other.sqlite");
    fs::copy(&file, &other).expect("copied");
    let message = error(&migrate("sqlite-to-postgres", other.as_os_str(), &server));
    assert!(message.contains("unfinished copy of another database"), "{message}");
    assert_eq!(summary(&migrate("sqlite-to-postgres", &file, &server)), complete);
    // A copy of a source that has changed meanwhile is refused.
    testing::execute(&target, "CREATE TABLE unfinished_transfer (source TEXT NOT NULL)");
    testing::execute(&target, &mark);
    testing::execute(&target, "UPDATE people SET created = created + 1 WHERE name_key = 'mona'");
    let message = error(&migrate("sqlite-to-postgres", &file, &server));
    assert!(message.contains("people") && message.contains("differs"), "{message}");
}

#[test]
fn commands_for_files_name_the_tools_of_postgres() {
    if skip() {
        return;
    }
    let folder = TempDir::new().expect("a folder");
    let (file, server) = databases(folder.path());
    let copy = folder.path().join("copy.sqlite").into_os_string();
    let database = OsString::from("--database");
    for arguments in [
        vec!["backup".into(), copy.clone(), database.clone(), server.clone()],
        vec!["restore".into(), file.clone(), database.clone(), server.clone()],
        vec![
            "serve".into(),
            "--address=127.0.0.1:0".into(),
            "--backup-to".into(),
            copy,
            database,
            server,
        ],
    ] {
        let message = error(&khet(&arguments));
        assert!(message.contains("pg_dump") && message.contains("pg_basebackup"), "{message}");
    }
}

#[test]
fn passwords_are_not_printed() {
    for url in [
        "postgres://anna:secret@127.0.0.1:1/khet",
        "postgres://anna:secret@127.0.0.1:one/khet",
        "postgres://anna:secret@127.0.0.1:1/khet?sslmode=maybe",
        "mysql://anna:secret@127.0.0.1/khet",
    ] {
        for arguments in [["verify", url].as_slice(), &["moderator", "list", "--database", url]] {
            let output = khet(arguments);
            assert_eq!(output.status.code(), Some(2), "{output:?}");
            let message = String::from_utf8_lossy(&output.stderr);
            assert!(!message.contains("secret") && !message.is_empty(), "{message}");
        }
    }
    let mut help = Command::new(env!("CARGO_BIN_EXE_khet"));
    help.args(["serve", "--help"]).env("KHET_DATABASE", "postgres://anna:secret@127.0.0.1/khet");
    let output = help.output().expect("khet runs");
    assert!(!String::from_utf8_lossy(&output.stdout).contains("secret"));
}

//! `khet backup` while the server runs, `khet restore` while it does not, `khet verify`, and what
//! they do with full disks, killed processes and files of others.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
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

/// A database with games, which version 0.1 wrote.
const DATABASE: &[u8] = include_bytes!("../../khet-server/tests/fixtures/0.1.0/khet.sqlite");
/// A SQLite database of another program.
const OTHER_PROGRAM: &[u8] = include_bytes!("fixtures/other-program.sqlite");

/// A folder with a database and the name of a copy that does not exist yet.
struct Files {
    folder: tempfile::TempDir,
    database: PathBuf,
    copy: PathBuf,
}

impl Files {
    fn new() -> Files {
        let folder = tempfile::TempDir::new().expect("a folder");
        let (database, copy) =
            (folder.path().join("khet.sqlite"), folder.path().join("copy.sqlite"));
        fs::write(&database, DATABASE).expect("written");
        Files { folder, database, copy }
    }

    /// Returns the names of all files except locks, sorted.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).expect("a folder");
        let names = entries.map(|entry| entry.expect("a file").file_name());
        let mut names: Vec<String> =
            names.map(|name| name.to_string_lossy().into_owned()).collect();
        names.retain(|name| !name.ends_with(".lock"));
        names.sort();
        names
    }
}

/// Runs `khet` so that it can't write files beyond a fifth of the database's size. With `ignored` it
/// gets an error, as from a full disk; otherwise the system kills it in the middle of the file.
#[cfg(unix)]
fn khet_with_small_files(command: &str, files: &Files, ignored: bool) -> Output {
    let trap = if ignored { "trap '' XFSZ; " } else { "" };
    let script = format!("{trap}ulimit -c 0; ulimit -f 100; exec \"$@\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_khet"), command]);
    shell.arg(&files.copy).arg("--database").arg(&files.database).output().expect("sh runs")
}

/// Runs `khet verify --json` and returns its exit code and the last line.
fn verify(file: &Path) -> (Option<i32>, serde_json::Value, Output) {
    let mut khet = Command::new(env!("CARGO_BIN_EXE_khet"));
    let output = khet.arg("verify").arg(file).arg("--json").output().expect("khet runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text
        .lines()
        .last()
        .map_or(serde_json::Value::Null, |line| serde_json::from_str(line).expect("JSON"));
    (output.status.code(), last, output)
}

#[test]
#[cfg(unix)]
fn a_backup_that_is_killed_or_meets_a_full_disk_leaves_no_file_under_its_name() {
    let files = Files::new();
    let killed = khet_with_small_files("backup", &files, false);
    assert!(!killed.status.success(), "{killed:?}");
    assert!(!files.copy.exists(), "{:?}", files.names());
    let full = khet_with_small_files("backup", &files, true);
    let message = String::from_utf8_lossy(&full.stderr).into_owned();
    assert!(!full.status.success() && message.contains("is the disk full"), "{full:?}");
    let partial = |name: &String| name.contains(".partial-") && !name.ends_with("-journal");
    assert!(!files.copy.exists());
    assert!(files.names().iter().filter(|name| partial(name)).count() <= 1, "{:?}", files.names());
    // The file that a killed backup leaves behind is refused.
    for name in files.names().iter().filter(|name| partial(name)) {
        restore_error(&files.folder.path().join(name), &files.database);
        assert!(fs::read(&files.database).expect("the database") == DATABASE);
    }
    let output = khet("backup", &files.copy, &files.database);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(verify(&files.copy).0, Some(0));
}

#[test]
#[cfg(unix)]
fn a_restore_that_is_killed_or_meets_a_full_disk_leaves_the_old_database() {
    let files = Files::new();
    let output = khet("backup", &files.copy, &files.database);
    assert!(output.status.success(), "{output:?}");
    fs::write(&files.database, DATABASE).expect("written");
    let copy = fs::read(&files.copy).expect("the copy");
    for ignored in [false, true] {
        let output = khet_with_small_files("restore", &files, ignored);
        assert!(!output.status.success(), "{output:?}");
        assert!(fs::read(&files.database).expect("the database") == DATABASE);
        assert!(!files.names().iter().any(|name| name.contains("before-restore")));
        if ignored {
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(message.contains("is the disk full"), "{message}");
        }
    }
    assert!(fs::read(&files.copy).expect("the copy") == copy);
    let output = khet("restore", &files.copy, &files.database);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(verify(&files.database).0, Some(0));
}

#[test]
fn only_databases_of_this_program_are_restored_served_or_backed_up() {
    let mut later = DATABASE.to_vec();
    // The number of the program that the file belongs to.
    later[68..72].copy_from_slice(b"Rook");
    let renamed = replaced(DATABASE, b"_sqlx_migrations", b"_othr_migrations");
    let cut = &DATABASE[..DATABASE.len() / 2];
    let attacks: [(&str, &[u8]); 7] = [
        ("an empty file", b""),
        ("one byte", b"S"),
        ("the header alone", &DATABASE[..100]),
        ("another program", OTHER_PROGRAM),
        ("another number", &later),
        ("no migrations", &renamed),
        ("half a database", cut),
    ];
    for (what, content) in attacks {
        let files = Files::new();
        fs::write(&files.copy, content).expect("written");
        let message = restore_error(&files.copy, &files.database);
        assert!(message.contains("copy.sqlite"), "{what}: {message}");
        assert_eq!(files.names(), ["copy.sqlite", "khet.sqlite"], "{what}");
        assert!(fs::read(&files.database).expect("the database") == DATABASE, "{what}");
        assert!(fs::read(&files.copy).expect("the file") == content, "{what}");
        let other = files.folder.path().join("other.sqlite");
        let output = khet("backup", &other, &files.copy);
        assert!(!output.status.success() && !other.exists(), "{what}: {output:?}");
        // A server creates its tables in an empty file, and in no other.
        if content.is_empty() {
            continue;
        }
        let mut serve = Command::new(env!("CARGO_BIN_EXE_khet"));
        serve.args(["serve", "--log", "error", "--address", "127.0.0.1:0", "--database"]);
        let output = serve.arg(&files.copy).output().expect("khet runs");
        assert!(!output.status.success(), "{what}: {output:?}");
        assert!(fs::read(&files.copy).expect("the file") == content, "{what}");
    }
}

#[test]
fn a_damaged_database_is_not_restored() {
    let files = Files::new();
    // The table of games contradicts its index.
    let damaged = replaced(DATABASE, b"classicstandard", b"imhotepstandard");
    fs::write(&files.copy, &damaged).expect("written");
    let message = restore_error(&files.copy, &files.database);
    assert!(message.contains("copy.sqlite") && message.contains("index"), "{message}");
    assert_eq!(files.names(), ["copy.sqlite", "khet.sqlite"]);
    assert!(fs::read(&files.database).expect("the database") == DATABASE);
}

/// Replaces bytes everywhere.
fn replaced(content: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut content = content.to_vec();
    let places: Vec<usize> =
        (0..content.len() - from.len()).filter(|&at| content[at..].starts_with(from)).collect();
    assert!(!places.is_empty());
    for at in places {
        content[at..at + to.len()].copy_from_slice(to);
    }
    content
}

#[test]
#[cfg(unix)]
fn a_database_is_not_restored_from_itself() {
    let files = Files::new();
    let message = restore_error(&files.database, &files.database);
    assert!(message.contains("in use") || message.contains("itself"), "{message}");
    fs::hard_link(&files.database, &files.copy).expect("a second name");
    let message = restore_error(&files.copy, &files.database);
    assert!(message.contains("hard links"), "{message}");
    assert!(fs::read(&files.database).expect("the database") == DATABASE);
}

#[test]
#[cfg(unix)]
fn a_link_to_the_database_stays_a_link() {
    let files = Files::new();
    assert!(khet("backup", &files.copy, &files.database).status.success());
    let link = files.folder.path().join("link.sqlite");
    std::os::unix::fs::symlink(&files.database, &link).expect("a link");
    let output = khet("restore", &files.copy, &link);
    assert!(output.status.success(), "{output:?}");
    assert!(link.is_symlink() && !files.database.is_symlink());
    assert!(files.folder.path().join("khet.sqlite.before-restore-1").exists());
}

#[test]
fn the_database_of_a_crashed_server_is_restored_with_its_log() {
    let files = Files::new();
    assert!(khet("backup", &files.copy, &files.database).status.success());
    // A log that belongs to another database, as after a crash or a careless copy.
    for suffix in ["-wal", "-shm"] {
        let log = files.folder.path().join(format!("khet.sqlite{suffix}"));
        fs::write(log, vec![7; 40_000]).expect("written");
    }
    let output = khet("restore", &files.copy, &files.database);
    assert!(output.status.success(), "{output:?}");
    let (code, counts, output) = verify(&files.database);
    assert_eq!((code, &counts["faults"]), (Some(0), &0.into()), "{output:?}");
    assert!(!files.folder.path().join("khet.sqlite-wal").exists());
}

#[test]
#[cfg(unix)]
fn databases_and_backups_are_private() {
    use std::os::unix::fs::PermissionsExt;
    let files = Files::new();
    let folder = files.folder.path();
    let mode = |name: &str| {
        let metadata =
            folder.join(name).metadata().unwrap_or_else(|error| panic!("{name}: {error}"));
        metadata.permissions().mode() & 0o777
    };
    fs::set_permissions(&files.database, fs::Permissions::from_mode(0o644)).expect("permitted");
    with_server(&files.database, async |guest| {
        challenge(guest).await;
        for name in ["khet.sqlite", "khet.sqlite-wal", "khet.sqlite-shm", "khet.sqlite.lock"] {
            assert_eq!(mode(name), 0o600, "{name}");
        }
        assert!(khet("backup", &files.copy, &files.database).status.success());
    });
    let new = folder.join("new.sqlite");
    with_server(&new, async |guest| {
        challenge(guest).await;
        assert_eq!([mode("new.sqlite"), mode("new.sqlite-wal")], [0o600; 2]);
    });
    assert!(khet("restore", &files.copy, &new).status.success());
    for name in ["copy.sqlite", "new.sqlite", "new.sqlite.before-restore-1"] {
        assert_eq!(mode(name), 0o600, "{name}");
    }
}

#[test]
fn verify_replays_every_game_and_finds_changed_ones() {
    let files = Files::new();
    let (code, counts, output) = verify(&files.database);
    assert_eq!(code, Some(0), "{output:?}");
    assert_eq!((&counts["games"], &counts["imported"]), (&10.into(), &1.into()));
    assert!(counts["events"].as_u64().is_some_and(|events| events > 30), "{counts}");
    assert!(fs::read(&files.database).expect("the database") == DATABASE, "it is not changed");
    for (from, to) in [
        (&b"\"turn\":\"a5b5\",\"key\":102"[..], &b"\"turn\":\"a5j8\",\"key\":102"[..]),
        (b"\"winner\":\"silver\"", b"\"winner\":\"sliver\""),
        // The columns of a game, which contradict its events then.
        (b"silverresignation", b"silverabandonment"),
    ] {
        fs::write(&files.copy, replaced(DATABASE, from, to)).expect("written");
        let (code, counts, output) = verify(&files.copy);
        assert_eq!(code, Some(1), "{output:?}");
        assert!(counts["faults"].as_u64().is_some_and(|faults| faults > 0), "{counts}");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.lines().next().is_some_and(|line| line.contains("\"game\":\"")), "{text}");
    }
    fs::write(&files.copy, OTHER_PROGRAM).expect("written");
    assert_eq!(verify(&files.copy).0, Some(2));
    assert_eq!(verify(Path::new("no-such-file")).0, Some(2));
}

#[test]
fn moderators_are_accounts_that_exist() {
    let files = Files::new();
    let moderator = |arguments: &[&str]| {
        let mut khet = Command::new(env!("CARGO_BIN_EXE_khet"));
        khet.arg("moderator").args(arguments).arg("--database").arg(&files.database);
        let output = khet.output().expect("khet runs");
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(text).expect("text"))
    };
    assert_eq!(moderator(&["list"]), (Some(0), String::new()));
    let (code, message) = moderator(&["add", "Zoe"]);
    assert!(code == Some(2) && message.contains("no account has the name Zoe"), "{message}");
    with_server(&files.database, async |guest| {
        // Signing up with a name that was refused does not grant anything.
        let body = r#"{"name": "Zoe", "password": "correct horse battery"}"#;
        let answer = guest.ask("POST", "/api/sign-up", body).await.expect("an answer");
        assert_eq!(answer.status, 201);
        assert_eq!(moderator(&["list"]), (Some(0), String::new()));
        let (code, message) = moderator(&["add", "zoe"]);
        assert_eq!(code, Some(0), "{message}");
        assert_eq!(moderator(&["list"]), (Some(0), "Zoe\n".to_owned()));
        let reports = guest.ask("GET", "/api/setups/reports", "").await.expect("an answer");
        assert_eq!(reports.status, 200, "the role takes effect while the server runs");
        assert_eq!(moderator(&["remove", "Zoe"]).0, Some(0));
        let reports = guest.ask("GET", "/api/setups/reports", "").await.expect("an answer");
        assert_eq!(reports.status, 403);
    });
    assert_eq!(moderator(&["list"]), (Some(0), String::new()));
}

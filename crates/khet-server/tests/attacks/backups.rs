//! Scheduled backups: nothing is lost, whatever fails.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use khet_server::{BackupOptions, Time};
use tempfile::TempDir;

use crate::test_server::TestServer;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// 2027-01-15 08:00:00.
const NOW: u64 = 1_800_000_000_000;

/// Held by tests that count failures: all servers of a process share the metrics.
static COUNTING: Mutex<()> = Mutex::new(());

fn lock_counting() -> MutexGuard<'static, ()> {
    COUNTING.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Starts a server that makes a backup each day and keeps three.
fn start(to: &Path) -> TestServer {
    TestServer::with_file(|config| {
        config.time = Time::standing(NOW);
        config.backups = BackupOptions { to: Some(to.to_owned()), every: DAY, keep: 3 };
    })
}

/// Returns the names of the files in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let names = entries.map(|entry| entry.expect("a file").file_name());
    let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Waits until the files in a folder are as expected.
fn until(folder: &Path, expected: impl Fn(&[String]) -> bool) {
    let began = Instant::now();
    loop {
        let names = names(folder);
        if expected(&names) {
            return;
        }
        assert!(began.elapsed() < Duration::from_secs(30), "{names:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn old_backups_are_deleted_only_after_a_new_one() {
    let _counting = lock_counting();
    let folder = TempDir::new().expect("a folder");
    let to = folder.path().join("backups");
    let mut server = start(&to);
    let mut expected = vec!["khet-2027-01-15-080000.sqlite".to_owned()];
    until(&to, |names| *names == expected);
    // A server that restarts makes no second one, so that a crash loop does not replace them all.
    for _ in 0..5 {
        server.stop();
        server.skip(Duration::from_secs(1));
        server.start();
        assert_eq!(server.stranger().get("/readyz").status, 200);
    }
    for day in 16..=19 {
        server.skip(DAY);
        expected.push(format!("khet-2027-01-{day}-080005.sqlite"));
        if expected.len() > 3 {
            expected.remove(0);
        }
        until(&to, |names| *names == expected);
    }
    // The temporary file of a backup that was killed is deleted before the next backup.
    let leftover: PathBuf = to.join("khet-2000-01-01-000000.sqlite.partial-1");
    fs::write(&leftover, "half a backup").expect("written");
    server.skip(DAY);
    expected.remove(0);
    expected.push("khet-2027-01-20-080005.sqlite".to_owned());
    until(&to, |names| *names == expected);
    // Without the database no backup can be made, so none is deleted.
    let database = server.config.database.file().expect("a file").to_owned();
    let away = database.with_extension("away");
    let failures = count_failures(&server);
    fs::rename(&database, &away).expect("renamed");
    server.skip(DAY);
    until_failures(&server, failures + 1);
    assert_eq!(names(&to), expected);
    fs::rename(&away, &database).expect("renamed");
}

/// Returns the number of failed backups, which all servers of this process share.
fn count_failures(server: &TestServer) -> u64 {
    let metrics = server.stranger().get("/metrics").text;
    let count = metrics.lines().find_map(|line| line.strip_prefix("khet_backup_failures_total "));
    count.map_or(0, |count| count.parse().expect("a number"))
}

/// Waits until this many backups have failed.
fn until_failures(server: &TestServer, expected: u64) {
    let began = Instant::now();
    while count_failures(server) < expected {
        assert!(began.elapsed() < Duration::from_secs(30), "no backup has failed");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_failing_backup_deletes_nothing_and_is_counted() {
    let folder = TempDir::new().expect("a folder");
    let _counting = lock_counting();
    // The folder is a file.
    let to = folder.path().join("backups");
    fs::write(&to, "not a folder").expect("written");
    let server = start(&to);
    let mut client = server.stranger();
    // The server tries again after a while.
    let failures = count_failures(&server);
    server.skip(Duration::from_secs(15 * 60));
    until_failures(&server, failures + 1);
    assert_eq!(fs::read_to_string(&to).expect("the file"), "not a folder");
    // The server works on.
    assert_eq!(client.get("/readyz").status, 200);
    // The operator repairs it, and the next attempt succeeds.
    fs::remove_file(&to).expect("deleted");
    server.skip(Duration::from_secs(15 * 60));
    until(&to, |names| matches!(names, [name] if name.ends_with(".sqlite")));
}

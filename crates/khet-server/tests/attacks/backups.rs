//! Scheduled backups: nothing is lost, whatever fails.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use khet_server::BackupOptions;
use tempfile::TempDir;

use crate::test_server::TestServer;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Starts a server that makes a backup each day and keeps three.
fn start(to: &Path) -> TestServer {
    TestServer::configured(|config| {
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
fn until(folder: &Path, expected: impl Fn(&[String]) -> bool) -> Vec<String> {
    let began = Instant::now();
    loop {
        let names = names(folder);
        if expected(&names) {
            return names;
        }
        assert!(began.elapsed() < Duration::from_secs(30), "{names:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn is_complete(name: &str) -> bool {
    name.ends_with(".sqlite")
}

/// Waits until there are this many complete files and no others.
fn until_complete(folder: &Path, count: usize) -> Vec<String> {
    until(folder, |names| names.len() == count && names.iter().all(|name| is_complete(name)))
}

#[test]
fn old_backups_are_deleted_only_after_a_new_one() {
    let folder = TempDir::new().expect("a folder");
    let to = folder.path().join("backups");
    let mut server = start(&to);
    let mut seen = until_complete(&to, 1);
    // A server that restarts makes no second one, so that a crash loop does not replace them all.
    for _ in 0..5 {
        server.stop();
        server.start();
    }
    for day in 2..=5 {
        server.skip(DAY);
        let latest = seen.last().cloned().unwrap_or_default();
        seen = until(&to, |names| {
            names.len() == day.min(3)
                && names.iter().all(|name| is_complete(name))
                && names.last().is_some_and(|name| *name > latest)
        });
    }
    // A folder that can't be written: no backup is made, and none is deleted.
    let blocked: PathBuf = to.join("khet-2000-01-01-000000.sqlite.partial-1");
    fs::write(&blocked, "what a killed backup has left").expect("written");
    server.skip(DAY);
    until(&to, |names| {
        names.len() == 3 && names.iter().all(|name| is_complete(name)) && *names != *seen
    });
}

#[test]
fn a_failing_backup_deletes_nothing_and_is_counted() {
    let folder = TempDir::new().expect("a folder");
    // The folder is a file.
    let to = folder.path().join("backups");
    fs::write(&to, "not a folder").expect("written");
    let server = start(&to);
    let mut client = server.stranger();
    let began = Instant::now();
    loop {
        let metrics = client.get("/metrics").text;
        let failed = metrics.lines().any(|line| {
            line.strip_prefix("khet_backup_failures_total ")
                .is_some_and(|count| count.parse::<f64>().is_ok_and(|count| count > 0.0))
        });
        if failed {
            break;
        }
        assert!(began.elapsed() < Duration::from_secs(30), "{metrics}");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(fs::read_to_string(&to).expect("the file"), "not a folder");
    // The server works on.
    assert_eq!(client.get("/readyz").status, 200);
    // The operator repairs it, and the next attempt succeeds.
    fs::remove_file(&to).expect("deleted");
    server.skip(Duration::from_secs(15 * 60));
    until_complete(&to, 1);
}

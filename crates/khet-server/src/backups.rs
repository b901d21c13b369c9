//! Scheduled backups: the server copies its database into a folder and deletes old copies.
//!
//! The names of the copies tell their times, so that a server that restarts often makes no more
//! copies than one that runs.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, UNIX_EPOCH};

use khet_protocol::date;

use crate::config::Config;
use crate::server_state::ServerState;
use crate::storage::{self, PARTIAL_SUFFIX, StorageError};

/// Interval of looking whether a backup is due, in milliseconds.
const CHECK_INTERVAL: u64 = 60_000;
/// Time between a failed backup and the next attempt, in milliseconds.
const RETRY_INTERVAL: u64 = 15 * 60_000;

/// When and where the server makes backups.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Backups")]
pub struct BackupOptions {
    /// Folder for scheduled backups, of this server only; without it there are none
    #[arg(long = "backup-to", env = "KHET_BACKUP_TO", value_name = "DIR")]
    pub to: Option<PathBuf>,
    /// Time between two backups: minutes (30m), hours (6h) or days (1d)
    #[arg(long = "backup-every", env = "KHET_BACKUP_EVERY", value_name = "DURATION",
          default_value = "1d", requires = "to", value_parser = parse_duration)]
    pub every: Duration,
    /// Number of backups to keep; an older one is deleted after a new one is verified
    #[arg(long = "backup-keep", env = "KHET_BACKUP_KEEP", value_name = "N",
          default_value_t = 7, requires = "to", value_parser = clap::value_parser!(u32).range(1..))]
    pub keep: u32,
}

impl Default for BackupOptions {
    fn default() -> BackupOptions {
        BackupOptions { to: None, every: Duration::from_secs(24 * 60 * 60), keep: 7 }
    }
}

/// Reads a duration of at least a minute.
fn parse_duration(text: &str) -> Result<Duration, String> {
    let unit = |letter| match letter {
        'm' => Some(60),
        'h' => Some(60 * 60),
        'd' => Some(24 * 60 * 60),
        _ => None,
    };
    let seconds = || {
        let seconds = unit(text.chars().next_back()?)?;
        let number: u32 = text[..text.len() - 1].parse().ok()?;
        (number > 0).then(|| u64::from(number) * seconds)
    };
    let seconds = seconds().ok_or("expected minutes, hours or days, such as 30m, 6h or 1d")?;
    Ok(Duration::from_secs(seconds))
}

/// The folder of the backups of one database.
struct BackupFolder {
    folder: PathBuf,
    /// The name of the database, without its extension.
    stem: String,
}

impl BackupFolder {
    fn new(folder: &Path, database: &Path) -> BackupFolder {
        let stem = database.file_stem().map_or("khet".into(), |stem| stem.to_string_lossy());
        BackupFolder { folder: folder.to_owned(), stem: stem.into_owned() }
    }

    /// Returns the file name of a backup that is made at a time. Names sort by time.
    fn name(&self, now: u64) -> String {
        let seconds = now / 1000 % (24 * 60 * 60);
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        let date = date(now).replace('.', "-");
        format!("{}-{date}-{hours:02}{minutes:02}{seconds:02}.sqlite", self.stem)
    }

    /// Returns whether a file has the name of a backup.
    fn is_backup(&self, name: &str) -> bool {
        let time = name
            .strip_prefix(&self.stem)
            .and_then(|rest| rest.strip_prefix('-'))
            .and_then(|rest| rest.strip_suffix(".sqlite"));
        let digit = |(place, byte): (usize, u8)| match place {
            4 | 7 | 10 => byte == b'-',
            _ => byte.is_ascii_digit(),
        };
        time.is_some_and(|time| time.len() == 17 && time.bytes().enumerate().all(digit))
    }

    /// Returns whether a file is what a killed backup has left.
    fn is_leftover(&self, name: &str) -> bool {
        name.split_once(PARTIAL_SUFFIX).is_some_and(|(name, _)| self.is_backup(name))
    }

    /// Returns the names of all files that a condition holds for, sorted.
    fn names(&self, condition: impl Fn(&str) -> bool) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            if let Ok(name) = entry?.file_name().into_string()
                && condition(&name)
            {
                names.push(name);
            }
        }
        names.sort_unstable();
        Ok(names)
    }

    /// Returns whether the newest backup is older than the interval. Names of the future, which a
    /// wrong clock has left, do not count.
    fn is_due(&self, now: u64, every: u64) -> io::Result<bool> {
        let (due, latest) = (self.name(now.saturating_sub(every)), self.name(now));
        let recent = |name: &String| *name > due && *name <= latest;
        Ok(!self.names(|name| self.is_backup(name))?.iter().any(recent))
    }

    /// Makes a backup and deletes the oldest ones.
    async fn back_up(&self, database: &Path, now: u64, keep: usize) -> Result<(), StorageError> {
        let failed = |error: io::Error| {
            StorageError::Database(format!("{}: {error}", self.folder.display()))
        };
        for leftover in self.names(|name| self.is_leftover(name)).map_err(failed)? {
            let _ = fs::remove_file(self.folder.join(leftover));
        }
        storage::backup(database, &self.folder.join(self.name(now))).await?;
        let names = self.names(|name| self.is_backup(name)).map_err(failed)?;
        for name in names.iter().take(names.len().saturating_sub(keep)) {
            fs::remove_file(self.folder.join(name)).map_err(failed)?;
            tracing::info!(name, "deleted an old backup");
        }
        Ok(())
    }

    /// Returns when the newest backup was written, in seconds since 1970.
    fn newest(&self) -> Option<f64> {
        let name = self.names(|name| self.is_backup(name)).ok()?.pop()?;
        let time = fs::metadata(self.folder.join(name)).ok()?.modified().ok()?;
        Some(time.duration_since(UNIX_EPOCH).ok()?.as_secs_f64())
    }
}

/// Returns an error if the options ask for backups of a PostgreSQL database.
pub(crate) fn check_options(config: &Config) -> Result<(), StorageError> {
    match (&config.backups.to, config.database.file()) {
        (Some(_), None) => Err(storage::backup_elsewhere()),
        _ => Ok(()),
    }
}

/// Makes backups while the server runs.
pub(crate) async fn run(server: ServerState) {
    let BackupOptions { to, every, keep } = server.config.backups.clone();
    let (Some(to), Some(database)) = (to, server.config.database.file()) else { return };
    let folder = BackupFolder::new(&to, database);
    let every = u64::try_from(every.as_millis()).unwrap_or(u64::MAX);
    if let Some(time) = folder.newest() {
        metrics::gauge!("khet_backup_last_success_timestamp_seconds").set(time);
    }
    loop {
        let now = server.time.now();
        let began = Instant::now();
        let backed_up = match create_folder(&to).and_then(|()| folder.is_due(now, every)) {
            Ok(false) => None,
            Ok(true) => Some(folder.back_up(database, now, keep as usize).await),
            Err(error) => Some(Err(StorageError::Database(error.to_string()))),
        };
        let wait = match backed_up {
            None => CHECK_INTERVAL,
            Some(Ok(())) => {
                metrics::counter!("khet_backups_total").increment(1);
                metrics::gauge!("khet_backup_last_success_timestamp_seconds")
                    .set(now as f64 / 1000.0);
                let seconds = began.elapsed().as_secs_f64();
                tracing::info!(folder = %to.display(), seconds, "made a backup");
                CHECK_INTERVAL
            }
            Some(Err(error)) => {
                metrics::counter!("khet_backup_failures_total").increment(1);
                tracing::error!(folder = %to.display(), %error, "could not make a backup");
                RETRY_INTERVAL.min(every)
            }
        };
        server.time.sleep_until(Some(now + wait.min(every))).await;
    }
}

/// Creates the folder if it is missing, for its owner alone.
fn create_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use super::{BackupFolder, parse_duration};

    #[test]
    fn durations_are_minutes_hours_and_days() {
        for (text, seconds) in [("30m", 1800), ("6h", 21_600), ("1d", 86_400), ("400d", 34_560_000)]
        {
            assert_eq!(parse_duration(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        for bad in ["", "1", "d", "0h", "-1h", "1.5h", "1 h", "30s", "1dd", "1é", "99999999999d"] {
            assert!(parse_duration(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn backups_are_recognised_by_their_names() {
        let folder = BackupFolder::new(Path::new("/backups"), Path::new("/data/khet.sqlite"));
        let name = folder.name(1_800_000_000_000);
        assert_eq!(name, "khet-2027-01-15-080000.sqlite");
        assert!(folder.is_backup(&name));
        assert!(folder.is_leftover(&format!("{name}.partial-0123")));
        for other in [
            "khet.sqlite",
            "khet-monday.sqlite",
            "other-2027-01-15-080000.sqlite",
            "khet-2027-01-15-080000.sqlite-wal",
            "khet-2027-01-15-08000x.sqlite",
            "khet-2027x01-15-080000.sqlite",
        ] {
            assert!(!folder.is_backup(other) && !folder.is_leftover(other), "{other}");
        }
    }
}

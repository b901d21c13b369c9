//! Where a database is: in a file, or on a PostgreSQL server.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};

use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use sqlx::ConnectOptions;
use sqlx::postgres::PgConnectOptions;

/// The parameters that the URL of a PostgreSQL server may have.
const PARAMETERS: [&str; 14] = [
    "application_name",
    "dbname",
    "host",
    "hostaddr",
    "options",
    "password",
    "port",
    "sslcert",
    "sslkey",
    "sslmode",
    "sslrootcert",
    "statement-cache-capacity",
    "user",
    "ssl-mode",
];

/// The place of a database.
#[derive(Clone, Debug)]
pub enum DatabaseLocation {
    /// A SQLite file.
    File(PathBuf),
    /// A database on a PostgreSQL server, which several servers may use.
    Postgres(PostgresUrl),
}

/// The URL of a database on a PostgreSQL server. Neither `Debug` nor `Display` show the password.
#[derive(Clone)]
pub struct PostgresUrl(Box<PgConnectOptions>);

/// Reason why a text is not the place of a database. It does not repeat the text, which may contain
/// a password.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LocationError {
    /// The text is the URL of something else.
    #[error("expected a file, or a URL that begins with postgres://")]
    OtherScheme,
    /// The URL is not valid, for this reason.
    #[error("the URL of the database is not valid: {0}")]
    Url(String),
    /// The URL has an unknown parameter.
    #[error("the URL of the database has the unknown parameter {0:?}")]
    Parameter(String),
}

impl TryFrom<OsString> for DatabaseLocation {
    type Error = LocationError;

    fn try_from(text: OsString) -> Result<DatabaseLocation, LocationError> {
        let Some((scheme, _)) = text.to_str().and_then(|text| text.split_once("://")) else {
            return Ok(DatabaseLocation::File(text.into()));
        };
        match scheme {
            "postgres" | "postgresql" => PostgresUrl::parse(text.to_str().unwrap_or_default())
                .map(DatabaseLocation::Postgres),
            _ => Err(LocationError::OtherScheme),
        }
    }
}

impl From<PathBuf> for DatabaseLocation {
    fn from(file: PathBuf) -> DatabaseLocation {
        DatabaseLocation::File(file)
    }
}

impl DatabaseLocation {
    /// Returns the file, if the database is in one.
    pub fn file(&self) -> Option<&Path> {
        match self {
            DatabaseLocation::File(file) => Some(file),
            DatabaseLocation::Postgres(_) => None,
        }
    }
}

impl fmt::Display for DatabaseLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DatabaseLocation::File(file) => file.display().fmt(f),
            DatabaseLocation::Postgres(url) => url.fmt(f),
        }
    }
}

impl PostgresUrl {
    fn parse(text: &str) -> Result<PostgresUrl, LocationError> {
        let query = text.split_once('?').map_or("", |(_, query)| query);
        for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
            let name = parameter.split('=').next().unwrap_or_default();
            let is_option = name.starts_with("options[") || name.starts_with("options%5B");
            if !is_option && !PARAMETERS.contains(&name) {
                return Err(LocationError::Parameter(name.to_owned()));
            }
        }
        let options: PgConnectOptions = text.parse().map_err(|error| match error {
            sqlx::Error::Configuration(error) => LocationError::Url(error.to_string()),
            _ => LocationError::Url("it can't be read".to_owned()),
        })?;
        Ok(PostgresUrl(Box::new(options.disable_statement_logging())))
    }

    /// Opens a connection without any settings.
    pub(crate) async fn connect_for_tests(&self) -> sqlx::postgres::PgConnection {
        self.0.connect().await.expect("a PostgreSQL server")
    }

    /// Returns the same database behind a proxy on this machine, and the address of its server.
    #[cfg(test)]
    pub(super) fn through_proxy(&self, port: u16) -> (PostgresUrl, String) {
        let options = self.options();
        let server = format!("{}:{}", options.get_host(), options.get_port());
        (PostgresUrl(Box::new(options.host("127.0.0.1").port(port))), server)
    }

    /// Returns the options of a connection, which contain the password.
    pub(super) fn options(&self) -> PgConnectOptions {
        PgConnectOptions::clone(&self.0)
    }
}

impl fmt::Display for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let options = &self.0;
        let host = match options.get_socket() {
            Some(socket) => socket.to_string_lossy(),
            None => options.get_host().into(),
        };
        let (user, port) = (options.get_username(), options.get_port());
        let database = options.get_database().unwrap_or(user);
        write!(f, "postgres://{user}@{host}:{port}/{database}")
    }
}

impl fmt::Debug for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Reads the place of a database from the command line. Other than clap's own parsers it does not
/// repeat a wrong value in its error.
#[derive(Clone, Copy, Debug)]
pub struct LocationParser;

impl TypedValueParser for LocationParser {
    type Value = DatabaseLocation;

    fn parse_ref(
        &self,
        _: &clap::Command,
        _: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<DatabaseLocation, clap::Error> {
        DatabaseLocation::try_from(value.to_owned())
            .map_err(|error| clap::Error::raw(ErrorKind::ValueValidation, error))
    }
}

#[cfg(test)]
mod tests {
    use super::{DatabaseLocation, LocationError};

    fn parse(text: &str) -> Result<DatabaseLocation, LocationError> {
        DatabaseLocation::try_from(std::ffi::OsString::from(text))
    }

    #[test]
    fn paths_are_files_and_urls_are_servers() {
        for file in ["khet.sqlite", "/data/khet.sqlite", "C:\\khet.sqlite", "postgres"] {
            let location = parse(file).unwrap();
            assert_eq!(location.file(), Some(std::path::Path::new(file)));
            assert_eq!(location.to_string(), file);
        }
        for (url, shown) in [
            ("postgres://anna@db.example/khet", "postgres://anna@db.example:5432/khet"),
            ("postgresql://anna@db.example:5433", "postgres://anna@db.example:5433/anna"),
            ("postgres://anna@%2Frun%2Fpg/khet", "postgres://anna@/run/pg:5432/khet"),
        ] {
            let location = parse(url).unwrap();
            assert!(location.file().is_none());
            assert_eq!(location.to_string(), shown);
        }
    }

    #[test]
    fn password_is_never_shown() {
        for url in [
            "postgres://anna:secret@db.example/khet",
            "postgres://anna@db.example/khet?password=secret&sslmode=require",
        ] {
            let location = parse(url).unwrap();
            assert_eq!(location.to_string(), "postgres://anna@db.example:5432/khet");
            assert!(!format!("{location:?}").contains("secret"));
        }
        for url in [
            "postgres://anna:secret@db.example:port/khet",
            "postgres://anna:secret@/khet?sslmode=maybe",
            "postgres://anna@db.example/khet?pasword=secret",
            "mysql://anna:secret@db.example/khet",
        ] {
            let error = parse(url).unwrap_err().to_string();
            assert!(!error.contains("secret"), "{error}");
        }
    }
}

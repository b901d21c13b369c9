//! A private instance of PostgreSQL.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::free_port;
use crate::service_process::{ServiceProcess, ServiceSignal};
use crate::unprivileged_user::UnprivilegedUser;

/// The folder in which Debian keeps the programs of each major version.
const VERSIONS: &str = "/usr/lib/postgresql";
/// Longest time for a start, with a recovery after a kill.
const START_TIMEOUT: Duration = Duration::from_secs(60);
/// Longest time for a stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(20);
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// The superuser of the instance.
const SUPERUSER: &str = "postgres";
/// Number of connections: three nodes with their pools, and whatever watches them.
const MAX_CONNECTIONS: u32 = 300;

/// What a commit survives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Durability {
    /// A crash of the machine, as in production.
    Full,
    /// A crash of PostgreSQL only, because nothing is synced to the disk. Tests are faster with it.
    NoSync,
}

/// A running instance, which is stopped when this is dropped.
#[derive(Debug)]
pub struct PostgresInstance {
    folder: PathBuf,
    port: u16,
    durability: Durability,
    user: Option<UnprivilegedUser>,
    process: ServiceProcess,
}

impl PostgresInstance {
    /// Starts an instance whose data and log are in a folder. The data is kept; if there is none, an
    /// empty database is created.
    ///
    /// # Errors
    ///
    /// If PostgreSQL is not installed, another instance uses the data, or it does not start.
    pub fn start(folder: &Path, durability: Durability) -> io::Result<PostgresInstance> {
        let user = UnprivilegedUser::needed()?;
        let folder = std::path::absolute(folder)?;
        fs::create_dir_all(&folder)?;
        if let Some(user) = user {
            user.own(&folder)?;
            user.check_access(&folder)?;
        }
        let data = folder.join("data");
        if !data.join("PG_VERSION").exists() {
            create_data(&folder, &data, user)?;
        }
        refuse_running(&data)?;
        let port = free_port()?;
        let process = spawn(&folder, port, durability, user)?;
        let mut instance = PostgresInstance { folder, port, durability, user, process };
        instance.wait_until_ready()?;
        Ok(instance)
    }

    /// Returns the port, which stays the same after a restart.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Returns the URL of the database.
    pub fn url(&self) -> String {
        format!("postgres://{SUPERUSER}@127.0.0.1:{}/postgres", self.port)
    }

    /// Returns the id of the process whose children serve the connections.
    pub fn process(&self) -> u32 {
        self.process.id()
    }

    /// Returns how the instance ended by itself, if it has.
    ///
    /// # Errors
    ///
    /// If the system can't tell.
    pub fn ended(&mut self) -> io::Result<Option<std::process::ExitStatus>> {
        self.process.ended()
    }

    /// Kills all processes of the instance with SIGKILL.
    ///
    /// # Errors
    ///
    /// If the system refuses.
    pub fn kill(&mut self) -> io::Result<()> {
        self.process.kill()
    }

    /// Starts the instance again after [`PostgresInstance::kill`], at the same port.
    ///
    /// # Errors
    ///
    /// If it does not start.
    pub fn restart(&mut self) -> io::Result<()> {
        self.process = spawn(&self.folder, self.port, self.durability, self.user)?;
        self.wait_until_ready()
    }

    /// Stops the instance; connections are closed.
    ///
    /// # Errors
    ///
    /// If it had to be killed.
    pub fn stop(&mut self) -> io::Result<()> {
        // SIGINT is its "fast shutdown", which writes a checkpoint.
        self.process.stop(ServiceSignal::Interrupt, STOP_TIMEOUT).map(drop)
    }

    fn wait_until_ready(&mut self) -> io::Result<()> {
        let until = Instant::now() + START_TIMEOUT;
        loop {
            let mut ready = Command::new(program("pg_isready")?);
            ready.args(["--quiet", "--host", "127.0.0.1", "--port", &self.port.to_string()]);
            if ready.status()?.success() {
                return Ok(());
            }
            if self.process.ended()?.is_some() || Instant::now() > until {
                let log = log(&self.folder);
                let message = format!("PostgreSQL does not start; see {}", log.display());
                return Err(io::Error::other(message));
            }
            thread::sleep(POLL_INTERVAL);
        }
    }
}

impl Drop for PostgresInstance {
    fn drop(&mut self) {
        // SIGQUIT is its "immediate shutdown", which takes no time and leaves no shared memory.
        let _ = self.process.stop(ServiceSignal::Quit, STOP_TIMEOUT);
    }
}

/// Returns the folder of PostgreSQL's programs, if it is installed: the newest of Debian's
/// versions, or the one in the path.
pub fn postgres_programs() -> Option<PathBuf> {
    let versions = fs::read_dir(VERSIONS).into_iter().flatten();
    let newest = versions
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let version: u32 = path.file_name()?.to_str()?.parse().ok()?;
            let programs = path.join("bin");
            programs.join("initdb").exists().then_some((version, programs))
        })
        .max();
    newest.map(|(_, programs)| programs).or_else(|| {
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path).find(|folder| folder.join("initdb").exists())
    })
}

/// Runs a query with `psql`, and returns its rows as lines, with `|` between columns.
///
/// # Errors
///
/// If the database does not answer, or refuses.
pub fn psql(url: &str, query: &str) -> io::Result<String> {
    let mut psql = Command::new(program("psql")?);
    psql.args(["--no-psqlrc", "--quiet", "--tuples-only", "--no-align"]);
    psql.args(["--set", "ON_ERROR_STOP=1", "--command", query, url]).stdin(Stdio::null());
    let output = psql.output()?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let error = String::from_utf8_lossy(&output.stderr);
    Err(io::Error::other(format!("psql: {}", error.trim())))
}

/// Returns the path of one of PostgreSQL's programs.
fn program(name: &str) -> io::Result<PathBuf> {
    let missing = || io::Error::new(io::ErrorKind::NotFound, "PostgreSQL is not installed");
    Ok(postgres_programs().ok_or_else(missing)?.join(name))
}

/// Creates an empty database.
fn create_data(folder: &Path, data: &Path, user: Option<UnprivilegedUser>) -> io::Result<()> {
    let mut initdb = Command::new(program("initdb")?);
    initdb
        .args(["--username", SUPERUSER, "--auth", "trust", "--encoding", "UTF8"])
        .args(["--locale", "C.UTF-8", "--no-sync", "--no-instructions"])
        .arg("--pgdata")
        .arg(data)
        .current_dir(folder);
    if let Some(user) = user {
        user.run(&mut initdb);
    }
    let output = initdb.output()?;
    if output.status.success() {
        return Ok(());
    }
    let error = String::from_utf8_lossy(&output.stderr);
    Err(io::Error::other(format!("initdb: {}", error.trim())))
}

/// Fails if another process uses the data.
fn refuse_running(data: &Path) -> io::Result<()> {
    let file = data.join("postmaster.pid");
    let Ok(lines) = fs::read_to_string(&file) else { return Ok(()) };
    let process = lines.lines().next().unwrap_or_default().trim();
    let command = fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap_or_default();
    if command.contains("postgres") {
        let data = data.display();
        let message = format!("PostgreSQL uses {data} already: process {process}. Stop that first");
        return Err(io::Error::new(io::ErrorKind::AddrInUse, message));
    }
    Ok(())
}

/// Starts the server process.
fn spawn(
    folder: &Path,
    port: u16,
    durability: Durability,
    user: Option<UnprivilegedUser>,
) -> io::Result<ServiceProcess> {
    let log = OpenOptions::new().create(true).append(true).open(log(folder))?;
    let mut command = Command::new(program("postgres")?);
    command.arg("-D").arg(folder.join("data")).current_dir(folder);
    let settings = [
        format!("port={port}"),
        "listen_addresses=127.0.0.1".to_owned(),
        "unix_socket_directories=".to_owned(),
        format!("max_connections={MAX_CONNECTIONS}"),
        "shared_buffers=128MB".to_owned(),
        format!("fsync={}", if durability == Durability::Full { "on" } else { "off" }),
    ];
    for setting in settings {
        command.args(["-c", &setting]);
    }
    command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
    if let Some(user) = user {
        user.run(&mut command);
    }
    ServiceProcess::spawn("PostgreSQL", &mut command)
}

/// Returns the path of the log.
fn log(folder: &Path) -> PathBuf {
    folder.join("postgres.log")
}

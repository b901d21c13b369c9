//! PostgreSQL, NATS and HAProxy, which several nodes of the server need: installed from Debian's
//! packages if this process is root, and started for tests.

use std::env;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::Command;

use khet_services::{
    Durability, HaproxyInstance, Interruption, NatsInstance, PostgresInstance, postgres_programs,
};

use crate::apt;
use crate::step::{TaskError, target};

/// The environment variables that tell the server's tests where the services are.
const POSTGRES: &str = "KHET_TEST_POSTGRES";
const NATS: &str = "KHET_TEST_NATS";

/// Configuration that keeps Debian's package from creating a database of its own, which would run
/// from then on.
const NO_DEFAULT_DATABASE: &str = "/etc/postgresql-common/createcluster.d/khet.conf";

/// Installs PostgreSQL and NATS unless they are installed.
pub(crate) fn install() -> Result<(), TaskError> {
    let mut packages = Vec::new();
    let mut services = Vec::new();
    if postgres_programs().is_none() {
        packages.push("postgresql");
        services.push("postgresql");
    }
    if !NatsInstance::is_installed() {
        packages.push("nats-server");
        services.push("nats-server");
    }
    install_missing(&packages, &services)
}

/// Installs HAProxy unless it is installed.
pub(crate) fn install_balancer() -> Result<(), TaskError> {
    if HaproxyInstance::is_installed() {
        return Ok(());
    }
    install_missing(&["haproxy"], &["haproxy"])
}

fn install_missing(packages: &[&str], services: &[&str]) -> Result<(), TaskError> {
    if packages.is_empty() {
        return Ok(());
    }
    let names = packages.join(" ");
    let advice = format!(
        "Several nodes of the server need {names}. On Debian and Ubuntu: sudo apt-get install {names}. \
         Elsewhere install them so that their programs are in the path. They need not run: this task \
         starts instances of its own. Then run it again."
    );
    let configuration = Path::new(NO_DEFAULT_DATABASE);
    let creates = packages.contains(&"postgresql") && !configuration.exists();
    if creates && let Some(folder) = configuration.parent() {
        // Fails if this process is not root, who gets the advice below.
        let _ = fs::create_dir_all(folder)
            .and_then(|()| fs::write(configuration, "create_main_cluster = false\n"));
    }
    let installed = apt::install_without_services(packages, services, &advice);
    if creates {
        let _ = fs::remove_file(configuration);
    }
    installed
}

/// Instances for tests, which are stopped and deleted when this is dropped.
pub(crate) struct TestServices {
    postgres: Option<PostgresInstance>,
    nats: Option<NatsInstance>,
    folder: PathBuf,
    interruption: Interruption,
}

impl TestServices {
    /// Installs the services and starts them with empty databases.
    pub(crate) fn start() -> Result<TestServices, TaskError> {
        install()?;
        let failed = |error: io::Error| TaskError(error.to_string());
        let interruption = Interruption::catch().map_err(failed)?;
        let name = format!("khet-services-{}", std::process::id());
        let folder = target().join(&name);
        let mut services = TestServices { postgres: None, nats: None, folder, interruption };
        let mut postgres = services.start_postgres();
        // The checkout may be in a folder that the user of PostgreSQL can't enter.
        if postgres.as_ref().is_err_and(|error| error.kind() == ErrorKind::PermissionDenied) {
            let _ = fs::remove_dir_all(&services.folder);
            services.folder = env::temp_dir().join(&name);
            postgres = services.start_postgres();
        }
        services.postgres = Some(postgres.map_err(failed)?);
        let nats = NatsInstance::start(&services.folder.join("nats"));
        services.nats = Some(nats.map_err(failed)?);
        Ok(services)
    }

    fn start_postgres(&self) -> io::Result<PostgresInstance> {
        PostgresInstance::start(&self.folder.join("postgres"), Durability::NoSync)
    }

    /// Runs a step that can use the services.
    pub(crate) fn step(&self, name: &str, mut command: Command) -> Result<(), TaskError> {
        if let Some(postgres) = &self.postgres {
            command.env(POSTGRES, postgres.url());
        }
        if let Some(nats) = &self.nats {
            command.env(NATS, nats.url());
        }
        println!("\n=== {name}");
        match self.interruption.run(name, &mut command) {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(TaskError(format!("{name}: failed ({status})"))),
            Err(error) => Err(TaskError(error.to_string())),
        }
    }
}

impl Drop for TestServices {
    fn drop(&mut self) {
        // The folder is deleted after the instances have stopped.
        self.postgres = None;
        self.nats = None;
        let _ = fs::remove_dir_all(&self.folder);
    }
}

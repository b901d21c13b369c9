//! Instances of PostgreSQL and NATS: they start, survive being killed, and keep their data.
//! `cargo xtask test` installs both programs and runs these tests.

use std::net::TcpStream;
use std::path::PathBuf;
use std::{env, fs, process};

use khet_services::{Durability, NatsInstance, NatsTraffic, PostgresInstance, psql};

/// Returns an empty folder, which also the user of PostgreSQL can enter.
fn folder(name: &str) -> PathBuf {
    let folder = env::temp_dir().join(format!("khet-services-test-{}-{name}", process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}

#[test]
#[ignore = "needs PostgreSQL"]
fn postgres_keeps_what_was_committed_before_a_kill() {
    let folder = folder("postgres-kill");
    let mut postgres = PostgresInstance::start(&folder, Durability::Full).expect("a start");
    let url = postgres.url();
    psql(&url, "CREATE TABLE moves (number int); INSERT INTO moves VALUES (1), (2)").expect("rows");
    postgres.kill().expect("killed");
    psql(&url, "SELECT 1").expect_err("no server");
    postgres.restart().expect("a restart");
    assert_eq!(psql(&url, "SELECT number, 'a' FROM moves ORDER BY 1").expect("rows"), "1|a\n2|a\n");
    postgres.stop().expect("a stop");
    drop(fs::remove_dir_all(&folder));
}

#[test]
#[ignore = "needs PostgreSQL"]
fn postgres_data_has_one_instance_at_a_time() {
    let folder = folder("postgres-data");
    let postgres = PostgresInstance::start(&folder, Durability::NoSync).expect("a start");
    psql(&postgres.url(), "CREATE TABLE moves (number int)").expect("a table");
    let refused = PostgresInstance::start(&folder, Durability::NoSync).expect_err("a second start");
    assert!(refused.to_string().contains("uses"), "{refused}");
    drop(postgres);
    let postgres = PostgresInstance::start(&folder, Durability::NoSync).expect("a start");
    assert_eq!(psql(&postgres.url(), "SELECT count(*) FROM moves").expect("a row"), "0\n");
    drop(postgres);
    drop(fs::remove_dir_all(&folder));
}

#[test]
#[ignore = "needs NATS"]
fn nats_returns_at_its_port() {
    let folder = folder("nats");
    let mut nats = NatsInstance::start(&folder).expect("a start");
    assert_eq!(NatsTraffic::of(nats.monitoring()).expect("counters"), NatsTraffic::default());
    nats.kill().expect("killed");
    TcpStream::connect(("127.0.0.1", nats.port())).expect_err("no server");
    nats.restart().expect("a restart");
    TcpStream::connect(("127.0.0.1", nats.port())).expect("a connection");
    nats.stop().expect("a stop");
    drop(fs::remove_dir_all(&folder));
}

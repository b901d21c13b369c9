//! What PostgreSQL and NATS do for each move of a cluster.

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::process::Command;

use khet_services::{NatsTraffic, ProcessStats, process_family, psql};
use serde::Serialize;

/// The services of a cluster whose load is measured.
#[derive(Clone, Debug, clap::Args)]
pub struct ClusterServiceArgs {
    /// URL of PostgreSQL, to measure what it does for each move
    #[arg(long, requires_all = ["postgres_process", "nats_monitoring", "nats_process"])]
    postgres: Option<String>,
    /// First process of PostgreSQL
    #[arg(long, requires = "postgres")]
    postgres_process: Option<u32>,
    /// Address of the monitoring endpoint of NATS
    #[arg(long, requires = "postgres")]
    nats_monitoring: Option<SocketAddr>,
    /// Process of NATS
    #[arg(long, requires = "postgres")]
    nats_process: Option<u32>,
}

/// The counters of the services at one time.
#[derive(Clone, Debug)]
pub struct ServiceCounters {
    /// The processor time of each process of PostgreSQL, in seconds.
    postgres: HashMap<u32, f64>,
    /// That of NATS.
    nats: f64,
    traffic: NatsTraffic,
    transactions: f64,
    /// Bytes of the write-ahead log.
    log_bytes: f64,
    /// Bytes over the connections of the database; `None` if the system has no `ss`.
    postgres_bytes: Option<f64>,
}

/// What the services did for each move.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ServiceLoad {
    /// Microseconds of processor time of PostgreSQL.
    pub postgres_micros_per_move: f64,
    /// Microseconds of processor time of NATS.
    pub nats_micros_per_move: f64,
    /// Transactions.
    pub transactions_per_move: f64,
    /// Bytes of the write-ahead log.
    pub log_bytes_per_move: f64,
    /// Bytes between the nodes and PostgreSQL.
    pub postgres_bytes_per_move: Option<f64>,
    /// Messages that the nodes sent to NATS.
    pub nats_messages_per_move: f64,
    /// Bytes of messages between the nodes and NATS, in both directions.
    pub nats_bytes_per_move: f64,
}

impl ClusterServiceArgs {
    /// Returns the counters now, or `None` for a single server.
    ///
    /// # Errors
    ///
    /// If a service does not answer.
    pub fn read(&self) -> io::Result<Option<ServiceCounters>> {
        let (Some(postgres), Some(monitoring)) = (&self.postgres, self.nats_monitoring) else {
            return Ok(None);
        };
        let (Some(postgres_process), Some(nats_process)) =
            (self.postgres_process, self.nats_process)
        else {
            return Ok(None);
        };
        let row = psql(
            postgres,
            "SELECT xact_commit + xact_rollback, pg_current_wal_lsn() - '0/0' FROM pg_stat_database
             WHERE datname = current_database()",
        )?;
        let mut numbers = row.trim().split('|').map(str::parse::<f64>);
        let (Some(Ok(transactions)), Some(Ok(log_bytes))) = (numbers.next(), numbers.next()) else {
            return Err(io::Error::other(format!("PostgreSQL's counters are {row:?}")));
        };
        let time = |id: u32| Some((id, ProcessStats(id).processor_time().ok()?));
        Ok(Some(ServiceCounters {
            postgres: process_family(postgres_process).into_iter().filter_map(time).collect(),
            nats: ProcessStats(nats_process).processor_time()?,
            traffic: NatsTraffic::of(monitoring)?,
            transactions,
            log_bytes,
            postgres_bytes: port(postgres).and_then(|port| socket_bytes(&port)),
        }))
    }

    /// Returns what the services did since an earlier time, for each of these moves.
    ///
    /// # Errors
    ///
    /// If a service does not answer.
    pub fn load_since(
        &self,
        before: Option<&ServiceCounters>,
        moves: f64,
    ) -> io::Result<Option<ServiceLoad>> {
        let (Some(before), Some(after)) = (before, self.read()?) else { return Ok(None) };
        let postgres: f64 = after
            .postgres
            .iter()
            .map(|(id, time)| time - before.postgres.get(id).copied().unwrap_or(0.0))
            .sum();
        let bytes = |traffic: NatsTraffic| traffic.bytes as f64;
        let messages = |traffic: NatsTraffic| traffic.messages as f64;
        let postgres_bytes = before.postgres_bytes.zip(after.postgres_bytes);
        Ok(Some(ServiceLoad {
            postgres_micros_per_move: postgres * 1e6 / moves,
            nats_micros_per_move: (after.nats - before.nats) * 1e6 / moves,
            transactions_per_move: (after.transactions - before.transactions) / moves,
            log_bytes_per_move: (after.log_bytes - before.log_bytes) / moves,
            postgres_bytes_per_move: postgres_bytes.map(|(before, after)| (after - before) / moves),
            nats_messages_per_move: (messages(after.traffic) - messages(before.traffic)) / moves,
            nats_bytes_per_move: (bytes(after.traffic) - bytes(before.traffic)) / moves,
        }))
    }
}

/// Returns the port of a URL.
fn port(url: &str) -> Option<String> {
    let authority = url.split("://").nth(1)?.split('/').next()?;
    authority.rsplit_once(':').map(|(_, port)| port.to_owned())
}

/// Returns the bytes that were sent and received over the open connections to a local port, as `ss`
/// reports them.
fn socket_bytes(port: &str) -> Option<f64> {
    let filter = format!("sport = :{port}");
    let output = Command::new("ss").args(["-tinH", "state", "established", &filter]).output();
    let output = output.ok().filter(|output| output.status.success())?;
    Some(sum_socket_bytes(&String::from_utf8_lossy(&output.stdout)))
}

/// Adds up the bytes in the output of `ss`.
fn sum_socket_bytes(output: &str) -> f64 {
    let counters = output.split_whitespace().filter_map(|word| {
        let (name, value) = word.split_once(':')?;
        ["bytes_sent", "bytes_received"].contains(&name).then(|| value.parse::<f64>().ok())?
    });
    counters.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_sockets_are_added_up() {
        let output = "0 0 127.0.0.1:20000 127.0.0.1:40000\n\t cubic rto:204 bytes_sent:100 bytes_acked:100 \
                      bytes_received:20 send 1Mbps\n0 0 127.0.0.1:20000 127.0.0.1:40001\n\t bytes_sent:7";
        assert_eq!(sum_socket_bytes(output), 127.0);
    }

    #[test]
    fn port_of_a_url_is_found() {
        let port = port("postgres://postgres@127.0.0.1:5433/postgres");
        assert_eq!(port.as_deref(), Some("5433"));
    }
}

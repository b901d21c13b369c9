//! Connections to a PostgreSQL server.
//!
//! Sessions run in the isolation level `READ COMMITTED`: each statement sees what was committed
//! before it began. See [`writer`](super::writer) for the locks that make this safe.

use std::io::ErrorKind;
use std::time::{Duration, Instant};

use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{ConnectOptions, Connection};

use super::location::PostgresUrl;
use super::sql::{DatabaseConnection, Pool, query};
use super::{PAGE_READER_COUNT, PAGE_TIME_LIMIT, StorageError, identity, migrations};

/// Number of connections that read sessions and games. More than for a file, because a query waits
/// for the network.
const READER_COUNT: u32 = 8;
/// Longest time to wait for a new connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Longest time to wait for a sign of life of a connection that returns to its pool. Longer than a query
/// for a page, which may still run.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(4);
/// Time limits of commands.
const COMMAND_LIMITS: SessionLimits = SessionLimits {
    lock: Duration::from_secs(10),
    idle: Duration::from_secs(15),
    answer: Duration::from_secs(60),
};
/// Time limits of servers. The locks of a node that is frozen or has lost its network are released
/// before its leases expire, so that another node can take them.
const SERVER_LIMITS: SessionLimits = SessionLimits {
    lock: Duration::from_secs(10),
    idle: Duration::from_secs(2),
    answer: Duration::from_secs(20),
};
/// Time limits of the connection for moves. The games of this node stand still while it waits. Locks are
/// held for a moment, or until PostgreSQL closes the session of a frozen node.
const MOVE_LIMITS: SessionLimits = SessionLimits {
    lock: Duration::from_secs(3),
    idle: SERVER_LIMITS.idle,
    answer: Duration::from_secs(5),
};
/// Longest time that a lock of the database may outlive its process, and the pause between attempts.
const RELEASE_TIME: Duration = Duration::from_secs(1);
const LOCK_PAUSE: Duration = Duration::from_millis(50);
/// Number of seconds after which the server asks whether a silent client still exists.
const KEEPALIVE: u64 = 10;

/// Use of a database.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DatabaseUse {
    /// By servers, of which PostgreSQL allows several.
    Shared,
    /// By a command that changes or reads so much that no server may run.
    Exclusive,
}

/// A PostgreSQL server, and how this process uses its database.
#[derive(Clone, Debug)]
pub(super) struct PostgresServer {
    options: PgConnectOptions,
    usage: Option<DatabaseUse>,
    limits: SessionLimits,
}

/// Time limits of a session that writes.
#[derive(Clone, Copy, Debug)]
struct SessionLimits {
    /// Longest time that a transaction waits for a lock.
    lock: Duration,
    /// Longest time that a transaction may pause between statements. Then PostgreSQL closes the session.
    idle: Duration,
    /// Longest time to wait for an answer. After it the connection counts as lost.
    answer: Duration,
}

/// The session of a connection, as other sessions see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct BackendSession {
    process: i64,
    began: String,
}

impl PostgresServer {
    /// `usage` is what connections lock the database for.
    pub(super) fn new(url: &PostgresUrl, usage: Option<DatabaseUse>) -> PostgresServer {
        let options = url.options().options([
            // A commit is on disk when it returns.
            ("synchronous_commit", "on"),
            ("default_transaction_isolation", "read committed"),
        ]);
        let limits = match usage {
            Some(DatabaseUse::Shared) => SERVER_LIMITS,
            Some(DatabaseUse::Exclusive) | None => COMMAND_LIMITS,
        };
        PostgresServer { options, usage, limits }
    }

    /// Returns the same server for connections that do not lock the database.
    pub(super) fn without_lock(&self) -> PostgresServer {
        PostgresServer { usage: None, ..self.clone() }
    }

    /// Returns the same server for the connection that writes moves.
    pub(super) fn for_moves(&self) -> PostgresServer {
        PostgresServer { limits: MOVE_LIMITS, ..self.without_lock() }
    }

    /// Opens a connection that writes.
    pub(super) async fn connect(&self) -> Result<DatabaseConnection, StorageError> {
        let SessionLimits { lock: lock_limit, idle, answer } = self.limits;
        let options = self.options.clone().options([
            ("lock_timeout", lock_limit.as_millis() as u64),
            ("idle_in_transaction_session_timeout", idle.as_millis() as u64),
            ("tcp_keepalives_idle", KEEPALIVE),
            ("tcp_keepalives_interval", KEEPALIVE),
        ]);
        let connected = tokio::time::timeout(CONNECT_TIMEOUT, options.connect()).await;
        let timed_out = |_| StorageError::Disconnected("it does not answer".to_owned());
        let mut connection = DatabaseConnection::from(connected.map_err(timed_out)??);
        connection.set_timeout(answer);
        if let Some(usage) = self.usage {
            lock(&mut connection, usage).await?;
        }
        Ok(connection)
    }

    /// Opens the database and brings its schema up to date.
    pub(super) async fn open(&self) -> Result<DatabaseConnection, StorageError> {
        let mut connection = self.connect().await?;
        // One process after the other: the tables that another one is creating look like those of another
        // program. After an error the lock ends with the connection.
        connection.execute_script(LOCK_SCHEMA).await?;
        identity::check_ours_or_empty(&mut connection).await?;
        migrations::run(&mut connection).await?;
        connection.execute_script(UNLOCK_SCHEMA).await?;
        Ok(connection)
    }

    /// Returns a pool of connections that read sessions and games.
    pub(super) async fn readers(&self) -> Result<Pool, StorageError> {
        let pool = pool_options()
            .max_connections(READER_COUNT)
            .acquire_timeout(CONNECT_TIMEOUT)
            .connect_with(self.options.clone());
        Ok(Pool::Postgres(pool.await?))
    }

    /// Returns a pool of connections whose queries have a time limit.
    pub(super) async fn page_readers(&self) -> Result<Pool, StorageError> {
        let limit = PAGE_TIME_LIMIT.as_millis();
        let pool: PgPool = pool_options()
            .max_connections(PAGE_READER_COUNT)
            .acquire_timeout(PAGE_TIME_LIMIT)
            .connect_with(self.options.clone().options([("statement_timeout", limit)]))
            .await?;
        Ok(Pool::Postgres(pool))
    }
}

/// Returns the options of a pool that closes connections on which nothing arrives any more. After a query
/// that was given up, sqlx would wait for its result without a time limit, and the pool would lack the
/// connection until TCP gives up, which takes many minutes.
pub(super) fn pool_options() -> PgPoolOptions {
    PgPoolOptions::new().after_release(|connection, _| {
        Box::pin(async move {
            let pinged = tokio::time::timeout(RELEASE_TIMEOUT, connection.ping()).await;
            // Only an error closes the connection without another wait for the server.
            pinged.map_err(|_| sqlx::Error::Io(ErrorKind::TimedOut.into()))??;
            Ok(true)
        })
    })
}

/// Locks the database until the connection is closed. The key of the lock contains the schema, so
/// that several communities can share a database.
async fn lock(connection: &mut DatabaseConnection, usage: DatabaseUse) -> Result<(), StorageError> {
    let sql = match usage {
        DatabaseUse::Shared => {
            "SELECT pg_try_advisory_lock_shared(hashtextextended('khet ' || current_schema(), 1))"
        }
        DatabaseUse::Exclusive => {
            "SELECT pg_try_advisory_lock(hashtextextended('khet ' || current_schema(), 1))"
        }
    };
    let since = Instant::now();
    loop {
        match query(sql).fetch_one(connection).await? {
            Some(true) => return Ok(()),
            // PostgreSQL ends the sessions of a process that has just stopped a moment later.
            Some(false) if since.elapsed() < RELEASE_TIME => tokio::time::sleep(LOCK_PAUSE).await,
            Some(false) => return Err(StorageError::InUse),
            None => {
                return Err(StorageError::Foreign(
                    "it has no schema in the search path".to_owned(),
                ));
            }
        }
    }
}

/// Locks the schema against migrations, and unlocks it.
const LOCK_SCHEMA: &str =
    "SELECT pg_advisory_lock(hashtextextended('khet ' || current_schema(), 3))";
const UNLOCK_SCHEMA: &str =
    "SELECT pg_advisory_unlock(hashtextextended('khet ' || current_schema(), 3))";

/// Begins a transaction that waits until no other node runs one of this kind.
pub(super) const BEGIN_ALONE: &str = "BEGIN; \
     SELECT pg_advisory_xact_lock(hashtextextended('khet ' || current_schema(), 2))";

/// Returns the session of a connection.
pub(super) async fn session(
    connection: &mut DatabaseConnection,
) -> Result<BackendSession, StorageError> {
    let sql = "SELECT pid, backend_start::text FROM pg_stat_activity WHERE pid = pg_backend_pid()";
    let (process, began) = query(sql).fetch_one(connection).await?;
    Ok(BackendSession { process, began })
}

/// Ends a session of this node whose connection is lost, if the server has not noticed yet. When
/// this returns, its last transaction is either committed or rolled back.
pub(super) async fn end_session(
    connection: &mut DatabaseConnection,
    lost: &BackendSession,
) -> Result<(), StorageError> {
    let sql = "SELECT pg_terminate_backend(pid, 3000) FROM pg_stat_activity \
               WHERE pid = $1 AND backend_start::text = $2";
    let ended: Option<bool> =
        query(sql).bind(lost.process).bind(&lost.began).fetch_optional(connection).await?;
    match ended {
        None | Some(true) => Ok(()),
        Some(false) => Err(StorageError::Disconnected("its last session goes on".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use khet::{Outcome, Setup, Termination};
    use khet_protocol::{ByColor, Event, EventKind, GameId, GameStart, PersonId};
    use tokio::net::{TcpListener, TcpStream};
    use tokio::sync::watch;

    use super::super::sql::query;
    use super::super::testing::TestDatabase;
    use super::super::{
        DatabaseLocation, DatabaseUse, GameEnd, RatingUpdate, StorageError, Store, StoredRating,
        WriteFailure,
    };
    use crate::testing::uses_postgres;

    /// Returns a new database on the server of the tests, if there is one.
    fn database() -> Option<TestDatabase> {
        if !uses_postgres() {
            eprintln!("skipped: KHET_TEST_POSTGRES is not set");
        }
        uses_postgres().then(TestDatabase::new)
    }

    fn start() -> GameStart {
        let json = r#"{"silver": "aaaaaaaaaaaa", "red": "bbbbbbbbbbbb", "start": "classic",
                       "time": "300+0", "rated": true}"#;
        serde_json::from_str(json).unwrap()
    }

    async fn start_game(store: &Store, number: u128) -> GameId {
        let id = GameId::from_number(number);
        let kind = EventKind::Started(Box::new(start()));
        store.start_game(id, Event { number: 1, at: 1, kind }).await.unwrap();
        id
    }

    fn mv(number: u32) -> Event {
        let kind = EventKind::Move { mv: "h2+".parse().unwrap(), key: number, left: None };
        Event { number, at: u64::from(number), kind }
    }

    /// Counts the games of both players.
    fn rate(_: &GameEnd, before: ByColor<Option<StoredRating>>) -> ByColor<RatingUpdate> {
        let update = |before: Option<StoredRating>| {
            let games = before.map_or(0, |rating| rating.games) + 1;
            let (deviation, volatility) = (100.0, 0.1);
            let after = StoredRating { rating: 1500.0, deviation, volatility, games, changed: 1 };
            RatingUpdate { before: after.rounded(), after }
        };
        ByColor { silver: update(before.silver), red: update(before.red) }
    }

    /// The end of a rated game.
    fn end(number: u32) -> (Vec<Event>, Option<Box<GameEnd>>) {
        let outcome = Outcome { winner: None, termination: Termination::Agreement };
        let at = u64::from(number);
        let position = Setup::Classic.placement().into();
        let (started, rate): (_, Option<super::super::RateGame>) = (start(), Some(rate));
        let end = GameEnd { started, outcome, at, moves: number - 1, position, rate };
        let event = Event { number, at, kind: EventKind::Ended(outcome) };
        (vec![event], Some(Box::new(end)))
    }

    #[tokio::test]
    async fn nodes_that_start_at_once_do_not_disturb_each_other() {
        let Some(database) = database() else { return };
        let (one, other, third) = tokio::join!(database.open(), database.open(), database.open());
        assert!(matches!(
            Store::open(&database.location, DatabaseUse::Exclusive).await,
            Err(StorageError::InUse)
        ));
        for store in [one, other, third] {
            store.set_heartbeat(1).await.unwrap();
            store.close().await;
        }
        let alone = Store::open(&database.location, DatabaseUse::Exclusive).await.unwrap();
        assert!(matches!(
            Store::open(&database.location, DatabaseUse::Shared).await,
            Err(StorageError::InUse)
        ));
        alone.close().await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn every_rated_game_counts_once_whichever_node_ends_it() {
        const GAMES: u128 = 30;
        let Some(database) = database() else { return };
        let nodes = [database.open().await, database.open().await];
        let mut games = Vec::new();
        for number in 0..GAMES {
            games.push(start_game(&nodes[0], number).await);
        }
        // Both nodes end every game at the same time, in opposite orders.
        let mut tasks = Vec::new();
        for (index, node) in nodes.iter().enumerate() {
            let (node, mut games) = (node.clone(), games.clone());
            if index == 1 {
                games.reverse();
            }
            for game in games {
                let node = node.clone();
                tasks.push(tokio::spawn(async move {
                    let (events, end) = end(2);
                    node.append(game, events, end, None).await.is_ok()
                }));
            }
        }
        let mut ended = 0;
        for task in tasks {
            ended += u128::from(task.await.unwrap());
        }
        assert_eq!(ended, GAMES, "each game has ended on one node");
        let [one, other] = &nodes;
        for person in ["aaaaaaaaaaaa", "bbbbbbbbbbbb"] {
            let person: PersonId = person.parse().unwrap();
            let ratings = one.ratings(person).await.unwrap();
            assert_eq!(ratings.iter().map(|rating| u128::from(rating.games)).sum::<u128>(), GAMES);
        }
        let finished = other.finished_after(0, u32::MAX).await.unwrap();
        let numbers: Vec<u64> = finished.iter().map(|&(number, _)| number).collect();
        assert_eq!(numbers, (1..=GAMES as u64).collect::<Vec<u64>>());
        for game in games {
            let events = other.game(game).await.unwrap().unwrap().events;
            let kinds = events.iter().map(|event| &event.kind);
            let rated = kinds.filter(|kind| matches!(kind, EventKind::Rated { .. })).count();
            assert_eq!((events.len(), rated), (3, 1));
        }
        for node in nodes {
            node.close().await;
        }
    }

    /// Ends all sessions of the store, as a restart of the server does.
    async fn disconnect(database: &TestDatabase) {
        let DatabaseLocation::Postgres(url) = &database.location else { return };
        let mut connection = super::PostgresServer::new(url, None).connect().await.unwrap();
        let sql = "SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity \
                   WHERE application_name = current_setting('application_name') \
                   AND pid <> pg_backend_pid()";
        let ended: u32 = query(sql).fetch_one(&mut connection).await.unwrap();
        assert!(ended >= 2);
        connection.close().await;
    }

    #[tokio::test]
    async fn lost_connections_are_opened_again_and_no_acknowledged_event_is_lost() {
        let Some(database) = database() else { return };
        let store = database.open().await;
        let mut health = store.write_health().subscribe();
        let game = start_game(&store, 1).await;
        let mut next = 2;
        for _ in 0..3 {
            store.append(game, vec![mv(next)], None, None).await.unwrap();
            next += 1;
            disconnect(&database).await;
            assert!(matches!(
                store.append(game, vec![mv(next)], None, None).await,
                Err(StorageError::Disconnected(_))
            ));
            assert_eq!(store.write_health().failure(), Some(WriteFailure::Disconnected));
            assert!(store.set_heartbeat(1).await.is_err());
            health.wait_for(Option::is_none).await.unwrap();
            let stored = store.game(game).await.unwrap().unwrap().events;
            assert_eq!(stored.len() as u32, next - 1);
        }
        // The other writer notices by itself.
        while store.set_heartbeat(1).await.is_err() {
            health.wait_for(Option::is_none).await.unwrap();
        }
        store.close().await;
    }

    #[tokio::test]
    async fn locks_of_a_frozen_node_are_released_before_its_leases_expire() {
        let Some(database) = database() else { return };
        let store = database.open().await;
        let DatabaseLocation::Postgres(url) = &database.location else { return };
        let server = super::PostgresServer::new(url, Some(DatabaseUse::Shared));
        let mut frozen = server.without_lock().connect().await.unwrap();
        let lock = "BEGIN; SELECT shard FROM leases ORDER BY shard FOR SHARE";
        frozen.execute_script(lock).await.unwrap();
        let leases = Store::leases(&database.location).await.unwrap().unwrap();
        let node = crate::cluster::NodeId::start("a");
        assert_eq!(leases.claim(&node, 1000).await.unwrap().len(), 0);
        tokio::time::sleep(crate::cluster::LEASE_TIME).await;
        assert_eq!(leases.claim(&node, 1000).await.unwrap().len(), 258);
        assert!(matches!(
            frozen.execute_script("COMMIT").await,
            Err(StorageError::Disconnected(_))
        ));
        leases.close().await;
        store.close().await;
    }

    #[tokio::test]
    async fn transaction_that_waits_too_long_for_a_lock_is_not_repeated_for_each_game() {
        const GAMES: u128 = 40;
        let Some(database) = database() else { return };
        let store = database.open().await;
        for number in 0..GAMES {
            start_game(&store, number).await;
        }
        // Holds for later transactions of the connection, too.
        let limit = "SET lock_timeout = 200";
        let limited = store.write(move |connection| {
            Box::pin(async move { connection.execute_script(limit).await })
        });
        limited.await.unwrap();
        let DatabaseLocation::Postgres(url) = &database.location else { return };
        let mut holder = super::PostgresServer::new(url, None).connect().await.unwrap();
        holder.execute_script(super::BEGIN_ALONE).await.unwrap();
        let began = Instant::now();
        let ends = (0..GAMES).map(|number| {
            let (events, end) = end(2);
            store.append(GameId::from_number(number), events, end, None)
        });
        for ended in futures_util::future::join_all(ends).await {
            assert!(matches!(ended, Err(StorageError::Locked)), "{ended:?}");
        }
        // One by one they would take 8 seconds.
        assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
        holder.execute_script("COMMIT").await.unwrap();
        let (events, end) = end(2);
        store.append(GameId::from_number(0), events, end, None).await.unwrap();
        holder.close().await;
        store.close().await;
    }

    #[tokio::test]
    async fn lost_lease_fails_only_its_own_games() {
        let Some(database) = database() else { return };
        let store = database.open().await;
        let leases = Store::leases(&database.location).await.unwrap().unwrap();
        let node = crate::cluster::NodeId::start("a");
        let claimed = leases.claim(&node, 1000).await.unwrap();
        let mut appends = Vec::new();
        for number in 0..20 {
            let id = start_game(&store, number).await;
            let shard = crate::cluster::Shard::of(id);
            let lease = claimed.iter().find(|lease| lease.fence.shard == shard).unwrap();
            let is_lost = number % 2 == 0;
            let mut fence = lease.fence;
            fence.epoch -= i64::from(is_lost);
            let appended = store.append(id, vec![mv(2)], None, Some(fence));
            appends.push(async move { (is_lost, appended.await) });
        }
        for (is_lost, appended) in futures_util::future::join_all(appends).await {
            match appended {
                Ok(_) => assert!(!is_lost),
                Err(error) => assert!(is_lost && matches!(error, StorageError::NotOwner)),
            }
        }
        let written = "SELECT COUNT(*) FROM events WHERE number > 1";
        assert_eq!(crate::testing::fetch_number(&database.location, written), 10);
        leases.close().await;
        store.close().await;
    }

    /// Returns the database behind a proxy. Connections that exist when the counter rises are silent from
    /// then on, as if the network had lost them.
    async fn behind_proxy(database: &TestDatabase) -> (DatabaseLocation, watch::Sender<u32>) {
        let DatabaseLocation::Postgres(url) = &database.location else { panic!("it is a file") };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (url, server) = url.through_proxy(listener.local_addr().unwrap().port());
        let (silenced, is_silenced) = watch::channel(0);
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let (server, mut silenced) = (server.clone(), is_silenced.clone());
                silenced.mark_unchanged();
                tokio::spawn(async move {
                    let mut server = TcpStream::connect(server).await.unwrap();
                    tokio::select! {
                        _ = tokio::io::copy_bidirectional(&mut client, &mut server) => {}
                        Ok(()) = silenced.changed() => std::future::pending().await,
                    }
                });
            }
        });
        (DatabaseLocation::Postgres(url), silenced)
    }

    #[tokio::test]
    async fn connections_that_are_silent_are_replaced() {
        let Some(database) = database() else { return };
        let (location, silenced) = behind_proxy(&database).await;
        let store = Store::open(&location, DatabaseUse::Shared).await.unwrap();
        let leases = Store::leases(&location).await.unwrap().unwrap();
        let mut health = store.write_health().subscribe();
        let game = start_game(&store, 1).await;
        let view = || leases.view(crate::cluster::LEASE_TIME);
        view().await.unwrap();

        silenced.send_modify(|count| *count += 1);
        let began = Instant::now();
        let append = store.append(game, vec![mv(2)], None, None);
        // The task that renews the leases gives up before the connection does.
        let impatient = async {
            for _ in 0..2 {
                let _ = tokio::time::timeout(Duration::from_millis(500), view()).await;
            }
        };
        let (appended, ()) = tokio::join!(append, impatient);
        assert!(matches!(appended, Err(StorageError::Disconnected(_))), "{appended:?}");
        assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
        view().await.unwrap();
        health.wait_for(Option::is_none).await.unwrap();
        while store.game(game).await.is_err() {}
        store.append(game, vec![mv(2)], None, None).await.unwrap();
        assert!(began.elapsed() < Duration::from_secs(25), "{:?}", began.elapsed());
        leases.close().await;
        // The connection of the other writer is silent, too.
        silenced.send_modify(|count| *count += 1);
        drop(store);
    }
}

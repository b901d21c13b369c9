//! The state that all clients of a soak share: the journals, the counts, and the faults.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use khet::Color;
use khet_protocol::{Event, GameId, PersonName};
use tokio::sync::watch;

use super::journal::GameJournal;
use super::outages::now;

/// The number of faults that are kept; more are counted.
const MAX_FAULTS: usize = 100;

/// A game of the soak.
#[derive(Debug)]
pub struct SoakGame {
    /// The session cookie of one of its players, who sees everything.
    pub cookie: String,
    /// The model of the game.
    pub journal: GameJournal,
}

/// Counts of what has happened so far.
#[derive(Debug, Default)]
pub struct SoakCounts {
    /// Acknowledged moves.
    pub moves: AtomicU64,
    /// Games that the players saw to the end.
    pub finished: AtomicU64,
    /// Connections that the clients cut.
    pub cuts: AtomicU64,
    /// Requests and watched games of readers that were answered.
    pub reads: AtomicU64,
    /// Actions and requests that were refused because nothing could be stored.
    pub unavailable: AtomicU64,
}

/// The time after which clients give up and try again, perhaps at another node.
#[derive(Clone, Copy, Debug)]
pub struct ClientPatience {
    /// Until a request is answered.
    pub request: Duration,
    /// Until a WebSocket is open.
    pub opening: Duration,
    /// Between two messages over a WebSocket.
    pub silence: Duration,
}

/// The state that all clients share.
#[derive(Debug)]
pub struct SoakRun {
    /// The nodes of the server: one, or all of a cluster.
    pub nodes: Vec<SocketAddr>,
    /// The time after which clients try again.
    pub patience: ClientPatience,
    /// True if reading can be refused too, because the database is on another machine.
    pub reads_may_fail: bool,
    /// The names of the accounts.
    pub names: Vec<PersonName>,
    /// The counts.
    pub counts: SoakCounts,
    games: Mutex<HashMap<GameId, SoakGame>>,
    /// Players who wait for the answer to a move, with the time since when.
    waiting: Mutex<HashMap<(GameId, Color), u64>>,
    /// The newest games, which readers and spectators open.
    recent: Mutex<Vec<GameId>>,
    faults: Mutex<(u64, Vec<String>)>,
    /// The nodes that failed the health checks of the balancer.
    unready: Mutex<BTreeSet<usize>>,
    stop: watch::Sender<bool>,
}

/// The number of games that readers choose from.
const RECENT_GAMES: usize = 64;

impl SoakRun {
    /// Creates the state of a run.
    pub fn new(
        nodes: Vec<SocketAddr>,
        names: Vec<PersonName>,
        patience: ClientPatience,
    ) -> SoakRun {
        SoakRun {
            nodes,
            patience,
            reads_may_fail: false,
            names,
            counts: SoakCounts::default(),
            games: Mutex::default(),
            waiting: Mutex::default(),
            recent: Mutex::default(),
            faults: Mutex::default(),
            unready: Mutex::default(),
            stop: watch::Sender::new(false),
        }
    }

    /// Records whether a node is ready.
    pub fn set_ready(&self, node: usize, is_ready: bool) {
        let mut unready = lock(&self.unready);
        if is_ready {
            unready.remove(&node);
        } else {
            unready.insert(node);
        }
    }

    /// Chooses a node that is ready, as far as that is known.
    pub fn any_node(&self, rng: &mut fastrand::Rng) -> usize {
        let unready = lock(&self.unready);
        let ready: Vec<usize> =
            (0..self.nodes.len()).filter(|node| !unready.contains(node)).collect();
        rng.choice(ready).unwrap_or_else(|| rng.usize(..self.nodes.len()))
    }

    /// Chooses the address of a node.
    pub fn any_address(&self, rng: &mut fastrand::Rng) -> SocketAddr {
        self.nodes[self.any_node(rng)]
    }

    /// Waits for a request, but not forever.
    ///
    /// # Errors
    ///
    /// If it fails, or takes too long.
    pub async fn timely<T>(&self, request: impl Future<Output = io::Result<T>>) -> io::Result<T> {
        tokio::time::timeout(self.patience.request, request).await.map_err(io::Error::other)?
    }

    /// Records that a player waits for the answer to a move.
    pub fn wait(&self, game: GameId, by: Color) {
        lock(&self.waiting).entry((game, by)).or_insert_with(now);
    }

    /// Records that a player waits no more.
    pub fn end_wait(&self, game: GameId, by: Color) {
        lock(&self.waiting).remove(&(game, by));
    }

    /// Returns the player who has waited longest, with the time since when.
    pub fn longest_wait(&self) -> Option<(GameId, Color, u64)> {
        let waiting = lock(&self.waiting);
        let longest = waiting.iter().min_by_key(|(_, since)| **since);
        longest.map(|((game, by), since)| (*game, *by, *since))
    }

    /// Adds a game, which one of its players can read with this cookie.
    pub fn begin(&self, game: GameId, cookie: &str) {
        let journal = GameJournal::default();
        let added = SoakGame { cookie: cookie.to_owned(), journal };
        lock(&self.games).entry(game).or_insert(added);
        let mut recent = lock(&self.recent);
        if recent.len() >= RECENT_GAMES {
            recent.remove(0);
        }
        recent.push(game);
    }

    /// Calls a function with the journal of a game.
    pub fn with_journal<T>(&self, game: GameId, call: impl FnOnce(&mut GameJournal) -> T) -> T {
        let mut games = lock(&self.games);
        let missing = || SoakGame { cookie: String::new(), journal: GameJournal::default() };
        call(&mut games.entry(game).or_insert_with(missing).journal)
    }

    /// Records an event that a client received.
    pub fn show(&self, game: GameId, event: &Event) {
        if let Err(fault) = self.with_journal(game, |journal| journal.show(event)) {
            self.fault(format!("game {game}: {fault}"));
        }
    }

    /// Returns all games, to compare them, and forgets them.
    pub fn take_games(&self) -> HashMap<GameId, SoakGame> {
        std::mem::take(&mut lock(&self.games))
    }

    /// Returns the journal of a game as it is now, and the cookie of a player.
    pub fn snapshot(&self, game: GameId) -> Option<(String, GameJournal)> {
        let games = lock(&self.games);
        games.get(&game).map(|game| (game.cookie.clone(), game.journal.clone()))
    }

    /// Returns the number of games.
    pub fn game_count(&self) -> usize {
        lock(&self.games).len()
    }

    /// Returns one of the newest games.
    pub fn recent_game(&self, rng: &mut fastrand::Rng) -> Option<GameId> {
        let recent = lock(&self.recent);
        (!recent.is_empty()).then(|| recent[rng.usize(..recent.len())])
    }

    /// Records a fault of the server.
    pub fn fault(&self, fault: String) {
        let (count, faults) = &mut *lock(&self.faults);
        *count += 1;
        if faults.len() < MAX_FAULTS {
            faults.push(fault);
        }
    }

    /// Returns the number of faults and the first of them.
    pub fn faults(&self) -> (u64, Vec<String>) {
        lock(&self.faults).clone()
    }

    /// Ends the run: the server is neither killed nor cut off any more.
    pub fn stop(&self) {
        self.stop.send_replace(true);
    }

    /// Waits for a future, or returns `None` when the run is stopped.
    pub async fn unless_stopped<T>(&self, future: impl Future<Output = T>) -> Option<T> {
        let mut stop = self.stop.subscribe();
        tokio::select! {
            // The sender exists as long as `self`.
            _ = stop.wait_for(|stop| *stop) => None,
            value = future => Some(value),
        }
    }

    /// Counts one.
    pub fn count(&self, counter: impl FnOnce(&SoakCounts) -> &AtomicU64) {
        counter(&self.counts).fetch_add(1, Ordering::Relaxed);
    }
}

/// Locks a mutex, also after a panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

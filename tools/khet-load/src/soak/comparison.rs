//! The comparison at the end of a soak: every game, every rating, and the database file.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use khet::Color;
use khet_protocol::{
    ByColor, Event, EventKind, FullProfile, GameId, GameJoined, PersonId, RatingChange, Speed,
};
use serde_json::Value;
use tokio::process::Command;
use tokio::task::JoinSet;

use super::journal::{Compared, GameJournal};
use super::move_waits::{MoveWait, move_waits};
use super::outages::OutageLog;
use super::soak_run::{SoakGame, SoakRun};
use crate::Guest;

/// Number of games that are fetched concurrently.
const CONCURRENT_FETCHES: usize = 8;
/// Longest time to fetch a game.
const FETCH_TIMEOUT: Duration = Duration::from_secs(25);
/// The number of games with faults that are kept.
const MAX_SUSPECTS: usize = 20;
/// The rating before the first game.
const FIRST_RATING: u16 = 1500;

/// The counts of a comparison.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// Games.
    pub games: usize,
    /// The numbers of moves, events and clocks that were compared.
    pub totals: Compared,
    /// Changes of ratings.
    pub ratings: u64,
    /// The waits for moves around the faults of a cluster.
    pub waits: Vec<(GameId, MoveWait)>,
    /// The game with most acknowledged moves.
    pub longest: Option<ComparedGame>,
    /// The first games with faults.
    pub suspects: Vec<ComparedGame>,
}

/// A game with what its players know about it and what the server has.
#[derive(Clone, Debug)]
pub struct ComparedGame {
    /// The game.
    pub id: GameId,
    /// The model.
    pub journal: GameJournal,
    /// The events that the server has.
    pub stored: Vec<Event>,
}

/// The server that has the games, and the outages that it suffered.
#[derive(Clone, Debug)]
pub struct ComparedServer {
    /// The address.
    pub address: SocketAddr,
    /// The outages.
    pub outages: OutageLog,
    /// The events in the database before the server started, if they were read without it.
    pub database: Option<StoredEvents>,
}

/// The events of all games as they are in the database.
pub type StoredEvents = HashMap<GameId, Vec<Event>>;

/// The result of the comparison of one game.
struct GameComparison {
    game: ComparedGame,
    counts: Compared,
    faults: Vec<String>,
    waits: Vec<MoveWait>,
}

/// The results of each person's games.
#[derive(Clone, Debug, Default)]
struct PersonResults {
    won: u32,
    drawn: u32,
    lost: u32,
    /// Changes of the rating at each speed, with the times at which the games ended.
    changes: HashMap<Speed, Vec<(u64, RatingChange)>>,
}

impl Comparison {
    /// Compares all games and ratings with those of a server. Faults are recorded in the run.
    pub async fn compare(run: &SoakRun, server: ComparedServer) -> Comparison {
        let server = Arc::new(server);
        let mut comparison = Comparison::default();
        let mut people: HashMap<PersonId, PersonResults> = HashMap::new();
        let mut fetches = JoinSet::new();
        let mut games = run.take_games().into_iter();
        loop {
            while fetches.len() < CONCURRENT_FETCHES
                && let Some((id, game)) = games.next()
            {
                fetches.spawn(compare_game(Arc::clone(&server), id, game));
            }
            let Some(compared) = fetches.join_next().await else { break };
            match compared {
                Ok((id, Ok(compared))) => {
                    let faults = &compared.faults;
                    faults.iter().for_each(|fault| run.fault(format!("game {id}: {fault}")));
                    add_results(&mut people, &compared.game.stored);
                    comparison.add(compared);
                }
                Ok((id, Err(error))) => run.fault(format!("game {id} is lost: {error}")),
                Err(error) => run.fault(format!("the comparison failed: {error}")),
            }
        }
        for name in &run.names {
            let mut guest = Guest::without_session(server.address);
            let profile = run.timely(guest.ask("GET", &format!("/api/people/{name}"), "")).await;
            match profile.and_then(|response| response.read::<FullProfile>()) {
                Ok(profile) => {
                    let mut results = people.remove(&profile.id).unwrap_or_default();
                    for fault in results.compare(&profile, &mut comparison.ratings) {
                        run.fault(format!("{name}: {fault}"));
                    }
                }
                Err(error) => run.fault(format!("the profile of {name} is lost: {error}")),
            }
        }
        comparison
    }

    fn add(&mut self, compared: GameComparison) {
        let GameComparison { game, counts, faults, waits } = compared;
        let Compared { moves, events, clocks, credits } = counts;
        self.games += 1;
        self.waits.extend(waits.into_iter().map(|wait| (game.id, wait)));
        let known = self.longest.as_ref().map_or(0, |known| known.journal.acknowledged_moves());
        if game.journal.acknowledged_moves() > known {
            self.longest = Some(game.clone());
        }
        if !faults.is_empty() && self.suspects.len() < MAX_SUSPECTS {
            self.suspects.push(game);
        }
        self.totals.moves += moves;
        self.totals.events += events;
        self.totals.clocks += clocks;
        self.totals.credits += credits;
    }
}

/// Fetches a game and compares it.
async fn compare_game(
    server: Arc<ComparedServer>,
    id: GameId,
    game: SoakGame,
) -> (GameId, io::Result<GameComparison>) {
    let SoakGame { cookie, journal } = game;
    let stored = match fetch(server.address, &cookie, id).await {
        Ok(stored) => stored,
        Err(error) => return (id, Err(error)),
    };
    let (counts, mut faults) = journal.compare(&stored, &server.outages);
    let waits = move_waits(&journal, &stored, &server.outages);
    faults.extend(waits.iter().filter_map(|wait| wait.excess(&server.outages)));
    if let Some(database) = &server.database {
        let database = database.get(&id).map(Vec::as_slice).unwrap_or_default();
        let missing = journal.missing(database);
        faults.extend(missing.into_iter().map(|fault| format!("in the database: {fault}")));
        // The server may have added a credit or the end of the game since.
        if !stored.starts_with(database) {
            faults.push("the server shows other events than were in the database".to_owned());
        }
    }
    let game = ComparedGame { id, journal, stored };
    (id, Ok(GameComparison { game, counts, faults, waits }))
}

/// Returns all events of a game, as the player with this cookie sees them.
pub async fn fetch(server: SocketAddr, cookie: &str, game: GameId) -> io::Result<Vec<Event>> {
    let mut guest = Guest { server, cookie: Some(cookie.to_owned()) };
    let path = format!("/api/games/{game}");
    let response = tokio::time::timeout(FETCH_TIMEOUT, guest.ask("GET", &path, "")).await??;
    Ok(response.read::<GameJoined>()?.events)
}

/// Adds the result of a game to those of its players.
fn add_results(people: &mut HashMap<PersonId, PersonResults>, stored: &[Event]) {
    let Some(Event { kind: EventKind::Started(start), .. }) = stored.first() else { return };
    for event in stored {
        for (color, person) in [(Color::Silver, start.silver), (Color::Red, start.red)] {
            let results = people.entry(person).or_default();
            match event.kind {
                EventKind::Ended(outcome) if !outcome.is_aborted() => match outcome.winner {
                    None => results.drawn += 1,
                    Some(winner) if winner == color => results.won += 1,
                    Some(_) => results.lost += 1,
                },
                EventKind::Rated { silver, red } => {
                    let Some(speed) = Speed::of(start.options.time) else { continue };
                    let change = *ByColor { silver, red }.get(color);
                    results.changes.entry(speed).or_default().push((event.at, change));
                }
                _ => {}
            }
        }
    }
}

impl PersonResults {
    /// Compares the results with a profile: each game counts once, and each change of the rating
    /// begins where the one before it ended.
    fn compare(&mut self, profile: &FullProfile, compared: &mut u64) -> Vec<String> {
        let mut faults = Vec::new();
        let found = (profile.won, profile.drawn, profile.lost);
        let expected = (self.won, self.drawn, self.lost);
        if found != expected {
            faults.push(format!("won, drawn and lost are {found:?}, expected {expected:?}"));
        }
        for (speed, changes) in &mut self.changes {
            *compared += changes.len() as u64;
            changes.sort_by_key(|(at, _)| *at);
            let mut rating = FIRST_RATING;
            for (at, change) in changes.iter() {
                if change.before != rating {
                    let before = change.before;
                    faults.push(format!("{speed:?} at {at}: {before} after a game at {rating}"));
                }
                rating = change.after;
            }
            let shown = profile.ratings.iter().find(|shown| shown.speed == *speed);
            let shown = shown.map(|shown| (shown.rating.value, shown.games));
            let expected = (rating, changes.len() as u32);
            if shown != Some(expected) {
                faults.push(format!("{speed:?} is {shown:?}, expected {expected:?}"));
            }
        }
        faults
    }
}

/// Runs `khet verify` on a database, a file or a URL. Returns the number of games; faults are recorded.
pub async fn verify(binary: &Path, database: impl AsRef<OsStr>, run: &SoakRun) -> u64 {
    let mut command = Command::new(binary);
    command.args(["verify", "--json"]).arg(database);
    let output = match command.output().await {
        Ok(output) => output,
        Err(error) => {
            run.fault(format!("khet verify: {error}"));
            return 0;
        }
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let summary: Value =
        text.lines().last().and_then(|line| serde_json::from_str(line).ok()).unwrap_or_default();
    if !output.status.success() || summary["faults"].as_u64() != Some(0) {
        let error = String::from_utf8_lossy(&output.stderr);
        run.fault(format!("khet verify: {}: {text}{error}", output.status));
    }
    summary["games"].as_u64().unwrap_or(0)
}

//! The comparison at the end of a soak: every game, every rating, and the database file.

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use khet::Color;
use khet_protocol::{
    ByColor, Event, EventKind, FullProfile, GameId, GameJoined, PersonId, RatingChange, Speed,
};
use serde_json::Value;
use tokio::process::Command;
use tokio::task::JoinSet;

use super::journal::Compared;
use super::outages::OutageLog;
use super::pair::timely;
use super::server_process::database;
use super::soak_run::{SoakGame, SoakRun};
use crate::Guest;

/// Number of games that are fetched concurrently.
const CONCURRENT_FETCHES: usize = 8;
/// The rating before the first game.
const FIRST_RATING: u16 = 1500;

/// The counts of a comparison.
#[derive(Clone, Copy, Debug, Default)]
pub struct Comparison {
    /// Games.
    pub games: usize,
    /// The numbers of moves, events and clocks that were compared.
    pub totals: Compared,
    /// Changes of ratings.
    pub ratings: u64,
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
    /// Compares all games and ratings with the server's. Faults are recorded in the run.
    pub async fn compare(run: &SoakRun, outages: &OutageLog) -> Comparison {
        let outages = Arc::new(outages.clone());
        let mut comparison = Comparison::default();
        let mut people: HashMap<PersonId, PersonResults> = HashMap::new();
        let mut fetches = JoinSet::new();
        let mut games = run.take_games().into_iter();
        loop {
            while fetches.len() < CONCURRENT_FETCHES
                && let Some((id, game)) = games.next()
            {
                fetches.spawn(compare_game(run.server, id, game, Arc::clone(&outages)));
            }
            let Some(compared) = fetches.join_next().await else { break };
            match compared {
                Ok((id, Ok((counts, faults, stored)))) => {
                    comparison.add(counts);
                    faults.iter().for_each(|fault| run.fault(format!("game {id}: {fault}")));
                    add_results(&mut people, &stored);
                }
                Ok((id, Err(error))) => run.fault(format!("game {id} is lost: {error}")),
                Err(error) => run.fault(format!("the comparison failed: {error}")),
            }
        }
        for name in &run.names {
            let mut guest = Guest::without_session(run.server);
            let profile = timely(guest.ask("GET", &format!("/api/people/{name}"), "")).await;
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

    fn add(&mut self, counts: Compared) {
        let Compared { moves, events, clocks, credits } = counts;
        self.games += 1;
        self.totals.moves += moves;
        self.totals.events += events;
        self.totals.clocks += clocks;
        self.totals.credits += credits;
    }
}

/// Fetches a game and compares it.
async fn compare_game(
    server: SocketAddr,
    id: GameId,
    game: SoakGame,
    outages: Arc<OutageLog>,
) -> (GameId, io::Result<(Compared, Vec<String>, Vec<Event>)>) {
    let stored = match fetch(server, &game.cookie, id).await {
        Ok(stored) => stored,
        Err(error) => return (id, Err(error)),
    };
    let (compared, faults) = game.journal.compare(&stored, &outages);
    (id, Ok((compared, faults, stored)))
}

/// Returns all events of a game, as the player with this cookie sees them.
pub async fn fetch(server: SocketAddr, cookie: &str, game: GameId) -> io::Result<Vec<Event>> {
    let mut guest = Guest { server, cookie: Some(cookie.to_owned()) };
    let response = timely(guest.ask("GET", &format!("/api/games/{game}"), "")).await?;
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

/// Runs `khet verify` on the database. Returns the number of games; faults are recorded.
pub async fn verify(binary: &Path, folder: &Path, run: &SoakRun) -> u64 {
    let mut command = Command::new(binary);
    command.args(["verify", "--json"]).arg(database(folder));
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

//! Pairs people: seeks with seeks, and seeks with open challenges.
//!
//! A seek is paired at once with the best opponent who wants the same game. Two pairings need the
//! consent of a player: a person with a bot, and a rated with a casual request. The lobby lists
//! such opponents, and a player can accept them.
//!
//! While a person's game is being started, the person's seeks are not listed and not paired. Once
//! the game has started the seeks are removed. If it could not be started they are listed again.

use std::collections::HashSet;

use khet_protocol::{
    ApiError, Challenge, ChallengeId, ColorPreference, ErrorCode, GameId, GameOptions, GameStart,
    NewChallenge, PersonId, PersonKind, PublicProfile, Seek, SeekId, Speed,
};

use super::{Lobby, OpenRequests};
use crate::cluster::GamePlace;
use crate::error_response::storage_error;
use crate::server_state::ServerState;
use crate::{challenges, people, random};

/// The rating of players without rated games, to compare players.
const INITIAL_RATING: u16 = 1500;

/// A person who looks for an opponent while the connection lasts.
#[derive(Debug)]
pub(super) struct WaitingSeek {
    /// The id of the connection.
    connection: u64,
    seek: Seek,
}

/// Two people whose game is being started. They are not paired again until this is dropped.
pub(crate) struct StartingGame {
    server: ServerState,
    people: [PersonId; 2],
}

impl Drop for StartingGame {
    fn drop(&mut self) {
        let mut requests = self.server.lobby.open_requests();
        for person in self.people {
            if let Some(games) = requests.starting.get_mut(&person) {
                *games -= 1;
                if *games == 0 {
                    requests.starting.remove(&person);
                }
            }
        }
        drop(requests);
        self.server.lobby.list_changed();
    }
}

/// A player who waits for a game: the author of a seek or of a challenge.
struct WaitingPlayer {
    by: PublicProfile,
    options: GameOptions,
    color: ColorPreference,
    /// The challenge, which the game accepts.
    challenge: Option<ChallengeId>,
    seek: Option<Seek>,
}

impl From<&Seek> for WaitingPlayer {
    fn from(seek: &Seek) -> WaitingPlayer {
        let Seek { by, options, color, .. } = seek.clone();
        WaitingPlayer { by, options, color, challenge: None, seek: Some(seek.clone()) }
    }
}

impl From<&Challenge> for WaitingPlayer {
    fn from(challenge: &Challenge) -> WaitingPlayer {
        let Challenge { id, by, options, color, .. } = challenge.clone();
        WaitingPlayer { by, options, color, challenge: Some(id), seek: None }
    }
}

impl WaitingPlayer {
    /// Returns the start of the game against a person with this colour preference.
    fn game_against(&self, person: PersonId, color: ColorPreference) -> GameStart {
        let color = match (self.color, color) {
            (ColorPreference::Random, ColorPreference::Silver) => ColorPreference::Red,
            (ColorPreference::Random, ColorPreference::Red) => ColorPreference::Silver,
            (own, _) => own,
        };
        challenges::game_start(&self.options, color, self.by.id, person)
    }
}

/// Returns whether a seek can be paired with the request of another player without asking them.
fn suits(by: &PublicProfile, options: &GameOptions, color: ColorPreference, seek: &Seek) -> bool {
    by.id != seek.by.id
        && by.kind != PersonKind::Bot
        && *options == seek.options
        && color.is_compatible_with(seek.color)
}

/// Returns the distance of two players' ratings; 0 in casual games, where the longest wait counts.
fn rating_distance(one: &PublicProfile, other: &PublicProfile, options: &GameOptions) -> u16 {
    let rating =
        |profile: &PublicProfile| profile.rating.map_or(INITIAL_RATING, |rating| rating.value);
    if options.rated { rating(one).abs_diff(rating(other)) } else { 0 }
}

impl OpenRequests {
    /// Returns the seeks of people whose game does not start yet, the oldest first.
    pub(super) fn listed_seeks(&self) -> impl DoubleEndedIterator<Item = &Seek> {
        let seeks = self.seeks.iter().map(|waiting| &waiting.seek);
        seeks.filter(|seek| !self.starting.contains_key(&seek.by.id))
    }

    /// Returns the best opponent for a seek: the nearest rating, then the longest wait.
    fn opponent_for(&self, server: &ServerState, seek: &Seek) -> Option<WaitingPlayer> {
        let elsewhere = server.lobby.seeks_elsewhere();
        let elsewhere = elsewhere.iter().filter(|seek| !self.starting.contains_key(&seek.by.id));
        self.opponent_among(server, seek, self.listed_seeks().chain(elsewhere))
    }

    /// Returns the best opponent for a seek among these seeks and the challenges.
    fn opponent_among<'a>(
        &self,
        server: &ServerState,
        seek: &Seek,
        seeks: impl Iterator<Item = &'a Seek>,
    ) -> Option<WaitingPlayer> {
        let seeks = seeks.filter(|other| suits(&other.by, &other.options, other.color, seek));
        let challenges = self.challenges.iter().filter(|challenge| {
            suits(&challenge.by, &challenge.options, challenge.color, seek)
                && server.lobby.is_listed(server, challenge)
                && !self.starting.contains_key(&challenge.by.id)
        });
        let challenges = challenges.map(|challenge| (challenge.at, WaitingPlayer::from(challenge)));
        seeks
            .map(|other| (other.at, WaitingPlayer::from(other)))
            .chain(challenges)
            .min_by_key(|(at, opponent)| {
                (rating_distance(&opponent.by, &seek.by, &seek.options), *at)
            })
            .map(|(_, opponent)| opponent)
    }

    /// Returns a challenge of a person and the best seek that matches it.
    fn match_challenge_of(
        &self,
        server: &ServerState,
        person: PersonId,
    ) -> Option<(WaitingPlayer, Seek)> {
        let mut own = self.challenges.iter().filter(|challenge| {
            challenge.by.id == person && server.lobby.is_listed(server, challenge)
        });
        own.find_map(|challenge| {
            let Challenge { by, options, color, .. } = challenge;
            let best = self
                .listed_seeks()
                .filter(|seek| suits(by, options, *color, seek))
                .min_by_key(|seek| (rating_distance(by, &seek.by, options), seek.at));
            best.cloned().map(|seek| (WaitingPlayer::from(challenge), seek))
        })
    }

    /// Records that a game of two people starts.
    fn start_game_of(&mut self, server: &ServerState, people: [PersonId; 2]) -> StartingGame {
        for person in people {
            *self.starting.entry(person).or_default() += 1;
        }
        StartingGame { server: server.clone(), people }
    }
}

impl Lobby {
    /// Pairs a seek with the best opponent and returns their game; without one, the seek waits in
    /// the lobby.
    pub(crate) async fn seek(
        &self,
        server: &ServerState,
        connection: u64,
        person: PersonId,
        challenge: NewChallenge,
    ) -> Result<Option<GameId>, ApiError> {
        challenges::check(server, person, &challenge).await?;
        let NewChallenge { options, color, .. } = challenge;
        if options.private {
            return Err(ApiError::new(ErrorCode::Invalid, "seeks are public"));
        }
        let by = load_person(server, person, &options).await?;
        let (id, at) = (SeekId::from_number(random::number()), server.time.now());
        let seek = Seek { id, by, options, color, at };
        loop {
            let opponent = {
                let mut requests = self.open_requests();
                // A connection has one seek; a new one replaces it.
                requests.seeks.retain(|waiting| waiting.connection != connection);
                // If a game of the seeker starts already, the seek ends with its start. Another
                // node may be the one that pairs.
                let free = server.pairs_seeks() && !requests.starting.contains_key(&person);
                let opponent = free.then(|| requests.opponent_for(server, &seek)).flatten();
                requests.seeks.push(WaitingSeek { connection, seek: seek.clone() });
                opponent.map(|opponent| {
                    let starting = requests.start_game_of(server, [opponent.by.id, person]);
                    (opponent, starting)
                })
            };
            self.list_changed();
            let Some((opponent, starting)) = opponent else { return Ok(None) };
            let started = opponent.game_against(person, seek.color);
            let created = create(server, started, opponent.challenge, starting);
            match created.await {
                Ok(game) => {
                    if let Some(other) = opponent.seek {
                        self.other_nodes().set_paired(&other, game);
                    }
                    return Ok(Some(game));
                }
                // Another player has accepted the challenge in the meantime.
                Err(error) if error.code == ErrorCode::Taken => {}
                Err(error) => {
                    self.unseek(connection);
                    return Err(error);
                }
            }
        }
    }

    /// Removes the seek of a connection.
    pub(crate) fn unseek(&self, connection: u64) {
        let mut requests = self.open_requests();
        let before = requests.seeks.len();
        requests.seeks.retain(|waiting| waiting.connection != connection);
        let removed = requests.seeks.len() < before;
        drop(requests);
        if removed {
            self.list_changed();
        }
    }

    /// Starts the game of a person with the author of a seek.
    pub(crate) async fn accept_seek(
        &self,
        server: &ServerState,
        id: SeekId,
        person: PersonId,
    ) -> Result<GameId, ApiError> {
        if let Some(cluster) = &server.cluster
            && let Some(accepted) = cluster.accept_seek(id, person).await
        {
            return accepted;
        }
        self.accept_seek_here(server, id, person).await
    }

    /// Starts the game of a person with the author of a seek, if this node pairs seeks.
    pub(crate) async fn accept_seek_here(
        &self,
        server: &ServerState,
        id: SeekId,
        person: PersonId,
    ) -> Result<GameId, ApiError> {
        let waiting = |seek: &&WaitingSeek| seek.seek.id == id;
        let seek = self.open_requests().seeks.iter().find(waiting).map(|found| found.seek.clone());
        let seek = seek.or_else(|| self.seeks_elsewhere().into_iter().find(|seek| seek.id == id));
        let seek = seek.ok_or_else(|| {
            ApiError::new(ErrorCode::NotFound, "this player no longer waits for an opponent")
        })?;
        if seek.by.id == person {
            return Err(ApiError::new(ErrorCode::Forbidden, "this is your own seek"));
        }
        challenges::check_rated(server, person, seek.options.rated).await?;
        load_person(server, person, &seek.options).await?;
        let starting = {
            let mut requests = self.open_requests();
            if requests.starting.contains_key(&person) {
                return Err(ApiError::new(ErrorCode::NotNow, "another game of yours starts"));
            }
            let is_listed = requests.listed_seeks().any(|seek| seek.id == id)
                || self.seeks_elsewhere().iter().any(|seek| seek.id == id)
                    && !requests.starting.contains_key(&seek.by.id);
            if !is_listed {
                return Err(ApiError::new(ErrorCode::Taken, "another player was quicker"));
            }
            requests.start_game_of(server, [seek.by.id, person])
        };
        self.list_changed();
        let started = WaitingPlayer::from(&seek).game_against(person, ColorPreference::Random);
        let game = create(server, started, None, starting).await?;
        self.other_nodes().set_paired(&seek, game);
        Ok(game)
    }

    /// Pairs the seeks of all nodes with each other and with challenges, until there is no pair.
    pub(super) async fn pair_all(&self, server: &ServerState) {
        let mut failed = HashSet::new();
        loop {
            let pair = {
                let mut requests = self.open_requests();
                let elsewhere = self.seeks_elsewhere();
                let is_free = |seek: &&Seek| !requests.starting.contains_key(&seek.by.id);
                let mut seeks: Vec<&Seek> = requests.listed_seeks().collect();
                seeks.extend(elsewhere.iter().filter(is_free));
                seeks.sort_by_key(|seek| (seek.at, seek.id));
                let pair =
                    seeks.iter().filter(|seek| !failed.contains(&seek.id)).find_map(|seek| {
                        let opponent =
                            requests.opponent_among(server, seek, seeks.iter().copied())?;
                        Some(((*seek).clone(), opponent))
                    });
                pair.map(|(seek, opponent)| {
                    let starting = requests.start_game_of(server, [opponent.by.id, seek.by.id]);
                    (seek, opponent, starting)
                })
            };
            let Some((seek, opponent, starting)) = pair else { return };
            let started = opponent.game_against(seek.by.id, seek.color);
            match create(server, started, opponent.challenge, starting).await {
                Ok(game) => {
                    let mut other_nodes = self.other_nodes();
                    other_nodes.set_paired(&seek, game);
                    if let Some(other) = opponent.seek {
                        other_nodes.set_paired(&other, game);
                    }
                }
                // Another player has accepted the challenge in the meantime.
                Err(error) if error.code == ErrorCode::Taken => {}
                Err(error) => {
                    tracing::warn!(%error, "could not start the game of a seek");
                    failed.insert(seek.id);
                }
            }
        }
    }

    /// Starts a game from a person's open challenges, if they match a seek.
    pub(crate) async fn pair_challenges_of(
        &self,
        server: &ServerState,
        person: PersonId,
    ) -> Option<GameId> {
        loop {
            let (author, seek, starting) = {
                let mut requests = self.open_requests();
                if requests.starting.contains_key(&person) {
                    return None;
                }
                let (author, seek) = requests.match_challenge_of(server, person)?;
                let starting = requests.start_game_of(server, [person, seek.by.id]);
                (author, seek, starting)
            };
            self.list_changed();
            let started = author.game_against(seek.by.id, seek.color);
            match create(server, started, author.challenge, starting).await {
                Ok(game) => return Some(game),
                Err(error) if error.code == ErrorCode::Taken => {}
                Err(error) => {
                    tracing::error!(%error, "could not start the game of a challenge and a seek");
                    return None;
                }
            }
        }
    }

    /// Excludes two people from pairing while their game is being started.
    pub(crate) fn start_game_of(
        &self,
        server: &ServerState,
        people: [PersonId; 2],
    ) -> StartingGame {
        self.open_requests().start_game_of(server, people)
    }

    /// Removes the seeks of people whose game has started.
    pub(crate) fn remove_seeks_of(&self, people: [PersonId; 2]) {
        self.open_requests().seeks.retain(|waiting| !people.contains(&waiting.seek.by.id));
    }
}

/// Starts a game of two people who were paired. One node pairs for all, so the game gets any owner.
async fn create(
    server: &ServerState,
    started: GameStart,
    challenge: Option<ChallengeId>,
    starting: StartingGame,
) -> Result<GameId, ApiError> {
    server.games.create_at(GamePlace::AnyNode, server, started, challenge, starting).await
}

/// Loads a person who wants to be paired. Bots are rejected, because people choose whether they
/// play a bot.
async fn load_person(
    server: &ServerState,
    person: PersonId,
    options: &GameOptions,
) -> Result<PublicProfile, ApiError> {
    let profile = people::load_public_profile(&server.store, person, Speed::of(options.time))
        .await
        .map_err(|error| storage_error(&error))?;
    if profile.kind == PersonKind::Bot {
        return Err(ApiError::new(ErrorCode::Forbidden, "bots post challenges instead of seeking"));
    }
    Ok(profile)
}

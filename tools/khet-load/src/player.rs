//! A player that makes random legal moves, and reconnects when its connection breaks.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use khet::{Color, GamePosition, Move, tower};
use khet_protocol::{
    Action, ErrorCode, Event, EventKind, GameId, GameJoined, GameState, ServerMessage,
};

use crate::{ClientSocket, LoadStats};

/// The mean delay before a player reconnects.
const RETRY_DELAY: Duration = Duration::from_millis(50);

/// The rate at which moves are made.
#[derive(Clone, Copy, Debug)]
pub enum MoveRate {
    /// A move as soon as the previous one is acknowledged.
    Eager,
    /// One move of the game per interval.
    Every(Duration),
    /// One move of the game per this number of microseconds, which changes during the run; 0 for a
    /// move as soon as the previous one is acknowledged.
    Adjustable(&'static AtomicU64),
}

impl MoveRate {
    /// Returns the interval of moves, if there is one.
    fn interval(self) -> Option<Duration> {
        match self {
            MoveRate::Eager => None,
            MoveRate::Every(interval) => Some(interval),
            MoveRate::Adjustable(micros) => match micros.load(Ordering::Relaxed) {
                0 => None,
                micros => Some(Duration::from_micros(micros)),
            },
        }
    }
}

/// A violation of the protocol by the server.
#[derive(Clone, Debug)]
pub struct ServerFault(pub String);

impl fmt::Display for ServerFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ServerFault {}

/// A move that was sent and is not acknowledged yet.
#[derive(Clone, Copy, Debug)]
struct PendingMove {
    key: u32,
    ply: u32,
    mv: Move<tower::Square>,
    at: Instant,
}

/// A player of one game after another.
#[derive(Debug)]
pub struct LoadPlayer {
    server: SocketAddr,
    cookie: String,
    game: GameId,
    you: Option<Color>,
    state: Option<GameState>,
    /// The received events of all games, if they are kept.
    shown: Vec<(GameId, Event)>,
    keeps_events: bool,
    pending: Option<PendingMove>,
    next_move: Instant,
    rng: fastrand::Rng,
}

impl LoadPlayer {
    /// Creates a player of a game.
    pub fn new(server: SocketAddr, cookie: String, game: GameId, seed: u64) -> LoadPlayer {
        LoadPlayer {
            server,
            cookie,
            game,
            you: None,
            state: None,
            shown: Vec::new(),
            keeps_events: false,
            pending: None,
            next_move: Instant::now(),
            rng: fastrand::Rng::with_seed(seed),
        }
    }

    /// Keeps all received events, to compare them later.
    #[must_use]
    pub fn keeping_events(mut self) -> LoadPlayer {
        self.keeps_events = true;
        self
    }

    /// Sets the time of the first move.
    #[must_use]
    pub fn from(mut self, moment: Instant) -> LoadPlayer {
        self.next_move = moment;
        self
    }

    /// Returns the received events, if they are kept.
    pub fn shown(&self) -> &[(GameId, Event)] {
        &self.shown
    }

    /// Plays games until the future is dropped, and reconnects whenever the connection breaks.
    ///
    /// # Errors
    ///
    /// If the server loses or contradicts events that it sent.
    pub async fn play(&mut self, pace: MoveRate, stats: &LoadStats) -> Result<(), ServerFault> {
        loop {
            if let Ok(mut line) = ClientSocket::open(self.server, Some(&self.cookie)).await {
                match self.play_on(&mut line, pace, stats).await {
                    Err(PlayError::ServerFault(broken)) => return Err(broken),
                    Err(PlayError::Lost) | Ok(()) => stats.count_reconnect(),
                }
            }
            let pause = RETRY_DELAY.mul_f64(0.5 + self.rng.f64());
            tokio::time::sleep(pause).await;
        }
    }

    /// Plays over a connection until it is lost.
    async fn play_on(
        &mut self,
        line: &mut ClientSocket,
        pace: MoveRate,
        stats: &LoadStats,
    ) -> Result<(), PlayError> {
        let seen = self.state.as_ref().map_or(0, GameState::last_event_number);
        line.subscribe(self.game, seen).await?;
        loop {
            let Some(message) = line.next().await? else { return Ok(()) };
            match message {
                ServerMessage::GameJoined(joined) => {
                    self.handle_joined(*joined)?;
                    // The server ignores the repetition of a move that it has already received.
                    if let Some(PendingMove { key, ply, mv, .. }) = self.pending {
                        line.act(key, Action::Move { ply, mv }).await?;
                    }
                }
                ServerMessage::Event(event) => {
                    let what = event.kind.clone();
                    self.apply_event(event)?;
                    if let EventKind::Rematched { game } = what {
                        stats.count_game();
                        self.game = game;
                        self.state = None;
                        self.pending = None;
                        line.subscribe(game, 0).await?;
                        continue;
                    }
                }
                ServerMessage::Done(made) => {
                    if let Some(sent) = self.pending.take_if(|sent| sent.key == made.key) {
                        stats.record_move(sent.at.elapsed());
                        self.check_acknowledgement(sent, made.number)?;
                    }
                }
                ServerMessage::Refused { key: 0, error }
                    if error.code == ErrorCode::Unavailable =>
                {
                    // The game has no owner yet.
                    return Ok(());
                }
                ServerMessage::Refused { key, error } => {
                    let known = self.pending.take_if(|sent| sent.key == key).is_some();
                    let expected = matches!(
                        error.code,
                        ErrorCode::Over
                            | ErrorCode::NotNow
                            | ErrorCode::Unavailable
                            | ErrorCode::Internal
                    );
                    if known && !expected {
                        return Err(server_fault(format!("{:?}: {}", error.code, error.message)));
                    }
                }
                ServerMessage::Closing { .. } => return Ok(()),
                ServerMessage::Presence(_)
                | ServerMessage::Lobby(_)
                | ServerMessage::LobbyCounts(_)
                | ServerMessage::Challenge(_)
                | ServerMessage::ChallengeDeclined { .. }
                | ServerMessage::InboxChanged
                | ServerMessage::Paired { .. } => continue,
            }
            self.act(line, pace).await?;
        }
    }

    /// Applies the server's events, and checks that none of the earlier ones is missing.
    fn handle_joined(&mut self, joined: GameJoined) -> Result<(), PlayError> {
        self.you = joined.you;
        if self.state.is_some() && joined.after == 0 {
            return Err(server_fault(format!("game {} was sent from its start again", self.game)));
        }
        for event in joined.events {
            self.apply_event(event)?;
        }
        Ok(())
    }

    /// Applies an event to the state of the game.
    fn apply_event(&mut self, event: Event) -> Result<(), PlayError> {
        let applied = match &mut self.state {
            None => GameState::begin(&event).map(|state| self.state = Some(state)),
            Some(state) => state.apply(&event).map(drop),
        };
        applied.map_err(|error| server_fault(format!("game {}: {error}", self.game)))?;
        if self.keeps_events {
            self.shown.push((self.game, event));
        }
        Ok(())
    }

    /// Checks that a move was acknowledged with the number of its event.
    fn check_acknowledgement(&self, sent: PendingMove, number: u32) -> Result<(), PlayError> {
        let state = self.state.as_ref().zip(self.you);
        let found = state.and_then(|(state, you)| state.event_of(you, sent.key));
        if found == Some(number) {
            return Ok(());
        }
        Err(server_fault(format!(
            "move {} was acknowledged as event {number}, and shown as {found:?}",
            sent.mv
        )))
    }

    /// Makes a move if it is this player's turn, and asks for a rematch after the game.
    async fn act(&mut self, line: &mut ClientSocket, pace: MoveRate) -> Result<(), PlayError> {
        let (Some(state), Some(you)) = (&self.state, self.you) else { return Ok(()) };
        if state.outcome().is_some() {
            let wanted = match state.rematch_offer() {
                Some(offered) => offered != you,
                // One offers, the other accepts.
                None => you == Color::Silver && state.may_offer_rematch(you),
            };
            if wanted && state.rematch_game().is_none() {
                line.act(self.rng.u32(..), Action::Rematch).await?;
            }
            return Ok(());
        }
        if state.to_move() != you || self.pending.is_some() {
            return Ok(());
        }
        let position = state.game().position();
        let moves = position.legal_moves();
        let Some(&mv) = moves.get(self.rng.usize(..moves.len().max(1))) else { return Ok(()) };
        let ply = state.game().ply() as u32;
        if let Some(interval) = pace.interval() {
            tokio::time::sleep_until(self.next_move.into()).await;
            // Each player makes every other move. Late players do not catch up.
            self.next_move = (self.next_move + 2 * interval).max(Instant::now());
        }
        let key = self.rng.u32(..);
        self.pending = Some(PendingMove { key, ply, mv, at: Instant::now() });
        Ok(line.act(key, Action::Move { ply, mv }).await?)
    }
}

enum PlayError {
    /// The connection broke.
    Lost,
    /// The server violated the protocol.
    ServerFault(ServerFault),
}

/// Creates the error for a violation of the protocol.
fn server_fault(what: String) -> PlayError {
    PlayError::ServerFault(ServerFault(what))
}

impl From<io::Error> for PlayError {
    fn from(_: io::Error) -> PlayError {
        PlayError::Lost
    }
}

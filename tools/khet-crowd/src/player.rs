//! A player: makes legal turns by chance, and comes back when the connection breaks.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use khet::{Color, Move};
use khet_protocol::{
    Action, ErrorCode, Event, EventKind, GameId, GameJoined, GameState, ServerMessage,
};

use crate::{Figures, Line};

/// How long a player waits before coming back.
const RETRY: Duration = Duration::from_millis(50);

/// How fast to play.
#[derive(Clone, Copy, Debug)]
pub enum Pace {
    /// As fast as the server acknowledges.
    Eager,
    /// A move of the game in each such span.
    Every(Duration),
}

/// Something that must never happen.
#[derive(Clone, Debug)]
pub struct Broken(pub String);

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Broken {}

/// A move that was sent and not answered yet.
#[derive(Clone, Copy, Debug)]
struct Sent {
    key: u32,
    ply: u32,
    mv: Move,
    at: Instant,
}

/// Someone at a game.
#[derive(Debug)]
pub struct Player {
    server: SocketAddr,
    cookie: String,
    game: GameId,
    you: Option<Color>,
    state: Option<GameState>,
    /// Every event that was shown or acknowledged, of all games that were played.
    shown: Vec<(GameId, Event)>,
    keeps_events: bool,
    sent: Option<Sent>,
    next_move: Instant,
    luck: fastrand::Rng,
}

impl Player {
    /// Someone who is to play a game.
    pub fn new(server: SocketAddr, cookie: String, game: GameId, seed: u64) -> Player {
        Player {
            server,
            cookie,
            game,
            you: None,
            state: None,
            shown: Vec::new(),
            keeps_events: false,
            sent: None,
            next_move: Instant::now(),
            luck: fastrand::Rng::with_seed(seed),
        }
    }

    /// Keeps every event that was shown, to be compared later.
    #[must_use]
    pub fn keeping_events(mut self) -> Player {
        self.keeps_events = true;
        self
    }

    /// Begins to play at this moment, not at once.
    #[must_use]
    pub fn from(mut self, moment: Instant) -> Player {
        self.next_move = moment;
        self
    }

    /// Every event that was shown, if they were kept.
    pub fn shown(&self) -> &[(GameId, Event)] {
        &self.shown
    }

    /// Plays game after game until the future is dropped, and comes back whenever the connection breaks.
    ///
    /// # Errors
    ///
    /// If the server forgets or contradicts what it said.
    pub async fn play(&mut self, pace: Pace, figures: &Figures) -> Result<(), Broken> {
        loop {
            if let Ok(mut line) = Line::open(self.server, Some(&self.cookie)).await {
                match self.play_on(&mut line, pace, figures).await {
                    Err(Trouble::Broken(broken)) => return Err(broken),
                    // The connection is gone.
                    Err(Trouble::Lost) | Ok(()) => figures.back(),
                }
            }
            let pause = RETRY.mul_f64(0.5 + self.luck.f64());
            tokio::time::sleep(pause).await;
        }
    }

    async fn play_on(
        &mut self,
        line: &mut Line,
        pace: Pace,
        figures: &Figures,
    ) -> Result<(), Trouble> {
        let seen = self.state.as_ref().map_or(0, GameState::last);
        line.hello(self.game, seen).await?;
        loop {
            let Some(message) = line.next().await? else { return Ok(()) };
            match message {
                ServerMessage::GameJoined(welcome) => {
                    self.welcomed(*welcome)?;
                    // What was not answered is sent again; it counts once.
                    if let Some(Sent { key, ply, mv, .. }) = self.sent {
                        line.act(key, Action::Move { ply, mv }).await?;
                    }
                }
                ServerMessage::Event(event) => {
                    let what = event.kind.clone();
                    self.learn(event)?;
                    if let EventKind::Rematched { game } = what {
                        figures.game();
                        self.game = game;
                        self.state = None;
                        self.sent = None;
                        line.hello(game, 0).await?;
                        continue;
                    }
                }
                ServerMessage::Done(made) => {
                    if let Some(sent) = self.sent.take_if(|sent| sent.key == made.key) {
                        figures.mv(sent.at.elapsed());
                        self.check_made(sent, made.number)?;
                    }
                }
                ServerMessage::Refused { key, error } => {
                    let known = self.sent.take_if(|sent| sent.key == key).is_some();
                    let expected = matches!(
                        error.code,
                        ErrorCode::Over
                            | ErrorCode::NotNow
                            | ErrorCode::Unavailable
                            | ErrorCode::Internal
                    );
                    if known && !expected {
                        return Err(broken(format!("{:?}: {}", error.code, error.message)));
                    }
                }
                ServerMessage::Closing { .. } => return Ok(()),
                ServerMessage::Presence(_)
                | ServerMessage::Lobby(_)
                | ServerMessage::Challenge(_)
                | ServerMessage::Paired { .. } => continue,
            }
            self.act(line, pace).await?;
        }
    }

    /// Takes what the server has, and checks that it has everything that it said before.
    fn welcomed(&mut self, welcome: GameJoined) -> Result<(), Trouble> {
        self.you = welcome.you;
        if self.state.is_some() && welcome.after == 0 {
            return Err(broken(format!("game {} was forgotten in part", self.game)));
        }
        for event in welcome.events {
            self.learn(event)?;
        }
        Ok(())
    }

    fn learn(&mut self, event: Event) -> Result<(), Trouble> {
        let learned = match &mut self.state {
            None => GameState::begin(&event).map(|state| self.state = Some(state)),
            Some(state) => state.apply(&event),
        };
        learned.map_err(|misfit| broken(format!("game {}: {misfit}", self.game)))?;
        if self.keeps_events {
            self.shown.push((self.game, event));
        }
        Ok(())
    }

    fn check_made(&self, sent: Sent, number: u32) -> Result<(), Trouble> {
        let state = self.state.as_ref().zip(self.you);
        let found = state.and_then(|(state, you)| state.event_of(you, sent.key));
        if found == Some(number) {
            return Ok(());
        }
        Err(broken(format!(
            "move {} was acknowledged as event {number}, and shown as {found:?}",
            sent.mv
        )))
    }

    /// Does what is to be done now, if it is this player's turn.
    async fn act(&mut self, line: &mut Line, pace: Pace) -> Result<(), Trouble> {
        let (Some(state), Some(you)) = (&self.state, self.you) else { return Ok(()) };
        if state.outcome().is_some() {
            let wanted = match state.rematch() {
                Some(offered) => offered != you,
                // One offers, the other accepts.
                None => you == Color::Silver && state.may_offer_rematch(you),
            };
            if wanted && state.next().is_none() {
                line.act(self.luck.u32(..), Action::Rematch).await?;
            }
            return Ok(());
        }
        if state.to_move() != you || self.sent.is_some() {
            return Ok(());
        }
        let moves = state.game().position().legal_moves();
        let Some(&mv) = moves.get(self.luck.usize(..moves.len().max(1))) else { return Ok(()) };
        let ply = state.game().moves().len() as u32;
        if let Pace::Every(span) = pace {
            tokio::time::sleep_until(self.next_move.into()).await;
            // Each plays every other move. Who is late does not hurry to catch up.
            self.next_move = (self.next_move + 2 * span).max(Instant::now());
        }
        let key = self.luck.u32(..);
        self.sent = Some(Sent { key, ply, mv, at: Instant::now() });
        Ok(line.act(key, Action::Move { ply, mv }).await?)
    }
}

enum Trouble {
    /// The connection broke.
    Lost,
    /// The server did what it must not.
    Broken(Broken),
}

fn broken(what: String) -> Trouble {
    Trouble::Broken(Broken(what))
}

impl From<io::Error> for Trouble {
    fn from(_: io::Error) -> Trouble {
        Trouble::Lost
    }
}

//! A player of the soak: makes moves, offers and takes back, cuts its connections, reconnects, and
//! records everything it sends and receives.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use khet::{Color, GamePosition, TimeControl};
use khet_protocol::{
    Action, ApiError, ErrorCode, Event, GameId, GameJoined, GameState, ServerMessage,
};
use tokio::io::AsyncWriteExt;
use tokio_tungstenite::tungstenite::Message;

use super::journal::{MoveDelivery, SentMove};
use super::outages::now;
use super::soak_run::SoakRun;
use crate::ClientSocket;

/// The mean delay before a player reconnects, in milliseconds.
const RECONNECT_DELAY: u64 = 60;
/// Time after the end of a game for agreeing on a rematch.
const REMATCH_TIME: Duration = Duration::from_secs(10);
/// The usual longest time for a move, in milliseconds.
const THINKING_TIME: u64 = 150;
/// One of this number of moves takes seconds.
const LONG_THINKING_EVERY: u32 = 150;
/// One of this number of messages is followed by a cut of the connection.
const CUT_EVERY: u32 = 60;
/// The first bytes of a masked text frame of 100 bytes, of which the rest never comes.
const HALF_MESSAGE: [u8; 12] = [0x81, 0xE4, 1, 2, 3, 4, 122, 32, 98, 103, 117, 104];

/// A player with a session.
#[derive(Debug)]
pub struct SoakPlayer {
    run: Arc<SoakRun>,
    /// The session cookie.
    pub cookie: String,
    /// The node to which it connects next.
    node: usize,
    rng: fastrand::Rng,
    game: Option<GameView>,
}

/// The game as the player knows it.
#[derive(Debug)]
struct GameView {
    id: GameId,
    you: Option<Color>,
    state: Option<GameState>,
    pending: Option<PendingAction>,
    ended: Option<Instant>,
    wants_rematch: bool,
    /// True after a move was refused because of an outage: it is sent again without thinking.
    is_impatient: bool,
}

/// An action that was sent and is not answered yet.
#[derive(Debug)]
struct PendingAction {
    key: u32,
    action: Action,
}

/// The way on after a message.
enum Next {
    /// Wait for the next message.
    Wait,
    /// Open another connection.
    Reconnect,
    /// The game is over; the rematch, if there is one.
    Leave(Option<GameId>),
}

impl SoakPlayer {
    /// Creates a player who connects to this node first.
    pub fn new(run: Arc<SoakRun>, cookie: String, node: usize, seed: u64) -> SoakPlayer {
        SoakPlayer { run, cookie, node, rng: fastrand::Rng::with_seed(seed), game: None }
    }

    /// Plays a game to its end, over as many connections as it takes. Returns the rematch.
    pub async fn play(&mut self, id: GameId, wants_rematch: bool) -> Option<GameId> {
        self.game = Some(GameView {
            id,
            you: None,
            state: None,
            pending: None,
            ended: None,
            wants_rematch,
            is_impatient: false,
        });
        loop {
            let opening = ClientSocket::open(self.run.nodes[self.node], Some(&self.cookie));
            let opened = tokio::time::timeout(self.run.patience.opening, opening).await;
            if let Ok(Ok(socket)) = opened
                && let Ok(Next::Leave(rematch)) = self.play_over(socket).await
            {
                self.end_wait();
                return rematch;
            }
            self.node = self.run.any_node(&mut self.rng);
            let delay = self.rng.u64(0..2 * RECONNECT_DELAY);
            tokio::time::sleep(Duration::from_millis(delay)).await;
        }
    }

    /// Plays over a connection until it is lost or cut, or the game is over.
    async fn play_over(&mut self, mut socket: ClientSocket) -> io::Result<Next> {
        let Some(game) = &self.game else { return Ok(Next::Leave(None)) };
        let known = game.state.as_ref().map_or(0, GameState::last_event_number);
        // Some clients ask for everything again, and compare it with what they had.
        let seen = if self.rng.u8(..8) == 0 { 0 } else { known };
        socket.subscribe(game.id, seen).await?;
        loop {
            let received = tokio::time::timeout(self.run.patience.silence, socket.next()).await;
            let Ok(Some(message)) = received? else { return Ok(Next::Reconnect) };
            match self.handle(&mut socket, message).await? {
                Next::Wait => {}
                next => return Ok(next),
            }
            if self.act(&mut socket).await? && self.rng.u32(..CUT_EVERY) == 0 {
                self.cut(socket).await;
                return Ok(Next::Reconnect);
            }
        }
    }

    async fn handle(
        &mut self,
        socket: &mut ClientSocket,
        message: ServerMessage,
    ) -> io::Result<Next> {
        match message {
            ServerMessage::GameJoined(joined) => self.join(socket, *joined).await?,
            ServerMessage::Event(event) => self.receive(event),
            ServerMessage::Done(done) => self.acknowledge(done.key, done.number),
            ServerMessage::Refused { key, error } => return Ok(self.refused(key, &error).await),
            ServerMessage::Closing { .. } => return Ok(Next::Reconnect),
            _ => {}
        }
        let Some(game) = &mut self.game else { return Ok(Next::Leave(None)) };
        let Some(state) = &game.state else { return Ok(Next::Wait) };
        let Some(outcome) = state.outcome() else { return Ok(Next::Wait) };
        if game.ended.is_none() {
            self.run.count(|counts| &counts.finished);
        }
        let ended = *game.ended.get_or_insert_with(Instant::now);
        // Moves that were not acknowledged before the end are not sent again.
        let waits = game.wants_rematch && !outcome.is_aborted() && ended.elapsed() < REMATCH_TIME;
        match state.rematch_game() {
            Some(rematch) => Ok(Next::Leave(Some(rematch))),
            None if waits => Ok(Next::Wait),
            None => Ok(Next::Leave(None)),
        }
    }

    /// Applies the events of a game that was joined, and sends the pending move again.
    async fn join(&mut self, socket: &mut ClientSocket, joined: GameJoined) -> io::Result<()> {
        let Some(game) = &mut self.game else { return Ok(()) };
        game.you = joined.you;
        let known = game.state.as_ref().map_or(0, GameState::last_event_number);
        if joined.after + joined.events.len() as u32 >= known {
            joined.events.into_iter().for_each(|event| self.receive(event));
        } else {
            let (id, after) = (game.id, joined.after);
            self.run.fault(format!("game {id} has fewer events than event {known}, from {after}"));
        }
        let Some(game) = &mut self.game else { return Ok(()) };
        match &game.pending {
            Some(PendingAction { key, action: action @ Action::Move { ply, .. } }) => {
                if let Some(by) = game.you {
                    let delivery = MoveDelivery { by, ply: *ply, at: now(), node: self.node };
                    self.run.with_journal(game.id, |journal| journal.deliver_move(delivery));
                }
                socket.act(*key, action.clone()).await
            }
            // Other actions may have been performed; the player decides again.
            _ => {
                game.pending = None;
                Ok(())
            }
        }
    }

    /// Records an event, and applies it unless it is known.
    fn receive(&mut self, event: Event) {
        let Some(game) = &mut self.game else { return };
        self.run.show(game.id, &event);
        let applied = match &mut game.state {
            Some(state) if event.number <= state.last_event_number() => Ok(()),
            Some(state) => state.apply(&event).map(drop),
            None => GameState::begin(&event).map(|state| game.state = Some(state)),
        };
        if let Err(error) = applied {
            self.run.fault(format!("game {}: event {}: {error}", game.id, event.number));
        }
    }

    /// Records an acknowledgement.
    fn acknowledge(&mut self, key: u32, number: u32) {
        let Some(game) = &mut self.game else { return };
        let Some(pending) = game.pending.take_if(|pending| pending.key == key) else { return };
        let Some(by) = game.you else { return };
        let run = &self.run;
        match pending.action {
            Action::Move { ply, mv } => {
                run.count(|counts| &counts.moves);
                let sent = SentMove { by, ply, mv, key };
                run.with_journal(game.id, |journal| journal.acknowledge_move(number, sent));
            }
            _ => run.with_journal(game.id, |journal| journal.acknowledge_action(number)),
        }
    }

    /// Handles a refusal, which is a fault unless an outage or another action explains it.
    async fn refused(&mut self, key: u32, error: &ApiError) -> Next {
        let Some(game) = &mut self.game else { return Next::Leave(None) };
        game.pending.take_if(|pending| pending.key == key);
        match error.code {
            ErrorCode::Unavailable => {
                game.is_impatient = true;
                self.run.count(|counts| &counts.unavailable);
            }
            ErrorCode::Over | ErrorCode::NotNow | ErrorCode::Stale | ErrorCode::NotYourTurn => {}
            _ => {
                let (id, code, message) = (game.id, error.code, &error.message);
                self.run.fault(format!("game {id}: refused as {code:?}: {message}"));
            }
        }
        let delay = Duration::from_millis(self.rng.u64(20..300));
        tokio::time::sleep(delay).await;
        if key == 0 { Next::Reconnect } else { Next::Wait }
    }

    /// Makes a move or another action, if there is something to do. Returns whether it sent one.
    async fn act(&mut self, socket: &mut ClientSocket) -> io::Result<bool> {
        if !self.is_to_move() {
            self.end_wait();
        }
        let Some(action) = self.choose() else { return Ok(false) };
        let Some(GameView { id, you: Some(by), .. }) = self.game else { return Ok(false) };
        let key = self.rng.u32(1..);
        if let Action::Move { ply, mv } = action {
            let is_impatient =
                self.game.as_mut().is_some_and(|game| std::mem::take(&mut game.is_impatient));
            if !is_impatient {
                let long = self.rng.u32(..LONG_THINKING_EVERY) == 0;
                let thinking = if long { 1000..4000 } else { 0..THINKING_TIME };
                tokio::time::sleep(Duration::from_millis(self.rng.u64(thinking))).await;
            }
            let sent = SentMove { by, ply, mv, key };
            let delivery = MoveDelivery { by, ply, at: now(), node: self.node };
            self.run.with_journal(id, |journal| {
                journal.send_move(sent);
                journal.deliver_move(delivery);
            });
            self.run.wait(id, by);
        } else {
            self.run.with_journal(id, |journal| journal.send_action(by, action.clone()));
        }
        if let Some(game) = &mut self.game {
            game.pending = Some(PendingAction { key, action: action.clone() });
        }
        socket.act(key, action).await?;
        Ok(true)
    }

    /// Returns whether the game goes on and it is this player's turn.
    fn is_to_move(&self) -> bool {
        let game = self.game.as_ref().and_then(|game| Some((game.state.as_ref()?, game.you?)));
        game.is_some_and(|(state, you)| state.outcome().is_none() && state.to_move() == you)
    }

    /// Records that this player does not wait for the answer to a move.
    fn end_wait(&self) {
        if let Some(GameView { id, you: Some(you), .. }) = self.game {
            self.run.end_wait(id, you);
        }
    }

    /// Chooses an action.
    fn choose(&mut self) -> Option<Action> {
        let game = self.game.as_ref()?;
        let (state, you) = (game.state.as_ref()?, game.you?);
        if game.pending.is_some() {
            return None;
        }
        if state.outcome().is_some() {
            let wanted = match state.rematch_offer() {
                Some(offered) => offered != you,
                None => you == Color::Silver && state.may_offer_rematch(you),
            };
            return (game.wants_rematch && wanted).then_some(Action::Rematch);
        }
        let rng = &mut self.rng;
        let moves = state.game().ply();
        if state.draw_offer() == Some(!you) && rng.u8(..6) == 0 {
            return Some(Action::Draw);
        }
        if state.takeback_request() == Some(!you) && rng.u8(..2) == 0 {
            return Some(Action::Takeback);
        }
        if state.to_move() != you {
            return None;
        }
        let chance = rng.u16(..1000);
        match chance {
            0..=3 if moves >= 10 => return Some(Action::Resign),
            4..=5 if moves < 2 => return Some(Action::Abort),
            10..=19 if state.may_offer_draw(you) => return Some(Action::Draw),
            20..=29 if state.may_ask_takeback(you) => return Some(Action::Takeback),
            30..=39 if matches!(state.options().time, TimeControl::RealTime { .. }) => {
                return Some(Action::AddTime);
            }
            40..=42 => return Some(Action::Chat { text: format!("move {moves}") }),
            _ => {}
        }
        let position = state.game().position();
        let legal = position.legal_moves();
        let mv = *legal.get(rng.usize(..legal.len().max(1)))?;
        Some(Action::Move { ply: moves as u32, mv })
    }

    /// Cuts a connection in one of several rude ways.
    async fn cut(&mut self, mut socket: ClientSocket) {
        self.run.count(|counts| &counts.cuts);
        if let Some(GameView { id, you: Some(you), .. }) = self.game {
            // The move may be lost with the connection, through no fault of the server.
            self.run.with_journal(id, |journal| journal.forget_deliveries(you));
        }
        match self.rng.u8(..5) {
            // Dropped without a close frame.
            0 => {}
            // Reset: what is on the way gets lost.
            1 => drop(socket.stream().set_zero_linger()),
            // In the middle of a message.
            2 => drop(socket.stream().write_all(&HALF_MESSAGE).await),
            // Half-closed: sends nothing more, and reads for a while.
            3 => {
                let _ = socket.stream().shutdown().await;
                let reading = async { while let Ok(Some(_)) = socket.next().await {} };
                let _ = tokio::time::timeout(Duration::from_millis(200), reading).await;
            }
            // A half-open connection: the client keeps it open for a while without reading.
            _ => {
                let time = Duration::from_millis(self.rng.u64(100..20_000));
                let ping = Message::Ping(Vec::new().into());
                tokio::spawn(async move {
                    let _ = socket.send(ping).await;
                    tokio::time::sleep(time).await;
                });
            }
        }
    }
}

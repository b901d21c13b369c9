//! One game of a bot: follows the game's event stream and sends moves and other actions.

use std::time::{Duration, Instant, SystemTime};

use khet::{Color, Move, tower};
use khet_protocol::{
    Action, ActionAck, ActionRequest, ErrorCode, Event, EventKind, GameId, GameJoined, GameState,
    Presence, ServerMessage,
};

use super::Bot;
use super::api_client::ClientError;

/// How long the bot waits for a rematch offer after the end of a game.
const REMATCH_WAIT: Duration = Duration::from_secs(30);
/// Milliseconds for each of the first moves in a game without clocks. Then the bot aborts it.
const FIRST_MOVE_TIMEOUT: u64 = 10 * 60 * 1000;
/// Connection attempts in a row without receiving a line, after which the bot gives up.
const MAX_ATTEMPTS: u32 = 20;

/// Plays a game to its end.
pub(crate) fn play(bot: &Bot, id: GameId) {
    let mut game = BotGame {
        bot,
        id,
        you: None,
        state: None,
        presence: None,
        server_offset: 0,
        last_move: None,
        is_behind: false,
        ended_at: None,
    };
    let mut attempts = 0;
    while attempts < MAX_ATTEMPTS && !bot.is_stopped() {
        match game.listen(&mut attempts) {
            Ok(()) => return,
            Err(ClientError::Api(error)) if !is_temporary(error.code) => {
                return bot.log(&format!("{id}: {error}"));
            }
            Err(_) => {
                attempts += 1;
                std::thread::sleep(Duration::from_millis(500) * attempts);
            }
        }
    }
}

/// Returns whether the request may succeed later.
fn is_temporary(code: ErrorCode) -> bool {
    matches!(code, ErrorCode::TooMany | ErrorCode::Unavailable | ErrorCode::Internal)
}

/// A game that the bot plays.
struct BotGame<'b> {
    bot: &'b Bot,
    id: GameId,
    /// The bot's colour.
    you: Option<Color>,
    /// `None` until the `game-joined` message.
    state: Option<GameState>,
    presence: Option<Presence>,
    /// Milliseconds by which the server's clock is ahead of ours.
    server_offset: i64,
    /// Ply, move and action key of the last move that was sent. If it is sent again, it keeps its
    /// key, so that the server does not play it twice.
    last_move: Option<(usize, Move<tower::Square>, u32)>,
    is_behind: bool,
    /// When the game ended, if the bot saw it end.
    ended_at: Option<Instant>,
}

impl BotGame<'_> {
    /// Plays until the connection ends, which is an error, or the game is finished.
    fn listen(&mut self, attempts: &mut u32) -> Result<(), ClientError> {
        let seen = self.state.as_ref().map_or(0, GameState::last_event_number);
        let path = format!("/api/games/{}/stream?seen={seen}", self.id);
        for line in self.bot.client.stream(&path)? {
            let line = line?;
            *attempts = 0;
            if !line.is_empty() {
                let message = serde_json::from_str(&line)
                    .map_err(|error| ClientError::Connection(error.to_string()))?;
                self.handle_message(message)?;
            }
            if self.is_finished() || self.bot.is_stopped() {
                return Ok(());
            }
            self.act()?;
        }
        Err(ClientError::Connection("the connection was closed".to_owned()))
    }

    fn handle_message(&mut self, message: ServerMessage) -> Result<(), ClientError> {
        match message {
            ServerMessage::GameJoined(joined) => self.handle_joined(*joined),
            ServerMessage::Event(event) => self.apply(&event),
            ServerMessage::Presence(presence) => {
                self.presence = Some(presence);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn handle_joined(&mut self, joined: GameJoined) -> Result<(), ClientError> {
        let GameJoined { you, after, events, presence, now, players, .. } = joined;
        self.server_offset = now as i64 - local_time() as i64;
        self.presence = Some(presence);
        if after == 0 {
            let state = GameState::fold(&events).map_err(apply_error)?;
            if let Some(color) = you.filter(|_| self.state.is_none()) {
                let other = players.get(!color).name.as_ref();
                let other = other.map_or_else(|| "a guest".to_owned(), |name| name.to_string());
                self.bot.log(&format!("{}: {color} against {other}", self.id));
            }
            self.state = Some(state);
        } else {
            for event in &events {
                self.apply(event)?;
            }
        }
        self.you = you;
        Ok(())
    }

    /// Applies an event to the state of the game.
    fn apply(&mut self, event: &Event) -> Result<(), ClientError> {
        let Some(state) = &mut self.state else {
            let message = "the stream did not start with a game-joined message";
            return Err(ClientError::Connection(message.to_owned()));
        };
        if let Err(error) = state.apply(event) {
            // Requests all events at the next connection.
            self.state = None;
            return Err(apply_error(error));
        }
        if let EventKind::Ended(end) = event.kind {
            self.ended_at = Some(Instant::now());
            self.bot.log(&format!("{}: {end}", self.id));
        }
        Ok(())
    }

    /// Returns whether there is nothing left to do: the bot does not play in this game, or the game
    /// has ended and no rematch was offered in time.
    fn is_finished(&self) -> bool {
        let Some(state) = &self.state else { return false };
        if self.you.is_none() {
            return true;
        }
        match (state.outcome(), self.ended_at) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some(_), Some(ended_at)) => {
                state.rematch_game().is_some() || ended_at.elapsed() > REMATCH_WAIT
            }
        }
    }

    /// Returns the server's time in milliseconds.
    fn now(&self) -> u64 {
        local_time().saturating_add_signed(self.server_offset)
    }

    /// Sends the action that the state of the game calls for, if any.
    fn act(&mut self) -> Result<(), ClientError> {
        let (Some(state), Some(you)) = (self.state.clone(), self.you) else { return Ok(()) };
        if state.outcome().is_some() {
            if state.rematch_offer() == Some(!you) {
                self.send(Action::Rematch)?;
            }
            return Ok(());
        }
        if state.takeback_request() == Some(!you) {
            // Takebacks are only possible in casual games, where the bot always accepts.
            return self.send(Action::Takeback);
        }
        if state.draw_offer() == Some(!you) {
            let action = if self.is_behind { Action::Draw } else { Action::DeclineDraw };
            self.send(action)?;
        }
        if state.to_move() == you {
            return self.make_move(&state, you);
        }
        let now = self.now();
        let claim_at = self.presence.and_then(|presence| presence.claim_at);
        if claim_at.is_some_and(|at| now > at) {
            return self.send(Action::ClaimWin);
        }
        let waited = now.saturating_sub(state.moved_at());
        if state.may_abort() && state.clock().is_none() && waited > FIRST_MOVE_TIMEOUT {
            return self.send(Action::Abort);
        }
        Ok(())
    }

    /// Searches a move and sends it.
    fn make_move(&mut self, state: &GameState, you: Color) -> Result<(), ClientError> {
        let ply = state.game().ply();
        let (mv, key) = match self.last_move {
            // Sent before, but it may not have arrived. If the server knows the key, the move was
            // played and taken back, and a new one is needed.
            Some((sent, mv, key)) if sent == ply && state.event_of(you, key).is_none() => (mv, key),
            _ => {
                let now = Duration::from_millis(self.now());
                let left = state.clock().map(|clock| clock.left(you, now));
                let choice =
                    self.bot.engine.choose_move(state.game(), left, u64::from(random_u32()));
                self.is_behind = choice.is_behind;
                if choice.is_behind && state.game().can_claim_draw() {
                    return self.send(Action::ClaimRepetition);
                }
                // Without a legal move the game is over; the server sends its end.
                let Some(mv) = choice.mv else { return Ok(()) };
                (mv, random_u32())
            }
        };
        self.last_move = Some((ply, mv, key));
        self.send_with_key(key, Action::Move { ply: ply as u32, mv })
    }

    /// Sends an action with a random key.
    fn send(&self, action: Action) -> Result<(), ClientError> {
        self.send_with_key(random_u32(), action)
    }

    /// Sends an action. Ignores refusals because the game has changed in the meantime; its events
    /// follow on the stream.
    fn send_with_key(&self, key: u32, action: Action) -> Result<(), ClientError> {
        let path = format!("/api/games/{}/action", self.id);
        match self.bot.client.post::<ActionAck>(&path, &ActionRequest { key, action }) {
            Ok(_) => Ok(()),
            Err(ClientError::Api(error)) => match error.code {
                ErrorCode::Stale | ErrorCode::NotYourTurn | ErrorCode::Over | ErrorCode::NotNow => {
                    Ok(())
                }
                code if is_temporary(code) => {
                    let seconds = error.retry_after.unwrap_or(1).min(30);
                    std::thread::sleep(Duration::from_secs(u64::from(seconds)));
                    Err(ClientError::Connection(error.message))
                }
                _ => Err(ClientError::Api(error)),
            },
            Err(error) => Err(error),
        }
    }
}

fn apply_error(error: khet_protocol::ApplyError) -> ClientError {
    ClientError::Connection(error.to_string())
}

/// Returns this machine's time in milliseconds since the Unix epoch.
fn local_time() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    since.as_millis() as u64
}

/// Returns a random number from the operating system, or the time if there is none.
fn random_u32() -> u32 {
    let mut bytes = [0; 4];
    match getrandom::fill(&mut bytes) {
        Ok(()) => u32::from_le_bytes(bytes),
        Err(_) => local_time() as u32,
    }
}

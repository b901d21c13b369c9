//! One game of a bot: what it hears, and what it does about it.

use std::time::{Duration, Instant, SystemTime};

use khet::{Color, Move};
use khet_protocol::{
    Action, ActionAck, ActionRequest, ErrorCode, Event, EventKind, GameId, GameJoined, GameState,
    Presence, ServerMessage,
};

use super::Bot;
use super::server::Trouble;

/// How long it stays when the game is over, for a rematch.
const STAYS: Duration = Duration::from_secs(30);
/// In a game without clocks, how long the first moves may take, in milliseconds.
const FIRST_MOVES: u64 = 10 * 60 * 1000;
/// How often a broken connection is made anew, without anything heard between.
const TRIES: u32 = 20;

/// Plays a game to its end.
pub(crate) fn play(bot: &Bot, id: GameId) {
    let mut table = Table {
        bot,
        id,
        you: None,
        state: None,
        presence: None,
        ahead: 0,
        sent: None,
        is_behind: false,
        over: None,
    };
    let mut tries = 0;
    while tries < TRIES && !bot.is_stopped() {
        match table.listen(&mut tries) {
            Ok(()) => return,
            Err(Trouble::Refused(error)) if !may_pass(error.code) => {
                return bot.say(&format!("{id}: {error}"));
            }
            Err(_) => {
                tries += 1;
                std::thread::sleep(Duration::from_millis(500) * tries);
            }
        }
    }
}

/// Whether it is of use to try again.
fn may_pass(code: ErrorCode) -> bool {
    matches!(code, ErrorCode::TooMany | ErrorCode::Unavailable | ErrorCode::Internal)
}

struct Table<'b> {
    bot: &'b Bot,
    id: GameId,
    you: Option<Color>,
    state: Option<GameState>,
    presence: Option<Presence>,
    /// By how many milliseconds the server's clock is ahead of ours.
    ahead: i64,
    /// The last move that was sent: at which ply, and by which number. Sent again, it has the same.
    sent: Option<(usize, Move, u32)>,
    is_behind: bool,
    /// Since when the game is over.
    over: Option<Instant>,
}

impl Table<'_> {
    /// Plays as long as the connection lasts. When this returns without trouble, there is nothing more to do.
    fn listen(&mut self, tries: &mut u32) -> Result<(), Trouble> {
        let seen = self.state.as_ref().map_or(0, GameState::last);
        let lines = self.bot.server.lines(&format!("/api/games/{}/stream?seen={seen}", self.id))?;
        for line in lines {
            let line = line?;
            *tries = 0;
            if !line.is_empty() {
                let message = serde_json::from_str(&line)
                    .map_err(|error| Trouble::Broken(error.to_string()))?;
                self.hear(message)?;
            }
            if self.is_done() || self.bot.is_stopped() {
                return Ok(());
            }
            self.act()?;
        }
        Err(Trouble::Broken("the connection was closed".to_owned()))
    }

    fn hear(&mut self, message: ServerMessage) -> Result<(), Trouble> {
        match message {
            ServerMessage::GameJoined(welcome) => self.welcome(*welcome),
            ServerMessage::Event(event) => self.apply(&event),
            ServerMessage::Presence(presence) => {
                self.presence = Some(presence);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn welcome(&mut self, welcome: GameJoined) -> Result<(), Trouble> {
        let GameJoined { you, after, events, presence, now, players, .. } = welcome;
        self.ahead = now as i64 - local_time() as i64;
        self.presence = Some(presence);
        if after == 0 {
            let state = GameState::fold(&events).map_err(misfit)?;
            if let Some(color) = you.filter(|_| self.state.is_none()) {
                let other = players.get(!color).name.as_ref();
                let other = other.map_or_else(|| "a guest".to_owned(), |name| name.to_string());
                self.bot.say(&format!("{}: {color} against {other}", self.id));
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

    fn apply(&mut self, event: &Event) -> Result<(), Trouble> {
        let Some(state) = &mut self.state else {
            return Err(Trouble::Broken("the game did not begin".to_owned()));
        };
        if let Err(error) = state.apply(event) {
            // The next time all events are asked for.
            self.state = None;
            return Err(misfit(error));
        }
        if let EventKind::Ended(end) = event.kind {
            self.over = Some(Instant::now());
            self.bot.say(&format!("{}: {end}", self.id));
        }
        Ok(())
    }

    fn is_done(&self) -> bool {
        let Some(state) = &self.state else { return false };
        if self.you.is_none() {
            return true;
        }
        match (state.outcome(), self.over) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some(_), Some(since)) => state.next().is_some() || since.elapsed() > STAYS,
        }
    }

    fn now(&self) -> u64 {
        local_time().saturating_add_signed(self.ahead)
    }

    /// Does what is to be done in the game as it stands.
    fn act(&mut self) -> Result<(), Trouble> {
        let (Some(state), Some(you)) = (self.state.clone(), self.you) else { return Ok(()) };
        if state.outcome().is_some() {
            if state.rematch() == Some(!you) {
                self.send(Action::Rematch)?;
            }
            return Ok(());
        }
        if state.takeback() == Some(!you) {
            // In casual games, which are for learning.
            return self.send(Action::Takeback);
        }
        if state.draw_offer() == Some(!you) {
            let act = if self.is_behind { Action::Draw } else { Action::DeclineDraw };
            self.send(act)?;
        }
        if state.to_move() == you {
            return self.make_move(&state, you);
        }
        let now = self.now();
        let claim_at = self.presence.and_then(|presence| presence.claim_at);
        if claim_at.is_some_and(|at| now > at) {
            return self.send(Action::ClaimWin);
        }
        let waits = now.saturating_sub(state.moved_at());
        if state.may_abort() && state.clock().is_none() && waits > FIRST_MOVES {
            return self.send(Action::Abort);
        }
        Ok(())
    }

    fn make_move(&mut self, state: &GameState, you: Color) -> Result<(), Trouble> {
        let ply = state.game().moves().len();
        let (mv, key) = match self.sent {
            // Sent, but perhaps not arrived; unless it was made and taken back.
            Some((sent, mv, key)) if sent == ply && state.event_of(you, key).is_none() => (mv, key),
            _ => {
                let now = Duration::from_millis(self.now());
                let left = state.clock().map(|clock| clock.left(you, now));
                let seed = u64::from(random());
                let thought = self.bot.mind.think(state.game(), left, seed);
                self.is_behind = thought.is_behind;
                if thought.is_behind && state.game().can_claim_draw() {
                    return self.send(Action::ClaimRepetition);
                }
                // Without a turn the game is over, which the server says.
                let Some(mv) = thought.mv else { return Ok(()) };
                (mv, random())
            }
        };
        self.sent = Some((ply, mv, key));
        self.post(key, Action::Move { ply: ply as u32, mv })
    }

    fn send(&self, act: Action) -> Result<(), Trouble> {
        self.post(random(), act)
    }

    /// Does something. If the game has gone on meanwhile, its events tell.
    fn post(&self, key: u32, act: Action) -> Result<(), Trouble> {
        let path = format!("/api/games/{}/act", self.id);
        let made = self.bot.server.post::<ActionAck>(&path, &ActionRequest { key, action: act });
        match made {
            Ok(_) => Ok(()),
            Err(Trouble::Refused(error)) => match error.code {
                ErrorCode::Stale | ErrorCode::NotYourTurn | ErrorCode::Over | ErrorCode::NotNow => {
                    Ok(())
                }
                code if may_pass(code) => {
                    let seconds = error.retry_after.unwrap_or(1).min(30);
                    std::thread::sleep(Duration::from_secs(u64::from(seconds)));
                    Err(Trouble::Broken(error.message))
                }
                _ => Err(Trouble::Refused(error)),
            },
            Err(trouble) => Err(trouble),
        }
    }
}

fn misfit(error: khet_protocol::ApplyError) -> Trouble {
    Trouble::Broken(error.to_string())
}

fn local_time() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    since.as_millis() as u64
}

/// A number that hardly ever comes twice.
fn random() -> u32 {
    let mut bytes = [0; 4];
    match getrandom::fill(&mut bytes) {
        Ok(()) => u32::from_le_bytes(bytes),
        Err(_) => local_time() as u32,
    }
}

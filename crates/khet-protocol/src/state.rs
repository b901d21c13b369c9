//! The state of a game, computed from its events on the server and in the browser.

use std::fmt;
use std::time::Duration;

use khet::{AnyGame, Clock, Color, GameError, GamePosition, Move, Outcome, Shot, tower};

use crate::{Event, EventKind, GameId, GameOptions, GameStart, PersonId};

/// The state of a game after its events.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameState {
    start: GameStart,
    started_at: u64,
    game: AnyGame,
    clock: Option<Clock>,
    outcome: Option<Outcome>,
    /// When the last move was made, or the game started.
    moved_at: u64,
    /// The number of the last event.
    last_event_number: u32,
    /// Every move made, taken back or not: the player, the client's key and the number of the
    /// event.
    keys: Vec<(Color, u32, u32)>,
    draw_offer: Option<Color>,
    takeback_request: Option<Color>,
    rematch_offer: Option<Color>,
    rematch_game: Option<GameId>,
    /// Number of moves made when each player last offered a draw.
    draw_offered: [Option<usize>; 2],
    /// Number of moves made when each player last asked for a takeback.
    takeback_asked: [Option<usize>; 2],
    /// Whether each player has offered a rematch.
    rematch_offered: [bool; 2],
}

/// An event that cannot be applied. From a server, this is a bug of the server or the client.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ApplyError {
    /// The first event is not `started`, or a later one is.
    Beginning,
    /// The event is not the next one by number.
    #[allow(missing_docs)]
    Number { expected: u32, found: u32 },
    /// The options of the game are invalid.
    Options(crate::OptionsProblem),
    /// The move is illegal.
    Move(GameError<tower::Square>),
    /// There is nothing to take back, to decline, to withdraw or to end.
    Nothing,
}

impl fmt::Display for ApplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ApplyError::Beginning => f.write_str("a game begins once, with its first event"),
            ApplyError::Number { expected, found } => {
                write!(f, "event {found} comes where event {expected} is next")
            }
            ApplyError::Options(problem) => problem.fmt(f),
            ApplyError::Move(error) => error.fmt(f),
            ApplyError::Nothing => f.write_str("there is nothing that the event could change"),
        }
    }
}

impl std::error::Error for ApplyError {}

impl GameState {
    /// Returns the state after a list of events.
    ///
    /// # Errors
    ///
    /// If an event cannot be applied.
    pub fn fold(events: &[Event]) -> Result<GameState, ApplyError> {
        let (first, rest) = events.split_first().ok_or(ApplyError::Beginning)?;
        let mut state = GameState::begin(first)?;
        for event in rest {
            state.apply(event)?;
        }
        Ok(state)
    }

    /// Returns the state after the first event.
    ///
    /// # Errors
    ///
    /// If it is not `started` with valid options.
    pub fn begin(first: &Event) -> Result<GameState, ApplyError> {
        let EventKind::Started(started) = &first.kind else { return Err(ApplyError::Beginning) };
        if first.number != 1 {
            return Err(ApplyError::Number { expected: 1, found: first.number });
        }
        let position = started.options.position().map_err(ApplyError::Options)?;
        let mut clock = Clock::new(started.options.time, Clock::ONLINE_FREE_MOVES);
        if let Some(clock) = &mut clock {
            clock.start(position.side_to_move(), 0, Duration::from_millis(first.at));
        }
        Ok(GameState {
            start: (**started).clone(),
            started_at: first.at,
            game: AnyGame::new(position),
            clock,
            outcome: None,
            moved_at: first.at,
            last_event_number: 1,
            keys: Vec::new(),
            draw_offer: None,
            takeback_request: None,
            rematch_offer: None,
            rematch_game: None,
            draw_offered: [None; 2],
            takeback_asked: [None; 2],
            rematch_offered: [false; 2],
        })
    }

    /// Applies the next event. Returns the shot if the event is a move.
    ///
    /// # Errors
    ///
    /// If the event can't be the next one. The state is unchanged in this case.
    pub fn apply(&mut self, event: &Event) -> Result<Option<Shot<tower::Square>>, ApplyError> {
        let expected = self.last_event_number + 1;
        if event.number != expected {
            return Err(ApplyError::Number { expected, found: event.number });
        }
        let mut shot = None;
        match event.kind {
            EventKind::Started(_) => return Err(ApplyError::Beginning),
            EventKind::Move { mv, key, left } => {
                shot = Some(self.play(mv, left, event.at)?);
                self.keys.push((!self.to_move(), key, event.number));
            }
            EventKind::TakenBack { moves } => self.take_back(usize::from(moves), event.at)?,
            EventKind::TimeAdded { by, time } => {
                self.check_running()?;
                let clock = self.clock.as_mut().ok_or(ApplyError::Nothing)?;
                clock.add(!by, Duration::from_millis(time));
            }
            EventKind::Credited { time } => {
                if let Some(clock) = &mut self.clock {
                    clock.credit(Duration::from_millis(time));
                }
                self.moved_at = self.moved_at.saturating_add(time);
            }
            EventKind::Ended(outcome) => self.apply_end(outcome, event.at)?,
            EventKind::Chat { .. } | EventKind::ChatHidden | EventKind::Rated { .. } => {}
            EventKind::DrawOffered { .. }
            | EventKind::DrawDeclined { .. }
            | EventKind::DrawWithdrawn { .. }
            | EventKind::TakebackAsked { .. }
            | EventKind::TakebackDeclined { .. }
            | EventKind::TakebackWithdrawn { .. }
            | EventKind::RematchOffered { .. }
            | EventKind::RematchDeclined { .. }
            | EventKind::RematchWithdrawn { .. }
            | EventKind::Rematched { .. } => self.apply_offer(&event.kind)?,
        }
        self.last_event_number = event.number;
        Ok(shot)
    }

    /// Plays a move of the side to move. `left` is what its clock shows afterwards.
    fn play(
        &mut self,
        mv: Move<tower::Square>,
        left: Option<u64>,
        now: u64,
    ) -> Result<Shot<tower::Square>, ApplyError> {
        self.check_running()?;
        let by = self.to_move();
        let shot = self.game.play(mv).map_err(ApplyError::Move)?;
        self.moved_at = now;
        let moves = self.game.ply();
        if let Some(clock) = &mut self.clock {
            let now = Duration::from_millis(now);
            match left {
                Some(left) => clock.press_with(by, Duration::from_millis(left), moves, now),
                None => clock.press(by, moves, now),
            }
        }
        // A player who moves declines the other player's offers.
        self.draw_offer = self.draw_offer.filter(|&offered| offered == by);
        self.takeback_request = None;
        Ok(shot)
    }

    /// Takes back the last moves. The clock of the player to move starts again.
    fn take_back(&mut self, moves: usize, now: u64) -> Result<(), ApplyError> {
        self.check_running()?;
        if moves > self.game.ply() {
            return Err(ApplyError::Nothing);
        }
        for _ in 0..moves {
            self.game.take_back();
        }
        self.moved_at = now;
        let (to_move, moves) = (self.to_move(), self.game.ply());
        if let Some(clock) = &mut self.clock {
            let now = Duration::from_millis(now);
            clock.stop(now);
            clock.start(to_move, moves, now);
        }
        self.draw_offer = None;
        self.takeback_request = None;
        // Offers made after moves that no longer exist may be made again.
        for offered_at in self.draw_offered.iter_mut().chain(&mut self.takeback_asked) {
            offered_at.take_if(|offered_at| *offered_at > moves);
        }
        Ok(())
    }

    /// Ends the game: stops the clock and closes the offers.
    fn apply_end(&mut self, outcome: Outcome, now: u64) -> Result<(), ApplyError> {
        self.check_running()?;
        if let Some(clock) = &mut self.clock {
            clock.stop(Duration::from_millis(now));
        }
        self.outcome = Some(outcome);
        self.draw_offer = None;
        self.takeback_request = None;
        Ok(())
    }

    /// Applies offers of draws, takebacks and rematches, the answers to them, and withdrawals.
    fn apply_offer(&mut self, kind: &EventKind) -> Result<(), ApplyError> {
        let moves = self.game.ply();
        match *kind {
            EventKind::DrawOffered { by } => {
                self.check_running()?;
                self.draw_offer = Some(by);
                self.draw_offered[by as usize] = Some(moves);
            }
            EventKind::DrawDeclined { by } => close(&mut self.draw_offer, !by)?,
            EventKind::DrawWithdrawn { by } => close(&mut self.draw_offer, by)?,
            EventKind::TakebackAsked { by } => {
                self.check_running()?;
                self.takeback_request = Some(by);
                self.takeback_asked[by as usize] = Some(moves);
            }
            EventKind::TakebackDeclined { by } => close(&mut self.takeback_request, !by)?,
            EventKind::TakebackWithdrawn { by } => close(&mut self.takeback_request, by)?,
            EventKind::RematchOffered { by } => {
                self.rematch_offer = Some(by);
                self.rematch_offered[by as usize] = true;
            }
            EventKind::RematchDeclined { by } => close(&mut self.rematch_offer, !by)?,
            EventKind::RematchWithdrawn { by } => close(&mut self.rematch_offer, by)?,
            EventKind::Rematched { game } => {
                self.rematch_game = Some(game);
                self.rematch_offer = None;
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns an error if the game is over.
    fn check_running(&self) -> Result<(), ApplyError> {
        if self.outcome.is_none() { Ok(()) } else { Err(ApplyError::Nothing) }
    }

    /// Returns the players and options.
    pub fn start(&self) -> &GameStart {
        &self.start
    }

    /// Returns start, rules and time control.
    pub fn options(&self) -> &GameOptions {
        &self.start.options
    }

    /// Returns when the game started.
    pub fn started_at(&self) -> u64 {
        self.started_at
    }

    /// Returns when the last move was made or the game started, plus the credited time since.
    pub fn moved_at(&self) -> u64 {
        self.moved_at
    }

    /// Returns the game on the board: positions, moves, repetitions. Its outcome does not include
    /// time, agreements or resignations.
    pub fn game(&self) -> &AnyGame {
        &self.game
    }

    /// Returns the side to move.
    pub fn to_move(&self) -> Color {
        self.game.side_to_move()
    }

    /// Returns the clock, if the game has one. Its times are measured from 1970.
    pub fn clock(&self) -> Option<&Clock> {
        self.clock.as_ref()
    }

    /// Returns the outcome; `None` while the game is in progress.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Returns the number of the last event.
    pub fn last_event_number(&self) -> u32 {
        self.last_event_number
    }

    /// Returns the number of the event of a player's move with this key.
    pub fn event_of(&self, by: Color, key: u32) -> Option<u32> {
        let mut keys = self.keys.iter().rev();
        keys.find(|known| (known.0, known.1) == (by, key)).map(|known| known.2)
    }

    /// Returns the player whose draw offer is open.
    pub fn draw_offer(&self) -> Option<Color> {
        self.draw_offer
    }

    /// Returns the player whose takeback request is open.
    pub fn takeback_request(&self) -> Option<Color> {
        self.takeback_request
    }

    /// Returns the player whose rematch offer is open.
    pub fn rematch_offer(&self) -> Option<Color> {
        self.rematch_offer
    }

    /// Returns the id of the rematch, if it was agreed.
    pub fn rematch_game(&self) -> Option<GameId> {
        self.rematch_game
    }

    /// Returns whether a player may offer a draw now: once between two moves.
    pub fn may_offer_draw(&self, by: Color) -> bool {
        let moves = self.game.ply();
        self.outcome.is_none() && moves >= 2 && self.draw_offered[by as usize] != Some(moves)
    }

    /// Returns whether a player may ask for a takeback now: in casual games, of a move of one's
    /// own, once between two moves.
    pub fn may_ask_takeback(&self, by: Color) -> bool {
        let moves = self.game.ply();
        self.outcome.is_none()
            && !self.options().rated
            && self.moves_to_take_back(by) <= moves
            && self.takeback_asked[by as usize] != Some(moves)
    }

    /// Returns the number of moves to take back until it is the player's turn again.
    pub fn moves_to_take_back(&self, by: Color) -> usize {
        if self.to_move() == by { 2 } else { 1 }
    }

    /// Returns whether the game may still be aborted: until both players have made a move.
    pub fn may_abort(&self) -> bool {
        self.outcome.is_none() && self.game.ply() < 2
    }

    /// Returns whether a player may offer a rematch: once, after the end.
    pub fn may_offer_rematch(&self, by: Color) -> bool {
        self.outcome.is_some() && self.rematch_game.is_none() && !self.rematch_offered[by as usize]
    }

    /// Returns the player of a colour.
    pub fn person(&self, color: Color) -> PersonId {
        match color {
            Color::Silver => self.start.silver,
            Color::Red => self.start.red,
        }
    }

    /// Returns the colour that a person plays, if any.
    pub fn color_of(&self, person: PersonId) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.person(color) == person)
    }
}

/// Closes the open offer of a player.
fn close(offer: &mut Option<Color>, by: Color) -> Result<(), ApplyError> {
    offer.take_if(|offered| *offered == by).map(drop).ok_or(ApplyError::Nothing)
}

//! A game in progress: moves, clocks, termination, and the position that is viewed.
//!
//! It uses neither the DOM nor the engine. Callers pass in moves and the time.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use khet::{
    AnySetup, Clock, Color, GamePosition, Kind, Outcome, Piece, Role, Termination, TimeControl,
};

use crate::board::{Hint, HintKind, Scene, SceneShot};
use crate::rules::{Game, GameError, Move, Position, Shot, setup_of};

/// The kind of game and its options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// A person against the computer.
    Computer {
        /// The computer's level, from 1 to 10.
        level: u8,
        /// The person's side.
        person: Color,
        /// Previews the person's beam.
        practice: bool,
    },
    /// Two people on one device.
    Hotseat {
        /// Flips the board to the side to move.
        flips_board: bool,
        /// Pauses the clocks while the page is hidden.
        pauses_when_hidden: bool,
    },
    /// A game on the server, which decides what happens. Online pages share the board and the move
    /// list with local games, and both need to know the side of the person. Such a session is
    /// never saved on this device, never resigned here, and never asks the engine for a move.
    Online {
        /// The side of the person at this device, or `None` for a spectator.
        you: Option<Color>,
    },
}

/// The number of the next shot. Numbers are unique on a page, because boards animate each number
/// once.
static SHOTS: AtomicU32 = AtomicU32::new(1);

/// Returns the clock of a game on this device, if it has one.
pub fn local_clock(control: TimeControl) -> Option<Clock> {
    Clock::new(control, Clock::LOCAL_FREE_MOVES)
}

/// A game with its clocks and the position that is viewed.
#[derive(Clone, Debug)]
pub struct GameSession {
    game: Game,
    /// The shot of each move.
    shots: Vec<SceneShot>,
    mode: Mode,
    clock: Option<Clock>,
    /// The remaining times after each move, if the game has clocks.
    times: Vec<[Duration; 2]>,
    /// The outcome, if the position does not imply it.
    off_board: Option<Outcome>,
    /// The ply that is viewed: the number of moves before its position.
    viewed_ply: usize,
    /// The last shot is shown without animation, because it was not fired just now.
    still: bool,
    /// True if the players have paused the game: the clocks are stopped and moves are rejected.
    paused: bool,
    /// The names of Silver and Red in pass and play, empty if they gave none.
    names: [String; 2],
    /// The name under which the start position was published, or an empty text.
    start_name: String,
}

impl GameSession {
    /// Creates a new game.
    pub fn new(start: impl Into<Position>, mode: Mode, control: TimeControl) -> GameSession {
        GameSession {
            game: Game::new(start.into()),
            shots: Vec::new(),
            mode,
            clock: local_clock(control),
            times: Vec::new(),
            off_board: None,
            viewed_ply: 0,
            still: true,
            paused: false,
            names: Default::default(),
            start_name: String::new(),
        }
    }

    /// Names the players and the start position. Empty texts leave them unnamed.
    pub fn with_names(self, names: [String; 2], start_name: String) -> GameSession {
        GameSession { names, start_name, ..self }
    }

    /// Continues a game that was started elsewhere or in an earlier visit. The clock is stopped.
    pub fn resume(
        game: &Game,
        mode: Mode,
        clock: Option<Clock>,
        times: Vec<[Duration; 2]>,
        off_board: Option<Outcome>,
    ) -> GameSession {
        let mut session = GameSession::new(*game.start(), mode, TimeControl::Unlimited);
        for &mv in game.moves() {
            // The moves are legal because they come from a game.
            let _ = session.add_move(mv);
        }
        session.times = times;
        let initial_time = clock.map_or(Duration::ZERO, |clock| clock.initial_time());
        session.times.resize(session.shots.len(), [initial_time; 2]);
        session.clock = clock;
        session.off_board = off_board.filter(|_| session.game.outcome().is_none());
        session.viewed_ply = session.shots.len();
        session.still = true;
        session
    }

    /// Returns the game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the mode.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Changes the options of the mode. The sides must stay the same.
    pub fn set_mode(&mut self, mode: Mode) {
        self.mode = mode;
    }

    /// Returns the clock, if the game has one.
    pub fn clock(&self) -> Option<&Clock> {
        self.clock.as_ref()
    }

    /// Returns the time control.
    pub fn time_control(&self) -> TimeControl {
        self.clock.map_or(TimeControl::Unlimited, |clock| clock.control())
    }

    /// Returns the remaining times after each move.
    pub fn times(&self) -> &[[Duration; 2]] {
        if self.clock.is_some() { &self.times } else { &[] }
    }

    /// Returns the named setup from which the game started, if any.
    pub fn setup(&self) -> Option<AnySetup> {
        setup_of(&self.game.start().placement())
    }

    /// Returns the name of a player in pass and play, or an empty text.
    pub fn name(&self, color: Color) -> &str {
        &self.names[color as usize]
    }

    /// Returns the name under which the start position was published, or an empty text.
    pub fn start_name(&self) -> &str {
        &self.start_name
    }

    /// Returns whether the game has begun and has no result yet.
    pub fn is_unfinished(&self) -> bool {
        self.outcome().is_none() && !self.game.moves().is_empty()
    }

    /// Returns the side of the one person at this device, or `None` in pass and play and for
    /// spectators.
    pub fn you(&self) -> Option<Color> {
        match self.mode {
            Mode::Computer { person, .. } => Some(person),
            Mode::Online { you } => you,
            Mode::Hotseat { .. } => None,
        }
    }

    /// Returns the computer's side.
    pub fn computer(&self) -> Option<Color> {
        match self.mode {
            Mode::Computer { person, .. } => Some(!person),
            Mode::Hotseat { .. } | Mode::Online { .. } => None,
        }
    }

    /// Returns the side to move.
    pub fn side(&self) -> Color {
        self.game.position().side_to_move()
    }

    /// Returns the outcome, if the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.game.outcome().or(self.off_board)
    }

    /// Returns the side that fired last.
    pub fn last_shot_by(&self) -> Option<Color> {
        self.shots.last().map(|fired| fired.shot.by)
    }

    /// Returns whether it is the computer's turn.
    pub fn awaits_computer(&self) -> bool {
        self.outcome().is_none() && self.computer() == Some(self.side())
    }

    /// Returns whether it is the turn of a person at this device.
    pub fn awaits_person(&self) -> bool {
        let here = match self.mode {
            Mode::Online { you } => you == Some(self.side()),
            _ => self.computer() != Some(self.side()),
        };
        self.outcome().is_none() && here
    }

    /// Plays a move in the game and adds its shot.
    fn add_move(&mut self, mv: Move) -> Result<(), GameError> {
        let shot = self.game.play(mv)?;
        self.add_shot(shot);
        Ok(())
    }

    /// Adds the shot of the game's last move.
    fn add_shot(&mut self, shot: Shot) {
        let ply = self.shots.len();
        let before_shot = self.game.positions()[ply].before_shot(self.game.moves()[ply]);
        let number = SHOTS.fetch_add(1, Ordering::Relaxed);
        self.shots.push(SceneShot { number, before_shot, shot });
    }

    /// Adds a move that the server has accepted, and views the latest position.
    pub fn append_move(&mut self, mv: Move) -> Result<(), GameError> {
        self.add_move(mv)?;
        self.viewed_ply = self.shots.len();
        self.still = false;
        Ok(())
    }

    /// Plays a move and fires. Views the latest position.
    pub fn play(&mut self, mv: Move, now: Duration) -> Result<&Shot, GameError> {
        if let Some(outcome) = self.outcome() {
            return Err(GameError::Over(outcome));
        }
        let mover = self.side();
        self.add_move(mv)?;
        if let Some(clock) = &mut self.clock {
            clock.press(mover, self.shots.len(), now);
            self.times.push(clock.times(now));
            if self.game.outcome().is_some() {
                clock.stop(now);
            }
        }
        self.viewed_ply = self.shots.len();
        self.still = false;
        Ok(&self.shots[self.viewed_ply - 1].shot)
    }

    /// Ends the game with an outcome and stops the clock.
    fn end_game(&mut self, outcome: Outcome, now: Duration) {
        if self.outcome().is_none() {
            self.off_board = Some(outcome);
            if let Some(clock) = &mut self.clock {
                clock.stop(now);
            }
        }
    }

    /// Ends the game because `loser` resigns.
    pub fn resign(&mut self, loser: Color, now: Duration) {
        self.end_game(Outcome::win(!loser, Termination::Resignation), now);
    }

    /// Returns whether the side to move may claim a draw.
    pub fn can_claim_draw(&self) -> bool {
        self.outcome().is_none() && self.game.can_claim_draw()
    }

    /// Claims a draw for the side to move.
    pub fn claim_draw(&mut self, now: Duration) {
        if self.can_claim_draw() {
            self.end_game(Outcome::draw(Termination::Repetition), now);
        }
    }

    /// Ends the game as a draw by agreement.
    pub fn agree_draw(&mut self, now: Duration) {
        self.end_game(Outcome::draw(Termination::Agreement), now);
    }

    /// Ends the game if a player has flagged. Returns whether that happened now.
    pub fn tick(&mut self, now: Duration) -> bool {
        match self.flagged(now) {
            Some(loser) => {
                self.end_game(Outcome::win(!loser, Termination::Time), now);
                true
            }
            None => false,
        }
    }

    /// Returns the side that has flagged in a running game.
    pub fn flagged(&self, now: Duration) -> Option<Color> {
        let flagged = self.clock.and_then(|clock| clock.flagged(now));
        flagged.filter(|_| self.outcome().is_none())
    }

    /// Returns whether the players paused the game.
    pub fn is_paused(&self) -> bool {
        self.paused && self.outcome().is_none()
    }

    /// Pauses the game, or resumes it.
    pub fn set_paused(&mut self, paused: bool, now: Duration) {
        self.paused = paused;
        if paused {
            self.stop_clock(now);
        } else {
            self.resume_clock(now);
        }
    }

    /// Stops the clocks.
    pub fn stop_clock(&mut self, now: Duration) {
        if let Some(clock) = &mut self.clock {
            clock.stop(now);
        }
    }

    /// Resumes the clock of the side to move, if a move has started the clocks and the players did
    /// not pause the game.
    pub fn resume_clock(&mut self, now: Duration) {
        if self.outcome().is_some() || self.paused {
            return;
        }
        let (side, moves) = (self.side(), self.shots.len());
        if let Some(clock) = self.clock.as_mut().filter(|clock| clock.running().is_none()) {
            clock.start(side, moves, now);
        }
    }

    /// Returns the number of plies after a takeback: before the person's last move and the
    /// computer's reply. After a resignation or agreed draw, the game continues at its last
    /// position.
    fn takeback_target(&self) -> Option<usize> {
        let by_person =
            |ply: usize| self.computer() != Some(self.game.positions()[ply].side_to_move());
        let plies = self.shots.len();
        let reopens =
            self.off_board.is_some_and(|outcome| outcome.termination != Termination::Time);
        if reopens && by_person(plies) {
            return Some(plies);
        }
        (0..plies).rev().find(|&ply| by_person(ply))
    }

    /// Returns whether a takeback is possible.
    pub fn can_take_back(&self) -> bool {
        self.takeback_target().is_some()
    }

    /// Takes back to the person's last move, including the clocks.
    pub fn take_back(&mut self, now: Duration) {
        let Some(plies) = self.takeback_target() else { return };
        self.truncate(plies);
        if let Some(clock) = &mut self.clock {
            let left = self.times.last().copied().unwrap_or([clock.initial_time(); 2]);
            *clock = clock.with_times(left);
        }
        self.resume_clock(now);
    }

    /// Removes all moves after the first `plies`.
    pub fn truncate(&mut self, plies: usize) {
        while self.game.moves().len() > plies && self.game.take_back().is_some() {}
        self.shots.truncate(plies);
        self.times.truncate(plies);
        self.off_board = None;
        self.viewed_ply = plies;
        self.still = true;
    }

    /// Sets the outcome that the server decided. An outcome on the board takes precedence.
    pub fn set_outcome(&mut self, outcome: Outcome) {
        self.off_board = Some(outcome);
    }

    /// Shows the last shot without animation.
    pub fn skip_animation(&mut self) {
        self.still = true;
    }

    /// Creates a rematch with exchanged sides from the same start.
    pub fn rematch(&self) -> GameSession {
        let mode = match self.mode {
            Mode::Computer { level, person, practice } => {
                Mode::Computer { level, person: !person, practice }
            }
            other => other,
        };
        let [silver, red] = self.names.clone();
        GameSession::new(*self.game.start(), mode, self.time_control())
            .with_names([red, silver], self.start_name.clone())
    }

    /// Returns the ply that is viewed.
    pub fn viewed_ply(&self) -> usize {
        self.viewed_ply
    }

    /// Returns whether the latest position is viewed.
    pub fn is_at_latest(&self) -> bool {
        self.viewed_ply == self.shots.len()
    }

    /// Views the position after this number of plies, at most the latest.
    pub fn view_ply(&mut self, ply: usize) {
        let ply = ply.min(self.shots.len());
        if ply != self.viewed_ply {
            self.viewed_ply = ply;
            self.still = true;
        }
    }

    /// Returns the position that is viewed.
    pub fn position(&self) -> &Position {
        &self.game.positions()[self.viewed_ply]
    }

    /// Returns the shot of each move.
    pub fn shots(&self) -> impl ExactSizeIterator<Item = &Shot> {
        self.shots.iter().map(|fired| &fired.shot)
    }

    /// Returns the pieces that a side has lost up to the position that is viewed. A hit stack
    /// counts as one obelisk. Equal pieces are neighbours.
    pub fn captured(&self, color: Color) -> Vec<Piece> {
        let hits = self.shots[..self.viewed_ply].iter().flat_map(|fired| &fired.shot.hits);
        let mut pieces: Vec<Piece> = Vec::new();
        for hit in hits.filter(|hit| hit.piece.color() == color) {
            let piece = match hit.piece.kind() {
                Kind::Stack => Piece::new(color, Kind::Obelisk),
                // Captured pieces are all shown in the same orientation.
                _ => Piece::all()
                    .find(|piece| piece.color() == color && piece.role() == hit.piece.role())
                    .unwrap_or(hit.piece),
            };
            let order = capture_order(piece.role());
            let at = pieces.partition_point(|other| capture_order(other.role()) <= order);
            pieces.insert(at, piece);
        }
        pieces
    }

    /// Returns the scene for the board, seen from the side of `bottom`.
    pub fn scene(&self, bottom: Color, hint: Option<Move>) -> Scene {
        let acts = self.is_at_latest() && self.awaits_person() && !self.paused;
        let last = self.viewed_ply.checked_sub(1);
        let mut scene = Scene::of(*self.position());
        scene.bottom = bottom;
        scene.last = last.map(|ply| self.game.moves()[ply]);
        scene.shot = last.map(|ply| self.shots[ply].clone());
        scene.still = self.still;
        if acts {
            scene.moves = scene.position.legal_moves().to_vec();
            scene.hints = hint.map(|mv| Hint { mv, kind: HintKind::Best }).into_iter().collect();
        }
        scene.you = self.you();
        if let Mode::Computer { person, practice: true, .. } = self.mode
            && acts
        {
            scene.previews = vec![person];
        }
        scene
    }
}

/// Returns the sort key of a captured piece.
fn capture_order(role: Role) -> u8 {
    match role {
        Role::Pharaoh => 0,
        Role::Anubis => 1,
        Role::Pyramid => 2,
        Role::Obelisk => 3,
        Role::Djed | Role::Scarab | Role::Eye | Role::Sphinx => 4,
    }
}

#[cfg(test)]
mod tests;

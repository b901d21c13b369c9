//! A game that is played on this page: moves, clocks, endings, and the place that is looked at.
//!
//! It is told what people do and what time it is; it touches neither the page nor the engine.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use khet::{
    Clock, Color, Game, GameError, Kind, Move, Outcome, Piece, Position, Role, Setup, Shot,
    Termination, TimeControl,
};

use crate::board::{Hint, HintKind, Scene, SceneShot};

/// Who plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// A person against the computer.
    Computer {
        /// How strong it is, 1 to 10.
        level: u8,
        /// The person's colour.
        person: Color,
        /// Shows where the beam would run now.
        practice: bool,
    },
    /// Two people in front of one screen.
    Hotseat {
        /// Turns the board to whoever is to move.
        turning: bool,
        /// Stops the clocks while the page is hidden.
        pausing: bool,
    },
    /// A game on the server, which decides what happens. Online pages share the board and the move
    /// list with local games, and both need to know the side of the person. Such a session is
    /// never saved on this device, never resigned here, and never asks the engine for a move.
    Online {
        /// The side of the person at this device, or `None` for a spectator.
        you: Option<Color>,
    },
}

/// Numbers of shots that have been fired on this page: a board shows each of them once.
static SHOTS: AtomicU32 = AtomicU32::new(1);

/// Returns the clock of a game on this device, if it has one.
pub fn local_clock(control: TimeControl) -> Option<Clock> {
    Clock::new(control, Clock::LOCAL_FREE_MOVES)
}

/// A game with everything around it.
#[derive(Clone, Debug)]
pub struct Session {
    game: Game,
    /// One for each move.
    shots: Vec<SceneShot>,
    mode: Mode,
    clock: Option<Clock>,
    /// What the clocks showed after each move, if there are clocks.
    times: Vec<[Duration; 2]>,
    /// How the game ended, if the board does not show it.
    off_board: Option<Outcome>,
    /// How many turns the position that is looked at is away from the start.
    place: usize,
    /// The last move was not played here and now: its shot is not shown running.
    quiet: bool,
}

impl Session {
    /// A new game.
    pub fn new(start: Position, mode: Mode, control: TimeControl) -> Session {
        Session {
            game: Game::new(start),
            shots: Vec::new(),
            mode,
            clock: local_clock(control),
            times: Vec::new(),
            off_board: None,
            place: 0,
            quiet: true,
        }
    }

    /// A game that was begun elsewhere, or in an earlier visit. The clock is stopped.
    pub fn resume(
        game: &Game,
        mode: Mode,
        clock: Option<Clock>,
        times: Vec<[Duration; 2]>,
        off_board: Option<Outcome>,
    ) -> Session {
        let mut session = Session::new(*game.start(), mode, TimeControl::Unlimited);
        for &mv in game.moves() {
            // The moves come out of a game, where they were legal.
            let _ = session.add(mv);
        }
        session.times = times;
        let initial_time = clock.map_or(Duration::ZERO, |clock| clock.initial_time());
        session.times.resize(session.shots.len(), [initial_time; 2]);
        session.clock = clock;
        session.off_board = off_board.filter(|_| session.game.outcome().is_none());
        session.place = session.shots.len();
        session.quiet = true;
        session
    }

    /// The game itself.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Who plays.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Changes a switch of the mode; who plays which colour stays.
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

    /// What the clocks showed after each move.
    pub fn times(&self) -> &[[Duration; 2]] {
        if self.clock.is_some() { &self.times } else { &[] }
    }

    /// The setup from which it was played, if it has a name.
    pub fn setup(&self) -> Option<Setup> {
        Setup::of(&self.game.start().placement())
    }

    /// The colour that the computer plays.
    pub fn computer(&self) -> Option<Color> {
        match self.mode {
            Mode::Computer { person, .. } => Some(!person),
            Mode::Hotseat { .. } | Mode::Online { .. } => None,
        }
    }

    /// Whose turn it is.
    pub fn side(&self) -> Color {
        self.game.position().side_to_move()
    }

    /// How the game ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.game.outcome().or(self.off_board)
    }

    /// The side whose laser fired last.
    pub fn last_shot_by(&self) -> Option<Color> {
        self.shots.last().map(|fired| fired.shot.by)
    }

    /// Whether the computer has to move.
    pub fn awaits_computer(&self) -> bool {
        self.outcome().is_none() && self.computer() == Some(self.side())
    }

    /// Whether a person has to move.
    pub fn awaits_person(&self) -> bool {
        let here = match self.mode {
            Mode::Online { you } => you == Some(self.side()),
            _ => self.computer() != Some(self.side()),
        };
        self.outcome().is_none() && here
    }

    fn add(&mut self, mv: Move) -> Result<(), GameError> {
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

    /// Takes over a game that is played elsewhere and has one move more, whose shot this is.
    pub fn follow(&mut self, game: &Game, shot: Shot) {
        self.game = game.clone();
        self.add_shot(shot);
        self.place = self.shots.len();
        self.quiet = false;
    }

    /// Plays a move and fires. Whoever looked at an earlier position is taken to the present one.
    pub fn play(&mut self, mv: Move, now: Duration) -> Result<&Shot, GameError> {
        if let Some(outcome) = self.outcome() {
            return Err(GameError::Over(outcome));
        }
        let mover = self.side();
        self.add(mv)?;
        if let Some(clock) = &mut self.clock {
            clock.press(mover, self.shots.len(), now);
            self.times.push(clock.times(now));
            if self.game.outcome().is_some() {
                clock.stop(now);
            }
        }
        self.place = self.shots.len();
        self.quiet = false;
        Ok(&self.shots[self.place - 1].shot)
    }

    fn end(&mut self, outcome: Outcome, now: Duration) {
        if self.outcome().is_none() {
            self.off_board = Some(outcome);
            if let Some(clock) = &mut self.clock {
                clock.stop(now);
            }
        }
    }

    /// Who gives up: the person against the computer, whoever is to move at a table.
    pub fn resigner(&self) -> Color {
        match self.mode {
            Mode::Computer { person, .. } => person,
            Mode::Hotseat { .. } | Mode::Online { .. } => self.side(),
        }
    }

    /// Gives up.
    pub fn resign(&mut self, now: Duration) {
        let loser = self.resigner();
        self.end(Outcome::win(!loser, Termination::Resignation), now);
    }

    /// Whether the player to move may claim a draw.
    pub fn can_claim_draw(&self) -> bool {
        self.outcome().is_none() && self.game.can_claim_draw()
    }

    /// Claims a draw for the player to move.
    pub fn claim_draw(&mut self, now: Duration) {
        if self.can_claim_draw() {
            self.end(Outcome::draw(Termination::Repetition), now);
        }
    }

    /// Both players agree to a draw.
    pub fn agree_draw(&mut self, now: Duration) {
        self.end(Outcome::draw(Termination::Agreement), now);
    }

    /// Time has gone on. Whoever has none left loses; it is told whether that happened now.
    pub fn tick(&mut self, now: Duration) -> bool {
        match self.fallen(now) {
            Some(loser) => {
                self.end(Outcome::win(!loser, Termination::Time), now);
                true
            }
            None => false,
        }
    }

    /// Who has run out of time, in a game that goes on.
    pub fn fallen(&self, now: Duration) -> Option<Color> {
        let fallen = self.clock.and_then(|clock| clock.flagged(now));
        fallen.filter(|_| self.outcome().is_none())
    }

    /// Stops the clocks, for example while nobody looks.
    pub fn pause(&mut self, now: Duration) {
        if let Some(clock) = &mut self.clock {
            clock.stop(now);
        }
    }

    /// Lets the clock of the player to move run again, if the clocks have been started by a move.
    pub fn go_on(&mut self, now: Duration) {
        if self.outcome().is_some() {
            return;
        }
        let (side, moves) = (self.side(), self.shots.len());
        if let Some(clock) = self.clock.as_mut().filter(|clock| clock.running().is_none()) {
            clock.start(side, moves, now);
        }
    }

    /// To how many turns the game would go back: a person's last move, and what the computer
    /// answered. A game that was given up goes on where it stood.
    fn back_to(&self) -> Option<usize> {
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

    /// Whether there is something to take back.
    pub fn can_take_back(&self) -> bool {
        self.back_to().is_some()
    }

    /// Takes back; see [`Session::can_take_back`]. The clocks go back too.
    pub fn take_back(&mut self, now: Duration) {
        let Some(plies) = self.back_to() else { return };
        self.shorten(plies);
        if let Some(clock) = &mut self.clock {
            let left = self.times.last().copied().unwrap_or([clock.initial_time(); 2]);
            *clock = clock.with_times(left);
        }
        self.go_on(now);
    }

    /// Forgets all but the first moves.
    pub fn shorten(&mut self, plies: usize) {
        while self.game.moves().len() > plies && self.game.take_back().is_some() {}
        self.shots.truncate(plies);
        self.times.truncate(plies);
        self.off_board = None;
        self.place = plies;
        self.quiet = true;
    }

    /// Sets the outcome that the server decided. What the board shows takes precedence.
    pub fn set_outcome(&mut self, outcome: Outcome) {
        self.off_board = Some(outcome);
    }

    /// The last move belongs to the past: its shot is not shown running.
    pub fn hush(&mut self) {
        self.quiet = true;
    }

    /// The same players with the colours exchanged, from the same start.
    pub fn rematch(&self) -> Session {
        let mode = match self.mode {
            Mode::Computer { level, person, practice } => {
                Mode::Computer { level, person: !person, practice }
            }
            other => other,
        };
        Session::new(*self.game.start(), mode, self.time_control())
    }

    /// How many turns the position that is looked at is away from the start.
    pub fn place(&self) -> usize {
        self.place
    }

    /// Whether the present position is looked at.
    pub fn is_present(&self) -> bool {
        self.place == self.shots.len()
    }

    /// Looks at the position after so many moves; at the last one if there are not so many.
    pub fn look(&mut self, place: usize) {
        let place = place.min(self.shots.len());
        if place != self.place {
            self.place = place;
            self.quiet = true;
        }
    }

    /// The position that is looked at.
    pub fn position(&self) -> &Position {
        &self.game.positions()[self.place]
    }

    /// The shots, one for each move.
    pub fn shots(&self) -> impl ExactSizeIterator<Item = &Shot> {
        self.shots.iter().map(|fired| &fired.shot)
    }

    /// What the beams have taken from a player, up to the position that is looked at. Of a stack it
    /// is one obelisk.
    pub fn captured(&self, color: Color) -> Vec<Piece> {
        let hits = self.shots[..self.place].iter().flat_map(|fired| &fired.shot.hits);
        let mut pieces: Vec<Piece> = hits
            .filter(|hit| hit.piece.color() == color)
            .map(|hit| match hit.piece.kind() {
                Kind::Stack => Piece::new(color, Kind::Obelisk),
                // Seen by themselves they all look the same way.
                _ => Piece::all()
                    .find(|piece| piece.color() == color && piece.role() == hit.piece.role())
                    .unwrap_or(hit.piece),
            })
            .collect();
        pieces.sort_by_key(|piece| rank(piece.role()));
        pieces
    }

    /// What the board shows, seen from the side of `bottom`.
    pub fn scene(&self, bottom: Color, hint: Option<Move>) -> Scene {
        let acts = self.is_present() && self.awaits_person();
        let last = self.place.checked_sub(1);
        let mut scene = Scene::of(*self.position());
        scene.bottom = bottom;
        scene.last = last.map(|ply| self.game.moves()[ply]);
        scene.shot = last.map(|ply| self.shots[ply].clone());
        scene.still = self.quiet;
        if acts {
            scene.moves = scene.position.legal_moves().to_vec();
            scene.hints = hint.map(|mv| Hint { mv, kind: HintKind::Best }).into_iter().collect();
        }
        match self.mode {
            Mode::Computer { person, practice, .. } => {
                scene.you = Some(person);
                if acts && practice {
                    scene.previews = vec![scene.position.fire(person)];
                }
            }
            Mode::Online { you } => scene.you = you,
            Mode::Hotseat { .. } => {}
        }
        scene
    }
}

/// The order in which captured pieces lie.
fn rank(role: Role) -> u8 {
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

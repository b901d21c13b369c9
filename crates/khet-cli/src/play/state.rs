//! A game at the keyboard, without a terminal: what each key does, and what time changes.
//!
//! What the state can't do itself (think, write files, leave) it wishes for; whoever runs it fulfils
//! the [`Wish`]es and tells it what came out.

mod hand;
mod question;
mod shooting;
mod thought;
mod wish;

use std::time::Duration;

use khet::{Color, Game, Move, Placement, Position, Rotation, Shot, Square, Termination};
use khet_engine::Level;
use ratatui::crossterm::event::KeyCode;

use crate::play::save;
use crate::words;

pub(crate) use hand::{Hand, Target};
pub(crate) use question::Question;
pub(crate) use shooting::Phase;
use thought::Thought;
pub(crate) use wish::{Reply, Saved, Wish};

/// An input line takes this many characters: no file name is longer.
const LONGEST_INPUT: usize = 200;

/// Who sits on the other side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Opponent {
    /// Someone at the same keyboard.
    Friend,
    /// The computer, with that level and colour.
    Computer { level: Level, color: Color },
}

/// Where keys go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    Board,
    /// A move is being typed.
    Typing(String),
    /// A file name is being typed.
    Naming(String),
    /// Yes or no.
    Asking(Question),
    Help,
}

/// A game, and the keyboard's state in it.
pub(crate) struct State {
    game: Game,
    /// What each move's shot did.
    shots: Vec<Shot>,
    opponent: Opponent,
    mode: Mode,
    cursor: Square,
    hand: Option<Hand>,
    flipped: bool,
    hint: Option<Move>,
    message: String,
    /// When the last shot was fired, until it is over.
    fired: Option<Duration>,
    thought: Option<Thought>,
    tickets: u64,
    unsaved: bool,
    /// A letter that has acted as a command, but begins a move if a digit follows it.
    letter: Option<char>,
    /// The name under which the game would be saved.
    file_name: String,
    now: Duration,
    wishes: Vec<Wish>,
}

impl State {
    /// A new game. `date` is today's, for the name of its file.
    pub(crate) fn new(start: Position, opponent: Opponent, date: &str) -> State {
        let mut state = State {
            game: Game::new(start),
            shots: Vec::new(),
            opponent,
            mode: Mode::Board,
            cursor: Square::E1,
            hand: None,
            flipped: matches!(opponent, Opponent::Computer { color: Color::Silver, .. }),
            hint: None,
            message: String::new(),
            fired: None,
            thought: None,
            tickets: 0,
            unsaved: false,
            letter: None,
            file_name: save::default_name(date),
            now: Duration::ZERO,
            wishes: Vec::new(),
        };
        let below = if state.flipped { Color::Red } else { Color::Silver };
        state.cursor = start.pharaoh(below).unwrap_or(Square::E1);
        state.message = "? shows the keys.".to_string();
        state.next_player();
        state
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn shots(&self) -> &[Shot] {
        &self.shots
    }

    pub(crate) fn opponent(&self) -> Opponent {
        self.opponent
    }

    pub(crate) fn mode(&self) -> &Mode {
        &self.mode
    }

    pub(crate) fn cursor(&self) -> Square {
        self.cursor
    }

    pub(crate) fn hand(&self) -> Option<Hand> {
        self.hand
    }

    pub(crate) fn flipped(&self) -> bool {
        self.flipped
    }

    pub(crate) fn hint(&self) -> Option<Move> {
        self.hint
    }

    /// What is to be said now; nothing while the beam speaks for itself.
    pub(crate) fn message(&self) -> &str {
        if self.phase() == Phase::Over { &self.message } else { "" }
    }

    /// What was wished for since the last time.
    pub(crate) fn take_wishes(&mut self) -> Vec<Wish> {
        std::mem::take(&mut self.wishes)
    }

    /// Whether the screen changes by itself, so that it must be drawn often.
    pub(crate) fn is_lively(&self) -> bool {
        self.fired.is_some() || self.thought.is_some()
    }

    /// Whether a person may act on the board.
    pub(crate) fn is_human_turn(&self) -> bool {
        self.game.outcome().is_none() && !self.is_computer(self.side())
    }

    /// Whether a colour is played by the computer.
    pub(crate) fn is_computer(&self, player: Color) -> bool {
        matches!(self.opponent, Opponent::Computer { color, .. } if color == player)
    }

    fn side(&self) -> Color {
        self.game.position().side_to_move()
    }

    /// The pieces as they are seen: before a beam arrives, what it will hit still stands; a piece in
    /// the hand is already rotated.
    pub(crate) fn board(&self) -> Placement {
        let positions = self.game.positions();
        let mut board = match (positions, self.game.moves().last()) {
            ([.., before, _], Some(&mv)) if self.phase() != Phase::Over => {
                before.before_shot(mv).placement()
            }
            _ => self.game.position().placement(),
        };
        if let Some(Hand { square, rotation: Some(rotation), .. }) = self.hand {
            let piece = board.get(square).map(|piece| piece.rotated(rotation.quarters()));
            board.set(square, piece);
        }
        board
    }

    /// Time goes on: beams run, and the computer's answer is played when it is due.
    pub(crate) fn tick(&mut self, now: Duration) {
        self.now = now;
        if self.fired.is_none() {
            self.play_reply();
        } else if self.phase() == Phase::Over {
            self.fired = None;
            self.play_reply();
        }
    }

    /// If the computer is to move, it starts to think.
    fn next_player(&mut self) {
        if self.game.outcome().is_none() && self.is_computer(self.side()) {
            self.ask_computer(false);
        }
    }

    /// Plays a move and fires.
    fn play(&mut self, mv: Move) {
        let side = self.side();
        match self.game.play(mv) {
            Ok(shot) => {
                self.forget_thought();
                let mv = self.game.moves().last().copied().unwrap_or(mv);
                self.message = format!("{} {mv}: {}", words::player(side), words::shot(&shot));
                self.shots.push(shot);
                self.fired = Some(self.now);
                self.unsaved = true;
                self.hand = None;
                self.hint = None;
                self.mode = Mode::Board;
                self.next_player();
            }
            Err(error) => self.message = capital(&format!("{error}.")),
        }
    }

    /// A key was pressed.
    pub(crate) fn key(&mut self, key: KeyCode) {
        if self.fired.take().is_some() && matches!(key, KeyCode::Enter | KeyCode::Esc) {
            // It has ended the animation, and was not meant for the board.
            return;
        }
        let letter = self.letter.take();
        match &mut self.mode {
            Mode::Help => self.mode = Mode::Board,
            Mode::Typing(text) | Mode::Naming(text) => match key {
                KeyCode::Char(sign) if text.chars().count() < LONGEST_INPUT => text.push(sign),
                KeyCode::Backspace if text.pop().is_some() => {}
                KeyCode::Enter => self.enter_text(),
                KeyCode::Esc | KeyCode::Backspace => {
                    self.mode = Mode::Board;
                    self.message.clear();
                }
                _ => {}
            },
            Mode::Asking(_) => {
                if let (Some(letter), KeyCode::Char(digit @ '1'..='8')) = (letter, key) {
                    self.type_move(format!("{letter}{digit}"));
                } else {
                    self.decide(key);
                }
            }
            Mode::Board => {
                if let (Some(letter), KeyCode::Char(digit @ '1'..='8')) = (letter, key) {
                    self.take_back_command(letter);
                    self.type_move(format!("{letter}{digit}"));
                } else {
                    self.board_key(key);
                }
            }
        }
    }

    fn board_key(&mut self, key: KeyCode) {
        match key {
            KeyCode::Up => self.move_cursor(0, 1),
            KeyCode::Down => self.move_cursor(0, -1),
            KeyCode::Left => self.move_cursor(-1, 0),
            KeyCode::Right => self.move_cursor(1, 0),
            KeyCode::Enter | KeyCode::Char(' ') => self.act(),
            KeyCode::Esc => {
                self.hand = None;
                self.hint = None;
                self.message.clear();
            }
            KeyCode::Char(']' | '+' | '=') => self.rotate(Rotation::Clockwise),
            KeyCode::Char('[' | '-') => self.rotate(Rotation::Counterclockwise),
            KeyCode::Char('t') => self.toggle_top(),
            KeyCode::Char(':') => self.type_move(String::new()),
            KeyCode::Char('u') => self.undo(),
            KeyCode::Char('R') => self.ask_to_resign(),
            KeyCode::Char('n') => {
                if self.is_worth_asking() {
                    self.mode = Mode::Asking(Question::NewGame);
                } else {
                    self.wishes.push(Wish::NewGame);
                }
            }
            KeyCode::Char('s') => {
                self.mode = Mode::Naming(self.file_name.clone());
                self.message.clear();
            }
            KeyCode::Char('?') => self.mode = Mode::Help,
            KeyCode::Char('q') => {
                if self.is_worth_asking() {
                    self.mode = Mode::Asking(Question::Quit);
                } else {
                    self.wishes.push(Wish::Quit);
                }
            }
            // These are files of the board as well: a digit behind them makes them a square.
            KeyCode::Char(letter @ ('d' | 'f' | 'h')) => {
                self.letter = Some(letter);
                match letter {
                    'd' => self.ask_to_claim(),
                    'f' => self.flipped = !self.flipped,
                    _ => self.ask_for_hint(),
                }
            }
            KeyCode::Char(letter @ 'a'..='j') => self.type_move(letter.to_string()),
            _ => {}
        }
    }

    /// The letter was the beginning of a move and not a command.
    fn take_back_command(&mut self, letter: char) {
        match letter {
            'f' => self.flipped = !self.flipped,
            'h' if self.thought.is_some_and(|thought| thought.hint) => self.forget_thought(),
            _ => {}
        }
    }

    fn move_cursor(&mut self, files: i8, ranks: i8) {
        let sign = if self.flipped { -1 } else { 1 };
        if let Some(square) = self.cursor.offset(sign * files, sign * ranks) {
            self.cursor = square;
            // A move moves a piece or rotates it: who goes on does not rotate.
            if let Some(hand) = &mut self.hand {
                hand.rotation = None;
            }
        }
    }

    /// Whether a person may act now; otherwise it is said why not.
    fn may_act(&mut self) -> bool {
        if let Some(outcome) = self.game.outcome() {
            self.message = format!("The game is over. {outcome}.");
        } else if !self.is_human_turn() {
            self.message = format!("It is {}'s turn.", words::player(self.side()));
        }
        self.is_human_turn()
    }

    fn type_move(&mut self, text: String) {
        self.mode = Mode::Typing(text);
        self.hand = None;
        self.message = "A move such as h2g2, d1^d2, h2+ or h2-. Enter plays it.".to_string();
    }

    /// Enter in an input line.
    fn enter_text(&mut self) {
        match self.mode.clone() {
            Mode::Typing(text) => {
                let text = text.trim().to_ascii_lowercase();
                if text.is_empty() {
                    self.mode = Mode::Board;
                    self.message.clear();
                } else if self.may_act() {
                    match text.parse() {
                        Ok(mv) => self.play(mv),
                        Err(error) => self.message = format!("{error}."),
                    }
                }
            }
            Mode::Naming(text) => self.save(&text, false),
            _ => {}
        }
    }

    fn save(&mut self, text: &str, overwrite: bool) {
        self.file_name = save::file_name(text, &self.file_name);
        self.mode = Mode::Board;
        self.wishes.push(Wish::Save { name: self.file_name.clone(), overwrite });
    }

    /// The file has been written, or not.
    pub(crate) fn saved(&mut self, saved: Saved) {
        let name = self.file_name.clone();
        match saved {
            Saved::Done => {
                self.unsaved = false;
                self.message = format!("Saved as {name}.");
            }
            Saved::Exists => self.mode = Mode::Asking(Question::Overwrite(name)),
            Saved::Failed(reason) => {
                self.message = format!("{name} can't be written: {reason}.");
                self.mode = Mode::Naming(name);
            }
        }
    }

    /// Takes back the last move of a person, and what the computer has answered.
    fn undo(&mut self) {
        let ended = self.game.outcome().map(|outcome| outcome.termination);
        let reopened = matches!(ended, Some(Termination::Resignation | Termination::Repetition));
        let by_person = |ply: &usize| !self.is_computer(self.game.positions()[*ply].side_to_move());
        let plies = self.game.moves().len();
        // A game that was given up goes on from where it stood.
        let back_to = if reopened && by_person(&plies) {
            Some(plies)
        } else {
            (0..plies).rev().find(by_person)
        };
        let Some(back_to) = back_to else {
            self.message = "There is nothing to take back.".to_string();
            return;
        };
        self.forget_thought();
        let moves = self.game.moves()[..back_to].to_vec();
        self.game = Game::new(*self.game.start());
        self.shots = moves.iter().filter_map(|&mv| self.game.play(mv).ok()).collect();
        self.hand = None;
        self.hint = None;
        self.unsaved = true;
        self.message = match plies - back_to {
            0 => "The game goes on.".to_string(),
            1 => "One move taken back.".to_string(),
            _ => "Both moves taken back.".to_string(),
        };
    }
}

/// The text as a sentence; a move or a square at its beginning stays as it is written.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) if letters.clone().next().is_some_and(char::is_alphabetic) => {
            first.to_uppercase().chain(letters).collect()
        }
        _ => text.to_string(),
    }
}

#[cfg(test)]
mod tests;

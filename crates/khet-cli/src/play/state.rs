//! The state of a game in the terminal: handles keys and the passing of time.
//!
//! It does no input or output itself. Searching, writing files and quitting are [`Effect`]s that
//! its caller carries out.

mod confirmation;
mod effect;
mod pending_search;
mod selection;
mod shot_phase;

use std::time::Duration;

use khet::tower::{BoardLevel, Square, TowerColumn};
use khet::{
    AnyPlacement, AnyPosition, Color, Game, GamePosition, Move, Rotation, Shot, Termination,
};
use khet_engine::Level;
use ratatui::crossterm::event::KeyCode;

use crate::describe;
use crate::play::save;

pub(crate) use confirmation::Confirmation;
pub(crate) use effect::{Effect, EngineReply, SaveResult};
use pending_search::PendingSearch;
pub(crate) use selection::{DropTarget, SelectedPiece};
pub(crate) use shot_phase::ShotPhase;

/// The longest text in an input line, in characters.
const MAX_INPUT: usize = 200;

/// The opponent of the person at the keyboard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Opponent {
    /// Another person at the same keyboard.
    Friend,
    /// The engine, with its level and colour.
    Computer { level: Level, color: Color },
}

/// The part of the screen that receives keys.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PlayMode {
    Board,
    /// The text of a move that is being typed.
    MoveInput(String),
    /// The file name that is being typed.
    FileNameInput(String),
    Confirm(Confirmation),
    Help,
}

/// A game and the state of its screen.
pub(crate) struct PlayState {
    game: Game<AnyPosition>,
    /// The shot of each move.
    shots: Vec<Shot<Square>>,
    opponent: Opponent,
    mode: PlayMode,
    cursor: Square,
    selection: Option<SelectedPiece>,
    flipped: bool,
    hint: Option<Move<Square>>,
    message: String,
    /// When the last shot was fired; `None` once its animation is over.
    fired_at: Option<Duration>,
    search: Option<PendingSearch>,
    /// Number of searches so far. Each has a ticket, which identifies its reply.
    tickets: u64,
    unsaved: bool,
    /// The command letter pressed last. If a digit follows, both start a move instead.
    letter: Option<char>,
    /// Suggested name of the file for the game.
    file_name: String,
    /// Time since the program started.
    now: Duration,
    effects: Vec<Effect>,
}

impl PlayState {
    /// Starts a game. `date` is used in the suggested file name.
    pub(crate) fn new(start: AnyPosition, opponent: Opponent, date: &str) -> PlayState {
        let mut state = PlayState {
            game: Game::new(start),
            shots: Vec::new(),
            opponent,
            mode: PlayMode::Board,
            cursor: khet::Square::E1.into(),
            selection: None,
            flipped: matches!(opponent, Opponent::Computer { color: Color::Silver, .. }),
            hint: None,
            message: String::new(),
            fired_at: None,
            search: None,
            tickets: 0,
            unsaved: false,
            letter: None,
            file_name: save::default_name(date),
            now: Duration::ZERO,
            effects: Vec::new(),
        };
        let bottom = if state.flipped { Color::Red } else { Color::Silver };
        state.cursor = start.pharaoh(bottom).unwrap_or(state.cursor);
        state.message = "? shows the keys.".to_string();
        state.start_engine_move();
        state
    }

    pub(crate) fn game(&self) -> &Game<AnyPosition> {
        &self.game
    }

    pub(crate) fn shots(&self) -> &[Shot<Square>] {
        &self.shots
    }

    /// Returns whether the game has a tower.
    pub(crate) fn has_tower(&self) -> bool {
        self.column().is_some()
    }

    /// Returns the place of the tower, if the game has one.
    fn column(&self) -> Option<TowerColumn> {
        self.game.position().tower_column()
    }

    pub(crate) fn opponent(&self) -> Opponent {
        self.opponent
    }

    pub(crate) fn mode(&self) -> &PlayMode {
        &self.mode
    }

    pub(crate) fn cursor(&self) -> Square {
        self.cursor
    }

    pub(crate) fn selection(&self) -> Option<SelectedPiece> {
        self.selection
    }

    pub(crate) fn flipped(&self) -> bool {
        self.flipped
    }

    pub(crate) fn hint(&self) -> Option<Move<Square>> {
        self.hint
    }

    /// Returns the message to show; empty while the shot is animated, because the message would
    /// reveal the result.
    pub(crate) fn message(&self) -> &str {
        if self.shot_phase() == ShotPhase::Over { &self.message } else { "" }
    }

    /// Takes the effects requested since the last call.
    pub(crate) fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// Returns whether the screen changes without input and must be redrawn often.
    pub(crate) fn is_animating(&self) -> bool {
        self.fired_at.is_some() || self.search.is_some()
    }

    /// Returns whether the game is running and a person is to move.
    pub(crate) fn is_human_turn(&self) -> bool {
        self.game.outcome().is_none() && !self.is_computer(self.side())
    }

    /// Returns whether the engine plays a colour.
    pub(crate) fn is_computer(&self, player: Color) -> bool {
        matches!(self.opponent, Opponent::Computer { color, .. } if color == player)
    }

    fn side(&self) -> Color {
        self.game.position().side_to_move()
    }

    /// Returns the pieces to draw. During the animation of a shot, the pieces it hits are still
    /// there. A selected piece, or the selected tower, is shown rotated.
    pub(crate) fn board(&self) -> AnyPlacement {
        let positions = self.game.positions();
        let before_shot = match (positions, self.game.moves().last()) {
            ([.., before, _], Some(&mv)) if self.shot_phase() != ShotPhase::Over => {
                before.before_shot(mv)
            }
            _ => *self.game.position(),
        };
        match self.selection.and_then(|selection| self.rotation_move(selection)) {
            Some(mv) if before_shot.check(mv).is_ok() => before_shot.before_shot(mv).placement(),
            _ => before_shot.placement(),
        }
    }

    /// Advances the animation, and plays the engine's move when it is due.
    pub(crate) fn tick(&mut self, now: Duration) {
        self.now = now;
        if self.fired_at.is_none() {
            self.play_reply();
        } else if self.shot_phase() == ShotPhase::Over {
            self.fired_at = None;
            self.play_reply();
        }
    }

    /// Starts a search if the engine is to move.
    fn start_engine_move(&mut self) {
        if self.game.outcome().is_none() && self.is_computer(self.side()) {
            self.start_search(false);
        }
    }

    /// Plays a move and starts the animation of its shot.
    fn play(&mut self, mv: Move<Square>) {
        let side = self.side();
        match self.game.play(mv) {
            Ok(shot) => {
                self.cancel_search();
                let mv = self.game.moves().last().copied().unwrap_or(mv);
                self.message =
                    format!("{} {mv}: {}", describe::side_name(side), describe::shot(&shot));
                self.shots.push(shot);
                self.keep_cursor_on_board();
                self.fired_at = Some(self.now);
                self.unsaved = true;
                self.selection = None;
                self.hint = None;
                self.mode = PlayMode::Board;
                self.start_engine_move();
            }
            Err(error) => self.message = capitalize(&format!("{error}.")),
        }
    }

    /// Handles a key. Any key ends a running animation; Enter and Esc do nothing else then.
    pub(crate) fn key(&mut self, key: KeyCode) {
        if self.fired_at.take().is_some() && matches!(key, KeyCode::Enter | KeyCode::Esc) {
            return;
        }
        let letter = self.letter.take();
        match &mut self.mode {
            PlayMode::Help => self.mode = PlayMode::Board,
            PlayMode::MoveInput(text) | PlayMode::FileNameInput(text) => match key {
                KeyCode::Char(character) if text.chars().count() < MAX_INPUT => {
                    text.push(character);
                }
                KeyCode::Backspace if text.pop().is_some() => {}
                KeyCode::Enter => self.submit_input(),
                KeyCode::Esc | KeyCode::Backspace => {
                    self.mode = PlayMode::Board;
                    self.message.clear();
                }
                _ => {}
            },
            PlayMode::Confirm(_) => {
                if let (Some(letter), KeyCode::Char(digit @ '1'..='8')) = (letter, key) {
                    self.type_move(format!("{letter}{digit}"));
                } else {
                    self.confirmation_key(key);
                }
            }
            PlayMode::Board => {
                if let (Some(letter), KeyCode::Char(digit @ '1'..='8')) = (letter, key) {
                    self.undo_command(letter);
                    self.type_move(format!("{letter}{digit}"));
                } else {
                    self.board_key(key);
                }
            }
        }
    }

    /// Handles a key while the board has the focus.
    fn board_key(&mut self, key: KeyCode) {
        match key {
            KeyCode::Up => self.move_cursor(0, 1),
            KeyCode::Down => self.move_cursor(0, -1),
            KeyCode::Left => self.move_cursor(-1, 0),
            KeyCode::Right => self.move_cursor(1, 0),
            KeyCode::Tab | KeyCode::BackTab => self.change_level(),
            KeyCode::Enter | KeyCode::Char(' ') => self.select_or_drop(),
            KeyCode::Esc => {
                self.selection = None;
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
                if self.would_lose_game() {
                    self.mode = PlayMode::Confirm(Confirmation::NewGame);
                } else {
                    self.effects.push(Effect::NewGame);
                }
            }
            KeyCode::Char('s') => {
                self.mode = PlayMode::FileNameInput(self.file_name.clone());
                self.message.clear();
            }
            KeyCode::Char('?') => self.mode = PlayMode::Help,
            KeyCode::Char('q') => {
                if self.would_lose_game() {
                    self.mode = PlayMode::Confirm(Confirmation::Quit);
                } else {
                    self.effects.push(Effect::Quit);
                }
            }
            // Commands that are also file letters: followed by a digit, they start a move.
            KeyCode::Char(letter @ ('d' | 'f' | 'h')) => {
                self.letter = Some(letter);
                match letter {
                    'd' => self.ask_to_claim_draw(),
                    'f' => self.flipped = !self.flipped,
                    _ => self.ask_for_hint(),
                }
            }
            KeyCode::Char(letter @ 'a'..='j') => self.type_move(letter.to_string()),
            // Squares of the upper level, and moves of the tower.
            KeyCode::Char(letter @ ('A'..='J' | 'T')) if self.has_tower() => {
                self.type_move(letter.to_string());
            }
            _ => {}
        }
    }

    /// Undoes a command whose letter turned out to start a move.
    fn undo_command(&mut self, letter: char) {
        match letter {
            'f' => self.flipped = !self.flipped,
            'h' if self.search.is_some_and(|search| search.is_hint) => self.cancel_search(),
            _ => {}
        }
    }

    /// Moves the cursor as seen on the screen, on its level.
    fn move_cursor(&mut self, files: i8, ranks: i8) {
        let sign = if self.flipped { -1 } else { 1 };
        let ground = self.cursor.ground().offset(sign * files, sign * ranks);
        let square = ground.map(|ground| Square::new(self.cursor.level(), ground));
        if let Some(square) = square.filter(|&square| self.is_on_board(square)) {
            self.set_cursor(square);
        }
    }

    /// Moves the cursor straight up or down, or to the nearest square of the upper level.
    fn change_level(&mut self) {
        match self.column() {
            Some(column) => self.set_cursor(nearest_square(column, self.cursor.on_other_level())),
            None => self.message = "This game has no tower.".to_string(),
        }
    }

    fn set_cursor(&mut self, square: Square) {
        self.cursor = square;
        // A move either rotates a piece or moves it, so moving the cursor cancels a rotation.
        if let Some(selection) = &mut self.selection {
            selection.rotation = None;
        }
    }

    /// Returns whether a square is part of the ground or of the tower, whose column counts as one
    /// place for the cursor on both levels.
    fn is_on_board(&self, square: Square) -> bool {
        match square.level() {
            BoardLevel::Ground => true,
            BoardLevel::Upper => self.column().is_some_and(|column| {
                (column.upper_level() | column.squares()).has(square.ground())
            }),
        }
    }

    /// Moves the cursor to the nearest square of the upper level after a tower has moved away.
    fn keep_cursor_on_board(&mut self) {
        if !self.is_on_board(self.cursor) {
            self.cursor = match self.column() {
                Some(column) => nearest_square(column, self.cursor),
                None => self.cursor.ground().into(),
            };
        }
    }

    /// Returns whether a person may act now. If not, sets a message with the reason.
    fn may_act(&mut self) -> bool {
        if let Some(outcome) = self.game.outcome() {
            self.message = format!("The game is over. {outcome}.");
        } else if !self.is_human_turn() {
            self.message = format!("It is {}'s turn.", describe::side_name(self.side()));
        }
        self.is_human_turn()
    }

    fn type_move(&mut self, text: String) {
        self.mode = PlayMode::MoveInput(text);
        self.selection = None;
        let examples = match self.has_tower() {
            true => "h2g2, c7C7, d1^d2, G6-, Te5 or T+",
            false => "h2g2, d1^d2, h2+ or h2-",
        };
        self.message = format!("A move such as {examples}. Enter plays it.");
    }

    /// Plays the typed move, or saves under the typed file name.
    fn submit_input(&mut self) {
        match self.mode.clone() {
            PlayMode::MoveInput(text) => {
                let text = text.trim();
                if text.is_empty() {
                    self.mode = PlayMode::Board;
                    self.message.clear();
                } else if self.may_act() {
                    match self.read_move(text) {
                        Ok(mv) => self.play(mv),
                        Err(error) => self.message = format!("{error}."),
                    }
                }
            }
            PlayMode::FileNameInput(text) => self.save(&text, false),
            _ => {}
        }
    }

    /// Reads a move. Capital letters are squares of the upper level; without a tower they mean the
    /// same as small ones.
    fn read_move(&self, text: &str) -> Result<Move<Square>, khet::ParseMoveError> {
        match self.has_tower() {
            true => text.parse(),
            false => text.to_ascii_lowercase().parse::<Move>().map(Into::into),
        }
    }

    fn save(&mut self, text: &str, overwrite: bool) {
        self.file_name = save::file_name(text, &self.file_name);
        self.mode = PlayMode::Board;
        self.effects.push(Effect::Save { name: self.file_name.clone(), overwrite });
    }

    /// Handles the result of [`Effect::Save`].
    pub(crate) fn saved(&mut self, result: SaveResult) {
        let name = self.file_name.clone();
        match result {
            SaveResult::Saved => {
                self.unsaved = false;
                self.message = format!("Saved as {name}.");
            }
            SaveResult::Exists => self.mode = PlayMode::Confirm(Confirmation::Overwrite(name)),
            SaveResult::Failed(reason) => {
                self.message = format!("{name} can't be written: {reason}.");
                self.mode = PlayMode::FileNameInput(name);
            }
        }
    }

    /// Undoes the last move of a person, and the engine's reply to it.
    fn undo(&mut self) {
        let ended = self.game.outcome().map(|outcome| outcome.termination);
        let reopened = matches!(ended, Some(Termination::Resignation | Termination::Repetition));
        let by_person = |ply: &usize| !self.is_computer(self.game.positions()[*ply].side_to_move());
        let plies = self.game.moves().len();
        // After a resignation or a claimed draw, the game resumes without undoing a move.
        let back_to = if reopened && by_person(&plies) {
            Some(plies)
        } else {
            (0..plies).rev().find(by_person)
        };
        let Some(back_to) = back_to else {
            self.message = "There is no move to undo.".to_string();
            return;
        };
        self.cancel_search();
        let moves = self.game.moves()[..back_to].to_vec();
        self.game = Game::new(*self.game.start());
        self.shots = moves.iter().filter_map(|&mv| self.game.play(mv).ok()).collect();
        self.keep_cursor_on_board();
        self.selection = None;
        self.hint = None;
        self.unsaved = true;
        self.message = match plies - back_to {
            0 => "The game continues.".to_string(),
            1 => "One move undone.".to_string(),
            _ => "Both moves undone.".to_string(),
        };
    }
}

/// Returns the square itself if it is on the ground, otherwise the nearest one of the tower.
fn nearest_square(column: TowerColumn, square: Square) -> Square {
    if square.level() == BoardLevel::Ground {
        return square;
    }
    let ground = square.ground();
    let distance = |other: &khet::Square| {
        let files = u32::from(other.file().abs_diff(ground.file()));
        let ranks = u32::from(other.rank().abs_diff(ground.rank()));
        files * files + ranks * ranks
    };
    let squares = column.upper_level() | column.squares();
    let nearest = squares.into_iter().min_by_key(distance).unwrap_or(ground);
    Square::new(BoardLevel::Upper, nearest)
}

/// Capitalises a sentence, unless it starts with a move or a square.
fn capitalize(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) if characters.clone().next().is_some_and(char::is_alphabetic) => {
            first.to_uppercase().chain(characters).collect()
        }
        _ => text.to_string(),
    }
}

#[cfg(test)]
mod tests;

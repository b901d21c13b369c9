//! A game at the keyboard, without a terminal: what each key does, and what time changes.
//!
//! What the state can't do itself (think, write files, leave) it wishes for; whoever runs it fulfils
//! the [`Wish`]es and tells it what came out.

use std::time::Duration;

use khet::{Color, Game, GameError, Kind, Placement, Position, Reason, Shot, Spin, Square, Turn};
use khet_engine::Level;
use ratatui::crossterm::event::KeyCode;

use crate::drawing::shot_length;
use crate::play::save;
use crate::words;

/// A beam takes this long for a square,
const BEAM_STEP: Duration = Duration::from_millis(40);
/// but never longer than this for its whole way.
const BEAM_LONGEST: Duration = Duration::from_millis(700);
/// What it hits flashes this long.
const FLASH: Duration = Duration::from_millis(250);
/// Nobody likes to be answered at once.
const PAUSE: Duration = Duration::from_millis(600);
/// Thinking is shown when it takes longer than this.
const PATIENCE: Duration = Duration::from_millis(300);
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

/// What the state can't do itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Wish {
    /// Choose a turn as that level does, and bring it to [`State::answered`].
    Think {
        ticket: u64,
        game: Game,
        level: Level,
    },
    /// Find the best turn within a second, for [`State::answered`] too.
    Hint {
        ticket: u64,
        game: Game,
    },
    /// Forget what was asked before.
    Stop,
    /// Write the record to a file, and say to [`State::saved`] what came of it.
    Save {
        name: String,
        overwrite: bool,
    },
    /// Show the start screen.
    NewGame,
    Quit,
}

/// What became of [`Wish::Save`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Saved {
    Done,
    /// There is a file of that name, which was left alone.
    Exists,
    /// It can't be written, for that reason.
    Failed(String),
}

/// What the computer says to [`Wish::Think`] or [`Wish::Hint`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reply {
    pub(crate) ticket: u64,
    pub(crate) turn: Option<Turn>,
    /// It would rather claim the draw that it may claim.
    pub(crate) claims_draw: bool,
}

/// Where keys go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    Board,
    /// A turn is being typed.
    Typing(String),
    /// A file name is being typed.
    Naming(String),
    /// Yes or no.
    Asking(Question),
    Help,
}

/// What is asked before something that can't be taken back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Question {
    Claim,
    Resign,
    Overwrite(String),
    NewGame,
    Quit,
}

impl Question {
    pub(crate) fn text(&self) -> String {
        match self {
            Question::Claim => {
                "This arrangement has come back. Claim the draw? y yes, n no".to_string()
            }
            Question::Resign => "Give up this game? y yes, n no".to_string(),
            Question::Overwrite(name) => {
                format!("{name} is there already. Replace it? y yes, n no")
            }
            Question::NewGame => "This game is not saved. Leave it? y yes, n no".to_string(),
            Question::Quit => "This game is not over and not saved. Quit? y yes, n no".to_string(),
        }
    }
}

/// A piece that has been picked up, and what is meant to be done with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Hand {
    pub(crate) square: Square,
    pub(crate) top_only: bool,
    pub(crate) spin: Option<Spin>,
}

/// What may happen on a square when the piece in the hand is dropped there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    Move,
    Swap,
    Stack,
}

/// How far a shot is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    /// The beams have come that many steps far.
    Running(usize),
    /// They have arrived, and what they hit flashes.
    Flash,
    Over,
}

/// What the computer has been asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Thought {
    ticket: u64,
    since: Duration,
    hint: bool,
    reply: Option<Reply>,
}

/// A game, and the keyboard's state in it.
pub(crate) struct State {
    game: Game,
    /// What each turn's shot did.
    shots: Vec<Shot>,
    opponent: Opponent,
    mode: Mode,
    cursor: Square,
    hand: Option<Hand>,
    flipped: bool,
    hint: Option<Turn>,
    message: String,
    /// When the last shot was fired, until it is over.
    fired: Option<Duration>,
    thought: Option<Thought>,
    tickets: u64,
    unsaved: bool,
    /// A letter that has acted as a command, but begins a turn if a digit follows it.
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

    pub(crate) fn hint(&self) -> Option<Turn> {
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

    /// How long the computer has been thinking, if that is worth showing: true for a hint.
    pub(crate) fn thinking(&self) -> Option<(Duration, bool)> {
        let thought = self.thought.filter(|thought| thought.reply.is_none())?;
        let time = self.now.saturating_sub(thought.since);
        (time > PATIENCE).then_some((time, thought.hint))
    }

    /// How far the last shot is.
    pub(crate) fn phase(&self) -> Phase {
        let (Some(fired), Some(shot)) = (self.fired, self.shots.last()) else {
            return Phase::Over;
        };
        let length = shot_length(shot).max(1) as u32;
        let step = BEAM_STEP.min(BEAM_LONGEST / length);
        let time = self.now.saturating_sub(fired);
        let flash = if shot.hits.is_empty() { Duration::ZERO } else { FLASH };
        if time < step * length {
            // The first square is lit at once.
            Phase::Running(1 + (time.as_nanos() / step.as_nanos()) as usize)
        } else if time < step * length + flash {
            Phase::Flash
        } else {
            Phase::Over
        }
    }

    /// The pieces as they are seen: before a beam arrives, what it will hit still stands; a piece in
    /// the hand is already rotated.
    pub(crate) fn board(&self) -> Placement {
        let positions = self.game.positions();
        let mut board = match (positions, self.game.turns().last()) {
            ([.., before, _], Some(&turn)) if self.phase() != Phase::Over => {
                before.before_shot(turn).placement()
            }
            _ => self.game.position().placement(),
        };
        if let Some(Hand { square, spin: Some(spin), .. }) = self.hand {
            let piece = board.get(square).map(|piece| piece.rotated(spin.quarters()));
            board.set(square, piece);
        }
        board
    }

    /// Where the piece in the hand may be dropped.
    pub(crate) fn targets(&self) -> Vec<(Square, Target)> {
        let Some(hand) = self.hand.filter(|hand| hand.spin.is_none()) else {
            return Vec::new();
        };
        let position = self.game.position();
        let turns = position.turns();
        let fits = |turn: &&Turn| match turn {
            Turn::Move { from, .. } => *from == hand.square && !hand.top_only,
            Turn::Unstack { from, .. } => *from == hand.square && hand.top_only,
            Turn::Rotate { .. } => false,
        };
        let obelisk = matches!(self.piece_kind(hand.square), Some(Kind::Obelisk | Kind::Stack));
        let target = |turn: &Turn| match position.get(turn.to()) {
            None => (turn.to(), Target::Move),
            Some(_) if obelisk => (turn.to(), Target::Stack),
            Some(_) => (turn.to(), Target::Swap),
        };
        turns.iter().filter(fits).map(target).collect()
    }

    fn piece_kind(&self, square: Square) -> Option<Kind> {
        self.game.position().get(square).map(|piece| piece.kind())
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

    /// The computer has made up its mind.
    pub(crate) fn answered(&mut self, reply: Reply) {
        if let Some(thought) = &mut self.thought
            && thought.ticket == reply.ticket
        {
            thought.reply = Some(reply);
        }
    }

    fn play_reply(&mut self) {
        let Some(Thought { hint, since, reply: Some(reply), .. }) = self.thought else { return };
        if hint {
            self.thought = None;
            self.show_hint(reply.turn);
        } else if self.now >= since + PAUSE {
            self.thought = None;
            match reply.turn {
                _ if reply.claims_draw => self.claim(),
                Some(turn) => self.play(turn),
                None => self.message = "The computer finds no turn.".to_string(),
            }
        }
    }

    fn show_hint(&mut self, turn: Option<Turn>) {
        self.hint = turn;
        let mut next = *self.game.position();
        let shot = turn.and_then(|turn| next.play(turn).ok());
        if let (Some(turn), Some(shot)) = (turn, shot) {
            let way = match turn {
                Turn::Move { from, to } => format!("{from} to {to}"),
                Turn::Unstack { from, to } => format!("the top of {from} to {to}"),
                Turn::Rotate { square, spin: Spin::Clockwise } => format!("rotate {square} right"),
                Turn::Rotate { square, .. } => format!("rotate {square} left"),
            };
            self.message = format!("Hint: {way} ({turn}). The laser {}.", words::effect(&shot));
        }
    }

    fn ask_computer(&mut self, hint: bool) {
        self.tickets += 1;
        let ticket = self.tickets;
        self.thought = Some(Thought { ticket, since: self.now, hint, reply: None });
        let game = self.game.clone();
        self.wishes.push(match self.opponent {
            Opponent::Computer { level, .. } if !hint => Wish::Think { ticket, game, level },
            _ => Wish::Hint { ticket, game },
        });
    }

    fn forget_thought(&mut self) {
        if self.thought.take().is_some() {
            self.wishes.push(Wish::Stop);
        }
    }

    /// If the computer is to move, it starts to think.
    fn next_player(&mut self) {
        if self.game.outcome().is_none() && self.is_computer(self.side()) {
            self.ask_computer(false);
        }
    }

    /// Plays a turn and fires.
    fn play(&mut self, turn: Turn) {
        let side = self.side();
        match self.game.play(turn) {
            Ok(shot) => {
                self.forget_thought();
                let turn = self.game.turns().last().copied().unwrap_or(turn);
                self.message = format!("{} {turn}: {}", words::player(side), words::shot(&shot));
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
                    self.type_turn(format!("{letter}{digit}"));
                } else {
                    self.decide(key);
                }
            }
            Mode::Board => {
                if let (Some(letter), KeyCode::Char(digit @ '1'..='8')) = (letter, key) {
                    self.take_back_command(letter);
                    self.type_turn(format!("{letter}{digit}"));
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
            KeyCode::Char(']' | '+' | '=') => self.rotate(Spin::Clockwise),
            KeyCode::Char('[' | '-') => self.rotate(Spin::Anticlockwise),
            KeyCode::Char('t') => self.toggle_top(),
            KeyCode::Char(':') => self.type_turn(String::new()),
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
            KeyCode::Char(letter @ 'a'..='j') => self.type_turn(letter.to_string()),
            _ => {}
        }
    }

    /// The letter was the beginning of a turn and not a command.
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
            // A turn moves a piece or rotates it: who goes on does not rotate.
            if let Some(hand) = &mut self.hand {
                hand.spin = None;
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

    /// Picks a piece, or drops the one in the hand.
    fn act(&mut self) {
        if !self.may_act() {
            return;
        }
        let Some(hand) = self.hand else {
            self.pick();
            return;
        };
        let to = self.cursor;
        let turn = match hand.spin {
            Some(spin) => Turn::Rotate { square: hand.square, spin },
            None if to == hand.square => {
                self.hand = None;
                self.message.clear();
                return;
            }
            None if hand.top_only => Turn::Unstack { from: hand.square, to },
            None => Turn::Move { from: hand.square, to },
        };
        let own = self.game.position().of_color(self.side()).has(to);
        if own && hand.spin.is_none() && self.game.position().check(turn).is_err() {
            self.pick();
        } else {
            self.play(turn);
        }
    }

    /// Takes the piece under the cursor into the hand.
    fn pick(&mut self) -> bool {
        let square = self.cursor;
        match self.game.position().get(square) {
            None => self.message = format!("{square} is empty. Go to one of your pieces."),
            Some(piece) if piece.color() != self.side() => {
                let owner = words::player(piece.color());
                self.message = format!("The {} on {square} is {owner}'s.", piece.role());
            }
            Some(piece) => {
                self.hand = Some(Hand { square, top_only: false, spin: None });
                self.message = match piece.kind() {
                    Kind::Stack => {
                        "The stack: Enter drops it, t takes only its top, Esc puts it back."
                            .to_string()
                    }
                    Kind::Pharaoh | Kind::Obelisk => {
                        format!("The {}: Enter drops it, Esc puts it back.", piece.role())
                    }
                    Kind::Sphinx(_) => "The sphinx: [ or ] rotates it, Enter fires.".to_string(),
                    _ => format!(
                        "The {}: Enter drops it, [ ] rotate, Esc puts it back.",
                        piece.role()
                    ),
                };
                return true;
            }
        }
        false
    }

    fn rotate(&mut self, spin: Spin) {
        if !self.may_act() || (self.hand.is_none() && !self.pick()) {
            return;
        }
        let Some(hand) = &mut self.hand else { return };
        self.cursor = hand.square;
        hand.top_only = false;
        // Once left and once right is not at all.
        if hand.spin.is_some_and(|before| before != spin) {
            hand.spin = None;
            self.message = "As it stood. Enter puts it down.".to_string();
            return;
        }
        let again = hand.spin == Some(spin);
        match self.game.position().check(Turn::Rotate { square: hand.square, spin }) {
            // A djed that is rotated twice stands as before.
            Ok(Turn::Rotate { .. }) if again && is_two_sided(self.piece_kind(self.cursor)) => {
                self.set_spin(None);
                self.message = "As it stood. Enter puts it down.".to_string();
            }
            Ok(_) if again => {
                self.message = "One quarter is a turn. Enter plays it.".to_string();
            }
            Ok(_) => {
                self.set_spin(Some(spin));
                self.message = "Enter plays the rotation, Esc cancels.".to_string();
            }
            Err(error) => self.message = capital(&format!("{error}.")),
        }
    }

    fn set_spin(&mut self, spin: Option<Spin>) {
        if let Some(hand) = &mut self.hand {
            hand.spin = spin;
        }
    }

    fn toggle_top(&mut self) {
        if !self.may_act() || (self.hand.is_none() && !self.pick()) {
            return;
        }
        let Some(hand) = &mut self.hand else { return };
        if self.game.position().get(hand.square).map(|piece| piece.kind()) == Some(Kind::Stack) {
            hand.top_only = !hand.top_only;
            let what = if hand.top_only { "Only the top" } else { "The whole stack" };
            self.message = format!("{what}: Enter drops it, t changes that, Esc puts it back.");
        } else {
            self.message = "Only a stack has a top to take.".to_string();
        }
    }

    fn type_turn(&mut self, text: String) {
        self.mode = Mode::Typing(text);
        self.hand = None;
        self.message = "A turn such as h2g2, d1^d2, h2+ or h2-. Enter plays it.".to_string();
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
                        Ok(turn) => self.play(turn),
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

    /// The answer to a question.
    fn decide(&mut self, key: KeyCode) {
        let Mode::Asking(question) = self.mode.clone() else { return };
        let yes = match key {
            KeyCode::Char('y' | 'Y') => true,
            KeyCode::Char('n' | 'N') | KeyCode::Esc => false,
            _ => return,
        };
        self.mode = Mode::Board;
        match question {
            Question::Overwrite(name) if yes => self.save(&name, true),
            Question::Overwrite(name) => self.mode = Mode::Naming(name),
            _ if !yes => {}
            Question::Claim => self.claim(),
            Question::Resign => self.resign(),
            Question::NewGame => self.wishes.push(Wish::NewGame),
            Question::Quit => self.wishes.push(Wish::Quit),
        }
    }

    /// Whether something would be lost if the game were left.
    fn is_worth_asking(&self) -> bool {
        self.unsaved && self.game.outcome().is_none() && !self.game.turns().is_empty()
    }

    fn ask_to_claim(&mut self) {
        if !self.may_act() {
            return;
        }
        if self.game.can_claim_draw() {
            self.mode = Mode::Asking(Question::Claim);
        } else {
            let (times, needed) =
                (self.game.repetitions(), self.game.position().rules().draw_claim_at());
            self.message = format!(
                "No draw to claim: this arrangement stands {}, {} are needed.",
                count(times),
                count(needed)
            );
        }
    }

    fn claim(&mut self) {
        let claimed = self.game.claim_draw();
        self.end(claimed.map(|outcome| format!("{outcome}.")));
    }

    fn ask_to_resign(&mut self) {
        match self.game.outcome() {
            Some(outcome) => self.message = format!("The game is over. {outcome}."),
            None => self.mode = Mode::Asking(Question::Resign),
        }
    }

    fn resign(&mut self) {
        let loser = match self.opponent {
            Opponent::Computer { color, .. } => !color,
            Opponent::Friend => self.side(),
        };
        let resigned = self.game.resign(loser);
        self.end(resigned.map(|_| format!("{} gives up.", words::player(loser))));
    }

    fn end(&mut self, said: Result<String, GameError>) {
        if said.is_ok() {
            self.forget_thought();
            self.hand = None;
            self.hint = None;
            self.unsaved = true;
        }
        self.message = said.unwrap_or_else(|error| capital(&format!("{error}.")));
    }

    fn ask_for_hint(&mut self) {
        if self.may_act() && self.thought.is_none() {
            self.hand = None;
            self.ask_computer(true);
        }
    }

    /// Takes back the last turn of a person, and what the computer has answered.
    fn undo(&mut self) {
        let ended = self.game.outcome().map(|outcome| outcome.reason);
        let reopened = matches!(ended, Some(Reason::Resignation | Reason::Repetition));
        let by_person = |ply: &usize| !self.is_computer(self.game.positions()[*ply].side_to_move());
        let plies = self.game.turns().len();
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
        let turns = self.game.turns()[..back_to].to_vec();
        self.game = Game::new(*self.game.start());
        self.shots = turns.iter().filter_map(|&turn| self.game.play(turn).ok()).collect();
        self.hand = None;
        self.hint = None;
        self.unsaved = true;
        self.message = match plies - back_to {
            0 => "The game goes on.".to_string(),
            1 => "One turn taken back.".to_string(),
            _ => "Both turns taken back.".to_string(),
        };
    }
}

fn is_two_sided(kind: Option<Kind>) -> bool {
    matches!(kind, Some(Kind::Djed(_) | Kind::Eye(_) | Kind::Scarab(_)))
}

fn count(times: usize) -> String {
    match times {
        1 => "once".to_string(),
        2 => "twice".to_string(),
        times => format!("{times} times"),
    }
}

/// The text as a sentence; a turn or a square at its beginning stays as it is written.
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

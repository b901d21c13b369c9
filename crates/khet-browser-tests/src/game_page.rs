//! The page object of a page with a game: reads the game, and makes moves by every input method.

use std::thread::sleep;
use std::time::Duration;

use khet::tower::{BoardLevel, TowerMove};
use khet::{
    AnyPosition, BoardSquare, Game, GamePosition, Move, Position, Record, Rotation, Setup, tower,
};
use serde_json::json;

use crate::browser::{Browser, Key};
use crate::player::choose_move;
use crate::words::word;

/// The number of moves after which a game counts as endless.
const MAX_MOVES: usize = 400;

/// A JavaScript expression that is true when the user can move, or the result is shown.
const IS_READY: &str = "(() => {
    const page = document.querySelector('.game-page');
    if (!page || page.querySelector('.board .shot')) return false;
    if (page.dataset.state === 'over') return page.querySelector('.result[data-result]');
    return page.dataset.state === 'playing' && page.dataset.waitingFor === 'person';
})()";

/// The way in which a move is entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputMethod {
    /// Clicks on the piece and on its target or handle.
    Mouse,
    /// Dragging with the mouse.
    Drag,
    /// Tapping.
    Finger,
    /// Dragging with a finger.
    Swipe,
    /// Pointer events dispatched by a script.
    Pointer,
    /// Keys on the board.
    Keys,
    /// Typing the move in notation.
    Notation,
}

/// A page with a game.
#[derive(Clone, Copy, Debug)]
pub struct GameScreen<'a, P: GamePosition = Position> {
    browser: &'a Browser,
    page_name: &'static str,
    /// The start of an online game.
    start: P,
}

impl<'a> GameScreen<'a> {
    /// The page of a game against the computer.
    pub fn computer(browser: &'a Browser) -> GameScreen<'a> {
        GameScreen { browser, page_name: "computer", start: Setup::Classic.position() }
    }

    /// The page of pass and play.
    pub fn hotseat(browser: &'a Browser) -> GameScreen<'a> {
        GameScreen { browser, page_name: "table", start: Setup::Classic.position() }
    }

    /// The page of an online game.
    pub fn online(browser: &'a Browser) -> GameScreen<'a> {
        GameScreen { browser, page_name: "online", start: Setup::Classic.position() }
    }

    /// Plays good moves until the game is over, by these input methods in turn.
    ///
    /// # Panics
    ///
    /// If the game does not end.
    pub fn play_to_end(self, methods: &[InputMethod]) {
        for &method in methods.iter().cycle().take(MAX_MOVES) {
            self.until_ready();
            if self.is_over() {
                return;
            }
            self.play(choose_move(&self.game()), method);
        }
        panic!("the game does not end");
    }
}

impl<'a> GameScreen<'a, AnyPosition> {
    /// The page of pass and play with a tower.
    pub fn tower_hotseat(browser: &'a Browser, start: AnyPosition) -> GameScreen<'a, AnyPosition> {
        GameScreen { browser, page_name: "tower-table", start }
    }

    /// The analysis page with a position of either game.
    pub fn analysis(browser: &'a Browser, start: AnyPosition) -> GameScreen<'a, AnyPosition> {
        GameScreen { browser, page_name: "analysis", start }
    }
}

impl<'a, P: GamePosition> GameScreen<'a, P> {
    /// Returns the key of the game in localStorage.
    pub fn key(self) -> String {
        format!("khet.game.{}", self.page_name)
    }

    /// Returns the saved game, or for online games that of the move list.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn game(self) -> Game<P> {
        if matches!(self.page_name, "online" | "analysis") {
            return self.listed_game();
        }
        let saved = self.browser.text(&format!("localStorage.getItem('{}')", self.key()));
        let record: Record<P> = saved.parse().expect("a saved game is a record");
        record.game()
    }

    /// Returns the game of the move list.
    fn listed_game(self) -> Game<P> {
        let moves = self
            .browser
            .value("[...document.querySelectorAll('.move')].map((move) => move.dataset.move)");
        let mut game = Game::new(self.start);
        for mv in moves.as_array().into_iter().flatten() {
            let mv =
                mv.as_str().unwrap_or_default().parse().expect("a move is written in notation");
            game.play(mv).expect("moves are legal");
        }
        game
    }

    /// Returns the number of plies that the page shows.
    pub fn plies(self) -> usize {
        if self.page_name == "analysis" {
            return self.game().moves().len();
        }
        let plies = self.browser.text("document.querySelector('.game-page').dataset.plies");
        plies.parse().expect("a number")
    }

    /// Returns whether the game is over.
    pub fn is_over(self) -> bool {
        self.browser.text("document.querySelector('.game-page').dataset.state") == "over"
    }

    /// Waits until it is the user's turn, or the result is shown.
    pub fn until_ready(self) {
        self.browser.until(match self.page_name {
            "analysis" => "!document.querySelector('.analysis .board .shot')",
            _ => IS_READY,
        });
    }

    /// Makes a move, and waits until its shot was shown and the opponent has moved.
    ///
    /// # Panics
    ///
    /// If it is illegal, or is not played.
    pub fn play(self, mv: Move<P::Square>, method: InputMethod) {
        let before = self.begin(mv, method);
        self.browser.until(&match self.page_name {
            "analysis" => format!("document.querySelectorAll('.tree .move').length > {before}"),
            _ => format!("document.querySelector('.game-page').dataset.plies > {before}"),
        });
        if self.page_name == "online" {
            return self.until_shown();
        }
        let played = self.game().moves().get(before).copied();
        assert_eq!(played, Some(mv), "the move made with {method:?}");
        self.until_ready();
    }

    /// Confirms the move that the board shows.
    pub fn confirm(self) {
        let confirm = self.handle("board_confirm");
        self.browser.wait_for(&confirm);
        // A tap that follows too soon is the second one of a double tap.
        sleep(Duration::from_millis(600));
        self.browser.click(&confirm);
    }

    /// Waits until the last shot has been shown.
    pub fn until_shown(self) {
        self.browser.until(
            "(() => {
                const page = document.querySelector('.game-page');
                const listedPlies = page.querySelectorAll('.move').length;
                return !page.querySelector('.board .shot') && listedPlies == page.dataset.plies;
            })()",
        );
    }

    /// Makes a move without waiting, and returns the number of moves before it.
    ///
    /// # Panics
    ///
    /// If it is illegal.
    pub fn begin(self, mv: Move<P::Square>, method: InputMethod) -> usize {
        self.until_ready();
        let game = self.game();
        assert!(game.position().legal_moves().contains(&mv), "{mv} in {}", game.position());
        match method {
            InputMethod::Keys => self.play_by_keys(&game, mv),
            InputMethod::Notation => self.play_by_notation(mv),
            InputMethod::Drag | InputMethod::Swipe if is_step(mv) => {
                self.play_by_drag(&game, mv, method)
            }
            _ => self.play_by_taps(&game, mv, method),
        }
        game.moves().len()
    }

    /// Returns the selector of a handle of the selected piece, by the key of its label.
    fn handle(self, key: &str) -> String {
        let name = word(&self.browser.text("document.documentElement.lang"), key);
        format!(".game-page .board .handle[aria-label={}]", json!(name))
    }

    /// Clicks or taps an element, depending on the input method.
    fn touch(self, selector: &str, method: InputMethod) {
        match method {
            InputMethod::Finger | InputMethod::Swipe => self.browser.tap(selector),
            InputMethod::Pointer => self.browser.point(selector),
            _ => self.browser.click(selector),
        }
    }

    /// Selects the piece, or only the top of a stack by its handle.
    fn pick(self, game: &Game<P>, mv: Move<P::Square>, method: InputMethod) {
        let Some([start, _]) = mv.squares() else { return };
        self.touch(&square_selector(start), method);
        let whole =
            |other: &Move<P::Square>| matches!(*other, Move::Step { from, .. } if from == start);
        if matches!(mv, Move::Unstack { .. }) && game.position().legal_moves().iter().any(whole) {
            self.touch(&self.handle("board_top_only"), method);
        }
    }

    /// Makes a move by clicks or taps.
    fn play_by_taps(self, game: &Game<P>, mv: Move<P::Square>, method: InputMethod) {
        if let Some(mv) = tower_move(mv) {
            return self.move_tower_by_handle(game, mv, method);
        }
        self.pick(game, mv, method);
        if let Move::Rotate { rotation, .. } = mv {
            let name = match rotation {
                Rotation::Clockwise => "board_rotate_clockwise",
                Rotation::Counterclockwise => "board_rotate_counterclockwise",
            };
            // The rotation is played shortly afterwards.
            return self.touch(&self.handle(name), method);
        }
        if let Some([_, to]) = mv.squares() {
            self.touch(&square_selector(to), method);
        }
    }

    /// Moves the tower by one of its handles.
    fn move_tower_by_handle(self, game: &Game<P>, mv: TowerMove, method: InputMethod) {
        let column = game.position().tower_column().expect("a tower").lower_left();
        self.touch(&column_selector(column), method);
        let name = match mv {
            TowerMove::Rotate(Rotation::Clockwise) => "tower_rotate_clockwise",
            TowerMove::Rotate(Rotation::Counterclockwise) => "tower_rotate_counterclockwise",
            TowerMove::Shift(to) => shift_handle(self.steps_on_screen(column, to)),
        };
        self.touch(&self.handle(name), method);
    }

    /// Returns the steps to the right and down between two squares of the ground.
    fn steps_on_screen(self, from: khet::Square, to: khet::Square) -> (i64, i64) {
        let [from, to] = [from, to].map(|at| self.browser.place(&square_selector(at)));
        let step = |from: f64, to: f64| ((to - from) / 20.0).clamp(-1.0, 1.0) as i64;
        (step(from.0, to.0), step(from.1, to.1))
    }

    /// Makes a move by a drag or swipe.
    fn play_by_drag(self, game: &Game<P>, mv: Move<P::Square>, method: InputMethod) {
        // Only the top of a stack has to be selected first.
        if matches!(mv, Move::Unstack { .. }) {
            self.pick(game, mv, method);
        }
        let squares = mv.squares().expect("a piece moves");
        let [from, to] = squares.map(|at| self.browser.place(&square_selector(at)));
        match method {
            InputMethod::Swipe => self.browser.swipe(from, to),
            _ => self.browser.drag(from, to),
        }
    }

    /// Makes a move by keys on the board.
    fn play_by_keys(self, game: &Game<P>, mv: Move<P::Square>) {
        // After a click on the board, the arrow keys step through the moves instead.
        self.browser.script("document.activeElement.blur();", json!([]));
        self.browser.tab_to(".game-page .board .cell");
        if let Some(mv) = tower_move(mv) {
            return self.move_tower_by_keys(game, mv);
        }
        let [from, to] = mv.squares().expect("a piece moves");
        self.walk_to(&from.to_string());
        match mv {
            Move::Rotate { rotation: Rotation::Clockwise, .. } => {
                self.browser.press(&[Key::Sign(']')])
            }
            Move::Rotate { rotation: Rotation::Counterclockwise, .. } => {
                self.browser.press(&[Key::Sign('[')])
            }
            Move::Step { .. } => self.browser.press(&[Key::Enter]),
            Move::Unstack { .. } => self.browser.press(&[Key::Enter, Key::Sign('t')]),
            Move::Tower(_) => {}
        }
        self.walk_to(&to.to_string());
        self.browser.press(&[Key::Enter]);
    }

    /// Moves the tower by keys: to its column, and for a shift to a square beside it.
    fn move_tower_by_keys(self, game: &Game<P>, mv: TowerMove) {
        let column = game.position().tower_column().expect("a tower").lower_left();
        let upper = |square: khet::Square| square.to_string().to_ascii_uppercase();
        self.walk_to(&upper(column));
        match mv {
            TowerMove::Rotate(Rotation::Clockwise) => self.browser.press(&[Key::Sign(']')]),
            TowerMove::Rotate(Rotation::Counterclockwise) => self.browser.press(&[Key::Sign('[')]),
            TowerMove::Shift(to) => {
                self.browser.press(&[Key::Enter]);
                // The column has two files and two ranks.
                let beside = |to: u8, from: u8| if to > from { to + 1 } else { to };
                let (file, rank) =
                    (beside(to.file(), column.file()), beside(to.rank(), column.rank()));
                self.walk_to(&upper(khet::Square::new(file, rank).expect("a square")));
            }
        }
        self.browser.press(&[Key::Enter]);
    }

    /// Moves the focus to a square with the arrow keys, and to the other level with `l`.
    fn walk_to(self, to: &str) {
        let is_upper = |name: &str| name.starts_with(|file: char| file.is_ascii_uppercase());
        let here = self.browser.text("document.activeElement.dataset.square");
        if is_upper(&here) != is_upper(to) {
            self.browser.press(&[Key::Sign('l')]);
            self.browser.until(&format!("document.activeElement.dataset.square !== '{here}'"));
        }
        let offset = self.browser.script(
            "const here = document.activeElement, there = document.querySelector(arguments[0]);
             return ['x', 'y'].map((side) => (there.getAttribute(side) - here.getAttribute(side)) / 100);",
            json!([square_selector(to)]),
        );
        let steps = |index: usize| offset[index].as_f64().unwrap_or_default() as i32;
        let mut keys = Vec::new();
        for (count, back, forth) in
            [(steps(0), Key::Left, Key::Right), (steps(1), Key::Up, Key::Down)]
        {
            let key = if count < 0 { back } else { forth };
            keys.extend(std::iter::repeat_n(key, count.unsigned_abs() as usize));
        }
        self.browser.press(&keys);
        let at = format!("document.activeElement.dataset.square === '{to}'");
        self.browser.until(&at);
    }

    /// Makes a move by typing it in notation.
    fn play_by_notation(self, mv: Move<P::Square>) {
        type_move(self.browser, &mv.to_string());
    }
}

/// Types a move in notation. The key `/` opens the field, which keeps the focus after a move.
pub fn type_move(browser: &Browser, mv: &str) {
    const IS_OPEN: &str = "document.activeElement.matches('.move-text')";
    if browser.value(IS_OPEN) != true {
        browser.press(&[Key::Sign('/')]);
        browser.until(IS_OPEN);
    }
    browser.write(mv);
    browser.press(&[Key::Enter]);
}

/// Returns the selector of a square of the board.
fn square_selector(square: impl std::fmt::Display) -> String {
    format!(".game-page .board [data-square={square}]")
}

/// Returns the selector of the top of a tower's column.
fn column_selector(column: khet::Square) -> String {
    square_selector(tower::Square::new(BoardLevel::Upper, column))
}

/// Returns whether a piece goes to another square.
fn is_step<S: BoardSquare>(mv: Move<S>) -> bool {
    mv.squares().is_some_and(|[from, to]| from != to)
}

/// Returns the move of the tower that a move is.
fn tower_move<S: BoardSquare>(mv: Move<S>) -> Option<TowerMove> {
    // A move of the standard game is never one of the tower.
    match mv.to_string().parse::<Move<tower::Square>>() {
        Ok(Move::Tower(mv)) => Some(mv),
        _ => None,
    }
}

/// Returns the key of the name of the handle that shifts the tower, by steps to the right and down.
fn shift_handle(step: (i64, i64)) -> &'static str {
    match step {
        (0, -1) => "tower_shift_up",
        (1, -1) => "tower_shift_upper_right",
        (1, 0) => "tower_shift_right",
        (1, 1) => "tower_shift_lower_right",
        (0, 1) => "tower_shift_down",
        (-1, 1) => "tower_shift_lower_left",
        (-1, 0) => "tower_shift_left",
        _ => "tower_shift_upper_left",
    }
}

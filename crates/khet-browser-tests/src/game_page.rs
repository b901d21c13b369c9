//! The page object of a page with a game: reads the game, and makes moves by every input method.

use std::thread::sleep;
use std::time::Duration;

use khet::{Game, Move, Record, Rotation};
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
pub struct GameScreen<'a> {
    browser: &'a Browser,
    page_name: &'static str,
}

impl<'a> GameScreen<'a> {
    /// The page of a game against the computer.
    pub fn computer(browser: &'a Browser) -> GameScreen<'a> {
        GameScreen { browser, page_name: "computer" }
    }

    /// The page of pass and play.
    pub fn hotseat(browser: &'a Browser) -> GameScreen<'a> {
        GameScreen { browser, page_name: "table" }
    }

    /// The page of an online game.
    pub fn online(browser: &'a Browser) -> GameScreen<'a> {
        GameScreen { browser, page_name: "online" }
    }

    /// Returns the key of the game in localStorage.
    pub fn key(self) -> String {
        format!("khet.game.{}", self.page_name)
    }

    /// Returns the saved game, or for online games that of the move list.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn game(self) -> Game {
        if self.page_name == "online" {
            return self.listed_game();
        }
        let saved = self.browser.text(&format!("localStorage.getItem('{}')", self.key()));
        let record: Record = saved.parse().expect("a saved game is a record");
        record.game()
    }

    /// Returns the game of the move list, from the classic setup.
    fn listed_game(self) -> Game {
        let moves = self
            .browser
            .value("[...document.querySelectorAll('.move')].map((move) => move.dataset.move)");
        let mut game = Game::new(khet::Setup::Classic.position());
        for mv in moves.as_array().into_iter().flatten() {
            let mv =
                mv.as_str().unwrap_or_default().parse().expect("a move is written in notation");
            game.play(mv).expect("moves are legal");
        }
        game
    }

    /// Returns the number of plies that the page shows.
    pub fn plies(self) -> usize {
        let plies = self.browser.text("document.querySelector('.game-page').dataset.plies");
        plies.parse().expect("a number")
    }

    /// Returns whether the game is over.
    pub fn is_over(self) -> bool {
        self.browser.text("document.querySelector('.game-page').dataset.state") == "over"
    }

    /// Waits until it is the user's turn, or the result is shown.
    pub fn until_ready(self) {
        self.browser.until(IS_READY);
    }

    /// Makes a move, and waits until its shot was shown and the opponent has moved.
    ///
    /// # Panics
    ///
    /// If it is illegal, or is not played.
    pub fn play(self, mv: Move, method: InputMethod) {
        let before = self.begin(mv, method);
        self.browser
            .until(&format!("document.querySelector('.game-page').dataset.plies > {before}"));
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
    pub fn begin(self, mv: Move, method: InputMethod) -> usize {
        self.until_ready();
        let game = self.game();
        assert!(game.position().legal_moves().contains(&mv), "{mv} in {}", game.position());
        match method {
            InputMethod::Keys => self.play_by_keys(mv),
            InputMethod::Notation => self.play_by_notation(mv),
            InputMethod::Drag | InputMethod::Swipe if mv.to() != mv.from() => {
                self.play_by_drag(&game, mv, method)
            }
            _ => self.play_by_taps(&game, mv, method),
        }
        game.moves().len()
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
    fn pick(self, game: &Game, mv: Move, method: InputMethod) {
        self.touch(&square_selector(mv.from()), method);
        let whole = |other: &Move| other.from() == mv.from() && matches!(other, Move::Step { .. });
        if matches!(mv, Move::Unstack { .. }) && game.position().legal_moves().iter().any(whole) {
            self.touch(&self.handle("board_top_only"), method);
        }
    }

    /// Makes a move by clicks or taps.
    fn play_by_taps(self, game: &Game, mv: Move, method: InputMethod) {
        self.pick(game, mv, method);
        if let Move::Rotate { rotation, .. } = mv {
            let name = match rotation {
                Rotation::Clockwise => "board_rotate_clockwise",
                Rotation::Counterclockwise => "board_rotate_counterclockwise",
            };
            // The rotation is played shortly afterwards.
            return self.touch(&self.handle(name), method);
        }
        self.touch(&square_selector(mv.to()), method);
    }

    /// Makes a move by a drag or swipe.
    fn play_by_drag(self, game: &Game, mv: Move, method: InputMethod) {
        // Only the top of a stack has to be selected first.
        if matches!(mv, Move::Unstack { .. }) {
            self.pick(game, mv, method);
        }
        let [from, to] = [mv.from(), mv.to()].map(|at| self.browser.place(&square_selector(at)));
        match method {
            InputMethod::Swipe => self.browser.swipe(from, to),
            _ => self.browser.drag(from, to),
        }
    }

    /// Makes a move by keys on the board.
    fn play_by_keys(self, mv: Move) {
        // After a click on the board, the arrow keys step through the moves instead.
        self.browser.script("document.activeElement.blur();", json!([]));
        self.browser.tab_to(".game-page .board .cell");
        self.walk_to(mv.from());
        match mv {
            Move::Rotate { rotation: Rotation::Clockwise, .. } => {
                self.browser.press(&[Key::Sign(']')])
            }
            Move::Rotate { rotation: Rotation::Counterclockwise, .. } => {
                self.browser.press(&[Key::Sign('[')])
            }
            Move::Step { .. } => self.browser.press(&[Key::Enter]),
            Move::Unstack { .. } => self.browser.press(&[Key::Enter, Key::Sign('t')]),
        }
        self.walk_to(mv.to());
        self.browser.press(&[Key::Enter]);
    }

    /// Moves the focus to a square with the arrow keys.
    fn walk_to(self, to: khet::Square) {
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
    fn play_by_notation(self, mv: Move) {
        self.browser.press(&[Key::Sign('/')]);
        self.browser.until("document.activeElement.matches('.move-text')");
        self.browser.write(&mv.to_string());
        self.browser.press(&[Key::Enter]);
    }
}

/// Returns the selector of a square of the board.
fn square_selector(square: khet::Square) -> String {
    format!(".game-page .board [data-square={square}]")
}

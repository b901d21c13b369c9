//! A page with a game: what stands, and moves made by hand in all the ways there are.

use khet::{Game, Move, Record, Rotation};
use serde_json::json;

use crate::browser::{Browser, Key};
use crate::player::choose;
use crate::words::word;

/// A game that has not ended by then never will.
const LONGEST_GAME: usize = 400;

/// A person can act, or has seen the end.
const READY: &str = "(() => {
    const room = document.querySelector('.game-page');
    if (!room || room.querySelector('.board .shot')) return false;
    if (room.dataset.state === 'over') return room.querySelector('.result');
    return room.dataset.state === 'playing' && room.dataset.waits === 'person';
})()";

/// How a move is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hand {
    /// Click the piece, click its target or handle.
    Mouse,
    /// Drag with the mouse.
    Drag,
    /// Tap with a finger.
    Finger,
    /// Drag with a finger.
    Swipe,
    /// Nothing but pointer events.
    Pointer,
    /// The keyboard on the board.
    Keys,
    /// Type it in notation.
    Notation,
}

/// A page with a game.
#[derive(Clone, Copy, Debug)]
pub struct Room<'a> {
    browser: &'a Browser,
    place: &'static str,
}

impl<'a> Room<'a> {
    /// The page against the computer.
    pub fn computer(browser: &'a Browser) -> Room<'a> {
        Room { browser, place: "computer" }
    }

    /// The page for two at one table.
    pub fn table(browser: &'a Browser) -> Room<'a> {
        Room { browser, place: "table" }
    }

    /// A game over the network.
    pub fn online(browser: &'a Browser) -> Room<'a> {
        Room { browser, place: "online" }
    }

    /// Where the browser keeps the game.
    pub fn key(self) -> String {
        format!("khet.game.{}", self.place)
    }

    /// The game as the browser keeps it, or as the list of moves has it.
    ///
    /// # Panics
    ///
    /// If it does not.
    pub fn game(self) -> Game {
        if self.place == "online" {
            return self.listed_game();
        }
        let saved = self.browser.text(&format!("localStorage.getItem('{}')", self.key()));
        let record: Record = saved.parse().expect("a saved game is a record");
        record.game()
    }

    /// The game of the list of moves, from the classic setup.
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

    /// How many moves have been made, as the page says.
    pub fn plies(self) -> usize {
        let plies = self.browser.text("document.querySelector('.game-page').dataset.plies");
        plies.parse().expect("a number")
    }

    /// Whether the game is over.
    pub fn is_over(self) -> bool {
        self.browser.text("document.querySelector('.game-page').dataset.state") == "over"
    }

    /// Waits until it is a person's turn, or the end has been shown.
    pub fn until_ready(self) {
        self.browser.until(READY);
    }

    /// Makes a move and waits until the shot has been shown and the other has answered.
    ///
    /// # Panics
    ///
    /// If it is no move now, or nothing comes of it.
    pub fn play(self, mv: Move, hand: Hand) {
        let before = self.begin(mv, hand);
        self.browser
            .until(&format!("document.querySelector('.game-page').dataset.plies > {before}"));
        if self.place == "online" {
            return self.until_shown();
        }
        let played = self.game().moves().get(before).copied();
        assert_eq!(played, Some(mv), "what was played with {hand:?}");
        self.until_ready();
    }

    /// Waits until the last shot has been shown.
    pub fn until_shown(self) {
        self.browser.until(
            "(() => {
                const room = document.querySelector('.game-page');
                const listed = room.querySelectorAll('.move').length;
                return !room.querySelector('.board .shot') && listed == room.dataset.plies;
            })()",
        );
    }

    /// Makes a move, and does not wait for anything. Gives the number of moves before it.
    ///
    /// # Panics
    ///
    /// If it is no move now.
    pub fn begin(self, mv: Move, hand: Hand) -> usize {
        self.until_ready();
        let game = self.game();
        assert!(game.position().legal_moves().contains(&mv), "{mv} in {}", game.position());
        match hand {
            Hand::Keys => self.by_keys(mv),
            Hand::Notation => self.by_notation(mv),
            Hand::Drag | Hand::Swipe if mv.to() != mv.from() => self.by_drag(&game, mv, hand),
            _ => self.by_taps(&game, mv, hand),
        }
        game.moves().len()
    }

    /// Plays well until the game is over, in these ways by moves.
    ///
    /// # Panics
    ///
    /// If it does not end.
    pub fn play_to_the_end(self, hands: &[Hand]) {
        for &hand in hands.iter().cycle().take(LONGEST_GAME) {
            self.until_ready();
            if self.is_over() {
                return;
            }
            self.play(choose(&self.game()), hand);
        }
        panic!("the game does not end");
    }

    /// A handle of the picked piece, found by the key of its name.
    fn handle(self, key: &str) -> String {
        let name = word(&self.browser.text("document.documentElement.lang"), key);
        format!(".game-page .board .handle[aria-label={}]", json!(name))
    }

    fn touch(self, selector: &str, hand: Hand) {
        match hand {
            Hand::Finger | Hand::Swipe => self.browser.tap(selector),
            Hand::Pointer => self.browser.point(selector),
            _ => self.browser.click(selector),
        }
    }

    /// Picks the piece, by its handle its top if that is what goes.
    fn pick(self, game: &Game, mv: Move, hand: Hand) {
        self.touch(&square(mv.from()), hand);
        let whole = |other: &Move| other.from() == mv.from() && matches!(other, Move::Step { .. });
        if matches!(mv, Move::Unstack { .. }) && game.position().legal_moves().iter().any(whole) {
            self.touch(&self.handle("board_top_only"), hand);
        }
    }

    fn by_taps(self, game: &Game, mv: Move, hand: Hand) {
        self.pick(game, mv, hand);
        if let Move::Rotate { rotation, .. } = mv {
            let name = match rotation {
                Rotation::Clockwise => "board_turn_clockwise",
                Rotation::Counterclockwise => "board_turn_anticlockwise",
            };
            self.touch(&self.handle(name), hand);
            if hand == Hand::Mouse {
                return self.touch(&square(mv.from()), hand);
            }
            return self.touch(&self.handle("board_drop"), hand);
        }
        self.touch(&square(mv.to()), hand);
    }

    fn by_drag(self, game: &Game, mv: Move, hand: Hand) {
        // A whole piece need not be picked first.
        if matches!(mv, Move::Unstack { .. }) {
            self.pick(game, mv, hand);
        }
        let [from, to] = [mv.from(), mv.to()].map(|at| self.browser.place(&square(at)));
        match hand {
            Hand::Swipe => self.browser.swipe(from, to),
            _ => self.browser.drag(from, to),
        }
    }

    fn by_keys(self, mv: Move) {
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

    /// Walks with the arrow keys from where the focus is.
    fn walk_to(self, to: khet::Square) {
        let way = self.browser.script(
            "const here = document.activeElement, there = document.querySelector(arguments[0]);
             return ['x', 'y'].map((side) => (there.getAttribute(side) - here.getAttribute(side)) / 100);",
            json!([square(to)]),
        );
        let steps = |index: usize| way[index].as_f64().unwrap_or_default() as i32;
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

    fn by_notation(self, mv: Move) {
        self.browser.click(".game-page .move-text");
        self.browser.write(&mv.to_string());
        self.browser.press(&[Key::Enter]);
    }
}

fn square(square: khet::Square) -> String {
    format!(".game-page .board [data-square={square}]")
}

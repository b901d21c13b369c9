//! The board of a game with a tower: a whole game by each kind of input, and looking beneath the
//! platform.

use khet::{AnyPosition, Game, Move, Record, tower};
use khet_browser_tests::{Browser, Device, GameScreen, InputMethod, Key, in_browser, word};
use serde_json::json;

use crate::SERVER;

/// A start with djeds on the upper level.
const START: &str = "4o2ko2p22/2p37/3P46/p11P34p21P4/p21P44p11P3/6p23/7P12/2P4O2KO24\
                     +e4:6/1d12d21/6/6/1D22D11/6 s";

/// A short game that ends with a hit on a pharaoh: the tower is rotated and shifted, pieces climb,
/// descend, step and are rotated on the upper level, and a stack is taken apart.
const GAME: &str = "T+ h4i5 f1^e2 Td4 e2f3 g3G3 c4d3 F6F7 C3+ F3f3 j4j3";

/// Silver's beam climbs at the east face, is reflected by three pyramids on the upper level, and
/// descends at the north face. A pyramid stands above another one.
const CLIMBING: &str = "3k2o2d22/10/3P42p1p22/p18P4/p28P3/3P32p23/10/2D2O2KO24\
                        +e4:6/3P21P3/o25/5P4/1p44/6 s";

fn position(text: &str) -> AnyPosition {
    text.parse().expect("a position")
}

fn game_moves() -> Vec<Move<tower::Square>> {
    GAME.split_whitespace().map(|mv| mv.parse().expect("a move")).collect()
}

/// Opens the analysis page with a position.
fn open<'a>(browser: &'a Browser, start: &str) -> GameScreen<'a, AnyPosition> {
    let query = start.replace(' ', "_").replace('+', "%2B");
    browser.open(&SERVER.at(&format!("/en/analysis?position={query}")));
    browser.wait_for(".analysis .board.tower");
    GameScreen::analysis(browser, position(start))
}

/// Opens a game of two players on one device, without moves.
fn open_hotseat<'a>(browser: &'a Browser, start: &str) -> GameScreen<'a, AnyPosition> {
    let page = GameScreen::tower_hotseat(browser, position(start));
    let mut record = Record::from_game(&Game::new(position(start)));
    record.set_tag("Mode", "table").expect("a tag");
    // From another page, because the page of the game saves its own game when it is left.
    browser.open(&SERVER.at("/en/analysis"));
    browser.wait_for(".analysis .board");
    let store = "localStorage.setItem(arguments[0], arguments[1])";
    browser.script(store, json!([page.key(), record.to_string()]));
    browser.open(&SERVER.at("/en/tower-table"));
    page.until_ready();
    page
}

/// Plays the game by these input methods in turn.
fn play_game(browser: &Browser, methods: &[InputMethod]) {
    let page = open_hotseat(browser, START);
    let mut game = Game::new(position(START));
    for (mv, method) in game_moves().into_iter().zip(methods.iter().cycle()) {
        page.play(mv, *method);
        game.play(mv).expect("a legal move");
    }
    assert!(game.outcome().is_some() && page.is_over(), "a pharaoh is hit");
    assert_eq!(page.game().moves(), game.moves());
    assert_eq!(browser.console_errors(), [] as [&str; 0]);
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_game_with_a_tower_is_played_by_mouse() {
    in_browser(Device::DESKTOP, |browser| {
        play_game(browser, &[InputMethod::Mouse]);
        play_game(browser, &[InputMethod::Drag]);
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_game_with_a_tower_is_played_by_touch() {
    in_browser(Device::PHONE, |browser| {
        play_game(browser, &[InputMethod::Finger, InputMethod::Swipe]);
        play_game(browser, &[InputMethod::Swipe, InputMethod::Finger]);
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_game_with_a_tower_is_played_by_keys_and_notation() {
    in_browser(Device::DESKTOP, |browser| {
        play_game(browser, &[InputMethod::Keys]);
        play_game(browser, &[InputMethod::Notation]);
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn the_tower_is_dragged_by_its_column() {
    in_browser(Device::DESKTOP, |browser| {
        let page = open(browser, START);
        let [from, to] =
            ["E4", "D4"].map(|name| browser.place(&format!(".board [data-square={name}]")));
        browser.drag(from, to);
        browser.until("document.querySelectorAll('.tree .move').length === 1");
        assert_eq!(page.game().moves()[0].to_string(), "Td4");
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn upper_level_fades_while_the_player_looks_beneath_it() {
    in_browser(Device::DESKTOP, |browser| {
        let page = open(browser, CLIMBING);
        let peeks = |is_on: bool| {
            let expected = if is_on { "" } else { "!" };
            browser.until(&format!("{expected}document.querySelector('.board.peeking')"));
        };
        peeks(false);
        browser.press(&[Key::Sign('v')]);
        peeks(true);
        browser.press(&[Key::Sign('v')]);
        peeks(false);
        // The tower has an eye among its handles.
        browser.click(".board [data-square=E4]");
        let eye = |key| format!(".board .handle[aria-label={}]", json!(word("en", key)));
        browser.click(&eye("tower_peek"));
        peeks(true);
        browser.click(&eye("tower_peek_end"));
        peeks(false);
        browser.press(&[Key::Escape]);
        // A piece beneath the platform is in hand.
        browser.click(".board [data-square=d6]");
        peeks(true);
        browser.click(".board [data-square=d6]");
        peeks(false);
        assert_eq!(page.plies(), 0);
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn both_levels_are_described() {
    in_browser(Device::DESKTOP, |browser| {
        let page = open(browser, CLIMBING);
        let label = |square: &str| {
            browser.text(&format!(
                "document.querySelector('.board [data-square={square}]').getAttribute('aria-label')"
            ))
        };
        assert_eq!(label("F6"), "upper F6, Silver\u{2019}s pyramid, mirror faces lower right");
        assert_eq!(label("d6"), "d6, Silver\u{2019}s pyramid, mirror faces upper left");
        assert_eq!(label("E5"), "upper E5, column of the tower");
        page.play("d6D6".parse().expect("a move"), InputMethod::Mouse);
        browser.until(
            "document.querySelector('.board-announcement').textContent.includes('descends')",
        );
        let text = browser.text("document.querySelector('.board-announcement').textContent");
        assert!(text.contains("from d6 to upper D6"), "{text}");
        assert!(text.contains("climbs to upper G4") && text.contains("descends to f6"), "{text}");
    });
}

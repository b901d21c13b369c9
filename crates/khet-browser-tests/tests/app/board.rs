//! The board itself: rotations, confirmations, beams, arrows, and the keys and the wheel of all
//! pages.

use std::thread::sleep;
use std::time::Duration;

use khet_browser_tests::{
    Browser, Device, GameScreen, InputMethod, Key, in_browser, moves_of, word,
};
use serde_json::json;

use crate::SERVER;

/// Longer than the time after which the board plays a rotation.
const ROTATION_TIME: Duration = Duration::from_millis(900);

/// The path of the first beam that is previewed.
const PREVIEW: &str = "document.querySelector('.board .preview path').getAttribute('d')";

/// Returns the selector of a square.
fn square(name: &str) -> String {
    format!(".board [data-square={name}]")
}

/// Returns the selector of a handle by the key of its label.
fn handle(key: &str) -> String {
    format!(".board .handle[aria-label={}]", json!(word("en", key)))
}

/// Starts a game of two players on one device, with these stored settings.
fn start_hotseat<'a>(browser: &'a Browser, settings: &str) -> GameScreen<'a> {
    browser.open(&SERVER.at("/en/table"));
    if !settings.is_empty() {
        browser.script("localStorage['khet.settings'] = arguments[0];", json!([settings]));
        browser.reload();
    }
    browser.click("[data-action=begin]");
    let page = GameScreen::hotseat(browser);
    page.until_ready();
    page
}

/// Returns the number of elements that match a selector.
fn count(browser: &Browser, selector: &str) -> usize {
    let count = browser.value(&format!("document.querySelectorAll({}).length", json!(selector)));
    count.as_u64().unwrap_or_default() as usize
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_double_click_on_a_rotation_handle_plays_nothing() {
    in_browser(Device::DESKTOP, |browser| {
        let page = start_hotseat(browser, "");
        browser.click(&square("h2"));
        browser.wait_for(&handle("board_rotate_clockwise"));
        let place = browser.place(&handle("board_rotate_clockwise"));
        browser.click_at(place);
        browser.click_at(place);
        sleep(ROTATION_TIME);
        assert_eq!(page.plies(), 0, "a half turn is not a move");
        let note = browser.text("document.querySelector('.game-page .board').dataset.note");
        assert_eq!(note, word("en", "board_quarter_turn_only"), "the board says why");
        // The piece is still in hand: a single click rotates it and plays.
        browser.click_at(place);
        browser.until("document.querySelector('.game-page').dataset.plies === '1'");
        assert_eq!(page.game().moves(), moves_of("h2+"));
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_double_tap_on_a_phone_plays_nothing() {
    in_browser(Device::PHONE, |browser| {
        let page = start_hotseat(browser, "");
        browser.tap(&square("h2"));
        browser.wait_for(&handle("board_rotate_counterclockwise"));
        let place = browser.place(&handle("board_rotate_counterclockwise"));
        browser.tap_at(place);
        browser.tap_at(place);
        sleep(ROTATION_TIME);
        assert_eq!(page.plies(), 0);
        page.play(moves_of("c4-")[0], InputMethod::Finger);
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn moves_wait_for_confirmation_if_the_player_wants_it() {
    in_browser(Device::DESKTOP, |browser| {
        let page = start_hotseat(browser, "confirm-moves=always");
        // A double click on the target only shows the move.
        browser.click(&square("h2"));
        let target = browser.place(&square("g2"));
        browser.click_at(target);
        browser.click_at(target);
        browser.wait_for(&handle("board_confirm"));
        sleep(ROTATION_TIME);
        assert_eq!(page.plies(), 0);
        browser.click(&handle("board_take_back"));
        browser.until(&format!("!document.querySelector({})", json!(handle("board_confirm"))));
        assert_eq!(page.plies(), 0);
        // A rotation waits too, and its handle is not confirmed by a double click.
        let place = browser.place(&handle("board_rotate_clockwise"));
        browser.click_at(place);
        browser.click_at(place);
        sleep(ROTATION_TIME);
        assert_eq!(page.plies(), 0);
        browser.click(&handle("board_confirm"));
        browser.until("document.querySelector('.game-page').dataset.plies === '1'");
        assert_eq!(page.game().moves(), moves_of("h2+"));
        // Keys: Enter drops, and Enter confirms.
        page.until_ready();
        browser.script("document.activeElement.blur();", json!([]));
        page.begin(moves_of("h5h6")[0], InputMethod::Keys);
        browser.wait_for(&handle("board_confirm"));
        browser.press(&[Key::Enter]);
        browser.until("document.querySelector('.game-page').dataset.plies === '2'");
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn the_practice_beam_follows_the_piece_in_hand() {
    in_browser(Device::DESKTOP, |browser| {
        browser.open(&SERVER.at("/en/computer"));
        browser.click("[data-action=begin]");
        GameScreen::computer(browser).until_ready();
        browser.click("[data-action=more]");
        browser.click("dialog[open] [data-field=practice]");
        browser.press(&[Key::Escape]);
        browser.until("!document.querySelector('dialog[open]')");
        browser.wait_for(".board .preview path");
        let before = browser.text(PREVIEW);
        assert!(before.starts_with("M950,819L950,450L750,450"), "off the mirror on j4: {before}");
        browser.click(&square("j4"));
        browser.wheel(&square("j4"), 120.0);
        browser.wait_for(&handle("board_drop"));
        // The beam meets the solid back of the rotated pyramid.
        let rotated = browser.text(PREVIEW);
        assert_eq!(rotated, "M950,819L950,464", "before: {before}");
        browser.press(&[Key::Escape]);
        browser.until(&format!("{PREVIEW} === {}", json!(before)));
        // If the pyramid stepped aside, the beam would meet the back of the one on j5.
        browser.click(&square("j4"));
        browser.hover(&square("i4"));
        browser.until(&format!("{PREVIEW} === 'M950,819L950,364'"));
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn the_right_mouse_button_draws_arrows_and_circles() {
    in_browser(Device::DESKTOP, |browser| {
        for address in ["/en/table", "/en/analysis"] {
            browser.open(&SERVER.at(address));
            if address == "/en/table" {
                browser.click("[data-action=begin]");
            }
            browser.wait_for(&square("h2"));
            let [h2, e5] = ["h2", "e5"].map(|name| browser.place(&square(name)));
            browser.right_drag(h2, e5);
            browser.wait_for(".board .drawn-arrow");
            browser.right_drag(e5, e5);
            browser.wait_for(".board .drawn-circle");
            assert_eq!(count(browser, ".board .handle"), 0, "no piece is picked up");
            browser.right_drag(e5, e5);
            browser.until("!document.querySelector('.board .drawn-circle')");
            browser.click(&square("g5"));
            browser.until("!document.querySelector('.board .drawn-arrow')");
            assert_eq!(browser.console_errors(), Vec::<String>::new());
        }
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn the_key_f_flips_every_board() {
    in_browser(Device::DESKTOP, |browser| {
        for address in ["/en/table", "/en/analysis", "/en/setup/classic", "/en/friend"] {
            browser.open(&SERVER.at(address));
            if address == "/en/table" {
                browser.click("[data-action=begin]");
            }
            let first = "document.querySelector('.board .cell')?.dataset.square";
            browser.until(&format!("{first} === 'a8'"));
            browser.press(&[Key::Sign('f')]);
            browser.until(&format!("{first} === 'j1'"));
            browser.press(&[Key::Sign('f')]);
            browser.until(&format!("{first} === 'a8'"));
        }
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn wheel_and_arrow_keys_step_through_the_moves() {
    in_browser(Device::DESKTOP, |browser| {
        let page = start_hotseat(browser, "");
        for mv in moves_of("h2g2 h5h6") {
            page.play(mv, InputMethod::Mouse);
        }
        let viewed = |ply: usize| {
            let viewed = "document.querySelector('.game-page').dataset.viewedPly";
            browser.until(&format!("{viewed} === '{ply}'"));
        };
        browser.wheel(&square("e4"), -120.0);
        viewed(1);
        browser.wheel(&square("e4"), 120.0);
        viewed(2);
        // The focus is on the board after the clicks.
        browser.press(&[Key::Left]);
        viewed(1);
        browser.press(&[Key::Home]);
        viewed(0);
        browser.press(&[Key::Right, Key::Right]);
        viewed(2);
        // A right click, which draws a circle, is a click too.
        let e4 = browser.place(&square("e4"));
        browser.right_drag(e4, e4);
        browser.wait_for(".board .drawn-circle");
        browser.press(&[Key::Left]);
        viewed(1);
        browser.press(&[Key::Right]);
        viewed(2);
        // With a piece in hand, the wheel rotates it.
        browser.click(&square("g2"));
        browser.wheel(&square("g2"), 120.0);
        browser.wait_for(&handle("board_drop"));
        viewed(2);
        assert_eq!(page.plies(), 2);
        browser.click(&square("g2"));
        browser.until("document.querySelector('.game-page').dataset.plies === '3'");
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn an_upright_board_fills_a_phone_and_is_played_like_any_other() {
    in_browser(Device::PHONE, |browser| {
        let page = start_hotseat(browser, "upright-board=on");
        let size = browser.value(
            "(() => { const box = document.querySelector('.game-page .board').getBoundingClientRect();
             return [box.width, box.height, document.documentElement.scrollWidth - innerWidth]; })()",
        );
        let [width, height, overflow] = [0, 1, 2].map(|at| size[at].as_f64().unwrap_or_default());
        assert!(height > width && width > 340.0, "{width} by {height}");
        assert_eq!(overflow, 0.0);
        // File a is at the top, and Silver's laser at the bottom.
        let [first, last] = ["a1", "j8"].map(|name| browser.place(&square(name)));
        assert!(first.0 < last.0 && first.1 < last.1);
        for (mv, method) in moves_of("h2g2 h5- j5- a5a6").into_iter().zip([
            InputMethod::Finger,
            InputMethod::Finger,
            InputMethod::Finger,
            InputMethod::Swipe,
        ]) {
            page.play(mv, method);
        }
        assert_eq!(page.plies(), 4);
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn an_upright_board_never_has_smaller_squares_than_a_lying_one() {
    let square_size =
        "document.querySelector('.board [data-square=e4]').getBoundingClientRect().width";
    for (size, stands) in
        [((320, 568), false), ((360, 740), true), ((390, 664), false), ((412, 780), true)]
    {
        in_browser(Device { size, less_motion: true, ..Device::PHONE }, |browser| {
            let widths = ["upright-board=off", "upright-board=on"].map(|settings| {
                browser.open(&SERVER.at("/en"));
                browser.script("localStorage.clear();", json!([]));
                let page = start_hotseat(browser, settings);
                page.play(moves_of("h2g2")[0], InputMethod::Finger);
                let playing = browser.value(square_size).as_f64().unwrap_or_default();
                browser.click("[data-action=resign]");
                browser.click("dialog[open] [data-action=confirm]");
                browser.wait_for(".result[data-result]");
                [playing, browser.value(square_size).as_f64().unwrap_or_default()]
            });
            let [lying, upright] = widths;
            assert_eq!(count(browser, ".board.upright"), usize::from(stands), "{size:?}");
            for (lying, upright) in lying.into_iter().zip(upright) {
                assert!(upright >= lying - 0.1, "{upright} instead of {lying} at {size:?}");
            }
        });
    }
}

//! Whole games, from the first page to the end.

use khet::{Setup, Termination};
use khet_browser_tests::{Browser, Device, GameScreen, InputMethod, Key, in_browser, moves_of};
use serde_json::json;

use crate::SERVER;

/// A short game of the classic setup that ends with Red's pharaoh lit.
const SHORT_GAME: &str = "c5b5 h5- j5- a5a6 j4i4 a4- f4g5 a4b3 g5f6 f8e7 j5j6 b3a2 j6j7";

/// Silver has won because Red's pharaoh was lit, and the page says so.
fn assert_silver_lit_red(browser: &Browser, room: GameScreen<'_>) {
    let outcome = room.game().outcome().expect("the game is over");
    assert_eq!(outcome.termination, Termination::PharaohHit);
    assert_eq!(outcome.winner, Some(khet::Color::Silver));
    assert_eq!(browser.text("document.querySelector('.result').dataset.result"), "1-0");
    assert_eq!(room.plies(), room.game().moves().len());
    println!("{} moves, Silver lights Red's pharaoh", room.plies());
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_game_against_level_1_with_the_mouse() {
    in_browser(Device::DESKTOP, |browser| {
        browser.open(&SERVER.at("/en"));
        browser.click(".home-link[href='/en/computer']");
        browser.wait_for("[data-field=level]");
        // The left end of the slider.
        let (x, y) = browser.place("[data-field=level]");
        let width = browser.value("document.querySelector('[data-field=level]').offsetWidth");
        browser.click_at((x - width.as_f64().unwrap_or_default() / 2.0 + 4.0, y));
        browser.until("document.querySelector('.level-number').textContent === '1'");
        browser.click("[data-action=begin]");
        let room = GameScreen::computer(browser);
        room.until_ready();
        room.play_to_end(&[InputMethod::Mouse, InputMethod::Drag]);
        assert_silver_lit_red(browser, room);
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_game_of_two_at_one_table_with_drag_tap_and_keyboard() {
    in_browser(Device::DESKTOP, |browser| {
        browser.open(&SERVER.at("/en/table"));
        browser.click("[data-action=begin]");
        let room = GameScreen::hotseat(browser);
        let hands =
            [InputMethod::Drag, InputMethod::Mouse, InputMethod::Keys, InputMethod::Notation];
        for (mv, hand) in moves_of(SHORT_GAME).into_iter().zip(hands.into_iter().cycle()) {
            room.play(mv, hand);
        }
        assert_silver_lit_red(browser, room);
        // The next game begins with the same setup.
        browser.click(".result [data-action=rematch]");
        browser.until("document.querySelector('.game-page').dataset.plies === '0'");
        assert_eq!(room.game().position(), &Setup::Classic.position());
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_game_with_the_keyboard_alone() {
    in_browser(Device::DESKTOP, |browser| {
        browser.open(&SERVER.at("/en"));
        browser.tab_to(".home-link[href='/en/computer']");
        browser.press(&[Key::Enter]);
        browser.tab_to("[data-field=level]");
        browser.press(&[Key::Home]);
        browser.until("document.querySelector('.level-number').textContent === '1'");
        browser.tab_to("[data-action=begin]");
        browser.press(&[Key::Enter]);
        let room = GameScreen::computer(browser);
        room.play_to_end(&[InputMethod::Keys]);
        assert_silver_lit_red(browser, room);
        // What happened was said in words.
        let said =
            browser.text("document.querySelector('.game-page .board-announcement').textContent");
        assert!(said.contains("laser"), "{said:?}");
        browser.tab_to(".result [data-action=rematch]");
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_game_with_pointer_events_alone_on_a_phone() {
    in_browser(Device::PHONE, |browser| {
        browser.open(&SERVER.at("/en"));
        browser.point(".home-link[href='/en/computer']");
        browser.point("[data-action=begin]");
        let room = GameScreen::computer(browser);
        room.until_ready();
        let overflow = browser.value("document.documentElement.scrollWidth - innerWidth");
        assert_eq!(overflow, json!(0), "nothing is wider than the screen");
        room.play_to_end(&[InputMethod::Pointer]);
        assert_silver_lit_red(browser, room);
    });
}

//! Whole games, from the home page to the result.

use khet::{Setup, Termination};
use khet_browser_tests::{
    Browser, Device, GameScreen, InputMethod, Key, SHORT_GAME, in_browser, moves_of,
};
use serde_json::json;

use crate::SERVER;

/// Asserts that Silver has won by a hit on Red's pharaoh, and that the page shows it.
fn assert_silver_hit_red_pharaoh(browser: &Browser, page: GameScreen<'_>) {
    let outcome = page.game().outcome().expect("the game is over");
    assert_eq!(outcome.termination, Termination::PharaohHit);
    assert_eq!(outcome.winner, Some(khet::Color::Silver));
    assert_eq!(
        browser.text("document.querySelector('.result[data-result]').dataset.result"),
        "1-0"
    );
    assert_eq!(page.plies(), page.game().moves().len());
    println!("{} moves, Silver hits Red's pharaoh", page.plies());
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_game_against_level_1_with_the_mouse() {
    in_browser(Device::DESKTOP, |browser| {
        browser.open(&SERVER.at("/en"));
        browser.wait_for("main h1");
        browser.click(".home-link[href='/en/computer']");
        browser.wait_for("[data-field=level]");
        // The left end of the slider.
        let (x, y) = browser.place("[data-field=level]");
        let width = browser.value("document.querySelector('[data-field=level]').offsetWidth");
        browser.click_at((x - width.as_f64().unwrap_or_default() / 2.0 + 4.0, y));
        browser.until("document.querySelector('.level-number').textContent === '1'");
        browser.click("[data-action=begin]");
        let page = GameScreen::computer(browser);
        page.until_ready();
        page.play_to_end(&[InputMethod::Mouse, InputMethod::Drag]);
        assert_silver_hit_red_pharaoh(browser, page);
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_hotseat_game_with_drag_tap_and_keyboard() {
    in_browser(Device::DESKTOP, |browser| {
        browser.open(&SERVER.at("/en/table"));
        browser.click("[data-action=begin]");
        let page = GameScreen::hotseat(browser);
        let methods =
            [InputMethod::Drag, InputMethod::Mouse, InputMethod::Keys, InputMethod::Notation];
        for (mv, method) in moves_of(SHORT_GAME).into_iter().zip(methods.into_iter().cycle()) {
            page.play(mv, method);
        }
        assert_silver_hit_red_pharaoh(browser, page);
        // The rematch starts from the same setup.
        browser.click(".result [data-action=rematch]");
        browser.until("document.querySelector('.game-page').dataset.plies === '0'");
        assert_eq!(page.game().position(), &Setup::Classic.position());
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_game_with_the_keyboard_alone() {
    in_browser(Device::DESKTOP, |browser| {
        browser.open(&SERVER.at("/en"));
        browser.wait_for("main h1");
        browser.tab_to(".home-link[href='/en/computer']");
        browser.press(&[Key::Enter]);
        browser.tab_to("[data-field=level]");
        browser.press(&[Key::Home]);
        browser.until("document.querySelector('.level-number').textContent === '1'");
        browser.tab_to("[data-action=begin]");
        browser.press(&[Key::Enter]);
        let page = GameScreen::computer(browser);
        page.play_to_end(&[InputMethod::Keys]);
        assert_silver_hit_red_pharaoh(browser, page);
        // Screen readers get a description of the shot.
        let announcement =
            browser.text("document.querySelector('.game-page .board-announcement').textContent");
        assert!(announcement.contains("laser"), "{announcement:?}");
        browser.tab_to(".result [data-action=rematch]");
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_game_with_pointer_events_alone_on_a_phone() {
    in_browser(Device::PHONE, |browser| {
        browser.open(&SERVER.at("/en"));
        browser.wait_for("main h1");
        browser.point(".home-link[href='/en/computer']");
        browser.point("[data-action=begin]");
        let page = GameScreen::computer(browser);
        page.until_ready();
        let overflow = browser.value("document.documentElement.scrollWidth - innerWidth");
        assert_eq!(overflow, json!(0), "nothing is wider than the screen");
        page.play_to_end(&[InputMethod::Pointer]);
        assert_silver_hit_red_pharaoh(browser, page);
    });
}

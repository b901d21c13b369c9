//! The header, its menus, the list of shortcuts, and the first paint.

use khet_browser_tests::{Browser, Device, Key, in_browser, word};
use serde_json::json;

use crate::SERVER;

/// A JavaScript expression: the id of the open menu, or an empty string.
const OPEN_MENU: &str = "document.querySelector(':popover-open')?.id ?? ''";

#[test]
#[ignore = "needs the built app and a browser"]
fn menus_work_by_keyboard() {
    in_browser(Device::DESKTOP, |browser| {
        browser.open(&SERVER.at("/en"));
        browser.wait_for("main h1");
        browser.tab_to("[popovertarget=menu-play]");
        browser.press(&[Key::Enter]);
        browser.until(&format!("({OPEN_MENU}) === 'menu-play'"));
        browser.press(&[Key::Escape]);
        browser.until(&format!("({OPEN_MENU}) === ''"));
        assert_eq!(browser.value("document.activeElement.matches('[popovertarget]')"), true);
        browser.press(&[Key::Enter]);
        browser.tab_to("#menu-play a[href='/en/table']");
        browser.press(&[Key::Enter]);
        browser.until("location.pathname === '/en/table'");
        browser.until(&format!("({OPEN_MENU}) === ''"));
        assert_eq!(
            browser.text("document.querySelector('[popovertarget=menu-play]').ariaCurrent"),
            "true"
        );
        browser.wait_for("#menu-play a[href='/en/table'][aria-current=page]");
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn phones_reach_everything_from_the_bar_and_from_the_menu() {
    in_browser(Device::PHONE, |browser| {
        browser.open(&SERVER.at("/fr"));
        browser.wait_for("main h1");
        browser.tap("[popovertarget=menu-play]");
        browser.tap("#menu-play a[href='/fr/computer']");
        browser.until("location.pathname === '/fr/computer'");
        // A board may fill the window here, so that one button is left.
        let bar = "document.querySelector('[popovertarget=menu-play]').getClientRects().length";
        assert_eq!(browser.value(bar), 0);
        browser.tap("[popovertarget=menu-all]");
        for page in ["lobby", "rules", "watch", "setups", "editor", "analysis"] {
            let link = format!("#menu-all a[href='/fr/{page}']");
            let (x, y) = browser.place(&link);
            assert!((0.0..390.0).contains(&x) && (0.0..844.0).contains(&y), "{page}: {x}, {y}");
        }
        browser.tap("#menu-all a[href='/fr/lobby']");
        browser.until("location.pathname === '/fr/lobby'");
        browser.wait_for(".site-nav .nav-entry[aria-current]");
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn question_mark_lists_the_shortcuts_on_every_page() {
    in_browser(Device::DESKTOP, |browser| {
        for page in ["", "/computer", "/lobby", "/setups", "/analysis"] {
            browser.open(&SERVER.at(&format!("/de{page}")));
            browser.wait_for("main h1");
            browser.press(&[Key::Sign('?')]);
            browser.wait_for("dialog[open][data-dialog=keys]");
            let text = browser.text("document.querySelector('dialog[open]').textContent");
            for key in
                ["shortcuts_title", "play_flip_board", "shortcuts_step", "shortcuts_key_delete"]
            {
                assert!(text.contains(&word("de", key)), "{page}: {key} in {text}");
            }
            browser.press(&[Key::Escape]);
            browser.until("!document.querySelector('dialog[open]')");
        }
        // In a field it is a character.
        browser.open(&SERVER.at("/de/games"));
        browser.click("[data-field=player]");
        browser.write("?");
        assert_eq!(browser.text("document.querySelector('[data-field=player]').value"), "?");
        assert_eq!(browser.value("document.querySelector('dialog[open]')"), json!(null));
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn header_shows_the_account_and_signs_out() {
    in_browser(Device::DESKTOP, |browser| {
        browser.open(&SERVER.at("/en"));
        browser.wait_for("main h1");
        browser.click(".header .sign-in");
        browser.click("[data-form=sign-up] [data-field=name]");
        browser.write("HeaderTest");
        browser.click("[data-form=sign-up] [type=password]");
        browser.write("a long password");
        browser.click("[data-action=sign-up]");
        browser.wait_for(".account-button");
        // Other programs show it without a request.
        browser.open(&SERVER.at("/en"));
        browser.wait_for("main h1");
        assert_eq!(
            browser.text("document.querySelector('.account-name').textContent"),
            "HeaderTest"
        );
        browser.click(".account-button");
        browser.click("#menu-account a[href$='player=HeaderTest']");
        browser.until("location.pathname === '/en/games'");
        browser.wait_for("[data-field=player]");
        assert_eq!(
            browser.text("document.querySelector('[data-field=player]').value"),
            "HeaderTest"
        );
        browser.click(".account-button");
        browser.click("[data-menu-action=sign-out]");
        browser.wait_for(".header .sign-in");
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn board_and_choices_are_there_before_the_program() {
    // Without a check of the console, in which the missing program is an error.
    let browser = Browser::start(Device { language: "nl", ..Device::PHONE });
    browser.chromium("Network.enable", json!({}));
    browser.chromium("Network.setBlockedURLs", json!({ "urls": ["*.wasm"] }));
    browser.open(&SERVER.at("/"));
    browser.wait_for("#shell .board svg .mirror");
    let board = "document.querySelector('#shell .board').getBoundingClientRect().width";
    assert!(browser.value(board).as_f64().is_some_and(|width| width > 300.0));
    assert!(
        browser
            .text("document.querySelector('#shell').innerText")
            .contains(&word("nl", "home_intro"))
    );
    browser.wait_for("#shell .home-link[href='/nl/computer']");
    browser.chromium("Network.setBlockedURLs", json!({ "urls": [] }));
    browser.open(&SERVER.at("/"));
    browser.wait_for("main h1");
    assert_eq!(browser.value("document.querySelector('#shell')"), json!(null));
}

//! The pages of games with a tower: from the forms of the home program to local games, back, and to
//! the editor.

use khet::AnyPlacement;
use khet_browser_tests::{Browser, Device, in_browser, type_move, word};
use serde_json::json;

use crate::SERVER;

/// Chooses an option of a select box, as a person does.
fn choose(browser: &Browser, field: &str, value: &str) {
    browser.wait_for(&format!("[data-field={field}]"));
    browser.script(
        "const [field, value] = arguments;
         const select = document.querySelector(`[data-field=${field}]`);
         select.value = value;
         select.dispatchEvent(new Event('change', { bubbles: true }));",
        json!([field, value]),
    );
}

/// Types a move in notation.
fn play(browser: &Browser, mv: &str) {
    type_move(browser, mv);
    browser.wait_for(&format!(".move[data-move='{mv}']"));
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_tower_setup_leads_to_its_program_and_the_game_is_kept() {
    in_browser(Device { less_motion: true, ..Device::DESKTOP }, |browser| {
        browser.open(&SERVER.at("/en/table"));
        choose(browser, "setup", "ramesses");
        browser.until("location.pathname === '/en/tower-table'");
        browser.wait_for(".game-page .board.tower");
        let setup = "document.querySelector('[data-field=setup]').value";
        assert_eq!(browser.text(setup), "ramesses", "the choice is kept");
        browser.click("[data-action=begin]");
        browser.until("document.querySelector('.game-page').dataset.state === 'playing'");
        play(browser, "T+");
        play(browser, "Te5");
        let saved = browser.text("localStorage.getItem('khet.game.tower-table')");
        assert!(saved.contains("[Setup \"Ramesses\"]"), "{saved}");
        browser.reload();
        browser.wait_for(".move[data-move=Te5]");
        // The home program can't read the game, but knows that there is one.
        browser.open(&SERVER.at("/en"));
        browser.click(".home-continue[href='/en/tower-table']");
        browser.wait_for(".move[data-move=Te5]");
        assert_eq!(browser.console_errors(), [] as [&str; 0]);
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_standard_setup_leads_back_to_the_home_program() {
    in_browser(Device::PHONE, |browser| {
        browser.open(&SERVER.at("/en/tower-computer"));
        choose(browser, "setup", "isis");
        browser.until("location.pathname === '/en/computer'");
        browser.wait_for("[data-field=setup]");
        assert_eq!(browser.text("document.querySelector('[data-field=setup]').value"), "isis");
        assert_eq!(browser.console_errors(), [] as [&str; 0]);
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn the_computer_plays_with_a_tower() {
    in_browser(Device { less_motion: true, ..Device::DESKTOP }, |browser| {
        browser.open(&SERVER.at("/en/tower-computer"));
        browser.click("[data-action=begin]");
        browser.until("document.querySelector('.game-page').dataset.state === 'playing'");
        play(browser, "T+");
        browser.until("document.querySelectorAll('.move').length === 2");
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_tower_is_added_moved_and_played_in_the_editor() {
    in_browser(Device::DESKTOP, |browser| {
        browser.open(&SERVER.at("/en/editor?position=classic"));
        let text = "document.querySelector('[data-field=text]').value";
        browser.click("[data-field=tower]");
        browser.until(&format!("{text}.includes('+e4:')"));
        // The djeds of Classic stand where the column is.
        browser.until("document.querySelector('.setup-check-summary').dataset.state === 'bad'");
        choose(browser, "start", "orontes");
        browser.until(&format!("{text}.includes('1d12d21')"));
        browser.click("[data-action=tower-rotate-right]");
        browser.click("[data-action=tower-right]");
        browser.until(&format!("{text}.includes('+f4:')"));
        let placement: AnyPlacement = browser.text(text).parse().expect("a placement");
        assert!(placement.faults().is_empty(), "{placement}");
        browser.click("[data-action=undo]");
        browser.click("[data-action=undo]");
        browser.click("[data-action=play-hotseat]");
        browser.until("location.pathname === '/en/tower-table'");
        browser.wait_for(".game-page .board.tower");
        assert_eq!(browser.console_errors(), [] as [&str; 0]);
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn our_setups_are_shown_as_ours() {
    in_browser(Device::DESKTOP, |browser| {
        browser.open(&SERVER.at("/en/setups"));
        browser.click("a[href='/en/setup/nefertari']");
        browser.wait_for(".setup-page .board.tower");
        let about = browser.text("document.querySelector('.setup-side .field-about').textContent");
        assert_eq!(about, word("en", "setups_tower_about"));
    });
}

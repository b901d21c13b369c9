//! What stays: games over a reload, the app without a network.

use khet_browser_tests::{AppServer, Device, GameScreen, InputMethod, in_browser, moves_of, word};
use serde_json::json;

use crate::SERVER;

#[test]
#[ignore = "needs the built app and a browser"]
fn a_game_goes_on_after_a_reload() {
    in_browser(Device::DESKTOP, |browser| {
        browser.open(&SERVER.at("/en/computer"));
        browser.click("[data-action=begin]");
        let room = GameScreen::computer(browser);
        room.play(moves_of("c5b5")[0], InputMethod::Mouse);
        let game = room.game();
        assert_eq!(game.moves().len(), 2, "the computer has answered");
        browser.reload();
        room.until_ready();
        assert_eq!(room.plies(), 2);
        assert_eq!(room.game(), game);
        // The page goes in the middle of the computer's thought: it thinks again.
        let before = room.begin(khet_browser_tests::choose(&game), InputMethod::Drag);
        browser.until(&format!("document.querySelector('.game-page').dataset.plies > {before}"));
        browser.reload();
        room.until_ready();
        assert_eq!(room.plies(), 4);
        // The first page leads back to it.
        browser.open(&SERVER.at("/en"));
        browser.click(".home-continue");
        room.until_ready();
        assert_eq!(room.plies(), 4);
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_corrupt_save_is_set_aside_with_a_message() {
    in_browser(Device::DESKTOP, |browser| {
        browser.open(&SERVER.at("/en"));
        browser.wait_for(".home");
        let corrupt = "[Mode \"computer 4 silver\"]\n\n1. e1e9 \u{fffd}";
        for place in ["computer", "table"] {
            let key = format!("khet.game.{place}");
            let keep = "localStorage.setItem(arguments[0], arguments[1])";
            browser.script(keep, json!([key, corrupt]));
            browser.open(&SERVER.at(&format!("/en/{place}")));
            browser.wait_for("[data-form=new-game]");
            let message = browser.text("document.querySelector('[data-message]').textContent");
            assert_eq!(message, word("en", "play_saved_game_unreadable"));
            let aside = browser.text(&format!("localStorage.getItem('{key}.set-aside')"));
            assert_eq!(aside, corrupt, "nothing is lost");
            browser.click("[data-action=begin]");
            browser.until("document.querySelector('.game-page').dataset.state === 'playing'");
        }
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn everything_works_without_a_network_after_the_first_visit() {
    let server = AppServer::start();
    in_browser(Device::DESKTOP, |browser| {
        browser.open(&server.at("/en/table"));
        browser.click("[data-action=begin]");
        let room = GameScreen::hotseat(browser);
        room.play(moves_of("h2g2")[0], InputMethod::Mouse);
        // It takes over when it has fetched everything.
        browser.until("navigator.serviceWorker.controller");
        let [table, rules, computer] =
            ["/en/table", "/de/rules", "/en/computer"].map(|path| server.at(path));
        drop(server);
        browser.reload();
        room.until_ready();
        assert_eq!(room.plies(), 1);
        browser.open(&rules);
        browser.wait_for(".learn .board");
        browser.open(&computer);
        browser.click("[data-action=begin]");
        let room = GameScreen::computer(browser);
        room.play(moves_of("c5b5")[0], InputMethod::Mouse);
        assert_eq!(room.plies(), 2, "the engine is there too");
        browser.open(&table);
        GameScreen::hotseat(browser).until_ready();
    });
}

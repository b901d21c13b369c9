//! Persistence: games after a reload, and the app without a network.

use khet_browser_tests::{AppServer, Device, GameScreen, InputMethod, in_browser, moves_of, word};
use serde_json::json;

use crate::SERVER;

#[test]
#[ignore = "needs the built app and a browser"]
fn a_game_goes_on_after_a_reload() {
    in_browser(Device::DESKTOP, |browser| {
        browser.open(&SERVER.at("/en/computer"));
        browser.click("[data-action=begin]");
        let screen = GameScreen::computer(browser);
        screen.play(moves_of("c5b5")[0], InputMethod::Mouse);
        let game = screen.game();
        assert_eq!(game.moves().len(), 2, "the computer has moved");
        browser.reload();
        screen.until_ready();
        assert_eq!(screen.plies(), 2);
        assert_eq!(screen.game(), game);
        // A reload while the computer is thinking: it starts the search again.
        let before = screen.begin(khet_browser_tests::choose_move(&game), InputMethod::Drag);
        browser.until(&format!("document.querySelector('.game-page').dataset.plies > {before}"));
        browser.reload();
        screen.until_ready();
        assert_eq!(screen.plies(), 4);
        // The home page has a link to the unfinished game.
        browser.open(&SERVER.at("/en"));
        browser.click(".home-continue");
        screen.until_ready();
        assert_eq!(screen.plies(), 4);
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_corrupt_save_is_set_aside_with_a_message() {
    in_browser(Device::DESKTOP, |browser| {
        browser.open(&SERVER.at("/en"));
        browser.wait_for(".home");
        let corrupt = "[Mode \"computer 4 silver\"]\n\n1. e1e9 \u{fffd}";
        for page in ["computer", "table"] {
            let key = format!("khet.game.{page}");
            let store = "localStorage.setItem(arguments[0], arguments[1])";
            browser.script(store, json!([key, corrupt]));
            browser.open(&SERVER.at(&format!("/en/{page}")));
            browser.wait_for("[data-form=new-game]");
            let message = browser.text("document.querySelector('[data-message]').textContent");
            assert_eq!(message, word("en", "play_saved_game_unreadable"));
            let set_aside = browser.text(&format!("localStorage.getItem('{key}.set-aside')"));
            assert_eq!(set_aside, corrupt, "nothing is lost");
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
        let screen = GameScreen::hotseat(browser);
        screen.play(moves_of("h2g2")[0], InputMethod::Mouse);
        // The service worker takes control when it has cached everything.
        browser.until("navigator.serviceWorker.controller");
        let [table, rules, computer] =
            ["/en/table", "/de/rules", "/en/computer"].map(|path| server.at(path));
        drop(server);
        browser.reload();
        screen.until_ready();
        assert_eq!(screen.plies(), 1);
        browser.open(&rules);
        browser.wait_for(".learn .board");
        browser.open(&computer);
        browser.click("[data-action=begin]");
        let screen = GameScreen::computer(browser);
        screen.play(moves_of("c5b5")[0], InputMethod::Mouse);
        assert_eq!(screen.plies(), 2, "the engine was cached too");
        browser.open(&table);
        GameScreen::hotseat(browser).until_ready();
    });
}

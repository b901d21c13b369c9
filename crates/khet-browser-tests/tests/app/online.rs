//! Online games: two browsers play against each other, a spectator is a spectator.

use khet_browser_tests::{
    AppServer, Browser, Device, GameScreen, InputMethod, in_browser, moves_of,
};

/// A short game of the classic setup that ends with a hit on Red's pharaoh.
const SHORT_GAME: &str = "c5b5 h5- j5- a5a6 j4i4 a4- f4g5 a4b3 g5f6 f8e7 j5j6 b3a2 j6j7";

/// Creates a challenge on the friend page, after `choose` has set its options. Returns its link.
fn create_challenge_link(
    browser: &Browser,
    server: &AppServer,
    choose: impl Fn(&Browser),
) -> String {
    browser.open(&server.at("/en/friend"));
    browser.click("[data-field=side-silver] + span");
    choose(browser);
    browser.click("[data-action=make-link]");
    browser.wait_for("[data-text=link]");
    browser.wait_for(".qr .qr-dark");
    browser.text("document.querySelector('[data-text=link]').value")
}

/// Opens the link of a challenge and accepts it.
fn accept(browser: &Browser, link: &str) {
    browser.open(link);
    browser.click("[data-action=accept]");
}

/// Creates an account.
pub(crate) fn sign_up(browser: &Browser, server: &AppServer, name: &str) {
    browser.open(&server.at("/en/account"));
    browser.click("[data-form=sign-up] [data-field=name]");
    browser.write(name);
    browser.click("[data-form=sign-up] [data-field=new-password]");
    browser.write("correct horse battery");
    browser.click("[data-action=sign-up]");
    browser.wait_for(&format!("[data-account={name}]"));
}

/// Returns the new ratings in the result panel, Silver's first.
fn new_ratings(browser: &Browser) -> Vec<i64> {
    browser.wait_for(".result .rating-changes");
    let ratings = browser.value(
        "[...document.querySelectorAll('.result [data-rating]')].map((row) => +row.dataset.rating)",
    );
    ratings.as_array().into_iter().flatten().filter_map(serde_json::Value::as_i64).collect()
}

/// Waits until the game is running and the browser plays this colour, or watches if `you` is empty.
fn until_playing(browser: &Browser, you: &str) {
    browser.until(&format!(
        "(() => {{ const page = document.querySelector('.game-page.online');
          return page && page.dataset.state === 'playing' && (page.dataset.you ?? '') === '{you}'; }})()"
    ));
}

/// Waits until this number of plies has been shown.
fn until_plies(browser: &Browser, plies: usize) {
    browser.until(&format!("document.querySelector('.game-page')?.dataset.plies == {plies}"));
    GameScreen::online(browser).until_shown();
}

#[test]
#[ignore = "needs the built app and a browser"]
fn two_friends_play_a_rated_game_with_a_reload_and_a_cut_network_before_a_spectator() {
    let server = AppServer::start();
    let silver = Browser::start(Device::DESKTOP);
    let red = Browser::start(Device::PHONE);
    let spectator = Browser::start(Device::DESKTOP);
    sign_up(&silver, &server, "Anna");
    sign_up(&red, &server, "Bella");
    let link = create_challenge_link(&silver, &server, |browser| {
        browser.click("[data-field=pace-real-time] + span");
        browser.until("!document.querySelector('[data-field=kind-rated]').disabled");
        browser.click("[data-field=kind-rated] + span");
    });
    accept(&red, &link);
    until_playing(&silver, "silver");
    until_playing(&red, "red");
    let game = silver.text("location.pathname");
    assert_eq!(red.text("location.pathname"), game);
    spectator.open(&server.at(&game));
    until_playing(&spectator, "");
    let all = [&silver, &red, &spectator];
    for (ply, mv) in moves_of(SHORT_GAME).into_iter().enumerate() {
        let mover = all[ply % 2];
        if ply == 4 {
            // Silver reloads the page during the game.
            silver.reload();
            until_playing(&silver, "silver");
        }
        if ply == 7 {
            // Red is offline on its turn: the move is sent when the connection is back.
            red.set_offline(true);
            red.until("document.querySelector('.game-page').dataset.connected === 'false'");
            GameScreen::online(&red).begin(mv, InputMethod::Finger);
            red.until("document.querySelector('.game-page').dataset.waitingFor === 'other'");
            assert_eq!(
                GameScreen::online(&red).plies(),
                ply,
                "no move is played before the server confirms it"
            );
            assert_eq!(GameScreen::online(&silver).plies(), ply);
            silver.until("document.querySelector('.player.top').dataset.present === 'false'");
            red.set_offline(false);
        } else {
            let method = if ply % 2 == 0 { InputMethod::Mouse } else { InputMethod::Finger };
            GameScreen::online(mover).play(mv, method);
        }
        for browser in all {
            until_plies(browser, ply + 1);
        }
    }
    for browser in all {
        browser.until("document.querySelector('.result')?.dataset.result === '1-0'");
        assert_eq!(browser.text("document.querySelector('.game-page').dataset.state"), "over");
        assert_eq!(GameScreen::online(browser).game().moves(), moves_of(SHORT_GAME));
    }
    let new = new_ratings(&silver);
    assert!(new[0] > 1500 && new[1] < 1500, "{new:?}");
    for browser in all {
        assert_eq!(new_ratings(browser), new);
    }
    // Spectators have only the buttons that do not act on the game.
    let buttons = spectator.value(
        "[...document.querySelectorAll('.actions [data-action]')].map((button) => button.dataset.action)",
    );
    assert_eq!(buttons, serde_json::json!(["flip", "more"]));
    // The result panel links to the review.
    let review = silver.text("document.querySelector('.result [data-action=review]').href");
    // The profile of a player links to the game, which can be replayed.
    spectator.open(&server.at("/en/person/Anna"));
    spectator.wait_for("[data-speed=rapid] strong");
    let shown = spectator.text("document.querySelector('[data-speed=rapid] strong').textContent");
    assert_eq!(shown.trim_end_matches('?'), new[0].to_string());
    spectator.click(".listed-link");
    spectator.until(&format!("location.pathname === '{game}'"));
    until_plies(&spectator, moves_of(SHORT_GAME).len());
    spectator.click("[data-walk=first]");
    spectator.until("document.querySelector('.game-page').dataset.viewedPly === '0'");
    // The rematch has reversed colours.
    silver.click(".result [data-action=rematch]");
    red.tap(".question [data-action=accept]");
    until_playing(&silver, "red");
    until_playing(&red, "silver");
    assert_ne!(silver.text("location.pathname"), game);
    // The server makes one review for all.
    for browser in [&spectator, &silver] {
        browser.open(&review);
        browser.wait_for(".review[data-state=done] .graph");
    }
    // The opening explorer counts the game.
    spectator.open(&server.at("/en/analysis?position=classic"));
    spectator.click("#tab-explorer");
    spectator.wait_for(".explorer [data-move=c5b5][data-games='1']");
    // The explorer links to the game.
    spectator.click(".explorer-games a");
    spectator.until("location.search.startsWith('?game=')");
    spectator.click("#tab-tree");
    let moves = moves_of(SHORT_GAME).len();
    spectator.until(&format!("document.querySelectorAll('.tree .round .move').length === {moves}"));
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_correspondence_game_spans_a_restart_of_the_server() {
    let server = AppServer::start();
    let silver = Browser::start(Device::DESKTOP);
    let red = Browser::start(Device::DESKTOP);
    let link = create_challenge_link(&silver, &server, |browser| {
        browser.click("[data-field=pace-days] + span");
    });
    accept(&red, &link);
    until_playing(&silver, "silver");
    until_playing(&red, "red");
    let moves = moves_of(SHORT_GAME);
    GameScreen::online(&silver).play(moves[0], InputMethod::Mouse);
    until_plies(&red, 1);
    let _server = server.restart();
    for browser in [&silver, &red] {
        browser.until("document.querySelector('.game-page').dataset.connected === 'true'");
    }
    GameScreen::online(&red).play(moves[1], InputMethod::Keys);
    until_plies(&silver, 2);
    // The clocks have not changed.
    let clock = silver.text("document.querySelector('.player.bottom .clock').textContent");
    assert!(clock.starts_with("1 d 23 h") || clock.starts_with("2 d 0 h"), "{clock}");
}

#[test]
#[ignore = "needs the built app and a browser"]
fn players_use_takebacks_draw_offers_chat_and_resignation() {
    let server = AppServer::start();
    in_browser(Device::DESKTOP, |silver| {
        in_browser(Device::DESKTOP, |red| {
            let link = create_challenge_link(silver, &server, |_| {});
            accept(red, &link);
            until_playing(silver, "silver");
            until_playing(red, "red");
            let moves = moves_of(SHORT_GAME);
            GameScreen::online(silver).play(moves[0], InputMethod::Mouse);
            until_plies(red, 1);
            GameScreen::online(red).play(moves[1], InputMethod::Notation);
            until_plies(silver, 2);
            // A takeback is requested and accepted.
            red.click("[data-action=take-back]");
            silver.click(".question [data-action=accept]");
            for browser in [silver, red] {
                until_plies(browser, 1);
            }
            // A draw offer is declined; a chat message is shown and then muted.
            GameScreen::online(red).play(moves[1], InputMethod::Mouse);
            until_plies(silver, 2);
            silver.click("[data-action=draw]");
            silver.click("dialog[open] [data-action=confirm]");
            red.click(".question [data-action=decline]");
            silver
                .until("document.querySelector('[data-message]').textContent.includes('declined')");
            silver.click("[data-field=chat]");
            silver.write("Good luck");
            silver.click("[data-action=send-chat]");
            red.until("document.querySelector('.chat-list').textContent.includes('Good luck')");
            red.click("[data-switch=mute]");
            red.until("!document.querySelector('.chat-list').textContent.includes('Good luck')");
            // Red resigns.
            red.click("[data-action=resign]");
            red.click("dialog[open] [data-action=confirm]");
            for browser in [silver, red] {
                browser.until("document.querySelector('.result')?.dataset.result === '1-0'");
            }
        });
    });
}

/// A JavaScript expression that is true when an online game is running.
const GAME_IS_RUNNING: &str =
    "document.querySelector('.game-page.online')?.dataset.state === 'playing'";

/// Opens the lobby and waits until it is connected.
fn open_lobby(browser: &Browser, server: &AppServer) {
    browser.open(&server.at("/en/lobby"));
    browser.until("document.querySelector('.page.lobby')?.dataset.connected === 'true'");
}

#[test]
#[ignore = "needs the built app and a browser"]
fn two_players_with_the_same_seek_are_paired() {
    let server = AppServer::start();
    in_browser(Device::DESKTOP, |one| {
        in_browser(Device::PHONE, |other| {
            [one, other].into_iter().for_each(|browser| open_lobby(browser, &server));
            one.click("[data-pair='300+3']");
            one.until("document.querySelector('[data-pair=\"300+3\"]').ariaPressed === 'true'");
            other.tap("[data-pair='300+3']");
            [one, other].into_iter().for_each(|browser| browser.until(GAME_IS_RUNNING));
            assert_eq!(one.text("location.pathname"), other.text("location.pathname"));
            // The other player sees and accepts an open challenge.
            [one, other].into_iter().for_each(|browser| open_lobby(browser, &server));
            one.click(".lobby-own summary");
            one.click("[data-action=make-challenge]");
            other.tap(".lobby-row [data-action=accept]");
            [one, other].into_iter().for_each(|browser| browser.until(GAME_IS_RUNNING));
        });
    });
}

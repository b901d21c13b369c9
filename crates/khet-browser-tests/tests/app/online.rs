//! Games over the network: two real browsers against each other, a third that watches.

use khet_browser_tests::{
    AppServer, Browser, Device, GameScreen, InputMethod, in_browser, moves_of,
};

/// A short game of the classic setup that ends with Red's pharaoh lit.
const SHORT_GAME: &str = "c5b5 h5- j5- a5a6 j4i4 a4- f4g5 a4b3 g5f6 f8e7 j5j6 b3a2 j6j7";

/// Makes a link on the page for friends, with what was chosen there by `choose`. Gives the link.
fn make_link(browser: &Browser, server: &AppServer, choose: impl Fn(&Browser)) -> String {
    browser.open(&server.at("/en/friend"));
    browser.click("[data-field=side-silver] + span");
    choose(browser);
    browser.click("[data-action=make-link]");
    browser.wait_for("[data-text=link]");
    browser.wait_for(".qr .qr-dark");
    browser.text("document.querySelector('[data-text=link]').value")
}

/// Opens somebody's link, and plays.
fn accept(browser: &Browser, link: &str) {
    browser.open(link);
    browser.click("[data-action=accept]");
}

/// Makes an account.
pub(crate) fn sign_up(browser: &Browser, server: &AppServer, name: &str) {
    browser.open(&server.at("/en/account"));
    browser.click("[data-form=sign-up] [data-field=name]");
    browser.write(name);
    browser.click("[data-form=sign-up] [data-field=new-password]");
    browser.write("correct horse battery");
    browser.click("[data-action=sign-up]");
    browser.wait_for(&format!("[data-account={name}]"));
}

/// What the end of the game says of the ratings, Silver's first.
fn ratings(browser: &Browser) -> Vec<i64> {
    browser.wait_for(".result .rating-changes");
    let found = browser.value(
        "[...document.querySelectorAll('.result [data-rating]')].map((row) => +row.dataset.rating)",
    );
    found.as_array().into_iter().flatten().filter_map(serde_json::Value::as_i64).collect()
}

fn until_playing(browser: &Browser, you: &str) {
    browser.until(&format!(
        "(() => {{ const room = document.querySelector('.game-page.online');
          return room && room.dataset.state === 'playing' && (room.dataset.you ?? '') === '{you}'; }})()"
    ));
}

/// Waits until so many moves have been shown.
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
    let third = Browser::start(Device::DESKTOP);
    sign_up(&silver, &server, "Anna");
    sign_up(&red, &server, "Bella");
    let link = make_link(&silver, &server, |browser| {
        browser.click("[data-field=pace-real-time] + span");
        browser.until("!document.querySelector('[data-field=kind-rated]').disabled");
        browser.click("[data-field=kind-rated] + span");
    });
    accept(&red, &link);
    until_playing(&silver, "silver");
    until_playing(&red, "red");
    let game = silver.text("location.pathname");
    assert_eq!(red.text("location.pathname"), game);
    third.open(&server.at(&game));
    until_playing(&third, "");
    let all = [&silver, &red, &third];
    for (ply, mv) in moves_of(SHORT_GAME).into_iter().enumerate() {
        let mover = all[ply % 2];
        if ply == 4 {
            // One comes back after a reload, in the middle of the game.
            silver.reload();
            until_playing(&silver, "silver");
        }
        if ply == 7 {
            // The other's network is cut while it is their turn: the move waits, and goes out by itself.
            red.set_offline(true);
            red.until("document.querySelector('.game-page').dataset.open === 'false'");
            GameScreen::online(&red).begin(mv, InputMethod::Finger);
            red.until("document.querySelector('.game-page').dataset.waits === 'other'");
            assert_eq!(
                GameScreen::online(&red).plies(),
                ply,
                "nothing is played before the server has it"
            );
            assert_eq!(GameScreen::online(&silver).plies(), ply);
            silver.until("document.querySelector('.player.top').dataset.here === 'false'");
            red.set_offline(false);
        } else {
            let hand = if ply % 2 == 0 { InputMethod::Mouse } else { InputMethod::Finger };
            GameScreen::online(mover).play(mv, hand);
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
    let new = ratings(&silver);
    assert!(new[0] > 1500 && new[1] < 1500, "{new:?}");
    for browser in all {
        assert_eq!(ratings(browser), new);
    }
    // Who watches has nothing to press but what looks at the board.
    let buttons = third.value(
        "[...document.querySelectorAll('.actions [data-action]')].map((button) => button.dataset.action)",
    );
    assert_eq!(buttons, serde_json::json!(["flip", "more"]));
    // One press away for everybody: a look into the game.
    let review = silver.text("document.querySelector('.result [data-action=review]').href");
    // The replay, found among the games of a player.
    third.open(&server.at("/en/person/Anna"));
    third.wait_for("[data-speed=rapid] strong");
    let shown = third.text("document.querySelector('[data-speed=rapid] strong').textContent");
    assert_eq!(shown.trim_end_matches('?'), new[0].to_string());
    third.click(".listed-link");
    third.until(&format!("location.pathname === '{game}'"));
    until_plies(&third, moves_of(SHORT_GAME).len());
    third.click("[data-walk=first]");
    third.until("document.querySelector('.game-page').dataset.looking === '0'");
    // Another game, with colours changed.
    silver.click(".result [data-action=rematch]");
    red.tap(".question [data-action=accept]");
    until_playing(&silver, "red");
    until_playing(&red, "silver");
    assert_ne!(silver.text("location.pathname"), game);
    // The review is made by the server, once for all.
    for browser in [&third, &silver] {
        browser.open(&review);
        browser.wait_for(".review[data-state=made] .graph");
    }
    // What was played is counted for others who come to this position.
    third.open(&server.at("/en/analysis?position=classic"));
    third.click("#tab-explorer");
    third.wait_for(".explorer [data-move=c5b5][data-games='1']");
    // And the game is one press away from there.
    third.click(".explorer-games a");
    third.until("location.search.startsWith('?game=')");
    third.click("#tab-tree");
    let moves = moves_of(SHORT_GAME).len();
    third.until(&format!("document.querySelectorAll('.tree .round .move').length === {moves}"));
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_correspondence_game_spans_a_restart_of_the_server() {
    let server = AppServer::start();
    let silver = Browser::start(Device::DESKTOP);
    let red = Browser::start(Device::DESKTOP);
    let link = make_link(&silver, &server, |browser| {
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
        browser.until("document.querySelector('.game-page').dataset.open === 'true'");
    }
    GameScreen::online(&red).play(moves[1], InputMethod::Keys);
    until_plies(&silver, 2);
    // Both have the days that they had.
    let clock = silver.text("document.querySelector('.player.bottom .clock').textContent");
    assert!(clock.starts_with("1 d 23 h") || clock.starts_with("2 d 0 h"), "{clock}");
}

#[test]
#[ignore = "needs the built app and a browser"]
fn what_players_agree_on_beside_the_board() {
    let server = AppServer::start();
    in_browser(Device::DESKTOP, |silver| {
        in_browser(Device::DESKTOP, |red| {
            let link = make_link(silver, &server, |_| {});
            accept(red, &link);
            until_playing(silver, "silver");
            until_playing(red, "red");
            let moves = moves_of(SHORT_GAME);
            // Two tabs of one player stay in step: the second window of the same browser.
            GameScreen::online(silver).play(moves[0], InputMethod::Mouse);
            until_plies(red, 1);
            GameScreen::online(red).play(moves[1], InputMethod::Notation);
            until_plies(silver, 2);
            // A takeback, granted.
            red.click("[data-action=take-back]");
            silver.click(".question [data-action=accept]");
            for browser in [silver, red] {
                until_plies(browser, 1);
            }
            // A draw, offered and declined; something said and muted.
            GameScreen::online(red).play(moves[1], InputMethod::Mouse);
            until_plies(silver, 2);
            silver.click("[data-action=draw]");
            silver.click("dialog[open] [data-action=confirm]");
            red.click(".question [data-action=decline]");
            silver
                .until("document.querySelector('[data-message]').textContent.includes('declined')");
            silver.click("[data-field=chat]");
            silver.write("Good luck");
            silver.click("[data-action=say]");
            red.until("document.querySelector('.chat-list').textContent.includes('Good luck')");
            red.click("[data-switch=mute]");
            red.until("!document.querySelector('.chat-list').textContent.includes('Good luck')");
            // Given up.
            red.click("[data-action=resign]");
            red.click("dialog[open] [data-action=confirm]");
            for browser in [silver, red] {
                browser.until("document.querySelector('.result')?.dataset.result === '1-0'");
            }
        });
    });
}

const PLAYING: &str = "document.querySelector('.game-page.online')?.dataset.state === 'playing'";

fn until_in_lobby(browser: &Browser, server: &AppServer) {
    browser.open(&server.at("/en/lobby"));
    browser.until("document.querySelector('.page.lobby')?.dataset.open === 'true'");
}

#[test]
#[ignore = "needs the built app and a browser"]
fn two_who_want_the_same_are_paired() {
    let server = AppServer::start();
    in_browser(Device::DESKTOP, |one| {
        in_browser(Device::PHONE, |other| {
            [one, other].into_iter().for_each(|browser| until_in_lobby(browser, &server));
            one.click("[data-pair='300+3']");
            one.until("document.querySelector('[data-pair=\"300+3\"]').ariaPressed === 'true'");
            other.tap("[data-pair='300+3']");
            [one, other].into_iter().for_each(|browser| browser.until(PLAYING));
            assert_eq!(one.text("location.pathname"), other.text("location.pathname"));
            // An open challenge is seen by others, and accepted.
            [one, other].into_iter().for_each(|browser| until_in_lobby(browser, &server));
            one.click(".lobby-own summary");
            one.click("[data-action=make-challenge]");
            other.tap(".lobby-row [data-action=accept]");
            [one, other].into_iter().for_each(|browser| browser.until(PLAYING));
        });
    });
}

//! Online games: two browsers play against each other, a third one is a spectator.

use khet_browser_tests::{
    AppServer, Browser, Device, GameScreen, InputMethod, Key, SHORT_GAME, in_browser, moves_of,
    word,
};
use serde_json::{Value, json};

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
    ratings.as_array().into_iter().flatten().filter_map(Value::as_i64).collect()
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
    for browser in [&silver, &red] {
        browser.wait_for("[data-spectators='1']");
    }
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
    assert_eq!(buttons, json!(["review", "share", "new-game", "more"]));
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
    // Moves of correspondence games are confirmed, by the mouse or the keyboard.
    GameScreen::online(&silver).begin(moves[0], InputMethod::Mouse);
    GameScreen::online(&silver).confirm();
    until_plies(&red, 1);
    let _server = server.restart();
    for browser in [&silver, &red] {
        browser.until("document.querySelector('.game-page').dataset.connected === 'true'");
    }
    GameScreen::online(&red).begin(moves[1], InputMethod::Keys);
    red.wait_for(".board .handle.strong");
    red.press(&[Key::Enter]);
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
            // A takeback request is withdrawn.
            GameScreen::online(red).play(moves[1], InputMethod::Mouse);
            until_plies(silver, 2);
            red.click("[data-action=take-back]");
            silver.wait_for(".question [data-action=accept]");
            red.click(".question [data-action=withdraw]");
            for browser in [silver, red] {
                browser.until("!document.querySelector('.question')");
            }
            // A draw offer is declined; a chat message is shown and then muted.
            silver.click("[data-action=draw]");
            // The question leaves the board visible.
            let beside =
                "(dialog, board) => dialog.left >= board.right || dialog.top >= board.bottom";
            let [dialog, board] = [rectangle("dialog[open]"), rectangle(".game-fit")];
            assert_eq!(silver.value(&format!("({beside})({dialog}, {board})")), true);
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

/// Challenges a player by name and waits until the challenge is sent.
fn challenge_by_name(browser: &Browser, server: &AppServer, name: &str) {
    browser.open(&server.at(&format!("/en/person/{name}")));
    browser.click("[data-action=challenge]");
    browser.click("[data-action=make-link]");
    browser.until("document.querySelector('.challenge-waits')?.dataset.declined === 'false'");
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_challenge_by_name_reaches_the_player_on_any_page() {
    let server = AppServer::start();
    in_browser(Device::DESKTOP, |anna| {
        in_browser(Device::PHONE, |ben| {
            sign_up(anna, &server, "Anna");
            sign_up(ben, &server, "Ben");
            ben.open(&server.at("/en"));
            ben.wait_for(".account-button");
            challenge_by_name(anna, &server, "Ben");
            // Another window was used in the meantime.
            ben.script("dispatchEvent(new Event('focus'))", json!([]));
            ben.tap(".inbox-button");
            let text = "document.querySelector('#menu-inbox').textContent";
            assert!(ben.text(text).contains("Anna challenges you"), "{}", ben.text(text));
            ben.tap("#menu-inbox [data-menu-action^=decline]");
            ben.until("!document.querySelector('.inbox-button')");
            anna.until("document.querySelector('.challenge-waits').dataset.declined === 'true'");
            // Anna reads it on other pages too, until she has seen it.
            anna.open(&server.at("/en/rules"));
            anna.click(".inbox-button");
            anna.until(&format!("{text}.includes('Ben declined')"));
            anna.click("#menu-inbox [data-menu-action^=decline]");
            anna.until("!document.querySelector('.inbox-button')");
            // A page with a connection shows the next challenge at once.
            ben.open(&server.at("/en/lobby"));
            ben.until("document.querySelector('.page.lobby')?.dataset.connected === 'true'");
            challenge_by_name(anna, &server, "Ben");
            ben.tap(".inbox-button");
            ben.tap("#menu-inbox [data-menu-action^=accept]");
            for browser in [anna, ben] {
                browser.wait_for(".game-page.online[data-state=playing]");
                assert!(
                    browser
                        .text("document.querySelector('.game-terms').textContent")
                        .contains("Classic")
                );
            }
            // The home page reminds of the game.
            ben.open(&server.at("/en"));
            ben.tap(".home-games a");
            ben.wait_for(".game-page.online[data-state=playing]");
        });
    });
}

/// A JavaScript expression for the rectangle of an element.
fn rectangle(selector: &str) -> String {
    format!("document.querySelector('{selector}').getBoundingClientRect()")
}

#[test]
#[ignore = "needs the built app and a browser"]
fn pages_say_that_the_server_is_unreachable_and_load_when_it_is_back() {
    let mut server = AppServer::start();
    // Not `in_browser`, because the console reports the requests that fail.
    let browser = Browser::start(Device::DESKTOP);
    browser.open(&server.at("/en/watch"));
    browser.wait_for(".watch h1");
    // Without a server, the service worker serves the pages.
    browser.until("navigator.serviceWorker.controller");
    server.stop();
    let pages = ["watch", "games", "leaders", "person/Anna", "challenge/aaaaaaaaaa"];
    for page in pages.into_iter().chain(["game/aaaaaaaa"]) {
        browser.open(&server.at(&format!("/en/{page}")));
        browser.wait_for("[data-state=unreachable] [data-action=retry]");
        assert_eq!(
            browser.value("document.querySelectorAll('main .board, main .player').length"),
            0
        );
    }
    let _server = server.restart();
    // The game page connects by itself; there is no such game.
    browser.until("!document.querySelector('[data-state=unreachable]')");
    browser.until(&format!(
        "document.querySelector('main').textContent.includes({:?})",
        word("en", "online_not_found")
    ));
}

#[test]
#[ignore = "needs the built app and a browser"]
fn an_invited_newcomer_learns_the_game_and_keeps_the_invitation() {
    let server = AppServer::start();
    let challenger = Browser::start(Device::DESKTOP);
    let link = create_challenge_link(&challenger, &server, |_| {});
    in_browser(Device::PHONE, |newcomer| {
        // The link names no language, so that the newcomer's browser decides.
        assert!(link.contains("/challenge/") && !link.contains("/en/"), "{link}");
        let agent = newcomer.text("navigator.userAgent");
        let french = json!({"userAgent": agent, "acceptLanguage": "fr-CA,fr"});
        newcomer.chromium("Emulation.setUserAgentOverride", french);
        newcomer.open(&link);
        newcomer.wait_for(".intro");
        newcomer.until("location.pathname.startsWith('/fr/challenge/')");
        // The challenger is a guest, who has no name.
        let invited = word("fr", "challenge_invited");
        assert_eq!(newcomer.text("document.querySelector('h1').textContent"), invited);
        assert_eq!(newcomer.value("document.querySelector('.challenge-by')"), Value::Null);
        assert_eq!(newcomer.value("document.querySelectorAll('.intro-step').length"), 5);
        assert_eq!(newcomer.value("document.querySelectorAll('.intro-pieces li').length"), 4);
        let play = rectangle("[data-action=accept]");
        assert_eq!(newcomer.value(&format!("{play}.bottom < innerHeight")), true);
        let overflow = "document.documentElement.scrollWidth > innerWidth";
        assert_eq!(newcomer.value(overflow), false);
        // The rules open in another tab, so that the invitation stays.
        let rules = newcomer.value(
            "(({ target, pathname }) => [target, pathname])(document.querySelector('.intro [data-action=rules]'))",
        );
        assert_eq!(rules, json!(["_blank", "/fr/rules"]));
        newcomer.tap("[data-action=accept]");
        until_playing(newcomer, "red");
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn the_featured_game_fits_on_the_screen_and_the_chat_has_room() {
    let server = AppServer::start();
    let silver = Browser::start(Device::DESKTOP);
    let red = Browser::start(Device::PHONE);
    let link = create_challenge_link(&silver, &server, |browser| {
        browser.click("[data-field=pace-real-time] + span");
    });
    accept(&red, &link);
    until_playing(&silver, "silver");
    until_playing(&red, "red");
    GameScreen::online(&silver).play(moves_of(SHORT_GAME)[0], InputMethod::Mouse);
    until_plies(&red, 1);
    // The chat shows several lines beside the board, and does not cover it on a phone.
    assert_eq!(silver.value("innerHeight <= 800"), true);
    let lines = "document.querySelector('.chat-list').clientHeight / 21 >= 5";
    assert_eq!(silver.value(lines), true);
    red.tap("[data-action=chat]");
    red.until("document.querySelector('.chat').offsetHeight > 150");
    let (chat, board) = (rectangle(".chat"), rectangle(".game-board .board"));
    assert_eq!(red.value(&format!("{chat}.top >= {board}.bottom")), true);
    // The date is written for people.
    silver.click(".actions [data-action=more]");
    silver.wait_for("dialog[open] .more-about time");
    let date = silver.text("document.querySelector('dialog[open] .more-about time').textContent");
    assert!(date.contains("20") && !date.contains('T') && !date.contains('Z'), "{date}");
    // A spectator sees the whole board without scrolling.
    in_browser(Device::DESKTOP, |spectator| {
        spectator.open(&server.at("/en/watch"));
        spectator.wait_for(".featured .board");
        let bottom = rectangle(".featured .player.bottom");
        assert_eq!(spectator.value(&format!("{bottom}.bottom <= innerHeight")), true);
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn the_own_profile_lists_the_games_on_this_device() {
    let server = AppServer::start();
    let record = "[Setup \"Classic\"]\n[Date \"2026.11.15\"]\n[Mode \"computer 3 red\"]\n\
        [Termination \"resignation\"]\n\n1. h2g2 h5- 0-1\n";
    let visit_dora = |browser: &Browser| {
        browser.script("localStorage['khet.finished'] = arguments[0];", json!([record]));
        browser.open(&server.at("/en/person/Dora"));
        browser.wait_for("#person-games");
    };
    in_browser(Device::DESKTOP, |browser| {
        sign_up(browser, &server, "Dora");
        visit_dora(browser);
        browser.wait_for("[data-list=device] [data-action=open-finished]");
        let players = "document.querySelector('[data-list=device] .listed-players').textContent";
        let players = browser.text(players);
        assert!(players.contains("Computer, level 3") && players.contains("You"), "{players}");
    });
    // Other people's games are not Dora's.
    in_browser(Device::DESKTOP, |browser| {
        browser.open(&server.at("/en"));
        browser.wait_for(".home");
        visit_dora(browser);
        assert!(browser.value("document.querySelector('[data-list=device]')").is_null());
    });
}

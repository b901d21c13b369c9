//! The lobby: every seek leads to a game, and the page shows who is there.

use std::io::{BufRead, BufReader};

use khet_browser_tests::{AppServer, Browser, Device, in_browser};
use serde_json::{Value, json};

use crate::online::sign_up;

/// A JavaScript expression that is true when an online game is running.
const GAME_IS_RUNNING: &str =
    "document.querySelector('.game-page.online')?.dataset.state === 'playing'";

/// Opens the lobby and waits until it is connected.
fn open_lobby(browser: &Browser, server: &AppServer) {
    browser.open(&server.at("/en/lobby"));
    browser.until("document.querySelector('.page.lobby')?.dataset.connected === 'true'");
}

/// Waits until the lobby shows this number of people.
fn until_people(browser: &Browser, people: u32) {
    browser
        .until(&format!("document.querySelector('.lobby-counts').dataset.people === '{people}'"));
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

#[test]
#[ignore = "needs the built app and a browser"]
fn a_guest_and_a_signed_in_player_agree_on_a_casual_game() {
    let server = AppServer::start();
    let anna = Browser::start(Device::DESKTOP);
    let guest = Browser::start(Device::PHONE);
    sign_up(&anna, &server, "Anna");
    open_lobby(&anna, &server);
    open_lobby(&guest, &server);
    anna.until("document.querySelector('[data-switch=rated]')?.checked");
    anna.click("[data-pair='300+3']");
    anna.wait_for(".lobby-waiting [role=timer]");
    // The guest sees Anna in the list, but can't play a rated game.
    guest.wait_for("[data-entry=seek] [data-action=sign-in]");
    // Anna goes on waiting when she changes her mind about rated games.
    anna.click("[data-switch=rated]");
    guest.wait_for("[data-entry=seek] [data-action=accept]");
    anna.wait_for(".lobby-waiting [role=timer]");
    anna.click("[data-switch=rated]");
    guest.wait_for("[data-entry=seek] [data-action=sign-in]");
    guest.tap("[data-pair='300+3']");
    // Both are told: Anna is asked, and the guest knows it.
    guest.until("document.querySelector('[data-near=rated]')?.textContent.includes('Anna')");
    assert_eq!(guest.value("document.querySelector('[data-action=accept-near]')"), Value::Null);
    anna.wait_for("[data-near=casual]");
    anna.click("[data-action=accept-near]");
    for browser in [&anna, &guest] {
        browser.until(GAME_IS_RUNNING);
    }
    assert_eq!(anna.text("location.pathname"), guest.text("location.pathname"));
}

#[test]
#[ignore = "needs the built app and a browser"]
fn the_lobby_counts_people_and_games_live() {
    let server = AppServer::start();
    let browsers: Vec<Browser> = (0..3).map(|_| Browser::start(Device::DESKTOP)).collect();
    for (index, browser) in browsers.iter().enumerate() {
        open_lobby(browser, &server);
        for earlier in &browsers[..=index] {
            until_people(earlier, index as u32 + 1);
        }
    }
    // The first two become guests, connect again and play; they stay two people.
    for browser in &browsers[..2] {
        browser.click("[data-pair='600+5']");
    }
    for browser in &browsers[..2] {
        browser.until(GAME_IS_RUNNING);
    }
    browsers[2].until("document.querySelector('.lobby-counts').dataset.games === '1'");
    until_people(&browsers[2], 3);
    browsers[0].open(&server.at("/en/rules"));
    until_people(&browsers[2], 2);
}

#[test]
#[ignore = "needs the built app and a browser"]
fn the_lobby_says_that_the_server_is_unreachable_and_seeks_again() {
    let server = AppServer::start();
    let one = Browser::start(Device::DESKTOP);
    let other = Browser::start(Device::PHONE);
    open_lobby(&one, &server);
    open_lobby(&other, &server);
    one.set_offline(true);
    one.wait_for("[data-state=unreachable]");
    one.click("[data-pair='180+2']");
    one.wait_for(".lobby-waiting");
    one.set_offline(false);
    one.until("!document.querySelector('[data-state=unreachable]')");
    // The seek is sent, and cancelled.
    other.wait_for("[data-entry=seek]");
    one.click("[data-action=cancel-seek]");
    other.until("!document.querySelector('[data-entry=seek]')");
    // Another seek is accepted from the list.
    one.click("[data-pair='60+0']");
    other.tap("[data-entry=seek] [data-action=accept]");
    for browser in [&one, &other] {
        browser.until(GAME_IS_RUNNING);
    }
}

/// Starts a bot that accepts the first challenge to it.
fn start_bot(server: &AppServer) {
    let (origin, stream) = (server.at(""), server.at("/api/stream?times=300%2B3"));
    let post = {
        let origin = origin.clone();
        move |path: &str, name: &str, value: &str, body: Value| {
            let request = ureq::post(format!("{origin}{path}")).header("origin", &origin);
            let request = request.header(name, value).content_type("application/json");
            request.send(body.to_string()).expect("an answer")
        }
    };
    let account = json!({"name": "Robot", "password": "correct horse battery"});
    let signed_up = post("/api/sign-up", "accept", "*/*", account);
    let cookie = signed_up.headers()["set-cookie"].to_str().expect("text");
    let cookie = cookie.split(';').next().expect("a value");
    let token = post("/api/me/tokens", "cookie", cookie, json!({"label": "engine"}));
    let token = token.into_body().read_to_string().expect("text");
    let token: Value = serde_json::from_str(&token).expect("JSON");
    let bearer = format!("Bearer {}", token["token"].as_str().expect("a token"));
    let lines = ureq::get(stream).header("authorization", &bearer).call().expect("a stream");
    std::thread::spawn(move || {
        let lines = BufReader::new(lines.into_body().into_reader()).lines();
        for line in lines.map_while(Result::ok).filter(|line| !line.is_empty()) {
            let message: Value = serde_json::from_str(&line).expect("JSON");
            if let Some(id) = message["challenge"]["id"].as_str() {
                let path = format!("/api/challenges/{id}/accept");
                post(&path, "authorization", &bearer, json!(null));
            }
        }
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn somebody_who_waits_for_long_can_play_a_bot() {
    let server = AppServer::start();
    let browser = Browser::start(Device::PHONE);
    open_lobby(&browser, &server);
    browser.tap("[data-pair='600+5']");
    browser.wait_for("[data-offer=bots] a");
    browser.tap("[data-action=cancel-seek]");
    start_bot(&server);
    browser.tap("[data-pair='300+3']");
    browser.wait_for(".lobby-waiting");
    assert_eq!(browser.value("document.querySelector('[data-offer=bots]')"), Value::Null);
    browser.tap("[data-bot=Robot]");
    browser.until(GAME_IS_RUNNING);
    browser.until("document.querySelector('.player.top').textContent.includes('Robot')");
}

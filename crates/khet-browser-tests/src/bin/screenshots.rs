//! Takes screenshots of the app for its documentation: `cargo xtask screenshots`.
//!
//! Usage: screenshots FOLDER

use std::path::Path;
use std::{env, fs, process};

use khet::{Comment, Game, Record, Setup, TreePath};
use khet_browser_tests::{
    AppServer, Browser, ColorScheme, Device, GameScreen, InputMethod, Key, SHORT_GAME, in_browser,
    moves_of,
};
use serde_json::json;

/// Number of plies before the screenshot of a game.
const GAME_PLY: usize = 6;
/// Number of plies before the shot in the screenshot of a shot.
const SHOT_PLY: usize = 4;
/// Number of plies before the last move.
const END_PLY: usize = 12;
/// The time of the screenshot after the start of the shot: the hit piece burns.
const SHOT_TIME_MS: u32 = 760;

fn main() {
    let Some(folder) = env::args_os().nth(1) else {
        eprintln!("Usage: screenshots FOLDER");
        process::exit(2);
    };
    let folder = Path::new(&folder);
    fs::create_dir_all(folder).expect("the folder can be created");
    let server = AppServer::start();
    for device in [Device::DESKTOP, Device::PHONE] {
        for theme in ColorScheme::ALL {
            in_browser(Device { theme, ..device }, |browser| {
                let save = |subject: &str| {
                    let name = format!("{subject}-{}-{}.png", device.size.0, theme.word());
                    let picture = browser.picture();
                    println!("{name}: {} bytes", picture.len());
                    fs::write(folder.join(name), picture).expect("the picture can be written");
                };
                take_all(browser, &server, save);
            });
        }
    }
}

/// An unfinished setup with a piece on a forbidden square.
const DRAFT_SETUP: &str =
    "4o2ko2p12/2p3p36/a32P46/p11P31d1d21p21P4/p21P41D2D11p11P3/6p23/6P1P12/2P4O2KO24_s";

/// Takes all screenshots on one device in one theme.
fn take_all(browser: &Browser, server: &AppServer, save: impl Fn(&str)) {
    browser.open(&server.at("/en"));
    browser.wait_for(".home-setups .board");
    until_still(browser);
    save("home");

    browser.open(&server.at("/en/rules"));
    browser.wait_for(".learn .board");
    until_still(browser);
    save("rules");

    browser.open(&server.at("/en/editor"));
    browser.wait_for(".editor .board");
    browser.click("[data-box-piece=silver-P]");
    browser.wait_for(".editor[data-selection=box]");
    until_still(browser);
    save("editor-empty");

    browser.open(&server.at(&format!("/en/editor?position={DRAFT_SETUP}")));
    browser.click(".editor [data-square=h2]");
    browser.wait_for(".editor[data-selection=board]");
    until_still(browser);
    save("editor");

    browser.open(&server.at("/en/editor?position=dynasty"));
    browser.click("[data-action=test]");
    browser.until("Number(document.querySelector('[data-games]')?.dataset.games) >= 3");
    browser.click("[data-action=test]");
    until_still(browser);
    save("editor-advice");

    browser.open(&server.at("/en/setups"));
    browser.wait_for(".official-setups .board");
    until_still(browser);
    save("setups");

    browser.open(&server.at("/en/setup/osiris"));
    browser.wait_for(".setup-page .board");
    until_still(browser);
    save("setup");

    open_analysis(browser, server, "");
    browser.press(&[Key::Home, Key::Right, Key::Right, Key::Right, Key::Right, Key::Right]);
    browser.until("document.querySelector('.lines').dataset.depth >= 12");
    until_still(browser);
    save("analysis");

    open_analysis(browser, server, "?review=yes");
    browser.wait_for(".review[data-state=done] .graph");
    browser.wait_for(".turning-points .move");
    browser.click(".turning-points .move");
    browser.script("document.querySelector('.panel').scrollTo(0, 0)", json!([]));
    browser.until("document.querySelector('.lines').dataset.depth >= 8");
    until_still(browser);
    save("review");

    let moves = moves_of(SHORT_GAME);
    open_game_at(browser, server, GAME_PLY);
    browser.click(".game-page .board [data-square=f4]");
    browser.wait_for(".handle");
    until_still(browser);
    save("game");

    open_game_at(browser, server, SHOT_PLY);
    // Prevents the timer that ends the shot.
    browser.script(
        "const later = window.setTimeout;
         window.setTimeout = (act, time, ...rest) => time > 300 ? 0 : later(act, time, ...rest);",
        json!([]),
    );
    GameScreen::computer(browser).begin(moves[SHOT_PLY], InputMethod::Keys);
    browser.wait_for(".board .shot");
    browser.script(
        "for (const animation of document.getAnimations()) {
           animation.pause();
           animation.currentTime = arguments[0];
         }",
        json!([SHOT_TIME_MS]),
    );
    save("shot");

    open_game_at(browser, server, END_PLY);
    GameScreen::computer(browser).play(moves[END_PLY], InputMethod::Keys);
    until_still(browser);
    save("end");
}

/// Opens the game on the analysis page.
fn open_analysis(browser: &Browser, server: &AppServer, search: &str) {
    let mut record = Record::new(Setup::Classic.position());
    let mut path = TreePath::default();
    for mv in moves_of(SHORT_GAME) {
        path = record.play_at(&path, mv).expect("a move of a real game");
    }
    let other = record.play_at(&TreePath::main_line(4), moves_of("c4d5")[0]).expect("legal");
    record.marks_mut(&other).expect("a move").push(5);
    let comment = Comment::new("keeps the beam on the file").expect("a comment");
    record.comments_mut(&other).expect("a move").push(comment);
    browser.open(&server.at("/en/rules"));
    browser.wait_for(".learn");
    let store = "localStorage.setItem('khet.analysis', arguments[0])";
    browser.script(store, json!([format!("\n0\n{record}")]));
    browser.script("localStorage.setItem('khet.analysis.handed-over', 'yes')", json!([]));
    browser.open(&server.at(&format!("/en/analysis{search}")));
    browser.wait_for(".analysis .board");
}

/// Opens the game against the computer after this number of plies.
fn open_game_at(browser: &Browser, server: &AppServer, plies: usize) {
    let mut game = Game::new(Setup::Classic.position());
    for mv in moves_of(SHORT_GAME).into_iter().take(plies) {
        game.play(mv).expect("a move of a real game");
    }
    let mut record = Record::from_game(&game);
    record.set_tag("Mode", "computer 4 silver").expect("a tag");
    // From another page, because the page of the game saves its own game when it is left.
    browser.open(&server.at("/en/rules"));
    browser.wait_for(".learn");
    let key = GameScreen::computer(browser).key();
    let store = "localStorage.setItem(arguments[0], arguments[1])";
    browser.script(store, json!([key, record.to_string()]));
    browser.open(&server.at("/en/computer"));
    GameScreen::computer(browser).until_ready();
}

/// Waits until the fonts are loaded and no animation is running.
fn until_still(browser: &Browser) {
    browser.until(
        "document.fonts.status === 'loaded' && document.getAnimations().every((animation) =>
            animation.playState !== 'running' || animation.effect.getTiming().iterations === Infinity)",
    );
}

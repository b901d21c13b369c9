//! Pictures of the app for its documents: `cargo xtask screenshots`.
//!
//! Usage: screenshots FOLDER

use std::path::Path;
use std::{env, fs, process};

use khet::{Comment, Game, Record, Setup, TreePath};
use khet_browser_tests::{
    AppServer, Browser, ColorScheme, Device, GameScreen, InputMethod, Key, in_browser, moves_of,
};
use serde_json::json;

/// The game that is shown, of the classic setup.
const GAME: &str = "c5b5 h5- j5- a5a6 j4i4 a4- f4g5 a4b3 g5f6 f8e7 j5j6 b3a2 j6j7";
// After how many turns it is looked at, the shot is seen, and the last move is made.
const MIDDLE: usize = 6;
const SHOT: usize = 4;
const END: usize = 12;
/// When the shot is caught, in milliseconds from its start: the beam burns what it has hit.
const MOMENT: u32 = 760;

fn main() {
    let Some(folder) = env::args_os().nth(1) else {
        eprintln!("Usage: screenshots FOLDER");
        process::exit(2);
    };
    let folder = Path::new(&folder);
    fs::create_dir_all(folder).expect("the folder can be made");
    let server = AppServer::start();
    for look in [Device::DESKTOP, Device::PHONE] {
        for theme in ColorScheme::ALL {
            in_browser(Device { theme, ..look }, |browser| {
                let keep = |what: &str| {
                    let name = format!("{what}-{}-{}.png", look.size.0, theme.word());
                    let picture = browser.picture();
                    println!("{name}: {} bytes", picture.len());
                    fs::write(folder.join(name), picture).expect("the picture can be written");
                };
                take_all(browser, &server, keep);
            });
        }
    }
}

/// A setup that is nearly made: a piece is picked, and one stands where it may not.
const DRAFT: &str =
    "4o2ko2p12/2p3p36/a32P46/p11P31d1d21p21P4/p21P41D2D11p11P3/6p23/6P1P12/2P4O2KO24_s";

/// Takes all pictures in one look.
fn take_all(browser: &Browser, server: &AppServer, keep: impl Fn(&str)) {
    browser.open(&server.at("/en"));
    browser.wait_for(".home-setups .board");
    until_still(browser);
    keep("home");

    browser.open(&server.at("/en/rules"));
    browser.wait_for(".learn .board");
    until_still(browser);
    keep("rules");

    browser.open(&server.at("/en/editor"));
    browser.wait_for(".editor .board");
    browser.click("[data-box-piece=silver-P]");
    browser.wait_for(".editor[data-selection=box]");
    until_still(browser);
    keep("editor-empty");

    browser.open(&server.at(&format!("/en/editor?position={DRAFT}")));
    browser.click(".editor [data-square=h2]");
    browser.wait_for(".editor[data-selection=board]");
    until_still(browser);
    keep("editor");

    browser.open(&server.at("/en/editor?position=dynasty"));
    browser.click("[data-action=test]");
    browser.until("Number(document.querySelector('[data-games]')?.dataset.games) >= 3");
    browser.click("[data-action=test]");
    until_still(browser);
    keep("editor-advice");

    browser.open(&server.at("/en/setups"));
    browser.wait_for(".official-setups .board");
    until_still(browser);
    keep("setups");

    browser.open(&server.at("/en/setup/osiris"));
    browser.wait_for(".setup-page .board");
    until_still(browser);
    keep("setup");

    look_into(browser, server, "");
    browser.press(&[Key::Home, Key::Right, Key::Right, Key::Right, Key::Right, Key::Right]);
    browser.until("document.querySelector('.lines').dataset.depth >= 12");
    until_still(browser);
    keep("analysis");

    look_into(browser, server, "?review=yes");
    browser.wait_for(".review[data-state=made] .graph");
    browser.wait_for(".turning-points .move");
    browser.click(".turning-points .move");
    browser.script("document.querySelector('.panel').scrollTo(0, 0)", json!([]));
    browser.until("document.querySelector('.lines').dataset.depth >= 8");
    until_still(browser);
    keep("review");

    let moves = moves_of(GAME);
    go_to(browser, server, MIDDLE);
    browser.click(".game-page .board [data-square=f4]");
    browser.wait_for(".handle");
    until_still(browser);
    keep("game");

    go_to(browser, server, SHOT);
    // The shot is held at its most beautiful.
    browser.script(
        "const later = window.setTimeout;
         window.setTimeout = (act, time, ...rest) => time > 300 ? 0 : later(act, time, ...rest);",
        json!([]),
    );
    GameScreen::computer(browser).begin(moves[SHOT], InputMethod::Keys);
    browser.wait_for(".board .shot");
    browser.script(
        "for (const animation of document.getAnimations()) {
           animation.pause();
           animation.currentTime = arguments[0];
         }",
        json!([MOMENT]),
    );
    keep("shot");

    go_to(browser, server, END);
    GameScreen::computer(browser).play(moves[END], InputMethod::Keys);
    until_still(browser);
    keep("end");
}

/// Opens the game on the board for analysis.
fn look_into(browser: &Browser, server: &AppServer, search: &str) {
    let mut record = Record::new(Setup::Classic.position());
    let mut place = TreePath::default();
    for mv in moves_of(GAME) {
        place = record.play_at(&place, mv).expect("a move of a real game");
    }
    let other = record.play_at(&TreePath::main_line(4), moves_of("c4d5")[0]).expect("legal");
    record.marks_mut(&other).expect("a move").push(5);
    let comment = Comment::new("keeps the beam on the file").expect("a comment");
    record.comments_mut(&other).expect("a move").push(comment);
    browser.open(&server.at("/en/rules"));
    browser.wait_for(".learn");
    let keep = "localStorage.setItem('khet.analysis', arguments[0])";
    browser.script(keep, json!([format!("\n0\n{record}")]));
    browser.open(&server.at(&format!("/en/analysis{search}")));
    browser.wait_for(".analysis .board");
}

/// Opens the game against the computer after so many moves.
fn go_to(browser: &Browser, server: &AppServer, plies: usize) {
    let mut game = Game::new(Setup::Classic.position());
    for mv in moves_of(GAME).into_iter().take(plies) {
        game.play(mv).expect("a move of a real game");
    }
    let mut record = Record::from_game(&game);
    record.set_tag("Mode", "computer 4 silver").expect("a tag");
    // Another page first: this one keeps its own game when it is left.
    browser.open(&server.at("/en/rules"));
    browser.wait_for(".learn");
    let key = GameScreen::computer(browser).key();
    let keep = "localStorage.setItem(arguments[0], arguments[1])";
    browser.script(keep, json!([key, record.to_string()]));
    browser.open(&server.at("/en/computer"));
    GameScreen::computer(browser).until_ready();
}

/// Waits until nothing glides or fades any more.
fn until_still(browser: &Browser) {
    browser.until(
        "document.fonts.status === 'loaded' && document.getAnimations().every((animation) =>
            animation.playState !== 'running' || animation.effect.getTiming().iterations === Infinity)",
    );
}

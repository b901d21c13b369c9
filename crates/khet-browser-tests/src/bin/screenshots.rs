//! Pictures of the app for its documents: `cargo xtask screenshots`.
//!
//! Usage: screenshots FOLDER

use std::path::Path;
use std::{env, fs, process};

use khet::{Comment, Game, Place, Record, Setup};
use khet_browser_tests::{Browser, Hand, Key, Look, Room, Server, Theme, in_browser, moves_of};
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
    let server = Server::start();
    for look in [Look::DESK, Look::PHONE] {
        for theme in Theme::ALL {
            in_browser(Look { theme, ..look }, |browser| {
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
fn take_all(browser: &Browser, server: &Server, keep: impl Fn(&str)) {
    browser.open(&server.at("/en"));
    browser.until_there(".home-setups .board");
    until_still(browser);
    keep("home");

    browser.open(&server.at("/en/rules"));
    browser.until_there(".learn .board");
    until_still(browser);
    keep("rules");

    browser.open(&server.at("/en/editor"));
    browser.until_there(".editor .board");
    browser.click("[data-take=silver-P]");
    browser.until_there(".editor[data-hand=new]");
    until_still(browser);
    keep("editor-empty");

    browser.open(&server.at(&format!("/en/editor?position={DRAFT}")));
    browser.click(".editor [data-square=h2]");
    browser.until_there(".editor[data-hand=picked]");
    until_still(browser);
    keep("editor");

    browser.open(&server.at("/en/editor?position=dynasty"));
    browser.click("[data-action=test]");
    browser.until("Number(document.querySelector('[data-games]')?.dataset.games) >= 3");
    browser.click("[data-action=test]");
    until_still(browser);
    keep("editor-advice");

    browser.open(&server.at("/en/setups"));
    browser.until_there(".shelf .board");
    until_still(browser);
    keep("setups");

    browser.open(&server.at("/en/setup/osiris"));
    browser.until_there(".setup-page .board");
    until_still(browser);
    keep("setup");

    look_into(browser, server, "");
    browser.press(&[Key::Home, Key::Right, Key::Right, Key::Right, Key::Right, Key::Right]);
    browser.until("document.querySelector('.lines').dataset.depth >= 12");
    until_still(browser);
    keep("analysis");

    look_into(browser, server, "?review=yes");
    browser.until_there(".review[data-state=made] .graph");
    browser.until_there(".turning-points .move");
    browser.click(".turning-points .move");
    browser.script("document.querySelector('.panel').scrollTo(0, 0)", json!([]));
    browser.until("document.querySelector('.lines').dataset.depth >= 8");
    until_still(browser);
    keep("review");

    let moves = moves_of(GAME);
    go_to(browser, server, MIDDLE);
    browser.click(".game-page .board [data-square=f4]");
    browser.until_there(".handle");
    until_still(browser);
    keep("game");

    go_to(browser, server, SHOT);
    // The shot is held at its most beautiful.
    browser.script(
        "const later = window.setTimeout;
         window.setTimeout = (act, time, ...rest) => time > 300 ? 0 : later(act, time, ...rest);",
        json!([]),
    );
    Room::computer(browser).begin(moves[SHOT], Hand::Keys);
    browser.until_there(".board .shot");
    browser.script(
        "for (const animation of document.getAnimations()) {
           animation.pause();
           animation.currentTime = arguments[0];
         }",
        json!([MOMENT]),
    );
    keep("shot");

    go_to(browser, server, END);
    Room::computer(browser).play(moves[END], Hand::Keys);
    until_still(browser);
    keep("end");
}

/// Opens the game on the board for analysis.
fn look_into(browser: &Browser, server: &Server, search: &str) {
    let mut record = Record::new(Setup::Classic.position());
    let mut place = Place::default();
    for mv in moves_of(GAME) {
        place = record.play_at(&place, mv).expect("a move of a real game");
    }
    let other = record.play_at(&Place::in_game(4), moves_of("c4d5")[0]).expect("legal");
    let ply = record.ply_at_mut(&other).expect("a move");
    ply.marks.push(5);
    ply.comments.push(Comment::new("keeps the beam on the file").expect("a comment"));
    browser.open(&server.at("/en/rules"));
    browser.until_there(".learn");
    let keep = "localStorage.setItem('khet.analysis', arguments[0])";
    browser.script(keep, json!([format!("\n0\n{record}")]));
    browser.open(&server.at(&format!("/en/analysis{search}")));
    browser.until_there(".study .board");
}

/// Opens the game against the computer after so many moves.
fn go_to(browser: &Browser, server: &Server, plies: usize) {
    let mut game = Game::new(Setup::Classic.position());
    for mv in moves_of(GAME).into_iter().take(plies) {
        game.play(mv).expect("a move of a real game");
    }
    let mut record = Record::from_game(&game);
    record.set_tag("Mode", "computer 4 silver").expect("a tag");
    // Another page first: this one keeps its own game when it is left.
    browser.open(&server.at("/en/rules"));
    browser.until_there(".learn");
    let key = Room::computer(browser).key();
    let keep = "localStorage.setItem(arguments[0], arguments[1])";
    browser.script(keep, json!([key, record.to_string()]));
    browser.open(&server.at("/en/computer"));
    Room::computer(browser).until_ready();
}

/// Waits until nothing glides or fades any more.
fn until_still(browser: &Browser) {
    browser.until(
        "document.fonts.status === 'loaded' && document.getAnimations().every((animation) =>
            animation.playState !== 'running' || animation.effect.getTiming().iterations === Infinity)",
    );
}

//! Takes screenshots of the app for its documentation: `cargo xtask screenshots`.
//!
//! Usage: screenshots FOLDER

mod animated_png;

use std::path::Path;
use std::{env, fs, process};

use khet::{AnyPosition, Comment, Game, GamePosition, Record, Setup, TreePath};
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
/// Width of the animated picture of a shot in pixels.
const ANIMATION_WIDTH: u32 = 820;
/// Number of its frames while the beam is in flight.
const SHOT_FRAMES: u32 = 16;
/// The time from one of these frames to the next in milliseconds.
const FRAME_TIME_MS: u16 = 70;
/// The time in milliseconds for which the positions before and after the shot are shown.
const REST_TIMES_MS: [u16; 2] = [700, 1_800];

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
                if device.size == Device::DESKTOP.size {
                    let picture = animated_shot(browser, &server);
                    let name = format!("shot-animated-{}.png", theme.word());
                    println!("{name}: {} bytes", picture.len());
                    fs::write(folder.join(name), picture).expect("the picture can be written");
                }
            });
        }
    }
}

/// An unfinished setup with a piece on a forbidden square.
const DRAFT_SETUP: &str =
    "4o2ko2p12/2p3p36/a32P46/p11P31d1d21p21P4/p21P41D2D11p11P3/6p23/6P1P12/2P4O2KO24_s";

/// A position with a tower, and a move after which Silver's beam climbs at the east face of the
/// column, is reflected by three pyramids on the upper level, descends at the north face, and hits a
/// pyramid.
const TOWER: &str = "3k1p1o2d22/10/3P42p1p22/p18P4/p28P3/3P32p23/10/2D2O2KO24\
                     +e4:6/3P21P3/o25/5P4/1p44/6 s";
const TOWER_MOVE: &str = "d6D6";
/// The time of the screenshot after the start of its shot: the beam is complete, and the piece is
/// about to burn.
const TOWER_SHOT_TIME_MS: u32 = 900;

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

    browser.open(&server.at("/en/course"));
    browser.wait_for(".course-chapters");
    until_still(browser);
    save("course");

    browser.open(&server.at("/en/course?step=counterattack"));
    browser.wait_for(".course .board.playable");
    until_still(browser);
    save("course-step");

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

    open_annotated_game(browser, server, "");
    browser.press(&[Key::Home, Key::Right, Key::Right, Key::Right, Key::Right, Key::Right]);
    browser.until("document.querySelector('.lines').dataset.depth >= 12");
    until_still(browser);
    save("analysis");

    open_annotated_game(browser, server, "?review=yes");
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
    begin_shot(browser, GameScreen::computer(browser));
    stop_shot_at(browser, SHOT_TIME_MS);
    save("shot");

    let tower = open_tower(browser, server);
    hold_shots(browser);
    tower.begin(TOWER_MOVE.parse().expect("a move"), InputMethod::Mouse);
    browser.wait_for(".board .shot");
    stop_shot_at(browser, TOWER_SHOT_TIME_MS);
    save("tower-shot");

    open_tower(browser, server);
    browser.click(".board [data-square=E4]");
    browser.wait_for(".handle");
    until_still(browser);
    save("tower-handles");

    open_tower(browser, server);
    browser.click(".board [data-square=d6]");
    browser.wait_for(".board.peeking");
    until_still(browser);
    save("tower-peek");

    open_game_at(browser, server, END_PLY);
    GameScreen::computer(browser).play(moves[END_PLY], InputMethod::Keys);
    until_still(browser);
    save("end");
}

/// Returns the animated picture of a shot: the board before it, the beam in flight, the board after
/// it.
fn animated_shot(browser: &Browser, server: &AppServer) -> Vec<u8> {
    let board = || browser.picture_of(".game-page .board", ANIMATION_WIDTH);
    // Pass and play, because the computer would reply to the move.
    let page = ("/en/table", GameScreen::hotseat(browser));
    open_saved_game(browser, server, page, "table", SHOT_PLY);
    until_still(browser);
    let mut frames = vec![(board(), REST_TIMES_MS[0])];
    begin_shot(browser, page.1);
    // Without the mark of the keyboard focus.
    browser.script("document.activeElement.blur()", json!([]));
    for frame in 0..SHOT_FRAMES {
        stop_shot_at(browser, frame * u32::from(FRAME_TIME_MS));
        frames.push((board(), FRAME_TIME_MS));
    }
    // A key skips the rest.
    browser.press(&[Key::Escape]);
    browser.until("!document.querySelector('.board .shot')");
    until_still(browser);
    frames.push((board(), REST_TIMES_MS[1]));
    animated_png::animate(&frames)
}

/// Opens pass and play with the tower.
fn open_tower<'a>(browser: &'a Browser, server: &AppServer) -> GameScreen<'a, AnyPosition> {
    let start: AnyPosition = TOWER.parse().expect("a position");
    let screen = GameScreen::tower_hotseat(browser, start);
    open_game(browser, server, ("/en/tower-table", screen), "table", &Game::new(start));
    screen
}

/// Sees to it that shots do not end by themselves.
fn hold_shots(browser: &Browser) {
    browser.script(
        "const later = window.setTimeout;
         window.setTimeout = (act, time, ...rest) => time > 300 ? 0 : later(act, time, ...rest);",
        json!([]),
    );
}

/// Plays the move whose shot is shown.
fn begin_shot(browser: &Browser, screen: GameScreen<'_>) {
    hold_shots(browser);
    screen.begin(moves_of(SHORT_GAME)[SHOT_PLY], InputMethod::Keys);
    browser.wait_for(".board .shot");
}

/// Stops the shot at a time after its start, in milliseconds.
fn stop_shot_at(browser: &Browser, time: u32) {
    browser.script(
        "for (const animation of document.getAnimations()) {
           animation.pause();
           animation.currentTime = arguments[0];
         }",
        json!([time]),
    );
}

/// Opens the game on the analysis page.
fn open_annotated_game(browser: &Browser, server: &AppServer, search: &str) {
    let mut record = Record::new(Setup::Classic.position());
    let mut path = TreePath::default();
    for mv in moves_of(SHORT_GAME) {
        path = record.play_at(&path, mv).expect("a move of a real game");
    }
    let other = record.play_at(&TreePath::main_line(4), moves_of("c4d5")[0]).expect("legal");
    record.marks_mut(&other).expect("a move").push(5);
    let comment = Comment::new("keeps the beam on the file").expect("a comment");
    record.comments_mut(&other).expect("a move").push(comment);
    khet_browser_tests::open_analysis(browser, server, &record, search);
}

/// Opens the game against the computer after this number of plies.
fn open_game_at(browser: &Browser, server: &AppServer, plies: usize) {
    let page = ("/en/computer", GameScreen::computer(browser));
    open_saved_game(browser, server, page, "computer 4 silver", plies);
}

/// Opens the game on a page after this number of plies.
fn open_saved_game(
    browser: &Browser,
    server: &AppServer,
    (path, screen): (&str, GameScreen<'_>),
    mode: &str,
    plies: usize,
) {
    let mut game = Game::new(Setup::Classic.position());
    for mv in moves_of(SHORT_GAME).into_iter().take(plies) {
        game.play(mv).expect("a move of a real game");
    }
    open_game(browser, server, (path, screen), mode, &game);
}

/// Opens a page with an unfinished game, as if it had been saved.
fn open_game<P: GamePosition>(
    browser: &Browser,
    server: &AppServer,
    (path, screen): (&str, GameScreen<'_, P>),
    mode: &str,
    game: &Game<P>,
) {
    let mut record = Record::from_game(game);
    record.set_tag("Mode", mode).expect("a tag");
    // From another page, because the page of the game saves its own game when it is left.
    browser.open(&server.at("/en/rules"));
    browser.wait_for(".learn");
    let store = "localStorage.setItem(arguments[0], arguments[1])";
    browser.script(store, json!([screen.key(), record.to_string()]));
    browser.open(&server.at(path));
    screen.until_ready();
}

/// Waits until the fonts are loaded and no animation is running.
fn until_still(browser: &Browser) {
    browser.until(
        "document.fonts.status === 'loaded' && document.getAnimations().every((animation) =>
            animation.playState !== 'running' || animation.effect.getTiming().iterations === Infinity)",
    );
}

//! Looking into games: the tree and its ways in and out, the engine beside it, the review and its exercises.

use khet::{Record, Setup};
use khet_browser_tests::{
    AppServer, Browser, Device, GameScreen, InputMethod, Key, in_browser, moves_of,
};
use serde_json::json;

use crate::SERVER;

/// A game with mistakes in it.
const GAME: &str = "c5b5 h5- j5- a5a6 j4i4 a4- f4g5 a4b3 g5f6 f8e7 j5j6 b3a2 j6j7";

/// Plays a move in notation.
fn play(browser: &Browser, mv: &str) {
    browser.script("document.querySelector('.move-text').focus()", json!([]));
    browser.write(mv);
    browser.press(&[Key::Enter]);
    browser.until(&format!(
        "document.querySelector('.tree [aria-current=true]')?.dataset.move === {}",
        json!(mv)
    ));
    browser.script("document.activeElement.blur()", json!([]));
}

/// The record that the page offers to take along.
fn record(browser: &Browser) -> Record {
    browser.click(".actions [data-action=more]");
    browser.click("dialog[open] [data-action=record]");
    browser.wait_for("dialog[open] [data-text=record]");
    let text = browser.text("document.querySelector('dialog[open] [data-text=record]').value");
    browser.press(&[Key::Escape]);
    browser.until("!document.querySelector('dialog[open]')");
    text.parse().expect("a record")
}

fn moves(record: &Record) -> String {
    let text = record.to_string();
    text.split_once("\n\n").expect("tags and moves").1.trim_end().replace('\n', " ")
}

/// Opens the page with a game that was handed over to it.
fn open_game(browser: &Browser, server: &AppServer, search: &str) {
    browser.open(&server.at("/en/rules"));
    browser.wait_for(".learn");
    let mut game = khet::Game::new(Setup::Classic.position());
    moves_of(GAME).into_iter().for_each(|mv| drop(game.play(mv).expect("legal")));
    let kept = format!("\n0\n{}", Record::from_game(&game));
    browser.script("localStorage.setItem('khet.analysis', arguments[0])", json!([kept]));
    browser.open(&server.at(&format!("/en/analysis{search}")));
    browser.wait_for(".analysis .board");
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_tree_grows_stays_and_travels_by_link() {
    let link = in_browser(Device::DESKTOP, |browser| {
        browser.open(&SERVER.at("/en/analysis"));
        browser.wait_for(".analysis .board");
        for mv in ["h2+", "c7c6", "h2-"] {
            play(browser, mv);
        }
        // Everything by key: two turns back, another one, a mark and a remark.
        browser.press(&[Key::Left, Key::Left]);
        play(browser, "c7c8");
        browser.press(&[Key::Sign('5'), Key::Sign('c')]);
        browser.until("document.activeElement.dataset.field === 'comment'");
        browser.write("what if?");
        browser.press(&[Key::Tab]);
        browser.wait_for(".tree .variation .move-comment");
        let grown = record(browser);
        assert_eq!(moves(&grown), "1. h2+ c7c6 (1... c7c8 $5 {what if?}) 2. h2- *");
        browser.reload();
        browser.wait_for(".tree .variation [aria-current=true]");
        assert_eq!(record(browser), grown, "after a reload");

        browser.script(
            "navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }",
            json!([]),
        );
        browser.click(".actions [data-action=more]");
        browser.click("dialog[open] [data-action=copy-link]");
        browser.until("window.copied");
        let link = browser.text("window.copied");
        browser.press(&[Key::Escape]);
        // The variation becomes the game, and goes again.
        browser.until("!document.querySelector('dialog[open]')");
        browser.press(&[Key::Sign('p')]);
        browser.until("document.querySelector('.analysis').dataset.path === '2'");
        assert_eq!(moves(&record(browser)), "1. h2+ c7c8 $5 {what if?} (1... c7c6 2. h2-) *");
        browser.click("[data-action=delete]");
        browser.until("!document.querySelector('.tree .variation')");
        assert_eq!(moves(&record(browser)), "1. h2+ c7c6 2. h2- *");
        browser.press(&[Key::Sign('u'), Key::Sign('u')]);
        browser.wait_for(".tree .variation");
        assert_eq!(record(browser), grown, "undone");
        link
    });
    in_browser(Device::PHONE, |browser| {
        browser.open(&link);
        browser.wait_for(".tree .variation .move-comment");
        assert_eq!(moves(&record(browser)), "1. h2+ c7c6 (1... c7c8 $5 {what if?}) 2. h2- *");
        // What is added to it here is there again when the link is loaded anew.
        play(browser, "f4+");
        browser.reload();
        browser.until("document.querySelectorAll('.tree .variation').length === 2");
        // A position takes its place, and the tree can be had back.
        for _ in 0..2 {
            browser.open(&SERVER.at("/en/analysis?position=classic"));
            browser.wait_for(".analysis .board");
            assert_eq!(moves(&record(browser)), "*");
        }
        browser.open(&SERVER.at("/en/analysis?position=nonsense"));
        browser.until("document.querySelector('.analysis [data-message]').textContent");
        play(browser, "h2g2");
        browser.click(".actions [data-action=more]");
        browser.click("dialog[open] [data-action=previous-analysis]");
        browser.until("document.querySelectorAll('.tree .variation').length === 2");
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn what_is_pasted_is_opened_or_complained_about_and_nothing_is_lost() {
    in_browser(Device::DESKTOP, |browser| {
        browser.open(&SERVER.at("/en/analysis?position=osiris"));
        browser.wait_for(".analysis .board");
        let first = Setup::Osiris.position().legal_moves()[0].to_string();
        play(browser, &first);
        let paste = |text: &str| {
            browser.click(".actions [data-action=more]");
            browser.click("dialog[open] [data-action=record]");
            browser.wait_for("dialog[open] [data-text=paste]");
            browser.script(
                "const field = document.querySelector('[data-text=paste]');
                 field.value = arguments[0];
                 field.dispatchEvent(new Event('input', { bubbles: true }));",
                json!([text]),
            );
            browser.click("dialog[open] [data-action=open]");
        };
        let long = format!("[Setup \"Classic\"]\n\n{}*", "h2+ c7c6 h2- c6c7 ".repeat(2_500));
        for wrong in ["<img src=x onerror=alert(1)>", "[Setup \"Classic\"]\n\n1. e1e9 *", &long] {
            paste(wrong);
            browser.until("document.querySelector('dialog[open] .dialog-note').textContent");
            browser.press(&[Key::Escape]);
            browser.until("!document.querySelector('dialog[open]')");
        }
        assert_eq!(record(browser).tag("Setup"), Some("Osiris"), "it is still there");
        let tree =
            "[Silver \"<b>Anna</b>\"]\n[Setup \"Classic\"]\n\n1. h2+ {<i>so</i>} (1. h2g2) *\n";
        paste(tree);
        browser.wait_for(".tree .variation");
        assert_eq!(
            browser.text("document.querySelector('.tree .move-comment').textContent"),
            "<i>so</i>"
        );
        assert_eq!(moves(&record(browser)), "1. h2+ {<i>so</i>} (1. h2g2) *");
        // What was there before can be had back.
        browser.click(".actions [data-action=more]");
        browser.click("dialog[open] [data-action=previous-analysis]");
        browser.until("!document.querySelector('.tree .variation')");
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn the_engine_thinks_along_and_shows_threats_and_beams() {
    in_browser(Device::DESKTOP, |browser| {
        browser.open(&SERVER.at("/en/analysis"));
        browser.until("document.querySelector('.lines')?.dataset.depth >= 6");
        browser.until("document.querySelectorAll('.line button').length === 2");
        browser.until("document.querySelectorAll('.board .hint').length === 2");
        browser.until("document.querySelector('.bar').dataset.eval");
        for lines in [3, 4, 5] {
            browser.click("[data-action=more-lines]");
            browser.until(&format!("document.querySelectorAll('.line button').length === {lines}"));
        }
        assert_eq!(
            browser.value("document.querySelector('[data-action=more-lines]').disabled"),
            true
        );
        // A line's turn is played by a press on it.
        let mv = browser.text("document.querySelector('.line button').dataset.line");
        browser.script("document.querySelector('.line button').click()", json!([]));
        browser.wait_for(".tree .move");
        assert!(!mv.is_empty());
        browser.press(&[Key::Sign('x')]);
        browser.wait_for(".board .hint.threat");
        browser.press(&[Key::Sign('x'), Key::Sign('b')]);
        browser.until("document.querySelectorAll('.board .preview').length === 1");
        browser.press(&[Key::Sign('b')]);
        browser.until("document.querySelectorAll('.board .preview').length === 2");
        browser.press(&[Key::Sign('e')]);
        browser.until("!document.querySelector('.board .hint')");
        // All moves, with what their shots do.
        browser.click("#tab-moves");
        let all = Setup::Classic.position().legal_moves().len();
        browser.press(&[Key::Home]);
        browser.until(&format!("document.querySelectorAll('.all-moves .move').length === {all}"));
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_game_is_reviewed_and_its_mistakes_are_retried() {
    in_browser(Device::DESKTOP, |browser| {
        open_game(browser, &SERVER, "?review=yes");
        browser.wait_for(".review[data-state=running] progress");
        browser.wait_for(".review[data-state=made] .graph");
        assert_eq!(browser.value("document.querySelectorAll('.summary [data-accuracy]').length"), 2);
        // What was thought is in the tree.
        browser.until("document.querySelectorAll('.turning-points .move').length > 0");
        browser.click(".turning-points .move");
        browser.until(
            "document.querySelector('.move-judgement').textContent.includes(' instead of ')",
        );
        browser.click("#tab-tree");
        browser.wait_for(".tree .variation");
        let reviewed = record(browser);
        assert!(reviewed.to_string().contains("[%eval "));
        browser.reload();
        browser.wait_for(".tree .variation");
        assert_eq!(record(browser), reviewed, "after a reload");
        browser.click("#tab-review");
        browser.click("[data-action=retry]");
        browser.wait_for("[data-exercise=open]");
        let best = browser.text("document.querySelector('[data-exercise]').dataset.best");
        browser.script("document.querySelector('.move-text').focus()", json!([]));
        browser.write(&best);
        browser.press(&[Key::Enter]);
        browser.wait_for("[data-exercise=solved]");
        browser.click("[data-action=next-exercise]");
        browser.wait_for("[data-exercise=open]");
        browser.click("[data-action=solution]");
        browser.wait_for("[data-exercise=shown]");
        browser.click("[data-action=end-exercises]");
        browser.wait_for(".review[data-state=made] .graph");
        // A press on the curve leads there.
        browser.click(".graph");
        browser.until("Number(document.querySelector('.analysis').dataset.path) > 3");
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_review_can_be_stopped() {
    in_browser(Device::PHONE, |browser| {
        open_game(browser, &SERVER, "");
        browser.tap("#tab-review");
        browser.tap("[data-action=review]");
        browser.until("document.querySelector('.review progress')?.value > 0");
        browser.tap("[data-action=stop-review]");
        browser.wait_for(".review[data-state=made] .graph");
        // The last moves were judged, and nothing was written elsewhere.
        let stopped = record(browser);
        let judged: Vec<bool> = stopped
            .main_line()
            .plies
            .iter()
            .map(|ply| ply.comments.iter().any(|comment| comment.eval().is_some()))
            .collect();
        let first = judged.iter().position(|&judged| judged).expect("some are judged");
        assert!(first > 0, "it was stopped");
        // Behind the last turn the board says it all.
        assert!(judged[first..judged.len() - 1].iter().all(|&judged| judged), "{judged:?}");
        browser.reload();
        browser.wait_for(".tree .move");
        assert_eq!(record(browser), stopped, "after a reload");
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_game_against_the_computer_is_looked_into_with_one_press() {
    in_browser(Device::DESKTOP, |browser| {
        browser.open(&SERVER.at("/en/computer"));
        browser.click("[data-action=begin]");
        GameScreen::computer(browser).play(moves_of("c5b5")[0], InputMethod::Notation);
        browser.click(".actions [data-action=resign]");
        browser.click("dialog[open] [data-action=confirm]");
        browser.click(".result [data-action=review]");
        browser.wait_for(".review[data-state=made]");
        assert_eq!(record(browser).main_line().plies.len(), 2);
    });
}

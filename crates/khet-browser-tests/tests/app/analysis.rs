//! The analysis page: the tree with its import and export, the engine, the review and its
//! exercises.

use khet::{Record, Setup};
use khet_browser_tests::{
    AppServer, Browser, Device, GameScreen, InputMethod, Key, SHORT_GAME, in_browser, moves_of,
    open_analysis,
};
use serde_json::json;

use crate::SERVER;

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

/// Returns the game record that the page exports.
fn exported_record(browser: &Browser) -> Record {
    browser.click(".actions [data-action=more]");
    browser.click("dialog[open] [data-action=record]");
    browser.wait_for("dialog[open] [data-text=record]");
    let text = browser.text("document.querySelector('dialog[open] [data-text=record]').value");
    browser.press(&[Key::Escape]);
    browser.until("!document.querySelector('dialog[open]')");
    text.parse().expect("a record")
}

/// Returns the moves of a record as text, without its tags.
fn move_text(record: &Record) -> String {
    let text = record.to_string();
    text.split_once("\n\n").expect("tags and moves").1.trim_end().replace('\n', " ")
}

/// Opens the page with a stored game.
fn open_game(browser: &Browser, server: &AppServer, search: &str) {
    let mut game = khet::Game::new(Setup::Classic.position());
    moves_of(SHORT_GAME).into_iter().for_each(|mv| drop(game.play(mv).expect("legal")));
    open_analysis(browser, server, &Record::from_game(&game), search);
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_tree_survives_a_reload_and_is_shared_by_link() {
    let link = in_browser(Device::DESKTOP, |browser| {
        browser.open(&SERVER.at("/en/analysis"));
        browser.wait_for(".analysis .board");
        for mv in ["h2+", "c7c6", "h2-"] {
            play(browser, mv);
        }
        // By keys: two plies back, another move, an annotation mark and a comment.
        browser.press(&[Key::Left, Key::Left]);
        play(browser, "c7c8");
        browser.press(&[Key::Sign('5'), Key::Sign('c')]);
        browser.until("document.activeElement.dataset.field === 'comment'");
        browser.write("what if?");
        browser.press(&[Key::Tab]);
        browser.wait_for(".tree .variation .move-comment");
        let grown = exported_record(browser);
        assert_eq!(move_text(&grown), "1. h2+ c7c6 (1... c7c8 $5 {what if?}) 2. h2- *");
        browser.reload();
        browser.wait_for(".tree .variation [aria-current=true]");
        assert_eq!(exported_record(browser), grown, "after a reload");

        browser.script(
            "navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }",
            json!([]),
        );
        browser.click(".actions [data-action=more]");
        browser.click("dialog[open] [data-action=share]");
        browser.until("window.copied");
        let link = browser.text("window.copied");
        browser.press(&[Key::Escape]);
        // The variation is promoted, then the other one is deleted.
        browser.until("!document.querySelector('dialog[open]')");
        browser.press(&[Key::Sign('p')]);
        browser.until("document.querySelector('.game-page.analysis').dataset.path === '2'");
        assert_eq!(
            move_text(&exported_record(browser)),
            "1. h2+ c7c8 $5 {what if?} (1... c7c6 2. h2-) *"
        );
        browser.click("[data-action=delete]");
        browser.until("!document.querySelector('.tree .variation')");
        assert_eq!(move_text(&exported_record(browser)), "1. h2+ c7c6 2. h2- *");
        browser.press(&[Key::Sign('u'), Key::Sign('u')]);
        browser.wait_for(".tree .variation");
        assert_eq!(exported_record(browser), grown, "undone");
        link
    });
    in_browser(Device::PHONE, |browser| {
        browser.open(&link);
        browser.wait_for(".tree .variation .move-comment");
        assert_eq!(
            move_text(&exported_record(browser)),
            "1. h2+ c7c6 (1... c7c8 $5 {what if?}) 2. h2- *"
        );
        // Changes to a tree from a link are still there when the link is loaded again.
        play(browser, "f4+");
        browser.reload();
        browser.until("document.querySelectorAll('.tree .variation').length === 2");
        // A position replaces the tree, which can be restored.
        for _ in 0..2 {
            browser.open(&SERVER.at("/en/analysis?position=classic"));
            browser.wait_for(".analysis .board");
            assert_eq!(move_text(&exported_record(browser)), "*");
        }
        browser.open(&SERVER.at("/en/analysis?position=nonsense"));
        browser.until("document.querySelector('.analysis [data-message]').textContent");
        play(browser, "h2g2");
        browser.click(".actions [data-action=more]");
        browser.click("dialog[open] [data-action=previous-analysis]");
        browser.until("document.querySelectorAll('.tree .variation').length === 2");
        // The plain page is an empty board, from which the last tree can be continued.
        browser.open(&SERVER.at("/en/analysis"));
        browser.wait_for("[data-action=continue-analysis]");
        assert_eq!(move_text(&exported_record(browser)), "*");
        browser.click("[data-action=continue-analysis]");
        browser.until("document.querySelectorAll('.tree .variation').length === 2");
        browser.until("!document.querySelector('[data-action=continue-analysis]')");
    });
}

/// Pastes a text into the record dialog of the analysis page.
fn paste(browser: &Browser, text: &str) {
    browser.click(".actions [data-action=more]");
    browser.click("dialog[open] [data-action=record]");
    browser.click("dialog[open] [data-text=paste]");
    browser.write(text);
    browser.click("dialog[open] [data-action=open]");
}

#[test]
#[ignore = "needs the built app and a browser"]
fn bare_moves_start_from_classic_and_errors_are_in_the_language_of_the_page() {
    in_browser(Device::DESKTOP, |browser| {
        browser.open(&SERVER.at("/fr/analysis"));
        browser.wait_for(".analysis .board");
        paste(browser, "1. h2+ c7c6 2. a1a9");
        let note = "document.querySelector('dialog[open] .dialog-note').textContent";
        browser.until(note);
        let message = browser.text(note);
        assert!(message.contains("Ligne 1") && message.contains("a1a9"), "{message}");
        assert!(!message.contains("move is written"), "{message}");
        browser.press(&[Key::Escape]);
        browser.until("!document.querySelector('dialog[open]')");
        paste(browser, "1. h2+ c7c6 2. h2-");
        browser.until("document.querySelectorAll('.tree .round .move').length === 3");
        assert_eq!(move_text(&exported_record(browser)), "1. h2+ c7c6 2. h2- *");
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_pasted_record_is_opened_or_rejected_and_no_tree_is_lost() {
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
        assert_eq!(exported_record(browser).tag("Setup"), Some("Osiris"), "the tree is unchanged");
        let tree =
            "[Silver \"<b>Anna</b>\"]\n[Setup \"Classic\"]\n\n1. h2+ {<i>so</i>} (1. h2g2) *\n";
        paste(tree);
        browser.wait_for(".tree .variation");
        assert_eq!(
            browser.text("document.querySelector('.tree .move-comment').textContent"),
            "<i>so</i>"
        );
        assert_eq!(move_text(&exported_record(browser)), "1. h2+ {<i>so</i>} (1. h2g2) *");
        // The previous tree can be restored.
        browser.click(".actions [data-action=more]");
        browser.click("dialog[open] [data-action=previous-analysis]");
        browser.until("!document.querySelector('.tree .variation')");
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn the_engine_shows_lines_and_threats_and_beams() {
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
        // A click on a line plays its first move.
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
        // The list of all moves.
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
        browser.wait_for(".review[data-state=done] .graph");
        assert_eq!(
            browser.value("document.querySelectorAll('.summary [data-accuracy]').length"),
            2
        );
        // The tree has the evaluations and the better moves.
        browser.until("document.querySelectorAll('.turning-points .move').length > 0");
        browser.click(".turning-points .move");
        browser.until(
            "document.querySelector('.move-judgement').textContent.includes(' instead of ')",
        );
        browser.click("#tab-tree");
        browser.wait_for(".tree .variation");
        let reviewed = exported_record(browser);
        assert!(reviewed.to_string().contains("[%eval "));
        browser.reload();
        browser.wait_for(".tree .variation");
        assert_eq!(exported_record(browser), reviewed, "after a reload");
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
        browser.wait_for(".review[data-state=done] .graph");
        // A click on the graph goes to that move.
        browser.click(".graph");
        browser.until("Number(document.querySelector('.game-page.analysis').dataset.path) > 3");
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
        browser.wait_for(".review[data-state=done] .graph");
        // The last moves have evaluations, the others have none.
        let stopped = exported_record(browser);
        let has_eval: Vec<bool> = stopped
            .main_line()
            .plies
            .iter()
            .map(|ply| ply.comments.iter().any(|comment| comment.eval().is_some()))
            .collect();
        let first =
            has_eval.iter().position(|&has_eval| has_eval).expect("some moves have an evaluation");
        assert!(first > 0, "it was stopped");
        // The last move ends the game, so it needs no evaluation.
        assert!(
            has_eval[first..has_eval.len() - 1].iter().all(|&has_eval| has_eval),
            "{has_eval:?}"
        );
        browser.reload();
        browser.wait_for(".tree .move");
        assert_eq!(exported_record(browser), stopped, "after a reload");
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_game_against_the_computer_is_reviewed_with_one_click() {
    in_browser(Device::DESKTOP, |browser| {
        browser.open(&SERVER.at("/en/computer"));
        browser.click("[data-action=begin]");
        GameScreen::computer(browser).play(moves_of("c5b5")[0], InputMethod::Notation);
        browser.click(".actions [data-action=resign]");
        browser.click("dialog[open] [data-action=confirm]");
        browser.click(".result [data-action=review]");
        browser.wait_for(".review[data-state=done]");
        assert_eq!(browser.text("location.search"), "?side=silver");
        assert_eq!(exported_record(browser).main_line().plies.len(), 2);
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_game_is_analysed_from_the_side_of_its_player() {
    in_browser(Device::DESKTOP, |browser| {
        open_game(browser, &SERVER, "?side=red&review=yes");
        let red_is_below = "document.querySelector('.board .cell')?.dataset.square === 'j1'";
        browser.until(red_is_below);
        browser.wait_for(".review[data-state=done] .graph");
        browser.wait_for("input[name=whose][value=red]:checked");
        assert_eq!(browser.text("location.search"), "?side=red");
        browser.reload();
        browser.until(red_is_below);
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn the_bar_shows_a_recorded_evaluation_until_the_engine_has_searched_as_deep() {
    in_browser(Device::DESKTOP, |browser| {
        browser.open(&SERVER.at("/fr/rules"));
        browser.wait_for(".learn");
        let stored = "\n0\n[Setup \"Classic\"]\n\n1. h2+ {[%eval 9.87]} c7c6 *\n";
        browser.script(
            "localStorage.setItem('khet.analysis', arguments[0]);
             localStorage.setItem('khet.analysis.choices', 'rests 2');
             localStorage.setItem('khet.analysis.handed-over', 'yes');",
            json!([stored]),
        );
        browser.open(&SERVER.at("/fr/analysis"));
        browser.wait_for(".tree .move");
        browser.press(&[Key::Right]);
        // Numbers have the decimal comma of the language; the record keeps its point.
        browser.until("document.querySelector('.bar').dataset.eval === '+9,87'");
        browser.press(&[Key::Sign('e')]);
        browser.until("document.querySelector('.lines').dataset.depth >= 10");
        browser.until("/^[+-]?[0-9],[0-9]{2}$/.test(document.querySelector('.bar').dataset.eval)");
        browser.until("document.querySelector('.bar').dataset.eval !== '+9,87'");
        assert!(exported_record(browser).to_string().contains("[%eval 9.87]"));
    });
}

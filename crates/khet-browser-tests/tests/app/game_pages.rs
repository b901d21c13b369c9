//! The pages of local games: what stands where, in windows of every shape, and what they say.

use khet_browser_tests::{
    Browser, Device, GameScreen, InputMethod, Key, in_browser, moves_of, word,
};
use serde_json::{Value, json};

use crate::SERVER;

/// A game in which thirteen pieces are hit, Red's and Silver's.
const MANY_HITS: &str = "h2h3 h5i6 h3i2 g8^h7 j5- i6i5 j5i6 h4+ j4i4 c7c6 d6d5 e5d6 i6i7 h4- i2h3 a5a6 i4j3 \
    f5+ f4e3 i5h4 i7j8 h4i4 j3i3 d6d5 c4d3 a4- f1e2 a4b3 c1c2 c6b6 d6- d5d4 h3h4 d4d3 h4- f5g4 e1f1 d3+ \
    h4h3 h8i8 e4d5 d3e4 e2f3 a6b5 j8i7 b5a4 d5c4 a4a5 c4b5 a5a4 b5b4 g4f5 d6c5";

/// Windows that are wide and short: 1280×800 at 200 %, and phones in landscape.
const SHORT_WINDOWS: [(u32, u32); 3] = [(640, 400), (667, 375), (844, 390)];

/// Phones in portrait.
const PHONES: [(u32, u32); 2] = [(320, 568), (390, 844)];

/// Opens a saved pass-and-play game with these tags and moves.
fn open_saved(browser: &Browser, tags: &str, moves: &str) {
    browser.open(&SERVER.at("/en"));
    browser.wait_for(".home");
    let record = format!("[Setup \"Classic\"]\n{tags}\n\n{moves} *\n");
    browser.script("localStorage.setItem('khet.game.table', arguments[0])", json!([record]));
    browser.open(&SERVER.at("/en/table"));
    browser.until("document.querySelector('.game-page')?.dataset.state === 'playing'");
}

/// Returns left, top, right and bottom of an element.
fn edges(browser: &Browser, selector: &str) -> [f64; 4] {
    let edges = browser.script(
        "const box = document.querySelector(arguments[0]).getBoundingClientRect();
         return [box.left, box.top, box.right, box.bottom];",
        json!([selector]),
    );
    [0, 1, 2, 3].map(|index: usize| edges[index].as_f64().expect("a number"))
}

/// Asserts that none of these elements covers another one, and that all are in the window.
fn assert_apart(browser: &Browser, selectors: &[&str], size: (u32, u32)) {
    let boxes: Vec<[f64; 4]> = selectors.iter().map(|selector| edges(browser, selector)).collect();
    for (index, first) in boxes.iter().enumerate() {
        let (name, [left, top, right, bottom]) = (selectors[index], *first);
        assert!(left >= -0.5 && top >= -0.5, "{name} {first:?} at {size:?}");
        assert!(right <= f64::from(size.0) + 0.5, "{name} {first:?} at {size:?}");
        assert!(bottom <= f64::from(size.1) + 0.5, "{name} {first:?} at {size:?}");
        for (second, other) in boxes.iter().zip(selectors).skip(index + 1) {
            let apart = right <= second[0] + 0.5
                || second[2] <= left + 0.5
                || bottom <= second[1] + 0.5
                || second[3] <= top + 0.5;
            assert!(apart, "{name} {first:?} and {other} {second:?} at {size:?}");
        }
    }
}

/// Returns the elements that match `inner` and leave the nearest `outer` around them.
fn cut_off(browser: &Browser, inner: &str, outer: &str, sideways_only: bool) -> Value {
    browser.script(
        "const [inner, outer, sidewaysOnly] = arguments;
         const out = (element) => {
           const box = element.getBoundingClientRect();
           const around = element.closest(outer).getBoundingClientRect();
           return box.left < around.left - 0.5 || box.right > around.right + 0.5
             || !sidewaysOnly && (box.top < around.top - 0.5 || box.bottom > around.bottom + 0.5)
             || element.scrollWidth > element.clientWidth + 1;
         };
         return [...document.querySelectorAll(inner)].filter(out).map((it) => it.outerHTML);",
        json!([inner, outer, sideways_only]),
    )
}

#[test]
#[ignore = "needs the built app and a browser"]
fn short_windows_keep_a_large_board_beside_the_panel() {
    for size in SHORT_WINDOWS {
        in_browser(Device { size, less_motion: true, ..Device::DESKTOP }, |browser| {
            open_saved(browser, "[Mode \"table turning\"]", MANY_HITS);
            let parts = [
                ".header",
                ".game-page .board",
                ".player.top",
                ".player.bottom",
                ".moves",
                ".game-page > .actions",
            ];
            assert_apart(browser, &parts, size);
            let [left, top, right, bottom] = edges(browser, ".game-page .board");
            let room = f64::from(size.1) - top;
            assert!(bottom - top > 0.85 * room, "{size:?}: the board is {} high", bottom - top);
            assert!(right - left > 0.45 * f64::from(size.0), "{size:?}: {left} to {right}");
            assert_eq!(cut_off(browser, ".move", ".move-list", true), json!([]), "{size:?}");
            assert_eq!(cut_off(browser, ".player > *", ".player", false), json!([]), "{size:?}");
        });
    }
}

#[test]
#[ignore = "needs the built app and a browser"]
fn phones_show_the_board_from_edge_to_edge_between_slim_strips() {
    for size in PHONES {
        in_browser(Device { size, less_motion: true, ..Device::PHONE }, |browser| {
            let clock = "[TimeControl \"600+5\"]\n[Clocks \"600000 600000\"]";
            open_saved(browser, &format!("[Mode \"table turning\"]\n{clock}"), MANY_HITS);
            let parts = [
                ".header",
                ".player.top",
                ".game-page .board",
                ".player.bottom",
                ".moves",
                ".game-page > .actions",
            ];
            assert_apart(browser, &parts, size);
            let [left, _, right, _] = edges(browser, ".game-page .board");
            assert!(right - left > 0.98 * f64::from(size.0), "{size:?}: {left} to {right}");
            for strip in [".player.top", ".player.bottom"] {
                let [_, top, _, bottom] = edges(browser, strip);
                assert!(bottom - top <= 44.0, "{strip} is {} high at {size:?}", bottom - top);
            }
            let cut = cut_off(browser, ".player-taken, .player-taken *, .clock", ".player", false);
            assert_eq!(cut, json!([]), "{size:?}");
        });
    }
}

#[test]
#[ignore = "needs the built app and a browser"]
fn taken_pieces_stand_beside_the_player_who_took_them() {
    in_browser(Device { less_motion: true, ..Device::DESKTOP }, |browser| {
        open_saved(browser, "[Mode \"table\"]", MANY_HITS);
        let counted = browser.value(
            "[...document.querySelectorAll('.player')].map((strip) => {
               const icons = [...strip.querySelectorAll('.player-piece')];
               const count = (icon) => parseInt(icon.nextSibling?.textContent) || 1;
               return [strip.dataset.color, icons.reduce((sum, icon) => sum + count(icon), 0),
                 strip.querySelector('.player-taken').getAttribute('aria-label'),
                 icons.every((icon) => icon.querySelector('g').classList.contains(
                   strip.dataset.color === 'silver' ? 'red' : 'silver'))];
             })",
        );
        let total: u64 =
            [0, 1].map(|index: usize| counted[index][1].as_u64().unwrap_or(0)).iter().sum();
        assert_eq!(total, 13, "{counted}");
        for strip in counted.as_array().into_iter().flatten() {
            assert_eq!(strip[2], json!(format!("{} pieces taken", strip[1])), "{counted}");
            assert_eq!(strip[3], json!(true), "the pieces are the opponent's: {counted}");
        }
        assert_eq!(cut_off(browser, ".player > *", ".player", false), json!([]));
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn the_result_is_personal_and_leaves_the_board_free() {
    for (size, phone) in
        [((1280, 800), false), ((390, 844), true), ((320, 568), true), ((640, 400), false)]
    {
        in_browser(Device { size, phone, less_motion: true, ..Device::DESKTOP }, |browser| {
            browser.open(&SERVER.at("/en/computer"));
            browser.click("[data-action=begin]");
            let screen = GameScreen::computer(browser);
            screen.play(moves_of("c5b5")[0], InputMethod::Mouse);
            browser.click("[data-action=resign]");
            let title = browser.text("document.querySelector('dialog[open] h2').textContent");
            assert_eq!(title, word("en", "game_resign_question"));
            browser.click("dialog[open] [data-action=confirm]");
            browser.wait_for(".result[data-result]");
            let headline = browser.text("document.querySelector('.result-headline').textContent");
            assert_eq!(headline, word("en", "play_you_lost"));
            assert_apart(browser, &[".header", ".game-page .board", ".result"], size);
            assert_eq!(cut_off(browser, ".result .action", ".result", false), json!([]));
            for action in ["review", "share", "new-game", "more", "rematch"] {
                browser.wait_for(&format!(".result [data-action={action}]"));
            }
            browser.click(".result [data-action=rematch]");
            browser.until("!document.querySelector('.result[data-result]')");
            let note = "document.querySelector('[data-message]').textContent";
            screen.until_ready();
            assert_eq!(browser.text(note), word("en", "play_now_red"), "after the first move too");
        });
    }
}

#[test]
#[ignore = "needs the built app and a browser"]
fn messages_of_the_last_game_and_of_wrong_moves_do_not_stay() {
    in_browser(Device::DESKTOP, |browser| {
        browser.open(&SERVER.at("/en/table"));
        browser.click("[data-action=begin]");
        let screen = GameScreen::hotseat(browser);
        screen.until_ready();
        let message = "document.querySelector('.move-message').textContent";
        let hidden = "document.querySelector('.game-type').getBoundingClientRect().width <= 1";
        browser.until(hidden);
        browser.press(&[Key::Sign('/')]);
        browser.until("document.activeElement.matches('.move-text')");
        browser.write("foo");
        browser.press(&[Key::Enter]);
        browser.until(&format!("{message} !== ''"));
        screen.play(moves_of("h2g2")[0], InputMethod::Mouse);
        assert_eq!(browser.text(message), "");
        browser.until(hidden);
        let announcement = "document.querySelector('.game-page .board-announcement').textContent";
        assert!(browser.text(announcement).contains("laser"));
        browser.click("[data-action=resign]");
        browser.click("dialog[open] [data-action=confirm]");
        browser.click(".result [data-action=rematch]");
        browser.until("document.querySelector('.game-page').dataset.plies === '0'");
        assert_eq!(browser.text(announcement), "");
        let status = browser.text("document.querySelector('.result').textContent");
        assert_eq!(status, "", "the result of the last game is gone");
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_new_game_asks_before_it_replaces_an_unfinished_one() {
    in_browser(Device::DESKTOP, |browser| {
        browser.open(&SERVER.at("/en/computer"));
        browser.click("[data-action=begin]");
        let screen = GameScreen::computer(browser);
        screen.play(moves_of("c5b5")[0], InputMethod::Mouse);
        let start_another = || {
            browser.click("[data-action=more]");
            browser.click("dialog[open] [data-action=new-game]");
            browser.click("[data-action=begin]");
            browser.wait_for("dialog[open][data-dialog=replace] [data-action=cancel]");
        };
        start_another();
        browser.click("dialog[open] [data-action=cancel]");
        screen.until_ready();
        assert_eq!(screen.plies(), 2, "the unfinished game goes on");
        start_another();
        browser.click("dialog[open] [data-action=confirm]");
        browser.until("document.querySelector('.game-page').dataset.state === 'playing'");
        assert_eq!(screen.plies(), 0);
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn finished_games_are_listed_and_opened_in_the_analysis() {
    in_browser(Device::DESKTOP, |browser| {
        browser.open(&SERVER.at("/en/computer"));
        browser.click("[data-action=begin]");
        let screen = GameScreen::computer(browser);
        screen.play(moves_of("c5b5")[0], InputMethod::Mouse);
        let resign = || {
            browser.click("[data-action=resign]");
            browser.click("dialog[open] [data-action=confirm]");
            browser.wait_for(".result[data-result]");
        };
        resign();
        // A game that goes on is not finished: it is listed once.
        browser.click(".result [data-action=more]");
        browser.click("dialog[open] [data-action=take-back]");
        browser.until("document.querySelector('.game-page').dataset.state === 'playing'");
        resign();
        browser.click(".result [data-action=more]");
        browser.click("dialog[open] a[href='/en/device-games']");
        browser.wait_for("[data-action=open-finished]");
        let rows = "[...document.querySelectorAll('[data-action=open-finished]')].map((it) => it.textContent)";
        assert_eq!(browser.value(rows), json!([word("en", "play_you_lost")]));
        // A deleted game can be restored until the page is left.
        let stored = "localStorage.getItem('khet.finished')";
        let list = browser.text(stored);
        browser.click("[data-action=delete-finished]");
        browser.wait_for(".listed-game.deleted");
        assert_eq!(browser.text(stored), "");
        let focused = "document.activeElement.dataset.action";
        assert_eq!(browser.text(focused), "delete-finished", "the focus stays on the button");
        browser.press(&[Key::Enter]);
        browser.until("!document.querySelector('.listed-game.deleted')");
        assert_eq!(browser.text(stored), list);
        // The game opens at its end.
        browser.click("[data-action=open-finished]");
        browser.wait_for(".analysis .move");
        assert_eq!(browser.value("document.querySelectorAll('.analysis .move').length"), json!(2));
        browser.until("document.querySelectorAll('.analysis .move')[1].ariaCurrent === 'true'");
        // The home page links to the list.
        browser.open(&SERVER.at("/en"));
        browser.click(".home a[href='/en/device-games']");
        browser.click("[data-action=delete-finished]");
        browser.wait_for(".listed-game.deleted");
        browser.reload();
        browser.wait_for(".listed .button.primary[href='/en/computer']");
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn newcomers_find_the_rules_and_are_told_what_was_hit() {
    in_browser(Device { less_motion: true, ..Device::PHONE }, |browser| {
        browser.open(&SERVER.at("/en/table"));
        browser.tap("[data-action=begin]");
        let screen = GameScreen::hotseat(browser);
        let told = "document.querySelector('[data-hits]').textContent";
        for mv in moves_of("h2+ a5b5") {
            assert_eq!(browser.text(told), "");
            screen.play(mv, InputMethod::Finger);
        }
        assert_eq!(browser.text(told), "Red’s pyramid on a4 is removed.");
        browser.tap(".game-page > .actions [data-action=more]");
        browser.tap("dialog[open] a[href='/en/rules']");
        browser.wait_for("main h1");
        browser.until("location.pathname === '/en/rules'");
        browser.open(&SERVER.at("/en/table"));
        screen.until_ready();
        assert_eq!(screen.plies(), 2, "the game is kept");
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn pass_and_play_is_face_to_face_with_names_and_a_pause() {
    in_browser(Device { less_motion: true, ..Device::PHONE }, |browser| {
        browser.open(&SERVER.at("/en/table"));
        for (field, name) in [("silver", "Anna"), ("red", "Ben")] {
            browser.tap(&format!("[data-field=name-{field}]"));
            browser.write(name);
        }
        browser.tap("[data-field=timed]");
        browser.tap("[data-action=begin]");
        let screen = GameScreen::hotseat(browser);
        screen.play(moves_of("h2g2")[0], InputMethod::Finger);
        let names = "[...document.querySelectorAll('.player-name')].map((it) => it.textContent)";
        assert_eq!(browser.value(names), json!(["Ben", "Anna"]));
        let rotated = "getComputedStyle(document.querySelector('.game-top')).rotate";
        assert_eq!(browser.text(rotated), "180deg");
        let parts = [".header", ".game-top", ".game-page .board", ".player.bottom", ".moves"];
        assert_apart(browser, &parts, (390, 844));
        // The pause stops the clocks and the board, and outlasts a reload.
        browser.tap(".game-top [data-action=pause]");
        browser.wait_for("[data-action=resume]");
        browser.reload();
        browser.wait_for("[data-action=resume]");
        let clock = "document.querySelector('.player.top .clock').dataset.runs";
        assert_eq!(browser.text(clock), "false");
        assert!(browser.value("document.querySelector('.game-page .board.playable')").is_null());
        browser.tap("[data-action=resume]");
        assert_eq!(browser.text(clock), "true");
        // Ben resigns with his own button.
        browser.tap(".game-top [data-action=resign]");
        browser.wait_for(".dialogs.opposite dialog[open]");
        browser.tap("dialog[open] [data-action=confirm]");
        browser.wait_for(".result[data-result='1-0']");
        let headline = browser.text("document.querySelector('.result-headline').textContent");
        assert_eq!(headline, word("en", "play_silver_wins"));
        let saved = browser.text("localStorage.getItem('khet.game.table')");
        assert!(saved.contains("[Silver \"Anna\"]") && saved.contains("[Red \"Ben\"]"), "{saved}");
        // They keep their places and exchange colours.
        browser.tap(".result [data-action=rematch]");
        browser.until("document.querySelector('.game-page').dataset.plies === '0'");
        assert_eq!(browser.value(names), json!(["Ben", "Anna"]));
        assert_eq!(browser.text("document.querySelector('.player.bottom').dataset.color"), "red");
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_published_setup_keeps_its_name_when_it_is_played() {
    in_browser(Device::DESKTOP, |browser| {
        browser.open(&SERVER.at("/en"));
        browser.wait_for(".home");
        let start = "standard 4k5/10/10/10/4p34P2/10/10/4K5 s\nTwo towers";
        browser.script("localStorage.setItem('khet.wish', arguments[0])", json!([start]));
        browser.open(&SERVER.at("/en/table"));
        browser.wait_for("[data-field=setup]");
        let chosen = "document.querySelector('[data-field=setup]').selectedOptions[0].textContent";
        assert_eq!(browser.text(chosen), "Two towers");
        assert!(browser.value("document.querySelector('[data-field=own]')").is_null());
        browser.click("[data-action=begin]");
        browser.until("document.querySelector('.game-page').dataset.state === 'playing'");
        browser.reload();
        browser.click("[data-action=more]");
        let about = "document.querySelector('.more-about').textContent";
        browser.wait_for(".more-about");
        assert!(browser.text(about).starts_with("Two towers"), "{}", browser.text(about));
    });
}

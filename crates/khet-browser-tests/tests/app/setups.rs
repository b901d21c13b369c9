//! The setup editor by mouse, drags and keys; links that open without a server; the gallery.

use std::cell::Cell;

use khet::{Placement, Position};
use khet_browser_tests::{AppServer, Browser, Device, Key, in_browser, word};
use serde_json::json;

use crate::SERVER;
use crate::online::sign_up;

/// A setup that is not an official one.
const CUSTOM_SETUP: &str =
    "4o2ko2p22/10/2p3P46/p11P31d1d21p21P4/p21P41D2D11p11P3/6p2P12/10/2P4O2KO24 s";

/// A user of the setup editor, with the number of clicks and key presses.
struct Designer<'a> {
    browser: &'a Browser,
    actions: Cell<usize>,
}

impl<'a> Designer<'a> {
    fn new(browser: &'a Browser) -> Designer<'a> {
        Designer { browser, actions: Cell::new(0) }
    }

    fn click(&self, selector: &str) {
        self.actions.set(self.actions.get() + 1);
        self.browser.click(selector);
    }

    fn click_squares(&self, squares: &[&str]) {
        for square in squares {
            self.click(&cell(square));
        }
    }

    fn press(&self, keys: &[Key]) {
        self.actions.set(self.actions.get() + keys.len());
        self.browser.press(keys);
    }

    /// Takes a piece out of a box, by its name there.
    fn take(&self, name: &str) {
        self.click(&format!("[data-box-piece={name}]"));
    }
}

/// Returns the selector of a square of the editor.
fn cell(square: &str) -> String {
    format!(".editor .board [data-square={square}]")
}

/// Waits until the text field of the editor shows this position.
fn until_position_is(browser: &Browser, position: &str) {
    browser.until(&format!(
        "document.querySelector('[data-field=text]')?.value === {}",
        json!(position)
    ));
}

/// Opens the editor with an empty board.
fn open_empty(browser: &Browser, server: &AppServer) {
    browser.open(&server.at("/en/editor"));
    browser.wait_for(".editor .board");
    until_position_is(browser, &Placement::EMPTY.to_string());
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_setup_is_built_in_few_actions_and_its_link_opens_without_a_server() {
    let server = AppServer::start();
    let link = in_browser(Device::DESKTOP, |browser| {
        open_empty(browser, &server);
        let designer = Designer::new(browser);
        designer.take("silver-K");
        designer.click_squares(&["e1"]);
        designer.take("silver-O");
        designer.click_squares(&["d1", "d1", "f1", "f1"]);
        designer.take("silver-D");
        designer.click_squares(&["f4"]);
        designer.click("[data-action=right]");
        designer.click_squares(&["e4"]);
        designer.take("silver-P");
        designer.click_squares(&["c1", "c4", "d6", "j5"]);
        designer.click("[data-action=right]");
        designer.click_squares(&["h3"]);
        designer.click("[data-action=left]");
        designer.click("[data-action=left]");
        designer.click_squares(&["c5", "j4"]);
        until_position_is(browser, CUSTOM_SETUP);
        CUSTOM_SETUP.parse::<Position>().expect("it can be played");
        browser.until("document.querySelector('.setup-check-summary').dataset.state === 'good'");
        let actions = designer.actions.get();
        println!("a whole symmetric setup in {actions} actions");
        assert!(actions < 40, "{actions}");
        assert_eq!(
            browser.value("document.querySelectorAll('.setup-check-messages .fault').length"),
            0
        );
        browser.text("location.href")
    });
    assert!(link.ends_with(&format!("?position={}", CUSTOM_SETUP.replace(' ', "_"))), "{link}");
    in_browser(Device::PHONE, |browser| {
        browser.open(&server.at("/en/rules"));
        // The service worker takes control when it has cached everything.
        browser.until("navigator.serviceWorker.controller");
        drop(server);
        browser.open(&link);
        until_position_is(browser, CUSTOM_SETUP);
        browser.wait_for(".editor .board-pieces .silver");
        // The engine was cached too.
        browser.until("/[0-9]/.test(document.querySelector('[data-engine-check]').textContent)");
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn the_keyboard_alone_builds_a_setup() {
    in_browser(Device::DESKTOP, |browser| {
        open_empty(browser, &SERVER);
        browser.tab_to(".editor .board .cell");
        let designer = Designer::new(browser);
        let sign = Key::Sign;
        designer.press(&[sign('k'), Key::Enter]);
        designer.press(&[sign('o'), Key::Left, Key::Enter, Key::Enter]);
        designer.press(&[sign('p'), Key::Up, Key::Enter, sign('+'), Key::Up, Key::Enter]);
        designer.press(&[sign('d'), Key::Up, Key::Enter, Key::Escape]);
        let built = "5ko23/6p23/6p33/6d13/3D16/3P16/3P46/3O2K5 s";
        until_position_is(browser, built);
        let announcement =
            browser.text("document.querySelector('[data-announcement]').textContent");
        assert_eq!(announcement, word("en", "board_put_back"), "the last action is announced");
        // A piece is moved, rotated and removed; then all three are undone.
        designer.press(&[Key::Enter, Key::Up, Key::Enter]);
        until_position_is(browser, "5ko23/6p23/6p33/3D16/6d13/3P16/3P46/3O2K5 s");
        designer.press(&[sign('-')]);
        until_position_is(browser, "5ko23/6p23/6p33/3D26/6d23/3P16/3P46/3O2K5 s");
        designer.press(&[Key::Delete]);
        until_position_is(browser, "5ko23/6p23/6p33/10/10/3P16/3P46/3O2K5 s");
        designer.press(&[sign('u')]);
        browser.press_together(&[Key::Control, sign('z')]);
        browser.press_together(&[Key::Control, sign('z')]);
        until_position_is(browser, built);
        browser.press_together(&[Key::Control, sign('y')]);
        browser.press_together(&[Key::Control, Key::Shift, sign('z')]);
        until_position_is(browser, "5ko23/6p23/6p33/3D26/6d23/3P16/3P46/3O2K5 s");
        let label = browser.text("document.activeElement.getAttribute('aria-label')");
        assert!(label.starts_with("d5, Silver’s djed"), "{label}");
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn faults_are_listed_and_marked_until_they_are_corrected() {
    in_browser(Device::DESKTOP, |browser| {
        open_empty(browser, &SERVER);
        let faults = || {
            let texts = browser.value(
                "[...document.querySelectorAll('.setup-check-messages .fault')].map((item) => item.textContent)",
            );
            serde_json::from_value::<Vec<String>>(texts).expect("texts")
        };
        let [silver, red] =
            ["silver", "red"].map(|side| word("en", &format!("fault_no_pharaoh_{side}")));
        assert_eq!(faults(), [silver, red]);
        let designer = Designer::new(browser);
        designer.take("silver-P");
        designer.click_squares(&["a3"]);
        browser.until("document.querySelectorAll('.editing-mark.fault').length === 2");
        assert!(faults().iter().any(|fault| fault.contains("a3")), "{:?}", faults());
        let marked = word("en", "editor_square_error");
        let label = browser.text("document.querySelector('[data-square=a3]').ariaLabel");
        assert!(label.contains(&marked), "{label}");
        designer.click("[data-action=undo]");
        browser.until("document.querySelectorAll('.editing-mark').length === 0");
        designer.take("silver-K");
        designer.click_squares(&["e1"]);
        browser.until("document.querySelector('.setup-check-summary').dataset.state === 'good'");
        assert_eq!(faults(), Vec::<String>::new());
        // An asymmetric setup causes only a warning.
        designer.click("[data-field=symmetric]");
        designer.take("silver-P");
        designer.click_squares(&["e3"]);
        browser.wait_for(".setup-check-messages .warning");
        browser.until("document.querySelectorAll('.editing-mark.warning').length === 2");
        until_position_is(browser, "5k4/10/10/10/10/4P45/10/4K5 s");
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn pieces_are_dragged_from_the_box_over_the_board_and_off_it() {
    for device in [Device::DESKTOP, Device::PHONE] {
        in_browser(device, |browser| {
            open_empty(browser, &SERVER);
            let drag = |from: &str, to: &str| {
                let (from, to) = (browser.place(from), browser.place(to));
                if device.phone { browser.swipe(from, to) } else { browser.drag(from, to) }
            };
            drag("[data-box-piece=silver-K]", &cell("e1"));
            until_position_is(browser, "5k4/10/10/10/10/10/10/4K5 s");
            drag("[data-box-piece=red-D]", &cell("c6"));
            until_position_is(browser, "5k4/10/2d17/10/10/7D12/10/4K5 s");
            drag(&cell("c6"), &cell("d5"));
            until_position_is(browser, "5k4/10/10/3d16/6D13/10/10/4K5 s");
            drag(&cell("d5"), "[data-action=undo]");
            until_position_is(browser, "5k4/10/10/10/10/10/10/4K5 s");
            let left = browser.text("document.querySelector('[data-box-piece=red-D]').ariaLabel");
            assert!(left.contains('2'), "{left}");
        });
    }
}

#[test]
#[ignore = "needs the built app and a browser"]
fn position_text_is_read_or_rejected_with_an_error_and_the_board_is_kept() {
    in_browser(Device::DESKTOP, |browser| {
        browser.open(&SERVER.at("/en/editor?position=imhotep"));
        let imhotep = khet::Setup::Imhotep.placement().to_string();
        until_position_is(browser, &imhotep);
        let write = |text: &str| {
            browser.click("[data-field=text]");
            browser.press_together(&[Key::Control, Key::Sign('a')]);
            browser.write(text);
            browser.click("[data-action=take-text]");
        };
        write("4k5/10/10/p57/10/10/10/3O2K5 s");
        browser.until("document.querySelector('#text-problem').textContent.includes('rank 5')");
        let text = browser.text("document.querySelector('[data-field=text]').value");
        assert_eq!(text, "4k5/10/10/p57/10/10/10/3O2K5 s", "the text is kept");
        assert!(browser.text("location.search").contains("4o2ko2d22"), "the board is kept");
        write("isis");
        until_position_is(browser, &khet::Setup::Isis.placement().to_string());
        assert_eq!(browser.text("document.querySelector('#text-problem').textContent"), "");
        // The setup is kept after a reload and a visit to another page.
        browser.reload();
        until_position_is(browser, &khet::Setup::Isis.placement().to_string());
        browser.open(&SERVER.at("/en/rules"));
        browser.wait_for(".learn");
        browser.open(&SERVER.at("/en/editor"));
        until_position_is(browser, &khet::Setup::Isis.placement().to_string());
        // An invalid link causes an error, and the edited setup is kept.
        browser.open(&SERVER.at("/en/editor?position=4k5_s"));
        browser.until("document.querySelector('#text-problem').textContent.includes('1 of 8')");
        browser.until("document.querySelectorAll('.board-pieces .silver').length === 14");
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_random_setup_can_be_played_and_is_offered_on_the_other_pages() {
    in_browser(Device::DESKTOP, |browser| {
        open_empty(browser, &SERVER);
        browser.click("[data-action=surprise]");
        browser.until("document.querySelector('.setup-check-summary').dataset.state === 'good'");
        assert_eq!(
            browser.value("document.querySelectorAll('.setup-check-messages li').length"),
            0
        );
        let text = browser.text("document.querySelector('[data-field=text]').value");
        text.parse::<Position>().expect("it can be played");
        // Records the downloads instead of saving files.
        browser.script(
            "window.saved = [];
             HTMLAnchorElement.prototype.click = function () {
               saved.push(this.download + ' ' + this.href.slice(0, 30));
             };",
            json!([]),
        );
        browser.click("[data-action=svg]");
        browser.until("saved[0]?.startsWith('khet.svg blob:http')");
        browser.click("[data-action=png]");
        browser.until("saved[1]?.startsWith('khet.png data:image/png;base64,')");
        browser.click("[data-action=play-hotseat]");
        browser.wait_for(".game-page [data-field=own]");
        assert_eq!(browser.text("document.querySelector('[data-field=own]').value"), text);
        browser.click("[data-action=begin]");
        browser.until("document.querySelector('.game-page').dataset.state === 'playing'");
        let saved = browser.text("localStorage.getItem('khet.game.table')");
        assert!(saved.contains(&text), "{saved}");
        browser.reload();
        browser.until("document.querySelector('.game-page')?.dataset.state === 'playing'");
    });
}

/// A name for a setup that would run a script if it were inserted as HTML.
const HOSTILE_NAME: &str = "<img src=x onerror=document.title=1>";
/// A description that would run a script if it were inserted as HTML.
const HOSTILE_DESCRIPTION: &str = "</p><script>document.title=2</script> & \"quotes\"";

#[test]
#[ignore = "needs the built app and a browser"]
fn a_setup_is_published_liked_reported_and_deleted_and_its_name_is_escaped() {
    let server = AppServer::start();
    let text_of = |browser: &Browser, selector: &str| {
        browser.wait_for(selector);
        browser.text(&format!("document.querySelector({}).textContent", json!(selector)))
    };
    let id = in_browser(Device::DESKTOP, |anna| {
        let editor = server.at(&format!("/en/editor?position={}", CUSTOM_SETUP.replace(' ', "_")));
        // Publishing needs an account; the setup is kept during the sign-up.
        anna.open(&editor);
        anna.click("[data-action=publish]");
        anna.wait_for("dialog[open] [data-action=sign-up]");
        sign_up(anna, &server, "Anna");
        anna.open(&server.at("/en/editor"));
        until_position_is(anna, CUSTOM_SETUP);
        anna.click("[data-action=publish]");
        anna.click("[data-form=publish] [data-field=name]");
        anna.write(HOSTILE_NAME);
        anna.click("[data-form=publish] [data-field=words]");
        anna.write(HOSTILE_DESCRIPTION);
        anna.click("[data-form=publish] [data-action=confirm]");
        assert_eq!(text_of(anna, ".setup-page h1"), HOSTILE_NAME);
        assert_eq!(text_of(anna, ".setup-page .setup-description"), HOSTILE_DESCRIPTION);
        anna.click("[data-action=like]");
        anna.until("document.querySelector('[data-action=like]').ariaPressed === 'true'");
        anna.wait_for("[data-action=delete]");
        anna.text("document.querySelector('.setup-page').dataset.setup")
    });
    in_browser(Device::PHONE, |bella| {
        sign_up(bella, &server, "Bella");
        server.add_moderator("Bella");
        bella.open(&server.at("/en/setups"));
        let card = format!(".setup-card[data-setup='{id}']");
        assert_eq!(text_of(bella, &format!("{card} h3")), HOSTILE_NAME);
        assert_eq!(text_of(bella, &format!("{card} .setup-description")), HOSTILE_DESCRIPTION);
        assert_eq!(text_of(bella, &format!("{card} .setup-author .face-name")), "Anna");
        assert_eq!(bella.value("document.querySelectorAll('main img, main script').length"), 0);
        bella.open(&server.at(&format!("/en/setup/{id}")));
        bella.click("[data-action=report]");
        bella.click("[data-form=report] [data-field=reason]");
        bella.write("<b>rude</b>");
        bella.click("[data-form=report] [data-action=confirm]");
        bella.until("!document.querySelector('dialog[open]')");
        bella.open(&server.at("/en/setups"));
        let reported = format!(".reported[data-setup='{id}']");
        // Waits for the cards above it, so that the button does not move.
        bella.wait_for(&card);
        let reasons = text_of(bella, &format!("{reported} ul"));
        assert!(reasons.contains("<b>rude</b>"), "{reasons}");
        bella.click(&format!("{reported} [data-action=delete]"));
        bella.until("!document.querySelector('.reported')");
        // The decision can be undone, and is made again.
        bella.click(".decisions summary");
        bella.click(".decisions [data-action=undo]");
        bella.click(&format!("{reported} [data-action=delete]"));
        bella.until("!document.querySelector('.reported')");
        bella.reload();
        bella.until("document.querySelector('[data-status]')?.textContent.length > 12");
        assert_eq!(text_of(bella, "[data-status]"), word("en", "setups_none"));
    });
}

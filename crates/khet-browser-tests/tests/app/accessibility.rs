//! The accessibility audit of axe-core, on every page and in its dialogs, in both themes.

use std::{env, fs};

use khet_browser_tests::{
    Browser, ColorScheme, Device, GameScreen, InputMethod, Key, in_browser, moves_of,
};
use serde_json::{Value, json};

use crate::SERVER;

/// The environment variable with the path of `axe.min.js`, which `cargo xtask test` fetches by npm.
const AXE_VARIABLE: &str = "KHET_AXE";

/// The words that name pages in addresses; a test of the app checks that it has the same ones.
const ADDRESSES: &str = include_str!("../../../khet-web/addresses.txt");

/// Returns the paths to audit, after the language: at least one of every page that needs no data.
fn audited_paths() -> Vec<String> {
    let mut paths = vec![String::new()];
    for line in ADDRESSES.lines().filter(|line| !line.starts_with('#')) {
        match line.split_once(' ').expect("a kind and a word") {
            ("plain", "editor") => paths.extend([
                "/editor?position=K9/10/10/10/10/10/10/5K4_s".to_owned(),
                "/editor?position=dynasty".to_owned(),
            ]),
            ("plain", "course") => {
                paths.extend(["/course".to_owned(), "/course?step=own-beam".to_owned()]);
            }
            ("plain", word) => paths.push(format!("/{word}")),
            ("subject", "setup") => paths.push("/setup/osiris".to_owned()),
            ("subject", "puzzles") => {
                let subjects = ["daily", "training", "storm", "streak", "dashboard"];
                paths.extend(subjects.map(|subject| format!("/puzzles/{subject}")));
            }
            // These show data that people have created before, which this server lacks.
            ("subject", "challenge" | "game" | "person") => {}
            _ => panic!("{line}: a new page must be audited here, with an example of its subject"),
        }
    }
    paths
}

#[test]
fn every_page_without_a_subject_is_audited() {
    let paths = audited_paths();
    for line in ADDRESSES.lines() {
        if let Some(word) = line.strip_prefix("plain ") {
            let audited =
                paths.iter().any(|path| path.split('?').next() == Some(&format!("/{word}")));
            assert!(audited, "{word} is not audited: {paths:?}");
        }
    }
}

/// Runs the audit, and returns the serious and critical violations.
fn audit(browser: &Browser, axe: &str) -> Vec<String> {
    browser.script(axe, json!([]));
    let result = browser.async_script(
        "const done = arguments[0];
         axe.run(document, { resultTypes: ['violations'] })
           .then((found) => done(found.violations), (error) => done(String(error)));",
        json!([]),
    );
    let Value::Array(violations) = result else { panic!("the audit failed: {result}") };
    let serious = |rule: &&Value| matches!(rule["impact"].as_str(), Some("serious" | "critical"));
    let messages = violations.iter().filter(serious).map(|rule| {
        let nodes = rule["nodes"].as_array().into_iter().flatten().take(3);
        let elements: Vec<String> =
            nodes.map(|node| format!("{} {}", node["target"], node["failureSummary"])).collect();
        format!("{}: {}: {}", rule["id"], rule["help"], elements.join("; "))
    });
    messages.collect()
}

#[test]
#[ignore = "needs the built app, a browser and axe-core"]
fn no_page_has_serious_accessibility_violations() {
    let axe = env::var(AXE_VARIABLE).ok().and_then(|path| fs::read_to_string(path).ok());
    let axe = axe.unwrap_or_else(|| {
        panic!(
            "{AXE_VARIABLE} must name axe.min.js; `cargo xtask test` fetches it, for which it needs npm"
        )
    });
    in_browser(Device::DESKTOP, |browser| {
        browser.open(&SERVER.at("/en/computer"));
        browser.wait_for("main h1");
        browser.value("document.querySelector('main').append(document.createElement('img'))");
        assert_eq!(audit(browser, &axe).len(), 1, "the audit finds a picture without a text");
    });
    let mut violations = Vec::new();
    for device in [Device::DESKTOP, Device::PHONE] {
        // Without motion, so that colours are not measured during a transition.
        in_browser(Device { less_motion: true, ..device }, |browser| {
            let mut check = |view: &str| {
                for theme in ColorScheme::ALL {
                    browser.show_as(theme, true);
                    browser.until(&format!(
                        "document.documentElement.dataset.theme === '{}'",
                        theme.word()
                    ));
                    let (width, theme) = (device.size.0, theme.word());
                    let messages = audit(browser, &axe);
                    println!("{width} {theme} {view}: {} serious violations", messages.len());
                    violations.extend(
                        messages
                            .into_iter()
                            .map(|message| format!("{width} {theme} {view}: {message}")),
                    );
                }
            };
            browser.open(&SERVER.at("/en"));
            browser.wait_for("main h1");
            // Navigates within the app, because a response 404 of the server would be an error in
            // the console.
            browser.value(
                "(history.pushState(null, '', '/en/nowhere'),
                  dispatchEvent(new PopStateEvent('popstate')))",
            );
            browser.until("!document.querySelector('main .board')");
            check("/en/nowhere");
            for page in audited_paths() {
                browser.open(&SERVER.at(&format!("/en{page}")));
                browser.wait_for("main h1");
                check(&format!("/en{page}"));
            }
            browser.open(&SERVER.at("/en/editor?position=4k5/10/10/10/10/10/10/5K4_s"));
            browser.click(".editor [data-square=f1]");
            browser.wait_for(".editor[data-selection=board]");
            check("a piece picked in the editor");
            browser.click("[data-action=publish]");
            browser.wait_for("dialog[open] [data-action=sign-up]");
            check("publishing");
            browser.press(&[Key::Escape]);
            browser.open(&SERVER.at("/en/table"));
            browser.wait_for("main h1");
            browser.click(".header .icon-button");
            browser.wait_for("dialog[open]");
            check("settings");
            browser.press(&[Key::Escape]);
            browser.until("!document.querySelector('dialog[open]')");
            browser.click("[data-action=begin]");
            let page = GameScreen::hotseat(browser);
            page.play(moves_of("h2g2")[0], InputMethod::Mouse);
            browser.click(".game-page .board [data-square=h5]");
            browser.wait_for(".handle");
            check("a game with a piece in the hand");
            browser.press(&[Key::Escape]);
            for dialog in ["more", "draw", "resign"] {
                browser.click(&format!("[data-action={dialog}]"));
                browser.wait_for("dialog[open]");
                check(dialog);
                if dialog != "resign" {
                    browser.press(&[Key::Escape]);
                    browser.until("!document.querySelector('dialog[open]')");
                }
            }
            browser.click("dialog[open] [data-action=confirm]");
            browser.wait_for(".result[data-result]");
            check("the end of a game");
            browser.open(&SERVER.at("/en/tower-table"));
            browser.wait_for("main h1");
            browser.click("[data-action=begin]");
            browser.wait_for(".game-page .board.tower .upper-cells");
            check("a game with a tower");
            browser.click(".game-page .board [data-square=E4]");
            browser.wait_for(".handle");
            check("the tower in the hand");
        });
    }
    assert_eq!(violations, Vec::<String>::new());
}

//! The accessibility audit of axe-core, on every page and in what opens over it, by day and by night.

use std::{env, fs};

use khet_browser_tests::{
    Browser, ColorScheme, Device, GameScreen, InputMethod, Key, in_browser, moves_of,
};
use serde_json::{Value, json};

use crate::SERVER;

/// The variable that tells where axe-core is; `cargo xtask test` fetches it with npm.
const VARIABLE: &str = "KHET_AXE";

/// What an audit finds that keeps somebody out.
fn audit(browser: &Browser, axe: &str) -> Vec<String> {
    browser.script(axe, json!([]));
    let result = browser.async_script(
        "const done = arguments[0];
         axe.run(document, { resultTypes: ['violations'] })
           .then((found) => done(found.violations), (error) => done(String(error)));",
        json!([]),
    );
    let Value::Array(found) = result else { panic!("the audit failed: {result}") };
    let bad = |rule: &&Value| matches!(rule["impact"].as_str(), Some("serious" | "critical"));
    let found = found.iter().filter(bad).map(|rule| {
        let nodes = rule["nodes"].as_array().into_iter().flatten().take(3);
        let places: Vec<String> =
            nodes.map(|node| format!("{} {}", node["target"], node["failureSummary"])).collect();
        format!("{}: {}: {}", rule["id"], rule["help"], places.join("; "))
    });
    found.collect()
}

#[test]
#[ignore = "needs the built app, a browser and axe-core"]
fn no_page_keeps_anybody_out() {
    let axe = env::var(VARIABLE).ok().and_then(|path| fs::read_to_string(path).ok());
    let axe = axe.unwrap_or_else(|| {
        panic!(
            "{VARIABLE} must name axe.min.js; `cargo xtask test` fetches it, for which it needs npm"
        )
    });
    in_browser(Device::DESKTOP, |browser| {
        browser.open(&SERVER.at("/en/computer"));
        browser.wait_for("main h1");
        browser.value("document.querySelector('main').append(document.createElement('img'))");
        assert_eq!(audit(browser, &axe).len(), 1, "it sees a picture without a text");
    });
    let mut found = Vec::new();
    for look in [Device::DESKTOP, Device::PHONE] {
        // Still pictures: colours are not measured in the middle of a change.
        in_browser(Device { less_motion: true, ..look }, |browser| {
            let mut check = |what: &str| {
                for theme in ColorScheme::ALL {
                    browser.show_as(theme, true);
                    browser.until(&format!(
                        "document.documentElement.dataset.theme === '{}'",
                        theme.word()
                    ));
                    let (width, theme) = (look.size.0, theme.word());
                    let bad = audit(browser, &axe);
                    println!("{width} {theme} {what}: {} serious findings", bad.len());
                    found.extend(
                        bad.into_iter().map(|bad| format!("{width} {theme} {what}: {bad}")),
                    );
                }
            };
            browser.open(&SERVER.at("/en"));
            browser.wait_for("main h1");
            // Within the app: loaded from the server, it would be an error in the console, as it
            // should.
            browser.value(
                "(history.pushState(null, '', '/en/nowhere'),
                  dispatchEvent(new PopStateEvent('popstate')))",
            );
            browser.until("!document.querySelector('main .board')");
            check("/en/nowhere");
            for page in [
                "",
                "/rules",
                "/friend",
                "/lobby",
                "/watch",
                "/games",
                "/leaders",
                "/account",
                "/editor?position=K9/10/10/10/10/10/10/5K4_s",
                "/editor?position=dynasty",
                "/setups",
                "/setup/osiris",
                "/analysis",
                "/computer",
                "/table",
            ] {
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
            let room = GameScreen::hotseat(browser);
            room.play(moves_of("h2g2")[0], InputMethod::Mouse);
            browser.click(".game-page .board [data-square=h5]");
            browser.wait_for(".handle");
            check("a game with a piece in the hand");
            browser.press(&[Key::Escape]);
            for sheet in ["more", "draw", "resign"] {
                browser.click(&format!("[data-action={sheet}]"));
                browser.wait_for("dialog[open]");
                check(sheet);
                if sheet != "resign" {
                    browser.press(&[Key::Escape]);
                    browser.until("!document.querySelector('dialog[open]')");
                }
            }
            browser.click("dialog[open] [data-action=confirm]");
            browser.wait_for(".result");
            check("the end of a game");
        });
    }
    assert_eq!(found, Vec::<String>::new());
}

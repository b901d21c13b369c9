//! The pages of the learn program: rules, strategy guide, and the pages about the app.

use khet_browser_tests::{Device, in_browser, languages, word};

use crate::SERVER;

#[test]
#[ignore = "needs the built app and a browser"]
fn rules_begin_with_the_pieces_and_follow_the_reader() {
    in_browser(Device::PHONE, |browser| {
        browser.open(&SERVER.at("/en/rules"));
        browser.wait_for(".learn .board");
        assert_eq!(browser.value("document.querySelectorAll('.gallery li svg').length"), 10);
        // The names of the pieces stand above the first lesson.
        browser.until(
            "document.querySelector('.gallery').getBoundingClientRect().bottom <
             document.querySelector('.lesson').getBoundingClientRect().top",
        );
        browser.value("document.getElementById('djed').scrollIntoView()");
        let title = word("en", "learn_djed");
        browser
            .until(&format!("document.querySelector('.learn-progress').textContent === '{title}'"));
        // The line stays in view.
        browser.until(
            "Math.abs(document.querySelector('.learn-progress').getBoundingClientRect().top) < 1",
        );
        browser.until("document.querySelector('.learn-contents [aria-current]').hash === '#djed'");
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn link_to_a_folded_lesson_opens_it() {
    in_browser(Device::DESKTOP, |browser| {
        browser.open(&SERVER.at("/en/rules#eye"));
        browser.wait_for("#eye .board");
        assert_eq!(browser.value("document.querySelector('#expansions > details').open"), true);
        assert_eq!(browser.value("document.querySelector('#khet2 > details').open"), false);
        assert_eq!(browser.value("document.querySelectorAll('#khet2 .board').length"), 0);
        browser.value("document.querySelector('.learn-contents [href=\"#anubis\"]').click()");
        browser.wait_for("#anubis .board");
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn lesson_of_the_strategy_guide_is_played() {
    in_browser(Device { less_motion: true, ..Device::DESKTOP }, |browser| {
        browser.open(&SERVER.at("/en/strategy#swap-two"));
        browser.wait_for("#swap-two .board [data-square=e6]");
        browser.click("#swap-two [data-square=e6]");
        browser.click("#swap-two [data-square=e7]");
        browser.until("document.querySelector('#swap-two .lesson-result').textContent !== ''");
        assert_eq!(browser.value("document.querySelectorAll('.lesson').length"), 16);
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn lesson_of_the_tower_shows_its_solution() {
    in_browser(Device { less_motion: true, ..Device::DESKTOP }, |browser| {
        browser.open(&SERVER.at("/en/rules#upper-level"));
        browser.wait_for("#upper-level .board");
        assert_eq!(browser.value("document.querySelector('#kadesh > details').open"), true);
        let result = "document.querySelector('#upper-level .lesson-result').textContent";
        assert_eq!(browser.text(result).trim(), "");
        browser.click("#upper-level .lesson-actions button");
        browser.until(&format!("{result}.trim() !== ''"));
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn only_the_learn_program_loads_the_texts_of_lessons() {
    in_browser(Device::DESKTOP, |browser| {
        let loaded = "performance.getEntriesByType('resource').map((file) => file.name)
            .filter((name) => name.includes('/words-learn-en')).length";
        // The service worker would fetch all files for offline use.
        browser.open(&SERVER.at("/en"));
        browser.wait_for("main h1");
        assert_eq!(browser.value(loaded), 0);
        browser.open(&SERVER.at("/en/faq"));
        browser.wait_for("main h1");
        browser.until(&format!("{loaded} <= 1"));
        assert_eq!(
            browser.text("document.querySelector('h1').textContent"),
            word("en", "faq_title")
        );
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn no_page_of_the_learn_program_overflows() {
    let mut wide = Vec::new();
    for width in [320, 390, 768, 1280] {
        in_browser(Device { size: (width, 800), ..Device::PHONE }, |browser| {
            for language in languages() {
                for page in [
                    "course",
                    "course?step=unstack",
                    "rules",
                    "strategy",
                    "about",
                    "privacy",
                    "faq",
                    "notation",
                ] {
                    let path = format!("/{language}/{page}");
                    browser.open(&SERVER.at(&path));
                    browser.wait_for("main h1");
                    browser.value(
                        "document.querySelectorAll('details').forEach((d) => d.open = true)",
                    );
                    let over = "document.documentElement.scrollWidth > innerWidth";
                    if browser.value(over) == true {
                        wide.push(format!("{path} at {width}"));
                    }
                }
            }
        });
    }
    assert!(wide.is_empty(), "{wide:?}");
}

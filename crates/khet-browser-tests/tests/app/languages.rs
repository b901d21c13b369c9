//! The pages in every language.

use std::collections::HashSet;

use khet_browser_tests::{Browser, Device, in_browser, languages, word};

use crate::SERVER;

/// A JavaScript expression for all texts of the page, with labels and placeholders.
const PAGE_TEXTS: &str = "(() => {
    const texts = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode())
      if (!walker.currentNode.parentNode.closest('noscript')) texts.add(walker.currentNode.data.trim());
    for (const name of ['aria-label', 'aria-description', 'placeholder', 'title', 'label'])
      for (const element of document.querySelectorAll(`[${name}]`)) texts.add(element.getAttribute(name));
    return [...texts].filter((text) => text);
})()";

/// Returns all texts of the page.
fn page_texts(browser: &Browser) -> HashSet<String> {
    let texts = browser.value(PAGE_TEXTS);
    let texts = texts.as_array().into_iter().flatten();
    texts.filter_map(|text| text.as_str().map(str::to_string)).collect()
}

/// Returns whether a text is a sentence, which must be translated. Names may be the same in all
/// languages.
fn is_sentence(text: &str) -> bool {
    let words = text
        .split_whitespace()
        .filter(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 2);
    words.count() >= 3
}

/// Returns whether a text looks like a key of the language files or has an unfilled placeholder.
fn is_unfilled(text: &str) -> bool {
    let is_key = |word: &str| {
        word.contains('_')
            && word.chars().all(|c| c == '_' || c.is_ascii_lowercase() || c.is_ascii_digit())
    };
    text.contains(['{', '}']) || text.split_whitespace().any(is_key)
}

#[test]
#[ignore = "needs the built app and a browser"]
fn pages_are_translated_into_every_language() {
    in_browser(Device::DESKTOP, |browser| {
        let pages = [
            "",
            "/computer",
            "/table",
            "/course",
            "/course?step=only-move",
            "/rules",
            "/strategy",
            "/about",
            "/privacy",
            "/faq",
            "/notation",
            "/puzzles",
        ];
        let mut english: Vec<HashSet<String>> = Vec::new();
        for language in languages() {
            let word = |key| word(language, key);
            let titles = [
                format!("{} · {}", word("app_name"), word("shell_subtitle")),
                format!("{} · {}", word("shell_computer"), word("app_name")),
                format!("{} · {}", word("shell_hotseat"), word("app_name")),
                format!("{} · {}", word("shell_course"), word("app_name")),
                format!("{} · {}", word("shell_course"), word("app_name")),
                format!("{} · {}", word("shell_rules"), word("app_name")),
                format!("{} · {}", word("shell_strategy"), word("app_name")),
                format!("{} · {}", word("shell_about"), word("app_name")),
                format!("{} · {}", word("shell_privacy"), word("app_name")),
                format!("{} · {}", word("shell_faq"), word("app_name")),
                format!("{} · {}", word("shell_notation"), word("app_name")),
                format!("{} · {}", word("shell_puzzles"), word("app_name")),
            ];
            for (index, (page, title)) in pages.into_iter().zip(titles).enumerate() {
                browser.open(&SERVER.at(&format!("/{language}{page}")));
                browser.wait_for("main h1");
                assert_eq!(browser.text("document.title"), title);
                assert_eq!(browser.text("document.documentElement.lang"), language);
                let texts = page_texts(browser);
                let unfilled: Vec<_> = texts.iter().filter(|text| is_unfilled(text)).collect();
                assert_eq!(unfilled, Vec::<&String>::new(), "/{language}{page}");
                if language == "en" {
                    english.push(texts);
                    continue;
                }
                let same = texts.intersection(&english[index]).filter(|text| is_sentence(text));
                assert_eq!(
                    same.collect::<Vec<_>>(),
                    Vec::<&String>::new(),
                    "/{language}{page} is English"
                );
            }
        }
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn the_browsers_language_is_used_until_another_is_chosen() {
    in_browser(Device { language: "cs", ..Device::DESKTOP }, |browser| {
        browser.open(&SERVER.at("/"));
        browser.until("location.pathname === '/cs'");
        assert_eq!(browser.text("document.documentElement.lang"), "cs");
        browser.wait_for(".language select");
        browser.value(
            "(() => {
                const select = document.querySelector('.language select');
                select.value = 'nl';
                select.dispatchEvent(new Event('change', { bubbles: true }));
            })()",
        );
        browser.until("location.pathname === '/nl' && document.documentElement.lang === 'nl'");
        browser.open(&SERVER.at("/"));
        browser.until("location.pathname === '/nl'");
        browser.open(&SERVER.at("/fr/rules"));
        browser.until("document.documentElement.lang === 'fr'");
    });
}

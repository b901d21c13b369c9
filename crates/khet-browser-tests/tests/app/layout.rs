//! Every page fits phones, tablets and desktops in every language.

use khet_browser_tests::{Browser, Device, in_browser, languages};
use serde_json::{Value, json};

use crate::SERVER;

/// The words that name pages in addresses.
const ADDRESSES: &str = include_str!("../../../khet-web/addresses.txt");

/// Sizes of windows: two phones, a tablet, a desktop.
const SIZES: [(u32, u32); 4] = [(320, 568), (390, 844), (768, 1024), (1280, 800)];

/// A JavaScript expression for the faults of the page: a page wider than the window; entries of
/// header and navigation that are cut off or overlap; on phones, entries too small for a thumb.
const FAULTS: &str = "(() => {
    const faults = [];
    const excess = document.documentElement.scrollWidth - innerWidth;
    if (excess > 0) faults.push(`the page is ${excess} px too wide`);
    const entries = [...document.querySelectorAll('.header :is(a, button, .language), .footer :is(a, button)')]
      .filter((entry) => !entry.closest('.menu') && entry.getClientRects().length > 0);
    const nameOf = (entry) => entry.textContent.trim() || entry.className;
    const boxes = entries.map((entry) => entry.getBoundingClientRect());
    entries.forEach((entry, index) => {
      const { left, right, top, bottom, width, height } = boxes[index];
      const name = nameOf(entry);
      if (left < -0.5 || right > innerWidth + 0.5) faults.push(`${name} is outside the window`);
      // The icon of the language hides the name in the list below it.
      if (entry.matches('a, button') && entry.scrollWidth > entry.clientWidth + 1) faults.push(`${name} is cut off`);
      if (innerWidth < 760 && (width < 43.5 && !entry.closest('.footer') || height < 43.5))
        faults.push(`${name} has ${Math.round(width)} x ${Math.round(height)} px`);
      const overlaps = (other) =>
        left < other.right - 0.5 && other.left < right - 0.5 && top < other.bottom - 0.5 && other.top < bottom - 0.5;
      boxes.slice(index + 1).forEach((other, later) => {
        // The bar at the bottom lies over the page.
        const otherEntry = entries[index + 1 + later];
        const inBar = (one) => !!one.closest('.site-nav');
        if (inBar(entry) === inBar(otherEntry) && overlaps(other)) faults.push(`${name} overlaps ${nameOf(otherEntry)}`);
      });
    });
    const marked = document.querySelectorAll('.header [aria-current]').length;
    if (marked === 0 && !document.querySelector('.footer [aria-current]')) faults.push('no place is marked');
    return faults;
})()";

/// Returns the paths of all pages without a subject, after the language.
fn paths() -> impl Iterator<Item = String> {
    let words = ADDRESSES.lines().filter_map(|line| line.strip_prefix("plain "));
    [String::new()].into_iter().chain(words.map(|word| format!("/{word}")))
}

/// Resizes the window.
fn resize(browser: &Browser, (width, height): (u32, u32)) {
    // Not as a phone, whose browser would widen the window to fit a page that is too wide.
    let metrics =
        json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
    browser.chromium("Emulation.setDeviceMetricsOverride", metrics);
}

/// Chooses a language as people do, which is faster than loading the page again.
fn choose_language(browser: &Browser, language: &str) {
    browser.script(
        "const select = document.querySelector('.language select');
         select.value = arguments[0];
         select.dispatchEvent(new Event('change', { bubbles: true }));",
        json!([language]),
    );
    browser.until(&format!(
        "document.documentElement.lang === '{language}' && location.pathname.startsWith('/{language}')
         && document.querySelector('main h1')"
    ));
}

#[test]
#[ignore = "needs the built app and a browser"]
fn every_page_fits_every_window_in_every_language() {
    let mut faults = Vec::new();
    in_browser(Device { less_motion: true, ..Device::DESKTOP }, |browser| {
        for path in paths() {
            browser.open(&SERVER.at(&format!("/en{path}")));
            browser.wait_for("main h1");
            for language in languages() {
                choose_language(browser, language);
                for size in SIZES {
                    resize(browser, size);
                    let Value::Array(found) = browser.value(FAULTS) else { panic!("no list") };
                    let width = size.0;
                    faults.extend(
                        found.iter().map(|fault| format!("/{language}{path} at {width}: {fault}")),
                    );
                }
            }
        }
    });
    assert_eq!(faults, Vec::<String>::new());
}

//! The analysis page with a game.

use khet::Record;
use serde_json::json;

use crate::{AppServer, Browser};

/// Opens the analysis page with a stored game, as after "Analyse" on a game's page. `query` follows
/// the path.
pub fn open_analysis(browser: &Browser, server: &AppServer, record: &Record, query: &str) {
    browser.open(&server.at("/en/rules"));
    browser.wait_for(".learn");
    let stored = format!("\n0\n{record}");
    browser.script("localStorage.setItem('khet.analysis', arguments[0])", json!([stored]));
    browser.script("localStorage.setItem('khet.analysis.handed-over', 'yes')", json!([]));
    browser.open(&server.at(&format!("/en/analysis{query}")));
    browser.wait_for(".analysis .board");
}

//! The engine in the browser searches exactly like the native one.

use khet_browser_tests::{Device, in_browser};
use khet_engine::{Engine, Options, bench};
use serde_json::json;

use crate::SERVER;

/// The depth of the signature test in khet-engine.
const BENCH_DEPTH: u32 = 5;

#[test]
#[ignore = "needs the built app and a browser"]
fn the_engine_in_the_browser_has_the_signature_of_the_native_one() {
    let mut engine = Engine::new(Options::default());
    let signature: u64 = bench::positions()
        .into_iter()
        .map(|position| {
            engine.clear();
            bench::search(&mut engine, position, BENCH_DEPTH)
        })
        .sum();
    let line = in_browser(Device::DESKTOP, |browser| {
        browser.open(&SERVER.at("/en"));
        browser.wait_for("meta[name=engine-worker]");
        let line = browser.async_script(
            "const [depth, done] = arguments;
             const script = document.querySelector('meta[name=engine-worker]').content;
             const worker = new Worker(script, { type: 'module' });
             worker.onerror = () => done('the worker failed');
             worker.onmessage = ({ data }) => {
               if (data === 'info string ready') worker.postMessage('bench ' + depth);
               else if (data.startsWith('bench')) done(data);
             };",
            json!([BENCH_DEPTH]),
        );
        line.as_str().unwrap_or_default().to_string()
    });
    println!("{line}");
    assert!(line.starts_with(&format!("bench signature {signature} ")), "{line}: not {signature}");
}

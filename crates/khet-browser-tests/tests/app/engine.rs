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
    check_signature(Device::DESKTOP, "engine-simd-");
}

// SIMD can be taken away from the browser on x86 processors only.
#[cfg(target_arch = "x86_64")]
#[test]
#[ignore = "needs the built app and a browser"]
fn the_build_for_browsers_without_simd_has_the_same_signature() {
    check_signature(Device { simd: false, ..Device::DESKTOP }, "engine-plain-");
}

/// Checks the signature of the engine in the browser, and that of its builds only the one that the
/// browser runs is cached for offline use.
fn check_signature(device: Device, build: &str) {
    let mut engine = Engine::new(Options::default());
    let signature: u64 = bench::positions()
        .into_iter()
        .map(|position| {
            engine.clear();
            bench::search(&mut engine, position, BENCH_DEPTH)
        })
        .sum();
    let (line, cached) = in_browser(device, |browser| {
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
        // The service worker takes control when it has cached everything.
        browser.until("navigator.serviceWorker.controller");
        let cached = browser.async_script(
            "const [done] = arguments;
             const addresses = async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url);
             caches.keys().then((names) => Promise.all(names.map(addresses)))
               .then((lists) => done(lists.flat().filter((address) => address.includes('/engine-'))));",
            json!([]),
        );
        (line.as_str().unwrap_or_default().to_string(), cached)
    });
    println!("{line}");
    assert!(line.starts_with(&format!("bench signature {signature} ")), "{line}: not {signature}");
    let cached: Vec<&str> =
        cached.as_array().into_iter().flatten().filter_map(|v| v.as_str()).collect();
    assert_eq!(cached.len(), 2, "script and module: {cached:?}");
    assert!(cached.iter().all(|address| address.contains(build)), "{cached:?}");
}

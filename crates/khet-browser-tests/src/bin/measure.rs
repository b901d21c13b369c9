//! What `cargo xtask measure` prints: what the app weighs and how fast it is, in a real Chromium.

use std::time::{Duration, Instant};

use khet_browser_tests::{Browser, Hand, Look, Room, Server};
use khet_engine::{Engine, Options, bench};
use serde_json::{Value, json};

/// How much slower the processor is made where that is said: about a phone of some years ago.
const SLOWDOWN: u32 = 4;
/// How often what differs from time to time is measured; the middle counts, or the best.
const TIMES: usize = 5;
const BENCHES: usize = 3;

fn main() {
    let server = Server::start();
    let (first_load, engine) = weigh(&server);
    line("first load, compressed", first_load / 1000.0, "KB", "at most 300");
    line("engine, compressed", engine / 1000.0, "KB", "at most 400");

    println!("\nwith the processor slowed {SLOWDOWN} times:");
    line("first page interactive", loading(&server, "/en", "main a[href]"), "ms", "under 1000");
    line("board interactive", loading(&server, "/en/table", ".board .cell"), "ms", "under 1000");
    let (per_second, longest) = frames(&server);
    line("frames during a shot", per_second, "/s", "60");
    line("longest frame", longest, "ms", "");

    println!("\nthe engine with one thread:");
    let browser = (0..BENCHES).map(|_| bench_in_browser(&server)).max_by(by_speed);
    let native = (0..BENCHES).map(|_| bench_here()).max_by(by_speed);
    let (Some(browser), Some(native)) = (browser, native) else { return };
    line("nodes a second in the browser", browser.speed, "", "");
    line("nodes a second natively", native.speed, "", "");
    line("the browser's part of it", browser.speed / native.speed, "", "at least 0.35");
    println!("{:<32}{:>12}", "signature in the browser", browser.signature);
    println!("{:<32}{:>12}", "signature natively", native.signature);
}

fn line(name: &str, value: f64, unit: &str, wish: &str) {
    let places = if value < 10.0 { 2 } else { 0 };
    println!("{}", format!("{name:<32}{value:>12.places$} {unit:<4} {wish}").trim_end());
}

/// The bytes of the first load and of the engine, as they come over the network.
fn weigh(server: &Server) -> (f64, f64) {
    let browser = Browser::start(Look::DESK);
    browser.open(&server.at("/en/table"));
    browser.until_there(".board .cell");
    let weights = browser.script_that_calls_back(
        "const done = arguments[arguments.length - 1];
         const bytes = () => performance.getEntriesByType('resource')
           .concat(performance.getEntriesByType('navigation'))
           .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
         const load = async (address) => (await fetch(address)).text();
         (async () => {
           // What the browser loads beside the page is not among its resources.
           for (const { href } of document.querySelectorAll('link[rel=icon], link[rel=manifest]')) {
             await load(href);
           }
           const first = bytes();
           const worker = await load(document.querySelector('meta[name=engine-worker]').content);
           for (const [, address] of worker.matchAll(/\"(\\/engine[^\"]+)\"/g)) await load(address);
           done([first, bytes() - first]);
         })();",
        json!([]),
    );
    let weight = |index: usize| weights[index].as_f64().unwrap_or(f64::NAN);
    (weight(0), weight(1))
}

/// Milliseconds from the wish to see a page to the moment at which it answers: what is to be used is
/// there, has been painted, and nothing else keeps the page busy.
fn loading(server: &Server, path: &str, used: &str) -> f64 {
    let mut times: Vec<f64> = (0..TIMES)
        .map(|_| {
            // A fresh one has nothing in its memory.
            let browser = Browser::start(Look::PHONE);
            slow_down(&browser);
            let watch = format!(
                "const look = () => document.querySelector({used})
                   ? requestAnimationFrame(() => setTimeout(() => {{ window.answers = performance.now(); }}))
                   : requestAnimationFrame(look);
                 look();",
                used = json!(used),
            );
            browser.chromium("Page.addScriptToEvaluateOnNewDocument", json!({ "source": watch }));
            browser.open(&server.at(path));
            browser.until("window.answers");
            browser.value("window.answers").as_f64().unwrap_or(f64::NAN)
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[TIMES / 2]
}

/// Frames a second while a shot is shown, and the longest time between two of them.
fn frames(server: &Server) -> (f64, f64) {
    let browser = Browser::start(Look::PHONE);
    browser.open(&server.at("/en/table"));
    browser.until_there(".room");
    browser.click("[data-action=begin]");
    let room = Room::table(&browser);
    room.until_ready();
    slow_down(&browser);
    browser.script(
        "const times = [];
         const look = (time) => {
           if (document.querySelector('.board .shot')) times.push(time);
           else if (times.length > 0) return void (window.shotFrames = times);
           requestAnimationFrame(look);
         };
         requestAnimationFrame(look);",
        json!([]),
    );
    // The longest way of the beam that the first turn can bring.
    let turn = "h2+".parse().expect("a turn");
    room.begin(turn, Hand::Notation);
    browser.until("window.shotFrames");
    let frames = browser.value("window.shotFrames");
    let times: Vec<f64> =
        frames.as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    let gaps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let longest = gaps.iter().copied().fold(0.0, f64::max);
    (1000.0 * gaps.len() as f64 / gaps.iter().sum::<f64>(), longest)
}

fn slow_down(browser: &Browser) {
    browser.chromium("Emulation.setCPUThrottlingRate", json!({ "rate": SLOWDOWN }));
}

/// What a bench says.
struct Bench {
    signature: u64,
    /// Nodes a second.
    speed: f64,
}

fn by_speed(a: &Bench, b: &Bench) -> std::cmp::Ordering {
    a.speed.total_cmp(&b.speed)
}

fn bench_in_browser(server: &Server) -> Bench {
    let browser = Browser::start(Look::DESK);
    browser.open(&server.at("/en"));
    browser.until_there("meta[name=engine-worker]");
    let line = browser.script_that_calls_back(
        "const [done] = arguments;
         const worker = new Worker(document.querySelector('meta[name=engine-worker]').content, { type: 'module' });
         worker.onerror = () => done('');
         worker.onmessage = ({ data }) => {
           if (data === 'info string ready') worker.postMessage('bench');
           else if (data.startsWith('bench')) done(data);
         };",
        json!([]),
    );
    let words: Vec<&str> = line.as_str().unwrap_or_default().split(' ').collect();
    let after = |name: &str| {
        let place = words.iter().position(|word| *word == name)?;
        words.get(place + 1)?.parse::<u64>().ok()
    };
    Bench {
        signature: after("signature").unwrap_or_default(),
        speed: after("nps").unwrap_or_default() as f64,
    }
}

fn bench_here() -> Bench {
    let mut engine = Engine::new(Options::default());
    let (mut signature, mut time) = (0, Duration::ZERO);
    for position in bench::positions() {
        engine.clear();
        let started = Instant::now();
        signature += bench::search(&mut engine, position, bench::DEPTH);
        time += started.elapsed();
    }
    Bench { signature, speed: signature as f64 / time.as_secs_f64() }
}

//! What `cargo xtask measure` prints: what the app weighs and how fast it is, in a real Chromium.

use std::thread::sleep;
use std::time::{Duration, Instant};

use khet::{Game, Record, Setup};
use khet_browser_tests::{AppServer, Browser, Device, GameScreen, InputMethod, Key, moves_of};
use khet_engine::{Engine, Limits, Options, SearchRoot, bench};
use serde_json::{Value, json};

/// How much slower the processor is made where that is said: about a phone of some years ago.
const SLOWDOWN: u32 = 4;
/// How often what differs from time to time is measured; the middle counts, or the best.
const TIMES: usize = 5;
const BENCHES: usize = 3;
/// How long a person thinks about the first move, at least.
const LOOK: Duration = Duration::from_secs(2);

fn main() {
    let server = AppServer::start();
    let (first_load, engine) = weigh(&server);
    line("first load, compressed", first_load / 1000.0, "KB", "at most 300");
    line("engine, compressed", engine / 1000.0, "KB", "at most 400");

    println!("\nwith the processor slowed {SLOWDOWN} times:");
    for (name, path, used) in [
        ("first page interactive", "/en", "main a[href]"),
        ("new game interactive", "/en/table", "[data-action=begin]"),
    ] {
        let (time, work) = loading(&server, path, used);
        line(name, time, "ms", "under 1000");
        line(
            "  of it work of the page",
            work,
            "ms",
            "the rest is waiting, also for other programs",
        );
    }
    let shots = shots(&server);
    line("frames during the first shot", shots[0].per_second, "/s", "60");
    line("  its longest frame", shots[0].longest, "ms", "");
    line("  once its light shines", shots[0].light, "/s", "60");
    let mut later = shots[1..].to_vec();
    later.sort_by(|a, b| a.per_second.total_cmp(&b.per_second));
    let middle = later[later.len() / 2];
    line("frames during later shots", middle.per_second, "/s", "60");
    line("  the longest frame", middle.longest, "ms", "");

    println!("\na review in the browser:");
    let review = review(&server);
    line("moves of the game", review.moves as f64, "", "");
    line("until it is made", review.seconds, "s", "under 30");
    line("steps of progress that were shown", review.steps, "", "");
    line("the longest task of the page", review.longest, "ms", "at most 50");

    println!("\nthe engine with one thread:");
    let mut benches: Vec<(Bench, Bench)> =
        (0..BENCHES).map(|_| (bench_in_browser(&server), bench_here())).collect();
    // One after the other, so that both meet the same machine.
    benches.sort_by(|a, b| (a.0.speed / a.1.speed).total_cmp(&(b.0.speed / b.1.speed)));
    let (browser, native) = &benches[BENCHES / 2];
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
fn weigh(server: &AppServer) -> (f64, f64) {
    let browser = Browser::start(Device::DESKTOP);
    browser.open(&server.at("/en/table"));
    browser.wait_for("[data-action=begin]");
    let weights = browser.async_script(
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
/// there, has been painted, and nothing else keeps the page busy. And what of it the page's own thread has
/// worked, which is the same on a busy machine.
fn loading(server: &AppServer, path: &str, used: &str) -> (f64, f64) {
    let mut times: Vec<(f64, f64)> = (0..TIMES)
        .map(|_| {
            // A fresh one has nothing in its memory.
            let browser = Browser::start(Device::PHONE);
            slow_down(&browser);
            browser.chromium("Performance.enable", json!({ "timeDomain": "threadTicks" }));
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
            let metrics = browser.chromium("Performance.getMetrics", json!({}));
            let metrics = metrics["metrics"].as_array().into_iter().flatten();
            let work = metrics.filter(|metric| metric["name"] == "TaskDuration");
            let work = work.filter_map(|metric| metric["value"].as_f64()).sum::<f64>();
            let time = browser.value("window.answers").as_f64().unwrap_or(f64::NAN);
            (time, 1000.0 * work)
        })
        .collect();
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    times[TIMES / 2]
}

/// How long after the drop the laser begins to charge, in milliseconds: before that the move is carried out.
const CHARGES: f64 = 90.0;

/// How the shot of a move was shown.
#[derive(Clone, Copy)]
struct Seen {
    /// Frames a second, from the drop to the end of the light.
    per_second: f64,
    /// The longest time between two of them.
    longest: f64,
    /// Frames a second from the moment at which the laser begins to charge.
    light: f64,
}

/// The shots of a few moves, which all run far.
fn shots(server: &AppServer) -> Vec<Seen> {
    let browser = Browser::start(Device::DESKTOP);
    browser.open(&server.at("/en/table"));
    browser.click("[data-action=begin]");
    let room = GameScreen::hotseat(&browser);
    room.until_ready();
    browser.script(
        "window.shotFrames = [];
         const look = (time) => {
           if (document.querySelector('.board .shot')) window.shotFrames.push(time);
           requestAnimationFrame(look);
         };
         requestAnimationFrame(look);",
        json!([]),
    );
    slow_down(&browser);
    // A person takes a piece into the hand, and then has to think.
    browser.click(".board [data-square=h2]");
    sleep(LOOK);
    browser.press(&[Key::Escape]);
    moves_of("h2+ c7c6 h2- c6c7 h2+ c7c6")
        .into_iter()
        .map(|mv| {
            browser.script("window.shotFrames = [];", json!([]));
            room.play(mv, InputMethod::Notation);
            let frames = browser.value("window.shotFrames");
            let times: Vec<f64> =
                frames.as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
            let dark = times.iter().filter(|time| **time < times[0] + CHARGES).count();
            Seen {
                per_second: per_second(&times),
                longest: times.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max),
                light: per_second(&times[dark..]),
            }
        })
        .collect()
}

/// How many frames a second there were at these times.
fn per_second(times: &[f64]) -> f64 {
    match times {
        [first, .., last] => 1000.0 * (times.len() - 1) as f64 / (last - first),
        _ => f64::NAN,
    }
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

fn bench_in_browser(server: &AppServer) -> Bench {
    let browser = Browser::start(Device::DESKTOP);
    browser.open(&server.at("/en"));
    browser.wait_for("meta[name=engine-worker]");
    let line = browser.async_script(
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

/// How a review went.
struct Reviewed {
    moves: usize,
    seconds: f64,
    steps: f64,
    /// The longest time for which the page did nothing else, in milliseconds; 0 if no time was worth mentioning.
    longest: f64,
}

/// Reviews a long game on the page of analysis.
fn review(server: &AppServer) -> Reviewed {
    let game = long_game();
    let browser = Browser::start(Device::DESKTOP);
    browser.open(&server.at("/en/rules"));
    browser.wait_for(".learn");
    let kept = format!("\n0\n{}", Record::from_game(&game));
    browser.script("localStorage.setItem('khet.analysis', arguments[0])", json!([kept]));
    browser.open(&server.at("/en/analysis"));
    // The engine is loaded and the page at rest.
    browser.until("document.querySelector('.lines')?.dataset.depth >= 8");
    browser.click("#tab-review");
    browser.wait_for("[data-action=review]");
    // The first press on a page makes its sounds ready, which takes the browser a moment and belongs to no review.
    sleep(LOOK);
    browser.script(
        "window.tasks = [];
         new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
           .observe({ type: 'longtask' });
         window.steps = new Set();
         const look = () => {
           const progress = document.querySelector('.review progress');
           if (progress) steps.add(progress.value);
           if (document.querySelector('.review[data-state=made]')) window.made = performance.now();
           else requestAnimationFrame(look);
         };
         look();
         window.began = performance.now();
         document.querySelector('[data-action=review]').click();",
        json!([]),
    );
    browser.until("window.made");
    let number = |value: &str| browser.value(value).as_f64().unwrap_or(f64::NAN);
    Reviewed {
        moves: game.moves().len(),
        seconds: number("(made - began) / 1000"),
        steps: number("steps.size"),
        longest: number("Math.max(0, ...tasks)"),
    }
}

/// A game of sixty moves in which both play well enough to last.
fn long_game() -> Game {
    let mut engine = Engine::new(Options::default());
    for nodes in (500..).step_by(100) {
        let mut game = Game::new(Setup::Classic.position());
        while game.moves().len() < 60 && game.outcome().is_none() {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let Some(mv) = engine.search_to_limits(&SearchRoot::new(&game), limits).mv else {
                break;
            };
            if game.play(mv).is_err() {
                break;
            }
        }
        if game.moves().len() == 60 {
            return game;
        }
    }
    unreachable!("some game lasts")
}

//! Measures the size and the speed of the app in a real Chromium: `cargo xtask measure`.

use std::thread::sleep;
use std::time::{Duration, Instant};

use khet::{Game, Record, Setup};
use khet_browser_tests::{
    AppServer, Browser, Device, GameScreen, InputMethod, Key, moves_of, open_analysis,
};
use khet_engine::{Engine, Limits, Options, SearchRoot, bench};
use serde_json::{Value, json};

/// The factor by which the processor is throttled, which gives about the speed of an older phone.
const CPU_SLOWDOWN: u32 = 4;
/// The number of page loads that are measured; the median is reported.
const LOAD_RUNS: usize = 5;
/// The number of engine benches; the median is reported.
const BENCH_RUNS: usize = 3;
/// The time for which the page is left idle before a measurement.
const IDLE_TIME: Duration = Duration::from_secs(2);
/// The time between the drop of a piece and the charging of the laser, in milliseconds. Must match
/// `CHARGE_DELAY` in `board/shot_animation.rs` of the app.
const CHARGE_DELAY_MS: f64 = 90.0;

fn main() {
    let server = AppServer::start();
    let (first_load, engine) = transfer_sizes(&server);
    print_value("first load, compressed", first_load / 1000.0, "KB", "at most 300");
    print_value("engine and network, compressed", engine / 1000.0, "KB", "at most 400");

    println!("\nwith the processor throttled {CPU_SLOWDOWN} times:");
    for (name, path, selector) in [
        ("first page interactive", "/en", "main a[href]"),
        ("new game interactive", "/en/table", "[data-action=begin]"),
    ] {
        let (time, cpu_time) = load_times(&server, path, selector);
        print_value(name, time, "ms", "under 1000");
        print_value(
            "  CPU time of the main thread",
            cpu_time,
            "ms",
            "the rest is waiting, also for other programs",
        );
    }
    let shots = shot_frame_rates(&server);
    print_value("frames in the first shot", shots[0].whole, "/s", "60");
    print_value("  its longest frame", shots[0].longest_frame, "ms", "");
    print_value("  from the charging of the laser", shots[0].beam, "/s", "60");
    let mut later = shots[1..].to_vec();
    later.sort_by(|a, b| a.whole.total_cmp(&b.whole));
    let median = later[later.len() / 2];
    print_value("frames during later shots", median.whole, "/s", "60");
    print_value("  the longest frame", median.longest_frame, "ms", "");

    println!("\na review in the browser:");
    let review = measure_review(&server);
    print_value("moves of the game", review.moves as f64, "", "");
    print_value("time", review.seconds, "s", "under 30");
    print_value("steps of the progress bar", review.progress_steps, "", "");
    print_value("longest task of the page", review.longest_task, "ms", "at most 50");

    println!("\nthe engine with one thread:");
    let mut benches: Vec<(Bench, Bench)> =
        (0..BENCH_RUNS).map(|_| (bench_in_browser(&server), bench_natively())).collect();
    // Both engines run in turn, so that the load of the machine affects them alike.
    benches.sort_by(|a, b| (a.0.speed / a.1.speed).total_cmp(&(b.0.speed / b.1.speed)));
    let (browser, native) = &benches[BENCH_RUNS / 2];
    print_value("nodes per second in the browser", browser.speed, "", "");
    print_value("nodes per second natively", native.speed, "", "");
    print_value("ratio of browser to native", browser.speed / native.speed, "", "at least 0.5");
    println!("{:<32}{:>12}", "signature in the browser", browser.signature);
    println!("{:<32}{:>12}", "signature natively", native.signature);
}

/// Prints a measured value with its unit and target.
fn print_value(name: &str, value: f64, unit: &str, target: &str) {
    let decimals = if value < 10.0 { 2 } else { 0 };
    println!("{}", format!("{name:<32}{value:>12.decimals$} {unit:<4} {target}").trim_end());
}

/// Returns the bytes of the first load and of the engine, compressed as they are transferred.
fn transfer_sizes(server: &AppServer) -> (f64, f64) {
    let browser = Browser::start(Device::DESKTOP);
    browser.open(&server.at("/en/table"));
    browser.wait_for("[data-action=begin]");
    let sizes = browser.async_script(
        "const done = arguments[arguments.length - 1];
         const bytes = () => performance.getEntriesByType('resource')
           .concat(performance.getEntriesByType('navigation'))
           .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
         const load = async (address) => (await fetch(address)).text();
         (async () => {
           // The icons and the manifest are not among the resources of the page.
           for (const { href } of document.querySelectorAll('link[rel=icon], link[rel=manifest]')) {
             await load(href);
           }
           const first = bytes();
           const worker = await load(document.querySelector('meta[name=engine-worker]').content);
           // The browser loads the build with SIMD only.
           for (const [, address] of worker.matchAll(/\"(\\/engine-simd[^\"]+)\"/g)) await load(address);
           done([first, bytes() - first]);
         })();",
        json!([]),
    );
    let size = |index: usize| sizes[index].as_f64().unwrap_or(f64::NAN);
    (size(0), size(1))
}

/// Returns the time to interactive and the main thread's CPU time, in milliseconds (median). A page
/// is interactive when the element `selector` has been painted and the main thread is free. The CPU
/// time does not depend on the load of the machine.
fn load_times(server: &AppServer, path: &str, selector: &str) -> (f64, f64) {
    let mut times: Vec<(f64, f64)> = (0..LOAD_RUNS)
        .map(|_| {
            // A new browser has an empty cache.
            let browser = Browser::start(Device::PHONE);
            throttle_cpu(&browser);
            browser.chromium("Performance.enable", json!({ "timeDomain": "threadTicks" }));
            let watch = format!(
                "const check = () => document.querySelector({selector})
                   ? requestAnimationFrame(() => setTimeout(() => {{ window.interactiveAt = performance.now(); }}))
                   : requestAnimationFrame(check);
                 check();",
                selector = json!(selector),
            );
            browser.chromium("Page.addScriptToEvaluateOnNewDocument", json!({ "source": watch }));
            browser.open(&server.at(path));
            browser.until("window.interactiveAt");
            let metrics = browser.chromium("Performance.getMetrics", json!({}));
            let metrics = metrics["metrics"].as_array().into_iter().flatten();
            let cpu_times = metrics.filter(|metric| metric["name"] == "TaskDuration");
            let cpu_time = cpu_times.filter_map(|metric| metric["value"].as_f64()).sum::<f64>();
            let time = browser.value("window.interactiveAt").as_f64().unwrap_or(f64::NAN);
            (time, 1000.0 * cpu_time)
        })
        .collect();
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    times[LOAD_RUNS / 2]
}

/// The frame rates of a shot animation.
#[derive(Clone, Copy)]
struct ShotFrameRates {
    /// Frames per second, from the drop of the piece to the end of the shot.
    whole: f64,
    /// The longest time between two frames, in milliseconds.
    longest_frame: f64,
    /// Frames per second, from the charging of the laser to the end of the shot.
    beam: f64,
}

/// Measures the shots of a few moves, all with long beams.
fn shot_frame_rates(server: &AppServer) -> Vec<ShotFrameRates> {
    let browser = Browser::start(Device::DESKTOP);
    browser.open(&server.at("/en/table"));
    browser.click("[data-action=begin]");
    let page = GameScreen::hotseat(&browser);
    page.until_ready();
    browser.script(
        "window.shotFrames = [];
         const check = (time) => {
           if (document.querySelector('.board .shot')) window.shotFrames.push(time);
           requestAnimationFrame(check);
         };
         requestAnimationFrame(check);",
        json!([]),
    );
    throttle_cpu(&browser);
    // As in a real game, a piece is picked up and some time passes before the first move.
    browser.click(".board [data-square=h2]");
    sleep(IDLE_TIME);
    browser.press(&[Key::Escape]);
    moves_of("h2+ c7c6 h2- c6c7 h2+ c7c6")
        .into_iter()
        .map(|mv| {
            browser.script("window.shotFrames = [];", json!([]));
            page.play(mv, InputMethod::Notation);
            let frames = browser.value("window.shotFrames");
            let times: Vec<f64> =
                frames.as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
            let charge_start = times.first().map_or(0.0, |first| first + CHARGE_DELAY_MS);
            let before_charge = times.iter().filter(|time| **time < charge_start).count();
            ShotFrameRates {
                whole: frames_per_second(&times),
                longest_frame: times.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max),
                beam: frames_per_second(&times[before_charge..]),
            }
        })
        .collect()
}

/// Returns the frames per second, given the times of the frames in milliseconds.
fn frames_per_second(times: &[f64]) -> f64 {
    match times {
        [first, .., last] => 1000.0 * (times.len() - 1) as f64 / (last - first),
        _ => f64::NAN,
    }
}

/// Throttles the processor of the browser.
fn throttle_cpu(browser: &Browser) {
    browser.chromium("Emulation.setCPUThrottlingRate", json!({ "rate": CPU_SLOWDOWN }));
}

/// The result of an engine bench.
struct Bench {
    signature: u64,
    /// Nodes per second.
    speed: f64,
}

/// Runs the bench of the engine in the browser.
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
        let index = words.iter().position(|word| *word == name)?;
        words.get(index + 1)?.parse::<u64>().ok()
    };
    Bench {
        signature: after("signature").unwrap_or_default(),
        speed: after("nps").unwrap_or_default() as f64,
    }
}

/// Runs the bench of the engine in this process.
fn bench_natively() -> Bench {
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

/// The measurements of a review.
struct ReviewRun {
    moves: usize,
    seconds: f64,
    /// The number of different values that the progress bar showed.
    progress_steps: f64,
    /// The longest task of the main thread in milliseconds, or 0 if none took over 50 ms.
    longest_task: f64,
}

/// Measures the review of a long game on the analysis page.
fn measure_review(server: &AppServer) -> ReviewRun {
    let game = long_game();
    let browser = Browser::start(Device::DESKTOP);
    open_analysis(&browser, server, &Record::from_game(&game), "");
    // From this depth on, the engine is loaded and the page is idle.
    browser.until("document.querySelector('.lines')?.dataset.depth >= 8");
    browser.click("#tab-review");
    browser.wait_for("[data-action=review]");
    // The first click on a page prepares its sounds, which must not count as part of the review.
    sleep(IDLE_TIME);
    browser.script(
        "window.tasks = [];
         new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
           .observe({ type: 'longtask' });
         window.steps = new Set();
         const check = () => {
           const progress = document.querySelector('.review progress');
           if (progress) steps.add(progress.value);
           if (document.querySelector('.review[data-state=done]')) window.reviewEnd = performance.now();
           else requestAnimationFrame(check);
         };
         check();
         window.reviewStart = performance.now();
         document.querySelector('[data-action=review]').click();",
        json!([]),
    );
    browser.until("window.reviewEnd");
    let number = |value: &str| browser.value(value).as_f64().unwrap_or(f64::NAN);
    ReviewRun {
        moves: game.moves().len(),
        seconds: number("(reviewEnd - reviewStart) / 1000"),
        progress_steps: number("steps.size"),
        longest_task: number("Math.max(0, ...tasks)"),
    }
}

/// Generates a game of sixty plies: tries node limits until neither side wins earlier.
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
    unreachable!("some game has sixty plies")
}

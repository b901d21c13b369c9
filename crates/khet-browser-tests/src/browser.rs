//! A browser with one page: navigation, scripts, input, screenshots.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use base64::Engine as _;
use serde_json::{Value, json};

use crate::driver::WebDriver;

/// The interval at which conditions are polled.
const POLL_INTERVAL: Duration = Duration::from_millis(40);
/// The timeout of conditions; much longer than any of them takes.
const CONDITION_TIMEOUT: Duration = Duration::from_secs(90);

/// The theme that the system prefers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorScheme {
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl ColorScheme {
    /// Both themes.
    pub const ALL: [ColorScheme; 2] = [ColorScheme::Light, ColorScheme::Dark];

    /// Returns its name in CSS.
    pub fn word(self) -> &'static str {
        match self {
            ColorScheme::Light => "light",
            ColorScheme::Dark => "dark",
        }
    }
}

/// The emulated device and its user's preferences.
#[derive(Clone, Copy, Debug)]
pub struct Device {
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// True if it is a phone, with touch instead of a mouse.
    pub phone: bool,
    /// The preferred theme.
    pub theme: ColorScheme,
    /// True if the user prefers reduced motion.
    pub less_motion: bool,
    /// The browser's language.
    pub language: &'static str,
    /// True if the browser has WebAssembly SIMD. It can be taken away on x86 processors only.
    pub simd: bool,
}

impl Device {
    /// A desktop computer.
    pub const DESKTOP: Device = Device {
        size: (1280, 800),
        phone: false,
        theme: ColorScheme::Dark,
        less_motion: false,
        language: "en",
        simd: true,
    };
    /// A phone.
    pub const PHONE: Device = Device { size: (390, 844), phone: true, ..Device::DESKTOP };
}

/// A key of the keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// Tab.
    Tab,
    /// Enter.
    Enter,
    /// Escape.
    Escape,
    /// Home.
    Home,
    /// Left arrow.
    Left,
    /// Up arrow.
    Up,
    /// Right arrow.
    Right,
    /// Down arrow.
    Down,
    /// Delete.
    Delete,
    /// Control.
    Control,
    /// Shift.
    Shift,
    /// A character.
    Sign(char),
}

impl Key {
    /// Returns the key's code in WebDriver.
    fn code(self) -> char {
        match self {
            Key::Tab => '\u{e004}',
            Key::Enter => '\u{e007}',
            Key::Escape => '\u{e00c}',
            Key::Home => '\u{e011}',
            Key::Left => '\u{e012}',
            Key::Up => '\u{e013}',
            Key::Right => '\u{e014}',
            Key::Down => '\u{e015}',
            Key::Delete => '\u{e017}',
            Key::Control => '\u{e009}',
            Key::Shift => '\u{e008}',
            Key::Sign(sign) => sign,
        }
    }
}

/// A button of the mouse.
#[derive(Clone, Copy)]
enum MouseButton {
    Left,
    Right,
}

/// A real browser with an empty profile.
#[derive(Debug)]
pub struct Browser {
    driver: WebDriver,
}

/// Runs a test in a new browser, and checks afterwards that its console has no errors, such as
/// violations of the content security policy.
///
/// # Panics
///
/// If the test panics, after saving a screenshot in the target folder, or if there are errors.
pub fn in_browser<T>(device: Device, visit: impl FnOnce(&Browser) -> T) -> T {
    let browser = Browser::start(device);
    match catch_unwind(AssertUnwindSafe(|| visit(&browser))) {
        Ok(result) => {
            assert_eq!(browser.console_errors(), Vec::<String>::new(), "in the browser's console");
            result
        }
        Err(panic) => {
            browser.save_evidence();
            resume_unwind(panic)
        }
    }
}

impl Browser {
    /// Starts a browser.
    pub fn start(device: Device) -> Browser {
        let (width, height) = device.size;
        let mut arguments = vec![
            "--headless=new".to_string(),
            // Needed for root and in containers; acceptable because only our own pages are opened.
            "--no-sandbox".to_string(),
            "--disable-dev-shm-usage".to_string(),
            "--disable-gpu".to_string(),
            "--disable-background-networking".to_string(),
            "--disable-component-update".to_string(),
            "--disable-sync".to_string(),
            "--no-first-run".to_string(),
            "--hide-scrollbars".to_string(),
            "--mute-audio".to_string(),
            format!("--accept-lang={}", device.language),
            format!("--window-size={width},{height}"),
        ];
        if !device.simd {
            // V8 needs SSE 4.1 for it.
            arguments.push("--js-flags=--no-enable-sse4-1".to_string());
        }
        let browser = Browser { driver: WebDriver::start(&arguments) };
        let metrics = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": device.phone,
        });
        browser.driver.chromium("Emulation.setDeviceMetricsOverride", metrics);
        let touch = json!({ "enabled": device.phone, "maxTouchPoints": 5 });
        browser.driver.chromium("Emulation.setTouchEmulationEnabled", touch);
        browser.show_as(device.theme, device.less_motion);
        browser
    }

    /// Changes the user's preferences.
    pub fn show_as(&self, theme: ColorScheme, less_motion: bool) {
        let motion = if less_motion { "reduce" } else { "no-preference" };
        let features = json!({ "features": [
            { "name": "prefers-color-scheme", "value": theme.word() },
            { "name": "prefers-reduced-motion", "value": motion },
        ]});
        self.driver.chromium("Emulation.setEmulatedMedia", features);
    }

    /// Sends a command of the Chrome DevTools Protocol.
    pub fn chromium(&self, command: &str, parameters: Value) -> Value {
        self.driver.chromium(command, parameters)
    }

    /// Disconnects or reconnects the network.
    pub fn set_offline(&self, cut: bool) {
        self.driver.chromium("Network.enable", json!({}));
        let conditions = json!({
            "offline": cut, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1,
        });
        self.driver.chromium("Network.emulateNetworkConditions", conditions);
    }

    /// Opens an address.
    pub fn open(&self, address: &str) {
        self.driver.post("/url", &json!({ "url": address }));
    }

    /// Reloads the page.
    pub fn reload(&self) {
        self.driver.post("/refresh", &json!({}));
    }

    /// Runs a script, and returns the value of its `return`.
    pub fn script(&self, script: &str, arguments: Value) -> Value {
        self.driver.post("/execute/sync", &json!({ "script": script, "args": arguments }))
    }

    /// Runs a script, and returns the value with which it calls its last argument.
    pub fn async_script(&self, script: &str, arguments: Value) -> Value {
        self.driver.post("/timeouts", &json!({ "script": CONDITION_TIMEOUT.as_millis() as u64 }));
        self.driver.post("/execute/async", &json!({ "script": script, "args": arguments }))
    }

    /// Returns the value of a JavaScript expression.
    pub fn value(&self, expression: &str) -> Value {
        self.script(&format!("return ({expression})"), json!([]))
    }

    /// Returns the value of an expression that is a string.
    pub fn text(&self, expression: &str) -> String {
        self.value(expression).as_str().unwrap_or_default().to_string()
    }

    /// Waits until an expression is true.
    ///
    /// # Panics
    ///
    /// If it does not become true in time.
    pub fn until(&self, expression: &str) {
        let started = Instant::now();
        let script = format!("return !!({expression})");
        let arguments = json!({ "script": script, "args": [] });
        // Scripts fail while a page is loading.
        while self.driver.try_post("/execute/sync", &arguments) != Ok(Value::Bool(true)) {
            assert!(started.elapsed() < CONDITION_TIMEOUT, "timeout: {expression}");
            sleep(POLL_INTERVAL);
        }
    }

    /// Waits until an element exists.
    pub fn wait_for(&self, selector: &str) {
        self.until(&format!("document.querySelector({})", json!(selector)));
    }

    /// Returns the center of an element on the screen, after scrolling to it if necessary.
    ///
    /// # Panics
    ///
    /// If it does not exist or is not visible.
    pub fn place(&self, selector: &str) -> (f64, f64) {
        let middle = self.script(
            "const [selector] = arguments;
             const element = document.querySelector(selector);
             if (!element) return null;
             const middle = () => {
               const box = element.getBoundingClientRect();
               return [box.left + box.width / 2, box.top + box.height / 2, box.width * box.height];
             };
             // It may be outside the visible part of a scrolling ancestor.
             element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
             let [x, y, area] = middle();
             // It may be outside the window or covered.
             const met = document.elementFromPoint(x, y);
             if (!met || !(element.contains(met) || met.contains(element))) {
               element.scrollIntoView({ block: 'center', behavior: 'instant' });
               [x, y, area] = middle();
             }
             return area > 0 ? [x, y] : null;",
            json!([selector]),
        );
        let number = |index: usize| middle[index].as_f64();
        number(0).zip(number(1)).unwrap_or_else(|| panic!("{selector} can't be seen"))
    }

    /// Clicks with the mouse on an element.
    pub fn click(&self, selector: &str) {
        self.wait_for(selector);
        self.click_at(self.place(selector));
    }

    /// Clicks with the mouse.
    pub fn click_at(&self, place: (f64, f64)) {
        self.drag(place, place);
    }

    /// Moves the mouse to an element.
    pub fn hover(&self, selector: &str) {
        self.wait_for(selector);
        self.dispatch_mouse("mouseMoved", self.place(selector), MouseButton::Left, false);
    }

    /// Drags with the mouse.
    pub fn drag(&self, from: (f64, f64), to: (f64, f64)) {
        self.drag_with(MouseButton::Left, from, to);
    }

    /// Drags with the right mouse button, or clicks if both places are the same.
    pub fn right_drag(&self, from: (f64, f64), to: (f64, f64)) {
        self.drag_with(MouseButton::Right, from, to);
    }

    /// Drags with a mouse button, or clicks if both places are the same.
    fn drag_with(&self, button: MouseButton, from: (f64, f64), to: (f64, f64)) {
        self.dispatch_mouse("mouseMoved", from, button, false);
        self.dispatch_mouse("mousePressed", from, button, true);
        if from != to {
            for part in [0.2, 0.5, 0.8, 1.0] {
                self.dispatch_mouse("mouseMoved", between(from, to, part), button, true);
            }
        }
        self.dispatch_mouse("mouseReleased", to, button, false);
    }

    /// Dispatches a mouse event of this type, such as `mousePressed`.
    fn dispatch_mouse(&self, kind: &str, (x, y): (f64, f64), button: MouseButton, held: bool) {
        let (name, bit) = match button {
            MouseButton::Left => ("left", 1),
            MouseButton::Right => ("right", 2),
        };
        let name = if kind == "mouseMoved" && !held { "none" } else { name };
        let event = json!({
            "type": kind, "x": x, "y": y, "button": name, "buttons": if held { bit } else { 0 },
            "clickCount": 1,
        });
        self.driver.chromium("Input.dispatchMouseEvent", event);
    }

    /// Turns the mouse wheel over an element by a number of pixels, downwards if it is positive.
    pub fn wheel(&self, selector: &str, pixels: f64) {
        self.wait_for(selector);
        let (x, y) = self.place(selector);
        let event = json!({ "type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": pixels });
        self.driver.chromium("Input.dispatchMouseEvent", event);
    }

    /// Taps an element with a finger.
    pub fn tap(&self, selector: &str) {
        self.wait_for(selector);
        self.tap_at(self.place(selector));
    }

    /// Taps with a finger.
    pub fn tap_at(&self, place: (f64, f64)) {
        self.dispatch_touch("touchStart", Some(place));
        self.dispatch_touch("touchEnd", None);
    }

    /// Drags with a finger.
    pub fn swipe(&self, from: (f64, f64), to: (f64, f64)) {
        self.dispatch_touch("touchStart", Some(from));
        for part in [0.2, 0.5, 0.8, 1.0] {
            self.dispatch_touch("touchMove", Some(between(from, to, part)));
        }
        self.dispatch_touch("touchEnd", None);
    }

    /// Dispatches a touch event of this type, such as `touchStart`.
    fn dispatch_touch(&self, kind: &str, place: Option<(f64, f64)>) {
        let points: Vec<Value> =
            place.map(|(x, y)| json!({ "x": x, "y": y })).into_iter().collect();
        let event = json!({ "type": kind, "touchPoints": points });
        self.driver.chromium("Input.dispatchTouchEvent", event);
    }

    /// Clicks an element by pointer events that a script dispatches.
    ///
    /// # Panics
    ///
    /// If no element is at its position.
    pub fn point(&self, selector: &str) {
        self.wait_for(selector);
        let (x, y) = self.place(selector);
        let has_target = self.script(
            "const [x, y] = arguments;
             const target = document.elementFromPoint(x, y);
             if (!target) return false;
             const event = (name) => target.dispatchEvent(new PointerEvent(name, {
               clientX: x, clientY: y, pointerId: 1, pointerType: 'touch', isPrimary: true, button: 0,
               buttons: name === 'pointerdown' ? 1 : 0, bubbles: true, cancelable: true, composed: true,
             }));
             ['pointerdown', 'pointerup', 'click'].forEach(event);
             return true;",
            json!([x, y]),
        );
        assert_eq!(has_target, true, "{selector} can't be pointed at");
    }

    /// Presses keys, one after another.
    pub fn press(&self, keys: &[Key]) {
        self.dispatch_keys(keys.iter().flat_map(|key| [("keyDown", *key), ("keyUp", *key)]));
    }

    /// Presses keys together: the first ones are held until all are down.
    pub fn press_together(&self, keys: &[Key]) {
        let down = keys.iter().map(|key| ("keyDown", *key));
        self.dispatch_keys(down.chain(keys.iter().rev().map(|key| ("keyUp", *key))));
    }

    /// Performs WebDriver key actions: pairs of `keyDown` or `keyUp` and a key.
    fn dispatch_keys(&self, strokes: impl Iterator<Item = (&'static str, Key)>) {
        let strokes: Vec<Value> =
            strokes.map(|(kind, key)| json!({ "type": kind, "value": key.code() })).collect();
        let actions = json!({ "actions": [{ "type": "key", "id": "keys", "actions": strokes }] });
        self.driver.post("/actions", &actions);
    }

    /// Types a text.
    pub fn write(&self, text: &str) {
        self.press(&text.chars().map(Key::Sign).collect::<Vec<_>>());
    }

    /// Presses Tab until an element has the focus.
    ///
    /// # Panics
    ///
    /// If Tab does not reach it.
    pub fn tab_to(&self, selector: &str) {
        self.wait_for(selector);
        let there = format!("document.activeElement.matches({})", json!(selector));
        for _ in 0..200 {
            if self.value(&there) == true {
                return;
            }
            self.press(&[Key::Tab]);
        }
        panic!("Tab does not reach {selector}");
    }

    /// Returns a screenshot as PNG.
    pub fn picture(&self) -> Vec<u8> {
        self.screenshot(json!({ "format": "png" }))
    }

    /// Returns a screenshot of an element as PNG, scaled to a width in pixels.
    pub fn picture_of(&self, selector: &str, width: u32) -> Vec<u8> {
        let clip = self.script(
            "const box = document.querySelector(arguments[0]).getBoundingClientRect();
             return { x: box.x, y: box.y, width: box.width, height: box.height,
                      scale: arguments[1] / box.width };",
            json!([selector, width]),
        );
        self.screenshot(json!({ "format": "png", "clip": clip }))
    }

    fn screenshot(&self, options: Value) -> Vec<u8> {
        let picture = self.driver.chromium("Page.captureScreenshot", options);
        let data = picture["data"].as_str().unwrap_or_default();
        base64::engine::general_purpose::STANDARD.decode(data).expect("a picture comes as base64")
    }

    /// Returns the errors in the console since the last call.
    pub fn console_errors(&self) -> Vec<String> {
        let log = self.driver.post("/se/log", &json!({ "type": "browser" }));
        // Warnings concern slowness, which does not matter in tests.
        let bad = |entry: &&Value| entry["level"] == "SEVERE";
        let log = log.as_array().into_iter().flatten().filter(bad);
        log.map(|entry| entry["message"].as_str().unwrap_or_default().to_string()).collect()
    }

    /// Saves a screenshot, and prints the errors in the console, after a failure.
    fn save_evidence(&self) {
        let evidence = catch_unwind(AssertUnwindSafe(|| (self.picture(), self.console_errors())));
        let Ok((picture, console_errors)) = evidence else { return };
        for error in console_errors {
            eprintln!("console: {error}");
        }
        let name = std::thread::current().name().unwrap_or("page").replace("::", "-");
        let path = evidence_folder().join(name).with_extension("png");
        if fs::create_dir_all(evidence_folder()).and_then(|()| fs::write(&path, picture)).is_ok() {
            eprintln!("the page is in {}", path.display());
        }
    }
}

/// Returns the point at a fraction of the way between two points.
fn between(from: (f64, f64), to: (f64, f64), part: f64) -> (f64, f64) {
    (from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part)
}

/// Returns a folder next to the running test, in the target folder.
fn evidence_folder() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    program.parent().unwrap_or(Path::new(".")).join("browser-evidence")
}

//! A client of ChromeDriver, which speaks the WebDriver protocol: JSON over HTTP.
//!
//! Written by hand because the tests need only a few commands, without an asynchronous runtime, and
//! Chromium's own commands for touch and emulation, which the usual clients do not offer.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

/// The timeout of a command; long, because a browser may start slowly on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(180);

/// ChromeDriver exits if the port it chose is in use in the other address family.
const ATTEMPTS: usize = 5;

/// A ChromeDriver session: one browser with an empty profile.
#[derive(Debug)]
pub(crate) struct WebDriver {
    program: Child,
    agent: ureq::Agent,
    session: String,
}

impl WebDriver {
    /// Starts ChromeDriver on a free port, and a browser with these arguments.
    pub(crate) fn start(arguments: &[String]) -> WebDriver {
        let started = (0..ATTEMPTS).find_map(|_| launch());
        let (program, port) = started.expect("chromedriver names its port");
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(TIMEOUT))
            .proxy(None)
            .build()
            .new_agent();
        let mut driver =
            WebDriver { program, agent, session: format!("http://127.0.0.1:{port}/session") };
        let capabilities = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": { "args": arguments },
            "goog:loggingPrefs": { "browser": "ALL" },
        }}});
        let answer = driver.post("", &capabilities);
        let id = answer["sessionId"].as_str().expect("a session has a name");
        driver.session = format!("{}/{id}", driver.session);
        driver
    }

    /// Sends a command of the session, and returns its result.
    pub(crate) fn post(&self, command: &str, body: &Value) -> Value {
        self.try_post(command, body).unwrap_or_else(|error| panic!("{command}: {error}"))
    }

    /// Sends a command of the session that may fail.
    pub(crate) fn try_post(&self, command: &str, body: &Value) -> Result<Value, String> {
        let address = format!("{}{command}", self.session);
        let answer = self.agent.post(&address).send_json(body);
        let mut answer = answer.map_err(|error| format!("ChromeDriver: {error}"))?;
        let failed = !answer.status().is_success();
        // Screenshots are large.
        let body = answer.body_mut().with_config().limit(64 << 20).read_json::<Value>();
        let mut body = body.map_err(|error| format!("ChromeDriver: {error}"))?;
        match failed {
            true => Err(body["value"]["message"].as_str().unwrap_or_default().to_string()),
            false => Ok(body["value"].take()),
        }
    }

    /// Sends a command of the Chrome DevTools Protocol.
    pub(crate) fn chromium(&self, command: &str, parameters: Value) -> Value {
        self.post("/goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }
}

/// Starts ChromeDriver on a free port, and returns the port.
fn launch() -> Option<(Child, u16)> {
    let mut program = Command::new("chromedriver")
        .arg("--port=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("chromedriver does not start; `cargo xtask test` installs it");
    let output = program.stdout.take().expect("its output is piped");
    let mut lines = BufReader::new(output).lines().map_while(Result::ok);
    let port = lines.find_map(|line| {
        let (_, port) = line.split_once("started successfully on port ")?;
        port.trim_end_matches('.').parse::<u16>().ok()
    });
    let Some(port) = port else {
        // Its output has ended, so it has exited or is about to.
        let _ = program.kill();
        let _ = program.wait();
        return None;
    };
    // Its output must be read, or it blocks.
    std::thread::spawn(move || lines.for_each(drop));
    Some((program, port))
}

impl Drop for WebDriver {
    fn drop(&mut self) {
        // If the browser does not respond, it is killed with its driver.
        let _ = self.agent.delete(&self.session).call();
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

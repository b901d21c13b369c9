//! ChromeDriver: the program, and its protocol, which is JSON over HTTP.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

/// A browser may be slow to start on a busy machine.
const PATIENCE: Duration = Duration::from_secs(180);

/// It may find that the port it chose is taken in the other family of addresses, and ends then.
const ATTEMPTS: usize = 5;

/// A session of ChromeDriver, which is one browser with an empty profile.
#[derive(Debug)]
pub(crate) struct Driver {
    program: Child,
    agent: ureq::Agent,
    session: String,
}

impl Driver {
    /// Starts ChromeDriver on a free port, and a browser with these arguments.
    pub(crate) fn start(arguments: &[String]) -> Driver {
        let started = (0..ATTEMPTS).find_map(|_| launch());
        let (program, port) = started.expect("chromedriver names its port");
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(PATIENCE))
            .proxy(None)
            .build()
            .new_agent();
        let mut driver =
            Driver { program, agent, session: format!("http://127.0.0.1:{port}/session") };
        let wishes = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": { "args": arguments },
            "goog:loggingPrefs": { "browser": "ALL" },
        }}});
        let answer = driver.post("", &wishes);
        let id = answer["sessionId"].as_str().expect("a session has a name");
        driver.session = format!("{}/{id}", driver.session);
        driver
    }

    /// Sends a command of the session and gives its answer.
    pub(crate) fn post(&self, command: &str, body: &Value) -> Value {
        self.try_post(command, body).unwrap_or_else(|error| panic!("{command}: {error}"))
    }

    /// The same, where it may fail.
    pub(crate) fn try_post(&self, command: &str, body: &Value) -> Result<Value, String> {
        let address = format!("{}{command}", self.session);
        let answer = self.agent.post(&address).send_json(body);
        let mut answer = answer.map_err(|error| format!("ChromeDriver: {error}"))?;
        let failed = !answer.status().is_success();
        // Screenshots are long.
        let body = answer.body_mut().with_config().limit(64 << 20).read_json::<Value>();
        let mut body = body.map_err(|error| format!("ChromeDriver: {error}"))?;
        match failed {
            true => Err(body["value"]["message"].as_str().unwrap_or_default().to_string()),
            false => Ok(body["value"].take()),
        }
    }

    /// Sends a command of Chromium's own protocol.
    pub(crate) fn chromium(&self, command: &str, parameters: Value) -> Value {
        self.post("/goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }
}

/// Starts ChromeDriver on a free port, and gives it.
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
        // It has said all it had to say: it is gone, or as good as gone.
        let _ = program.kill();
        let _ = program.wait();
        return None;
    };
    // What else it says is not needed, but it must be able to say it.
    std::thread::spawn(move || lines.for_each(drop));
    Some((program, port))
}

impl Drop for Driver {
    fn drop(&mut self) {
        // If the browser does not answer any more, it ends with its driver.
        let _ = self.agent.delete(&self.session).call();
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

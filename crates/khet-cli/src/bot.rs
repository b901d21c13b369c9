//! `khet bot`: the engine as a bot account on a server, over the public API.

mod api_client;
mod engine;
mod game;

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

use khet::{ParseTimeControlError, Setup, TimeControl, TimeLimits};
use khet_engine::Level;
use khet_protocol::{
    Challenge, ChallengeResponse, ColorPreference, GameId, GameOptions, LobbyResponse, Me,
    NewChallenge, PersonId, Start, StreamMessage,
};

use self::api_client::{ApiClient, ClientError};
use self::engine::BotEngine;
use crate::output::{Output, Problem};

/// Play on a server as a bot
///
/// Example: KHET_TOKEN=… khet bot --server https://khet.example --level 7
///
/// Create a token for the bot's account with POST /api/me/tokens; the server's page /api explains
/// how. The bot accepts challenges until you stop it with Ctrl-C, and keeps one open challenge in
/// the lobby.
#[allow(rustdoc::bare_urls)] // the text of --help
#[derive(clap::Args)]
pub(crate) struct Args {
    /// URL of the server
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    server: String,
    /// API token of the bot's account
    #[arg(long, env = "KHET_TOKEN", hide_env_values = true, value_name = "TOKEN")]
    token: String,
    /// Playing strength, 1 to 10
    #[arg(long, default_value = "7", value_name = "1–10", value_parser = parse_level)]
    level: Level,
    /// Time control of the challenge in the lobby: 300+3 (seconds and increment), 3d (days per
    /// move) or none
    #[arg(long, default_value_t = TimeControl::DEFAULT, value_name = "TIME",
          value_parser = parse_online_time_control)]
    open: TimeControl,
    /// Do not post a challenge in the lobby; only accept challenges
    #[arg(long)]
    quiet: bool,
    /// Maximum number of simultaneous games
    #[arg(long, default_value_t = 8, value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..=50))]
    games: u16,
}

/// Parses a time control that servers accept.
pub(crate) fn parse_online_time_control(text: &str) -> Result<TimeControl, ParseTimeControlError> {
    TimeLimits::ONLINE.parse(text)
}

/// Parses a level of the engine.
pub(crate) fn parse_level(text: &str) -> Result<Level, String> {
    let level = text.parse().ok().and_then(Level::new);
    level.ok_or_else(|| "a level is a number from 1 to 10".to_owned())
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    let bot = Bot::new(BotConfig {
        server: args.server.clone(),
        token: args.token.clone(),
        level: args.level,
        open: (!args.quiet).then_some(args.open),
        games: usize::from(args.games),
        log: |line| println!("{line}"),
    });
    let me = bot
        .client
        .get::<Me>("/api/me")
        .map_err(|error| Problem::Input(format!("{}: {error}", args.server)))?;
    let name = me.name.map_or_else(|| "The bot".to_owned(), |name| name.to_string());
    output.line(format_args!("{name} plays at {} (stop with Ctrl-C)", args.server))?;
    output.flush()?;
    Err(Problem::Input(bot.play().to_string()))
}

/// Settings of a bot.
pub(crate) struct BotConfig {
    /// URL of the server.
    pub(crate) server: String,
    pub(crate) token: String,
    pub(crate) level: Level,
    /// Time control of the challenge in the lobby; `None` to post no challenge.
    pub(crate) open: Option<TimeControl>,
    /// Maximum number of simultaneous games.
    pub(crate) games: usize,
    /// Called with a line about each game and each error.
    pub(crate) log: fn(&str),
}

/// A bot account on a server.
pub(crate) struct Bot {
    config: BotConfig,
    client: ApiClient,
    engine: BotEngine,
    /// The running games.
    games: Mutex<HashSet<GameId>>,
    /// Held while the lobby is checked, so that two threads do not both post a challenge.
    lobby_check: Mutex<()>,
    stopped: AtomicBool,
}

/// The first and the longest delay before the bot connects again.
const RETRY_DELAY: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));

impl Bot {
    pub(crate) fn new(config: BotConfig) -> Arc<Bot> {
        Arc::new(Bot {
            client: ApiClient::new(&config.server, &config.token),
            engine: BotEngine::new(config.level),
            games: Mutex::default(),
            lobby_check: Mutex::default(),
            stopped: AtomicBool::new(false),
            config,
        })
    }

    /// Stops the bot: its threads end at their next message.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    fn log(&self, line: &str) {
        (self.config.log)(line);
    }

    /// Plays until the bot is stopped or its token becomes invalid. Connects again after any other
    /// error.
    pub(crate) fn play(self: &Arc<Bot>) -> ClientError {
        let mut delay = RETRY_DELAY.0;
        loop {
            let error = match self.listen(&mut delay) {
                Ok(()) => ClientError::Connection("the server closed the connection".to_owned()),
                Err(error) => error,
            };
            if self.is_stopped() || error.is_final() {
                return error;
            }
            self.log(&format!("{error}; trying again in {} s", delay.as_secs()));
            thread::sleep(delay);
            delay = (delay * 2).min(RETRY_DELAY.1);
        }
    }

    /// Handles the messages of the account's stream until the connection ends. Resets `delay` once
    /// it is connected.
    fn listen(self: &Arc<Bot>, delay: &mut Duration) -> Result<(), ClientError> {
        let me = self.client.get::<Me>("/api/me")?;
        let lines = self.client.stream(&self.stream_path())?;
        *delay = RETRY_DELAY.0;
        self.ensure_open_challenge(me.id);
        for line in lines {
            let line = line?;
            if self.is_stopped() {
                return Ok(());
            }
            if line.is_empty() {
                self.ensure_open_challenge(me.id);
                continue;
            }
            // Ignores message types that a newer server may send.
            let Ok(message) = serde_json::from_str(&line) else { continue };
            match message {
                StreamMessage::Game { id, .. } => self.start_game(id, me.id),
                StreamMessage::Challenge(challenge) if challenge.by.id != me.id => {
                    self.answer_challenge(&challenge)
                }
                StreamMessage::Challenge(_) | StreamMessage::ChallengeDeclined { .. } => {}
            }
        }
        Ok(())
    }

    /// Returns the path of the account's stream. Unless the bot is quiet, it declares that it
    /// accepts the usual time controls, so that the lobby offers it to people who wait for an
    /// opponent.
    fn stream_path(&self) -> String {
        let Some(open) = self.config.open else { return "/api/stream".to_owned() };
        let mut times = TimeControl::PRESETS.to_vec();
        if !times.contains(&open) && !open.is_correspondence() {
            times.push(open);
        }
        let times: Vec<String> = times.iter().map(ToString::to_string).collect();
        format!("/api/stream?times={}", times.join(",").replace('+', "%2B"))
    }

    /// Locks the set of games.
    fn games(&self) -> MutexGuard<'_, HashSet<GameId>> {
        self.games.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn can_start_game(&self) -> bool {
        self.games().len() < self.config.games
    }

    /// Plays a game in its own thread, unless it is already being played.
    fn start_game(self: &Arc<Bot>, game: GameId, me: PersonId) {
        if !self.games().insert(game) {
            return;
        }
        let bot = Arc::clone(self);
        thread::spawn(move || {
            game::play(&bot, game);
            bot.games().remove(&game);
            bot.ensure_open_challenge(me);
        });
        self.ensure_open_challenge(me);
    }

    /// Accepts or declines a challenge.
    fn answer_challenge(&self, challenge: &Challenge) {
        let path = format!("/api/challenges/{}", challenge.id);
        // A correspondence game would occupy one of the bot's games for weeks.
        let is_live = !challenge.options.time.is_correspondence();
        let result = if is_live && self.can_start_game() {
            self.client.post::<ChallengeResponse>(&format!("{path}/accept"), &()).map(drop)
        } else {
            self.client.delete(&path)
        };
        if let Err(error) = result {
            self.log(&format!("challenge {}: {error}", challenge.id));
        }
    }

    /// Posts a challenge in the lobby, unless there is one or the bot can't start another game.
    fn ensure_open_challenge(&self, me: PersonId) {
        let Some(time) = self.config.open else { return };
        let _guard = self.lobby_check.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if self.is_stopped() || !self.can_start_game() {
            return;
        }
        let result = self.client.get::<LobbyResponse>("/api/challenges").and_then(|lobby| {
            if lobby.challenges.iter().any(|challenge| challenge.by.id == me) {
                return Ok(());
            }
            let challenge = NewChallenge {
                options: GameOptions {
                    start: Start::Setup(Setup::Classic.into()),
                    rules: khet::Rules::default(),
                    time,
                    rated: false,
                    private: false,
                },
                color: ColorPreference::Random,
                open: true,
                to: None,
            };
            self.client.post::<ChallengeResponse>("/api/challenges", &challenge).map(drop)
        });
        if let Err(error) = result {
            self.log(&format!("posting a challenge in the lobby failed: {error}"));
        }
    }
}

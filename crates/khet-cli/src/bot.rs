//! `khet bot`: the engine as a player on a server, over its public API.

mod mind;
mod server;
mod table;

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

use self::mind::Mind;
use self::server::{Server, Trouble};
use crate::output::{Output, Problem};

/// Play on a server, as a program
///
/// Example: KHET_TOKEN=… khet bot --server https://khet.example --level 7
///
/// The token makes an account a program's: POST /api/me/tokens, see the server's page /api. The bot accepts challenges until it is
/// stopped with Ctrl-C, and keeps one of its own in the lobby.
#[allow(rustdoc::bare_urls)] // the text of --help
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Where to play
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    server: String,
    /// The token of the account
    #[arg(long, env = "KHET_TOKEN", hide_env_values = true, value_name = "TOKEN")]
    token: String,
    /// How strong it plays, 1 to 10
    #[arg(long, default_value = "7", value_name = "1–10", value_parser = level)]
    level: Level,
    /// Time control of the challenge that it keeps in the lobby: 300+3 (seconds and increment), 3d
    /// (days per move) or none
    #[arg(long, default_value_t = TimeControl::DEFAULT, value_name = "TIME",
          value_parser = online_time_control)]
    open: TimeControl,
    /// Wait for challenges, and keep none in the lobby
    #[arg(long)]
    quiet: bool,
    /// How many games it plays at once
    #[arg(long, default_value_t = 8, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=50))]
    games: u16,
}

/// Reads a time control that servers accept.
pub(crate) fn online_time_control(text: &str) -> Result<TimeControl, ParseTimeControlError> {
    TimeLimits::ONLINE.parse(text)
}

/// Reads a level.
pub(crate) fn level(text: &str) -> Result<Level, String> {
    let level = text.parse().ok().and_then(Level::new);
    level.ok_or_else(|| "a level is a number from 1 to 10".to_owned())
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    let bot = Bot::new(Plan {
        server: args.server.clone(),
        token: args.token.clone(),
        level: args.level,
        open: (!args.quiet).then_some(args.open),
        games: usize::from(args.games),
        say: |line| println!("{line}"),
    });
    let me = bot
        .server
        .get::<Me>("/api/me")
        .map_err(|trouble| Problem::Input(format!("{}: {trouble}", args.server)))?;
    let name = me.name.map_or_else(|| "Somebody".to_owned(), |name| name.to_string());
    output.line(format_args!("{name} plays at {} (Ctrl-C stops it)", args.server))?;
    output.flush()?;
    Err(Problem::Input(bot.play().to_string()))
}

/// What a bot is to do.
pub(crate) struct Plan {
    /// Where it plays.
    pub(crate) server: String,
    pub(crate) token: String,
    pub(crate) level: Level,
    /// The clocks of the challenge that it keeps in the lobby.
    pub(crate) open: Option<TimeControl>,
    /// How many games it plays at once.
    pub(crate) games: usize,
    /// Hears what happens.
    pub(crate) say: fn(&str),
}

/// A program that plays.
pub(crate) struct Bot {
    plan: Plan,
    server: Server,
    mind: Mind,
    /// Games that are played.
    tables: Mutex<HashSet<GameId>>,
    /// Held while the lobby is looked at, so that one challenge is made and not two.
    offering: Mutex<()>,
    stopped: AtomicBool,
}

/// What it waits before it tries again, at first and at most.
const PATIENCE: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));

impl Bot {
    pub(crate) fn new(plan: Plan) -> Arc<Bot> {
        Arc::new(Bot {
            server: Server::new(&plan.server, &plan.token),
            mind: Mind::new(plan.level),
            tables: Mutex::default(),
            offering: Mutex::default(),
            stopped: AtomicBool::new(false),
            plan,
        })
    }

    /// Begins nothing more.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    fn say(&self, line: &str) {
        (self.plan.say)(line);
    }

    /// Plays until it is stopped, or the token is no longer good. Whatever else happens, it tries again.
    pub(crate) fn play(self: &Arc<Bot>) -> Trouble {
        let mut wait = PATIENCE.0;
        loop {
            let trouble = match self.listen(&mut wait) {
                Ok(()) => Trouble::Broken("the server has closed the connection".to_owned()),
                Err(trouble) => trouble,
            };
            if self.is_stopped() || trouble.is_final() {
                return trouble;
            }
            self.say(&format!("{trouble}; trying again in {} s", wait.as_secs()));
            thread::sleep(wait);
            wait = (wait * 2).min(PATIENCE.1);
        }
    }

    /// Hears what concerns it, as long as the connection lasts.
    fn listen(self: &Arc<Bot>, wait: &mut Duration) -> Result<(), Trouble> {
        let me = self.server.get::<Me>("/api/me")?;
        let lines = self.server.lines("/api/stream")?;
        *wait = PATIENCE.0;
        self.keep_challenge(me.id);
        for line in lines {
            let line = line?;
            if self.is_stopped() {
                return Ok(());
            }
            if line.is_empty() {
                self.keep_challenge(me.id);
                continue;
            }
            // What this program does not know yet does not concern it.
            let Ok(told) = serde_json::from_str(&line) else { continue };
            match told {
                StreamMessage::Game { id, .. } => self.sit_down(id, me.id),
                StreamMessage::Challenge(challenge) if challenge.by.id != me.id => {
                    self.answer(&challenge)
                }
                StreamMessage::Challenge(_) => {}
            }
        }
        Ok(())
    }

    fn tables(&self) -> MutexGuard<'_, HashSet<GameId>> {
        self.tables.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn has_room(&self) -> bool {
        self.tables().len() < self.plan.games
    }

    /// Plays a game, in a thread of its own.
    fn sit_down(self: &Arc<Bot>, game: GameId, me: PersonId) {
        if !self.tables().insert(game) {
            return;
        }
        let bot = Arc::clone(self);
        thread::spawn(move || {
            table::play(&bot, game);
            bot.tables().remove(&game);
            bot.keep_challenge(me);
        });
        self.keep_challenge(me);
    }

    /// Accepts a challenge, or declines it.
    fn answer(&self, challenge: &Challenge) {
        let path = format!("/api/challenges/{}", challenge.id);
        // A game over weeks would keep others from playing.
        let plays = !challenge.options.time.is_correspondence();
        let answered = if plays && self.has_room() {
            self.server.post::<ChallengeResponse>(&format!("{path}/accept"), &()).map(drop)
        } else {
            self.server.delete(&path)
        };
        if let Err(trouble) = answered {
            self.say(&format!("challenge {}: {trouble}", challenge.id));
        }
    }

    /// Sees to it that one challenge waits in the lobby, as long as there is room for a game.
    fn keep_challenge(&self, me: PersonId) {
        let Some(time) = self.plan.open else { return };
        let _one = self.offering.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if self.is_stopped() || !self.has_room() {
            return;
        }
        let made = self.server.get::<LobbyResponse>("/api/challenges").and_then(|lobby| {
            if lobby.challenges.iter().any(|challenge| challenge.by.id == me) {
                return Ok(());
            }
            let challenge = NewChallenge {
                options: GameOptions {
                    start: Start::Setup(Setup::Classic),
                    rules: khet::Rules::default(),
                    time,
                    rated: false,
                },
                color: ColorPreference::Random,
                open: true,
                to: None,
            };
            self.server.post::<ChallengeResponse>("/api/challenges", &challenge).map(drop)
        });
        if let Err(trouble) = made {
            self.say(&format!("no challenge in the lobby: {trouble}"));
        }
    }
}

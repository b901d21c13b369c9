//! `khet play`: a game in the terminal, against the engine or between two people.

mod banner;
mod engine_thread;
mod menu;
mod palette;
mod save;
mod screen;
mod state;

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use khet::{AnyPosition, Rules};
use khet_engine::Level;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::crossterm::terminal;

use crate::bot::parse_level;
use crate::output::Problem;
use crate::play::engine_thread::{EngineThread, ThreadEnded};
use crate::play::menu::{GameSettings, Menu, MenuAction, SideSetting};
use crate::play::palette::Palette;
use crate::play::state::{Effect, PlayState};
use crate::{date, input};

/// Play in the terminal, against the computer or a friend
///
/// Example: khet play --level 4
///
/// Without --setup, --side, --level and --friend, a start screen lets you choose. Arrow keys and
/// Enter move the pieces, ? shows all keys. The terminal needs at least 80 × 24 characters; for a
/// game with a tower 115 × 24, or 80 × 39.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Setup name or position in notation to start from
    #[arg(long, value_name = "POSITION")]
    setup: Option<String>,
    /// Your side
    #[arg(long, value_enum, conflicts_with = "friend")]
    side: Option<SideSetting>,
    /// Playing strength of the computer, 1 (beginner) to 10
    #[arg(long, value_name = "1–10", value_parser = parse_level, conflicts_with = "friend")]
    level: Option<Level>,
    /// Rules of the game: standard or czech
    #[arg(long, default_value_t)]
    rules: Rules,
    /// Pass and play: two people at one keyboard
    #[arg(long)]
    friend: bool,
}

const DEFAULT_LEVEL: Level = Level::ALL[2];

impl Args {
    /// Returns the settings that the arguments ask for.
    fn settings(&self) -> Result<GameSettings, Problem> {
        let setup = self.setup.as_deref().unwrap_or("classic");
        let start = input::parse_placement(setup)?;
        AnyPosition::new(&start, self.rules).map_err(|error| Problem::Input(error.to_string()))?;
        Ok(GameSettings {
            start,
            rules: self.rules,
            friend: self.friend,
            side: self.side.unwrap_or_default(),
            level: self.level.unwrap_or(DEFAULT_LEVEL),
        })
    }

    /// Returns whether the game starts without the start screen.
    fn skips_start_screen(&self) -> bool {
        self.setup.is_some() || self.side.is_some() || self.level.is_some() || self.friend
    }
}

pub(crate) fn run(args: &Args) -> Result<(), Problem> {
    let settings = args.settings()?;
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        let message = "play needs a terminal as standard input and output";
        return Err(Problem::Input(message.to_string()));
    }
    let (width, height) = terminal::size()?;
    let has_tower = settings.start.has_tower() && args.skips_start_screen();
    if let Some(message) = screen::too_small(width, height, has_tower) {
        return Err(Problem::Input(message));
    }
    let mut app = PlayApp::new(settings);
    if args.skips_start_screen() {
        app.start_game(settings)?;
    }
    // Installs a panic hook that restores the terminal.
    let mut terminal = ratatui::try_init()?;
    let result = app.run(&mut terminal);
    ratatui::try_restore()?;
    result
}

/// Time between redraws while the screen is animated.
const ANIMATION_INTERVAL: Duration = Duration::from_millis(25);
/// Time between redraws otherwise.
const IDLE_INTERVAL: Duration = Duration::from_millis(500);

/// The game, the start screen, the engine and the terminal settings.
struct PlayApp {
    /// `None` before the first game.
    state: Option<PlayState>,
    /// The start screen, if it is open. It covers a running game.
    menu: Option<Menu>,
    /// Settings of the last game.
    settings: GameSettings,
    engine: EngineThread,
    palette: Palette,
    started_at: Instant,
}

impl PlayApp {
    fn new(settings: GameSettings) -> PlayApp {
        PlayApp {
            state: None,
            menu: Some(Menu::new(settings)),
            settings,
            engine: EngineThread::start(),
            palette: Palette::from_environment(),
            started_at: Instant::now(),
        }
    }

    fn start_game(&mut self, settings: GameSettings) -> Result<(), Problem> {
        // A new thread, so that replies to the last game are dropped.
        self.engine = EngineThread::start();
        let state = settings.start_game(random_seed(), &date::today());
        let mut state = state.map_err(|error| Problem::Input(error.to_string()))?;
        state.tick(self.started_at.elapsed());
        self.state = Some(state);
        self.menu = None;
        self.settings = settings;
        Ok(())
    }

    fn run(&mut self, terminal: &mut DefaultTerminal) -> Result<(), Problem> {
        loop {
            if self.run_effects()? {
                return Ok(());
            }
            let (state, menu) = (self.state.as_ref(), self.menu.as_ref());
            terminal.draw(|frame| screen::draw(frame, state, menu, self.palette))?;

            let is_animating = self.menu.is_none() && state.is_some_and(PlayState::is_animating);
            if event::poll(if is_animating { ANIMATION_INTERVAL } else { IDLE_INTERVAL })?
                && let Event::Key(key) = event::read()?
                && self.key(key)?
            {
                return Ok(());
            }
            // The game is paused while the start screen is open.
            if self.menu.is_none()
                && let Some(state) = &mut self.state
            {
                match self.engine.try_reply() {
                    Ok(Some(reply)) => state.receive_reply(reply),
                    Ok(None) => {}
                    Err(ThreadEnded) => {
                        let error = io::Error::other("the engine's thread ended unexpectedly");
                        return Err(Problem::Io(error));
                    }
                }
                state.tick(self.started_at.elapsed());
            }
        }
    }

    /// Handles a key. Returns whether the program ends.
    fn key(&mut self, key: KeyEvent) -> Result<bool, Problem> {
        if key.kind == KeyEventKind::Release {
            return Ok(false);
        }
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if control && key.code == KeyCode::Char('c') {
            return Ok(true);
        }
        if control || key.modifiers.contains(KeyModifiers::ALT) {
            return Ok(false);
        }
        let (width, height) = terminal::size()?;
        let has_tower =
            self.menu.is_none() && self.state.as_ref().is_some_and(PlayState::has_tower);
        if screen::too_small(width, height, has_tower).is_some() {
            // The screen shows only how to quit.
            return Ok(key.code == KeyCode::Char('q'));
        }
        if let Some(menu) = &mut self.menu {
            match menu.key(key.code) {
                Some(MenuAction::StartGame(settings)) => self.start_game(settings)?,
                Some(MenuAction::Back) if self.state.is_some() => self.menu = None,
                Some(MenuAction::Back | MenuAction::Quit) => return Ok(true),
                None => {}
            }
        } else if let Some(state) = &mut self.state {
            state.tick(self.started_at.elapsed());
            state.key(key.code);
        }
        Ok(false)
    }

    /// Carries out the effects that the game requests. Returns whether the program ends.
    fn run_effects(&mut self) -> Result<bool, Problem> {
        let Some(state) = &mut self.state else { return Ok(false) };
        for effect in state.take_effects() {
            match effect {
                Effect::ChooseMove { ticket, game, level } => {
                    self.engine.search(ticket, game, Some(level), random_seed());
                }
                Effect::FindHint { ticket, game } => {
                    self.engine.search(ticket, game, None, random_seed());
                }
                Effect::StopSearch => self.engine.stop(),
                Effect::Save { name, overwrite } => {
                    let text = save::record_text(state.game(), state.opponent(), &date::today());
                    state.saved(save::write_file(&name, &text, overwrite));
                }
                Effect::NewGame => self.menu = Some(Menu::new(self.settings)),
                Effect::Quit => return Ok(true),
            }
        }
        Ok(false)
    }
}

/// Returns a random seed from the time.
fn random_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.as_secs() ^ u64::from(now.subsec_micros())
}

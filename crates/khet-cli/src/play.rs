//! `khet play`: a game in the terminal.

mod banner;
mod computer;
mod menu;
mod palette;
mod save;
mod screen;
mod state;

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use khet::{Position, Rules};
use khet_engine::Level;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::crossterm::terminal;

use crate::output::Problem;
use crate::play::computer::{Computer, Gone};
use crate::play::menu::{Choice, Decision, Menu, Side};
use crate::play::palette::Palette;
use crate::play::state::{State, Wish};
use crate::{date, input};

/// Play in the terminal, against the computer or a friend
///
/// Example: khet play --level 4
///
/// With neither --setup, --side, --level nor --friend a start screen lets you choose. Arrow keys
/// and Enter move the pieces, ? shows all keys. The terminal needs 80 × 24 characters.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The start: a setup's name or a position in notation
    #[arg(long, value_name = "NAME|POSITION")]
    setup: Option<String>,
    /// Your colour
    #[arg(long, value_enum, conflicts_with = "friend")]
    side: Option<Side>,
    /// How strong the computer plays, from 1 for a first game to 10
    #[arg(long, value_parser = parse_level, conflicts_with = "friend")]
    level: Option<Level>,
    /// The edition of the rules: standard or czech
    #[arg(long, default_value_t)]
    rules: Rules,
    /// Two people at one keyboard
    #[arg(long)]
    friend: bool,
}

/// The level of a first game that is not too easy.
const USUAL_LEVEL: Level = Level::ALL[2];

fn parse_level(text: &str) -> Result<Level, String> {
    let level = text.parse().ok().and_then(Level::new);
    level.ok_or_else(|| "a level is a number from 1 to 10".to_string())
}

impl Args {
    fn choice(&self) -> Result<Choice, Problem> {
        let start = input::read(self.setup.as_deref().unwrap_or("classic"))?;
        Position::new(&start, self.rules).map_err(|error| Problem::Input(error.to_string()))?;
        Ok(Choice {
            start,
            rules: self.rules,
            friend: self.friend,
            side: self.side.unwrap_or_default(),
            level: self.level.unwrap_or(USUAL_LEVEL),
        })
    }

    /// Whether enough is said for a game to begin.
    fn is_decided(&self) -> bool {
        self.setup.is_some() || self.side.is_some() || self.level.is_some() || self.friend
    }
}

pub(crate) fn run(args: &Args) -> Result<(), Problem> {
    let choice = args.choice()?;
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Err(Problem::Input("play needs a terminal for its input and output".to_string()));
    }
    let (width, height) = terminal::size()?;
    if let Some(complaint) = screen::too_small(width, height) {
        return Err(Problem::Input(complaint));
    }
    let mut app = App::new(choice);
    if args.is_decided() {
        app.begin(choice)?;
    }
    // Also restores the terminal if something panics.
    let mut terminal = ratatui::try_init()?;
    let done = app.run(&mut terminal);
    ratatui::try_restore()?;
    done
}

/// How often the screen is drawn while something moves on it, and while nothing does.
const LIVELY: Duration = Duration::from_millis(25);
const QUIET: Duration = Duration::from_millis(500);

/// The game, the start screen, and all that they need from the world.
struct App {
    /// `None` before the first game.
    state: Option<State>,
    /// Open over the game when a new one is to be chosen.
    menu: Option<Menu>,
    choice: Choice,
    computer: Computer,
    look: Palette,
    began: Instant,
}

impl App {
    fn new(choice: Choice) -> App {
        App {
            state: None,
            menu: Some(Menu::new(choice)),
            choice,
            computer: Computer::new(),
            look: Palette::from_environment(),
            began: Instant::now(),
        }
    }

    fn begin(&mut self, choice: Choice) -> Result<(), Problem> {
        // What the last game has asked is not answered any more.
        self.computer = Computer::new();
        let state = choice.begin(luck(), &date::today());
        let mut state = state.map_err(|error| Problem::Input(error.to_string()))?;
        state.tick(self.began.elapsed());
        self.state = Some(state);
        self.menu = None;
        self.choice = choice;
        Ok(())
    }

    fn run(&mut self, terminal: &mut DefaultTerminal) -> Result<(), Problem> {
        loop {
            if self.fulfil_wishes()? {
                return Ok(());
            }
            let (state, menu) = (self.state.as_ref(), self.menu.as_ref());
            terminal.draw(|frame| screen::draw(frame, state, menu, self.look))?;

            let lively = self.menu.is_none() && state.is_some_and(State::is_lively);
            if event::poll(if lively { LIVELY } else { QUIET })?
                && let Event::Key(key) = event::read()?
                && self.key(key)?
            {
                return Ok(());
            }
            // While the start screen is open, the game stands still.
            if self.menu.is_none()
                && let Some(state) = &mut self.state
            {
                match self.computer.reply() {
                    Ok(Some(reply)) => state.answered(reply),
                    Ok(None) => {}
                    Err(Gone) => {
                        return Err(Problem::Io(io::Error::other("the computer's thread ended")));
                    }
                }
                state.tick(self.began.elapsed());
            }
        }
    }

    /// Returns whether it is time to go.
    fn key(&mut self, key: KeyEvent) -> Result<bool, Problem> {
        if key.kind == KeyEventKind::Release {
            return Ok(false);
        }
        let held = key.modifiers.contains(KeyModifiers::CONTROL);
        if held && key.code == KeyCode::Char('c') {
            return Ok(true);
        }
        if held || key.modifiers.contains(KeyModifiers::ALT) {
            return Ok(false);
        }
        let (width, height) = terminal::size()?;
        if screen::too_small(width, height).is_some() {
            // Only what the screen says then.
            return Ok(key.code == KeyCode::Char('q'));
        }
        if let Some(menu) = &mut self.menu {
            match menu.key(key.code) {
                Some(Decision::Begin(choice)) => self.begin(choice)?,
                Some(Decision::Leave) if self.state.is_some() => self.menu = None,
                Some(Decision::Leave | Decision::Quit) => return Ok(true),
                None => {}
            }
        } else if let Some(state) = &mut self.state {
            state.tick(self.began.elapsed());
            state.key(key.code);
        }
        Ok(false)
    }

    /// Does what the game can't do itself. Returns whether it is time to go.
    fn fulfil_wishes(&mut self) -> Result<bool, Problem> {
        let Some(state) = &mut self.state else { return Ok(false) };
        for wish in state.take_wishes() {
            match wish {
                Wish::Think { ticket, game, level } => {
                    self.computer.ask(ticket, game, Some(level), luck());
                }
                Wish::Hint { ticket, game } => self.computer.ask(ticket, game, None, luck()),
                Wish::Stop => self.computer.stop(),
                Wish::Save { name, overwrite } => {
                    let text = save::record(state.game(), state.opponent(), &date::today());
                    state.saved(save::write(&name, &text, overwrite));
                }
                Wish::NewGame => self.menu = Some(Menu::new(self.choice)),
                Wish::Quit => return Ok(true),
            }
        }
        Ok(false)
    }
}

/// A number that is another one each time.
fn luck() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.as_secs() ^ u64::from(now.subsec_micros())
}

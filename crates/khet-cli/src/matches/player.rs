//! One of the two that play: how its engine is started, and the engine while it runs.

use std::time::Duration;

use super::command_line::CommandLine;
use super::engine::{Engine, EngineOption, Thought, Trouble};

/// An engine as the match knows it.
#[derive(Clone, Debug)]
pub(crate) struct Contestant {
    pub(crate) name: String,
    pub(crate) command: CommandLine,
    pub(crate) options: Vec<EngineOption>,
}

impl Contestant {
    pub(crate) fn start(&self) -> Result<Engine, Trouble> {
        Engine::start(&self.command, &self.options)
    }
}

/// A contestant at a board. Its engine is started once, and anew after trouble.
pub(crate) struct Player<'a> {
    contestant: &'a Contestant,
    engine: Option<Engine>,
}

impl<'a> Player<'a> {
    pub(crate) fn new(contestant: &'a Contestant) -> Player<'a> {
        Player { contestant, engine: None }
    }

    /// Makes the engine ready for another game. An engine that is not is given a second chance with
    /// a new process.
    pub(crate) fn prepare(&mut self) -> Result<(), Trouble> {
        if let Some(engine) = &mut self.engine {
            if engine.new_game().is_ok() {
                return Ok(());
            }
            self.give_up();
        }
        let mut engine = self.contestant.start()?;
        engine.new_game()?;
        self.engine = Some(engine);
        Ok(())
    }

    /// Lets the engine think.
    pub(crate) fn think(
        &mut self,
        position: &str,
        go: &str,
        longest: Duration,
    ) -> Result<Thought, Trouble> {
        let thought = match &mut self.engine {
            Some(engine) => engine.think(position, go, longest),
            None => Err(Trouble::Crash("the engine is not running".to_string())),
        };
        if thought.is_err() {
            self.give_up();
        }
        thought
    }

    /// Ends an engine that can't be trusted any more.
    pub(crate) fn give_up(&mut self) {
        if let Some(engine) = self.engine.take() {
            engine.kill();
        }
    }
}

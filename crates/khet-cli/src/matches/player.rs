//! The engines of a match: how each is started, and a player with a running engine process.

use std::time::Duration;

use super::command_line::CommandLine;
use super::engine_process::{BestMoveReply, EngineFailure, EngineOption, EngineProcess};

/// The configuration of one engine in a match.
#[derive(Clone, Debug)]
pub(crate) struct EngineConfig {
    pub(crate) name: String,
    pub(crate) command: CommandLine,
    pub(crate) options: Vec<EngineOption>,
}

impl EngineConfig {
    pub(crate) fn start(&self) -> Result<EngineProcess, EngineFailure> {
        EngineProcess::start(&self.command, &self.options)
    }
}

/// An engine that plays games one after another. Its process is started once, and again after a
/// failure.
pub(crate) struct EnginePlayer<'a> {
    config: &'a EngineConfig,
    process: Option<EngineProcess>,
}

impl<'a> EnginePlayer<'a> {
    pub(crate) fn new(config: &'a EngineConfig) -> EnginePlayer<'a> {
        EnginePlayer { config, process: None }
    }

    /// Prepares the engine for a new game. If a running process fails, starts a new one.
    pub(crate) fn prepare(&mut self) -> Result<(), EngineFailure> {
        if let Some(process) = &mut self.process {
            if process.new_game().is_ok() {
                return Ok(());
            }
            self.kill();
        }
        let mut process = self.config.start()?;
        process.new_game()?;
        self.process = Some(process);
        Ok(())
    }

    /// Lets the engine search a position. Kills the process if it fails.
    pub(crate) fn search(
        &mut self,
        position: &str,
        go: &str,
        timeout: Duration,
    ) -> Result<BestMoveReply, EngineFailure> {
        let result = match &mut self.process {
            Some(process) => process.search(position, go, timeout),
            None => Err(EngineFailure::Crash("the engine is not running".to_string())),
        };
        if result.is_err() {
            self.kill();
        }
        result
    }

    /// Kills the process, if there is one. The next game starts a new one.
    pub(crate) fn kill(&mut self) {
        if let Some(process) = self.process.take() {
            process.kill();
        }
    }
}

//! The file to which the games of a match are written.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use khet::Color;

use super::game_record::{self, RecordHeader};
use super::player::EngineConfig;
use super::runner::CompletedGame;
use super::search_limit::SearchLimit;
use crate::output::Problem;

/// A writer that appends each game when it ends.
pub(crate) struct RecordWriter<'a> {
    path: &'a Path,
    file: File,
    time_control: String,
    seed: u64,
}

impl<'a> RecordWriter<'a> {
    /// Creates the file, or empties an existing one.
    pub(crate) fn create(
        path: &'a Path,
        limit: SearchLimit,
        seed: u64,
    ) -> Result<RecordWriter<'a>, Problem> {
        let time_control = limit.to_string();
        match File::create(path) {
            Ok(file) => Ok(RecordWriter { path, file, time_control, seed }),
            Err(error) => Err(Problem::Input(format!("{}: {error}", path.display()))),
        }
    }

    /// Appends a game to the file.
    pub(crate) fn write_game(
        &mut self,
        engines: &[EngineConfig; 2],
        finished: &CompletedGame,
    ) -> Result<(), Problem> {
        let [first, second] = engines.each_ref().map(|engine| engine.name.as_str());
        let (names, game) = match finished.color {
            Color::Silver => ([first, second], 1),
            Color::Red => ([second, first], 2),
        };
        let header = RecordHeader {
            round: &format!("{}.{game}", finished.pair + 1),
            names,
            time_control: &self.time_control,
            seed: self.seed,
        };
        let record = game_record::record(&header, &finished.game)
            .map_err(|error| Problem::Input(error.to_string()))?;
        // In one write, so that the file has only whole games if the match is interrupted.
        let written = self.file.write_all(format!("{record}\n").as_bytes());
        written.map_err(|error| {
            let text = format!("{}: {error}", self.path.display());
            Problem::Io(io::Error::new(error.kind(), text))
        })
    }
}

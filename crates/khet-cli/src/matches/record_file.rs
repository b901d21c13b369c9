//! The file into which the games of a match are written.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use khet::Color;

use super::hall::Finished;
use super::player::Contestant;
use super::scoresheet::{self, Heading};
use super::search_limit::SearchLimit;
use crate::output::Problem;

/// Games are written as they end.
pub(crate) struct RecordFile<'a> {
    path: &'a Path,
    file: File,
    time_control: String,
    seed: u64,
}

impl<'a> RecordFile<'a> {
    pub(crate) fn create(
        path: &'a Path,
        limit: SearchLimit,
        seed: u64,
    ) -> Result<RecordFile<'a>, Problem> {
        let time_control = limit.to_string();
        match File::create(path) {
            Ok(file) => Ok(RecordFile { path, file, time_control, seed }),
            Err(error) => Err(Problem::Input(format!("{}: {error}", path.display()))),
        }
    }

    pub(crate) fn write(
        &mut self,
        contestants: &[Contestant; 2],
        finished: &Finished,
    ) -> Result<(), Problem> {
        let [first, second] = contestants.each_ref().map(|contestant| contestant.name.as_str());
        let (names, game) = match finished.color {
            Color::Silver => ([first, second], 1),
            Color::Red => ([second, first], 2),
        };
        let heading = Heading {
            round: &format!("{}.{game}", finished.pair + 1),
            names,
            time_control: &self.time_control,
            seed: self.seed,
        };
        let record = scoresheet::record(&heading, &finished.played)
            .map_err(|error| Problem::Input(error.to_string()))?;
        // In one go, so that whoever ends the match early finds whole games.
        let written = self.file.write_all(format!("{record}\n").as_bytes());
        written.map_err(|error| {
            let text = format!("{}: {error}", self.path.display());
            Problem::Io(io::Error::new(error.kind(), text))
        })
    }
}

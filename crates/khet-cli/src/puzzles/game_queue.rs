//! The games in which `khet puzzles make` looks for puzzles: those of record files, then games
//! between levels of the engine.

use std::collections::VecDeque;
use std::path::PathBuf;

use khet::{AnyPosition, Game, Position, Record, Rules, Setup};
use khet_puzzles::PuzzleSource;
use khet_puzzles::generator::PuzzleSet;

use crate::output::Problem;
use crate::record_reader::RecordReader;

/// A game to look through.
pub(super) enum QueuedGame {
    /// A game from a file, with its number, counted from 1.
    Record { file: String, number: u32, game: Game },
    /// A game that is still to be played.
    SelfPlay { setup: Setup, number: u32 },
}

/// Hands out one game after the other, without end.
pub(super) struct GameQueue {
    files: VecDeque<RecordFile>,
    next_number: u32,
    seed: u64,
    warnings: Vec<String>,
}

/// A record file that is being read.
struct RecordFile {
    reader: RecordReader,
    name: String,
    /// The number of games read.
    games: u32,
}

impl GameQueue {
    /// Opens the record files. Games that the set has puzzles of, and those before them, are left
    /// out.
    pub(super) fn open(
        paths: &[PathBuf],
        seed: u64,
        set: &PuzzleSet,
    ) -> Result<GameQueue, Problem> {
        let open = |path: &PathBuf| {
            let reader = RecordReader::open(path, Rules::Standard)?;
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            Ok(RecordFile { reader, name: PuzzleSource::file_name(&stem), games: 0 })
        };
        let next_number = set.finished_games(seed);
        Ok(GameQueue {
            files: paths.iter().map(open).collect::<Result<_, Problem>>()?,
            next_number,
            seed,
            warnings: Vec::new(),
        })
    }

    /// Returns the next game.
    pub(super) fn next(&mut self, set: &PuzzleSet) -> QueuedGame {
        while let Some(file) = self.files.front_mut() {
            match file.reader.next() {
                Ok(Some(Ok(record))) => {
                    file.games += 1;
                    if file.games > set.finished_records(&file.name)
                        && let Some(game) = standard_game(&record)
                    {
                        return QueuedGame::Record {
                            file: file.name.clone(),
                            number: file.games,
                            game,
                        };
                    }
                }
                Ok(Some(Err(fault))) => {
                    file.games += 1;
                    self.warnings.push(format!("{}: {fault}", file.reader.name()));
                }
                Ok(None) => {
                    self.files.pop_front();
                }
                Err(problem) => {
                    let name = file.reader.name();
                    self.warnings.push(format!("{name}: cannot be read to its end: {problem:?}"));
                    self.files.pop_front();
                }
            }
        }
        let number = self.next_number;
        self.next_number += 1;
        QueuedGame::SelfPlay { setup: self.draw_setup(set, number), number }
    }

    /// Returns the messages about games that can't be read, and forgets them.
    pub(super) fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    /// Draws the setup of a game, by how much the set needs its pieces.
    fn draw_setup(&self, set: &PuzzleSet, number: u32) -> Setup {
        let demands = Setup::ALL.map(|setup| set.demand(setup));
        let mut random = fastrand::Rng::with_seed(self.seed ^ (u64::from(number) << 32));
        let mut drawn = random.u32(..demands.iter().sum::<u32>());
        for (setup, demand) in Setup::ALL.into_iter().zip(demands) {
            if drawn < demand {
                return setup;
            }
            drawn -= demand;
        }
        Setup::Classic
    }
}

/// Returns the game of a record, under standard rules; `None` with a tower.
fn standard_game(record: &Record<AnyPosition>) -> Option<Game> {
    let AnyPosition::Standard(start) = record.start() else { return None };
    let mut game: Game<Position> = Game::new(start.with_rules(Rules::Standard));
    for ply in &record.main_line().plies {
        game.play(ply.mv.without_tower()?).ok()?;
    }
    Some(game)
}

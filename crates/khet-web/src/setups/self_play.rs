//! The fairness test of the setup editor: a short search of the start position, and quick games of
//! the engine against itself. The rules of the test are in [`khet_review::Fairness`].

use khet::{Color, GamePosition, SilverEval};
use khet_protocol::SetupResults;
use khet_review::Fairness;

use crate::engine::{WorkerResult, position_command};
use crate::rules::Position;

/// Nodes for the search of a setup. A limit of nodes gives the same result on every machine.
const SEARCH_NODES: u32 = 300_000;
/// Nodes for the search of a random setup that may be discarded.
const QUICK_SEARCH_NODES: u32 = 60_000;
/// Number of games of a test.
pub const GAMES: u32 = 20;
/// Nodes per move of a game.
const MOVE_NODES: u32 = 3_000;
/// The level that plays the opening moves.
const OPENING_LEVEL: u8 = 4;
/// The level that plays the other moves.
const GAME_LEVEL: u8 = 7;

/// Returns the engine commands that set the rules and the options, and search.
fn search_commands(position: &Position, options: &[String], nodes: u32) -> Vec<String> {
    let mut lines = vec![format!("setoption name Rules value {}", position.rules())];
    lines.extend_from_slice(options);
    lines.push(format!("go nodes {nodes}"));
    lines
}

/// Returns the engine commands that search a position at full strength.
fn evaluation_commands(position: &Position, nodes: u32) -> Vec<String> {
    let set = ["setoption name Level value 10".to_owned(), format!("position fen {position}")];
    search_commands(position, &set, nodes)
}

/// Returns the engine commands that evaluate a setup.
pub fn evaluate(position: &Position) -> Vec<String> {
    evaluation_commands(position, SEARCH_NODES)
}

/// Returns the engine commands that evaluate a random setup quickly.
pub fn evaluate_quickly(position: &Position) -> Vec<String> {
    evaluation_commands(position, QUICK_SEARCH_NODES)
}

/// Returns the evaluation in the engine's reply.
pub fn eval(position: &Position, reply: WorkerResult) -> Option<SilverEval> {
    Some(reply.score?.for_silver(position.side_to_move()))
}

/// Quick games from one start position, with their results so far.
#[derive(Clone, Debug)]
pub struct SelfPlayTest {
    games: khet_review::SelfPlay<Position>,
    results: SetupResults,
}

impl SelfPlayTest {
    /// Starts the first game. The seed determines the openings.
    pub fn new(start: Position, seed: u32) -> SelfPlayTest {
        SelfPlayTest {
            games: khet_review::SelfPlay::new(start, seed),
            results: SetupResults::default(),
        }
    }

    /// Returns the results so far.
    pub fn results(&self) -> SetupResults {
        self.results
    }

    /// Returns whether all games are finished.
    pub fn is_over(&self) -> bool {
        self.games.games() >= GAMES
    }

    /// Returns the engine commands for the next move.
    pub fn commands(&self) -> Vec<String> {
        let search = self.games.next_search();
        let level = if search.opening { OPENING_LEVEL } else { GAME_LEVEL };
        let set = [
            format!("setoption name Level value {level}"),
            format!("setoption name Seed value {}", search.seed),
            position_command(search.game),
        ];
        search_commands(search.game.start(), &set, MOVE_NODES)
    }

    /// Plays the move of the engine's reply.
    pub fn play(&mut self, reply: WorkerResult) {
        match self.games.add_result(reply.mv, reply.score) {
            Some(Some(Color::Silver)) => self.results.silver += 1,
            Some(Some(Color::Red)) => self.results.red += 1,
            Some(None) => self.results.draws += 1,
            None => {}
        }
    }
}

/// Judges a setup by the results of its games.
pub fn fairness_of_games(results: SetupResults) -> Fairness {
    results.score().map_or(Fairness::Even, |(score, error)| Fairness::from_score(score, error))
}

#[cfg(test)]
mod tests {
    use khet::Setup;

    use super::*;

    #[test]
    fn results_of_all_games_are_counted() {
        let mut games = SelfPlayTest::new(Setup::Classic.position().into(), 1);
        let commands = games.commands();
        assert_eq!(commands.last().map(String::as_str), Some("go nodes 3000"), "{commands:?}");
        while !games.is_over() {
            games.play(WorkerResult { mv: None, score: None });
        }
        assert_eq!(games.results(), SetupResults { draws: GAMES, ..SetupResults::default() });
    }

    #[test]
    fn few_games_do_not_make_a_setup_lopsided() {
        let games = |silver, draws, red| fairness_of_games(SetupResults { silver, draws, red });
        assert_eq!(games(0, 0, 0), Fairness::Even);
        assert_eq!(games(1, 0, 0), Fairness::Even);
        assert_eq!(games(10, 2, 8), Fairness::Even);
        assert_eq!(games(19, 1, 0), Fairness::Lopsided(Color::Silver));
    }
}

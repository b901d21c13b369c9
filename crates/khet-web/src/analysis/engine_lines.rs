//! The search of the current position, and the lines that it reports.

use khet::{Color, GamePosition};
use khet_review::PositionEval;

use crate::board::{Hint, HintKind};
use crate::engine::{SearchInfo, position_command};
use crate::rules::{Game, Move};

/// Maximum number of lines.
pub const MAX_LINES: usize = 5;

/// Nodes after which the search ends, to save the battery when the page is left open.
const NODE_LIMIT: u64 = 300_000_000;

/// A search for the best lines of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineSearch {
    /// The commands of the engine protocol.
    pub commands: Vec<String>,
    /// The side to move in the searched position.
    pub mover: Color,
    /// True if it searches the threat: the best move of the other side if it were to move.
    pub threat: bool,
}

impl LineSearch {
    /// Creates a search of the last position of a game, or of the threat in it. Returns `None` if
    /// the game is over.
    pub fn new(game: &Game, lines: usize, threat: bool) -> Option<LineSearch> {
        if game.outcome().is_some() {
            return None;
        }
        let position = if threat { game.position().after_null_move() } else { *game.position() };
        if position.outcome().is_some() {
            return None;
        }
        let position_command = if threat {
            format!("position fen {}", position.placement())
        } else {
            position_command(game)
        };
        let mut commands = options(&position, lines);
        commands.extend([position_command, format!("go nodes {NODE_LIMIT}")]);
        Some(LineSearch { commands, mover: position.side_to_move(), threat })
    }
}

/// Returns the commands that set the engine to full strength with this number of lines.
pub fn options(position: &impl GamePosition, lines: usize) -> Vec<String> {
    vec![
        format!("setoption name Rules value {}", position.rules()),
        "setoption name Level value 10".to_owned(),
        format!("setoption name MultiPV value {lines}"),
    ]
}

/// A principal variation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineLine {
    /// Its evaluation.
    pub eval: PositionEval,
    /// Search depth in plies.
    pub depth: u32,
    /// Its moves.
    pub moves: Vec<Move>,
}

/// The lines that a search has reported so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineLines {
    /// Lines, best first.
    pub lines: Vec<EngineLine>,
    /// Greatest search depth in plies.
    pub depth: u32,
    /// Searched nodes.
    pub nodes: u64,
    /// Nodes per second.
    pub nodes_per_second: u64,
}

impl EngineLines {
    /// Adds a report of the engine.
    pub fn add(&mut self, info: SearchInfo, mover: Color) {
        let index = info.multipv.saturating_sub(1);
        if index >= MAX_LINES || index > self.lines.len() || info.moves.is_empty() {
            return;
        }
        let eval = PositionEval::from_mover(info.score, mover);
        let line = EngineLine { eval, depth: info.depth, moves: info.moves };
        match self.lines.get_mut(index) {
            Some(known) => *known = line,
            None => self.lines.push(line),
        }
        self.depth = self.depth.max(info.depth);
        (self.nodes, self.nodes_per_second) = (info.nodes, info.nps);
    }

    /// Returns the first moves of the lines as arrows. The best one is last, on top of the others.
    pub fn hints(&self, threat: bool) -> Vec<Hint> {
        let kind = |index: usize| match (threat, index) {
            (true, _) => HintKind::Threat,
            (false, 0) => HintKind::Best,
            (false, _) => HintKind::Other,
        };
        let count = if threat { 1 } else { MAX_LINES };
        let first_move = |(index, line): (usize, &EngineLine)| {
            line.moves.first().map(|&mv| Hint { mv, kind: kind(index) })
        };
        let mut hints: Vec<Hint> =
            self.lines.iter().take(count).enumerate().filter_map(first_move).collect();
        hints.reverse();
        hints
    }
}

#[cfg(test)]
mod tests {
    use khet::{MoverEval, Setup};

    use super::*;

    fn info(line: usize, cents: i32, mv: &str) -> SearchInfo {
        let moves = vec![mv.parse().expect("a move")];
        SearchInfo {
            depth: 7,
            multipv: line,
            score: MoverEval::Cp(cents),
            nodes: 900,
            nps: 10,
            moves,
        }
    }

    #[test]
    fn evaluations_are_from_silvers_point_of_view() {
        let mut lines = EngineLines::default();
        lines.add(info(1, 30, "c7c6"), Color::Red);
        lines.add(info(2, 10, "c7c8"), Color::Red);
        lines.add(info(9, 10, "c7c8"), Color::Red);
        let evals: Vec<String> =
            lines.lines.iter().map(|line| format!("{:+}", line.eval)).collect();
        assert_eq!(evals, ["-0.30", "-0.10"]);
        let hints: Vec<HintKind> = lines.hints(false).iter().map(|hint| hint.kind).collect();
        assert_eq!(hints, [HintKind::Other, HintKind::Best]);
        assert_eq!(lines.hints(true).len(), 1);
    }

    #[test]
    fn a_threat_is_searched_with_the_other_side_to_move() {
        let game = Game::new(Setup::Classic.position().into());
        let plain = LineSearch::new(&game, 3, false).expect("a search");
        let threat = LineSearch::new(&game, 3, true).expect("a search");
        assert_eq!((plain.mover, threat.mover), (Color::Silver, Color::Red));
        assert!(
            threat
                .commands
                .iter()
                .any(|line| line.starts_with("position fen") && line.ends_with(" r"))
        );
        assert!(plain.commands.contains(&"setoption name MultiPV value 3".to_owned()));
    }
}

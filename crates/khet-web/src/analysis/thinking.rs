//! What the engine thinks of the place that is looked at.

use khet::{Color, Game, Move, Position};
use khet_review::PositionEval;

use crate::board::{Hint, HintKind};
use crate::engine::{SearchInfo, position_command};

/// The most lines that are shown.
pub const MOST_LINES: usize = 5;

/// When it has looked at so many positions, it rests: nobody waits for more.
const ENOUGH: u64 = 300_000_000;

/// What the engine is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The lines of its protocol.
    pub lines: Vec<String>,
    /// Who is to move there.
    pub mover: Color,
    /// It is asked what the other side would do.
    pub threat: bool,
}

impl Question {
    /// What are the best lines in a game as it stands? As a threat: what if it were the other's turn? Nothing, where the
    /// game is over.
    pub fn new(game: &Game, lines: usize, threat: bool) -> Option<Question> {
        if game.outcome().is_some() {
            return None;
        }
        let position = if threat { game.position().after_null_move() } else { *game.position() };
        if position.outcome().is_some() {
            return None;
        }
        let asked = if threat {
            format!("position fen {}", position.placement())
        } else {
            position_command(game)
        };
        let mut question = options(&position, lines);
        question.extend([asked, format!("go nodes {ENOUGH}")]);
        Some(Question { lines: question, mover: position.side_to_move(), threat })
    }
}

/// The engine's options for full strength.
pub fn options(position: &Position, lines: usize) -> Vec<String> {
    vec![
        format!("setoption name Rules value {}", position.rules()),
        "setoption name Level value 10".to_owned(),
        format!("setoption name MultiPV value {lines}"),
    ]
}

/// A line that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// What it is worth.
    pub eval: PositionEval,
    /// How deep it was looked into.
    pub depth: u32,
    /// Its turns.
    pub moves: Vec<Move>,
}

/// All that is known so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Thought {
    /// Lines, the best first.
    pub found: Vec<Found>,
    /// How deep it has looked.
    pub depth: u32,
    /// Positions it has looked at.
    pub nodes: u64,
    /// How many in a second.
    pub speed: u64,
}

impl Thought {
    /// Takes in what the engine says.
    pub fn hear(&mut self, info: SearchInfo, mover: Color) {
        let at = info.multipv.saturating_sub(1);
        if at >= MOST_LINES || at > self.found.len() || info.moves.is_empty() {
            return;
        }
        let eval = PositionEval::from_mover(info.score, mover);
        let found = Found { eval, depth: info.depth, moves: info.moves };
        match self.found.get_mut(at) {
            Some(known) => *known = found,
            None => self.found.push(found),
        }
        self.depth = self.depth.max(info.depth);
        (self.nodes, self.speed) = (info.nodes, info.nps);
    }

    /// The first moves of the lines as arrows, the best one last.
    pub fn hints(&self, threat: bool) -> Vec<Hint> {
        let kind = |at: usize| match (threat, at) {
            (true, _) => HintKind::Threat,
            (false, 0) => HintKind::Best,
            (false, _) => HintKind::Other,
        };
        let shown = if threat { 1 } else { MOST_LINES };
        let first = |(at, found): (usize, &Found)| {
            found.moves.first().map(|&mv| Hint { mv, kind: kind(at) })
        };
        let mut hints: Vec<Hint> =
            self.found.iter().take(shown).enumerate().filter_map(first).collect();
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
    fn lines_are_told_as_silvers() {
        let mut thought = Thought::default();
        thought.hear(info(1, 30, "c7c6"), Color::Red);
        thought.hear(info(2, 10, "c7c8"), Color::Red);
        thought.hear(info(9, 10, "c7c8"), Color::Red);
        let worths: Vec<String> =
            thought.found.iter().map(|found| format!("{:+}", found.eval)).collect();
        assert_eq!(worths, ["-0.30", "-0.10"]);
        let hints: Vec<HintKind> = thought.hints(false).iter().map(|hint| hint.kind).collect();
        assert_eq!(hints, [HintKind::Other, HintKind::Best]);
        assert_eq!(thought.hints(true).len(), 1);
    }

    #[test]
    fn a_threat_is_asked_with_the_other_side_to_move() {
        let game = Game::new(Setup::Classic.position());
        let plain = Question::new(&game, 3, false).expect("a question");
        let threat = Question::new(&game, 3, true).expect("a question");
        assert_eq!((plain.mover, threat.mover), (Color::Silver, Color::Red));
        assert!(
            threat
                .lines
                .iter()
                .any(|line| line.starts_with("position fen") && line.ends_with(" r"))
        );
        assert!(plain.lines.contains(&"setoption name MultiPV value 3".to_owned()));
    }
}

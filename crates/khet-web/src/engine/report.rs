//! What the engine says, in lines of its protocol.

use khet::{Move, MoverEval};

/// What it thinks while it thinks. Evaluations take the view of the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// How deep it has looked.
    pub depth: u32,
    /// Which of the best lines this is, from 1.
    pub line: usize,
    /// What that is worth.
    pub score: MoverEval,
    /// Positions that it has looked at.
    pub nodes: u64,
    /// How many in a second.
    pub speed: u64,
    /// The line.
    pub moves: Vec<Move>,
}

/// Its answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reply {
    /// What it would play; `None` if it has no move, or did not understand the question.
    pub mv: Option<Move>,
    /// What that is worth to the side to move.
    pub score: Option<MoverEval>,
}

/// A line that means something.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Heard {
    Info(Info),
    Complaint,
    Best(Option<Move>),
}

impl Heard {
    /// Reads a line; `None` of one that can be left unread.
    pub(super) fn read(line: &str) -> Option<Heard> {
        let mut words = line.split_ascii_whitespace();
        match words.next()? {
            "bestmove" => Some(Heard::Best(words.next().and_then(|mv| mv.parse().ok()))),
            "info" => {
                let mut info = Info {
                    depth: 0,
                    line: 1,
                    score: MoverEval::Cp(0),
                    nodes: 0,
                    speed: 0,
                    moves: Vec::new(),
                };
                let mut scored = false;
                while let Some(name) = words.next() {
                    match name {
                        "string" => return Some(Heard::Complaint),
                        "score" => {
                            let (unit, number) = (words.next()?, words.next()?);
                            info.score = MoverEval::from_uki(unit, number.parse().ok()?)?;
                            scored = true;
                        }
                        "depth" => info.depth = words.next()?.parse().ok()?,
                        "multipv" => info.line = words.next()?.parse().ok()?,
                        "nodes" => info.nodes = words.next()?.parse().ok()?,
                        "nps" => info.speed = words.next()?.parse().ok()?,
                        "pv" => {
                            info.moves =
                                words.by_ref().map_while(|word| word.parse().ok()).collect()
                        }
                        _ => {}
                    }
                }
                scored.then_some(Heard::Info(info))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_say_what_it_thinks() {
        let line = "info depth 9 seldepth 14 multipv 2 score cp -80 nodes 900 nps 5000 hashfull 3 time 180 pv h2+ c7c6";
        let info = Info {
            depth: 9,
            line: 2,
            score: MoverEval::Cp(-80),
            nodes: 900,
            speed: 5000,
            moves: ["h2+", "c7c6"].map(|mv| mv.parse().expect("a move")).to_vec(),
        };
        assert_eq!(Heard::read(line), Some(Heard::Info(info)));
        let Some(Heard::Info(info)) = Heard::read("info score mate -2 nodes 9") else {
            panic!("an info")
        };
        assert_eq!(info.score, MoverEval::MateIn(-2));
    }

    #[test]
    fn the_last_line_is_the_answer() {
        assert_eq!(Heard::read("bestmove h2+ ponder c7c6"), Some(Heard::Best("h2+".parse().ok())));
        assert_eq!(Heard::read("bestmove (none)"), Some(Heard::Best(None)));
        assert_eq!(Heard::read("info string unknown command"), Some(Heard::Complaint));
        for other in ["", "readyok", "info depth x", "info nodes 7", "info score cp"] {
            assert_eq!(Heard::read(other), None, "{other}");
        }
    }
}

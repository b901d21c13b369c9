//! The engine's output, parsed from lines of the engine protocol.

use khet::MoverEval;

use crate::rules::Move;

/// A report during a search. Evaluations are from the point of view of the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchInfo {
    /// The search depth.
    pub depth: u32,
    /// The rank of this line among the best lines, from 1.
    pub multipv: usize,
    /// The evaluation.
    pub score: MoverEval,
    /// The number of nodes searched.
    pub nodes: u64,
    /// Nodes per second.
    pub nps: u64,
    /// The principal variation.
    pub moves: Vec<Move>,
}

/// The result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WorkerResult {
    /// The best move; `None` if there is no legal move or the engine reported an error.
    pub mv: Option<Move>,
    /// The evaluation from the point of view of the side to move.
    pub score: Option<MoverEval>,
}

/// A line of output that the app uses.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum EngineOutput {
    Info(SearchInfo),
    Error,
    BestMove(Option<Move>),
}

impl EngineOutput {
    /// Parses a line. Returns `None` for lines that the app does not use.
    pub(super) fn parse(line: &str) -> Option<EngineOutput> {
        let mut words = line.split_ascii_whitespace();
        match words.next()? {
            "bestmove" => Some(EngineOutput::BestMove(words.next().and_then(|mv| mv.parse().ok()))),
            "info" => {
                let mut info = SearchInfo {
                    depth: 0,
                    multipv: 1,
                    score: MoverEval::Cp(0),
                    nodes: 0,
                    nps: 0,
                    moves: Vec::new(),
                };
                let mut scored = false;
                while let Some(name) = words.next() {
                    match name {
                        "string" => return Some(EngineOutput::Error),
                        "score" => {
                            let (unit, number) = (words.next()?, words.next()?);
                            info.score = MoverEval::from_uki(unit, number.parse().ok()?)?;
                            scored = true;
                        }
                        "depth" => info.depth = words.next()?.parse().ok()?,
                        "multipv" => info.multipv = words.next()?.parse().ok()?,
                        "nodes" => info.nodes = words.next()?.parse().ok()?,
                        "nps" => info.nps = words.next()?.parse().ok()?,
                        "pv" => {
                            info.moves =
                                words.by_ref().map_while(|word| word.parse().ok()).collect()
                        }
                        _ => {}
                    }
                }
                scored.then_some(EngineOutput::Info(info))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn info_lines_are_parsed() {
        let line = "info depth 9 seldepth 14 multipv 2 score cp -80 nodes 900 nps 5000 hashfull 3 time 180 pv h2+ c7c6";
        let info = SearchInfo {
            depth: 9,
            multipv: 2,
            score: MoverEval::Cp(-80),
            nodes: 900,
            nps: 5000,
            moves: ["h2+", "c7c6"].map(|mv| mv.parse().expect("a move")).to_vec(),
        };
        assert_eq!(EngineOutput::parse(line), Some(EngineOutput::Info(info)));
        let Some(EngineOutput::Info(info)) = EngineOutput::parse("info score mate -2 nodes 9")
        else {
            panic!("an info")
        };
        assert_eq!(info.score, MoverEval::MateIn(-2));
    }

    #[test]
    fn best_moves_and_errors_are_parsed() {
        assert_eq!(
            EngineOutput::parse("bestmove h2+ ponder c7c6"),
            Some(EngineOutput::BestMove("h2+".parse().ok()))
        );
        assert_eq!(EngineOutput::parse("bestmove (none)"), Some(EngineOutput::BestMove(None)));
        assert_eq!(EngineOutput::parse("info string unknown command"), Some(EngineOutput::Error));
        for other in ["", "readyok", "info depth x", "info nodes 7", "info score cp"] {
            assert_eq!(EngineOutput::parse(other), None, "{other}");
        }
    }
}

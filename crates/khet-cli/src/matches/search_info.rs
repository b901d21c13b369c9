//! The `info` lines of an engine.

use khet::{Color, MoverEval, SilverEval};

/// Depth, nodes and score from the last `info` lines of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct EngineInfo {
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    /// From the engine's point of view.
    score: Option<MoverEval>,
}

/// Limit of centipyramid scores and move counts. Clamping keeps their negation from overflowing.
const MAX_SCORE: i32 = 1_000_000;

impl EngineInfo {
    /// Parses the words after `info`. Ignores unknown ones.
    pub(crate) fn update(&mut self, words: &str) {
        let mut words = words.split_whitespace();
        let (mut depth, mut nodes, mut score) = (None, None, None);
        while let Some(word) = words.next() {
            match word {
                // Free text or moves follow, to the end of the line.
                "string" | "pv" => break,
                "depth" => depth = words.next().and_then(|number| number.parse().ok()),
                "nodes" => nodes = words.next().and_then(|number| number.parse().ok()),
                // Only the best line counts, and only exact scores.
                "multipv" if words.next() != Some("1") => return,
                "lowerbound" | "upperbound" => score = None,
                "score" => score = read_score(words.next(), words.next()),
                _ => {}
            }
        }
        self.nodes = nodes.or(self.nodes);
        if score.is_some() {
            self.score = score;
            self.depth = depth.or(self.depth);
        }
    }

    /// Returns the score from Silver's point of view, for an engine that plays `color`.
    pub(crate) fn evaluation(&self, color: Color) -> Option<SilverEval> {
        self.score.map(|score| score.for_silver(color))
    }
}

fn read_score(unit: Option<&str>, number: Option<&str>) -> Option<MoverEval> {
    let number: i32 = number?.parse().ok()?;
    MoverEval::from_uki(unit?, number.clamp(-MAX_SCORE, MAX_SCORE))
}

//! What an engine says about its thinking.

use khet::{Color, MoverEval, SilverEval};

/// The gist of the `info` lines of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Info {
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    /// The evaluation of the best line.
    score: Option<MoverEval>,
}

/// No engine's hundredths mean anything beyond this.
const LARGEST: i32 = 1_000_000;

impl Info {
    /// Takes in the words behind `info`. What is not understood is left alone.
    pub(crate) fn update(&mut self, words: &str) {
        let mut words = words.split_whitespace();
        let (mut depth, mut nodes, mut score) = (None, None, None);
        while let Some(word) = words.next() {
            match word {
                // What follows can be anything.
                "string" | "pv" => break,
                "depth" => depth = words.next().and_then(|number| number.parse().ok()),
                "nodes" => nodes = words.next().and_then(|number| number.parse().ok()),
                // Only the best line counts, and only where its score is more than a bound.
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

    /// Returns the evaluation of an engine that plays `color` from Silver's point of view.
    pub(crate) fn evaluation(&self, color: Color) -> Option<SilverEval> {
        self.score.map(|score| score.for_silver(color))
    }
}

fn read_score(unit: Option<&str>, number: Option<&str>) -> Option<MoverEval> {
    let number: i32 = number?.parse().ok()?;
    MoverEval::from_uki(unit?, number.clamp(-LARGEST, LARGEST))
}

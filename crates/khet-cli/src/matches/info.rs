//! What an engine says about its thinking.

use khet::{Color, Evaluation};

/// The gist of the `info` lines of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Info {
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    /// As the engine sees it, whose turn it is.
    score: Option<Evaluation>,
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

    /// The score as Silver sees it, of an engine that plays `color`.
    pub(crate) fn evaluation(&self, color: Color) -> Option<Evaluation> {
        let sign = if color == Color::Silver { 1 } else { -1 };
        self.score.map(|score| match score {
            Evaluation::Cents(cents) => Evaluation::Cents(sign * cents),
            Evaluation::LightsIn(moves) => Evaluation::LightsIn(sign * moves),
        })
    }
}

fn read_score(unit: Option<&str>, number: Option<&str>) -> Option<Evaluation> {
    let number: i32 = number?.parse().ok()?;
    let number = number.clamp(-LARGEST, LARGEST);
    match unit? {
        "cp" => Some(Evaluation::Cents(number)),
        "mate" => Some(Evaluation::LightsIn(number)),
        _ => None,
    }
}

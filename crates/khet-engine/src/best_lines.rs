//! MultiPV search for analysis: the best lines of a position with their scores.

use crate::{Control, Engine, Info, Limits, SearchRoot};

impl Engine {
    /// Returns the principal variations of the last completed iteration, best first, and the number
    /// of nodes. There is one per `Options::multi_pv`, and none if no move is legal.
    pub fn best_lines(
        &mut self,
        search_root: &SearchRoot,
        limits: Limits,
        control: Control,
    ) -> (Vec<Info>, u64) {
        let (mut lines, mut nodes) = self.search_lines(search_root, limits, control);
        // A limit reached in the first iteration leaves moves without a score.
        if lines.iter().any(|info| info.depth == 1) {
            let first = Limits { depth: Some(1), ..Limits::default() };
            let (whole, more) = self.search_lines(search_root, first, control);
            lines = whole;
            nodes += more;
        }
        (lines, nodes)
    }

    /// Searches, and returns the lines of the last iteration and the number of nodes.
    fn search_lines(
        &mut self,
        search_root: &SearchRoot,
        limits: Limits,
        control: Control,
    ) -> (Vec<Info>, u64) {
        let mut lines: Vec<Info> = Vec::new();
        let answer = self.search(search_root, limits, control, &mut |info| {
            if info.multi_pv == 1 {
                lines.clear();
            }
            lines.push(info.clone());
        });
        (lines, answer.nodes)
    }
}

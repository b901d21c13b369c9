//! The best lines of a position, each with a score: what analyses ask for.

use crate::{Control, Engine, Info, Limits, Task};

impl Engine {
    /// The lines of the last ply that was searched to its end, best first, and the nodes; none where no move is legal.
    pub fn lines(&mut self, task: &Task, limits: Limits, control: Control) -> (Vec<Info>, u64) {
        let (mut lines, mut nodes) = self.lines_within(task, limits, control);
        // A limit that is reached in the first ply leaves moves without a score.
        if lines.iter().any(|info| info.depth == 1) {
            let first = Limits { depth: Some(1), ..Limits::default() };
            let (whole, more) = self.lines_within(task, first, control);
            lines = whole;
            nodes += more;
        }
        (lines, nodes)
    }

    fn lines_within(&mut self, task: &Task, limits: Limits, control: Control) -> (Vec<Info>, u64) {
        let mut lines: Vec<Info> = Vec::new();
        let answer = self.search(task, limits, control, &mut |info| {
            if info.multi_pv == 1 {
                lines.clear();
            }
            lines.push(info.clone());
        });
        (lines, answer.nodes)
    }
}

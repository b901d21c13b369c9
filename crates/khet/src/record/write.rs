//! Writing records. Equal records have equal texts.

use std::fmt::{self, Write};

use super::{Comment, Record, Variation};
use crate::{Color, GamePosition};

/// The maximum width of a line of moves. Comments are not broken.
const MAX_LINE_WIDTH: usize = 100;

impl<P: GamePosition> fmt::Display for Record<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.tags() {
            let value = value.replace('\\', r"\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{value}\"]")?;
        }
        writeln!(f)?;
        let mut writer = RecordFormatter { out: f, column: 0, no_space: true };
        let count = self.start.side_to_move() as usize;
        writer.moves(&self.main_line, self.start, count)?;
        writer.word(self.result.text())?;
        writeln!(f)
    }
}

struct RecordFormatter<'a, 'b> {
    out: &'a mut fmt::Formatter<'b>,
    column: usize,
    /// True if the next word is written without a space before it.
    no_space: bool,
}

impl RecordFormatter<'_, '_> {
    /// Writes a word after a space, or on a new line if it does not fit.
    fn word(&mut self, word: &str) -> fmt::Result {
        let length = word.chars().count();
        if !self.no_space {
            if self.column + 1 + length > MAX_LINE_WIDTH {
                self.out.write_char('\n')?;
                self.column = 0;
            } else {
                self.out.write_char(' ')?;
                self.column += 1;
            }
        }
        self.no_space = false;
        self.column += length;
        self.out.write_str(word)
    }

    /// Writes comments in braces.
    fn comments(&mut self, comments: &[Comment]) -> fmt::Result {
        comments.iter().try_for_each(|comment| self.word(&format!("{{{}}}", comment.text())))
    }

    /// Writes moves from a position. `count` is the number of plies since Silver's first turn, so
    /// it is odd when Red is to move.
    fn moves<P: GamePosition>(
        &mut self,
        variation: &Variation<P::Square>,
        mut position: P,
        mut count: usize,
    ) -> fmt::Result {
        self.comments(&variation.comments)?;
        // A move of Red is numbered unless it directly follows one of Silver.
        let mut interrupted = true;
        for ply in &variation.plies {
            match position.side_to_move() {
                Color::Silver => self.word(&format!("{}.", count / 2 + 1))?,
                Color::Red if interrupted => self.word(&format!("{}...", count / 2 + 1))?,
                Color::Red => {}
            }
            self.word(&ply.mv.to_string())?;
            let before = position;
            if let Ok(shot) = position.play(ply.mv) {
                shot.hits.iter().try_for_each(|hit| self.word(&hit.to_string()))?;
            }
            ply.marks.iter().try_for_each(|mark| self.word(&format!("${mark}")))?;
            self.comments(&ply.comments)?;
            for alternative in &ply.variations {
                self.word("(")?;
                self.no_space = true;
                self.moves(alternative, before, count)?;
                self.no_space = true;
                self.word(")")?;
            }
            interrupted = !ply.comments.is_empty() || !ply.variations.is_empty();
            count += 1;
        }
        Ok(())
    }
}

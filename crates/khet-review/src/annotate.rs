//! Writes a review into its game record: evaluations, marks, and better lines as variations.

use khet::{BoardSquare, Comment, GamePosition, Record, SilverEval, TreePath, Variation};

use crate::position_eval::PositionEval;
use crate::review::{Review, ReviewedMove};

/// Adds a review to a record. Existing evaluations are replaced; everything else is kept.
pub fn annotate<P: GamePosition>(record: &mut Record<P>, review: &Review<P>) {
    for mv in &review.moves {
        let path = TreePath::main_line(mv.ply);
        // A review may lack moves, and the record may have changed since.
        let Some(ply) = record.ply_at(&path).filter(|ply| ply.mv == mv.mv) else { continue };
        let known = ply.variations.iter().any(|known| begins_with(known, mv));
        if let Some(comments) = record.comments_mut(&path) {
            evaluate(comments, mv.eval);
        }
        let Some(mark) = mv.mark else { continue };
        if let Some(marks) = record.marks_mut(&path).filter(|marks| !marks.contains(&mark.number()))
        {
            marks.push(mark.number());
        }
        if !known {
            // A line that is illegal here belongs to another game, and is left out.
            let _ = record.add_variation(&path, better_line(mv));
        }
    }
}

/// Returns the line that was better than the move, with its evaluation.
fn better_line<S: BoardSquare>(mv: &ReviewedMove<S>) -> Variation<S> {
    let mut variation = Variation::new(mv.line.iter().copied());
    if let Some(first) = variation.plies.first_mut() {
        evaluate(&mut first.comments, mv.best_eval);
    }
    variation
}

/// Returns whether a variation already contains the better line.
fn begins_with<S: BoardSquare>(known: &Variation<S>, mv: &ReviewedMove<S>) -> bool {
    known.plies.len() >= mv.line.len()
        && known.plies.iter().zip(&mv.line).all(|(ply, &mv)| ply.mv == mv)
}

/// Writes an evaluation after a move, replacing an existing one. A move that ends the game gets
/// none.
fn evaluate(comments: &mut Vec<Comment>, eval: PositionEval) {
    let PositionEval::Ongoing(evaluation) = eval else { return };
    let old = comments.iter_mut().find(|comment| comment.eval().is_some());
    match old.and_then(|comment| Some((with_eval(comment.text(), evaluation)?, comment))) {
        Some((new, comment)) => *comment = new,
        None => comments.insert(0, Comment::from_eval(evaluation)),
    }
}

/// Returns the comment with its first evaluation replaced.
fn with_eval(text: &str, evaluation: SilverEval) -> Option<Comment> {
    let (before, rest) = text.split_once("[%eval ")?;
    let (_, after) = rest.split_once(']')?;
    Comment::new(format!("{before}[%eval {evaluation}]{after}")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(comments: &[Comment]) -> Vec<&str> {
        comments.iter().map(Comment::text).collect()
    }

    #[test]
    fn evaluation_is_replaced_and_the_rest_kept() {
        let comments = ["quiet", "[%clk 0:01:00] [%eval 0.10] so far"];
        let comments = comments.map(|text| Comment::new(text).expect("a comment"));
        let mut comments = comments.to_vec();
        evaluate(&mut comments, PositionEval::Ongoing(SilverEval::MateIn(-2)));
        assert_eq!(texts(&comments), ["quiet", "[%clk 0:01:00] [%eval #-2] so far"]);
    }

    #[test]
    fn evaluation_is_placed_before_other_comments() {
        let mut comments = vec![Comment::new("quiet").expect("a comment")];
        evaluate(&mut comments, PositionEval::Ongoing(SilverEval::Cp(-5)));
        assert_eq!(texts(&comments), ["[%eval -0.05]", "quiet"]);
    }
}

//! Writes a review into its game record: evaluations, marks, and better lines as variations.

use khet::{Comment, Line, Ply, Record, SilverEval};

use crate::position_eval::PositionEval;
use crate::review::{Review, ReviewedMove};

/// Adds a review to a record. Existing evaluations are replaced; everything else is kept.
pub fn annotate(record: &mut Record, review: &Review) {
    for mv in &review.moves {
        let ply = mv.ply.checked_sub(1).and_then(|at| record.line_mut().plies.get_mut(at));
        // A review may lack moves, and the record may have changed since.
        let Some(ply) = ply.filter(|ply| ply.mv == mv.mv) else { continue };
        evaluate(ply, mv.eval);
        let Some(mark) = mv.mark else { continue };
        if !ply.marks.contains(&mark.number()) {
            ply.marks.push(mark.number());
        }
        if !ply.variations.iter().any(|known| begins_with(known, mv)) {
            ply.variations.push(better_line(mv));
        }
    }
}

fn better_line(mv: &ReviewedMove) -> Line {
    let mut plies: Vec<Ply> = mv.line.iter().map(|&mv| Ply::new(mv)).collect();
    if let Some(first) = plies.first_mut() {
        evaluate(first, mv.best_eval);
    }
    Line { comments: Vec::new(), plies }
}

/// Returns whether a variation already contains the better line.
fn begins_with(known: &Line, mv: &ReviewedMove) -> bool {
    known.plies.len() >= mv.line.len()
        && known.plies.iter().zip(&mv.line).all(|(ply, &mv)| ply.mv == mv)
}

/// Writes an evaluation after a move, replacing an existing one. A move that ends the game gets
/// none.
fn evaluate(ply: &mut Ply, eval: PositionEval) {
    let PositionEval::Ongoing(evaluation) = eval else { return };
    let old = ply.comments.iter_mut().find(|comment| comment.eval().is_some());
    match old.and_then(|comment| Some((with_eval(comment.text(), evaluation)?, comment))) {
        Some((new, comment)) => *comment = new,
        None => ply.comments.insert(0, Comment::from_eval(evaluation)),
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

    fn texts(ply: &Ply) -> Vec<&str> {
        ply.comments.iter().map(Comment::text).collect()
    }

    #[test]
    fn evaluation_is_replaced_and_the_rest_kept() {
        let comments = ["quiet", "[%clk 0:01:00] [%eval 0.10] so far"];
        let comments = comments.map(|text| Comment::new(text).expect("a comment"));
        let mut ply = Ply::new("h2+".parse().expect("a move"));
        ply.comments = comments.to_vec();
        evaluate(&mut ply, PositionEval::Ongoing(SilverEval::MateIn(-2)));
        assert_eq!(texts(&ply), ["quiet", "[%clk 0:01:00] [%eval #-2] so far"]);
    }

    #[test]
    fn evaluation_is_placed_before_other_comments() {
        let mut ply = Ply::new("h2+".parse().expect("a move"));
        ply.comments.push(Comment::new("quiet").expect("a comment"));
        evaluate(&mut ply, PositionEval::Ongoing(SilverEval::Cp(-5)));
        assert_eq!(texts(&ply), ["[%eval -0.05]", "quiet"]);
    }
}

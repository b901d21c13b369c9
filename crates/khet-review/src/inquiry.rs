//! The questions from whose answers a review is made.

use khet::{Color, Game, Move, MoverEval, Position, Shot};

use crate::position_eval::PositionEval;
use crate::review::{Review, Reviewed};

/// Best lines are cut off behind so many moves: what follows is guesswork.
const LINE_LENGTH: usize = 10;

/// What an engine is asked about [`Inquiry::game`] as it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    /// Only this move is to be looked at; any, if it is `None`.
    pub only: Option<Move>,
    /// Look no deeper than this: a ply more or less alone would make a difference to what it is compared with.
    pub depth: Option<u32>,
}

/// What an engine found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// What the position is eval to the side to move, if the best move is played.
    pub score: MoverEval,
    /// How deep it has looked.
    pub depth: u32,
    /// The best move, and how it would go on.
    pub line: Vec<Move>,
}

/// A game that is being reviewed, from its end to its start: what an engine has seen of a position helps it in the one
/// before.
#[derive(Clone, Debug)]
pub struct Inquiry {
    /// The game before the move that is judged now.
    game: Game,
    /// That turn; `None` when all are judged.
    mv: Option<Move>,
    /// What was found instead of it.
    best: Option<Answer>,
    length: usize,
    /// The last move first.
    reviewed: Vec<Reviewed>,
}

impl Inquiry {
    /// Begins with the last move of a game.
    pub fn new(game: &Game) -> Inquiry {
        let (mut game, length) = (game.clone(), game.moves().len());
        let mv = game.take_back();
        Inquiry { game, mv, best: None, length, reviewed: Vec::new() }
    }

    /// What is to be answered next; nothing when the review is finished.
    ///
    /// An answer that is not needed is not asked for: the eval of the best move was found with it.
    pub fn question(&self) -> Option<Question> {
        let mv = self.mv?;
        Some(match &self.best {
            None => Question { only: None, depth: None },
            Some(best) => {
                let mover = self.game.position().side_to_move();
                let won = PositionEval::from_mover(best.score, mover).is_won(mover);
                Question { only: Some(mv), depth: (!won).then_some(best.depth) }
            }
        })
    }

    /// The game as far as the question goes.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Moves that are judged, and all moves.
    pub fn progress(&self) -> (usize, usize) {
        let left = self.mv.map_or(0, |_| self.game.moves().len() + 1);
        (self.length - left, self.length)
    }

    /// Takes in an answer. Without one the move is not judged.
    pub fn answer(&mut self, answer: Option<Answer>) {
        let Some(mv) = self.mv else { return };
        let Some(answer) = answer.filter(|answer| !answer.line.is_empty()) else {
            return self.next();
        };
        let mover = self.game.position().side_to_move();
        let eval = PositionEval::from_mover(answer.score, mover);
        match self.best.take() {
            None if self.must_be_compared(&answer, mv) => self.best = Some(answer),
            None => self.judge(mv, &answer, eval),
            Some(best) => self.judge(mv, &best, eval),
        }
    }

    /// Whether the move that was played has to be looked at by itself: it is not the best one, and the game went on.
    fn must_be_compared(&self, best: &Answer, mv: Move) -> bool {
        let mut position = *self.game.position();
        let over = |shot: Shot| shot.outcome.is_some();
        best.line.first() != Some(&mv) && !position.play(mv).is_ok_and(over)
    }

    fn judge(&mut self, mv: Move, best: &Answer, eval: PositionEval) {
        let position = *self.game.position();
        let best_move = best.line[0];
        let best_eval = PositionEval::from_mover(best.score, position.side_to_move());
        let found = played(position, best_move, best_eval).zip(played(position, mv, eval));
        if let Some(((_, best_eval), (shot, eval))) = found {
            let mut reviewed = Reviewed {
                ply: self.game.moves().len() + 1,
                mv,
                shot: shot.to_string(),
                eval,
                best: best_move,
                best_eval,
                line: best.line.iter().copied().take(LINE_LENGTH).collect(),
                mark: None,
            };
            reviewed.mark = reviewed.verdict(position.side_to_move()).mark;
            self.reviewed.push(reviewed);
        }
        self.next();
    }

    fn next(&mut self) {
        self.best = None;
        self.mv = self.game.take_back();
    }

    /// What came of it.
    pub fn review(mut self) -> Review {
        while self.mv.is_some() {
            self.next();
        }
        self.reviewed.reverse();
        Review::new(self.game.start().placement(), self.reviewed)
    }
}

/// Plays a move: its shot, and what the position behind it is eval, which only has to be thought about
/// if the game goes on.
fn played(mut position: Position, mv: Move, thought: PositionEval) -> Option<(Shot, PositionEval)> {
    let player: Color = position.side_to_move();
    let shot = position.play(mv).ok()?;
    let eval = match shot.outcome {
        Some(outcome) => PositionEval::GameOver(outcome.winner),
        None => thought.after_best_move(player),
    };
    Some((shot, eval))
}

#[cfg(test)]
mod tests {
    use khet::Setup;

    use super::*;
    use crate::{Judgement, Mark};

    fn mv(text: &str) -> Move {
        text.parse().expect("a move")
    }

    fn answer(cents: i32, line: &[&str]) -> Option<Answer> {
        let line = line.iter().map(|text| mv(text)).collect();
        Some(Answer { score: MoverEval::Cp(cents), depth: 7, line })
    }

    fn game(moves: &[&str]) -> Game {
        let mut game = Game::new(Setup::Classic.position());
        moves.iter().for_each(|text| drop(game.play(mv(text)).expect("legal")));
        game
    }

    fn inquiry(moves: &[&str]) -> Inquiry {
        Inquiry::new(&game(moves))
    }

    #[test]
    fn only_a_move_that_was_not_best_is_asked_about_alone() {
        let mut inquiry = inquiry(&["h2+", "c7c6"]);
        assert_eq!(inquiry.progress(), (0, 2));
        let first = inquiry.question().expect("a question");
        assert_eq!((first.only, first.depth, inquiry.game().moves().len()), (None, None, 1));
        inquiry.answer(answer(10, &["c7c6"]));
        assert_eq!(inquiry.progress(), (1, 2));
        assert_eq!(inquiry.question(), Some(Question { only: None, depth: None }));
        inquiry.answer(answer(300, &["h2g2", "c7c6"]));
        assert_eq!(inquiry.question(), Some(Question { only: Some(mv("h2+")), depth: Some(7) }));
        inquiry.answer(answer(-300, &["h2+"]));
        assert_eq!((inquiry.question(), inquiry.progress()), (None, (2, 2)));
        let review = inquiry.review();
        let judged: Vec<Judgement> = review.moves.iter().map(Reviewed::judgement).collect();
        assert_eq!(judged, [Judgement::Bad(Mark::Blunder), Judgement::Best]);
        assert_eq!(review.turning_points(3).len(), 1);
        assert_eq!(review.players.red.accuracy, Some(100.0));
    }

    #[test]
    fn what_was_not_answered_is_not_judged() {
        let mut inquiry = inquiry(&["h2+", "c7c6", "h2-"]);
        inquiry.answer(None);
        inquiry.answer(answer(0, &[]));
        inquiry.answer(answer(0, &["h2+"]));
        let review = inquiry.review();
        assert_eq!(review.moves.iter().map(|mv| mv.ply).collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn a_review_that_is_stopped_has_the_moves_that_were_judged() {
        let mut inquiry = inquiry(&["h2+", "c7c6", "h2-"]);
        inquiry.answer(answer(0, &["h2-"]));
        let review = inquiry.review();
        assert_eq!(review.moves.iter().map(|mv| mv.ply).collect::<Vec<_>>(), [3]);
        assert_eq!(review.players.silver.moves, 1);
        // Written into the record, it stands where it belongs, and nowhere in another game.
        let mut record = khet::Record::from_game(&game(&["h2+", "c7c6", "h2-"]));
        crate::annotate(&mut record, &review);
        assert!(record.to_string().ends_with("1. h2+ c7c6 2. h2- {[%eval 0.00]} *\n"), "{record}");
        let mut other = khet::Record::from_game(&game(&["h2+", "c7c6", "h2h3"]));
        let before = other.clone();
        crate::annotate(&mut other, &review);
        assert_eq!(other, before);
    }

    #[test]
    fn a_review_is_read_as_it_is_written() {
        let mut inquiry = inquiry(&["h2+"]);
        inquiry.answer(answer(30, &["h2g2"]));
        inquiry.answer(Some(Answer {
            score: MoverEval::MateIn(-2),
            depth: 3,
            line: vec![mv("h2+")],
        }));
        let review = inquiry.review();
        let text = serde_json::to_string(&review).expect("text");
        assert_eq!(serde_json::from_str::<Review>(&text).expect("a review"), review);
    }
}

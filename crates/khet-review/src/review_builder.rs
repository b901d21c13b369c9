//! Builds a review from the results of searches.

use khet::{BoardSquare, Color, Game, GamePosition, Move, MoverEval, Position, Shot, Square};

use crate::position_eval::PositionEval;
use crate::review::{Review, ReviewedMove};

/// Principal variations are cut off after this number of moves, because the rest is unreliable.
const MAX_PV_LENGTH: usize = 10;

/// A request to search the last position of [`ReviewBuilder::game`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchRequest<S: BoardSquare = Square> {
    /// Searches only this move; all moves if `None`.
    pub only: Option<Move<S>>,
    /// Searches at most this deep, so that the result can be compared with one of the same depth.
    pub depth: Option<u32>,
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchResult<S: BoardSquare = Square> {
    /// The evaluation of the best move.
    pub score: MoverEval,
    /// The depth in plies.
    pub depth: u32,
    /// The principal variation, which begins with the best move.
    pub pv: Vec<Move<S>>,
}

/// A review in progress, of a game with or without a tower. It goes from the last move of the game
/// to the first, because the engine's transposition table then already holds the position after the
/// move.
#[derive(Clone, Debug)]
pub struct ReviewBuilder<P: GamePosition = Position> {
    /// The game up to the move that is judged now.
    game: Game<P>,
    /// That move; `None` when all are judged.
    mv: Option<Move<P::Square>>,
    /// The search result for all moves, while that of the played move is missing.
    best: Option<SearchResult<P::Square>>,
    length: usize,
    /// The judged moves, last move first.
    reviewed: Vec<ReviewedMove<P::Square>>,
}

impl<P: GamePosition> ReviewBuilder<P> {
    /// Starts a review with the last move of a game.
    pub fn new(game: &Game<P>) -> ReviewBuilder<P> {
        let (mut game, length) = (game.clone(), game.moves().len());
        let mv = game.take_back();
        ReviewBuilder { game, mv, best: None, length, reviewed: Vec::new() }
    }

    /// Returns the next search, or `None` when all moves are judged.
    ///
    /// The played move is searched alone only if it differs from the best move.
    pub fn next_search(&self) -> Option<SearchRequest<P::Square>> {
        let mv = self.mv?;
        Some(match &self.best {
            None => SearchRequest { only: None, depth: None },
            Some(best) => {
                let mover = self.game.position().side_to_move();
                let won = PositionEval::from_mover(best.score, mover).is_won(mover);
                SearchRequest { only: Some(mv), depth: (!won).then_some(best.depth) }
            }
        })
    }

    /// Returns the game up to the position to search.
    pub fn game(&self) -> &Game<P> {
        &self.game
    }

    /// Returns the numbers of judged moves and of all moves.
    pub fn progress(&self) -> (usize, usize) {
        let left = self.mv.map_or(0, |_| self.game.moves().len() + 1);
        (self.length - left, self.length)
    }

    /// Adds the result of the requested search. Without a result the move is not judged.
    pub fn add_result(&mut self, result: Option<SearchResult<P::Square>>) {
        let Some(mv) = self.mv else { return };
        let Some(result) = result.filter(|result| !result.pv.is_empty()) else {
            return self.next();
        };
        let mover = self.game.position().side_to_move();
        let eval = PositionEval::from_mover(result.score, mover);
        match self.best.take() {
            None if self.needs_comparison(&result, mv) => self.best = Some(result),
            None => self.judge(mv, &result, eval, result.depth),
            Some(best) => self.judge(mv, &best, eval, result.depth),
        }
    }

    /// Returns whether the played move needs its own search: it is not the best move and did not
    /// end the game.
    fn needs_comparison(&self, best: &SearchResult<P::Square>, mv: Move<P::Square>) -> bool {
        let mut position = *self.game.position();
        let over = |shot: Shot<P::Square>| shot.outcome.is_some();
        best.pv.first() != Some(&mv) && !position.play(mv).is_ok_and(over)
    }

    /// Adds a move to the review, compared with the best one.
    fn judge(
        &mut self,
        mv: Move<P::Square>,
        best: &SearchResult<P::Square>,
        eval: PositionEval,
        depth: u32,
    ) {
        let position = *self.game.position();
        let best_move = best.pv[0];
        let best_eval = PositionEval::from_mover(best.score, position.side_to_move());
        let evals = play(position, best_move, best_eval).zip(play(position, mv, eval));
        if let Some(((_, best_eval), (shot, eval))) = evals {
            let mut reviewed = ReviewedMove {
                ply: self.game.moves().len() + 1,
                mv,
                shot: shot.to_string(),
                eval,
                depth,
                best: best_move,
                best_eval,
                line: best.pv.iter().copied().take(MAX_PV_LENGTH).collect(),
                mark: None,
            };
            reviewed.mark = reviewed.move_loss(position.side_to_move()).mark;
            self.reviewed.push(reviewed);
        }
        self.next();
    }

    fn next(&mut self) {
        self.best = None;
        self.mv = self.game.take_back();
    }

    /// Returns the review of the moves that are judged so far.
    pub fn finish(mut self) -> Review<P> {
        while self.mv.is_some() {
            self.next();
        }
        self.reviewed.reverse();
        Review::new(self.game.start().placement(), self.reviewed)
    }
}

/// Plays a move. Returns its shot and the evaluation of the position after it: the result if the
/// game is over, otherwise `eval` one move later.
fn play<P: GamePosition>(
    mut position: P,
    mv: Move<P::Square>,
    eval: PositionEval,
) -> Option<(Shot<P::Square>, PositionEval)> {
    let player: Color = position.side_to_move();
    let shot = position.play(mv).ok()?;
    let eval = match shot.outcome {
        Some(outcome) => PositionEval::GameOver(outcome.winner),
        None => eval.after_best_move(player),
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

    fn result(cp: i32, pv: &[&str]) -> Option<SearchResult> {
        let pv = pv.iter().map(|text| mv(text)).collect();
        Some(SearchResult { score: MoverEval::Cp(cp), depth: 7, pv })
    }

    fn game(moves: &[&str]) -> Game {
        let mut game = Game::new(Setup::Classic.position());
        moves.iter().for_each(|text| drop(game.play(mv(text)).expect("legal")));
        game
    }

    fn builder(moves: &[&str]) -> ReviewBuilder {
        ReviewBuilder::new(&game(moves))
    }

    #[test]
    fn only_a_move_that_is_not_best_is_searched_alone() {
        let mut builder = builder(&["h2+", "c7c6"]);
        assert_eq!(builder.progress(), (0, 2));
        let first = builder.next_search().expect("a request");
        assert_eq!((first.only, first.depth, builder.game().moves().len()), (None, None, 1));
        builder.add_result(result(10, &["c7c6"]));
        assert_eq!(builder.progress(), (1, 2));
        assert_eq!(builder.next_search(), Some(SearchRequest { only: None, depth: None }));
        builder.add_result(result(300, &["h2g2", "c7c6"]));
        assert_eq!(
            builder.next_search(),
            Some(SearchRequest { only: Some(mv("h2+")), depth: Some(7) })
        );
        builder.add_result(result(-300, &["h2+"]));
        assert_eq!((builder.next_search(), builder.progress()), (None, (2, 2)));
        let review = builder.finish();
        let judged: Vec<Judgement> = review.moves.iter().map(ReviewedMove::judgement).collect();
        assert_eq!(judged, [Judgement::Bad(Mark::Blunder), Judgement::Best]);
        assert!(review.moves.iter().all(|mv| mv.depth == 7));
        assert_eq!(review.turning_points(3).len(), 1);
        assert_eq!(review.players.red.accuracy, Some(100.0));
    }

    #[test]
    fn moves_without_a_result_are_not_judged() {
        let mut builder = builder(&["h2+", "c7c6", "h2-"]);
        builder.add_result(None);
        builder.add_result(result(0, &[]));
        builder.add_result(result(0, &["h2+"]));
        let review = builder.finish();
        assert_eq!(review.moves.iter().map(|mv| mv.ply).collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn stopped_review_has_the_judged_moves() {
        let mut builder = builder(&["h2+", "c7c6", "h2-"]);
        builder.add_result(result(0, &["h2-"]));
        let review = builder.finish();
        assert_eq!(review.moves.iter().map(|mv| mv.ply).collect::<Vec<_>>(), [3]);
        assert_eq!(review.players.silver.moves, 1);
        // It is written only into the record of the same game.
        let mut record = khet::Record::from_game(&game(&["h2+", "c7c6", "h2-"]));
        crate::annotate(&mut record, &review);
        assert!(record.to_string().ends_with("1. h2+ c7c6 2. h2- {[%eval 0.00]} *\n"), "{record}");
        let mut other = khet::Record::from_game(&game(&["h2+", "c7c6", "h2h3"]));
        let before = other.clone();
        crate::annotate(&mut other, &review);
        assert_eq!(other, before);
    }

    /// A review of either game is one type, with the JSON of the standard game.
    #[test]
    fn games_with_a_tower_are_reviewed() {
        let mv = |text: &str| text.parse::<Move<khet::tower::Square>>().expect("a move");
        for (setup, moves, better) in
            [("orontes", ["Td4", "c7C7"], "T+"), ("classic", ["h2+", "c7c6"], "h2g2")]
        {
            let start: khet::AnyPosition = setup.parse().expect("a setup");
            let mut game = Game::new(start);
            moves.iter().for_each(|text| drop(game.play(mv(text)).expect(text)));
            let mut builder = ReviewBuilder::new(&game);
            let result = |cp, pv: &str| {
                Some(SearchResult { score: MoverEval::Cp(cp), depth: 7, pv: vec![mv(pv)] })
            };
            builder.add_result(result(10, moves[1]));
            builder.add_result(result(300, better));
            assert_eq!(builder.next_search().and_then(|request| request.only), Some(mv(moves[0])));
            builder.add_result(result(-300, moves[0]));
            let review = builder.finish();
            let judged: Vec<Judgement> = review.moves.iter().map(ReviewedMove::judgement).collect();
            assert_eq!(judged, [Judgement::Bad(Mark::Blunder), Judgement::Best]);
            assert_eq!(review.player(&review.moves[1]), Color::Red);

            let text = serde_json::to_string(&review).expect("text");
            let read: Review<khet::AnyPosition> = serde_json::from_str(&text).expect("a review");
            assert_eq!(read, review);
            assert_eq!(serde_json::from_str::<Review>(&text).is_ok(), setup == "classic");

            let mut record = khet::Record::from_game(&game);
            crate::annotate(&mut record, &review);
            let text = record.to_string();
            assert!(text.contains(&format!("(1. {better} ")), "{text}");
        }
    }

    #[test]
    fn json_is_read_back_also_with_its_old_field_names() {
        let mut builder = builder(&["h2+"]);
        builder.add_result(result(30, &["h2g2"]));
        builder.add_result(Some(SearchResult {
            score: MoverEval::MateIn(-2),
            depth: 3,
            pv: vec![mv("h2+")],
        }));
        let review = builder.finish();
        let text = serde_json::to_string(&review).expect("text");
        assert_eq!(serde_json::from_str::<Review>(&text).expect("a review"), review);
        let old = text.replace("\"moves\":", "\"turns\":").replace("\"move\":", "\"turn\":");
        assert_ne!(old, text);
        assert_eq!(serde_json::from_str::<Review>(&old).expect("a review"), review);
    }
}

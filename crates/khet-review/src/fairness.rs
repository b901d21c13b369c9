//! Fairness of setups: whether a side is better off, judged by an evaluation of the start position
//! and by games that the engine plays against itself.
//!
//! Like a review, it works without an engine: [`SelfPlay`] requests searches one after another, and
//! the caller runs them wherever the engine is.

use khet::{Color, Game, GamePosition, Move, MoverEval, Position, SilverEval};

/// Plies at the start of a game that are played by a weaker level, which varies its moves with the
/// seed.
const OPENING_PLIES: usize = 4;
/// An advantage in hundredths of a pyramid that decides a game of self-play.
const DECIDED_EVAL: i32 = 900;
/// Plies after which a game of self-play is a draw.
const MAX_PLIES: usize = 140;
/// Below this advantage, in hundredths of a pyramid, a setup is even.
const EVEN_EVAL_LIMIT: i32 = 50;
/// From this advantage on, in hundredths of a pyramid, a setup is lopsided.
const LOPSIDED_EVAL_LIMIT: i32 = 200;
/// A setup is lopsided if its score is further from one half than its error and this together.
const LOPSIDED_SCORE: f64 = 0.1;

/// The side that a setup favours, if any.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fairness {
    /// Neither side is noticeably better off.
    Even,
    /// This side is a little better off.
    Better(Color),
    /// This side is much better off.
    Lopsided(Color),
}

impl Fairness {
    /// Judges a setup by the evaluation of its start position.
    pub fn from_eval(eval: SilverEval) -> Fairness {
        match (eval, eval.leader()) {
            (_, None) => Fairness::Even,
            (SilverEval::Cp(cp), Some(_)) if cp.abs() < EVEN_EVAL_LIMIT => Fairness::Even,
            (SilverEval::Cp(cp), Some(leader)) if cp.abs() < LOPSIDED_EVAL_LIMIT => {
                Fairness::Better(leader)
            }
            (_, Some(leader)) => Fairness::Lopsided(leader),
        }
    }

    /// Judges a setup by Silver's score in games, from 0 to 1, and the statistical error of the
    /// score. A difference within the error may be chance and does not count.
    pub fn from_score(score: f64, error: f64) -> Fairness {
        let difference = score - 0.5;
        let leader = if difference > 0.0 { Color::Silver } else { Color::Red };
        if difference.abs() > error + LOPSIDED_SCORE {
            Fairness::Lopsided(leader)
        } else if difference.abs() > error {
            Fairness::Better(leader)
        } else {
            Fairness::Even
        }
    }
}

/// Quick games from one start position, one after another, with or without a tower.
///
/// ```
/// use khet::{MoverEval, Setup};
/// use khet_review::SelfPlay;
///
/// let mut self_play = SelfPlay::new(Setup::Classic.position(), 1);
/// let winner = loop {
///     let search = self_play.next_search();
///     // An engine would search `search.game` here.
///     let mv = search.game.position().legal_moves().first().copied();
///     if let Some(winner) = self_play.add_result(mv, Some(MoverEval::Cp(0))) {
///         break winner;
///     }
/// };
/// assert_eq!(self_play.games(), 1);
/// # let _ = winner;
/// ```
#[derive(Clone, Debug)]
pub struct SelfPlay<P: GamePosition = Position> {
    start: P,
    game: Game<P>,
    seed: u32,
    games: u32,
}

/// A search for the next move of a [`SelfPlay`] game.
#[derive(Clone, Copy, Debug)]
pub struct SelfPlaySearch<'a, P: GamePosition = Position> {
    /// The game so far.
    pub game: &'a Game<P>,
    /// A weak level is to choose the move, so that the games differ.
    pub opening: bool,
    /// The seed of the weak level, different for each game.
    pub seed: u32,
}

impl<P: GamePosition> SelfPlay<P> {
    /// Starts the first game. The seed determines the openings.
    pub fn new(start: P, seed: u32) -> SelfPlay<P> {
        SelfPlay { start, game: Game::new(start), seed, games: 0 }
    }

    /// Returns the number of finished games.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// Returns the search for the next move.
    pub fn next_search(&self) -> SelfPlaySearch<'_, P> {
        SelfPlaySearch {
            game: &self.game,
            opening: self.game.moves().len() < OPENING_PLIES,
            seed: self.seed.wrapping_add(self.games.wrapping_mul(7_919)),
        }
    }

    /// Plays the move that the search has found. If that ends the game, returns its winner, or
    /// `Some(None)` for a draw, and starts the next game.
    pub fn add_result(
        &mut self,
        mv: Option<Move<P::Square>>,
        score: Option<MoverEval>,
    ) -> Option<Option<Color>> {
        let side = self.game.position().side_to_move();
        // The scores of the weak level are too unreliable to decide a game.
        let opening = self.game.moves().len() < OPENING_PLIES;
        let decided = score.filter(|_| !opening).and_then(|score| decided(score.for_silver(side)));
        let played = mv.is_some_and(|mv| self.game.play(mv).is_ok());
        let winner = match (self.game.outcome(), decided) {
            (Some(outcome), _) => outcome.winner,
            (None, Some(winner)) => Some(winner),
            (None, None) if !played => None,
            (None, None) if self.game.can_claim_draw() => None,
            (None, None) if self.game.moves().len() >= MAX_PLIES => None,
            (None, None) => return None,
        };
        self.games += 1;
        self.game = Game::new(self.start);
        Some(winner)
    }
}

/// Returns the winner of a game with this evaluation, if it is decided.
fn decided(eval: SilverEval) -> Option<Color> {
    match eval {
        SilverEval::Cp(cp) if cp.abs() < DECIDED_EVAL => None,
        _ => eval.leader(),
    }
}

#[cfg(test)]
mod tests {
    use khet::Setup;

    use super::*;

    fn first_move(self_play: &SelfPlay) -> Option<Move> {
        self_play.game.position().legal_moves().first().copied()
    }

    #[test]
    fn every_game_ends() {
        let mut self_play = SelfPlay::new(Setup::Classic.position(), 1);
        for _ in 0..2 * MAX_PLIES {
            self_play.add_result(first_move(&self_play), Some(MoverEval::Cp(0)));
        }
        assert!(self_play.games() >= 2);
    }

    #[test]
    fn games_with_a_tower_end() {
        let start: khet::AnyPosition = "orontes".parse().expect("a setup");
        let mut self_play = SelfPlay::new(start, 1);
        for _ in 0..2 * MAX_PLIES {
            let mv = self_play.next_search().game.position().legal_moves().last().copied();
            self_play.add_result(mv, Some(MoverEval::Cp(0)));
        }
        assert!(self_play.games() >= 2);
    }

    #[test]
    fn decided_game_ends_after_the_opening() {
        let mut self_play = SelfPlay::new(Setup::Classic.position(), 1);
        for ply in 0..=OPENING_PLIES {
            let red_to_move = self_play.game.position().side_to_move() == Color::Red;
            let score = MoverEval::Cp(if red_to_move { DECIDED_EVAL } else { -DECIDED_EVAL });
            let ended = self_play.add_result(first_move(&self_play), Some(score));
            let expected = (ply == OPENING_PLIES).then_some(Some(Color::Red));
            assert_eq!(ended, expected, "{ply}");
        }
        assert!(self_play.game.moves().is_empty(), "the next game begins");
    }

    #[test]
    fn lost_position_of_red_is_a_win_of_silver() {
        assert_eq!(decided(MoverEval::MateIn(0).for_silver(Color::Red)), Some(Color::Silver));
        assert_eq!(decided(MoverEval::MateIn(0).for_silver(Color::Silver)), Some(Color::Red));
    }

    #[test]
    fn search_without_a_move_ends_the_game() {
        let mut self_play = SelfPlay::new(Setup::Classic.position(), 1);
        assert_eq!(self_play.add_result(None, None), Some(None));
    }

    #[test]
    fn small_advantages_are_fair() {
        assert_eq!(Fairness::from_eval(SilverEval::Cp(-20)), Fairness::Even);
        assert_eq!(Fairness::from_eval(SilverEval::Cp(-90)), Fairness::Better(Color::Red));
        assert_eq!(Fairness::from_eval(SilverEval::Cp(400)), Fairness::Lopsided(Color::Silver));
        assert_eq!(Fairness::from_eval(SilverEval::MateIn(-3)), Fairness::Lopsided(Color::Red));
        assert_eq!(Fairness::from_score(0.6, 0.15), Fairness::Even);
        assert_eq!(Fairness::from_score(0.7, 0.15), Fairness::Better(Color::Silver));
        assert_eq!(Fairness::from_score(0.1, 0.15), Fairness::Lopsided(Color::Red));
    }
}

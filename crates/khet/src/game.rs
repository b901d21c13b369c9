//! A game in progress: its history, draw offers and claims, and its outcome.

use std::fmt;

use crate::{
    BoardSquare, Color, GamePosition, IllegalMove, Move, Outcome, Position, Shot, Square,
    Termination,
};

/// A position with its history; a game with a tower is a `Game<tower::Position>`.
///
/// ```
/// use khet::{Color, Game, Setup};
///
/// let mut game = Game::new(Setup::Dynasty.position());
/// game.play("e2d2".parse()?)?;
/// game.resign(Color::Red)?;
/// assert_eq!(game.outcome().unwrap().to_string(), "Silver wins: Red resigned");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game<P: GamePosition = Position> {
    /// All positions from the start to the current one; never empty.
    positions: Vec<P>,
    /// The moves between the positions.
    moves: Vec<Move<P::Square>>,
    outcome: Option<Outcome>,
    draw_offer: Option<Color>,
}

/// The reason why a game rejected an action. The game is unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameError<S: BoardSquare = Square> {
    /// The game is over.
    Over(Outcome),
    /// The move is illegal.
    Illegal(IllegalMove<S>),
    /// The arrangement of the pieces has not occurred often enough for a draw claim.
    #[allow(missing_docs)]
    NoRepetition { times: usize, needed: usize },
    /// The other player has not offered a draw.
    NoDrawOffer,
}

impl<S: BoardSquare> fmt::Display for GameError<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameError::Over(outcome) => write!(f, "the game is over: {outcome}"),
            GameError::Illegal(error) => error.fmt(f),
            GameError::NoRepetition { times, needed } => {
                write!(
                    f,
                    "a draw can be claimed when an arrangement has occurred {needed} times; "
                )?;
                write!(f, "this one has occurred {times} times")
            }
            GameError::NoDrawOffer => f.write_str("the other player has not offered a draw"),
        }
    }
}

impl<S: BoardSquare> std::error::Error for GameError<S> {}

impl<P: GamePosition> Game<P> {
    /// A game from a starting position. It is over at once if the side to move has no legal move.
    pub fn new(start: P) -> Game<P> {
        Game {
            positions: vec![start],
            moves: Vec::new(),
            outcome: start.outcome(),
            draw_offer: None,
        }
    }

    /// The starting position.
    pub fn start(&self) -> &P {
        &self.positions[0]
    }

    /// The current position.
    pub fn position(&self) -> &P {
        &self.positions[self.moves.len()]
    }

    /// All positions, from the start to the current one.
    pub fn positions(&self) -> &[P] {
        &self.positions
    }

    /// The moves played so far.
    pub fn moves(&self) -> &[Move<P::Square>] {
        &self.moves
    }

    /// The outcome, if the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn check_running(&self) -> Result<(), GameError<P::Square>> {
        self.outcome.map_or(Ok(()), |outcome| Err(GameError::Over(outcome)))
    }

    /// Plays a move for the side to move, and fires. This declines a draw offer of the other
    /// player.
    pub fn play(&mut self, mv: Move<P::Square>) -> Result<Shot<P::Square>, GameError<P::Square>> {
        self.check_running()?;
        let mut next = *self.position();
        let mv = next.check(mv).map_err(GameError::Illegal)?;
        let mover = next.side_to_move();
        let shot = next.play(mv).map_err(GameError::Illegal)?;
        self.positions.push(next);
        self.moves.push(mv);
        self.outcome = shot.outcome;
        self.draw_offer = self.draw_offer.filter(|&by| by == mover && shot.outcome.is_none());
        Ok(shot)
    }

    /// Takes back the last move and returns it. A game that was over continues.
    pub fn take_back(&mut self) -> Option<Move<P::Square>> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        self.outcome = None;
        self.draw_offer = None;
        Some(mv)
    }

    /// Returns how often the current arrangement of the pieces has occurred, including now and
    /// regardless of the side to move.
    pub fn repetitions(&self) -> usize {
        let now = self.position();
        let same = |then: &&P| then.repetition_key() == now.repetition_key() && then.repeats(now);
        self.positions.iter().filter(same).count()
    }

    /// Returns whether the player to move may claim a draw.
    pub fn can_claim_draw(&self) -> bool {
        self.check_claim().is_ok()
    }

    fn check_claim(&self) -> Result<(), GameError<P::Square>> {
        self.check_running()?;
        let (times, needed) = (self.repetitions(), self.position().rules().draw_claim_at());
        if times >= needed { Ok(()) } else { Err(GameError::NoRepetition { times, needed }) }
    }

    /// Claims a draw by repetition for the player to move.
    pub fn claim_draw(&mut self) -> Result<Outcome, GameError<P::Square>> {
        self.check_claim()?;
        Ok(self.end_with(Outcome::draw(Termination::Repetition)))
    }

    /// Offers a draw, or accepts the offer of the other player. An offer is valid until the other
    /// player moves.
    pub fn offer_draw(&mut self, by: Color) -> Result<Option<Outcome>, GameError<P::Square>> {
        if self.draw_offer == Some(!by) {
            return self.accept_draw(by).map(Some);
        }
        self.check_running()?;
        self.draw_offer = Some(by);
        Ok(None)
    }

    /// The player whose draw offer is open.
    pub fn draw_offer(&self) -> Option<Color> {
        self.draw_offer
    }

    /// Accepts the draw that the other player has offered.
    pub fn accept_draw(&mut self, by: Color) -> Result<Outcome, GameError<P::Square>> {
        self.check_running()?;
        if self.draw_offer != Some(!by) {
            return Err(GameError::NoDrawOffer);
        }
        Ok(self.end_with(Outcome::draw(Termination::Agreement)))
    }

    /// Resigns for a player, who need not be to move.
    pub fn resign(&mut self, loser: Color) -> Result<Outcome, GameError<P::Square>> {
        self.check_running()?;
        Ok(self.end_with(Outcome::win(!loser, Termination::Resignation)))
    }

    /// Sets the outcome and closes the draw offer.
    fn end_with(&mut self, outcome: Outcome) -> Outcome {
        self.outcome = Some(outcome);
        self.draw_offer = None;
        outcome
    }
}

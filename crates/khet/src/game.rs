//! A game as it is played: its history, what may be claimed, and how it ended.

use std::fmt;

use crate::{Color, IllegalMove, Move, Outcome, Position, Shot, Termination};

/// A position with all that came before it.
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
pub struct Game {
    /// Every position from the start on; never empty.
    positions: Vec<Position>,
    /// The moves between them.
    moves: Vec<Move>,
    outcome: Option<Outcome>,
    draw_offer: Option<Color>,
}

/// Why something can't be done in a game now. Nothing has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameError {
    /// The game has ended.
    Over(Outcome),
    /// The rules forbid the move.
    Illegal(IllegalMove),
    /// The arrangement has not stood often enough for a draw to be claimed.
    #[allow(missing_docs)]
    NoRepetition { times: usize, needed: usize },
    /// The other player has not offered a draw.
    NoDrawOffer,
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameError::Over(outcome) => write!(f, "the game is over: {outcome}"),
            GameError::Illegal(error) => error.fmt(f),
            GameError::NoRepetition { times, needed } => {
                write!(
                    f,
                    "an arrangement must have stood {needed} times for a draw to be claimed; "
                )?;
                write!(f, "this one has stood {times}")
            }
            GameError::NoDrawOffer => f.write_str("the other player has not offered a draw"),
        }
    }
}

impl std::error::Error for GameError {}

impl Game {
    /// A game from a starting position. It may be over at once, if nobody can move.
    pub fn new(start: Position) -> Game {
        Game {
            positions: vec![start],
            moves: Vec::new(),
            outcome: start.outcome(),
            draw_offer: None,
        }
    }

    /// The position at the beginning.
    pub fn start(&self) -> &Position {
        &self.positions[0]
    }

    /// The position on the board.
    pub fn position(&self) -> &Position {
        &self.positions[self.moves.len()]
    }

    /// All positions, from the start to the one on the board.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The moves that have been played.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// How the game ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn check_running(&self) -> Result<(), GameError> {
        self.outcome.map_or(Ok(()), |outcome| Err(GameError::Over(outcome)))
    }

    /// Plays a move for the side to move, and fires. A draw offer of the other player lapses.
    pub fn play(&mut self, mv: Move) -> Result<Shot, GameError> {
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

    /// Takes back the last move, and with it the end of the game if there was one.
    pub fn take_back(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        self.outcome = None;
        self.draw_offer = None;
        Some(mv)
    }

    /// How many times the arrangement on the board has stood, this time and the start counted,
    /// whoever was to move.
    pub fn repetitions(&self) -> usize {
        let now = self.position();
        let alike = |then: &&Position| {
            then.arrangement_key() == now.arrangement_key() && then.same_arrangement(now)
        };
        self.positions.iter().filter(alike).count()
    }

    /// Whether the player to move may claim a draw.
    pub fn can_claim_draw(&self) -> bool {
        self.claim().is_ok()
    }

    fn claim(&self) -> Result<(), GameError> {
        self.check_running()?;
        let (times, needed) = (self.repetitions(), self.position().rules().draw_claim_at());
        if times >= needed { Ok(()) } else { Err(GameError::NoRepetition { times, needed }) }
    }

    /// Claims a draw for the player to move, because the arrangement has come back.
    pub fn claim_draw(&mut self) -> Result<Outcome, GameError> {
        self.claim()?;
        Ok(self.end(Outcome::draw(Termination::Repetition)))
    }

    /// Offers a draw, or accepts the other player's offer. The offer stands until the other player
    /// moves.
    pub fn offer_draw(&mut self, by: Color) -> Result<Option<Outcome>, GameError> {
        if self.draw_offer == Some(!by) {
            return self.accept_draw(by).map(Some);
        }
        self.check_running()?;
        self.draw_offer = Some(by);
        Ok(None)
    }

    /// Who has offered a draw, if the offer stands.
    pub fn draw_offer(&self) -> Option<Color> {
        self.draw_offer
    }

    /// Accepts the draw that the other player has offered.
    pub fn accept_draw(&mut self, by: Color) -> Result<Outcome, GameError> {
        self.check_running()?;
        if self.draw_offer != Some(!by) {
            return Err(GameError::NoDrawOffer);
        }
        Ok(self.end(Outcome::draw(Termination::Agreement)))
    }

    /// Gives up, whoever's turn it is.
    pub fn resign(&mut self, loser: Color) -> Result<Outcome, GameError> {
        self.check_running()?;
        Ok(self.end(Outcome::win(!loser, Termination::Resignation)))
    }

    fn end(&mut self, outcome: Outcome) -> Outcome {
        self.outcome = Some(outcome);
        self.draw_offer = None;
        outcome
    }
}

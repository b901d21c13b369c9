//! Games with and without a tower, for programs that play both.

use crate::{
    AnyPosition, BrokenRule, Color, Game, GameError, IllegalMove, Move, Outcome, Position, Shot,
    tower,
};

/// A game with or without a tower.
///
/// Moves and errors are those of boards with a tower, whose notation includes the standard one.
///
/// ```
/// use khet::{AnyGame, AnyPosition};
///
/// let start: AnyPosition = "4k5/10/10/10/10/10/10/4K5+e4:6/6/6/6/6/P15 s".parse()?;
/// let mut game = AnyGame::new(start);
/// game.play("Td4".parse()?)?;
/// assert_eq!(game.ply(), 1);
/// assert_eq!(game.moves().last(), Some("Td4".parse()?));
///
/// let mut game = AnyGame::new("4k5/10/10/10/10/10/10/4K5 s".parse()?);
/// let error = game.play("Td4".parse()?).unwrap_err();
/// assert_eq!(error.to_string(), "Td4: this game has no tower");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnyGame {
    /// A game without a tower.
    Standard(Game<Position>),
    /// A game with a tower.
    Tower(Game<tower::Position>),
}

impl AnyGame {
    /// A game from a starting position. It is over at once if the side to move has no legal move.
    pub fn new(start: AnyPosition) -> AnyGame {
        match start {
            AnyPosition::Standard(start) => AnyGame::Standard(Game::new(start)),
            AnyPosition::Tower(start) => AnyGame::Tower(Game::new(start)),
        }
    }

    /// The starting position.
    pub fn start(&self) -> AnyPosition {
        match self {
            AnyGame::Standard(game) => (*game.start()).into(),
            AnyGame::Tower(game) => (*game.start()).into(),
        }
    }

    /// The current position.
    pub fn position(&self) -> AnyPosition {
        match self {
            AnyGame::Standard(game) => (*game.position()).into(),
            AnyGame::Tower(game) => (*game.position()).into(),
        }
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Color {
        match self {
            AnyGame::Standard(game) => game.position().side_to_move(),
            AnyGame::Tower(game) => game.position().side_to_move(),
        }
    }

    /// All positions, from the start to the current one.
    pub fn positions(&self) -> impl DoubleEndedIterator<Item = AnyPosition> {
        let (standard, tower) = self.either();
        let standard = standard.map_or(&[][..], Game::positions).iter();
        let tower = tower.map_or(&[][..], Game::positions).iter();
        standard.map(|&position| position.into()).chain(tower.map(|&position| position.into()))
    }

    /// The moves played so far.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move<tower::Square>> {
        let (standard, tower) = self.either();
        let standard = standard.map_or(&[][..], Game::moves).iter();
        let tower = tower.map_or(&[][..], Game::moves).iter();
        standard.map(|&mv| mv.into()).chain(tower.copied())
    }

    /// Returns the game of its kind; the other one is `None`.
    fn either(&self) -> (Option<&Game<Position>>, Option<&Game<tower::Position>>) {
        match self {
            AnyGame::Standard(game) => (Some(game), None),
            AnyGame::Tower(game) => (None, Some(game)),
        }
    }

    /// The number of moves played so far.
    pub fn ply(&self) -> usize {
        match self {
            AnyGame::Standard(game) => game.moves().len(),
            AnyGame::Tower(game) => game.moves().len(),
        }
    }

    /// The outcome, if the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        match self {
            AnyGame::Standard(game) => game.outcome(),
            AnyGame::Tower(game) => game.outcome(),
        }
    }

    /// Plays a move for the side to move, and fires; see [`Game::play`].
    pub fn play(
        &mut self,
        mv: Move<tower::Square>,
    ) -> Result<Shot<tower::Square>, GameError<tower::Square>> {
        match self {
            AnyGame::Standard(game) => game.play_any(mv).map(Shot::from),
            AnyGame::Tower(game) => game.play(mv),
        }
    }

    /// Takes back the last move. A game that was over continues. Returns `false` if there is none.
    pub fn take_back(&mut self) -> bool {
        match self {
            AnyGame::Standard(game) => game.take_back().is_some(),
            AnyGame::Tower(game) => game.take_back().is_some(),
        }
    }

    /// Returns how often the current arrangement of the pieces has occurred; see
    /// [`Game::repetitions`].
    pub fn repetitions(&self) -> usize {
        match self {
            AnyGame::Standard(game) => game.repetitions(),
            AnyGame::Tower(game) => game.repetitions(),
        }
    }

    /// Returns whether the player to move may claim a draw.
    pub fn can_claim_draw(&self) -> bool {
        match self {
            AnyGame::Standard(game) => game.can_claim_draw(),
            AnyGame::Tower(game) => game.can_claim_draw(),
        }
    }

    /// Claims a draw by repetition for the player to move.
    pub fn claim_draw(&mut self) -> Result<Outcome, GameError<tower::Square>> {
        match self {
            AnyGame::Standard(game) => game.claim_draw().map_err(GameError::from),
            AnyGame::Tower(game) => game.claim_draw(),
        }
    }
}

impl From<Game<Position>> for AnyGame {
    fn from(game: Game<Position>) -> AnyGame {
        AnyGame::Standard(game)
    }
}

impl From<Game<tower::Position>> for AnyGame {
    fn from(game: Game<tower::Position>) -> AnyGame {
        AnyGame::Tower(game)
    }
}

impl Game<Position> {
    /// Plays a move that was read without knowing whether the game has a tower.
    pub fn play_any(&mut self, mv: Move<tower::Square>) -> Result<Shot, GameError<tower::Square>> {
        let Some(standard) = mv.without_tower() else {
            return Err(GameError::Illegal(IllegalMove { mv, rule: BrokenRule::NoTower }));
        };
        self.play(standard).map_err(GameError::from)
    }
}

impl From<GameError> for GameError<tower::Square> {
    fn from(error: GameError) -> GameError<tower::Square> {
        match error {
            GameError::Over(outcome) => GameError::Over(outcome),
            GameError::Illegal(error) => GameError::Illegal(error.into()),
            GameError::NoRepetition { times, needed } => GameError::NoRepetition { times, needed },
            GameError::NoDrawOffer => GameError::NoDrawOffer,
        }
    }
}

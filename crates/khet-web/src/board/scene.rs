//! The input of a board: everything that its page passes in.

use khet::Color;

use crate::rules::{Move, Position, Shot};

/// The content of a board, and the moves that are allowed on it.
///
/// The board knows no rules. It shows the scene that its page passes in, lets the player choose one
/// of `moves`, reports the chosen move, and waits for the next scene.
///
/// ```
/// use khet::{Color, GamePosition, Setup};
/// use khet_web::board::Scene;
///
/// // A position without interaction:
/// let scene = Scene::of(Setup::Classic.position().into());
/// // A position for a player of Red, seen from Red's side:
/// let mut scene = Scene::of(Setup::Classic.position().into());
/// scene.bottom = Color::Red;
/// scene.you = Some(Color::Red);
/// scene.moves = scene.position.legal_moves().to_vec();
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Scene {
    /// The position after the shot. While the shot is animated, the board shows the position before
    /// it.
    pub position: Position,
    /// The side at the bottom of the picture.
    pub bottom: Color,
    /// The allowed moves. If empty, the board accepts no input.
    pub moves: Vec<Move>,
    /// The last move, whose squares are marked.
    pub last: Option<Move>,
    /// The shot of the last move. A shot with a new number is animated once; afterwards its path
    /// stays visible as a faint line.
    pub shot: Option<SceneShot>,
    /// Shows a new shot without animation, for navigating through a game.
    pub still: bool,
    /// Moves to mark with arrows, the most important one last.
    pub hints: Vec<Hint>,
    /// The sides whose beams are previewed, as if their lasers fired now. The beams follow the
    /// piece in hand as it would stand.
    pub previews: Vec<Color>,
    /// The side of the viewer, for labels such as "your djed".
    pub you: Option<Color>,
}

impl Scene {
    /// Creates a scene without interaction, seen from Silver's side.
    pub fn of(position: Position) -> Scene {
        Scene {
            position,
            bottom: Color::Silver,
            moves: Vec::new(),
            last: None,
            shot: None,
            still: false,
            hints: Vec::new(),
            previews: Vec::new(),
            you: None,
        }
    }
}

/// A move marked with an arrow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hint {
    /// The move.
    pub mv: Move,
    /// The reason for the mark.
    pub kind: HintKind,
}

/// The reason why a move is marked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HintKind {
    /// The best move.
    Best,
    /// An alternative.
    Other,
    /// The opponent's threat.
    Threat,
    /// A move of which only the piece is shown.
    Piece,
}

/// The shot of a scene's last move.
///
/// Adds an identity to the shot, because each shot is animated once, and the position that is
/// shown during the animation.
#[derive(Clone, PartialEq, Debug)]
pub struct SceneShot {
    /// A number that differs from shot to shot. A board animates each number once.
    pub number: u32,
    /// The position after the move and before its hits (`before_shot`).
    pub before_shot: Position,
    /// The shot.
    pub shot: Shot,
}

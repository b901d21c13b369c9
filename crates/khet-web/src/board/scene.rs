//! What a board shows: everything that its page tells it.

use khet::{Color, Move, Position, Shot};

/// All that a board shows, and what may be done on it.
///
/// The board knows no rules. Its page gives it a scene; the board shows it, lets a person choose one
/// of `moves`, says which one was dropped, and waits for the next scene.
///
/// ```
/// use khet::{Color, Setup};
/// use khet_web::board::Scene;
///
/// // To look at:
/// let scene = Scene::of(Setup::Classic.position());
/// // To play Red on, from Red's side:
/// let mut scene = Scene::of(Setup::Classic.position());
/// scene.bottom = Color::Red;
/// scene.you = Some(Color::Red);
/// scene.moves = scene.position.legal_moves().to_vec();
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Scene {
    /// What stands. While a shot is shown, the board itself shows what stood before it.
    pub position: Position,
    /// Who sits at the bottom.
    pub bottom: Color,
    /// What may be done now. Empty: the board is only looked at.
    pub moves: Vec<Move>,
    /// The move that led here: its squares are marked.
    pub last: Option<Move>,
    /// The shot that led here. A number that the board has not shown yet is animated once; then its
    /// path stays as a faint line.
    pub shot: Option<SceneShot>,
    /// Shows a new shot only as its afterglow, for walking through a game.
    pub still: bool,
    /// Moves to point at, the most important one last.
    pub hints: Vec<Hint>,
    /// Where beams would run now.
    pub previews: Vec<Shot>,
    /// The side of the person who looks, for labels such as "your djed".
    pub you: Option<Color>,
}

impl Scene {
    /// A position to look at, from Silver's side.
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

/// A move that is pointed at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hint {
    /// The move.
    pub mv: Move,
    /// Why.
    pub kind: HintKind,
}

/// Why a move is pointed at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HintKind {
    /// Nothing is better.
    Best,
    /// It can be thought of too.
    Other,
    /// The other side would play it.
    Threat,
}

/// The shot of a scene's last move.
///
/// It adds to the [`Shot`] what a board needs beside it: an identity, because each shot is animated
/// once, and the position that is shown while it is animated.
#[derive(Clone, PartialEq, Debug)]
pub struct SceneShot {
    /// A number that differs from shot to shot. A board animates each number once.
    pub number: u32,
    /// The position after the move and before its hits ([`Position::before_shot`]).
    pub before_shot: Position,
    /// The shot.
    pub shot: Shot,
}

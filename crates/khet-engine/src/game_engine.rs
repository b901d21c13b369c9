//! The common interface of the engines of both games, so that analysis is written once.

use khet::{BoardSquare, GamePosition};

use crate::{BestMove, Control, Engine, Info, Limits, SearchRoot, tower};

/// An engine for games with or without a tower: [`Engine`], [`tower::Engine`], or
/// [`AnyEngine`](crate::AnyEngine) for both.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use std::time::Duration;
/// use khet::tower::Setup;
/// use khet_engine::{Control, GameEngine, Limits, Options, SearchRoot, tower::Engine};
///
/// let mut engine = Engine::new(Options { multi_pv: 3, ..Options::default() });
/// let search_root = SearchRoot::from_position(Setup::Orontes.position());
/// let never = AtomicBool::new(false);
/// let control = Control { stop: &never, pondering: &never, elapsed: &|| Duration::ZERO };
/// let limits = Limits { depth: Some(2), ..Limits::default() };
/// let (lines, _) = engine.best_lines(&search_root, limits, control);
/// assert_eq!(lines.len(), 3);
/// ```
pub trait GameEngine {
    /// The squares of the board.
    type Square: BoardSquare;
    /// The positions of the game.
    type Position: GamePosition<Square = Self::Square>;

    /// Searches until a limit is reached or the control stops it. Calls `report` with every
    /// principal variation of each iteration.
    fn search(
        &mut self,
        search_root: &SearchRoot<Self::Position>,
        limits: Limits,
        control: Control<'_>,
        report: &mut dyn FnMut(&Info<Self::Square>),
    ) -> BestMove<Self::Square>;

    /// Returns the principal variations of the last completed iteration, best first, and the number
    /// of nodes. There is one per `Options::multi_pv`, and none if no move is legal.
    fn best_lines(
        &mut self,
        search_root: &SearchRoot<Self::Position>,
        limits: Limits,
        control: Control<'_>,
    ) -> (Vec<Info<Self::Square>>, u64) {
        let (mut lines, mut nodes) = search_lines(self, search_root, limits, control);
        // A limit reached in the first iteration leaves moves without a score.
        if lines.iter().any(|info| info.depth == 1) {
            let first = Limits { depth: Some(1), ..Limits::default() };
            let (whole, more) = search_lines(self, search_root, first, control);
            lines = whole;
            nodes += more;
        }
        (lines, nodes)
    }
}

/// Searches, and returns the lines of the last iteration and the number of nodes.
fn search_lines<E: GameEngine + ?Sized>(
    engine: &mut E,
    search_root: &SearchRoot<E::Position>,
    limits: Limits,
    control: Control<'_>,
) -> (Vec<Info<E::Square>>, u64) {
    let mut lines = Vec::new();
    let answer = engine.search(search_root, limits, control, &mut |info| {
        if info.multi_pv == 1 {
            lines.clear();
        }
        lines.push(info.clone());
    });
    (lines, answer.nodes)
}

impl GameEngine for Engine {
    type Square = khet::Square;
    type Position = khet::Position;

    fn search(
        &mut self,
        search_root: &SearchRoot,
        limits: Limits,
        control: Control<'_>,
        report: &mut dyn FnMut(&Info),
    ) -> BestMove {
        self.search(search_root, limits, control, report)
    }
}

impl GameEngine for tower::Engine {
    type Square = khet::tower::Square;
    type Position = khet::tower::Position;

    fn search(
        &mut self,
        search_root: &SearchRoot<khet::tower::Position>,
        limits: Limits,
        control: Control<'_>,
        report: &mut dyn FnMut(&Info<khet::tower::Square>),
    ) -> BestMove<khet::tower::Square> {
        self.search(search_root, limits, control, report)
    }
}

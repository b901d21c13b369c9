//! Playing many moves of one position quickly, for searches and perft.

use crate::beam::{self, BeamVisitor, Board, HitSquares, PatchedPosition};
use crate::disturbed_shots::{DisturbedShots, PieceValues};
use crate::generate::MoveKind;
use crate::piece::MoveClass;
use crate::{Bitboard, BoardSquare, Color, Direction, Move, MoveList, Piece, Position, Square};

/// A position together with the shot that the side to move would fire now.
///
/// A move can change the shot only if it *disturbs* it, that is, if it starts or ends on a square
/// of the beam's path. For all other moves the shot is known and need not be traced again, so that
/// playing one is a copy and a change of two squares.
///
/// ```
/// use khet::Setup;
///
/// let position = Setup::Classic.position();
/// let aim = position.aim();
/// for &mv in &position.legal_moves() {
///     let (next, removed) = aim.play(mv);
///     let mut same = position;
///     assert_eq!(same.play_unchecked(mv), removed);
///     assert_eq!(same, next);
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct AimedPosition<'a> {
    position: &'a Position,
    shot: ShotSquares,
}

/// The squares of a shot, as sets: a [`Shot`](crate::Shot) reduced to what a search needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShotSquares<S: BoardSquare = Square> {
    /// The squares whose change may change the shot: those that a beam crosses or ends on, and that
    /// of the sphinx which fires.
    pub path: S::Set,
    /// The squares on which a piece is hit.
    pub removed: S::Set,
}

impl Position {
    /// Traces the shot of a player's laser if it were fired now.
    #[inline]
    pub fn shot_squares(&self, by: Color) -> ShotSquares {
        // A sphinx that is rotated fires in another direction.
        let mut path = self.of_class(MoveClass::Sphinx) & self.of_color(by);
        let hit_squares = beam::trace(self, by, &mut path);
        ShotSquares { path, removed: hit_squares.set() }
    }

    /// Like [`Position::shot_squares`], and calls `visit` with the squares and the direction of
    /// travel of each straight segment. Segments without squares are left out.
    ///
    /// ```
    /// use khet::{Color, Direction, Setup};
    ///
    /// let mut segments = Vec::new();
    /// let position = Setup::Classic.position();
    /// position.trace_segments(Color::Silver, |squares, travel| segments.push((squares.len(), travel)));
    /// assert_eq!(segments[0], (4, Direction::North));
    /// ```
    #[inline]
    pub fn trace_segments(&self, by: Color, visit: impl FnMut(Bitboard, Direction)) -> ShotSquares {
        let path = self.of_class(MoveClass::Sphinx) & self.of_color(by);
        let mut visitor = SegmentVisitor { path, visit };
        let hit_squares = beam::trace(self, by, &mut visitor);
        ShotSquares { path: visitor.path, removed: hit_squares.set() }
    }

    /// Traces the shot of the side to move, to play many moves quickly.
    #[inline]
    pub fn aim(&self) -> AimedPosition<'_> {
        self.aim_with(self.shot_squares(self.side_to_move()))
    }

    /// Like [`Position::aim`], with a shot of the side to move that has already been traced.
    #[inline]
    pub fn aim_with(&self, shot: ShotSquares) -> AimedPosition<'_> {
        AimedPosition { position: self, shot }
    }
}

/// Collects the path of a shot, and passes its segments on.
struct SegmentVisitor<F> {
    path: Bitboard,
    visit: F,
}

impl<F: FnMut(Bitboard, Direction)> BeamVisitor for SegmentVisitor<F> {
    #[inline]
    fn visit_segment(&mut self, (): (), squares: Bitboard, travel: Direction) {
        self.path |= squares;
        if !squares.is_empty() {
            (self.visit)(squares, travel);
        }
    }
}

impl AimedPosition<'_> {
    /// Returns the shot as it would be fired before the move.
    #[inline]
    pub fn shot_squares(&self) -> ShotSquares {
        self.shot
    }

    /// Returns the position after the shot alone, without a move, the other side to move.
    #[inline]
    pub fn after(&self) -> Position {
        let mut after = *self.position;
        after.remove_and_pass(self.shot.removed);
        after
    }

    /// Returns whether a move touches the beam, so that its shot may differ.
    #[inline]
    pub fn is_disturbed_by(&self, mv: Move) -> bool {
        self.shot.path.has(mv.from()) || self.shot.path.has(mv.to())
    }

    /// Lists the legal moves that touch the beam.
    pub fn disturbing_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        let path = self.shot.path;
        self.position.each_move_kind(|kind, from, targets| {
            let targets = if path.has(from) { targets } else { targets & path };
            targets.into_iter().for_each(|to| moves.push(kind.mv(from, to)));
        });
        moves
    }

    /// Visits all legal moves that touch the beam and whose shot is worth more than `above`. Calls
    /// `visit` with a move, its target squares, and the value of the shot, which is the same for
    /// all of these targets. Much faster than tracing the [`hits`](AimedPosition::hits) of each
    /// move.
    ///
    /// ```
    /// use khet::{Piece, Setup};
    ///
    /// let mut values = [0; Piece::COUNT];
    /// for piece in Piece::all() {
    ///     values[piece.index()] = 1;
    /// }
    /// let position = Setup::Classic.position();
    /// let aim = position.aim();
    /// aim.each_disturbing_move(&values, 0, |mv, targets, gain| {
    ///     for to in targets {
    ///         assert_eq!(aim.hits(mv.with_target(to)).count(), gain as usize);
    ///     }
    /// });
    /// ```
    #[inline]
    pub fn each_disturbing_move(
        &self,
        values: &PieceValues,
        above: i32,
        visit: impl FnMut(PartialMove, Bitboard, i32),
    ) {
        DisturbedShots::new(self.position, self.shot.path, values, above, visit).visit_all();
    }

    /// Visits all legal moves that do not touch the beam. Calls `visit` with a move and its target
    /// squares.
    #[inline]
    pub fn each_undisturbing_move(&self, mut visit: impl FnMut(PartialMove, Bitboard)) {
        let off_path = !self.shot.path;
        self.position.each_move_kind_from(off_path, |kind, from, targets| {
            let targets = targets & off_path;
            if !targets.is_empty() {
                visit(PartialMove { from, kind }, targets);
            }
        });
    }

    /// Returns what the shot after a legal move would hit: each square with the piece that stands
    /// there when the laser fires. Faster than playing the move.
    ///
    /// ```
    /// use khet::{Setup, Square};
    ///
    /// let position = Setup::Classic.position();
    /// let hits: Vec<_> = position.aim().hits("j4i3".parse()?).collect();
    /// assert_eq!(hits, [(Square::J5, position.get(Square::J5).unwrap())]);
    /// # Ok::<_, khet::ParseMoveError>(())
    /// ```
    pub fn hits(&self, mv: Move) -> impl Iterator<Item = (Square, Piece)> {
        let (position, squares) = (self.position, [mv.from(), mv.to()]);
        let before = squares.map(|square| position.get(square));
        let board = PatchedPosition::new(position, squares, position.move_kind(mv).outcome(before));
        let removed = if self.is_disturbed_by(mv) {
            beam::trace(&board, position.side_to_move(), &mut ()).set()
        } else {
            self.shot.removed
        };
        removed.into_iter().filter_map(move |at| board.get(at).map(|piece| (at, piece)))
    }

    /// Returns the position after a legal move and its shot, and the squares on which a piece was
    /// hit. See [`Position::play_unchecked`] for illegal moves.
    #[inline]
    pub fn play(&self, mv: Move) -> (Position, Bitboard) {
        let mut next = *self.position;
        let removed = self.play_into(&mut next, mv);
        (next, removed)
    }

    /// Writes the position after a legal move and its shot into `next`, and returns the squares on
    /// which a piece was hit. Faster than assigning the result of [`play`](AimedPosition::play): a
    /// copy right after single writes fails store-to-load forwarding.
    #[inline]
    pub fn play_into(&self, next: &mut Position, mv: Move) -> Bitboard {
        *next = *self.position;
        if self.is_disturbed_by(mv) {
            return next.play_unchecked(mv);
        }
        next.remove_and_pass(self.shot.removed);
        next.apply_move(mv);
        self.shot.removed
    }

    /// Calls `visit` with the position after each legal move.
    #[inline]
    pub(crate) fn each_next(&self, mut visit: impl FnMut(&Position)) {
        let after = self.after();
        self.position.each_move_kind(|kind, from, targets| {
            let disturbing =
                if self.shot.path.has(from) { targets } else { targets & self.shot.path };
            let undisturbing = targets ^ disturbing;
            match kind {
                // Most moves are steps: the piece is read once for all of its targets.
                MoveKind::Step => {
                    after.each_step(from, undisturbing, |next| visit(next));
                    self.position.each_step(from, disturbing, |next| {
                        next.shoot_and_pass();
                        visit(next);
                    });
                }
                MoveKind::Rotate(rotation) => {
                    let mut next = if undisturbing.is_empty() { *self.position } else { after };
                    next.rotate(from, rotation.quarters());
                    if undisturbing.is_empty() {
                        next.shoot_and_pass();
                    }
                    visit(&next);
                }
                _ => {
                    for to in undisturbing {
                        let mut next = after;
                        next.apply_kind(kind, from, to);
                        visit(&next);
                    }
                    for to in disturbing {
                        let mut next = *self.position;
                        next.apply_kind(kind, from, to);
                        next.shoot_and_pass();
                        visit(&next);
                    }
                }
            }
        });
    }
}

/// A move without its target square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PartialMove {
    /// The square of the piece that moves.
    pub from: Square,
    pub(crate) kind: MoveKind,
}

impl PartialMove {
    /// Returns whether it is a rotation, whose only target is the piece's own square.
    #[inline]
    pub fn rotates(self) -> bool {
        matches!(self.kind, MoveKind::Rotate(_))
    }

    /// Returns the move with this target.
    #[inline]
    pub fn with_target(self, to: Square) -> Move {
        self.kind.mv(self.from, to)
    }
}

impl Position {
    /// Removes what a shot hits, and passes the turn.
    #[inline]
    fn remove_and_pass(&mut self, removed: Bitboard) {
        if !removed.is_empty() {
            self.remove_hit(HitSquares::Several(removed));
        }
        self.pass_turn();
    }

    /// Calls `visit` with the position after each of these steps, before the shot.
    #[inline]
    fn each_step(&self, from: Square, targets: Bitboard, mut visit: impl FnMut(&mut Position)) {
        let Some(piece) = self.get(from) else { return };
        for to in targets {
            let mut next = *self;
            next.relocate(piece, from, to);
            visit(&mut next);
        }
    }
}

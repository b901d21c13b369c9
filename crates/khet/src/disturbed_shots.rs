//! The values of shots that a move changes because it touches the beam.
//!
//! Up to the first square that the move touches, the beam runs as before, so it is traced only from
//! there on. A search examines most moves just to see what they would hit, which makes this its
//! innermost loop.

use crate::beam::{self, BeamOrigin, BeamVisitor, Board, HitSquares, PatchedPosition};
use crate::generate::{MoveKind, MoveVisitor};
use crate::piece::MoveClass;
use crate::{Bitboard, Color, Direction, PartialMove, Piece, Position, Square};

/// The gain of the player who fires if the shot hits a piece, by [`Piece::index`].
pub type PieceValues = [i16; Piece::COUNT];

/// The path of the beam before the move, up to the first Eye.
struct BeamTrack {
    /// The first arrival of the beam on each square: the number of the segment times four, plus the
    /// direction of travel. [`NEVER`] if it does not arrive.
    arrival: [u8; Square::COUNT],
    /// All squares up to the end of each segment.
    until: [Bitboard; BeamTrack::MAX_SEGMENTS],
    segments: usize,
    /// The Eye at which the track ends and several beams go on.
    eye: Option<Square>,
}

const NEVER: u8 = u8::MAX;

impl BeamTrack {
    /// Beams of more segments are rare. Moves that touch only later segments are traced in full.
    const MAX_SEGMENTS: usize = 16;

    const EMPTY: BeamTrack = BeamTrack {
        arrival: [NEVER; Square::COUNT],
        until: [Bitboard::EMPTY; BeamTrack::MAX_SEGMENTS],
        segments: 0,
        eye: None,
    };

    /// Returns all squares up to a piece on the track, and the direction in which the beam arrives.
    #[inline]
    fn to_piece(&self, square: Square) -> Option<(Bitboard, Direction)> {
        let arrival = self.arrival[square.index()];
        let until = self.until[usize::from(arrival >> 2) % BeamTrack::MAX_SEGMENTS];
        (arrival != NEVER).then(|| (until, Direction::from_bits(arrival)))
    }

    /// Returns the square of a move at which the beam arrives first, with its direction there.
    #[inline]
    fn first(&self, from: Square, to: Square) -> Option<(Square, Direction)> {
        let (start, end) = (self.arrival[from.index()], self.arrival[to.index()]);
        // A segment ends at a piece, and one stands on `from`: within a segment `to` comes first.
        let (first, arrival) = if end >> 2 <= start >> 2 { (to, end) } else { (from, start) };
        (arrival != NEVER).then(|| (first, Direction::from_bits(arrival)))
    }
}

impl BeamVisitor for BeamTrack {
    #[inline]
    fn visit_start(&mut self, origin: BeamOrigin, _: Direction) {
        if let BeamOrigin::Eye(eye) = origin {
            self.eye = self.eye.or(Some(eye));
        }
    }

    #[inline]
    fn visit_segment(&mut self, (): (), squares: Bitboard, travel: Direction) {
        if self.eye.is_some() || self.segments >= BeamTrack::MAX_SEGMENTS {
            return;
        }
        let before = self.segments.checked_sub(1).map_or(Bitboard::EMPTY, |last| self.until[last]);
        let arrival = (self.segments as u8) << 2 | travel as u8;
        (squares & !before).into_iter().for_each(|square| self.arrival[square.index()] = arrival);
        self.until[self.segments] = before | squares;
        self.segments += 1;
    }
}

/// Computes the values of the shots after all moves that touch the beam, and reports those above
/// `above`.
///
/// Each kind of move has its own function, which is not inlined at every place where the generator
/// visits such moves: small loops stay in the instruction cache.
pub(crate) struct DisturbedShots<'a, V> {
    position: &'a Position,
    side: Color,
    path: Bitboard,
    track: BeamTrack,
    values: &'a PieceValues,
    above: i32,
    visit: V,
}

impl<'a, V: FnMut(PartialMove, Bitboard, i32)> DisturbedShots<'a, V> {
    /// `path` is the path of the beam before the move.
    #[inline]
    pub(crate) fn new(
        position: &'a Position,
        path: Bitboard,
        values: &'a PieceValues,
        above: i32,
        visit: V,
    ) -> DisturbedShots<'a, V> {
        let (side, track) = (position.side_to_move(), BeamTrack::EMPTY);
        DisturbedShots { position, side, path, track, values, above, visit }
    }

    /// Visits all moves that touch the beam.
    #[inline]
    pub(crate) fn visit_all(&mut self) {
        // The track is filled in place: copying it right after single writes would be slow.
        beam::trace(self.position, self.side, &mut self.track);
        if !self.position.of_class(MoveClass::Sphinx).is_empty() {
            // The beam may return to its sphinx, but rotating the sphinx changes the whole beam.
            self.track.arrival[Square::laser_corner(self.side).index()] = NEVER;
        }
        self.position.visit_moves(self.path | self.path.neighbors(), self);
    }

    #[inline(never)]
    fn step(&mut self, from: Square, targets: Bitboard) {
        let partial = PartialMove { from, kind: MoveKind::Step };
        let lifts = self.path.has(from);
        let mut targets = if lifts { targets } else { targets & self.path };
        if targets.is_empty() {
            return;
        }
        let Some(piece) = self.position.get(from) else { return };
        // The piece is lifted by clearing its bit: the tracer reads only occupied squares.
        let occupied = self.position.occupied() ^ Bitboard::of(from);
        let lifted = WithPiece { position: self.position, occupied, square: from, piece };
        if lifts && let Some((mut path, travel)) = self.track.to_piece(from) {
            // All steps that end off the path of the beam without the piece have the same shot.
            let hit_squares =
                beam::run(&lifted, (), Bitboard::ray(from, travel), travel, &mut path);
            let aside = targets & !path;
            if !aside.is_empty() {
                self.report(partial, aside, self.value_of(&lifted, hit_squares));
                targets ^= aside;
            }
        }
        for to in targets {
            let board = WithPiece { occupied: occupied | Bitboard::of(to), square: to, ..lifted };
            let gain = self.shoot(&board, from, to);
            self.report(partial, Bitboard::of(to), gain);
        }
    }

    #[inline(never)]
    fn rotate(&mut self, from: Square, kind: MoveKind) {
        if self.path.has(from)
            && let [Some(piece), _] = kind.outcome([self.position.get(from); 2])
        {
            let occupied = self.position.occupied();
            let board = WithPiece { position: self.position, occupied, square: from, piece };
            let gain = self.shoot(&board, from, from);
            self.report(PartialMove { from, kind }, Bitboard::of(from), gain);
        }
    }

    /// Handles moves that leave both squares occupied, or put two obelisks on one.
    #[inline(never)]
    fn swap_or_stack(&mut self, from: Square, kind: MoveKind, targets: Bitboard) {
        let targets = if self.path.has(from) { targets } else { targets & self.path };
        for to in targets {
            let before = [from, to].map(|square| self.position.get(square));
            let board = PatchedPosition::new(self.position, [from, to], kind.outcome(before));
            let gain = self.shoot(&board, from, to);
            self.report(PartialMove { from, kind }, Bitboard::of(to), gain);
        }
    }

    /// Calls `visit` if the gain is large enough.
    #[inline(always)]
    fn report(&mut self, partial: PartialMove, targets: Bitboard, gain: i32) {
        if gain > self.above {
            (self.visit)(partial, targets, gain);
        }
    }

    /// Returns the value of the shot on a board after a move has changed these squares.
    #[inline(always)]
    fn shoot(&self, board: &impl Board<Square = Square>, from: Square, to: Square) -> i32 {
        let hit_squares = match self.track.first(from, to) {
            Some((first, travel)) => {
                let ahead = Bitboard::ray(first, travel) | Bitboard::of(first);
                beam::run(board, (), ahead, travel, &mut ())
            }
            None => self.shoot_after_track(board, from),
        };
        self.value_of(board, hit_squares)
    }

    /// Traces the shot after a move that touches the beam only after the end of the track.
    fn shoot_after_track(&self, board: &impl Board<Square = Square>, from: Square) -> HitSquares {
        match self.track.eye.and_then(|eye| self.track.first(eye, eye)) {
            // A rotated sphinx changes the beam from its start.
            Some(eye) if from != Square::laser_corner(self.side) => {
                beam::split(board, eye, &mut ())
            }
            _ => beam::trace(board, self.side, &mut ()),
        }
    }

    /// Returns the value of the pieces on the hit squares.
    #[inline(always)]
    fn value_of(&self, board: &impl Board<Square = Square>, hit_squares: HitSquares) -> i32 {
        let value =
            |square| board.get(square).map_or(0, |piece| i32::from(self.values[piece.index()]));
        match hit_squares {
            HitSquares::None => 0,
            HitSquares::One(square) => value(square),
            HitSquares::Several(squares) => squares.into_iter().map(value).sum(),
        }
    }
}

impl<V: FnMut(PartialMove, Bitboard, i32)> MoveVisitor for DisturbedShots<'_, V> {
    #[inline(always)]
    fn visit(&mut self, kind: MoveKind, from: Square, targets: Bitboard) {
        match kind {
            MoveKind::Step => self.step(from, targets),
            MoveKind::Rotate(_) => self.rotate(from, kind),
            MoveKind::Swap | MoveKind::Stack | MoveKind::Unstack if targets.is_empty() => {}
            MoveKind::Swap | MoveKind::Stack | MoveKind::Unstack => {
                self.swap_or_stack(from, kind, targets)
            }
        }
    }
}

/// A position with one piece placed on a square: like [`PatchedPosition`], with one comparison
/// less per piece that the beam meets.
struct WithPiece<'a> {
    position: &'a Position,
    occupied: Bitboard,
    square: Square,
    piece: Piece,
}

impl Board for WithPiece<'_> {
    type Square = Square;

    #[inline]
    fn obstacles(&self, (): ()) -> Bitboard {
        self.occupied
    }

    #[inline]
    fn get(&self, square: Square) -> Option<Piece> {
        if square == self.square { Some(self.piece) } else { self.position.get(square) }
    }
}

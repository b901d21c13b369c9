//! What shots are worth when a move touches the beam.
//!
//! Up to the first square that the move touches, the beam runs as before: it is followed from there
//! only. A search tries most moves just to see what they would hit, so this is its innermost part.

use crate::beam::{self, BeamOrigin, BeamVisitor, Board, Changed, HitSquares};
use crate::generate::{Sort, Visitor};
use crate::piece::Class;
use crate::{Bitboard, Choice, Color, Direction, Piece, Position, Square};

/// What each piece is worth to the player who fires when the shot removes it, by [`Piece::index`].
pub type Worth = [i16; Piece::COUNT];

/// How the beam runs before the move, up to the first Eye.
struct Track {
    /// How the beam first comes to each square: the number of the straight part, times four, and
    /// the way it travels. [`NEVER`] if it does not.
    comes: [u8; Square::COUNT],
    /// All squares up to the end of each part.
    until: [Bitboard; Track::PARTS],
    parts: usize,
    /// Where the track ends and several beams go on.
    eye: Option<Square>,
}

const NEVER: u8 = u8::MAX;

impl Track {
    /// Beams of more parts are rare. What lies behind them is traced anew.
    const PARTS: usize = 16;

    const EMPTY: Track = Track {
        comes: [NEVER; Square::COUNT],
        until: [Bitboard::EMPTY; Track::PARTS],
        parts: 0,
        eye: None,
    };

    /// All squares up to a piece that the beam comes to, and how it comes there.
    #[inline]
    fn to_piece(&self, square: Square) -> Option<(Bitboard, Direction)> {
        let comes = self.comes[square.index()];
        let until = self.until[usize::from(comes >> 2) % Track::PARTS];
        (comes != NEVER).then(|| (until, Direction::from_bits(comes)))
    }

    /// To which of the squares that a move touches the beam comes first, and how.
    #[inline]
    fn first(&self, from: Square, to: Square) -> Option<(Square, Direction)> {
        let (start, end) = (self.comes[from.index()], self.comes[to.index()]);
        // A part ends at a piece. One stands on `from`: in the same part `to` comes before it.
        let (first, comes) = if end >> 2 <= start >> 2 { (to, end) } else { (from, start) };
        (comes != NEVER).then(|| (first, Direction::from_bits(comes)))
    }
}

impl BeamVisitor for Track {
    #[inline]
    fn start(&mut self, origin: BeamOrigin, _: Direction) {
        if let BeamOrigin::Eye(eye) = origin {
            self.eye = self.eye.or(Some(eye));
        }
    }

    #[inline]
    fn segment(&mut self, squares: Bitboard, travel: Direction) {
        if self.eye.is_some() || self.parts >= Track::PARTS {
            return;
        }
        let before = self.parts.checked_sub(1).map_or(Bitboard::EMPTY, |part| self.until[part]);
        let comes = (self.parts as u8) << 2 | travel as u8;
        (squares & !before).into_iter().for_each(|square| self.comes[square.index()] = comes);
        self.until[self.parts] = before | squares;
        self.parts += 1;
    }
}

/// Tells of the moves that touch the beam what their shots are worth, if it is more than `above`.
///
/// Each sort of move has its own function, which is not copied to every place where the generator
/// shows such moves: one loop each, small enough for the processor to keep.
pub(crate) struct Detours<'a, V> {
    position: &'a Position,
    side: Color,
    path: Bitboard,
    track: Track,
    worth: &'a Worth,
    above: i32,
    visit: V,
}

impl<'a, V: FnMut(Choice, Bitboard, i32)> Detours<'a, V> {
    /// `path` is where the beam runs before the move.
    #[inline]
    pub(crate) fn new(
        position: &'a Position,
        path: Bitboard,
        worth: &'a Worth,
        above: i32,
        visit: V,
    ) -> Detours<'a, V> {
        let (side, track) = (position.side_to_move(), Track::EMPTY);
        Detours { position, side, path, track, worth, above, visit }
    }

    /// Goes through all moves that touch the beam.
    #[inline]
    pub(crate) fn tell_all(&mut self) {
        // In place: the processor can't read as a whole what has just been written in parts.
        beam::trace(self.position, self.side, &mut self.track);
        if !self.position.class(Class::Sphinx).is_empty() {
            // The beam may come back to its sphinx, but who moves that turns all of the beam.
            self.track.comes[Square::laser_corner(self.side).index()] = NEVER;
        }
        self.position.show_sorts(self.path | self.path.neighbors(), self);
    }

    #[inline(never)]
    fn step(&mut self, from: Square, targets: Bitboard) {
        let choice = Choice { from, sort: Sort::Step };
        let lifts = self.path.has(from);
        let mut targets = if lifts { targets } else { targets & self.path };
        if targets.is_empty() {
            return;
        }
        let Some(piece) = self.position.get(from) else { return };
        // Lifted: nobody asks for a piece on a square that is not occupied.
        let occupied = self.position.occupied() ^ Bitboard::of(from);
        let lifted = Placed { position: self.position, occupied, square: from, piece };
        if lifts && let Some((mut way, travel)) = self.track.to_piece(from) {
            // Where the beam runs when the piece is lifted decides all steps out of the beam,
            // except those that put it down on that way.
            let hit_squares = beam::run(&lifted, Bitboard::ray(from, travel), travel, &mut way);
            let aside = targets & !way;
            if !aside.is_empty() {
                self.tell(choice, aside, self.worth_of(&lifted, hit_squares));
                targets ^= aside;
            }
        }
        for to in targets {
            let board = Placed { occupied: occupied | Bitboard::of(to), square: to, ..lifted };
            let gained = self.shoot(&board, from, to);
            self.tell(choice, Bitboard::of(to), gained);
        }
    }

    #[inline(never)]
    fn rotate(&mut self, from: Square, sort: Sort) {
        if self.path.has(from)
            && let [Some(piece), _] = sort.outcome([self.position.get(from); 2])
        {
            let occupied = self.position.occupied();
            let board = Placed { position: self.position, occupied, square: from, piece };
            let gained = self.shoot(&board, from, from);
            self.tell(Choice { from, sort }, Bitboard::of(from), gained);
        }
    }

    /// Moves that leave both squares occupied, or put two pieces on one.
    #[inline(never)]
    fn mix(&mut self, from: Square, sort: Sort, targets: Bitboard) {
        let targets = if self.path.has(from) { targets } else { targets & self.path };
        for to in targets {
            let before = [from, to].map(|square| self.position.get(square));
            let board = Changed::new(self.position, [from, to], sort.outcome(before));
            let gained = self.shoot(&board, from, to);
            self.tell(Choice { from, sort }, Bitboard::of(to), gained);
        }
    }

    #[inline(always)]
    fn tell(&mut self, choice: Choice, targets: Bitboard, gained: i32) {
        if gained > self.above {
            (self.visit)(choice, targets, gained);
        }
    }

    /// What the shot is worth on a board on which a move has touched these squares.
    #[inline(always)]
    fn shoot(&self, board: &impl Board, from: Square, to: Square) -> i32 {
        let hit_squares = match self.track.first(from, to) {
            Some((first, travel)) => {
                let ahead = Bitboard::ray(first, travel) | Bitboard::of(first);
                beam::run(board, ahead, travel, &mut ())
            }
            None => self.shoot_behind(board, from),
        };
        self.worth_of(board, hit_squares)
    }

    /// The same if the move touches the beam only behind the track.
    fn shoot_behind(&self, board: &impl Board, from: Square) -> HitSquares {
        match self.track.eye.and_then(|eye| self.track.first(eye, eye)) {
            // Unless it is the sphinx that turns.
            Some(eye) if from != Square::laser_corner(self.side) => {
                beam::split(board, eye, &mut ())
            }
            _ => beam::trace(board, self.side, &mut ()),
        }
    }

    #[inline(always)]
    fn worth_of(&self, board: &impl Board, hit_squares: HitSquares) -> i32 {
        let worth =
            |square| board.get(square).map_or(0, |piece| i32::from(self.worth[piece.index()]));
        match hit_squares {
            HitSquares::None => 0,
            HitSquares::One(square) => worth(square),
            HitSquares::Several(squares) => squares.into_iter().map(worth).sum(),
        }
    }
}

impl<V: FnMut(Choice, Bitboard, i32)> Visitor for Detours<'_, V> {
    #[inline(always)]
    fn visit(&mut self, sort: Sort, from: Square, targets: Bitboard) {
        match sort {
            Sort::Step => self.step(from, targets),
            Sort::Rotate(_) => self.rotate(from, sort),
            Sort::Swap | Sort::Stack | Sort::Unstack if targets.is_empty() => {}
            Sort::Swap | Sort::Stack | Sort::Unstack => self.mix(from, sort, targets),
        }
    }
}

/// A position with one piece put down, as a beam sees it: like [`Changed`], with one question less at
/// every mirror.
struct Placed<'a> {
    position: &'a Position,
    occupied: Bitboard,
    square: Square,
    piece: Piece,
}

impl Board for Placed<'_> {
    #[inline]
    fn occupied(&self) -> Bitboard {
        self.occupied
    }

    #[inline]
    fn get(&self, square: Square) -> Option<Piece> {
        if square == self.square { Some(self.piece) } else { self.position.get(square) }
    }
}

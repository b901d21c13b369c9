//! Playing many moves of one position quickly, and what a search wants to know before it does.

use crate::beam::{self, Board, Changed, HitSquares};
use crate::detour::{Detours, Worth};
use crate::generate::Sort;
use crate::piece::Class;
use crate::{Bitboard, Color, Move, MoveList, Piece, Position, Square};

/// A position with the beam of the side to move as it runs before the move.
///
/// A move can change what the shot hits only if it touches a square that the beam crosses now. For
/// all other turns the shot is the same and need not be traced again: each of them is a copy and a
/// step.
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
pub struct Aim<'a> {
    position: &'a Position,
    sweep: Sweep,
}

/// Where a laser's beams run, as a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sweep {
    /// The squares whose change may change the shot: those that a beam crosses, with the one it ends
    /// on and the sphinx it comes from.
    pub path: Bitboard,
    /// The squares on which something would be removed.
    pub removed: Bitboard,
}

impl Position {
    /// Where a player's beams run now.
    #[inline]
    pub fn sweep(&self, by: Color) -> Sweep {
        // A sphinx that turns sends the beam elsewhere.
        let mut path = self.class(Class::Sphinx) & self.of_color(by);
        let hit_squares = beam::trace(self, by, &mut path);
        Sweep { path, removed: hit_squares.bitboard() }
    }

    /// Aims the laser of the side to move.
    #[inline]
    pub fn aim(&self) -> Aim<'_> {
        self.aim_along(self.sweep(self.side_to_move()))
    }

    /// The same, if the sweep of the side to move is known already.
    #[inline]
    pub fn aim_along(&self, sweep: Sweep) -> Aim<'_> {
        Aim { position: self, sweep }
    }
}

impl Aim<'_> {
    /// The beam before the move.
    #[inline]
    pub fn sweep(&self) -> Sweep {
        self.sweep
    }

    /// What the shot alone would leave, the other side to move.
    #[inline]
    pub fn after(&self) -> Position {
        let mut after = *self.position;
        after.lose(self.sweep.removed);
        after
    }

    /// Whether the move touches the beam, so that its shot may differ from the one that is aimed.
    #[inline]
    pub fn is_disturbed_by(&self, mv: Move) -> bool {
        self.sweep.path.has(mv.from()) || self.sweep.path.has(mv.to())
    }

    /// The legal moves that touch the beam.
    pub fn disturbing_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        let path = self.sweep.path;
        self.position.each_sort(|sort, from, targets| {
            let targets = if path.has(from) { targets } else { targets & path };
            targets.into_iter().for_each(|to| moves.push(sort.mv(from, to)));
        });
        moves
    }

    /// Finds all legal moves that touch the beam and whose shot is worth more than `above`. Calls
    /// `visit` with what a piece does, the squares to which it may go, and what the shot is worth
    /// whichever of them it takes. Much quicker than asking for the [`hits`](Aim::hits) of each.
    ///
    /// ```
    /// use khet::{Piece, Setup};
    ///
    /// let mut worth = [0; Piece::COUNT];
    /// for piece in Piece::all() {
    ///     worth[piece.index()] = 1;
    /// }
    /// let position = Setup::Classic.position();
    /// let aim = position.aim();
    /// aim.each_disturbing_choice(&worth, 0, |choice, targets, gained| {
    ///     for to in targets {
    ///         assert_eq!(aim.hits(choice.mv(to)).count(), gained as usize);
    ///     }
    /// });
    /// ```
    #[inline]
    pub fn each_disturbing_choice(
        &self,
        worth: &Worth,
        above: i32,
        visit: impl FnMut(Choice, Bitboard, i32),
    ) {
        Detours::new(self.position, self.sweep.path, worth, above, visit).tell_all();
    }

    /// Finds all legal moves that leave the beam alone. Calls `visit` with what a piece does and the
    /// squares to which it may go.
    #[inline]
    pub fn each_calm_choice(&self, mut visit: impl FnMut(Choice, Bitboard)) {
        let calm = !self.sweep.path;
        self.position.each_sort_from(calm, |sort, from, targets| {
            let targets = targets & calm;
            if !targets.is_empty() {
                visit(Choice { from, sort }, targets);
            }
        });
    }

    /// What the shot after a legal move would remove: each square with the piece that stands there
    /// when the laser fires. Quicker than playing the move.
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
        let board = Changed::new(position, squares, position.sort(mv).outcome(before));
        let removed = if self.is_disturbed_by(mv) {
            beam::trace(&board, position.side_to_move(), &mut ()).bitboard()
        } else {
            self.sweep.removed
        };
        removed.into_iter().filter_map(move |at| board.get(at).map(|piece| (at, piece)))
    }

    /// The position after a legal move and its shot, and the squares on which something was
    /// removed. See [`Position::play_unchecked`] for other moves.
    #[inline]
    pub fn play(&self, mv: Move) -> (Position, Bitboard) {
        let mut next = *self.position;
        let removed = self.play_into(&mut next, mv);
        (next, removed)
    }

    /// The same, written over another position; returns the squares on which something was removed.
    /// Quicker than moving a position there: the processor can't read as a whole what has just been
    /// written in parts.
    #[inline]
    pub fn play_into(&self, next: &mut Position, mv: Move) -> Bitboard {
        *next = *self.position;
        if self.is_disturbed_by(mv) {
            return next.play_unchecked(mv);
        }
        next.lose(self.sweep.removed);
        next.carry_out(mv);
        self.sweep.removed
    }

    /// Calls `visit` with the position after each legal move.
    #[inline]
    pub(crate) fn each_next(&self, mut visit: impl FnMut(&Position)) {
        let after = self.after();
        self.position.each_sort(|sort, from, targets| {
            let disturbing =
                if self.sweep.path.has(from) { targets } else { targets & self.sweep.path };
            let calm = targets ^ disturbing;
            match sort {
                // Most moves are steps: the piece is taken off once for all squares it can go to.
                Sort::Step => {
                    after.each_step(from, calm, |next| visit(next));
                    self.position.each_step(from, disturbing, |next| {
                        next.shoot_and_pass();
                        visit(next);
                    });
                }
                Sort::Rotate(rotation) => {
                    let mut next = if calm.is_empty() { *self.position } else { after };
                    next.rotate(from, rotation.quarters());
                    if calm.is_empty() {
                        next.shoot_and_pass();
                    }
                    visit(&next);
                }
                _ => {
                    for to in calm {
                        let mut next = after;
                        next.act(sort, from, to);
                        visit(&next);
                    }
                    for to in disturbing {
                        let mut next = *self.position;
                        next.act(sort, from, to);
                        next.shoot_and_pass();
                        visit(&next);
                    }
                }
            }
        });
    }
}

/// What a piece may do, whatever square it goes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// Where the piece stands.
    pub from: Square,
    pub(crate) sort: Sort,
}

impl Choice {
    /// Whether the piece turns in place, so that the one target is its own square.
    #[inline]
    pub fn rotates(self) -> bool {
        matches!(self.sort, Sort::Rotate(_))
    }

    /// The move that goes there; a rotation stays where it is.
    #[inline]
    pub fn mv(self, to: Square) -> Move {
        self.sort.mv(self.from, to)
    }
}

impl Position {
    /// Takes off what a shot removes, and gives the move to the other side.
    #[inline]
    fn lose(&mut self, removed: Bitboard) {
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

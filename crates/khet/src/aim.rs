//! Playing many turns of one position quickly, and what a search wants to know before it does.

use crate::beam::{self, Board, Struck};
use crate::generate::Sort;
use crate::piece::Class;
use crate::{Bitboard, Color, Kind, Piece, Position, Square, Turn, TurnList};

/// A position with the beam of the side to move as it runs before the turn.
///
/// A turn can change what the shot hits only if it touches a square that the beam crosses now. For
/// all other turns the shot is the same, so it is traced and its hits are removed once; each such
/// turn is then a copy and a step.
///
/// ```
/// use khet::Setup;
///
/// let position = Setup::Classic.position();
/// let aim = position.aim();
/// for &turn in &position.turns() {
///     let (next, removed) = aim.play(turn);
///     let mut same = position;
///     assert_eq!(same.play_unchecked(turn), removed);
///     assert_eq!(same, next);
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Aim<'a> {
    position: &'a Position,
    sweep: Sweep,
    /// The position after a shot that the turn left alone, the other side to move.
    after: Position,
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
        let struck = beam::trace(self, by, &mut path);
        Sweep { path, removed: struck.squares() }
    }

    /// Aims the laser of the side to move.
    #[inline]
    pub fn aim(&self) -> Aim<'_> {
        self.aim_along(self.sweep(self.side_to_move()))
    }

    /// The same, if the sweep of the side to move is known already.
    #[inline]
    pub fn aim_along(&self, sweep: Sweep) -> Aim<'_> {
        let mut after = *self;
        after.strike(Struck::Several(sweep.removed));
        after.pass_turn();
        Aim { position: self, sweep, after }
    }
}

impl Aim<'_> {
    /// The beam before the turn.
    #[inline]
    pub fn sweep(&self) -> Sweep {
        self.sweep
    }

    /// What the shot alone would leave, the other side to move.
    #[inline]
    pub fn after(&self) -> &Position {
        &self.after
    }

    /// Whether the turn touches the beam, so that its shot may differ from the one that is aimed.
    #[inline]
    pub fn is_disturbed_by(&self, turn: Turn) -> bool {
        self.sweep.path.has(turn.from()) || self.sweep.path.has(turn.to())
    }

    /// The legal turns that touch the beam.
    pub fn disturbing_turns(&self) -> TurnList {
        let mut turns = TurnList::new();
        self.select(
            |from, targets| {
                if self.sweep.path.has(from) { targets } else { targets & self.sweep.path }
            },
            |turn| turns.push(turn),
        );
        turns
    }

    /// Calls `visit` with each legal turn that leaves the beam alone.
    #[inline]
    pub fn each_calm_turn(&self, visit: impl FnMut(Turn)) {
        let calm = |from, targets| {
            if self.sweep.path.has(from) { Bitboard::EMPTY } else { targets & !self.sweep.path }
        };
        self.select(calm, visit);
    }

    #[inline]
    fn select(&self, choose: impl Fn(Square, Bitboard) -> Bitboard, mut visit: impl FnMut(Turn)) {
        self.position.each_sort(|sort, from, targets| {
            for to in choose(from, targets) {
                visit(sort.turn(from, to));
            }
        });
    }

    /// What the shot after a legal turn would remove: each square with the piece that stands there
    /// when the laser fires. Quicker than playing the turn.
    ///
    /// ```
    /// use khet::{Setup, Square};
    ///
    /// let position = Setup::Classic.position();
    /// let hits: Vec<_> = position.aim().hits("j4i3".parse()?).collect();
    /// assert_eq!(hits, [(Square::J5, position.get(Square::J5).unwrap())]);
    /// # Ok::<_, khet::ParseTurnError>(())
    /// ```
    #[inline]
    pub fn hits(&self, turn: Turn) -> impl Iterator<Item = (Square, Piece)> {
        let board = Patched::new(self.position, turn);
        let removed = if self.is_disturbed_by(turn) {
            beam::trace(&board, self.position.side_to_move(), &mut ()).squares()
        } else {
            self.sweep.removed
        };
        let pieces =
            removed.into_iter().map(move |square| board.get(square).map(|piece| (square, piece)));
        pieces.flatten()
    }

    /// The position after a legal turn and its shot, and the squares on which something was
    /// removed. See [`Position::play_unchecked`] for other turns.
    #[inline]
    pub fn play(&self, turn: Turn) -> (Position, Bitboard) {
        if self.is_disturbed_by(turn) {
            let mut next = *self.position;
            let removed = next.play_unchecked(turn);
            (next, removed)
        } else {
            let mut next = self.after;
            next.carry_out(turn);
            (next, self.sweep.removed)
        }
    }

    /// Calls `visit` with the position after each legal turn.
    #[inline]
    pub(crate) fn each_next(&self, mut visit: impl FnMut(&Position)) {
        self.position.each_sort(|sort, from, targets| {
            let disturbing =
                if self.sweep.path.has(from) { targets } else { targets & self.sweep.path };
            let calm = targets ^ disturbing;
            match sort {
                // Most turns are steps: the piece is taken off once for all squares it can go to.
                Sort::Step => {
                    self.after.each_step(from, calm, |next| visit(next));
                    self.position.each_step(from, disturbing, |next| {
                        next.shoot_and_pass();
                        visit(next);
                    });
                }
                Sort::Rotate(spin) => {
                    let mut next = if calm.is_empty() { *self.position } else { self.after };
                    next.rotate(from, spin.quarters());
                    if calm.is_empty() {
                        next.shoot_and_pass();
                    }
                    visit(&next);
                }
                _ => {
                    for to in calm {
                        let mut next = self.after;
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

/// A position with what a turn changes laid over it: cheaper to trace a beam on than a copy.
#[derive(Clone, Copy)]
struct Patched<'a> {
    position: &'a Position,
    occupied: Bitboard,
    from: (Square, Option<Piece>),
    to: (Square, Option<Piece>),
}

impl<'a> Patched<'a> {
    #[inline]
    fn new(position: &'a Position, turn: Turn) -> Patched<'a> {
        let (from, to) = (turn.from(), turn.to());
        let (mover, target) = (position.get(from), position.get(to));
        let single = mover.and_then(Piece::remains);
        let obelisks = mover.map(|piece| Piece::new(piece.color(), Kind::Stack));
        let (left, arrived) = match turn {
            Turn::Rotate { spin, .. } => {
                let turned = mover.map(|piece| piece.rotated(spin.quarters()));
                (turned, turned)
            }
            Turn::Unstack { .. } if target.is_some() => (single, obelisks),
            Turn::Unstack { .. } => (single, single),
            Turn::Move { .. } if target.is_none() => (None, mover),
            Turn::Move { .. } if position.class(Class::Swapper).has(from) => (target, mover),
            Turn::Move { .. } => (None, obelisks),
        };
        let mut occupied = position.occupied() | Bitboard::of(to);
        if left.is_none() {
            occupied ^= Bitboard::of(from);
        }
        Patched { position, occupied, from: (from, left), to: (to, arrived) }
    }
}

impl Board for Patched<'_> {
    #[inline]
    fn occupied(&self) -> Bitboard {
        self.occupied
    }

    #[inline]
    fn get(&self, square: Square) -> Option<Piece> {
        if square == self.to.0 {
            self.to.1
        } else if square == self.from.0 {
            self.from.1
        } else {
            self.position.get(square)
        }
    }
}

impl Position {
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

    #[inline]
    fn act(&mut self, sort: Sort, from: Square, to: Square) {
        match sort {
            Sort::Step => self.step(from, to),
            Sort::Swap => self.swap(from, to),
            Sort::Stack => self.stack(from, to),
            Sort::Unstack => self.unstack(from, to),
            Sort::Rotate(spin) => self.rotate(from, spin.quarters()),
        }
    }
}

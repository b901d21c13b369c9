//! Playing many turns of one position quickly, and what a search wants to know before it does.

use crate::beam::{self, Board, Changed, Struck};
use crate::detour::{Detours, Worth};
use crate::generate::Sort;
use crate::piece::Class;
use crate::{Bitboard, Color, Piece, Position, Square, Turn, TurnList};

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
        // In place: a position is large.
        let mut aim = Aim { position: self, sweep, after: *self };
        aim.after.strike(Struck::Several(sweep.removed));
        aim.after.pass_turn();
        aim
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
        let path = self.sweep.path;
        self.position.each_sort(|sort, from, targets| {
            let targets = if path.has(from) { targets } else { targets & path };
            targets.into_iter().for_each(|to| turns.push(sort.turn(from, to)));
        });
        turns
    }

    /// Calls `visit` with all legal turns that touch the beam and whose shot is worth more than
    /// `above`: turns of one piece that are worth the same may come together, as the squares where
    /// they end.
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
    ///         assert_eq!(aim.hits(choice.turn(to)).count(), gained as usize);
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
        let path = self.sweep.path;
        let detours = Detours::new(self.position, path, worth, above, visit);
        self.position.show_sorts(path | path.neighbors(), detours);
    }

    /// Calls `visit` with all legal turns that leave the beam alone, those of one piece that differ
    /// only in where they end together.
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
    pub fn hits(&self, turn: Turn) -> impl Iterator<Item = (Square, Piece)> {
        let (position, squares) = (self.position, [turn.from(), turn.to()]);
        let before = squares.map(|square| position.get(square));
        let board = Changed::new(position, squares, position.sort(turn).outcome(before));
        let removed = if self.is_disturbed_by(turn) {
            beam::trace(&board, position.side_to_move(), &mut ()).squares()
        } else {
            self.sweep.removed
        };
        removed.into_iter().filter_map(move |at| board.get(at).map(|piece| (at, piece)))
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

    /// The turn with this target.
    #[inline]
    pub fn turn(self, to: Square) -> Turn {
        self.sort.turn(self.from, to)
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
}

//! Playing many turns of one position quickly, and what a search wants to know before it does.

use crate::beam::{self, Board, Struck};
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
        self.each_disturbing(|sort, from, targets| {
            targets.into_iter().for_each(|to| turns.push(sort.turn(from, to)));
        });
        turns
    }

    /// Calls `visit` with all legal turns that touch the beam, those of one piece whose shots remove
    /// the same together, and with what that is.
    ///
    /// ```
    /// use khet::{Piece, Setup};
    ///
    /// let position = Setup::Classic.position();
    /// let aim = position.aim();
    /// aim.each_disturbing_choice(|choice, spoils| {
    ///     let spoils: Vec<Piece> = spoils.collect();
    ///     for turn in choice.turns() {
    ///         assert!(aim.hits(turn).map(|(_, piece)| piece).eq(spoils.iter().copied()));
    ///     }
    /// });
    /// ```
    #[inline]
    pub fn each_disturbing_choice(&self, mut visit: impl FnMut(Choice, Spoils<'_>)) {
        let path = self.sweep.path;
        let position = self.position;
        let side = position.side_to_move();
        let mut sketch = Sketch::of(position);
        self.each_disturbing(|sort, from, mut targets| {
            // Most turns are steps. Where the beam runs when the piece is lifted decides all steps
            // out of the beam, except those that put it down on that way.
            if sort == Sort::Step && path.has(from) {
                let piece = sketch.replace(from, None);
                let mut way = Bitboard::EMPTY;
                let struck = beam::trace(&sketch, side, &mut way);
                let aside = targets & !way;
                if !aside.is_empty() {
                    let choice = Choice { from, targets: aside, sort };
                    visit(choice, Spoils { board: &sketch, struck });
                }
                sketch.replace(from, piece);
                targets ^= aside;
            }
            for to in targets {
                let before = sketch.act(sort, from, to);
                let struck = beam::trace(&sketch, side, &mut ());
                let choice = Choice { from, targets: Bitboard::of(to), sort };
                visit(choice, Spoils { board: &sketch, struck });
                sketch.restore(from, to, before);
            }
        });
    }

    #[inline]
    fn each_disturbing(&self, mut visit: impl FnMut(Sort, Square, Bitboard)) {
        let path = self.sweep.path;
        self.position.each_sort_from(path | path.neighbors(), |sort, from, targets| {
            let targets = if path.has(from) { targets } else { targets & path };
            if !targets.is_empty() {
                visit(sort, from, targets);
            }
        });
    }

    /// Calls `visit` with all legal turns that leave the beam alone, piece by piece.
    #[inline]
    pub fn each_calm_choice(&self, mut visit: impl FnMut(Choice)) {
        let calm = !self.sweep.path;
        self.position.each_sort_from(calm, |sort, from, targets| {
            let targets = targets & calm;
            if !targets.is_empty() {
                visit(Choice { from, targets, sort });
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
        let mut board = Sketch::of(self.position);
        board.act(self.position.sort(turn), turn.from(), turn.to());
        let removed = if self.is_disturbed_by(turn) {
            beam::trace(&board, self.position.side_to_move(), &mut ()).squares()
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

/// Turns of one piece that differ only in where it goes. A rotation is a choice of one: the square
/// on which the piece stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// Where the piece stands.
    pub from: Square,
    /// Where it may go.
    pub targets: Bitboard,
    sort: Sort,
}

impl Choice {
    /// The turn with this target.
    #[inline]
    pub fn turn(self, to: Square) -> Turn {
        self.sort.turn(self.from, to)
    }

    /// All of them.
    pub fn turns(self) -> impl Iterator<Item = Turn> {
        self.targets.into_iter().map(move |to| self.turn(to))
    }
}

/// The pieces that a shot removes.
#[derive(Clone, Debug)]
pub struct Spoils<'a> {
    board: &'a Sketch,
    struck: Struck,
}

impl Iterator for Spoils<'_> {
    type Item = Piece;

    #[inline]
    fn next(&mut self) -> Option<Piece> {
        let square = match &mut self.struck {
            Struck::Nothing => return None,
            Struck::One(square) => {
                let square = *square;
                self.struck = Struck::Nothing;
                square
            }
            Struck::Several(squares) => {
                let square = squares.first()?;
                *squares ^= Bitboard::of(square);
                square
            }
        };
        self.board.get(square)
    }
}

/// What a beam needs to know of a board, on which turns are tried and taken back.
#[derive(Clone, Debug)]
struct Sketch {
    pieces: [Option<Piece>; Square::COUNT],
    occupied: Bitboard,
}

impl Sketch {
    #[inline]
    fn of(position: &Position) -> Sketch {
        Sketch { pieces: *position.board(), occupied: position.occupied() }
    }

    /// Puts something else on a square, or nothing: what stood there.
    #[inline]
    fn replace(&mut self, square: Square, piece: Option<Piece>) -> Option<Piece> {
        let at = Bitboard::of(square);
        self.occupied |= at;
        if piece.is_none() {
            self.occupied ^= at;
        }
        std::mem::replace(&mut self.pieces[square.index()], piece)
    }

    /// Does what a legal turn says: what stood on its squares.
    #[inline]
    fn act(&mut self, sort: Sort, from: Square, to: Square) -> [Option<Piece>; 2] {
        let before = [from, to].map(|square| self.pieces[square.index()]);
        self.restore(from, to, sort.outcome(before));
        before
    }

    #[inline]
    fn restore(&mut self, from: Square, to: Square, [left, arrived]: [Option<Piece>; 2]) {
        self.replace(from, left);
        self.replace(to, arrived);
    }
}

impl Board for Sketch {
    #[inline]
    fn occupied(&self) -> Bitboard {
        self.occupied
    }

    #[inline]
    fn get(&self, square: Square) -> Option<Piece> {
        self.pieces[square.index()]
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

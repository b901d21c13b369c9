//! Legal moves on two levels: listing them, and checking one.

use super::{BoardLevel, MoveList, Position, Square, TowerColumn, TowerMove};
use crate::generate::{MoveKind, Targets, check_rotation};
use crate::piece::MoveClass;
use crate::{Bitboard, BrokenRule, IllegalMove, Move, Rotation};

const ROTATIONS: [Rotation; 2] = [Rotation::Clockwise, Rotation::Counterclockwise];

/// The squares of both levels to which pieces of the side to move may go, before adjacency is
/// considered.
struct TowerTargets {
    levels: [Targets; 2],
    /// The corners of the upper level.
    corners: Bitboard,
}

impl TowerTargets {
    fn of(position: &Position) -> TowerTargets {
        let column = position.column();
        let mut ground = Targets::of(position.level(BoardLevel::Ground));
        ground.empty &= !column.squares();
        let upper = Targets::neutral(position.level(BoardLevel::Upper), column.upper_level());
        TowerTargets { levels: [ground, upper], corners: column.corners() }
    }

    /// Returns the squares of a level on which pieces of this class may not stand.
    fn forbidden(&self, class: MoveClass, level: BoardLevel) -> Bitboard {
        match (class, level) {
            (MoveClass::Pharaoh, BoardLevel::Upper) => self.corners,
            _ => Bitboard::EMPTY,
        }
    }

    /// Returns the squares of a level to which a piece can go by a move of this kind.
    fn reach(&self, kind: MoveKind, class: MoveClass, from: Square, level: BoardLevel) -> Bitboard {
        let targets = &self.levels[level as usize];
        match (kind, class) {
            (MoveKind::Step, MoveClass::Sphinx) => Bitboard::EMPTY,
            (MoveKind::Step, _) => targets.empty & !self.forbidden(class, level),
            (MoveKind::Swap, MoveClass::Swapper) => {
                self.levels[from.level() as usize].swappable_from(from.ground(), targets)
            }
            (MoveKind::Stack, MoveClass::Single) => targets.singles,
            (MoveKind::Unstack, MoveClass::Stack) => targets.empty | targets.singles,
            _ => Bitboard::EMPTY,
        }
    }
}

impl Position {
    /// Calls `visit` with each legal move: first those of the pieces, then those of the tower.
    fn each_move(&self, mut visit: impl FnMut(Move<Square>)) {
        if self.is_pharaoh_hit() {
            return;
        }
        let targets = TowerTargets::of(self);
        for level in BoardLevel::ALL {
            let pieces = self.level(level);
            let pharaohs = pieces.of_class(MoveClass::Pharaoh);
            let forbidden = targets.forbidden(MoveClass::Pharaoh, level);
            let mut visit_level = |kind: MoveKind, from, reached: Bitboard| {
                let reached = if pharaohs.has(from) { reached & !forbidden } else { reached };
                for to in reached {
                    visit(kind.mv(Square::new(level, from), Square::new(level, to)));
                }
            };
            pieces.visit_moves_to(&targets.levels[level as usize], Bitboard::ALL, &mut visit_level);
            self.each_move_between_levels(&targets, level, &mut visit);
        }
        self.each_tower_move(|mv| visit(Move::Tower(mv)));
    }

    /// Calls `visit` with each move straight up or down from a level.
    fn each_move_between_levels(
        &self,
        targets: &TowerTargets,
        level: BoardLevel,
        visit: &mut impl FnMut(Move<Square>),
    ) {
        const KINDS: [MoveKind; 4] =
            [MoveKind::Step, MoveKind::Swap, MoveKind::Stack, MoveKind::Unstack];
        let own = self.level(level).of_color(self.side_to_move());
        for ground in own & self.column().upper_level() {
            let from = Square::new(level, ground);
            let Some(piece) = self.get(from) else { continue };
            for kind in KINDS {
                if targets.reach(kind, piece.move_class(), from, level.other()).has(ground) {
                    visit(kind.mv(from, from.on_other_level()));
                }
            }
        }
    }

    /// Calls `visit` with each move of the tower.
    fn each_tower_move(&self, mut visit: impl FnMut(TowerMove)) {
        for step in (0..9).filter(|&step| step != 4) {
            let shifted = self.column().shifted(step % 3 - 1, step / 3 - 1);
            if let Some(column) = shifted.filter(|&column| self.has_room_for(column)) {
                visit(TowerMove::Shift(column.lower_left()));
            }
        }
        if self.can_rotate_tower() {
            ROTATIONS.into_iter().for_each(|rotation| visit(TowerMove::Rotate(rotation)));
        }
    }

    /// Returns whether no piece stands in the way of the column at its new place.
    fn has_room_for(&self, column: TowerColumn) -> bool {
        (column.squares() & self.level(BoardLevel::Ground).occupied()).is_empty()
    }

    /// Returns whether a rotation of the tower changes the arrangement.
    fn can_rotate_tower(&self) -> bool {
        let upper = self.level(BoardLevel::Upper);
        let column = self.column();
        let looks_the_same = upper.pieces().all(|(square, piece)| {
            upper.get(column.rotate(square, Rotation::Clockwise)) == Some(piece.rotated(1))
        });
        !looks_the_same
    }

    /// Lists all legal moves, in no particular order; none after a pharaoh has been hit.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.each_move(|mv| moves.push(mv));
        moves
    }

    /// Counts the legal moves without listing them.
    pub fn count_legal_moves(&self) -> u32 {
        let mut count = 0;
        self.each_move(|_| count += 1);
        count
    }

    /// Returns whether the side to move has a legal move.
    pub(super) fn has_legal_move(&self) -> bool {
        self.count_legal_moves() > 0
    }

    /// Checks a move. Returns it as [`Position::legal_moves`] lists it, or the rule that it breaks.
    ///
    /// A piece that looks the same after a rotation in either direction has one rotation, listed as
    /// clockwise; the other spelling is accepted too.
    ///
    /// ```
    /// use khet::tower::Position;
    ///
    /// let position: Position = "4k5/10/10/10/10/10/10/4K5+e4:6/6/6/6/6/6 s".parse()?;
    /// let error = position.check("T+".parse()?).unwrap_err();
    /// assert_eq!(error.to_string(), "T+: the rotation would change nothing");
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(&self, mv: Move<Square>) -> Result<Move<Square>, IllegalMove<Square>> {
        self.check_rules(mv).map_err(|rule| IllegalMove { mv, rule })
    }

    fn check_rules(&self, mv: Move<Square>) -> Result<Move<Square>, BrokenRule> {
        if self.is_pharaoh_hit() {
            return Err(BrokenRule::GameOver);
        }
        let (from, to, kinds): (_, _, &[_]) = match mv {
            Move::Tower(tower_move) => return self.check_tower_move(tower_move).map(|()| mv),
            Move::Rotate { square, .. } => (square, square, &[]),
            Move::Step { from, to } => {
                (from, to, &[MoveKind::Step, MoveKind::Swap, MoveKind::Stack])
            }
            Move::Unstack { from, to } => (from, to, &[MoveKind::Unstack]),
        };
        let piece = self.get(from).ok_or(BrokenRule::NoPiece)?;
        if piece.color() != self.side_to_move() {
            return Err(BrokenRule::NotYours);
        }
        let class = piece.move_class();
        match mv {
            Move::Rotate { square, rotation } => {
                let rotation = check_rotation(piece, rotation)?;
                return Ok(Move::Rotate { square, rotation });
            }
            Move::Unstack { .. } if class != MoveClass::Stack => return Err(BrokenRule::NotAStack),
            Move::Step { .. } if class == MoveClass::Sphinx => {
                return Err(BrokenRule::SphinxCannotMove);
            }
            _ => {}
        }
        let targets = TowerTargets::of(self);
        let reaches =
            |&kind: &MoveKind| targets.reach(kind, class, from, to.level()).has(to.ground());
        if is_neighbor(from, to) && kinds.iter().any(reaches) {
            Ok(mv)
        } else {
            Err(self.broken_rule(class, from, to))
        }
    }

    fn check_tower_move(&self, mv: TowerMove) -> Result<(), BrokenRule> {
        match mv {
            TowerMove::Shift(to) => {
                let column = TowerColumn::new(to).ok_or(BrokenRule::TowerOffBoard)?;
                if !self.column().is_neighbor(column) {
                    Err(BrokenRule::TowerNotANeighbor)
                } else if !self.has_room_for(column) {
                    Err(BrokenRule::TowerBlocked)
                } else {
                    Ok(())
                }
            }
            TowerMove::Rotate(_) if self.can_rotate_tower() => Ok(()),
            TowerMove::Rotate(_) => Err(BrokenRule::TowerLooksTheSame),
        }
    }

    /// Returns the rule that keeps a piece of the side to move from going to a square.
    fn broken_rule(&self, class: MoveClass, from: Square, to: Square) -> BrokenRule {
        let side = self.side_to_move();
        let column = self.column();
        if !is_neighbor(from, to) {
            return BrokenRule::NotANeighbor;
        }
        if column.squares().has(to.ground()) {
            return BrokenRule::InsideColumn;
        }
        match to.level() {
            BoardLevel::Ground if !Bitboard::allowed(side).has(to.ground()) => {
                return BrokenRule::ReservedSquare;
            }
            BoardLevel::Upper if !column.upper_level().has(to.ground()) => {
                return BrokenRule::NotOnTower;
            }
            _ => {}
        }
        match self.get(to) {
            None => BrokenRule::PharaohOnTowerCorner,
            Some(other) if class == MoveClass::Swapper => match other.move_class() {
                MoveClass::Pharaoh | MoveClass::Swapper | MoveClass::Sphinx => {
                    BrokenRule::CannotSwapWith
                }
                _ if !self.rules().swaps_either_color() => BrokenRule::SwapsOwnColorOnly,
                _ => BrokenRule::SwapOntoReservedSquare,
            },
            Some(other)
                if other.color() == side
                    && other.move_class() == MoveClass::Stack
                    && matches!(class, MoveClass::Single | MoveClass::Stack) =>
            {
                BrokenRule::StackIsFull
            }
            Some(_) => BrokenRule::Occupied,
        }
    }
}

/// Returns whether two squares are neighbours: on one level, or one straight above the other.
fn is_neighbor(from: Square, to: Square) -> bool {
    if from.level() == to.level() {
        Bitboard::around(from.ground()).has(to.ground())
    } else {
        from.ground() == to.ground()
    }
}

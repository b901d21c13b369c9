//! The two levels of a board with a tower: the square at a point, the way of the keys from square to
//! square, and the motion of the tower between two positions.
//!
//! Programs without the feature `tower` have no square of the upper level. The three functions at
//! the top are all that differs; the compiler removes the rest, because it has nothing to do.

use khet::tower::{BoardLevel, TowerColumn, TowerMove};
use khet::{BoardSquare, Direction, GamePosition, Piece, Rotation, Square as GroundSquare};

use super::geometry::{LIFT, Orientation, Point};
use super::move_input::{AllowedMoves, PieceInHand};
use crate::rules::{Move, Position, Square};

/// Returns the square above one of the ground; `None` in a program without towers.
#[cfg(feature = "tower")]
pub(crate) fn upper_square(ground: GroundSquare) -> Option<Square> {
    Some(Square::new(BoardLevel::Upper, ground))
}

/// Returns a move of the tower as a move; `None` in a program without towers.
#[cfg(feature = "tower")]
pub(crate) fn move_of_tower(mv: TowerMove) -> Option<Move> {
    Some(Move::Tower(mv))
}

/// Returns the move of the tower that a move is.
#[cfg(feature = "tower")]
pub(crate) fn as_tower_move(mv: Move) -> Option<TowerMove> {
    match mv {
        Move::Tower(mv) => Some(mv),
        _ => None,
    }
}

#[cfg(not(feature = "tower"))]
pub(crate) fn upper_square(_: GroundSquare) -> Option<Square> {
    None
}

#[cfg(not(feature = "tower"))]
pub(crate) fn move_of_tower(_: TowerMove) -> Option<Move> {
    None
}

#[cfg(not(feature = "tower"))]
pub(crate) fn as_tower_move(_: Move) -> Option<TowerMove> {
    None
}

/// How many times nearer a point must be to the center of a covered piece than to that of the piece
/// above it to mean the covered one.
const NEAR: f64 = 1.6;

/// Returns whether the upper level, including the top of the column, is above a ground square.
pub(super) fn is_covered(column: Option<TowerColumn>, ground: GroundSquare) -> bool {
    column.is_some_and(|column| (column.upper_level() | column.squares()).has(ground))
}

/// Returns whether a square of either level belongs to the column.
pub(crate) fn is_column(column: Option<TowerColumn>, square: Square) -> bool {
    column.is_some_and(|column| column.squares().has(square.ground()))
}

/// Returns the square of the upper level that is drawn at a point, including the top of the column.
pub(super) fn upper_square_at(
    point: Point,
    orientation: Orientation,
    column: Option<TowerColumn>,
) -> Option<Square> {
    let ground = orientation.square_at(point.plus(-LIFT.0, -LIFT.1))?;
    upper_square(ground).filter(|_| is_covered(column, ground))
}

/// Returns the square that a player means by a point of the picture.
///
/// A point of the upper level is also above a ground square. With a piece in hand it is the nearest one
/// on which the piece can be dropped. Otherwise it is the one with a piece that can move, on top or
/// seen through the platform. If both have one, it is the piece on top, unless the point is near
/// the center of the other. A player who looks beneath the platform means the ground first.
pub(super) fn square_at(
    point: Point,
    orientation: Orientation,
    allowed: AllowedMoves<'_>,
    held: Option<PieceInHand>,
    peeks: bool,
) -> Option<Square> {
    let column = allowed.position.tower_column();
    let ground = orientation.square_at(point).map(Square::from);
    let Some(upper) = upper_square_at(point, orientation, column) else { return ground };
    let Some(ground) = ground else { return Some(upper) };
    let distance = |square: Square| orientation.center(square).distance(point);
    if let Some(held) = held {
        if is_column(column, held.from) {
            return Some(upper);
        }
        let targets = allowed.targets(held);
        let is_meant =
            |square: Square| square == held.from || targets.iter().any(|(to, _)| *to == square);
        match (is_meant(upper), is_meant(ground)) {
            (true, false) => return Some(upper),
            (false, true) => return Some(ground),
            (true, true) => {
                return Some(if distance(upper) < distance(ground) { upper } else { ground });
            }
            (false, false) => {}
        }
    }
    let order = if peeks { [ground, upper] } else { [upper, ground] };
    let preferred = match order.map(|square| allowed.has_move(square)) {
        [true, true] => usize::from(distance(order[1]) * NEAR < distance(order[0])),
        [false, false] => {
            let [first, second] = order.map(|square| allowed.position.get(square).is_some());
            usize::from(second && !first)
        }
        [_, second] => usize::from(second),
    };
    Some(order[preferred])
}

/// Returns the adjacent square of the same level in a direction of the picture.
pub(super) fn neighbor(
    square: Square,
    direction: Direction,
    orientation: Orientation,
    column: Option<TowerColumn>,
) -> Option<Square> {
    let next = orientation.neighbor(square.ground(), direction)?;
    match square.board_level() {
        BoardLevel::Ground => Some(next.into()),
        BoardLevel::Upper => upper_square(next).filter(|_| is_covered(column, next)),
    }
}

/// Returns the square straight above or below, or the nearest one of the upper level.
pub(super) fn on_other_level(square: Square, column: TowerColumn) -> Option<Square> {
    match square.board_level() {
        BoardLevel::Upper => Some(square.ground().into()),
        BoardLevel::Ground => {
            let (ground, corner) = (square.ground(), column.lower_left().offset(-2, -2)?);
            let within = |at: u8, first: u8| at.clamp(first, first + TowerColumn::UPPER_FILES - 1);
            let file = within(ground.file(), corner.file());
            upper_square(GroundSquare::new(file, within(ground.rank(), corner.rank()))?)
        }
    }
}

/// Returns the square, or the one beneath it if the tower no longer reaches to it.
pub(super) fn still_there(square: Square, column: Option<TowerColumn>) -> Square {
    match square.board_level() {
        BoardLevel::Upper if !is_covered(column, square.ground()) => square.ground().into(),
        _ => square,
    }
}

/// A motion of the tower with everything on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TowerMotion {
    /// By files to the east and ranks to the north.
    Shift(i8, i8),
    /// By a quarter turn.
    Rotate(Rotation),
}

impl TowerMotion {
    /// Returns the square and the piece on it after the motion of a tower that was at `column`.
    pub(super) fn carry(
        self,
        square: Square,
        piece: Piece,
        column: TowerColumn,
    ) -> (Square, Piece) {
        if square.board_level() == BoardLevel::Ground {
            return (square, piece);
        }
        let (ground, piece) = match self {
            TowerMotion::Shift(files, ranks) => (square.ground().offset(files, ranks), piece),
            TowerMotion::Rotate(rotation) => {
                let to = column.rotate(square.ground(), rotation);
                (Some(to), piece.rotated(rotation.quarters()))
            }
        };
        (ground.and_then(upper_square).unwrap_or(square), piece)
    }

    /// Returns the motion that led from a tower with these pieces to a position. `last` decides
    /// between two rotations with the same result.
    pub(super) fn between(
        before: &[(Square, Piece)],
        column: TowerColumn,
        position: &Position,
        last: Option<Move>,
    ) -> Option<TowerMotion> {
        let now = position.tower_column()?;
        if now != column {
            let (old, new) = (column.lower_left(), now.lower_left());
            let files = new.file() as i8 - old.file() as i8;
            return Some(TowerMotion::Shift(files, new.rank() as i8 - old.rank() as i8));
        }
        let upper = |(square, _): &&(Square, Piece)| square.board_level() == BoardLevel::Upper;
        let stay = before.iter().filter(upper);
        let stay = stay.filter(|(square, piece)| position.get(*square) == Some(*piece)).count();
        let carried = |rotation| {
            let fits = |(square, piece): &&(Square, Piece)| {
                let (to, rotated) = TowerMotion::Rotate(rotation).carry(*square, *piece, column);
                position.get(to) == Some(rotated)
            };
            before.iter().filter(upper).filter(fits).count()
        };
        let is_last = |rotation| {
            last.and_then(as_tower_move).is_some_and(|mv| mv == TowerMove::Rotate(rotation))
        };
        let rotations = [Rotation::Clockwise, Rotation::Counterclockwise];
        let best = rotations.into_iter().max_by_key(|it| (carried(*it), is_last(*it)))?;
        (carried(best) > stay).then_some(TowerMotion::Rotate(best))
    }
}

#[cfg(all(test, feature = "tower"))]
mod tests {
    use khet::Color;

    use super::*;

    /// Silver's pyramid stands on c5, beneath the upper level; another one above c6.
    const POSITION: &str = "4k5/10/10/2P17/10/10/10/4K5+e4:6/P15/6/6/6/6 s";
    const ORIENTATION: Orientation = Orientation::new(Color::Silver);

    fn position(text: &str) -> Position {
        text.parse().expect("a position")
    }

    fn square(name: &str) -> Square {
        name.parse().expect("a square")
    }

    /// Returns the square that is meant by a point near the center of a square.
    fn meant(near: &str, aside: (f64, f64), held: Option<&str>, peeks: bool) -> String {
        let position = position(POSITION);
        let moves = position.legal_moves();
        let allowed = AllowedMoves { position: &position, moves: &moves };
        let held =
            held.map(|from| PieceInHand { from: square(from), top_only: false, rotation: None });
        let point = ORIENTATION.center(square(near)).plus(aside.0, aside.1);
        let found = square_at(point, ORIENTATION, allowed, held, peeks);
        found.map_or("none".to_owned(), |square| square.to_string())
    }

    #[test]
    fn piece_on_top_is_meant_and_one_beneath_where_nothing_is_on_top() {
        assert_eq!(meant("C6", (0.0, 0.0), None, false), "C6");
        assert_eq!(meant("c5", (0.0, 0.0), None, false), "c5", "seen through the platform");
        assert_eq!(meant("G6", (0.0, 0.0), None, false), "G6", "nothing on either level");
        assert_eq!(meant("a1", (0.0, 0.0), None, false), "a1");
    }

    #[test]
    fn ground_is_meant_first_while_the_player_looks_beneath_the_platform() {
        assert_eq!(meant("c5", (0.0, 0.0), None, true), "c5");
        assert_eq!(meant("g6", (0.0, 0.0), None, true), "g6");
        assert_eq!(meant("G6", (0.0, 0.0), None, false), "G6");
    }

    #[test]
    fn piece_in_hand_goes_to_the_nearest_target() {
        for target in ["c6", "d6", "b5", "c5", "C5", "d4"] {
            assert_eq!(meant(target, (0.0, 0.0), Some("c5"), true), target);
        }
        assert_eq!(meant("C5", (6.0, -8.0), Some("c5"), true), "C5");
        assert_eq!(meant("c5", (-10.0, 10.0), Some("c5"), true), "c5");
        for target in ["C7", "D6", "D5", "c6"] {
            assert_eq!(meant(target, (0.0, 0.0), Some("C6"), false), target);
        }
    }

    #[test]
    fn column_is_meant_where_its_top_is_drawn() {
        assert_eq!(meant("F4", (0.0, 0.0), None, false), "F4");
    }

    #[test]
    fn keys_stay_on_a_level_and_change_it() {
        let column = position(POSITION).tower_column();
        let next = |from: &str, direction| {
            neighbor(square(from), direction, ORIENTATION, column).map(|to| to.to_string())
        };
        assert_eq!(next("C5", Direction::East).as_deref(), Some("D5"));
        assert_eq!(next("C5", Direction::West), None, "the rim");
        assert_eq!(next("c5", Direction::West).as_deref(), Some("b5"));
        let column = column.expect("a tower");
        let other = |from: &str| on_other_level(square(from), column).map(|to| to.to_string());
        assert_eq!(other("C5").as_deref(), Some("c5"));
        assert_eq!(other("c5").as_deref(), Some("C5"));
        assert_eq!(other("a8").as_deref(), Some("C7"), "the nearest one");
        assert_eq!(other("j1").as_deref(), Some("H2"));
    }

    #[test]
    fn tower_carries_its_pieces() {
        let before = position("4k5/10/10/10/10/10/10/4K5+e4:P15/6/6/4P21/6/o15 s");
        let pieces: Vec<(Square, Piece)> = before.pieces().collect();
        let column = before.tower_column().expect("a tower");
        for (mv, motion) in [
            ("T+", TowerMotion::Rotate(Rotation::Clockwise)),
            ("T-", TowerMotion::Rotate(Rotation::Counterclockwise)),
            ("Td5", TowerMotion::Shift(-1, 1)),
        ] {
            let after = before.before_shot(mv.parse().expect("a move"));
            assert_eq!(TowerMotion::between(&pieces, column, &after, None), Some(motion), "{mv}");
            for &(square, piece) in &pieces {
                let (to, carried) = motion.carry(square, piece, column);
                assert_eq!(after.get(to), Some(carried), "{mv} {square}");
            }
        }
        for mv in ["G4G5", "G4+", "e1e2"] {
            let after = before.before_shot(mv.parse().expect("a move"));
            assert_eq!(TowerMotion::between(&pieces, column, &after, None), None, "{mv}");
        }
    }

    #[test]
    fn last_move_decides_between_rotations_with_the_same_result() {
        // Two djeds opposite each other: both rotations have the same result.
        let text = "4k5/10/10/10/10/10/10/4K5+e4:6/1D14/6/6/4D11/6 s";
        let before = position(text);
        let pieces: Vec<(Square, Piece)> = before.pieces().collect();
        let column = before.tower_column().expect("a tower");
        for rotation in [Rotation::Clockwise, Rotation::Counterclockwise] {
            let last = move_of_tower(TowerMove::Rotate(rotation)).expect("a move");
            let after = before.before_shot(last);
            let motion = TowerMotion::between(&pieces, column, &after, Some(last));
            assert_eq!(motion, Some(TowerMotion::Rotate(rotation)));
        }
    }
}

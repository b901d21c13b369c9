//! The static evaluation of positions with a tower.
//!
//! Its weights are those to which the linear evaluation of the standard game was fitted, rounded,
//! as far as they mean the same on two levels: pieces on their squares, hits that a beam would make
//! now, and the squares where a beam crosses an open line to a pharaoh. Squares of a beam near a
//! pharaoh are added, because without them most games with a tower end by repetition.

use khet::tower::{BoardLevel, Position, Square, SquareSet};
use khet::{Bitboard, BoardSquare, Color, Direction, Kind, ShotSquares};

use crate::evaluate::{MAX_EVAL, piece_square_value, piece_value};
use crate::score::Value;

/// The value of an own beam that hits a piece of the other side now, in hundredths of the piece.
const OWN_BEAM_HITS: Value = 60;
/// The cost of a hit by the opponent's beam, which the side to move can still avert.
const THEIR_BEAM_HITS: Value = 35;
/// The cost of an own beam that hits an own piece, which the side to move can avert.
const OWN_BEAM_HITS_OWN: Value = 10;
/// The cost of an attack on the own pharaoh.
const PHARAOH_ATTACKED: Value = 45;
/// The value of each square where the own beam crosses an open line to the other pharaoh.
const OWN_CROSSING: Value = 6;
/// The cost of each square where the opponent's beam crosses an open line to the own pharaoh.
const THEIR_CROSSING: Value = 9;
/// The value of each square within two steps of the other pharaoh that the own beam crosses.
const NEAR_PHARAOH: Value = 20;
/// The value of a mirror next to a beam, which can disturb it.
const MIRROR_AT_BEAM: Value = 3;
/// The cost of each open square in line with a pharaoh.
const OPEN_LINE: Value = 1;
/// The value of the right to move.
const TO_MOVE: Value = 7;

/// Returns the evaluation for the side to move, given the shots of both sides.
pub(crate) fn evaluate(
    position: &Position,
    own: &ShotSquares<Square>,
    theirs: &ShotSquares<Square>,
) -> Value {
    let for_silver: Value = position
        .pieces()
        // A piece on the upper level is worth as much as on the ground beneath it.
        .map(|(square, piece)| piece_square_value(piece, square.ground()))
        .sum();
    let pieces = match position.side_to_move() {
        Color::Silver => for_silver,
        Color::Red => -for_silver,
    };
    let value = pieces + hits(position, own, theirs) + beams(position, own, theirs) + TO_MOVE;
    value.clamp(-MAX_EVAL, MAX_EVAL)
}

/// Returns the value of the hits that both lasers would make now.
fn hits(position: &Position, own: &ShotSquares<Square>, theirs: &ShotSquares<Square>) -> Value {
    let side = position.side_to_move();
    let pieces = |set: SquareSet| set.into_iter().filter_map(|square| position.get(square));
    let mut sum = 0;
    for piece in pieces(own.removed).filter(|piece| piece.kind() != Kind::Pharaoh) {
        let percent = if piece.color() == side { -OWN_BEAM_HITS_OWN } else { OWN_BEAM_HITS };
        sum += piece_value(piece) * percent / 100;
    }
    // A beam of the other side on its own pieces counts nothing: it will avert the hit.
    for piece in pieces(theirs.removed).filter(|piece| piece.color() == side) {
        sum -= match piece.kind() {
            Kind::Pharaoh => PHARAOH_ATTACKED,
            _ => piece_value(piece) * THEIR_BEAM_HITS / 100,
        };
    }
    sum
}

/// Returns the value of the lines that both beams threaten, and of the mirrors beside them.
fn beams(position: &Position, own: &ShotSquares<Square>, theirs: &ShotSquares<Square>) -> Value {
    let side = position.side_to_move();
    let pharaohs = [side, !side].map(|color| position.pharaoh(color));
    let [own_lines, their_lines] = pharaohs
        .map(|square| square.map_or(SquareSet::EMPTY, |square| open_lines(position, square)));
    let [own_zone, their_zone] = pharaohs
        .map(|square| square.map_or(SquareSet::EMPTY, |square| near(near(square.to_set()))));
    let count = |set: SquareSet| set.len() as Value;
    let mirrors = position.rotatable() & (near(own.path) | near(theirs.path));
    let mirrors_of = |color| count(mirrors & position.of_color(color));
    OWN_CROSSING * count(own.path & their_lines) - THEIR_CROSSING * count(theirs.path & own_lines)
        + NEAR_PHARAOH * (count(own.path & their_zone) - count(theirs.path & own_zone))
        + MIRROR_AT_BEAM * (mirrors_of(side) - mirrors_of(!side))
        + OPEN_LINE * (count(their_lines) - count(own_lines))
}

/// Returns some squares and their neighbours on the same level.
fn near(set: SquareSet) -> SquareSet {
    let near = |squares: Bitboard| squares | squares.neighbors();
    SquareSet { ground: near(set.ground), upper: near(set.upper) }
}

/// Returns the empty squares from which a beam could reach this square without a reflection,
/// through the periscopes too.
fn open_lines(position: &Position, square: Square) -> SquareSet {
    let column = position.column();
    let occupied = position.occupied();
    let mut lines = SquareSet::EMPTY;
    for direction in Direction::ALL {
        let (mut level, mut travel) = (square.level(), direction);
        let mut ahead = Bitboard::ray(square.ground(), travel);
        loop {
            if level == BoardLevel::Upper {
                ahead &= column.upper_level() | column.squares();
            }
            let obstacles = occupied.level(level) | column.squares();
            let Some(end) = (ahead & obstacles).nearest(travel) else {
                lines |= SquareSet::on_level(level, ahead);
                break;
            };
            let open = ahead ^ (ahead & Bitboard::ray(end, travel)) ^ Bitboard::of(end);
            lines |= SquareSet::on_level(level, open);
            if !column.has_periscope(end, travel) {
                break;
            }
            // Beams run back the same way, so this line goes on where a beam from here would.
            let Some(exit) = end.neighbor(travel.opposite()) else { break };
            (level, travel) = (level.other(), travel.opposite());
            ahead = Bitboard::ray(exit, travel) | Bitboard::of(exit);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tower::tests::{POSITIONS, position, random_positions};

    fn evaluation(position: &Position) -> Value {
        let side = position.side_to_move();
        evaluate(position, &position.shot_squares(side), &position.shot_squares(!side))
    }

    #[test]
    fn both_sides_evaluate_alike() {
        for start in POSITIONS {
            for position in random_positions(start, 60) {
                assert_eq!(evaluation(&position), evaluation(&position.flipped()), "{position}");
            }
        }
    }

    #[test]
    fn open_lines_go_through_periscopes() {
        // West of the pharaoh the line enters the east face, and comes out above.
        let position = position("k9/10/10/10/8K1/10/10/10+e4:6/6/6/5p1/6/6 s");
        let lines = open_lines(&position, "i4".parse().expect("a square"));
        let squares: Vec<String> = lines.into_iter().map(|square| square.to_string()).collect();
        assert_eq!(squares.join(" "), "i1 i2 i3 g4 h4 j4 i5 i6 i7 i8 G4");
    }
}

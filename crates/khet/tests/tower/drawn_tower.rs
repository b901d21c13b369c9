//! Reads boards that are drawn with a tower.

use khet::tower::{BoardLevel, Placement, Position, Square, TowerColumn};
use khet::{BrokenRule, Color, Move, Rules, Shot};

use crate::drawn::{path, piece};

/// Reads a drawn board that can be played, under standard rules.
///
/// The ground is drawn as in the tests of the standard game, with `#` on the four squares of the
/// column. After a line `upper` follow ranks of the upper level, with the numbers of the ground
/// ranks beneath them and six cells each. Ranks that are left out are empty.
#[track_caller]
pub fn draw(drawing: &str, side_to_move: Color) -> Position {
    Position::new(&arrange(drawing, side_to_move), Rules::Standard).unwrap()
}

/// Reads a drawn board that need not be playable.
#[track_caller]
pub fn arrange(drawing: &str, side_to_move: Color) -> Placement {
    let (ground, upper) = drawing.split_once("upper").unwrap_or((drawing, ""));
    let ground = cells(ground, 10);
    let column: Vec<khet::Square> = ground
        .iter()
        .filter(|(_, _, cell)| *cell == "#")
        .map(|&(file, rank, _)| khet::Square::new(file, rank).unwrap())
        .collect();
    assert_eq!(column.len(), 4, "the column has four squares");
    let lower_left = *column.iter().min().unwrap();
    let column = TowerColumn::new(lower_left).expect("the upper level lies above the board");
    let mut placement = Placement::new(khet::Placement::EMPTY, column);
    placement.set_side_to_move(side_to_move);
    for (file, rank, cell) in ground {
        let square = khet::Square::new(file, rank).unwrap();
        assert_eq!(cell == "#", column.squares().has(square), "two by two squares");
        placement.set(Square::from(square), read_cell(cell));
    }
    for (file, rank, cell) in cells(upper, 6) {
        let ground = khet::Square::new(lower_left.file() - 2 + file, rank).unwrap();
        assert!((column.upper_level() | column.squares()).has(ground), "{ground} is off the tower");
        placement.set(Square::new(BoardLevel::Upper, ground), read_cell(cell));
    }
    placement
}

fn read_cell(cell: &str) -> Option<khet::Piece> {
    if cell == "#" { None } else { piece(cell) }
}

/// Returns the cells of a drawn level with their files, from the left, and ranks.
#[track_caller]
fn cells(drawing: &str, files: usize) -> Vec<(u8, u8, &str)> {
    let mut found = Vec::new();
    let mut above = 9;
    for line in drawing.lines().filter(|line| !line.trim().is_empty()) {
        let mut words = line.split_whitespace();
        let rank: u8 = words.next().unwrap().parse().unwrap();
        assert!((1..above).contains(&rank), "the ranks go down: {line}");
        above = rank;
        let cells: Vec<&str> = words.collect();
        assert_eq!(cells.len(), files, "{files} files: {line}");
        found.extend(cells.into_iter().zip(0..).map(|(cell, file)| (file, rank - 1, cell)));
    }
    found
}

/// Reads the name of a square.
#[track_caller]
pub fn at(name: &str) -> Square {
    name.parse().unwrap()
}

/// Plays a move that must be legal.
#[track_caller]
pub fn play(position: &mut Position, mv: &str) -> Shot<Square> {
    position.play(mv.parse().unwrap()).unwrap()
}

/// Asserts that the position is the drawn one.
#[track_caller]
pub fn assert_drawn(position: &Position, drawing: &str, side_to_move: Color) {
    assert_eq!(position.to_string(), arrange(drawing, side_to_move).to_string());
}

/// Returns the rule that an illegal move breaks. Checks that it is not listed and changes nothing.
#[track_caller]
pub fn refusal(position: &Position, mv: &str) -> BrokenRule {
    let mv: Move<Square> = mv.parse().unwrap();
    assert!(!position.legal_moves().contains(&mv), "{mv} is listed as legal");
    let mut same = *position;
    let error = same.play(mv).unwrap_err();
    assert_eq!(error.mv, mv);
    assert_eq!(same, *position, "a refused move has changed the position");
    error.rule
}

/// Returns the moves of the piece on a square, without the square itself: `+`, `D5`, `^d5`.
pub fn moves_of(position: &Position, square: &str) -> Vec<String> {
    let moves = position.legal_moves();
    let of_square = |mv: &&Move<Square>| mv.squares().is_some_and(|[from, _]| from == at(square));
    let mut names: Vec<String> =
        moves.iter().filter(of_square).map(|mv| mv.to_string()[2..].to_string()).collect();
    names.sort();
    names
}

/// Returns the moves of the tower: `+`, `e5`.
pub fn tower_moves(position: &Position) -> Vec<String> {
    let moves = position.legal_moves();
    let mut names: Vec<String> = moves
        .iter()
        .filter(|mv| mv.squares().is_none())
        .map(|mv| mv.to_string()[1..].to_string())
        .collect();
    names.sort();
    names
}

/// The path of a shot that has one beam.
#[track_caller]
pub fn only_path(shot: &Shot<Square>) -> String {
    assert_eq!(shot.beams.len(), 1);
    assert_eq!(shot.beams[0].eye(), None);
    path(&shot.beams[0])
}

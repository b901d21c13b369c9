//! Reads drawn boards, and writes moves and beams as short texts.

use khet::{
    Beam, BoardSquare, BrokenRule, Color, Corner, Diagonal, Direction, Kind, Piece, Placement,
    Position, Rules, Shot, Square,
};

/// Reads a drawn board that can be played, under standard rules.
///
/// Each line is a rank and begins with its number; ranks that are left out are empty. A cell is `.`
/// or a colour, `s` or `r`, followed by a piece: `K` pharaoh; `Pne`, `Pse`, `Psw`, `Pnw` pyramid
/// with the direction of its mirror; `D\`, `D/` djed, `E\`, `E/` Eye of Horus, `S\`, `S/` scarab,
/// with their diagonals; `O` obelisk, `OO` stack; `An`, `Ae`, `As`, `Aw` Anubis with its front;
/// `Xn`, `Xe`, `Xs`, `Xw` sphinx with the direction in which it fires.
#[track_caller]
pub fn draw(drawing: &str, side_to_move: Color) -> Position {
    Position::new(&arrange(drawing, side_to_move), Rules::Standard).unwrap()
}

/// Reads a drawn board that need not be playable.
#[track_caller]
pub fn arrange(drawing: &str, side_to_move: Color) -> Placement {
    let mut placement = with_side(Placement::EMPTY, side_to_move);
    let mut above = 9;
    for line in drawing.lines().filter(|line| !line.trim().is_empty()) {
        let mut words = line.split_whitespace();
        let rank: u8 = words.next().unwrap().parse().unwrap();
        assert!((1..above).contains(&rank), "the ranks go down from 8 to 1: {line}");
        above = rank;
        let cells: Vec<&str> = words.collect();
        assert_eq!(cells.len(), 10, "ten files: {line}");
        for (file, cell) in cells.into_iter().enumerate() {
            placement.set(Square::new(file as u8, rank - 1).unwrap(), piece(cell));
        }
    }
    placement
}

/// Returns the placement with that player to move.
pub fn with_side(mut placement: Placement, side_to_move: Color) -> Placement {
    placement.side_to_move = side_to_move;
    placement
}

/// Reads a cell of a drawing.
#[track_caller]
pub fn piece(cell: &str) -> Option<Piece> {
    if cell == "." {
        return None;
    }
    let color = match &cell[..1] {
        "s" => Color::Silver,
        "r" => Color::Red,
        _ => panic!("a cell is . or begins with s or r: {cell}"),
    };
    let mirror = match &cell[2..] {
        "/" => Diagonal::Rising,
        _ => Diagonal::Falling,
    };
    let direction = match &cell[2..] {
        "e" => Direction::East,
        "s" => Direction::South,
        "w" => Direction::West,
        _ => Direction::North,
    };
    let kind = match &cell[1..] {
        "K" => Kind::Pharaoh,
        "Pne" => Kind::Pyramid(Corner::NorthEast),
        "Pse" => Kind::Pyramid(Corner::SouthEast),
        "Psw" => Kind::Pyramid(Corner::SouthWest),
        "Pnw" => Kind::Pyramid(Corner::NorthWest),
        "D\\" | "D/" => Kind::Djed(mirror),
        "O" => Kind::Obelisk,
        "OO" => Kind::Stack,
        "E\\" | "E/" => Kind::Eye(mirror),
        "S\\" | "S/" => Kind::Scarab(mirror),
        "An" | "Ae" | "As" | "Aw" => Kind::Anubis(direction),
        "Xn" | "Xe" | "Xs" | "Xw" => Kind::Sphinx(direction),
        _ => panic!("no piece is drawn like this: {cell}"),
    };
    Some(Piece::new(color, kind))
}

/// Plays a move that must be legal.
#[track_caller]
pub fn play(position: &mut Position, mv: &str) -> Shot {
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
    let mv = mv.parse().unwrap();
    assert!(!position.legal_moves().contains(&mv), "{mv} is listed as legal");
    let mut same = *position;
    let error = same.play(mv).unwrap_err();
    assert_eq!(error.mv, mv);
    assert_eq!(same, *position, "a refused move has changed the position");
    error.rule
}

/// Returns whether a move is listed as legal, and checks that it can be played just then.
#[track_caller]
pub fn is_legal(position: &Position, mv: &str) -> bool {
    let mv = mv.parse().unwrap();
    let listed = position.legal_moves().contains(&mv);
    let mut copy = *position;
    assert_eq!(copy.play(mv).is_ok(), listed, "list and check of {mv} differ");
    listed
}

/// Returns the moves of the piece on a square, without the square itself: `+`, `d5`, `^d5`.
pub fn moves_of(position: &Position, square: &str) -> Vec<String> {
    let from: Square = square.parse().unwrap();
    let moves = position.legal_moves();
    let its = moves.iter().filter(|mv| mv.from() == from);
    let mut names: Vec<String> = its.map(|mv| mv.to_string()[2..].to_string()).collect();
    names.sort();
    names
}

/// Writes a beam step by step: `j1↑ j2↑← i2←`. A step has one arrow where the beam goes straight
/// on, two (arrival and departure) where it is reflected, and a dot where it ends on a piece or is
/// split.
pub fn path<S: BoardSquare>(beam: &Beam<S>) -> String {
    let arrow = |direction| match direction {
        Direction::North => '↑',
        Direction::East => '→',
        Direction::South => '↓',
        Direction::West => '←',
    };
    let steps = beam.steps.iter().map(|step| match step.leaves {
        Some(leaves) if leaves == step.arrives => format!("{}{}", step.square, arrow(leaves)),
        Some(leaves) => format!("{}{}{}", step.square, arrow(step.arrives), arrow(leaves)),
        None => format!("{}{}•", step.square, arrow(step.arrives)),
    });
    steps.collect::<Vec<_>>().join(" ")
}

/// The path of a shot that has one beam.
#[track_caller]
pub fn only_path(shot: &Shot) -> String {
    assert_eq!(shot.beams.len(), 1);
    assert_eq!(shot.beams[0].eye(), None);
    path(&shot.beams[0])
}

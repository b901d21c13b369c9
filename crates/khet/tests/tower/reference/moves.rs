//! Generates and plays moves.

use super::{Color, Direction, Edition, Kind, Level, Piece, Position, Shot, Square, may_stand_at};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rotation {
    Clockwise,
    Counterclockwise,
}

impl Rotation {
    fn sign(self) -> char {
        match self {
            Rotation::Clockwise => '+',
            Rotation::Counterclockwise => '-',
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Move {
    /// A piece goes to another square, swaps, stacks, or a stack goes as a whole.
    Step {
        from: Square,
        to: Square,
    },
    /// The top obelisk of a stack goes alone.
    Unstack {
        from: Square,
        to: Square,
    },
    Rotate {
        square: Square,
        rotation: Rotation,
    },
    /// The column gets this lower left square.
    ShiftTower {
        column: Square,
    },
    RotateTower {
        rotation: Rotation,
    },
}

impl Move {
    fn name(self) -> String {
        match self {
            Move::Step { from, to } => format!("{}{}", from.name(), to.name()),
            Move::Unstack { from, to } => format!("{}^{}", from.name(), to.name()),
            Move::Rotate { square, rotation } => format!("{}{}", square.name(), rotation.sign()),
            Move::ShiftTower { column } => format!("T{}", column.name()),
            Move::RotateTower { rotation } => format!("T{}", rotation.sign()),
        }
    }
}

/// The effect of a move with its shot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveEffect {
    /// After the shot, with the other side to move.
    pub position: Position,
    pub shot: Shot,
    /// `"silver"` or `"red"` (who won) or `"draw"`; none while the game goes on.
    pub result: Option<&'static str>,
}

const EIGHT_DIRECTIONS: [(i32, i32); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

impl Piece {
    /// The rotations of a piece, only those that change something.
    fn rotations(self) -> Vec<Rotation> {
        match self.kind {
            Kind::Pharaoh | Kind::Obelisk => vec![],
            // The one rotation is written with a plus.
            Kind::Djed | Kind::Eye | Kind::Scarab => vec![Rotation::Clockwise],
            Kind::Pyramid | Kind::Anubis => vec![Rotation::Clockwise, Rotation::Counterclockwise],
            // A sphinx rotates between the two directions that look into the board.
            Kind::Sphinx => {
                let mut rotations = Vec::new();
                for rotation in [Rotation::Clockwise, Rotation::Counterclockwise] {
                    let direction = Direction::from_digit(self.rotated(rotation).digit);
                    if self.color.sphinx_directions().contains(&direction) {
                        rotations.push(rotation);
                    }
                }
                rotations
            }
        }
    }

    fn rotated(self, rotation: Rotation) -> Piece {
        match rotation {
            Rotation::Clockwise => self.rotated_clockwise(),
            Rotation::Counterclockwise => self.rotated_counterclockwise(),
        }
    }

    /// May this piece swap with that one, reserved squares apart?
    fn may_swap_with(self, other: Piece, edition: Edition) -> bool {
        let swaps = matches!(self.kind, Kind::Djed | Kind::Eye | Kind::Scarab);
        // With a pyramid, an obelisk or a whole stack (2.0: an Anubis); never with a pharaoh or
        // another djed, nor with an Eye, a scarab or a sphinx.
        let can_be_swapped = matches!(other.kind, Kind::Pyramid | Kind::Obelisk | Kind::Anubis);
        let color_fits = match edition {
            Edition::Standard => true,
            Edition::Czech => self.color == other.color,
        };
        swaps && can_be_swapped && color_fits
    }
}

impl Position {
    /// Returns all legal moves in notation, sorted as texts. There are none when the game is over
    /// because a pharaoh is missing.
    pub fn legal_moves(&self, edition: Edition) -> Vec<String> {
        let mut names: Vec<String> = self.moves(edition).into_iter().map(Move::name).collect();
        names.sort();
        names
    }

    fn moves(&self, edition: Edition) -> Vec<Move> {
        let mut moves = Vec::new();
        let is_over = [Color::Silver, Color::Red]
            .into_iter()
            .any(|color| self.count(color, Kind::Pharaoh) == 0);
        if is_over {
            return moves;
        }
        for (&square, &piece) in &self.pieces {
            if piece.color == self.side_to_move {
                self.add_piece_moves(square, piece, edition, &mut moves);
            }
        }
        self.add_tower_moves(&mut moves);
        moves
    }

    /// Returns the squares to which the usual moves lead: the (up to) eight neighbours on the same
    /// level and the square straight above or below.
    pub(super) fn neighbours(&self, square: Square) -> Vec<Square> {
        let mut neighbours = Vec::new();
        for (east, north) in EIGHT_DIRECTIONS {
            neighbours.push(square.offset(east, north));
        }
        neighbours.push(square.on_other_level());
        // No piece leaves the board or the upper level or enters the column.
        neighbours.retain(|&neighbour| self.has_square(neighbour));
        neighbours
    }

    /// May the piece stand on the square, if it is empty?
    fn may_stand_on(&self, piece: Piece, square: Square) -> bool {
        let is_pharaoh_on_corner = piece.kind == Kind::Pharaoh && self.is_upper_corner(square);
        !square.is_reserved_for_other_than(piece.color) && !is_pharaoh_on_corner
    }

    fn add_piece_moves(&self, from: Square, piece: Piece, edition: Edition, moves: &mut Vec<Move>) {
        for rotation in piece.rotations() {
            moves.push(Move::Rotate { square: from, rotation });
        }
        // A sphinx never moves.
        if piece.kind == Kind::Sphinx {
            return;
        }
        for to in self.neighbours(from) {
            if !self.may_stand_on(piece, to) {
                continue;
            }
            let Some(other) = self.get(to) else {
                // Move, or move a stack whole.
                moves.push(Move::Step { from, to });
                // The top obelisk alone goes to an empty square.
                if piece.is_stack() {
                    moves.push(Move::Unstack { from, to });
                }
                continue;
            };
            // Two obelisks are the limit, so only a single one can be stacked on.
            let may_stack_there = other.is_single_obelisk() && other.color == piece.color;
            if piece.is_single_obelisk() && may_stack_there {
                moves.push(Move::Step { from, to });
            }
            if piece.is_stack() && may_stack_there {
                moves.push(Move::Unstack { from, to });
            }
            // Swap: the other piece goes to the square of this one and must be allowed there.
            if piece.may_swap_with(other, edition) && self.may_stand_on(other, from) {
                moves.push(Move::Step { from, to });
            }
        }
    }

    /// The tower is a piece of both players.
    fn add_tower_moves(&self, moves: &mut Vec<Move>) {
        for (east, north) in EIGHT_DIRECTIONS {
            let column = self.column.offset(east, north);
            // The four ground squares are neutral and the upper level stays above the board. The
            // squares that the column leaves have no pieces, so they count as empty here.
            let is_free = [(0, 0), (1, 0), (0, 1), (1, 1)]
                .into_iter()
                .all(|(east, north)| self.get(column.offset(east, north)).is_none());
            if may_stand_at(column) && is_free {
                moves.push(Move::ShiftTower { column });
            }
        }
        for rotation in [Rotation::Clockwise, Rotation::Counterclockwise] {
            // A rotation that leaves the arrangement as it was is not a move.
            if self.with_tower_rotated(rotation).pieces != self.pieces {
                moves.push(Move::RotateTower { rotation });
            }
        }
    }

    /// Shifts the tower with everything on it.
    fn with_tower_shifted(&self, column: Square) -> Position {
        let east = column.file - self.column.file;
        let north = column.rank - self.column.rank;
        let mut after = self.clone();
        after.column = column;
        after.pieces.retain(|square, _| square.level == Level::Ground);
        for (&square, &piece) in &self.pieces {
            if square.level == Level::Upper {
                after.pieces.insert(square.offset(east, north), piece);
            }
        }
        after
    }

    /// Rotates the tower with everything on it by a quarter turn: pieces on the upper level change
    /// squares about the centre, and their orientations turn with them.
    fn with_tower_rotated(&self, rotation: Rotation) -> Position {
        let mut after = self.clone();
        after.pieces.retain(|square, _| square.level == Level::Ground);
        for (&square, &piece) in &self.pieces {
            if square.level == Level::Upper {
                // Columns and rows of the upper level, each from 0 to 5.
                let column = square.file - (self.column.file - 2);
                let row = square.rank - (self.column.rank - 2);
                let (new_column, new_row) = match rotation {
                    // The upper left corner (0, 5) goes to the upper right corner (5, 5), that one
                    // to the lower right corner (5, 0).
                    Rotation::Clockwise => (row, 5 - column),
                    Rotation::Counterclockwise => (5 - row, column),
                };
                let file = self.column.file - 2 + new_column;
                let rank = self.column.rank - 2 + new_row;
                let to = Square { level: Level::Upper, file, rank };
                after.pieces.insert(to, piece.rotated(rotation));
            }
        }
        after
    }

    /// Returns the position after a move and before its shot, with the same side still to move.
    fn with_move(&self, mv: Move) -> Position {
        let mut after = self.clone();
        let piece_on = |square| self.get(square).expect("a piece to move");
        match mv {
            Move::Step { from, to } => {
                let piece = piece_on(from);
                match self.get(to) {
                    None => {
                        after.set(from, None);
                        after.set(to, Some(piece));
                    }
                    // Stack.
                    Some(_) if piece.is_single_obelisk() => {
                        after.set(from, None);
                        after.set(to, Some(Piece { digit: 2, ..piece }));
                    }
                    // Swap; neither piece rotates.
                    Some(other) => {
                        after.set(from, Some(other));
                        after.set(to, Some(piece));
                    }
                }
            }
            Move::Unstack { from, to } => {
                let piece = piece_on(from);
                let digit = if self.get(to).is_some() { 2 } else { 1 };
                after.set(from, Some(Piece { digit: 1, ..piece }));
                after.set(to, Some(Piece { digit, ..piece }));
            }
            Move::Rotate { square, rotation } => {
                after.set(square, Some(piece_on(square).rotated(rotation)));
            }
            Move::ShiftTower { column } => after = self.with_tower_shifted(column),
            Move::RotateTower { rotation } => after = self.with_tower_rotated(rotation),
        }
        after
    }

    /// Finds a legal move of the standard edition, whose moves include those of the Czech one.
    fn find_move(&self, name: &str) -> Option<Move> {
        let mut name = name.to_string();
        // The one rotation of a djed, scarab or Eye may be written with a minus too.
        if let Some(square) = name.strip_suffix('-').and_then(Square::from_name)
            && let Some(piece) = self.get(square)
            && piece.rotations() == [Rotation::Clockwise]
            && piece.kind != Kind::Sphinx
        {
            name = format!("{}+", square.name());
        }
        self.moves(Edition::Standard).into_iter().find(|mv| mv.name() == name)
    }

    /// Returns the position after a move and before its shot, with the same side still to move.
    /// Panics if the move is not legal.
    pub fn before_shot(&self, mv: &str) -> Position {
        let Some(found) = self.find_move(mv) else {
            panic!("{mv} is no legal move in {}", self.write());
        };
        self.with_move(found)
    }

    /// Plays a move and fires the laser of its side. Panics if the move is not legal.
    pub fn play(&self, mv: &str) -> MoveEffect {
        let before_shot = self.before_shot(mv);
        let shot = before_shot.fire(self.side_to_move);
        let mut position = before_shot.after_shot(self.side_to_move);
        position.side_to_move = self.side_to_move.other();
        let result = position.result();
        MoveEffect { position, shot, result }
    }

    /// Returns the result if the game is over in this position.
    fn result(&self) -> Option<&'static str> {
        let silver_is_hit = self.count(Color::Silver, Kind::Pharaoh) == 0;
        let red_is_hit = self.count(Color::Red, Kind::Pharaoh) == 0;
        match (silver_is_hit, red_is_hit) {
            (true, true) => Some("draw"),
            (true, false) => Some("red"),
            (false, true) => Some("silver"),
            // A player without a legal move loses. The editions differ only in swaps, and a piece
            // that swaps can always rotate.
            (false, false) if self.moves(Edition::Standard).is_empty() => {
                Some(self.side_to_move.other().name())
            }
            (false, false) => None,
        }
    }

    /// Counts the move sequences of a length. A finished game has none.
    pub fn perft(&self, depth: u32, edition: Edition) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut count = 0;
        for mv in self.moves(edition) {
            let mut next = self.with_move(mv).after_shot(self.side_to_move);
            next.side_to_move = self.side_to_move.other();
            count += next.perft(depth - 1, edition);
        }
        count
    }
}

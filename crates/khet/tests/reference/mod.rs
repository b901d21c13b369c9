//! A slow, plain reference implementation of Khet, which the tests compare the fast library with.
//!
//! It is written from the rule page and the notation page alone and shares no code with the
//! library. The board is a 10x8 array and every rule is spelled out where it is used; nothing is
//! tabulated or optimised. What needs the history of a game (draws by repetition, by agreement,
//! resignation) is not here.

#![allow(dead_code)]

use std::collections::BTreeSet;

/// The sheet whose rule of the swap applies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edition {
    /// A djed swaps with pieces of either colour.
    Standard,
    /// A djed swaps with pieces of its own colour only.
    Czech,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Pharaoh,
    Pyramid,
    Djed,
    Obelisk,
    Eye,
    Scarab,
    Anubis,
    Sphinx,
}

use Kind::*;

/// A piece, or a stack of two obelisks, which is an obelisk with the digit 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Piece {
    silver: bool,
    kind: Kind,
    /// The digit of the notation; 0 for a pharaoh, which has none.
    digit: u8,
}

/// The direction in which a beam travels, or a side of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Direction {
    N,
    E,
    S,
    W,
}

impl Direction {
    fn letter(self) -> char {
        match self {
            Direction::N => 'N',
            Direction::E => 'E',
            Direction::S => 'S',
            Direction::W => 'W',
        }
    }

    fn opposite(self) -> Direction {
        match self {
            Direction::N => Direction::S,
            Direction::E => Direction::W,
            Direction::S => Direction::N,
            Direction::W => Direction::E,
        }
    }

    /// Reads the digit of an Anubis (its front) or a sphinx (the direction in which it fires):
    /// 1 north, 2 east, 3 south, 4 west.
    fn from_digit(digit: u8) -> Direction {
        match digit {
            1 => Direction::N,
            2 => Direction::E,
            3 => Direction::S,
            4 => Direction::W,
            _ => panic!("{digit} is no direction"),
        }
    }
}

/// A square: file 0 is `a`, 9 is `j`; rank 0 is `1`, 7 is `8`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Square {
    file: usize,
    rank: usize,
}

/// The corner of each colour's laser: Silver's is at `j1`, Red's at `a8`.
const SILVER_CORNER: Square = Square { file: 9, rank: 0 };
const RED_CORNER: Square = Square { file: 0, rank: 7 };

impl Square {
    /// Ten files and eight ranks: 80 squares.
    fn all() -> Vec<Square> {
        let mut all = Vec::new();
        for rank in 0..8 {
            for file in 0..10 {
                all.push(Square { file, rank });
            }
        }
        all
    }

    /// Files are `a` to `j` from left to right, ranks `1` to `8` from Silver's side up.
    fn name(self) -> String {
        let file = char::from(b'a' + self.file as u8);
        let rank = char::from(b'1' + self.rank as u8);
        format!("{file}{rank}")
    }

    fn read(name: &str) -> Square {
        for square in Square::all() {
            if square.name() == name {
                return square;
            }
        }
        panic!("{name:?} is no square");
    }

    /// The square that lies so many files to the east and ranks to the north, if on the board.
    fn offset(self, east: i32, north: i32) -> Option<Square> {
        let file = self.file as i32 + east;
        let rank = self.rank as i32 + north;
        if (0..10).contains(&file) && (0..8).contains(&rank) {
            Some(Square { file: file as usize, rank: rank as usize })
        } else {
            None
        }
    }

    /// The next square in one direction, none at the wall.
    fn next(self, direction: Direction) -> Option<Square> {
        match direction {
            Direction::N => self.offset(0, 1),
            Direction::E => self.offset(1, 0),
            Direction::S => self.offset(0, -1),
            Direction::W => self.offset(-1, 0),
        }
    }

    /// The (up to) 8 neighbouring squares, diagonal ones too.
    fn neighbours(self) -> Vec<Square> {
        let mut neighbours = Vec::new();
        for north in [-1, 0, 1] {
            for east in [-1, 0, 1] {
                if (east, north) != (0, 0) {
                    neighbours.extend(self.offset(east, north));
                }
            }
        }
        neighbours
    }

    /// Is the square reserved for the other colour than this one?
    fn forbidden_to(self, silver: bool) -> bool {
        let name = self.name();
        // Only Red may stand on a1 to a8, i1 and i8.
        let red_only = name.starts_with('a') || name == "i1" || name == "i8";
        // Only Silver may stand on j1 to j8, b1 and b8.
        let silver_only = name.starts_with('j') || name == "b1" || name == "b8";
        if silver { red_only } else { silver_only }
    }
}

/// The two diagonals on which a mirror can lie.
#[derive(Clone, Copy)]
enum Line {
    /// `\`
    Backslash,
    /// `/`
    Slash,
}

/// Reflects a beam at a two-sided mirror on a diagonal, by 90 degrees.
fn reflect(line: Line, travel: Direction) -> Direction {
    match (line, travel) {
        (Line::Backslash, Direction::N) => Direction::W,
        (Line::Backslash, Direction::W) => Direction::N,
        (Line::Backslash, Direction::S) => Direction::E,
        (Line::Backslash, Direction::E) => Direction::S,
        (Line::Slash, Direction::N) => Direction::E,
        (Line::Slash, Direction::E) => Direction::N,
        (Line::Slash, Direction::S) => Direction::W,
        (Line::Slash, Direction::W) => Direction::S,
    }
}

/// The effect of a piece on a beam.
enum BeamEffect {
    /// The beam goes on in these directions (two when it is split).
    GoesOn(Vec<Direction>),
    /// The beam ends and the piece stays.
    Absorbed,
    /// The beam ends and the piece is removed. If it is a pharaoh, the game ends.
    Removes,
}

impl Piece {
    fn letter(self) -> char {
        let upper = match self.kind {
            Pharaoh => 'K',
            Pyramid => 'P',
            Djed => 'D',
            Obelisk => 'O',
            Eye => 'E',
            Scarab => 'S',
            Anubis => 'A',
            Sphinx => 'X',
        };
        // Upper case for Silver, lower case for Red.
        if self.silver { upper } else { upper.to_ascii_lowercase() }
    }

    fn is_single_obelisk(self) -> bool {
        self.kind == Obelisk && self.digit == 1
    }

    fn is_stack(self) -> bool {
        self.kind == Obelisk && self.digit == 2
    }

    /// The line of a djed, an Eye or a scarab: digit 1 is `\`, 2 is `/`.
    fn line(self) -> Line {
        match self.digit {
            1 => Line::Backslash,
            2 => Line::Slash,
            digit => panic!("{digit} is no line"),
        }
    }

    /// The two sides that the mirror of a pyramid faces, clockwise from digit 1: NE, SE, SW, NW.
    fn mirror_sides(self) -> [Direction; 2] {
        match self.digit {
            1 => [Direction::N, Direction::E],
            2 => [Direction::S, Direction::E],
            3 => [Direction::S, Direction::W],
            4 => [Direction::N, Direction::W],
            digit => panic!("{digit} is no corner"),
        }
    }

    /// Returns the effect on a beam that travels in this direction.
    fn meet(self, travel: Direction) -> BeamEffect {
        // A beam that travels north enters by the south side, and so on.
        let entered_by = travel.opposite();
        match self.kind {
            // A beam that meets the pharaoh ends the game for its owner.
            Pharaoh => BeamEffect::Removes,
            // A djed always reflects the beam and can't be destroyed; a scarab is the djed of 2.0.
            Djed | Scarab => BeamEffect::GoesOn(vec![reflect(self.line(), travel)]),
            // The Eye reflects half as a djed does and lets half pass straight on; it can't be
            // destroyed either.
            Eye => BeamEffect::GoesOn(vec![reflect(self.line(), travel), travel]),
            // A pyramid takes what enters by one of the two sides that its mirror faces out by the
            // other of the two; on the other two sides of the piece it is removed.
            Pyramid => {
                let [one, other] = self.mirror_sides();
                if entered_by == one {
                    BeamEffect::GoesOn(vec![other])
                } else if entered_by == other {
                    BeamEffect::GoesOn(vec![one])
                } else {
                    BeamEffect::Removes
                }
            }
            // An obelisk has no mirror: removed (of a stack the top one; see `remove_hit`).
            Obelisk => BeamEffect::Removes,
            // An Anubis absorbs a beam on its front; on the other three sides it is removed.
            Anubis => {
                if entered_by == Direction::from_digit(self.digit) {
                    BeamEffect::Absorbed
                } else {
                    BeamEffect::Removes
                }
            }
            // A sphinx can't be destroyed and blocks beams.
            Sphinx => BeamEffect::Absorbed,
        }
    }

    /// The rotations of this piece on that square: sign in the notation and the digit afterwards.
    fn rotations(self, square: Square) -> Vec<(char, u8)> {
        match self.kind {
            // A pharaoh or an obelisk can't be rotated.
            Pharaoh | Obelisk => vec![],
            // A djed (scarab, Eye) has one rotation, which is written with a plus.
            Djed | Scarab | Eye => vec![('+', if self.digit == 1 { 2 } else { 1 })],
            // A pyramid has two, and so has an Anubis. The digits go round clockwise.
            Pyramid | Anubis => {
                let clockwise = match self.digit {
                    1 => 2,
                    2 => 3,
                    3 => 4,
                    _ => 1,
                };
                let counterclockwise = match self.digit {
                    1 => 4,
                    2 => 1,
                    3 => 2,
                    _ => 3,
                };
                vec![('+', clockwise), ('-', counterclockwise)]
            }
            // A sphinx rotates between the two directions that look into the board from its corner:
            // Silver's north and west, Red's south and east.
            Sphinx => {
                let direction = Direction::from_digit(self.digit);
                if self.silver && square == SILVER_CORNER {
                    match direction {
                        Direction::N => vec![('-', 4)],
                        Direction::W => vec![('+', 1)],
                        _ => vec![],
                    }
                } else if !self.silver && square == RED_CORNER {
                    match direction {
                        Direction::S => vec![('-', 2)],
                        Direction::E => vec![('+', 3)],
                        _ => vec![],
                    }
                } else {
                    vec![]
                }
            }
        }
    }

    /// May this piece, stepping next to it, swap with that one (reserved squares apart)?
    fn may_swap_with(self, other: Piece, edition: Edition) -> bool {
        // Djeds swap; scarabs are the djeds of 2.0, and the Eye swaps as a djed does.
        let swaps = matches!(self.kind, Djed | Scarab | Eye);
        // With a pyramid, an obelisk or a whole stack, in 2.0 also an Anubis; never with a pharaoh
        // or another djed (nor a scarab or Eye), and a sphinx can't be swapped.
        let is_swapped = matches!(other.kind, Pyramid | Obelisk | Anubis);
        // Of either colour; in the Czech sheet of its own colour only.
        let colour_fits = match edition {
            Edition::Standard => true,
            Edition::Czech => self.silver == other.silver,
        };
        swaps && is_swapped && colour_fits
    }
}

/// A position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    /// `squares[rank][file]`
    squares: [[Option<Piece>; 10]; 8],
    silver_to_move: bool,
}

/// The effect of a shot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShotEffect {
    /// Every square that a beam of the shot visits with the direction of travel on arrival.
    pub visited: BTreeSet<(String, char)>,
    /// The removed pieces, as the notation writes them after the `x`, sorted.
    pub removed: Vec<String>,
}

/// The effect of a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveEffect {
    /// After the shot, the other side to move.
    pub board: Board,
    /// The shot of the move.
    pub fired: ShotEffect,
    /// `"silver"`, `"red"` (who won) or `"draw"`; none while the game goes on.
    pub result: Option<&'static str>,
}

impl Board {
    fn get(&self, square: Square) -> Option<Piece> {
        self.squares[square.rank][square.file]
    }

    fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.squares[square.rank][square.file] = piece;
    }

    /// Reads the position notation ("PLACEMENT SIDE"); trusted input, panics on bad text.
    pub fn read(text: &str) -> Board {
        let (placement, side) = text.split_once(' ').expect("a placement, a space and a side");
        let silver_to_move = match side {
            "s" => true,
            "r" => false,
            _ => panic!("the side to move is s or r, not {side:?}"),
        };
        let mut board = Board { squares: [[None; 10]; 8], silver_to_move };
        // Ranks come from 8 down to 1 with a slash between them.
        let ranks: Vec<&str> = placement.split('/').collect();
        assert_eq!(ranks.len(), 8, "eight ranks in {text:?}");
        for (nth, row) in ranks.iter().enumerate() {
            let rank = 7 - nth;
            let chars: Vec<char> = row.chars().collect();
            let mut file = 0;
            let mut at = 0;
            while at < chars.len() {
                if chars[at].is_ascii_digit() {
                    // A number is that many empty squares.
                    let mut number = String::new();
                    while at < chars.len() && chars[at].is_ascii_digit() {
                        number.push(chars[at]);
                        at += 1;
                    }
                    file += number.parse::<usize>().unwrap();
                } else {
                    // A piece is a letter followed by one digit; the pharaoh has none.
                    let letter = chars[at];
                    at += 1;
                    let (kind, digits) = match letter.to_ascii_uppercase() {
                        'K' => (Pharaoh, 0),
                        'P' => (Pyramid, 4),
                        'D' => (Djed, 2),
                        'O' => (Obelisk, 2),
                        'E' => (Eye, 2),
                        'S' => (Scarab, 2),
                        'A' => (Anubis, 4),
                        'X' => (Sphinx, 4),
                        _ => panic!("{letter:?} is no piece"),
                    };
                    let mut digit = 0;
                    if kind != Pharaoh {
                        digit = chars[at].to_digit(10).expect("a digit after the piece") as u8;
                        at += 1;
                        assert!((1..=digits).contains(&digit), "{letter}{digit} is no piece");
                    }
                    let silver = letter.is_ascii_uppercase();
                    assert!(file < 10, "rank too long in {text:?}");
                    board.squares[rank][file] = Some(Piece { silver, kind, digit });
                    file += 1;
                }
            }
            assert_eq!(file, 10, "ten files in every rank of {text:?}");
        }
        // There is exactly one direction to write a position.
        assert_eq!(board.write(), text, "not the canonical direction to write this position");
        board
    }

    /// Writes the position notation (canonical).
    pub fn write(&self) -> String {
        let mut text = String::new();
        for rank in (0..8).rev() {
            let mut empty = 0;
            for file in 0..10 {
                match self.squares[rank][file] {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            text.push_str(&empty.to_string());
                            empty = 0;
                        }
                        text.push(piece.letter());
                        if piece.kind != Pharaoh {
                            text.push_str(&piece.digit.to_string());
                        }
                    }
                }
            }
            if empty > 0 {
                text.push_str(&empty.to_string());
            }
            if rank > 0 {
                text.push('/');
            }
        }
        text.push_str(if self.silver_to_move { " s" } else { " r" });
        text
    }

    /// Counts the pieces of one kind and colour; a stack is two obelisks.
    fn count(&self, silver: bool, kind: Kind) -> u32 {
        let mut count = 0;
        for square in Square::all() {
            if let Some(piece) = self.get(square)
                && piece.silver == silver
                && piece.kind == kind
            {
                count += if piece.is_stack() { 2 } else { 1 };
            }
        }
        count
    }

    /// A pharaoh that is hit is removed, so the game is over when one is missing.
    fn is_over(&self) -> bool {
        self.count(true, Pharaoh) == 0 || self.count(false, Pharaoh) == 0
    }

    /// All legal moves in canonical notation, sorted as strings. Empty when the game is over (a
    /// pharaoh is missing).
    pub fn moves(&self, edition: Edition) -> Vec<String> {
        let mut moves = Vec::new();
        if self.is_over() {
            return moves;
        }
        for from in Square::all() {
            // One moves and rotates one's own pieces.
            let Some(piece) = self.get(from) else { continue };
            if piece.silver != self.silver_to_move {
                continue;
            }
            let from_name = from.name();

            // Rotate by 90 degrees in place, where it changes something.
            for (sign, _) in piece.rotations(from) {
                moves.push(format!("{from_name}{sign}"));
            }

            // A sphinx never moves.
            if piece.kind == Sphinx {
                continue;
            }

            for to in from.neighbours() {
                // No piece goes to a square that is reserved for the other colour.
                if to.forbidden_to(piece.silver) {
                    continue;
                }
                let to_name = to.name();
                match self.get(to) {
                    None => {
                        // Move: a piece goes to an empty neighbouring square; so does a stack,
                        // whole, as one piece.
                        moves.push(format!("{from_name}{to_name}"));
                        // Unstack: the top obelisk alone goes to an empty neighbouring square.
                        if piece.is_stack() {
                            moves.push(format!("{from_name}^{to_name}"));
                        }
                    }
                    Some(other) => {
                        let onto_own_single =
                            other.is_single_obelisk() && other.silver == piece.silver;
                        // Stack: a single obelisk goes onto a single one of its own colour; two is
                        // the limit, so neither may be a stack already.
                        if piece.is_single_obelisk() && onto_own_single {
                            moves.push(format!("{from_name}{to_name}"));
                        }
                        // Unstack: the top obelisk may also go onto a single one of its own colour.
                        if piece.is_stack() && onto_own_single {
                            moves.push(format!("{from_name}^{to_name}"));
                        }
                        // Swap: the other piece goes to this square; neither of the two may end on
                        // a square reserved for the other colour (this one's was looked at above).
                        if piece.may_swap_with(other, edition) && !from.forbidden_to(other.silver) {
                            moves.push(format!("{from_name}{to_name}"));
                        }
                    }
                }
            }
        }
        moves.sort();
        moves
    }

    /// The board after the move proper: not yet fired, the same side still to move.
    fn after_move(&self, mv: &str) -> Board {
        let mut board = self.clone();
        let from = Square::read(&mv[..2]);
        let piece = self.get(from).expect("a piece to play with");
        match &mv[2..] {
            // Rotate clockwise or anticlockwise.
            sign @ ("+" | "-") => {
                for (its_sign, digit) in piece.rotations(from) {
                    if sign == its_sign.to_string() {
                        board.set(from, Some(Piece { digit, ..piece }));
                    }
                }
            }
            target => {
                if let Some(target) = target.strip_prefix('^') {
                    // Unstack: the top one goes, the bottom one stays.
                    let to = Square::read(target);
                    let arrived = match self.get(to) {
                        None => Piece { digit: 1, ..piece },
                        Some(_) => Piece { digit: 2, ..piece },
                    };
                    board.set(from, Some(Piece { digit: 1, ..piece }));
                    board.set(to, Some(arrived));
                } else {
                    let to = Square::read(target);
                    match self.get(to) {
                        // Move, a stack whole.
                        None => {
                            board.set(from, None);
                            board.set(to, Some(piece));
                        }
                        // Stack.
                        Some(_) if piece.is_single_obelisk() => {
                            board.set(from, None);
                            board.set(to, Some(Piece { digit: 2, ..piece }));
                        }
                        // Swap: the two change places and neither rotates.
                        Some(other) => {
                            board.set(from, Some(other));
                            board.set(to, Some(piece));
                        }
                    }
                }
            }
        }
        board
    }

    /// Returns the first square of a colour's beam and its direction of travel there. None if
    /// a sphinx faces the wall, which it doesn't in a position that can be played.
    fn muzzle(&self, silver: bool) -> Option<(Square, Direction)> {
        let corner = if silver { SILVER_CORNER } else { RED_CORNER };
        // With sphinxes the laser sits in the sphinx and fires the direction that it faces.
        if let Some(piece) = self.get(corner)
            && piece.kind == Sphinx
            && piece.silver == silver
        {
            let direction = Direction::from_digit(piece.digit);
            return corner.next(direction).map(|square| (square, direction));
        }
        // Otherwise the lasers are in the wall: Silver's shines into j1 going north, Red's into a8
        // going south.
        Some((corner, if silver { Direction::N } else { Direction::S }))
    }

    /// Traces all beams of a shot: what they visit, and the squares whose piece is hit.
    fn trace(&self, silver: bool) -> (BTreeSet<(String, char)>, BTreeSet<Square>) {
        let mut visited = BTreeSet::new();
        let mut hit = BTreeSet::new();
        // Beams still to be followed. The board stays as it is until all have been traced: beams
        // act together, and a pyramid that one of them removes still reflects the others.
        let mut beams: Vec<(Square, Direction)> = Vec::new();
        beams.extend(self.muzzle(silver));
        while let Some((square, travel)) = beams.pop() {
            // Each square and direction is followed once, or beams could run round for ever.
            if !visited.insert((square.name(), travel.letter())) {
                continue;
            }
            let onward = match self.get(square) {
                // Along ranks and files over empty squares.
                None => vec![travel],
                Some(piece) => match piece.meet(travel) {
                    BeamEffect::GoesOn(directions) => directions,
                    BeamEffect::Absorbed => vec![],
                    // A piece that is hit is removed, even one of the same colour as
                    // the laser. `hit` is a set, so several beams on one piece count as one.
                    BeamEffect::Removes => {
                        hit.insert(square);
                        vec![]
                    }
                },
            };
            for direction in onward {
                // A beam ends at the wall, also where a laser is.
                if let Some(next) = square.next(direction) {
                    beams.push((next, direction));
                }
            }
        }
        (visited, hit)
    }

    /// Takes what was hit off the board; of a stack only the top obelisk, however many beams ended
    /// on it.
    fn remove_hit(&mut self, hit: &BTreeSet<Square>) {
        for &square in hit {
            let piece = self.get(square).expect("a beam removes only pieces");
            if piece.is_stack() {
                self.set(square, Some(Piece { digit: 1, ..piece }));
            } else {
                self.set(square, None);
            }
        }
    }

    /// Fires the laser of one colour; the board does not change.
    pub fn fire(&self, silver: bool) -> ShotEffect {
        let (visited, hit) = self.trace(silver);
        let mut removed = Vec::new();
        for square in hit {
            let piece = self.get(square).expect("a beam removes only pieces");
            // Suffixes of a hit in notation: `^` if only the top of a stack is removed, `#` for a
            // pharaoh.
            let mark = if piece.is_stack() {
                "^"
            } else if piece.kind == Pharaoh {
                "#"
            } else {
                ""
            };
            removed.push(format!("{}{mark}", square.name()));
        }
        removed.sort();
        ShotEffect { visited, removed }
    }

    /// The board after a move and the shot, the other side to move. After the turn the laser of
    /// the player fires, once, always.
    fn after_shot(&self, mv: &str) -> Board {
        let mut board = self.after_move(mv);
        let (_, hit) = board.trace(self.silver_to_move);
        board.remove_hit(&hit);
        board.silver_to_move = !self.silver_to_move;
        board
    }

    /// Plays one legal move given in notation and fires the mover's laser. Panics if it is not
    /// legal (in the standard game, whose moves include those of the Czech edition).
    pub fn play(&self, mv: &str) -> MoveEffect {
        let mut mv = mv.to_string();
        // The one rotation of a djed, scarab or Eye may be written with a minus too.
        if let Some(square) = mv.strip_suffix('-')
            && let Some(piece) = self.get(Square::read(square))
            && matches!(piece.kind, Djed | Scarab | Eye)
        {
            mv = format!("{square}+");
        }
        assert!(
            self.moves(Edition::Standard).contains(&mv),
            "{mv} is no legal move in {}",
            self.write()
        );

        // Only the mover's own laser fires.
        let fired = self.after_move(&mv).fire(self.silver_to_move);
        let board = self.after_shot(&mv);

        // The player whose pharaoh is hit loses, even by their own shot; if one shot hits both, it
        // is a draw.
        let silver_hit = board.count(true, Pharaoh) == 0;
        let red_hit = board.count(false, Pharaoh) == 0;
        let result = if silver_hit && red_hit {
            Some("draw")
        } else if silver_hit {
            Some("red")
        } else if red_hit {
            Some("silver")
        } else if board.moves(Edition::Standard).is_empty() {
            // A player without a legal move loses. The edition makes no difference: it changes only
            // the swaps, and a piece that can swap can always rotate.
            Some(if board.silver_to_move { "red" } else { "silver" })
        } else {
            None
        };
        MoveEffect { board, fired, result }
    }

    /// Number of move sequences of that length. A move that lights a pharaoh counts as a leaf at
    /// the last ply; a finished game has no children.
    pub fn perft(&self, depth: u32, edition: Edition) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.moves(edition);
        if depth == 1 {
            return moves.len() as u64;
        }
        let mut leaves = 0;
        for mv in moves {
            leaves += self.after_shot(&mv).perft(depth - 1, edition);
        }
        leaves
    }

    /// May this position be played at all?
    pub fn playable(&self) -> bool {
        // No piece stands on a square reserved for the other colour.
        for square in Square::all() {
            if let Some(piece) = self.get(square)
                && square.forbidden_to(piece.silver)
            {
                return false;
            }
        }

        for silver in [true, false] {
            // Each side has exactly one pharaoh.
            if self.count(silver, Pharaoh) != 1 {
                return false;
            }
            // Neither side has more than its box holds.
            if self.count(silver, Djed) > 2
                || self.count(silver, Pyramid) > 7
                || self.count(silver, Obelisk) > 4
                || self.count(silver, Eye) > 1
                || self.count(silver, Scarab) > 2
                || self.count(silver, Anubis) > 2
            {
                return false;
            }
        }

        // It uses one box: djeds and obelisks are of the first, scarabs and Anubis of 2.0; pharaoh,
        // pyramid and Eye may be of either.
        let both = |kind| self.count(true, kind) + self.count(false, kind);
        let has_standard_pieces = both(Djed) > 0 || both(Obelisk) > 0;
        let has_khet2_pieces = both(Scarab) > 0 || both(Anubis) > 0;
        if has_standard_pieces && has_khet2_pieces {
            return false;
        }

        // Sphinxes: both sides or neither, exactly one each.
        let sphinxes = (self.count(true, Sphinx), self.count(false, Sphinx));
        if sphinxes != (0, 0) && sphinxes != (1, 1) {
            return false;
        }
        // A 2.0 position has them.
        if has_khet2_pieces && sphinxes != (1, 1) {
            return false;
        }
        // Each on its own corner, facing into the board: Silver's on j1 to the north or west, Red's
        // on a8 to the south or east.
        for square in Square::all() {
            if let Some(piece) = self.get(square)
                && piece.kind == Sphinx
            {
                let direction = Direction::from_digit(piece.digit);
                let well_placed = if piece.silver {
                    square == SILVER_CORNER
                        && (direction == Direction::N || direction == Direction::W)
                } else {
                    square == RED_CORNER && (direction == Direction::S || direction == Direction::E)
                };
                if !well_placed {
                    return false;
                }
            }
        }
        true
    }
}

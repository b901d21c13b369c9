//! Traces the beams of a shot.

use std::collections::BTreeSet;

use super::{Color, Direction, Kind, Level, Piece, Position, Square};

/// The reason why a beam ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum BeamEnd {
    /// It reaches the wall of the board, also where a laser is.
    Wall,
    /// It leaves the upper level.
    Rim,
    /// It arrives at the half of a face of the column that has no periscope.
    BlankWall,
    /// It hits a piece, which is removed, or loses its top if it is a stack.
    Hit,
    /// It is absorbed by a sphinx, or by the front of an Anubis.
    Absorbed,
    /// It reaches an Eye of Horus, from where other beams go on.
    Split,
}

/// A beam from the laser or from an Eye to its end.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Beam {
    /// The square of the Eye that the beam comes from, none for the beam from the laser.
    pub eye: Option<String>,
    /// The direction in which the beam leaves the laser or the Eye: N, E, S or W.
    pub leaves: char,
    /// The squares that the beam reaches, each with the direction of travel on arrival. The square
    /// of the Eye that it comes from is not among them; the first square in front of a wall laser
    /// is, and the square of a sphinx that fires is not.
    pub path: Vec<(String, char)>,
    pub end: BeamEnd,
    /// The number of periscopes that the beam goes through.
    pub level_changes: usize,
}

/// The beams of one shot and the pieces that they hit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shot {
    /// The beam from the laser, then the others sorted by the name of the Eye that they come from
    /// and then by the letter of the direction in which they leave it.
    pub beams: Vec<Beam>,
    /// The hits in notation (`xG6`, `xd1^`, `xf8#`), sorted as texts.
    pub hits: Vec<String>,
}

impl Shot {
    /// The number of periscopes that all beams go through.
    pub fn level_changes(&self) -> usize {
        self.beams.iter().map(|beam| beam.level_changes).sum()
    }
}

/// The effect of a piece on a beam.
enum BeamEffect {
    Reflects(Direction),
    /// One half goes on in each direction.
    Splits([Direction; 2]),
    Absorbs,
    IsRemoved,
}

/// Reflects a beam at the line of a djed, scarab or Eye: digit 1 is `\`, 2 is `/`.
fn reflect(line: u8, travel: Direction) -> Direction {
    match (line, travel) {
        (1, Direction::N) => Direction::W,
        (1, Direction::W) => Direction::N,
        (1, Direction::S) => Direction::E,
        (1, Direction::E) => Direction::S,
        (2, Direction::N) => Direction::E,
        (2, Direction::E) => Direction::N,
        (2, Direction::S) => Direction::W,
        (2, Direction::W) => Direction::S,
        _ => panic!("{line} is no line"),
    }
}

/// The two sides that the mirror of a pyramid faces, clockwise from digit 1: NE, SE, SW, NW.
fn mirror_sides(digit: u8) -> [Direction; 2] {
    match digit {
        1 => [Direction::N, Direction::E],
        2 => [Direction::S, Direction::E],
        3 => [Direction::S, Direction::W],
        4 => [Direction::N, Direction::W],
        _ => panic!("{digit} is no corner"),
    }
}

impl Piece {
    /// Returns the effect on a beam that travels in this direction.
    fn meet(self, travel: Direction) -> BeamEffect {
        // A beam that travels north enters by the south side, and so on.
        let entered_by = travel.opposite();
        match self.kind {
            Kind::Pharaoh | Kind::Obelisk => BeamEffect::IsRemoved,
            Kind::Djed | Kind::Scarab => BeamEffect::Reflects(reflect(self.digit, travel)),
            // Half is reflected as by a djed, half passes straight on.
            Kind::Eye => BeamEffect::Splits([reflect(self.digit, travel), travel]),
            // A beam that enters by one of the two sides that the mirror faces leaves by the other.
            Kind::Pyramid => match mirror_sides(self.digit) {
                [one, other] if entered_by == one => BeamEffect::Reflects(other),
                [one, other] if entered_by == other => BeamEffect::Reflects(one),
                _ => BeamEffect::IsRemoved,
            },
            Kind::Anubis if entered_by == Direction::from_digit(self.digit) => BeamEffect::Absorbs,
            Kind::Anubis => BeamEffect::IsRemoved,
            Kind::Sphinx => BeamEffect::Absorbs,
        }
    }
}

/// One step of a beam.
enum Step {
    /// The beam arrives on a square.
    Arrives {
        square: Square,
        travel: Direction,
        changes_level: bool,
    },
    Ends(BeamEnd),
}

impl Position {
    /// Returns the step of a beam that leaves a square in this direction.
    fn step(&self, from: Square, travel: Direction) -> Step {
        let (east, north) = travel.offset();
        let to = from.offset(east, north);
        if self.is_column(to) {
            // A beam that travels north arrives at the south face, and so on.
            let face = travel.opposite();
            if face != self.face_served_by(to) {
                return Step::Ends(BeamEnd::BlankWall);
            }
            // The beam comes out of the same half of the face on the other level, hence on the
            // square straight above or below the one that it left, travelling back.
            let square = from.on_other_level();
            return Step::Arrives { square, travel: travel.opposite(), changes_level: true };
        }
        if self.has_square(to) {
            return Step::Arrives { square: to, travel, changes_level: false };
        }
        match from.level {
            Level::Ground => Step::Ends(BeamEnd::Wall),
            Level::Upper => Step::Ends(BeamEnd::Rim),
        }
    }

    /// Returns the face whose periscope is in this square of the column: the half of the face that
    /// is on the left for someone who looks at the face from outside.
    fn face_served_by(&self, column_square: Square) -> Direction {
        let is_west = column_square.file == self.column.file;
        let is_south = column_square.rank == self.column.rank;
        match (is_south, is_west) {
            (true, true) => Direction::S,
            (false, true) => Direction::W,
            (false, false) => Direction::N,
            (true, false) => Direction::E,
        }
    }

    /// Returns the direction in which a laser fires and the first step of its beam.
    fn leave_laser(&self, color: Color) -> (Direction, Step) {
        let corner = color.laser_corner();
        // With sphinxes the laser sits in the sphinx.
        if let Some(piece) = self.get(corner)
            && piece.kind == Kind::Sphinx
            && piece.color == color
        {
            let travel = Direction::from_digit(piece.digit);
            return (travel, self.step(corner, travel));
        }
        // Otherwise it is in the wall: Silver's shines into j1 going north, Red's into a8 going
        // south.
        let travel = match color {
            Color::Silver => Direction::N,
            Color::Red => Direction::S,
        };
        (travel, Step::Arrives { square: corner, travel, changes_level: false })
    }

    /// Traces all beams of a shot. Returns them with the squares whose piece is hit.
    fn trace(&self, color: Color) -> (Vec<Beam>, BTreeSet<Square>) {
        let mut beams = Vec::new();
        // Several beams that end on one piece are one hit.
        let mut hit_squares = BTreeSet::new();
        // Each square and direction is followed once. Two beams can join only where they leave an
        // Eye, because everywhere else a beam can have come from only one square.
        let mut followed = BTreeSet::new();
        let mut sent_from_eyes = BTreeSet::new();

        let (direction, first_step) = self.leave_laser(color);
        let mut to_follow = vec![(None, direction, first_step)];
        // The board stays as it is until all beams have been traced: they act together.
        while let Some((eye, leaves, first_step)) = to_follow.pop() {
            let mut path = Vec::new();
            let mut level_changes = 0;
            let mut step = first_step;
            let end = loop {
                let (square, travel) = match step {
                    Step::Ends(end) => break end,
                    Step::Arrives { square, travel, changes_level } => {
                        level_changes += usize::from(changes_level);
                        (square, travel)
                    }
                };
                path.push((square.name(), travel.letter()));
                assert!(followed.insert((square, travel)), "followed twice: {}", self.write());
                let Some(piece) = self.get(square) else {
                    step = self.step(square, travel);
                    continue;
                };
                match piece.meet(travel) {
                    BeamEffect::Reflects(direction) => step = self.step(square, direction),
                    BeamEffect::Splits(directions) => {
                        for direction in directions {
                            if sent_from_eyes.insert((square, direction)) {
                                let first_step = self.step(square, direction);
                                to_follow.push((Some(square), direction, first_step));
                            }
                        }
                        break BeamEnd::Split;
                    }
                    BeamEffect::Absorbs => break BeamEnd::Absorbed,
                    BeamEffect::IsRemoved => {
                        hit_squares.insert(square);
                        break BeamEnd::Hit;
                    }
                }
            };
            let (eye, leaves) = (eye.map(Square::name), leaves.letter());
            beams.push(Beam { eye, leaves, path, end, level_changes });
        }
        beams.sort();
        (beams, hit_squares)
    }

    /// Fires the laser of one colour; the position does not change.
    pub fn fire(&self, color: Color) -> Shot {
        let (beams, hit_squares) = self.trace(color);
        let mut hits = Vec::new();
        for square in hit_squares {
            let piece = self.get(square).expect("only pieces are hit");
            // `^` if only the top of a stack is removed, `#` for a pharaoh.
            let mark = if piece.is_stack() {
                "^"
            } else if piece.kind == Kind::Pharaoh {
                "#"
            } else {
                ""
            };
            hits.push(format!("x{}{mark}", square.name()));
        }
        hits.sort();
        Shot { beams, hits }
    }

    /// Returns the position after a player's shot: hit pieces of both players are removed, and of a
    /// stack only the top.
    pub(super) fn after_shot(&self, color: Color) -> Position {
        let (_, hit_squares) = self.trace(color);
        let mut after = self.clone();
        for square in hit_squares {
            let piece = self.get(square).expect("only pieces are hit");
            let left = if piece.is_stack() { Some(Piece { digit: 1, ..piece }) } else { None };
            after.set(square, left);
        }
        after
    }
}

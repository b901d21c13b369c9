//! The geometry of a shot: the lines of its beams in the units of the picture.

use khet::tower::BoardLevel;
use khet::{Beam, BeamEnd, BeamOrigin, BoardSquare, Direction, Kind, Shot, Square};

use crate::geometry::{LIFT, Orientation, Point, SIDE};
use crate::stone;

/// How far a beam that leaves the board runs beyond the centre of its last square.
const INTO_WALL: f64 = 54.0;
/// Half of the width of a beam with its glow.
pub(crate) const BEAM: i32 = 20;
/// Half of that width inside the column of a tower. It is larger, because the way between the levels
/// is short and should be seen.
const CLIMBING_BEAM: i32 = 30;
/// How far from the centre of its square a sphinx emits the beam.
const SPHINX_MUZZLE: f64 = 34.0;

/// The line of one beam.
///
/// A [`khet::Beam`] names squares and directions. This type adds what all drawings of it share: the
/// points in the picture and the distances by which animations are timed.
#[derive(Clone, PartialEq, Debug)]
pub struct BeamPath<S: BoardSquare = Square> {
    /// The points from its origin over every mirror and periscope to its end.
    pub points: Vec<Point>,
    /// The level of each point. In a periscope two points follow each other, one on each level.
    pub levels: Vec<BoardLevel>,
    /// The distance from the laser to the origin of this beam, along the beams before it.
    pub start: f64,
    /// The places at which it is reflected, split or led to the other level.
    pub sparks: Vec<Spark>,
    /// The square of the piece at which it ends.
    pub ends_on: Option<S>,
}

/// A place at which a beam is reflected, split or led to the other level.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spark {
    /// The point in the picture.
    pub at: Point,
    /// The level of the point.
    pub level: BoardLevel,
    /// The distance from the laser along the beams.
    pub distance: f64,
}

/// A straight part of a beam's line.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BeamSegment {
    /// The point at which it starts.
    pub from: Point,
    /// The point at which it ends.
    pub to: Point,
    /// The level in front of which it is drawn: the upper one also for a segment between levels.
    pub level: BoardLevel,
    /// True if it leads from one level to the other, inside the column.
    pub changes_level: bool,
}

impl BeamSegment {
    /// Returns half of the width of the beam with its glow.
    pub fn half_width(&self) -> i32 {
        if self.changes_level { CLIMBING_BEAM } else { BEAM }
    }
}

impl<S: BoardSquare> BeamPath<S> {
    /// Returns the length of the line.
    pub fn length(&self) -> f64 {
        length(&self.points)
    }

    /// Returns the distance from the laser to its end.
    pub fn end(&self) -> f64 {
        self.start + self.length()
    }

    /// Iterates over the straight parts of the line.
    pub fn segments(&self) -> impl Iterator<Item = BeamSegment> + '_ {
        segments(&self.points, &self.levels)
    }

    fn add(&mut self, at: Point, level: BoardLevel) {
        self.points.push(at);
        self.levels.push(level);
    }

    fn add_spark(&mut self, at: Point, level: BoardLevel) {
        self.add(at, level);
        self.sparks.push(Spark { at, level, distance: self.end() });
    }
}

/// Iterates over the straight parts of a line through points of these levels.
pub fn segments<'a>(
    points: &'a [Point],
    levels: &'a [BoardLevel],
) -> impl Iterator<Item = BeamSegment> + 'a {
    points.windows(2).zip(levels.windows(2)).map(|(points, levels)| BeamSegment {
        from: points[0],
        to: points[1],
        level: levels[0].max(levels[1]),
        changes_level: levels[0] != levels[1],
    })
}

/// Returns the length of a line from point to point.
pub fn length(points: &[Point]) -> f64 {
    points.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
}

/// Returns the lines of all beams of a shot, in the shot's order.
pub fn beam_paths<S: BoardSquare>(shot: &Shot<S>, orientation: Orientation) -> Vec<BeamPath<S>> {
    let mut paths: Vec<BeamPath<S>> = Vec::with_capacity(shot.beams.len());
    for beam in &shot.beams {
        let (origin, start) = match beam.origin {
            BeamOrigin::Wall(_) => (stone::laser_point(orientation, shot.by), 0.0),
            BeamOrigin::Sphinx(square) => (
                ahead(orientation.center(square), orientation.step(beam.direction), SPHINX_MUZZLE),
                0.0,
            ),
            BeamOrigin::Eye(eye) => {
                let parent = paths.iter().find(|path| path.ends_on == Some(eye));
                (orientation.center(eye), parent.map_or(0.0, BeamPath::end))
            }
        };
        paths.push(beam_path(shot, beam, orientation, origin, start));
    }
    paths
}

/// Returns the line of a beam that starts at a point, after a distance from the laser.
fn beam_path<S: BoardSquare>(
    shot: &Shot<S>,
    beam: &Beam<S>,
    orientation: Orientation,
    origin: Point,
    start: f64,
) -> BeamPath<S> {
    let level = beam.eye().map_or(BoardLevel::Ground, BoardSquare::board_level);
    let mut path = BeamPath {
        points: vec![origin],
        levels: vec![level],
        start,
        sparks: Vec::new(),
        ends_on: None,
    };
    // The centre of the last square, its level, and the direction in which the beam leaves it.
    let (mut center, mut level, mut travel) = (origin, level, beam.direction);
    for step in &beam.steps {
        if step.square.board_level() != level {
            add_periscope(&mut path, ahead_in(center, orientation, travel, SIDE), level);
        }
        center = orientation.center(step.square);
        level = step.square.board_level();
        travel = step.leaves.unwrap_or(step.arrives);
        if step.reflection().is_some() {
            path.add_spark(center, level);
        }
    }
    match beam.end {
        BeamEnd::Wall | BeamEnd::Column => {
            // The upper level has no wall around it, and a beam does not enter a blank wall.
            let outside = beam.end == BeamEnd::Wall && level == BoardLevel::Ground;
            let distance = if outside { INTO_WALL } else { SIDE / 2.0 };
            path.add(ahead_in(center, orientation, travel, distance), level);
        }
        BeamEnd::Split => path.add_spark(center, level),
        BeamEnd::Hit | BeamEnd::Absorbed => {
            let last = beam.steps.last();
            let hit = shot.hits.iter().find(|hit| last.is_some_and(|at| at.square == hit.square));
            // The distance from the centre of the square to the surface that the beam meets.
            let surface = match hit.map(|hit| hit.piece.kind()) {
                Some(Kind::Pharaoh) => 6.0,
                // A piece that is not hit absorbs the beam: Anubis or a sphinx.
                Some(Kind::Anubis(_)) | None => 36.0,
                Some(_) => 14.0,
            };
            path.add(ahead_in(center, orientation, travel, -surface), level);
        }
    }
    if !matches!(beam.end, BeamEnd::Wall | BeamEnd::Column) {
        path.ends_on = beam.steps.last().map(|step| step.square);
    }
    path
}

/// Adds the way through a periscope from the centre of its square on a level.
fn add_periscope<S: BoardSquare>(path: &mut BeamPath<S>, entry: Point, level: BoardLevel) {
    let exit = match level {
        BoardLevel::Ground => entry.plus(LIFT.0, LIFT.1),
        BoardLevel::Upper => entry.plus(-LIFT.0, -LIFT.1),
    };
    path.add_spark(entry, level);
    path.add_spark(exit, level.other());
}

/// Returns the point at a distance from a point in a direction of the board.
fn ahead_in(point: Point, orientation: Orientation, travel: Direction, distance: f64) -> Point {
    ahead(point, orientation.step(travel), distance)
}

/// Returns the point at a distance from a point in a direction.
fn ahead(point: Point, (x, y): (f64, f64), distance: f64) -> Point {
    point.plus(x * distance, y * distance)
}

#[cfg(test)]
mod tests {
    use khet::{Color, tower};

    use super::*;

    /// Returns the points of the beams of Silver's shot, those of the upper level in brackets.
    fn points(position: &str) -> Vec<String> {
        let position: tower::Position = position.parse().expect("a position");
        let paths = beam_paths(&position.fire(Color::Silver), Orientation::new(Color::Silver));
        let text = |path: &BeamPath<tower::Square>| {
            let points = path.points.iter().zip(&path.levels).map(|(point, level)| match level {
                BoardLevel::Ground => format!("{point}"),
                BoardLevel::Upper => format!("({point})"),
            });
            points.collect::<Vec<_>>().join(" ")
        };
        paths.iter().map(text).collect()
    }

    #[test]
    fn beam_climbs_inside_the_column_and_ends_at_the_rim() {
        // West to f4, which serves the east face; above back to H4, south to the rim.
        assert_eq!(
            points("4k5/10/10/10/9P3/10/10/4K5+e4:6/6/6/5p3/6/6 s"),
            ["950,819 950,450 550,450 (578.5,412) (778.5,412) (778.5,662)"]
        );
    }

    #[test]
    fn beam_ends_at_the_blank_half_of_a_face() {
        assert_eq!(
            points("4k5/10/10/9P3/10/10/10/4K5+e4:6/6/6/6/6/6 s"),
            ["950,819 950,350 600,350"]
        );
    }

    #[test]
    fn beam_of_an_eye_next_to_the_column_climbs() {
        let beams = points("4k5/10/10/10/6E22P3/10/10/4K5+e4:6/6/6/6/6/6 s");
        assert!(beams.contains(&"650,450 550,450 (578.5,412) (828.5,412)".to_owned()), "{beams:?}");
    }

    #[test]
    fn segment_between_levels_belongs_to_the_upper_one() {
        let text = "4k5/10/10/10/9P3/10/10/4K5+e4:6/6/6/5p3/6/6 s";
        let position: tower::Position = text.parse().expect("a position");
        let path = &beam_paths(&position.fire(Color::Silver), Orientation::new(Color::Silver))[0];
        let upper = path.segments().map(|segment| segment.level == BoardLevel::Upper);
        assert_eq!(upper.collect::<Vec<_>>(), [false, false, true, true, true]);
        assert_eq!(path.sparks.len(), 4);
    }
}

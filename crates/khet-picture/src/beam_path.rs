//! The geometry of a shot: the lines of its beams in the units of the picture.

use khet::{BeamEnd, BeamOrigin, Kind, Shot, Square};

use crate::geometry::{Orientation, Point};
use crate::stone;

/// How far a beam that leaves the board runs beyond the centre of its last square.
const INTO_WALL: f64 = 54.0;
/// How far from the centre of its square a sphinx emits the beam.
const SPHINX_MUZZLE: f64 = 34.0;

/// The line of one beam.
///
/// A [`khet::Beam`] names squares and directions. This type adds what all drawings of it share: the
/// points in the picture and the distances by which animations are timed.
#[derive(Clone, PartialEq, Debug)]
pub struct BeamPath {
    /// The points from its origin over every mirror to its end.
    pub points: Vec<Point>,
    /// The distance from the laser to the origin of this beam, along the beams before it.
    pub start: f64,
    /// The points at which it is reflected or split, with their distances from the laser.
    pub sparks: Vec<(Point, f64)>,
    /// The square of the piece at which it ends.
    pub ends_on: Option<Square>,
}

impl BeamPath {
    /// Returns the length of the line.
    pub fn length(&self) -> f64 {
        length(&self.points)
    }

    /// Returns the distance from the laser to its end.
    pub fn end(&self) -> f64 {
        self.start + self.length()
    }
}

/// Returns the length of a line from point to point.
pub fn length(points: &[Point]) -> f64 {
    points.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
}

/// Returns the lines of all beams of a shot, in the shot's order.
pub fn beam_paths(shot: &Shot, orientation: Orientation) -> Vec<BeamPath> {
    let mut paths: Vec<BeamPath> = Vec::with_capacity(shot.beams.len());
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
        let mut path = BeamPath { points: vec![origin], start, sparks: Vec::new(), ends_on: None };
        for step in beam.steps.iter().filter(|step| step.reflection().is_some()) {
            path.points.push(orientation.center(step.square));
            path.sparks.push((orientation.center(step.square), path.end()));
        }
        let last = beam.steps.last();
        let center = last.map_or(origin, |step| orientation.center(step.square));
        let travel = last.map_or(beam.direction, |step| step.leaves.unwrap_or(step.arrives));
        match beam.end {
            BeamEnd::Wall | BeamEnd::Column => {
                path.points.push(ahead(center, orientation.step(travel), INTO_WALL))
            }
            BeamEnd::Split => {
                path.points.push(center);
                path.sparks.push((center, path.end()));
            }
            BeamEnd::Hit | BeamEnd::Absorbed => {
                let hit =
                    shot.hits.iter().find(|hit| last.is_some_and(|at| at.square == hit.square));
                // The distance from the centre of the square to the surface that the beam meets.
                let surface = match hit.map(|hit| hit.piece.kind()) {
                    Some(Kind::Pharaoh) => 6.0,
                    // A piece that is not hit absorbs the beam: Anubis or a sphinx.
                    Some(Kind::Anubis(_)) | None => 36.0,
                    Some(_) => 14.0,
                };
                path.points.push(ahead(center, orientation.step(travel), -surface));
            }
        }
        if !matches!(beam.end, BeamEnd::Wall | BeamEnd::Column) {
            path.ends_on = last.map(|step| step.square);
        }
        paths.push(path);
    }
    paths
}

/// Returns the point at a distance from a point in a direction.
fn ahead(point: Point, (x, y): (f64, f64), distance: f64) -> Point {
    point.plus(x * distance, y * distance)
}

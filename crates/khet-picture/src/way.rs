//! The ways of a shot's beams through the picture, as lines from mirror to mirror.

use khet::{Direction, End, Kind, Position, Shot, Square};

use crate::geometry::{Point, Seat};
use crate::stone;

/// How long a way is.
pub fn length(points: &[Point]) -> f64 {
    points.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
}

/// The way of one beam in the picture.
#[derive(Clone, PartialEq, Debug)]
pub struct Way {
    /// From the laser or the Eye to where it ends, by every mirror.
    pub points: Vec<Point>,
    /// How far the light has come when this beam starts.
    pub from: f64,
    /// Where it turns or splits, and how far the light has come there.
    pub sparks: Vec<(Point, f64)>,
    /// The piece at which it ends.
    pub ends_on: Option<Square>,
}

impl Way {
    /// How long it is.
    pub fn length(&self) -> f64 {
        length(&self.points)
    }
}

/// The lines that a shot's beams draw.
pub fn lines(shot: &Shot, before: &Position, seat: Seat) -> Vec<Vec<Point>> {
    ways(shot, before, seat).into_iter().map(|way| way.points).collect()
}

/// The ways of all beams of a shot at what stood before it.
pub fn ways(shot: &Shot, before: &Position, seat: Seat) -> Vec<Way> {
    let mut ways: Vec<Way> = Vec::with_capacity(shot.beams.len());
    for beam in &shot.beams {
        let (start, from) = match beam.eye {
            Some(eye) => {
                let parent = ways.iter().find(|way| way.ends_on == Some(eye));
                (seat.center(eye), parent.map_or(0.0, |way| way.from + way.length()))
            }
            None => (source(shot, before, seat), 0.0),
        };
        let mut way = Way { points: vec![start], from, sparks: Vec::new(), ends_on: None };
        let mut last = None;
        for step in &beam.steps {
            let center = seat.center(step.square);
            let moves = step.leaves.is_some_and(|leaves| leaves != step.arrives);
            if moves {
                way.points.push(center);
                way.sparks.push((center, from + way.length()));
            }
            last = Some((center, step.leaves.unwrap_or(step.arrives), step.square));
        }
        match (beam.end, last) {
            (End::Wall, Some((center, travel, _))) => {
                way.points.push(ahead(center, seat.step(travel), 54.0))
            }
            (End::Wall, None) => {
                let eye = beam.eye.unwrap_or(Square::laser_corner(shot.by));
                let earlier = &shot.beams[..ways.len()];
                let earlier =
                    earlier.iter().filter(|beam| beam.eye == Some(eye) && beam.steps.is_empty());
                if let Some(travel) = into_walls(shot, before, eye).get(earlier.count()) {
                    way.points.push(ahead(start, seat.step(*travel), 54.0));
                }
            }
            (End::Split, Some((center, _, square))) => {
                way.points.push(center);
                way.sparks.push((center, from + way.length()));
                way.ends_on = Some(square);
            }
            (End::Hit | End::Absorbed, Some((center, travel, square))) => {
                let depth = match before.get(square).map(|piece| piece.kind()) {
                    Some(Kind::Pharaoh) => 6.0,
                    Some(Kind::Anubis(_) | Kind::Sphinx(_)) => 36.0,
                    _ => 14.0,
                };
                way.points.push(ahead(center, seat.step(travel), -depth));
                way.ends_on = Some(square);
            }
            (_, None) => {}
        }
        ways.push(way);
    }
    ways
}

/// The ways by which an Eye at the edge sends halves straight into the wall.
fn into_walls(shot: &Shot, before: &Position, eye: Square) -> Vec<Direction> {
    let Some(Kind::Eye(line)) = before.get(eye).map(|piece| piece.kind()) else {
        return Vec::new();
    };
    let arrivals = shot.beams.iter().filter(|beam| beam.end == End::Split);
    let arrivals = arrivals.filter_map(|beam| beam.steps.last()).filter(|step| step.square == eye);
    let mut walls = Vec::new();
    for way in arrivals.flat_map(|step| [step.arrives, line.reflect(step.arrives)]) {
        if eye.neighbor(way).is_none() && !walls.contains(&way) {
            walls.push(way);
        }
    }
    walls
}

/// Where the light leaves the laser in the wall, or the sphinx.
fn source(shot: &Shot, before: &Position, seat: Seat) -> Point {
    let corner = Square::laser_corner(shot.by);
    match before.get(corner).map(|piece| piece.kind()) {
        Some(Kind::Sphinx(fires)) => ahead(seat.center(corner), seat.step(fires), 34.0),
        _ => stone::laser_point(seat, shot.by),
    }
}

fn ahead(point: Point, (x, y): (f64, f64), distance: f64) -> Point {
    point.plus(x * distance, y * distance)
}

//! A shot in time: when its light is where. Computed once, then played by the style sheet's animations,
//! so that nothing is calculated while it runs.

use khet::{Kind, Position, Shot, Square};
use khet_picture::way::{length, ways};

use super::geometry::{Point, SIDE, Seat};

/// The move is carried out before the laser starts to charge.
const LEAD: f64 = 90.0;
/// The laser brightens.
const CHARGE: f64 = 120.0;
/// The beam crosses a square in this time …
const SQUARE: f64 = 40.0;
/// … but takes no longer than this for any way.
const LONGEST_RUN: f64 = 700.0;
/// A piece burns to embers.
const BURN: f64 = 300.0;
/// The beam is seen whole for a moment when it has hit nothing.
const REST: f64 = 140.0;
/// The board dims, the beam holds, the pharaoh shines out.
const CEREMONY: f64 = 1500.0;

/// When a shot does what, in milliseconds from its start, and where in the picture.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Timeline {
    /// Where the light comes out, and from when it brightens.
    pub(crate) laser: Point,
    pub(crate) charge: f64,
    pub(crate) beams: Vec<Run>,
    /// Where the beam turns or splits, and when.
    pub(crate) sparks: Vec<Spark>,
    pub(crate) burns: Vec<Burn>,
    /// A pharaoh is lit.
    pub(crate) ceremony: bool,
    /// When all is over.
    pub(crate) end: f64,
}

/// A beam that grows along its way.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Run {
    pub(crate) points: Vec<Point>,
    pub(crate) start: f64,
    pub(crate) lasts: f64,
}

/// A straight part of a beam's way.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Stretch {
    pub(crate) from: Point,
    pub(crate) to: Point,
    pub(crate) start: f64,
    pub(crate) lasts: f64,
}

impl Run {
    /// The way from mirror to mirror.
    pub(crate) fn stretches(&self) -> Vec<Stretch> {
        let pace = self.lasts / length(&self.points).max(1.0);
        let mut start = self.start;
        let stretch = |pair: &[Point]| {
            let lasts = pair[0].distance(pair[1]) * pace;
            start += lasts;
            Stretch { from: pair[0], to: pair[1], start: start - lasts, lasts }
        };
        self.points.windows(2).map(stretch).collect()
    }
}

/// A flash of a mirror.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Spark {
    pub(crate) at: Point,
    pub(crate) time: f64,
}

/// A piece that burns away.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Burn {
    pub(crate) square: Square,
    pub(crate) at: Point,
    pub(crate) time: f64,
    pub(crate) pharaoh: bool,
}

impl Timeline {
    /// The timeline of a shot at what stood before it.
    pub(crate) fn of(shot: &Shot, before: &Position, seat: Seat) -> Timeline {
        let ways = ways(shot, before, seat);
        let longest = ways.iter().map(|way| way.from + way.length()).fold(0.0, f64::max);
        let pace = (LONGEST_RUN / longest.max(1.0)).min(SQUARE / SIDE);
        let begin = LEAD + CHARGE;
        let when = |distance: f64| begin + distance * pace;
        let beams: Vec<Run> = ways
            .iter()
            .map(|way| Run {
                points: way.points.clone(),
                start: when(way.from),
                lasts: way.length() * pace,
            })
            .collect();
        let spark = |(at, distance): &(Point, f64)| Spark { at: *at, time: when(*distance) };
        let sparks = ways.iter().flat_map(|way| way.sparks.iter().map(spark)).collect();
        let arrives = |square: Square| {
            let ends = ways.iter().filter(|way| way.ends_on == Some(square));
            when(ends.map(|way| way.from + way.length()).fold(f64::INFINITY, f64::min).min(longest))
        };
        let burns: Vec<Burn> = shot
            .hits
            .iter()
            .map(|hit| Burn {
                square: hit.square,
                at: seat.center(hit.square),
                time: arrives(hit.square),
                pharaoh: hit.piece.kind() == Kind::Pharaoh,
            })
            .collect();
        let ceremony = burns.iter().any(|burn| burn.pharaoh);
        let over = burns.iter().map(|burn| burn.time + BURN).fold(when(longest) + REST, f64::max);
        Timeline {
            laser: ways.first().and_then(|way| way.points.first().copied()).unwrap_or_default(),
            charge: LEAD,
            beams,
            sparks,
            burns,
            ceremony,
            end: if ceremony { when(longest) + CEREMONY } else { over },
        }
    }
}

#[cfg(test)]
impl Timeline {
    /// The timeline of a move, as Silver sees it.
    pub(crate) fn example(position: Position, mv: &str) -> Timeline {
        let mv = mv.parse().expect("a move");
        let (before, mut after) = (position.before_shot(mv), position);
        let shot = after.play(mv).expect("a legal move");
        Timeline::of(&shot, &before, Seat::new(khet::Color::Silver))
    }
}

#[cfg(test)]
mod tests {
    use khet::{Color, Setup};

    use super::*;

    fn timeline(position: &str, mv: &str, bottom: Color) -> Timeline {
        let mut position: Position = match position.parse::<Setup>() {
            Ok(setup) => setup.position(),
            Err(_) => position.parse().expect("a position"),
        };
        let mv = mv.parse().expect("a move");
        let before = position.before_shot(mv);
        let shot = position.play(mv).expect("a legal move");
        Timeline::of(&shot, &before, Seat::new(bottom))
    }

    #[test]
    fn the_beam_runs_from_the_laser_through_every_mirror_to_the_wall() {
        let shot = timeline("classic", "h2+", Color::Silver);
        let ends: Vec<String> = shot.beams[0].points.iter().map(ToString::to_string).collect();
        assert_eq!(ends, ["950,819", "950,450", "750,450", "750,350", "950,350", "950,-4"]);
        assert_eq!(shot.sparks.len(), 4);
        assert!(shot.sparks.windows(2).all(|pair| pair[0].time < pair[1].time));
        assert_eq!(shot.burns, []);
    }

    #[test]
    fn a_beam_runs_at_one_pace_from_mirror_to_mirror() {
        let shot = timeline("classic", "h2+", Color::Silver);
        let (run, stretches) = (&shot.beams[0], shot.beams[0].stretches());
        assert_eq!(stretches.len(), 5);
        for (stretch, spark) in stretches.iter().skip(1).zip(&shot.sparks) {
            assert_eq!(stretch.from, spark.at);
            assert!((stretch.start - spark.time).abs() < 0.01);
        }
        let end = stretches.last().map(|stretch| stretch.start + stretch.lasts);
        assert!(end.is_some_and(|end| (end - run.start - run.lasts).abs() < 0.01));
    }

    #[test]
    fn it_is_the_same_shot_from_the_other_side() {
        let near = timeline("classic", "h2+", Color::Silver);
        let far = timeline("classic", "h2+", Color::Red);
        assert_eq!(near.end, far.end);
        let turned: Vec<Point> =
            near.beams[0].points.iter().map(|p| Point::new(1000.0 - p.x, 800.0 - p.y)).collect();
        assert_eq!(turned, far.beams[0].points);
    }

    #[test]
    fn no_shot_but_the_last_takes_longer_than_about_a_second() {
        for (position, mv) in
            [("classic", "h2+"), ("dynasty", "e2f2"), ("4k5/10/10/10/10/10/10/4K5 s", "e1e2")]
        {
            let shot = timeline(position, mv, Color::Silver);
            assert!(shot.end <= LEAD + CHARGE + LONGEST_RUN + BURN, "{}", shot.end);
            let run = &shot.beams[0];
            assert!(run.lasts <= LONGEST_RUN + 1.0 && run.start == LEAD + CHARGE);
        }
    }

    #[test]
    fn a_piece_burns_when_the_beam_reaches_it() {
        let shot = timeline("4k5/10/10/10/9P1/10/10/4K5 s", "e1e2", Color::Silver);
        let burn = shot.burns[0];
        assert_eq!(burn.square, "j4".parse().expect("a square"));
        assert!((burn.time - shot.beams[0].start - shot.beams[0].lasts).abs() < 0.01);
        assert_eq!(shot.end, burn.time + BURN);
    }

    #[test]
    fn a_lit_pharaoh_is_given_its_time() {
        let shot = timeline("4k5/10/10/10/10/10/10/4K4P4 s", "j1-", Color::Silver);
        assert!(shot.ceremony);
        assert!(shot.end >= CEREMONY);
    }

    #[test]
    fn an_eye_in_a_corner_sends_its_halves_where_they_go() {
        // Red's pyramid turns the beam along the last rank, to the Eye in the corner.
        let shot = |eye: &str| {
            let position = format!("p18{eye}/10/4k5/10/10/10/10/4K5 r");
            timeline(&position, "e6e5", Color::Silver)
        };
        let ends = |shot: &Timeline| {
            let halves = shot.beams[1..].iter().filter_map(|half| half.points.last());
            halves.map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(ends(&shot("E1")), ["1004,50", "950,804"]);
        assert_eq!(ends(&shot("E2")), ["1004,50", "950,-4"]);
    }

    #[test]
    fn both_halves_leave_an_eye_when_the_beam_reaches_it() {
        let shot = timeline("4k5/10/10/10/9E1/10/10/4K5 s", "e1e2", Color::Silver);
        let [first, rest @ ..] = &shot.beams[..] else { panic!("no beam") };
        assert_eq!(rest.len(), 2);
        for half in rest {
            assert!((half.start - first.start - first.lasts).abs() < 0.01);
            assert_eq!(Some(&half.points[0]), first.points.last());
        }
    }
}

//! The timing of a shot animation. It is computed once and then played by the style sheet's
//! animations, so that no script runs meanwhile.

use std::time::Duration;

use khet::BoardSquare;
use khet::tower::BoardLevel;
use khet::{Color, Kind, Piece};
use khet_picture::beam_path::{BeamPath, BeamSegment, Spark, beam_paths, length, segments};

use super::geometry::{Orientation, Point, SIDE};
use crate::rules::{Hit, Shot, Square};

// All times are in milliseconds. The style sheet reads those of its animations from custom
// properties that are set to these constants.

/// The time between the move and the charging of the laser.
const CHARGE_DELAY: u32 = 90;
/// The time in which the laser charges.
pub(super) const CHARGE_TIME: u32 = 120;
/// The time in which the beam crosses a square, unless the whole path would take too long.
const TIME_PER_SQUARE: u32 = 40;
/// The longest time in which the beams reach their ends.
const MAX_RUN_TIME: u32 = 700;
/// The time in which a hit piece burns.
pub(super) const BURN_TIME: u32 = 300;
/// The time for which the complete beam stays if it has hit nothing.
const HOLD_AFTER_MISS: u32 = 140;
/// The time of the ceremony after a pharaoh was hit: the board dims, the pharaoh shines.
const CEREMONY_TIME: u32 = 1500;
/// The time in which the pharaoh shines. It ends just before the ceremony ends.
pub(super) const SHINE_TIME: u32 = 1450;
/// The time for which a still picture is shown instead of the animation.
const STILL_TIME: u32 = 700;
/// The time for which a still picture is shown if a pharaoh was hit.
const STILL_CEREMONY_TIME: u32 = 1500;
/// The time that a page grants a board to report the end of the longest shot.
const REPORT_MARGIN: u32 = 90;

/// The time after which a page continues even if its board has not reported the end of the shot,
/// which may happen if the board is not visible. No animation takes longer.
pub(crate) const LONGEST_SHOT: Duration = Duration::from_millis(
    (CHARGE_DELAY + CHARGE_TIME + MAX_RUN_TIME + CEREMONY_TIME + REPORT_MARGIN) as u64,
);

/// A shot as it is animated: the events of a [`Shot`] with their times, in milliseconds from the
/// start, and their points in the picture.
///
/// It is separate from the shot because it depends on the orientation of the viewer and the
/// settings, and because drawing and sound share its times.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ShotAnimation {
    pub(crate) by: Color,
    /// The point at which the beam starts.
    pub(crate) laser: Point,
    /// The time at which the laser starts to charge.
    pub(crate) charge: f64,
    pub(crate) beams: Vec<BeamAnimation>,
    /// The reflections and splits.
    pub(crate) flashes: Vec<MirrorFlash>,
    pub(crate) hits: Vec<HitAnimation>,
    /// The time at which the last animation ends.
    end: f64,
    pub(crate) pace: ShotPace,
}

/// How long a shot is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ShotPace {
    Normal,
    /// In half the time.
    Fast,
    /// As one still picture instead of motion.
    Still,
}

impl ShotPace {
    /// Returns the milliseconds that a time takes.
    pub(super) fn milliseconds(self, time: u32) -> f64 {
        f64::from(time) * if self == ShotPace::Fast { 0.5 } else { 1.0 }
    }
}

/// A beam that grows along its path.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct BeamAnimation {
    pub(crate) points: Vec<Point>,
    /// The level of each point.
    pub(crate) levels: Vec<BoardLevel>,
    pub(crate) start: f64,
    pub(crate) duration: f64,
}

/// A straight part of a beam's path.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Segment {
    pub(crate) line: BeamSegment,
    pub(crate) start: f64,
    pub(crate) duration: f64,
}

impl BeamAnimation {
    /// Returns the segments from mirror to mirror.
    pub(crate) fn segments(&self) -> Vec<Segment> {
        let time_per_unit = self.duration / length(&self.points).max(1.0);
        let mut start = self.start;
        let segment = |line: BeamSegment| {
            let duration = line.from.distance(line.to) * time_per_unit;
            start += duration;
            Segment { line, start: start - duration, duration }
        };
        segments(&self.points, &self.levels).map(segment).collect()
    }
}

/// A flash where the beam is reflected or split.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct MirrorFlash {
    pub(crate) at: Point,
    pub(crate) level: BoardLevel,
    pub(crate) time: f64,
}

/// A hit piece that burns.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct HitAnimation {
    pub(crate) piece: Piece,
    pub(crate) at: Point,
    pub(crate) level: BoardLevel,
    pub(crate) time: f64,
}

impl HitAnimation {
    pub(crate) fn is_pharaoh(&self) -> bool {
        self.piece.kind() == Kind::Pharaoh
    }
}

impl ShotAnimation {
    /// Computes the animation of a shot, seen from an orientation.
    pub(crate) fn new(shot: &Shot, orientation: Orientation, pace: ShotPace) -> ShotAnimation {
        let paths = beam_paths(shot, orientation);
        let longest = paths.iter().map(BeamPath::end).fold(0.0, f64::max);
        let time_per_unit = (pace.milliseconds(MAX_RUN_TIME) / longest.max(1.0))
            .min(pace.milliseconds(TIME_PER_SQUARE) / SIDE);
        let time_at = |distance: f64| {
            pace.milliseconds(CHARGE_DELAY + CHARGE_TIME) + distance * time_per_unit
        };
        let beams = paths.iter().map(|path| BeamAnimation {
            points: path.points.clone(),
            levels: path.levels.clone(),
            start: time_at(path.start),
            duration: path.length() * time_per_unit,
        });
        let flash = |spark: &Spark| MirrorFlash {
            at: spark.at,
            level: spark.level,
            time: time_at(spark.distance),
        };
        let flashes = paths.iter().flat_map(|path| path.sparks.iter().map(flash));
        let arrival_time = |square: Square| {
            let arriving = paths.iter().filter(|path| path.ends_on == Some(square));
            time_at(arriving.map(BeamPath::end).fold(longest, f64::min))
        };
        let hit = |hit: &Hit| HitAnimation {
            piece: hit.piece,
            at: orientation.center(hit.square),
            level: hit.square.board_level(),
            time: arrival_time(hit.square),
        };
        let hits: Vec<HitAnimation> = shot.hits.iter().map(hit).collect();
        let end = if hits.iter().any(HitAnimation::is_pharaoh) {
            time_at(longest) + pace.milliseconds(CEREMONY_TIME)
        } else {
            let burnt = hits.iter().map(|hit| hit.time + pace.milliseconds(BURN_TIME));
            burnt.fold(time_at(longest) + pace.milliseconds(HOLD_AFTER_MISS), f64::max)
        };
        ShotAnimation {
            by: shot.by,
            laser: paths.first().and_then(|path| path.points.first().copied()).unwrap_or_default(),
            charge: pace.milliseconds(CHARGE_DELAY),
            beams: beams.collect(),
            flashes: flashes.collect(),
            hits,
            end,
            pace,
        }
    }

    /// Returns whether a pharaoh was hit, which is shown with a ceremony.
    pub(crate) fn hits_pharaoh(&self) -> bool {
        self.hits.iter().any(HitAnimation::is_pharaoh)
    }

    /// Returns the time of the first hit, or the end if nothing was hit.
    pub(crate) fn first_hit(&self) -> f64 {
        self.hits.iter().map(|hit| hit.time).fold(self.end, f64::min)
    }

    /// Returns the duration, after which the board reports the end of the shot.
    pub(crate) fn duration(&self) -> Duration {
        let milliseconds = match (self.pace, self.hits_pharaoh()) {
            (ShotPace::Still, false) => u64::from(STILL_TIME),
            (ShotPace::Still, true) => u64::from(STILL_CEREMONY_TIME),
            (ShotPace::Normal | ShotPace::Fast, _) => self.end as u64,
        };
        Duration::from_millis(milliseconds)
    }
}

#[cfg(test)]
use {crate::rules::Position, khet::GamePosition};

#[cfg(test)]
impl ShotAnimation {
    /// Computes the animation of a move's shot, as Silver sees it.
    pub(crate) fn example(position: impl Into<Position>, mv: &str) -> ShotAnimation {
        let mut position = position.into();
        let shot = position.play(mv.parse().expect("a move")).expect("a legal move");
        ShotAnimation::new(&shot, Orientation::new(Color::Silver), ShotPace::Normal)
    }
}

#[cfg(test)]
mod tests {
    use khet::Setup;

    use super::*;

    fn animation(position: &str, mv: &str, bottom: Color) -> ShotAnimation {
        let mut position: Position = match position.parse::<Setup>() {
            Ok(setup) => setup.position().into(),
            Err(_) => position.parse().expect("a position"),
        };
        let shot = position.play(mv.parse().expect("a move")).expect("a legal move");
        ShotAnimation::new(&shot, Orientation::new(bottom), ShotPace::Normal)
    }

    #[test]
    fn the_beam_runs_from_the_laser_through_every_mirror_to_the_wall() {
        let shot = animation("classic", "h2+", Color::Silver);
        let ends: Vec<String> = shot.beams[0].points.iter().map(ToString::to_string).collect();
        assert_eq!(ends, ["950,819", "950,450", "750,450", "750,350", "950,350", "950,-4"]);
        assert_eq!(shot.flashes.len(), 4);
        assert!(shot.flashes.windows(2).all(|pair| pair[0].time < pair[1].time));
        assert_eq!(shot.hits, []);
    }

    #[test]
    fn a_beam_runs_at_constant_speed_from_mirror_to_mirror() {
        let shot = animation("classic", "h2+", Color::Silver);
        let (beam, segments) = (&shot.beams[0], shot.beams[0].segments());
        assert_eq!(segments.len(), 5);
        for (segment, flash) in segments.iter().skip(1).zip(&shot.flashes) {
            assert_eq!(segment.line.from, flash.at);
            assert!((segment.start - flash.time).abs() < 0.01);
        }
        let end = segments.last().map(|segment| segment.start + segment.duration);
        assert!(end.is_some_and(|end| (end - beam.start - beam.duration).abs() < 0.01));
    }

    #[test]
    fn both_sides_see_the_same_shot() {
        let near = animation("classic", "h2+", Color::Silver);
        let far = animation("classic", "h2+", Color::Red);
        assert_eq!(near.end, far.end);
        let rotated: Vec<Point> =
            near.beams[0].points.iter().map(|p| Point::new(1000.0 - p.x, 800.0 - p.y)).collect();
        assert_eq!(rotated, far.beams[0].points);
    }

    #[test]
    fn only_a_hit_pharaoh_takes_longer_than_about_a_second() {
        for (position, mv) in
            [("classic", "h2+"), ("dynasty", "e2f2"), ("4k5/10/10/10/10/10/10/4K5 s", "e1e2")]
        {
            let shot = animation(position, mv, Color::Silver);
            assert!(
                shot.end <= f64::from(CHARGE_DELAY + CHARGE_TIME + MAX_RUN_TIME + BURN_TIME),
                "{}",
                shot.end
            );
            let beam = &shot.beams[0];
            assert!(beam.duration <= f64::from(MAX_RUN_TIME) + 1.0);
            assert_eq!(beam.start, f64::from(CHARGE_DELAY + CHARGE_TIME));
        }
    }

    #[test]
    fn a_piece_burns_when_the_beam_reaches_it() {
        let shot = animation("4k5/10/10/10/9P1/10/10/4K5 s", "e1e2", Color::Silver);
        let hit = shot.hits[0];
        assert_eq!(hit.at, Orientation::new(Color::Silver).center(khet::Square::J4));
        assert!((hit.time - shot.beams[0].start - shot.beams[0].duration).abs() < 0.01);
        assert_eq!(shot.end, hit.time + f64::from(BURN_TIME));
    }

    #[test]
    fn a_hit_pharaoh_is_shown_with_a_ceremony() {
        let shot = animation("4k5/10/10/10/10/10/10/4K4P4 s", "j1-", Color::Silver);
        assert!(shot.hits_pharaoh());
        assert!(shot.end >= f64::from(CEREMONY_TIME));
        assert!(shot.duration() < LONGEST_SHOT);
        assert!(ShotAnimation { pace: ShotPace::Still, ..shot }.duration() < LONGEST_SHOT);
    }

    #[test]
    fn a_fast_shot_takes_half_the_time() {
        for (position, mv) in [
            ("classic", "h2+"),
            ("4k5/10/10/10/9P1/10/10/4K5 s", "e1e2"),
            ("4k5/10/10/10/10/10/10/4K4P4 s", "j1-"),
        ] {
            let mut position: Position = position.parse().expect("a position");
            let shot = position.play(mv.parse().expect("a move")).expect("a legal move");
            let [normal, fast] = [ShotPace::Normal, ShotPace::Fast]
                .map(|pace| ShotAnimation::new(&shot, Orientation::new(Color::Silver), pace));
            assert!((fast.end * 2.0 - normal.end).abs() < 0.01, "{mv}");
            assert!((fast.first_hit() * 2.0 - normal.first_hit()).abs() < 0.01, "{mv}");
            assert!((fast.beams[0].duration * 2.0 - normal.beams[0].duration).abs() < 0.01);
        }
    }

    #[test]
    fn an_eye_in_a_corner_sends_its_halves_in_their_directions() {
        // Red's pyramid reflects the beam along the last rank, to the Eye in the corner.
        let shot = |eye: &str| {
            let position = format!("p18{eye}/10/4k5/10/10/10/10/4K5 r");
            animation(&position, "e6e5", Color::Silver)
        };
        let ends = |shot: &ShotAnimation| {
            let halves = shot.beams[1..].iter().filter_map(|half| half.points.last());
            halves.map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(ends(&shot("E1")), ["1004,50", "950,804"]);
        assert_eq!(ends(&shot("E2")), ["1004,50", "950,-4"]);
    }

    #[test]
    fn both_halves_leave_an_eye_when_the_beam_reaches_it() {
        let shot = animation("4k5/10/10/10/9E1/10/10/4K5 s", "e1e2", Color::Silver);
        let [first, rest @ ..] = &shot.beams[..] else { panic!("no beam") };
        assert_eq!(rest.len(), 2);
        for half in rest {
            assert!((half.start - first.start - first.duration).abs() < 0.01);
            assert_eq!(Some(&half.points[0]), first.points.last());
        }
    }

    #[cfg(feature = "tower")]
    #[test]
    fn a_beam_takes_its_time_between_the_levels() {
        let position = "4k5/10/10/10/9P3/10/10/4K5+e4:6/6/6/5p3/6/6 s";
        let shot = animation(position, "e1d1", Color::Silver);
        let segments = shot.beams[0].segments();
        let levels: Vec<BoardLevel> = segments.iter().map(|part| part.line.level).collect();
        use BoardLevel::{Ground, Upper};
        assert_eq!(levels, [Ground, Ground, Upper, Upper, Upper]);
        let changes: Vec<&Segment> =
            segments.iter().filter(|part| part.line.changes_level).collect();
        assert_eq!(changes.len(), 1);
        assert!(changes[0].duration > 10.0);
        let flashes: Vec<BoardLevel> = shot.flashes.iter().map(|flash| flash.level).collect();
        assert_eq!(flashes, [Ground, Ground, Upper, Upper]);
    }
}

//! A shot as a still picture: the complete beam, a star at each reflection, a flash at each hit.

use khet::tower::BoardLevel;
use khet::{BoardSquare, Hit, Kind, Shot};

use crate::beam_path::beam_paths;
use crate::geometry::{Orientation, Point, along, short, translate};
use crate::pieces;

/// Draws the part of a shot that is in front of the pieces of a level and behind all of the next
/// one. If a pharaoh is hit, the board is dimmed, and the whole shot is in front of everything.
pub(crate) fn still<S: BoardSquare>(
    shot: &Shot<S>,
    orientation: Orientation,
    level: BoardLevel,
) -> String {
    let dims = shot.hits.iter().any(|hit| hit.piece.kind() == Kind::Pharaoh);
    let is_drawn = |at: BoardLevel| {
        let shown_on = if dims { BoardLevel::Upper } else { at };
        shown_on == level
    };
    let paths = beam_paths(shot, orientation);
    let mut text = format!(r#"<g class="shot still {}">"#, pieces::class(shot.by));
    if dims && is_drawn(level) {
        let (width, height) = orientation.size();
        text += &format!(
            r#"<rect class="dim" x="-40" y="-40" width="{}" height="{}" rx="16"/>"#,
            short(width),
            short(height)
        );
    }
    let hits = || shot.hits.iter().filter(|hit| is_drawn(hit.square.board_level()));
    for hit in hits() {
        text += &flashing_piece(hit, orientation);
    }
    if is_drawn(BoardLevel::Ground)
        && let Some(laser) = paths.first().and_then(|path| path.points.first())
    {
        text += &moved_to(*laser, r#"<circle class="charge" r="52"/>"#);
    }
    let segments = paths.iter().flat_map(|path| path.segments());
    for segment in segments.filter(|segment| is_drawn(segment.level)) {
        text += &beam(segment.from, segment.to, segment.half_width());
    }
    let sparks = paths.iter().flat_map(|path| &path.sparks);
    for spark in sparks.filter(|spark| is_drawn(spark.level)) {
        text += &moved_to(spark.at, STAR);
    }
    for hit in hits() {
        text += &moved_to(orientation.center(hit.square), r#"<circle class="flash" r="46"/>"#);
    }
    text + "</g>"
}

/// Draws a hit piece in front of its flash.
fn flashing_piece<S: BoardSquare>(hit: &Hit<S>, orientation: Orientation) -> String {
    let piece = orientation.piece(hit.piece);
    let pharaoh = piece.kind() == Kind::Pharaoh;
    let rays = if pharaoh { rays() } else { String::new() };
    let (class, picture) = (pieces::class(piece.color()), pieces::markup(piece));
    let size = if pharaoh { "1.12" } else { "1" };
    moved_to(
        orientation.center(hit.square),
        &format!(
            r#"<circle class="flash" r="92"/>{rays}<g class="{class}" transform="scale({size})">{picture}</g>"#
        ),
    )
}

/// The star where a mirror reflects the beam.
pub(crate) const STAR: &str = r#"<circle class="spark-glow" r="23"/><path class="spark-star" transform="rotate(22)" d="M0,-19L2.4,-2.4L19,0L2.4,2.4L0,19L-2.4,2.4L-19,0L-2.4,-2.4Z"/>"#;

/// Moves a drawing to a point.
fn moved_to(at: Point, inside: &str) -> String {
    format!(r#"<g transform="{}">{inside}</g>"#, translate(at))
}

/// Draws the rays around a pharaoh that is hit.
fn rays() -> String {
    let ray = |ray: u32| {
        format!(r#"<path class="ray" transform="rotate({})" d="M-7,-50L0,-138L7,-50Z"/>"#, ray * 30)
    };
    (0..12).map(ray).collect()
}

/// Draws a segment of a beam.
pub(crate) fn beam(from: Point, to: Point, half_width: i32) -> String {
    let (transform, length) = (along(from, to), short(from.distance(to)));
    format!(
        r#"<rect class="beam" transform="{transform}" y="{}" width="{length}" height="{}"/>"#,
        -half_width,
        2 * half_width
    )
}

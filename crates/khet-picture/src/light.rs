//! A shot as a still picture: the complete beam, a star at each reflection, a flash at each hit.

use khet::{Kind, Shot};

use crate::beam_path::beam_paths;
use crate::geometry::{Orientation, Point, axis_angle, short, translate};
use crate::pieces;

/// Draws a shot.
pub(crate) fn still(shot: &Shot, orientation: Orientation) -> String {
    let paths = beam_paths(shot, orientation);
    let mut text = format!(r#"<g class="shot still {}">"#, pieces::class(shot.by));
    if shot.hits.iter().any(|hit| hit.piece.kind() == Kind::Pharaoh) {
        let (width, height) = orientation.size();
        text += &format!(
            r#"<rect class="dim" x="-40" y="-40" width="{}" height="{}" rx="16"/>"#,
            short(width),
            short(height)
        );
    }
    // A hit piece is drawn in front of its flash.
    for hit in &shot.hits {
        let piece = orientation.piece(hit.piece);
        let pharaoh = piece.kind() == Kind::Pharaoh;
        let rays = if pharaoh { rays() } else { String::new() };
        let (class, picture) = (pieces::class(piece.color()), pieces::markup(piece));
        let size = if pharaoh { "1.12" } else { "1" };
        text += &moved_to(
            orientation.center(hit.square),
            &format!(
                r#"<circle class="flash" r="92"/>{rays}<g class="{class}" transform="scale({size})">{picture}</g>"#
            ),
        );
    }
    if let Some(laser) = paths.first().and_then(|path| path.points.first()) {
        text += &moved_to(*laser, r#"<circle class="charge" r="52"/>"#);
    }
    for pair in paths.iter().flat_map(|path| path.points.windows(2)) {
        text += &beam(pair[0], pair[1]);
    }
    for (at, _) in paths.iter().flat_map(|path| &path.sparks) {
        text += &moved_to(*at, STAR);
    }
    for hit in &shot.hits {
        text += &moved_to(orientation.center(hit.square), r#"<circle class="flash" r="46"/>"#);
    }
    text + "</g>"
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
pub(crate) fn beam(from: Point, to: Point) -> String {
    let (at, angle, length) = (translate(from), axis_angle(from, to), short(from.distance(to)));
    format!(
        r#"<rect class="beam" transform="{at} rotate({angle})" y="-20" width="{length}" height="40"/>"#
    )
}

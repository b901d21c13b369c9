//! The drawing of a shot over the board: charge, beams, sparks, embers. It is laid out once, and
//! the style sheet's animations play it. They change only `transform` and `opacity`, which browsers
//! animate outside the page's main thread without repainting.

use khet::tower::BoardLevel;
use khet_picture::beam_path::{BeamSegment, beam_paths};
use leptos::prelude::*;

use super::geometry::{Orientation, Point, along, path, short, translate};
use super::pieces;
use super::shot_animation::{
    BURN_TIME, BeamAnimation, CHARGE_TIME, HitAnimation, SHINE_TIME, Segment, ShotAnimation,
    ShotPace,
};
use crate::rules::Shot;

/// The levels of a shot that a layer of the board draws.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ShownLevels {
    /// The level of the layer.
    pub(crate) level: BoardLevel,
    /// The highest level of the board.
    pub(crate) highest: BoardLevel,
}

impl ShownLevels {
    /// Returns whether the layer draws what happens on a level. If the board is dimmed, all is in
    /// front of the highest level.
    fn has(self, level: BoardLevel, dims: bool) -> bool {
        self.level == if dims { self.highest } else { level }
    }
}

/// Formats a time for CSS.
fn milliseconds(time: f64) -> String {
    format!("{}ms", time.round() as i64)
}

/// Draws a segment of the beam, which grows from its start, and the bright head that runs ahead.
fn segment(segment: &Segment) -> impl IntoView + use<> {
    let Segment { line, start, duration } = *segment;
    let BeamSegment { from, to, .. } = line;
    let (length, half_width) = (short(from.distance(to)), line.half_width());
    view! {
        <g
            transform=along(from, to)
            style=("--start", milliseconds(start))
            style=("--duration", milliseconds(duration))
            style=("--length", format!("{length}px"))
        >
            <rect
                class="beam"
                y=(-half_width).to_string()
                width=length.to_string()
                height=(2 * half_width).to_string()
            />
            <circle class="beam-head" r="17"/>
        </g>
    }
}

/// The points to which the embers of a piece fly, in two bursts.
const EMBERS: [[(f64, f64); 6]; 2] = [
    [(-42.0, -30.0), (18.0, -44.0), (52.0, 8.0), (4.0, 50.0), (-54.0, 12.0), (30.0, -12.0)],
    [(-16.0, -52.0), (46.0, -26.0), (34.0, 38.0), (-30.0, 40.0), (-24.0, -14.0), (8.0, 24.0)],
];

/// Writes a burst of embers as a path of small round dots.
fn burst(embers: &[(f64, f64)]) -> String {
    embers
        .iter()
        .map(|(x, y)| format!("M{}a4.5,4.5 0 1 0 9,0a4.5,4.5 0 1 0 -9,0Z", Point::new(x - 4.5, *y)))
        .collect()
}

/// Draws a piece that is hit: it burns to embers, or shines if it is a pharaoh.
fn burning_piece(
    hit: &HitAnimation,
    pace: ShotPace,
    orientation: Orientation,
) -> impl IntoView + use<> {
    let pharaoh = hit.is_pharaoh();
    let class = format!("burning {}", pieces::class(hit.piece.color()));
    let (at, start) = (translate(hit.at), milliseconds(hit.time));
    let duration = milliseconds(pace.milliseconds(if pharaoh { SHINE_TIME } else { BURN_TIME }));
    let picture = pieces::markup(orientation.piece(hit.piece));
    let embers = EMBERS
        .iter()
        .filter(|_| !pharaoh)
        .map(|embers| view! { <path class="embers" d=burst(embers)/> });
    let rays = pharaoh.then(|| {
        let rays: String = (0..12)
            .map(|ray| {
                format!(
                    r#"<path class="ray" transform="rotate({})" d="M-7,-50L0,-138L7,-50Z"/>"#,
                    ray * 30
                )
            })
            .collect();
        view! { <g class="rays" inner_html=rays></g> }
    });
    let class = if pharaoh { format!("{class} pharaoh") } else { class };
    view! {
        <g transform=at>
            <g class=class style=("--start", start) style=("--duration", duration)>
                {rays}
                <g class="burning-piece" inner_html=picture></g>
                <circle class="flash" r="78"/>
                {embers.collect_view()}
            </g>
        </g>
    }
}

/// Draws the part of a shot that belongs to one of the `shown` levels, animated with the class `shot`
/// or with `prerender`.
pub(crate) fn shot(
    class: &'static str,
    shot: ShotAnimation,
    orientation: Orientation,
    shown: ShownLevels,
) -> impl IntoView {
    let dims = shot.hits_pharaoh();
    let is_shown = |level| shown.has(level, dims);
    let color = pieces::class(shot.by);
    let class =
        format!("{class} {color}{}", if shot.pace == ShotPace::Still { " still" } else { "" });
    let dim = (dims && is_shown(BoardLevel::Ground)).then(|| {
        view! {
            <rect
                class="dim"
                x="-40"
                y="-40"
                width=short(orientation.size().0).to_string()
                height=short(orientation.size().1).to_string()
                rx="16"
                style=("--start", milliseconds(shot.first_hit()))
            />
        }
    });
    let hits = shot.hits.iter().filter(|hit| is_shown(hit.level));
    let burning = hits.map(|hit| burning_piece(hit, shot.pace, orientation));
    let beams = shot.beams.iter().flat_map(BeamAnimation::segments);
    let beams = beams.filter(|part| is_shown(part.line.level)).map(|part| segment(&part));
    let charge = is_shown(BoardLevel::Ground).then(|| {
        view! {
            <g transform=translate(shot.laser)>
                <circle
                    class="charge"
                    r="52"
                    style=("--start", milliseconds(shot.charge))
                    style=("--duration", milliseconds(shot.pace.milliseconds(CHARGE_TIME)))
                />
            </g>
        }
    });
    let flashes = shot.flashes.iter().filter(|flash| is_shown(flash.level)).map(|flash| {
        view! {
            <g transform=translate(flash.at)>
                <g class="spark" style=("--start", milliseconds(flash.time))>
                    <circle class="spark-glow" r="46"/>
                    <path class="spark-star" d="M0,-34L4,-4L34,0L4,4L0,34L-4,4L-34,0L-4,-4Z"/>
                </g>
            </g>
        }
    });
    view! {
        <g class=class>
            {dim}
            {burning.collect_view()}
            {charge}
            {beams.collect_view()}
            {flashes.collect_view()}
        </g>
    }
}

/// Draws the beams of a shot as thin lines: the `afterglow` of the last shot, or a `preview` of the
/// next. Below them is a wider line that sets them apart from squares of their own colour.
pub(crate) fn trail(
    class: &'static str,
    shot: &Shot,
    orientation: Orientation,
    level: BoardLevel,
) -> String {
    let mut lines = String::new();
    for beam in beam_paths(shot, orientation) {
        let mut points: Vec<Point> = Vec::new();
        for segment in beam.segments().filter(|segment| segment.level == level) {
            if points.last() != Some(&segment.from) {
                lines += &path(&points);
                points = vec![segment.from];
            }
            points.push(segment.to);
        }
        lines += &path(&points);
    }
    let color = pieces::class(shot.by);
    format!(
        r#"<g class="{class} {color}"><path class="trail-case" d="{lines}"/><path d="{lines}"/></g>"#
    )
}

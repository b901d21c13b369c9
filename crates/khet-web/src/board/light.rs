//! A shot as light over the board: charge, beam, sparks, embers. All of it is laid out once, and the style sheet's
//! animations play it. They change nothing but `transform` and `opacity`, which browsers do beside the page's own
//! thread, and without painting anything anew.

use khet::{Color, Hit, Position, Shot};
use khet_picture::way;
use leptos::prelude::*;

use super::geometry::{Point, Seat, path};
use super::pieces;
use super::timeline::{Run, Stretch, Timeline};

/// A shot that is being shown.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Showing {
    pub(crate) by: Color,
    pub(crate) hits: Vec<Hit>,
    pub(crate) timeline: Timeline,
    /// Shown as one still picture.
    pub(crate) still: bool,
}

impl Showing {
    /// For how long it is shown.
    pub(crate) fn lasts(&self) -> f64 {
        match (self.still, self.timeline.ceremony) {
            (false, _) => self.timeline.end,
            (true, false) => 700.0,
            (true, true) => 1500.0,
        }
    }
}

fn milliseconds(time: f64) -> String {
    format!("{}ms", time.round())
}

fn translate(at: Point) -> String {
    format!("translate({} {})", at.x, at.y)
}

/// A straight part of the beam, which grows from its start, and the bright head that runs before it.
fn stretch(stretch: &Stretch) -> impl IntoView + use<> {
    let Stretch { from, to, start, lasts } = *stretch;
    let (length, angle) = (from.distance(to), (to.y - from.y).atan2(to.x - from.x).to_degrees());
    let at = format!("translate({} {}) rotate({})", from.x, from.y, angle.round());
    view! {
        <g
            transform=at
            style=("--start", milliseconds(start))
            style=("--lasts", milliseconds(lasts))
            style=("--way", format!("{length}px"))
        >
            <rect class="beam" y="-20" width=length height="40"/>
            <circle class="beam-head" r="17"/>
        </g>
    }
}

/// Where the embers of a piece fly, in two bursts: around, at uneven distances.
const EMBERS: [[(f64, f64); 6]; 2] = [
    [(-42.0, -30.0), (18.0, -44.0), (52.0, 8.0), (4.0, 50.0), (-54.0, 12.0), (30.0, -12.0)],
    [(-16.0, -52.0), (46.0, -26.0), (34.0, 38.0), (-30.0, 40.0), (-24.0, -14.0), (8.0, 24.0)],
];

/// A burst of embers as a path of small round dots.
fn burst(embers: &[(f64, f64)]) -> String {
    embers
        .iter()
        .map(|(x, y)| format!("M{},{y}a4.5,4.5 0 1 0 9,0a4.5,4.5 0 1 0 -9,0Z", x - 4.5))
        .collect()
}

/// The shot while it is shown, or its `rehearsal`.
pub(crate) fn shot(kind: &'static str, showing: Showing, seat: Seat) -> impl IntoView {
    let Showing { by, hits, timeline, still } = showing;
    let color = pieces::class(by);
    let class = format!("{kind} {color}{}", if still { " still" } else { "" });
    let first_hit = timeline.burns.iter().map(|burn| burn.time).fold(timeline.end, f64::min);
    let dim = timeline.ceremony.then(|| {
        view! {
            <rect class="dim" x="-40" y="-40" width="1080" height="880" rx="16" style=("--start", milliseconds(first_hit))/>
        }
    });
    let burning = hits.iter().zip(&timeline.burns).map(|(hit, burn)| {
        let class = format!("burning {}", pieces::class(hit.piece.color()));
        let (at, time) = (translate(burn.at), milliseconds(burn.time));
        let picture = pieces::markup(seat.piece(hit.piece));
        let embers = EMBERS
            .iter()
            .filter(|_| !burn.pharaoh)
            .map(|embers| view! { <path class="embers" d=burst(embers)/> });
        let rays = burn.pharaoh.then(|| {
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
        let class = if burn.pharaoh { format!("{class} pharaoh") } else { class };
        view! {
            <g transform=at>
                <g class=class style=("--start", time)>
                    {rays}
                    <g class="burning-piece" inner_html=picture></g>
                    <circle class="flash" r="78"/>
                    {embers.collect_view()}
                </g>
            </g>
        }
    });
    let beams = timeline.beams.iter().flat_map(Run::stretches).map(|part| stretch(&part));
    let sparks = timeline.sparks.iter().map(|spark| {
        view! {
            <g transform=translate(spark.at)>
                <g class="spark" style=("--start", milliseconds(spark.time))>
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
            <g transform=translate(timeline.laser)>
                <circle class="charge" r="52" style=("--start", milliseconds(timeline.charge))/>
            </g>
            {beams.collect_view()}
            {sparks.collect_view()}
        </g>
    }
}

/// The way of a shot's beams as thin lines: the `afterglow` of the last one, or a `preview` of the next.
pub(crate) fn trail(
    kind: &'static str,
    shot: &Shot,
    before: &Position,
    seat: Seat,
) -> impl IntoView + use<> {
    let class = format!("{kind} {}", pieces::class(shot.by));
    let lines = way::lines(shot, before, seat);
    let paths = lines.iter().map(|points| view! { <path d=path(points)/> }).collect_view();
    view! { <g class=class>{paths}</g> }
}

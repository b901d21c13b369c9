//! Where the handles of a picked piece are, and what they look like.

use leptos::ev;
use leptos::prelude::*;

use super::geometry::{Point, SIDE, SIZE, WALL};

/// A handle is at least this wide on the screen, so that a thumb finds it.
const THUMB: f64 = 44.0;
/// On large boards handles sit at the piece's corners and leave its targets free. Where they are
/// wider than this (half, in units), they stand outside of the ring of targets.
pub(super) const AT_CORNERS: f64 = 37.0;

/// Half the width of a handle on a board that is so many pixels wide.
pub(crate) fn radius(board_width: f64) -> f64 {
    let unit = SIZE.0 / board_width.max(200.0);
    (THUMB / 2.0 * unit).max(25.0)
}

/// The middles of the left and the right handle of the piece at a point.
pub(crate) fn places(piece: Point, radius: f64) -> [Point; 2] {
    if radius <= AT_CORNERS {
        return [-1.0, 1.0]
            .map(|side| inside(piece.plus(side * 0.58 * SIDE, -0.58 * SIDE), radius));
    }
    let ring = 1.5 * SIDE + radius;
    let above = piece.y - ring;
    let y = if above >= radius - WALL { above } else { piece.y + ring };
    let apart = radius + 6.0;
    let (left, right) = (apart + radius - WALL, SIZE.0 - WALL - apart - radius);
    let x = piece.x.clamp(left, right);
    [Point::new(x - apart, y), Point::new(x + apart, y)]
}

fn inside(point: Point, radius: f64) -> Point {
    let (least, right, foot) = (radius - WALL, SIZE.0 - WALL - radius, SIZE.1 - WALL - radius);
    Point::new(point.x.clamp(least, right), point.y.clamp(least, foot))
}

/// What a handle shows, drawn for a half width of 22.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Icon {
    Clockwise,
    Counterclockwise,
    Drop,
    Back,
    Both,
    Top,
}

impl Icon {
    /// The lines of the icon.
    pub(crate) const fn path(self) -> &'static str {
        match self {
            Icon::Clockwise => "M9.5,-4.5A10.5,10.5 0 1 0 10,3.5M10.5,-11.5V-4H3",
            Icon::Counterclockwise => "M-9.5,-4.5A10.5,10.5 0 1 1 -10,3.5M-10.5,-11.5V-4H-3",
            Icon::Drop => "M-9.5,0.5L-3,7.5L9.5,-7.5",
            Icon::Back => "M-4,-9L-10,-3L-4,3M-10,-3H4a6,6 0 0 1 0,12H-3",
            Icon::Both => "M-9,-11H5V3H-9ZM5,-5H11V9H-3V3",
            Icon::Top => "M-8,-12H6V2H-8ZM-8,8H-4M0,8H4M8,8H11",
        }
    }
}

/// A handle as it is seen and used.
pub(super) fn handle(
    place: Point,
    radius: f64,
    icon: Icon,
    name: &'static str,
    strong: bool,
    act: impl Fn() + Copy + 'static,
) -> impl IntoView {
    let at = format!("translate({} {}) scale({})", place.x, place.y, radius / 22.0);
    let press = move |event: &ev::KeyboardEvent| {
        if matches!(event.key().as_str(), "Enter" | " ") {
            event.prevent_default();
            event.stop_propagation();
            act();
        }
    };
    view! {
        <g
            role="button"
            class="handle"
            class:strong=strong
            tabindex="0"
            aria-label=name
            transform=at
            on:pointerdown=|event| event.stop_propagation()
            on:pointerup=|event| event.stop_propagation()
            on:click=move |_| act()
            on:keydown=move |event| press(&event)
        >
            <title>{name}</title>
            <circle class="handle-reach" r="22"/>
            <circle class="handle-plate" r="18"/>
            <path class="handle-icon" d=icon.path()/>
        </g>
    }
}

#[cfg(test)]
mod tests {
    use khet::{Color, Square};

    use super::super::geometry::Seat;
    use super::*;

    #[test]
    fn handles_are_a_thumb_wide_on_every_screen() {
        for width in [320.0, 390.0, 600.0, 860.0, 1400.0] {
            let pixels = 2.0 * radius(width) * width / SIZE.0;
            assert!(pixels >= THUMB - 0.1, "{pixels} at {width}");
        }
    }

    #[test]
    fn handles_are_whole_inside_the_picture_apart_and_off_the_targets_middles() {
        let seat = Seat::new(Color::Silver);
        for width in [320.0, 390.0, 600.0, 700.0, 860.0, 1400.0] {
            let radius = radius(width);
            for square in Square::all() {
                let piece = seat.center(square);
                let [left, right] = places(piece, radius);
                assert!(left.distance(right) >= 2.0 * radius);
                for handle in [left, right] {
                    assert_eq!(handle, inside(handle, radius), "{square} at {width}");
                    for file in [-1, 0, 1] {
                        for rank in [-1, 0, 1] {
                            let Some(near) = square.offset(file, rank) else { continue };
                            let free = handle.distance(seat.center(near));
                            assert!(free >= radius, "{square} covers {near} at {width}");
                        }
                    }
                }
            }
        }
    }
}

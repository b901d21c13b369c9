//! Layout and drawing of the handles around the piece in hand.

use leptos::ev;
use leptos::prelude::*;

use super::geometry::{Orientation, Point, SIDE, WALL, short, translate};

/// Minimum width of a handle in CSS pixels, a comfortable touch target.
const MIN_WIDTH: f64 = 44.0;
/// Largest radius, in picture units, at which handles fit at the piece's corners. Larger handles
/// are placed outside the ring of target squares.
pub(super) const MAX_CORNER_RADIUS: f64 = 37.0;

/// Returns the radius of a handle in picture units for a board of this width in pixels.
pub(crate) fn radius(orientation: Orientation, board_width: f64) -> f64 {
    let unit = orientation.size().0 / board_width.max(200.0);
    (MIN_WIDTH / 2.0 * unit).max(25.0)
}

/// Returns the centres of the left and the right handle of the piece at a point.
pub(crate) fn centers(orientation: Orientation, piece: Point, radius: f64) -> [Point; 2] {
    if radius <= MAX_CORNER_RADIUS {
        return [-1.0, 1.0].map(|side| {
            clamp_to_board(orientation, piece.plus(side * 0.58 * SIDE, -0.58 * SIDE), radius)
        });
    }
    let ring = 1.5 * SIDE + radius;
    let above = piece.y - ring;
    let y = if above >= radius - WALL { above } else { piece.y + ring };
    let apart = radius + 6.0;
    let (left, right) = (apart + radius - WALL, orientation.size().0 - WALL - apart - radius);
    let x = within(piece.x, left, right);
    [Point::new(x - apart, y), Point::new(x + apart, y)]
}

/// Returns the centres of handles below the piece at a point instead of above it.
pub(super) fn below(
    orientation: Orientation,
    piece: Point,
    centers: [Point; 2],
    radius: f64,
) -> [Point; 2] {
    centers.map(|center| {
        let y = piece.y + (piece.y - center.y).abs();
        clamp_to_board(orientation, Point::new(center.x, y), radius)
    })
}

/// Returns the nearest point at which a handle lies inside the drawing.
fn clamp_to_board(orientation: Orientation, point: Point, radius: f64) -> Point {
    let (width, height) = orientation.size();
    let (least, right, foot) = (radius - WALL, width - WALL - radius, height - WALL - radius);
    Point::new(within(point.x, least, right), within(point.y, least, foot))
}

/// Limits a number to a range. Unlike `f64::clamp` it never panics, which would add the formatting
/// of floats to the app.
fn within(number: f64, least: f64, most: f64) -> f64 {
    number.min(most).max(least)
}

/// The symbol on a handle, drawn for a radius of 22.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HandleIcon {
    Clockwise,
    Counterclockwise,
    Drop,
    Cancel,
    Back,
    Both,
    Top,
    Eye,
    Arrow(PictureStep),
}

/// A direction in the picture, as steps to the right and down.
pub(crate) type PictureStep = (i8, i8);

impl HandleIcon {
    /// Returns the SVG path of the icon.
    pub(crate) const fn path(self) -> &'static str {
        match self {
            HandleIcon::Clockwise => "M9.5,-4.5A10.5,10.5 0 1 0 10,3.5M10.5,-11.5V-4H3",
            HandleIcon::Counterclockwise => "M-9.5,-4.5A10.5,10.5 0 1 1 -10,3.5M-10.5,-11.5V-4H-3",
            HandleIcon::Drop => "M-9.5,0.5L-3,7.5L9.5,-7.5",
            HandleIcon::Cancel => "M-7.5,-7.5L7.5,7.5M7.5,-7.5L-7.5,7.5",
            HandleIcon::Back => "M-4,-9L-10,-3L-4,3M-10,-3H4a6,6 0 0 1 0,12H-3",
            HandleIcon::Both => "M-9,-11H5V3H-9ZM5,-5H11V9H-3V3",
            HandleIcon::Eye => "M-12,0Q0,-12 12,0Q0,12 -12,0ZM-4,0a4,4 0 1 0 8,0a4,4 0 1 0 -8,0Z",
            HandleIcon::Arrow((x, y)) => match (x, y) {
                (0, -1) => "M0,10V-10M-8,-2L0,-10L8,-2",
                (1, -1) => "M-7,7L7,-7M-4,-7H7V4",
                (1, 0) => "M-10,0H10M2,-8L10,0L2,8",
                (1, 1) => "M-7,-7L7,7M-4,7H7V-4",
                (0, 1) => "M0,-10V10M-8,2L0,10L8,2",
                (-1, 1) => "M7,-7L-7,7M4,7H-7V-4",
                (-1, 0) => "M10,0H-10M-2,-8L-10,0L-2,8",
                _ => "M7,7L-7,-7M4,-7H-7V4",
            },
            HandleIcon::Top => "M-8,-12H6V2H-8ZM-8,8H-4M0,8H4M8,8H11",
        }
    }
}

/// Draws a handle as a button.
pub(super) fn handle(
    center: Point,
    radius: f64,
    icon: HandleIcon,
    name: &'static str,
    strong: bool,
    act: impl Fn() + Copy + 'static,
) -> impl IntoView {
    // The icons are drawn for a radius of 22. The scale in percent keeps three digits.
    let at = format!("{} scale(.01) scale({})", translate(center), short(radius / 0.22));
    // A handle may appear under the finger that has just picked up the tower; the click that follows
    // is not meant for it. Clicks of assistive technology have no pointer and a detail of 0.
    let pressed = StoredValue::new(false);
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
            on:pointerdown=move |event| {
                event.stop_propagation();
                pressed.set_value(true);
            }
            on:pointerup=|event| event.stop_propagation()
            on:click=move |event| if pressed.get_value() || event.detail() == 0 { act() }
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

    use super::*;

    const LYING: Orientation = Orientation::new(Color::Silver);

    #[test]
    fn handles_are_large_enough_to_touch_on_every_screen() {
        for orientation in [LYING, LYING.upright(true)] {
            for width in [320.0, 390.0, 600.0, 860.0, 1400.0] {
                let pixels = 2.0 * radius(orientation, width) * width / orientation.size().0;
                assert!(pixels >= MIN_WIDTH - 0.1, "{pixels} at {width}");
            }
        }
    }

    #[test]
    fn handles_stay_inside_the_picture_and_cover_no_target() {
        let widths = [320.0, 390.0, 600.0, 700.0, 860.0, 1400.0];
        for (orientation, width) in
            [LYING, LYING.upright(true)].into_iter().flat_map(|it| widths.map(|width| (it, width)))
        {
            let radius = radius(orientation, width);
            for square in Square::all() {
                let piece = orientation.center(square);
                let [left, right] = centers(orientation, piece, radius);
                assert!(left.distance(right) >= 2.0 * radius);
                for handle in [left, right] {
                    let inside = clamp_to_board(orientation, handle, radius);
                    assert_eq!(handle, inside, "{square} at {width}");
                    for file in [-1, 0, 1] {
                        for rank in [-1, 0, 1] {
                            let Some(near) = square.offset(file, rank) else { continue };
                            let free = handle.distance(orientation.center(near));
                            assert!(free >= radius, "{square} covers {near} at {width}");
                        }
                    }
                }
            }
        }
    }
}

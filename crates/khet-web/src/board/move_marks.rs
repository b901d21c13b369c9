//! Marks for the player to move: target squares and hints.

use khet::Rotation;

use super::geometry::{Orientation, Point, path, translate};
use super::move_input::TargetKind;
use super::scene::{Hint, HintKind};
use crate::rules::Move;

/// Draws a target: a dot, a pair of arrows for a swap, or a plinth for stacking.
pub(crate) fn target(at: Point, kind: TargetKind) -> String {
    let inside = match kind {
        TargetKind::Empty => r#"<circle class="target-dot" r="14"/>"#,
        TargetKind::Swap => {
            r#"<circle class="target-ring" r="43"/><g transform="translate(30 -30)"><circle class="target-plate" r="17"/><path class="target-icon" d="M-8,-4H7L2,-9M8,4H-7L-2,9"/></g>"#
        }
        TargetKind::Stack => {
            r#"<rect class="target-ring" x="-42" y="-42" width="84" height="84" rx="8"/><g transform="translate(30 -30)"><circle class="target-plate" r="17"/><path class="target-icon" d="M-5,-9H5V1H-5ZM-9,7H9"/></g>"#
        }
    };
    format!(r#"<g transform="{}">{inside}</g>"#, translate(at))
}

/// Draws a hint: an arrow to the target square, or around the piece for a rotation.
pub(crate) fn hint(hint: Hint, orientation: Orientation) -> String {
    let mv = hint.mv;
    let class = match hint.kind {
        HintKind::Best => "hint",
        HintKind::Other => "hint other",
        HintKind::Threat => "hint threat",
    };
    match mv {
        Move::Rotate { square, rotation } => {
            let mirror = match rotation {
                Rotation::Clockwise => 1,
                Rotation::Counterclockwise => -1,
            };
            format!(
                r#"<g class="{class}" transform="{} scale({mirror} 1)"><path class="hint-line" d="M-32,-38A50,50 0 1 1 -46,20"/><path class="hint-head" d="M-62,30L-49,4L-32,27Z"/></g>"#,
                translate(orientation.center(square))
            )
        }
        Move::Step { from, to } | Move::Unstack { from, to } => {
            arrow(class, orientation.center(from), orientation.center(to))
        }
        Move::Tower(_) => String::new(),
    }
}

/// Draws an arrow from one point to another.
pub(super) fn arrow(class: &str, from: Point, to: Point) -> String {
    let length = from.distance(to);
    let (x, y) = ((to.x - from.x) / length, (to.y - from.y) / length);
    let line = [from.plus(x * 18.0, y * 18.0), to.plus(-x * 24.0, -y * 24.0)];
    let back = to.plus(-x * 26.0, -y * 26.0);
    let head =
        [to.plus(x * 6.0, y * 6.0), back.plus(y * 19.0, -x * 19.0), back.plus(-y * 19.0, x * 19.0)];
    format!(
        r#"<g class="{class}"><path class="hint-line" d="{}"/><path class="hint-head" d="{}Z"/></g>"#,
        path(&line),
        path(&head)
    )
}

#[cfg(test)]
mod tests {
    use khet::Color;

    use super::*;

    #[test]
    fn a_hint_points_to_where_the_piece_goes() {
        let mv = "h2g2".parse().expect("a move");
        let best = Hint { mv, kind: HintKind::Best };
        let arrow = hint(best, Orientation::new(Color::Silver));
        assert!(arrow.contains("M644,650L676,669L676,631Z"), "{arrow}");
        let arrow = hint(best, Orientation::new(Color::Red));
        assert!(arrow.contains("M356,150L324,131L324,169Z"), "{arrow}");
    }
}

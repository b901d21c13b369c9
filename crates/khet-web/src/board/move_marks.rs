//! Marks for the player to move: target squares and hints.

use khet::Rotation;
use khet::tower::{TowerColumn, TowerMove};

use super::geometry::{LIFT, Orientation, Point, path, short, translate};
use super::levels::as_tower_move;
use super::move_input::TargetKind;
use super::scene::{Hint, HintKind};
use crate::rules::{Move, Square};

/// Draws a target: a dot, a pair of arrows for a swap, a plinth for stacking, or the direction to
/// the other level.
pub(crate) fn target(at: Point, kind: TargetKind) -> String {
    let inside = match kind {
        TargetKind::Empty => r#"<circle class="target-dot" r="14"/>"#,
        TargetKind::Swap => {
            r#"<circle class="target-ring" r="43"/><g transform="translate(30 -30)"><circle class="target-plate" r="17"/><path class="target-icon" d="M-8,-4H7L2,-9M8,4H-7L-2,9"/></g>"#
        }
        TargetKind::Climb => {
            r#"<g class="other-level"><circle class="target-plate" r="19"/><path class="target-icon" d="M-9,1L0,-9L9,1M-9,10L0,0L9,10"/></g>"#
        }
        TargetKind::Descend => {
            r#"<g class="other-level"><circle class="target-plate" r="19"/><path class="target-icon" d="M-9,-1L0,9L9,-1M-9,-10L0,0L9,-10"/></g>"#
        }
        // The handles of the tower show its directions.
        TargetKind::Shift => return String::new(),
        TargetKind::Stack => {
            r#"<rect class="target-ring" x="-42" y="-42" width="84" height="84" rx="8"/><g transform="translate(30 -30)"><circle class="target-plate" r="17"/><path class="target-icon" d="M-5,-9H5V1H-5ZM-9,7H9"/></g>"#
        }
    };
    format!(r#"<g transform="{}">{inside}</g>"#, translate(at))
}

/// Draws a hint: an arrow to the target square, or around the piece or the tower for a rotation; or
/// a ring around the piece, if the move is not to be shown.
/// `column` is the place of the tower before the move.
pub(crate) fn hint(hint: Hint, orientation: Orientation, column: Option<TowerColumn>) -> String {
    let mv = hint.mv;
    let class = match hint.kind {
        HintKind::Piece => {
            return mv.squares().map(|[from, _]| ring(from, orientation)).unwrap_or_default();
        }
        HintKind::Best => "hint",
        HintKind::Other => "hint other",
        HintKind::Threat => "hint threat",
    };
    if let (Some(mv), Some(column)) = (as_tower_move(mv), column) {
        let top = |column| orientation.column_center(column).plus(LIFT.0, LIFT.1);
        return match mv {
            TowerMove::Rotate(rotation) => rotation_arrow(class, rotation, top(column), 2.3),
            TowerMove::Shift(to) => TowerColumn::new(to)
                .map(|to| arrow(class, top(column), top(to)))
                .unwrap_or_default(),
        };
    }
    match mv {
        Move::Rotate { square, rotation } => {
            rotation_arrow(class, rotation, orientation.center(square), 1.0)
        }
        Move::Step { from, to } | Move::Unstack { from, to } => {
            arrow(class, orientation.center(from), orientation.center(to))
        }
        #[cfg(feature = "tower")]
        Move::Tower(_) => String::new(),
    }
}

/// Draws a ring around a piece.
fn ring(square: Square, orientation: Orientation) -> String {
    let center = orientation.center(square);
    let (x, y) = (short(center.x), short(center.y));
    format!(r#"<circle class="hint hint-line" cx="{x}" cy="{y}" r="44"/>"#)
}

/// Draws an arrow around a point.
fn rotation_arrow(class: &str, rotation: Rotation, at: Point, size: f64) -> String {
    let mirror = match rotation {
        Rotation::Clockwise => size,
        Rotation::Counterclockwise => -size,
    };
    format!(
        r#"<g class="{class}" transform="{} scale({} {})"><path class="hint-line" d="M-32,-38A50,50 0 1 1 -46,20"/><path class="hint-head" d="M-62,30L-49,4L-32,27Z"/></g>"#,
        translate(at),
        short(mirror),
        short(size)
    )
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
        let arrow = hint(best, Orientation::new(Color::Silver), None);
        assert!(arrow.contains("M644,650L676,669L676,631Z"), "{arrow}");
        let arrow = hint(best, Orientation::new(Color::Red), None);
        assert!(arrow.contains("M356,150L324,131L324,169Z"), "{arrow}");
    }
}

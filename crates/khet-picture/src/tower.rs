//! The Tower of Kadesh: its foot on the board, and the platform with the upper level.
//!
//! Both are drawn around the center of the column and look the same from all sides, so only their
//! place depends on the position: see [`Orientation::column_center`]. The platform is raised by
//! [`LIFT`] and translucent, so that the squares and beams beneath it stay visible. The column is a
//! shaft of glass in which a beam is seen to change levels.

use khet::tower::TowerColumn;

use crate::geometry::{LIFT, Orientation, translate};

/// Half of the width of the upper level, and of the column.
const PLATFORM: i32 = 300;
const COLUMN: i32 = 100;

/// Draws what belongs to the ground: the shadow of the platform, the outline of the squares beneath
/// it, and the lower end of the column.
pub fn foot(column: TowerColumn, orientation: Orientation) -> String {
    let mut text = format!(
        r#"<g class="tower-foot" transform="{}">"#,
        translate(orientation.column_center(column))
    );
    // Rectangles of growing size are a soft shadow without a filter, which would be slow to animate.
    for grow in (0..6).map(|step| step * 5) {
        let (start, width) = (-PLATFORM + 22 - grow, 2 * PLATFORM - 14 + 2 * grow);
        text += &format!(
            r#"<rect class="tower-shadow" x="{start}" y="{start}" width="{width}" height="{width}" rx="{}"/>"#,
            8 + grow
        );
    }
    text += r#"<path class="tower-outline" d="M-300,-300H300V300H-300Z"/>"#;
    text += r#"<rect class="column" x="-98" y="-98" width="196" height="196" rx="5"/>"#;
    text + &faces() + "</g>"
}

/// Draws what belongs to the upper level: the platform with its squares, and the column.
pub fn platform(column: TowerColumn, orientation: Orientation) -> String {
    let center = orientation.column_center(column).plus(LIFT.0, LIFT.1);
    let mut text = format!(r#"<g class="tower-platform" transform="{}">"#, translate(center));
    let (x, y) = (-LIFT.0, -LIFT.1);
    for (class, half) in [("tower-edge", PLATFORM), ("tower-post", COLUMN)] {
        let edge = |(side, end): (i32, i32)| format!("M{},{}l{x},{y}", side * half, end * half);
        let edges: String = [(-1, -1), (1, -1), (1, 1), (-1, 1)].into_iter().map(edge).collect();
        text += &format!(r#"<path class="{class}" d="{edges}"/>"#);
    }
    text += r#"<path class="plate-front" d="M-300,300H300V309H-300Z"/>"#;
    let (mut tiles, mut corners) = ([String::new(), String::new()], String::new());
    for (file, rank) in (0..6).flat_map(|rank| (0..6).map(move |file| (file, rank))) {
        let is_middle = |line| line == 2 || line == 3;
        if is_middle(file) && is_middle(rank) {
            continue;
        }
        let (x, y) = (file * 100 - PLATFORM, rank * 100 - PLATFORM);
        tiles[(file + rank) as usize % 2] += &format!("M{x},{y}h100v100h-100Z");
        if file % 5 == 0 && rank % 5 == 0 {
            corners += &format!("M{},{}l13,13l-13,13l-13,-13Z", x + 50, y + 37);
        }
    }
    for (index, squares) in tiles.iter().enumerate() {
        text += &format!(r#"<path class="plate-{index}" d="{squares}"/>"#);
    }
    text += &format!(r#"<path class="plate-corner" d="{corners}"/>"#);
    text += r#"<rect class="plate-rim" x="-300" y="-300" width="600" height="600" rx="5"/>"#;
    text += r#"<rect class="column upper" x="-98" y="-98" width="196" height="196" rx="5"/>"#;
    text + &faces() + "</g>"
}

/// Draws the four faces of the column on a level: the mouth of a periscope with its mirror in the
/// left half, as someone outside sees it, and bricks in the right half.
fn faces() -> String {
    let face = |quarter: u32| {
        format!(
            r#"<g transform="rotate({})"><path class="bricks" d="M8,79H92M8,87H92M8,95H92M30,87V95M62,87V95M46,79V87M78,79V87"/><path class="periscope" d="M-92,94L-74,68H-26L-8,94Z"/><path class="mirror-frame" d="M-84,95H-16"/><path class="mirror" d="M-84,95H-16"/><path class="mirror-core" d="M-84,95H-16"/></g>"#,
            quarter * 90
        )
    };
    (0..4).map(face).collect()
}

#[cfg(test)]
mod tests {
    use khet::{Color, Square};

    use super::*;

    #[test]
    fn platform_has_32_squares_and_four_corners() {
        let column = TowerColumn::new(Square::E4).expect("a column");
        let platform = platform(column, Orientation::new(Color::Silver));
        assert_eq!(platform.matches("h100v100h-100Z").count(), 32);
        assert_eq!(platform.matches("l13,13").count(), 4);
        // One periscope for each face, on each level.
        assert_eq!(platform.matches("periscope").count(), 4);
        assert!(platform.contains("translate(528.5 362)"), "raised above the center of the column");
    }

    #[test]
    fn both_sides_see_the_tower_in_the_same_place_of_a_symmetrical_board() {
        let column = TowerColumn::new(Square::E4).expect("a column");
        let [silver, red] = Color::ALL.map(|side| foot(column, Orientation::new(side)));
        assert_eq!(silver, red);
        let c3 = TowerColumn::new(Square::C3).expect("a column");
        assert!(foot(c3, Orientation::new(Color::Silver)).contains("translate(300 500)"));
        assert!(foot(c3, Orientation::new(Color::Red)).contains("translate(700 300)"));
    }
}

//! The Tower of Kadesh: its foot on the board, and the platform with the upper level.
//!
//! Both are drawn around the center of the column and look the same from all sides, so only their
//! place depends on the position: see [`Orientation::column_center`]. The platform is raised by
//! [`LIFT`] and translucent, so that pieces and beams beneath it stay visible. The lines of the
//! ground beneath it are covered, because two grids that cross each other can't be read. The column
//! is a shaft of glass in which a beam is seen to change levels.

use khet::tower::TowerColumn;

use crate::geometry::{LIFT, Orientation, Point, path, translate};

/// Half of the width of the upper level, and of the column.
const PLATFORM: f64 = 300.0;
const COLUMN: f64 = 98.0;
/// The thickness of the platform, as a share of [`LIFT`].
const THICKNESS: f64 = 0.3;

/// Draws what belongs to the ground: the shadow of the platform, the outline of the squares beneath
/// it, and the column.
pub fn foot(column: TowerColumn, orientation: Orientation) -> String {
    let center = translate(orientation.column_center(column));
    format!(r#"<g class="tower-foot" transform="{center}">{}</g>"#, foot_content())
}

/// Draws the foot of a tower around the center of its column.
pub fn foot_content() -> String {
    let mut text = String::new();
    // Rectangles of growing size are a soft shadow without a filter, which would be slow to animate.
    for grow in (0..6).map(|step| step * 6) {
        let (start, width) = (-278 - grow, 586 + 2 * grow);
        text += &format!(
            r#"<rect class="tower-shadow" x="{start}" y="{start}" width="{width}" height="{width}" rx="{}"/>"#,
            8 + grow
        );
    }
    text += r#"<path class="tower-outline" d="M-300,-300H300V300H-300Z"/>"#;
    let cover = path(&corners(PLATFORM).map(lifted)) + "Z";
    text += &format!(r#"<path class="tower-cover" d="{cover}"/>"#);
    text += &sides("shaft", &corners(COLUMN).map(lifted), (-LIFT.0, -LIFT.1));
    text += r#"<rect class="column" x="-98" y="-98" width="196" height="196" rx="4"/>"#;
    text + &faces()
}

/// Draws what belongs to the upper level: the platform with its squares, and the column.
pub fn platform(column: TowerColumn, orientation: Orientation) -> String {
    let center = translate(lifted(orientation.column_center(column)));
    format!(r#"<g class="tower-platform" transform="{center}">{}</g>"#, platform_content())
}

/// Draws the platform of a tower around the center of its upper level.
pub fn platform_content() -> String {
    let mut text = sides("plate", &corners(PLATFORM), (-LIFT.0 * THICKNESS, -LIFT.1 * THICKNESS));
    let (mut tiles, mut marks) = ([String::new(), String::new()], String::new());
    for (file, rank) in (0..6).flat_map(|rank| (0..6).map(move |file| (file, rank))) {
        let is_middle = |line| line == 2 || line == 3;
        if is_middle(file) && is_middle(rank) {
            continue;
        }
        let (x, y) = (file * 100 - 300, rank * 100 - 300);
        tiles[(file + rank) as usize % 2] += &format!("M{x},{y}h100v100h-100Z");
        if file % 5 == 0 && rank % 5 == 0 {
            marks += &format!("M{},{}l13,13l-13,13l-13,-13Z", x + 50, y + 37);
        }
    }
    for (index, squares) in tiles.iter().enumerate() {
        text += &format!(r#"<path class="plate-{index}" d="{squares}"/>"#);
    }
    text += &format!(r#"<path class="plate-corner" d="{marks}"/>"#);
    let posts: String =
        corners(COLUMN).map(|corner| path(&[corner, corner.plus(-LIFT.0, -LIFT.1)])).concat();
    text += &format!(r#"<path class="tower-post" d="{posts}"/>"#);
    text += r#"<rect class="plate-rim" x="-300" y="-300" width="600" height="600" rx="4"/>"#;
    text += r#"<rect class="column upper" x="-98" y="-98" width="196" height="196" rx="4"/>"#;
    // An engraved eye on top of the column: it is where one looks beneath the platform.
    text += r#"<path class="column-eye" d="M-34,0Q0,-30 34,0Q0,30 -34,0ZM-11,0a11,11 0 1 0 22,0a11,11 0 1 0 -22,0Z"/>"#;
    text + &faces()
}

/// Returns the corners of a square around the origin, clockwise from the upper left.
fn corners(half: f64) -> [Point; 4] {
    [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
        .map(|(x, y)| Point::new(x * half, y * half))
}

/// Returns the point straight above one of the ground.
fn lifted(point: Point) -> Point {
    point.plus(LIFT.0, LIFT.1)
}

/// Draws the two sides of a body that are seen: those at the left and at the front of its top.
fn sides(class: &str, top: &[Point; 4], (x, y): (f64, f64)) -> String {
    let [upper_left, _, lower_right, lower_left] = *top;
    let side = |name: &str, from: Point, to: Point| {
        let shape = path(&[from, to, to.plus(x, y), from.plus(x, y)]);
        format!(r#"<path class="{class}-{name}" d="{shape}Z"/>"#)
    };
    side("side", upper_left, lower_left) + &side("front", lower_left, lower_right)
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

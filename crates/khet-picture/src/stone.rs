//! The empty board: wall, frame, squares with their signs, lasers and coordinates.

use khet::{Color, Direction, Square};

use crate::geometry::{Orientation, Point, SIDE, WALL, axis_angle, short, translate};
use crate::pieces;

/// Draws the parts of a board that do not change during a game. `wall_lasers` is false if sphinxes
/// carry the lasers.
pub fn markup(orientation: Orientation, wall_lasers: bool) -> String {
    let mut text = String::with_capacity(24_000);
    let (width, height) = orientation.squares_size();
    for (class, margin, radius) in
        [("wall", WALL, 16.0), ("wall-edge", 38.5, 14.5), ("inlay", 12.0, 7.0), ("bed", 7.5, 4.0)]
    {
        text += &format!(
            r#"<rect class="{class}" x="{0}" y="{0}" width="{1}" height="{2}" rx="{3}"/>"#,
            short(-margin),
            short(width + 2.0 * margin),
            short(height + 2.0 * margin),
            short(radius),
        );
    }
    let (right, bottom) = (width + 12.0, height + 12.0);
    for (x, y) in [(-12.0, -12.0), (right, -12.0), (right, bottom), (-12.0, bottom)] {
        let at = Point::new(x, y - 8.0);
        text += &format!(r#"<path class="inlay-corner" d="M{at}l8,8l-8,8l-8,-8Z"/>"#);
    }
    for (class, path) in squares(orientation) {
        text += &format!(r#"<path class="{class}" d="{path}"/>"#);
    }
    text += &coordinates(orientation, wall_lasers);
    if wall_lasers {
        text += &Color::ALL.map(|color| laser(orientation, color)).concat();
    }
    text
}

/// Returns classes and paths of the squares: one path per class for all squares, so that the page
/// has few elements. Each square has one of four shades, so that neighbours differ.
fn squares(orientation: Orientation) -> Vec<(String, String)> {
    let mut layers: Vec<(String, String)> = SQUARE_CLASSES
        .iter()
        .map(|class| (class.to_string(), String::with_capacity(4_000)))
        .collect();
    let mut add = |class: &str, path: String| {
        if let Some((_, paths)) = layers.iter_mut().find(|(known, _)| known == class) {
            paths.push_str(&path);
        }
    };
    for square in Square::all() {
        let corner = orientation.center(square).plus(-SIDE / 2.0, -SIDE / 2.0);
        let grain = (square.index() * 29 + square.index() / 7 * 13) % 4;
        let slab = format!(
            "M{}h90.6a3.5,3.5 0 0 1 3.5,3.5v90.6a3.5,3.5 0 0 1 -3.5,3.5h-90.6a3.5,3.5 0 0 1 -3.5,-3.5v-90.6a3.5,3.5 0 0 1 3.5,-3.5Z",
            corner.plus(4.7, 1.2)
        );
        add(&format!("stone-{}", (square.file() + square.rank()) % 2), slab.clone());
        add(&format!("grain-{grain}"), slab.clone());
        // Light falls from the upper left.
        add("stone-light", format!("M{}v-91h92", corner.plus(2.4, 95.0)));
        add("stone-shade", format!("M{}h92v-92", corner.plus(5.0, 97.4)));
        if let Some(color) = square.reserved_for() {
            let (class, sign) = (pieces::class(color), sign(color));
            add(&format!("tint {class}"), slab);
            add("sign-cut", format!("M{}{sign}", corner.plus(50.0, 51.6)));
            add(&format!("sign {class}"), format!("M{}{sign}", corner.plus(50.0, 50.0)));
        }
    }
    layers
}

/// The classes of the layers of a square, lowest first. The shade `grain-0` is not drawn.
const SQUARE_CLASSES: [&str; 12] = [
    "stone-0",
    "stone-1",
    "tint silver",
    "tint red",
    "grain-1",
    "grain-2",
    "grain-3",
    "stone-light",
    "stone-shade",
    "sign-cut",
    "sign silver",
    "sign red",
];

/// Returns the sign of the squares reserved for a side, as a path from the square's center: an ankh
/// for Silver, the eye of Horus for Red.
fn sign(color: Color) -> &'static str {
    match color {
        Color::Silver => {
            "m0,-2c-13,-10 -13,-27 0,-27c13,0 13,17 0,27zv30m-15,-24h30m-19,24h8m-19,-27v6m30,-6v6"
        }
        Color::Red => {
            "m-29,-20q25,-11 56,3m-54,17q23,-23 51,0q-27,17 -51,0zm19,-1a7,7 0 1 0 14,0a7,7 0 1 0 -14,0z\
             m2,11v16m10,-16q5,16 17,16q9,-1 7,-9q-3,-4 -6,0"
        }
    }
}

/// Draws the letters of the files and the numbers of the ranks on all four edges, except at lasers.
/// Each edge is one `<text>` with a position per letter.
fn coordinates(orientation: Orientation, wall_lasers: bool) -> String {
    let mut text = String::from(r#"<g class="coordinates">"#);
    let (width, height) = orientation.squares_size();
    let (columns, rows) = orientation.columns_and_rows();
    // A laser in the wall takes the place of the coordinate next to it.
    let is_free = |x: f64, y: f64| {
        let near = |color| laser_point(orientation, color).distance(Point::new(x, y)) < SIDE / 2.0;
        !(wall_lasers && Color::ALL.into_iter().any(near))
    };
    let mut edge = |squares: Vec<Square>, at: &dyn Fn(Point) -> (f64, f64), names_files: bool| {
        let labels = squares.into_iter().filter_map(|square| {
            let (x, y) = at(orientation.center(square));
            let letter = if names_files {
                char::from(b'a' + square.file())
            } else {
                char::from(b'1' + square.rank())
            };
            is_free(x, y).then_some(((short(x).to_string(), short(y).to_string()), letter))
        });
        let ((xs, ys), letters): ((Vec<String>, Vec<String>), String) = labels.unzip();
        text += &format!(r#"<text x="{}" y="{}">{letters}</text>"#, xs.join(" "), ys.join(" "));
    };
    let row = || (0..columns).filter_map(|column| orientation.at(column, 0)).collect();
    let column = || (0..rows).filter_map(|row| orientation.at(0, row)).collect();
    for y in [-18.5, height + 34.0] {
        edge(row(), &|center| (center.x, y), !orientation.is_upright());
    }
    for x in [-26.0, width + 26.0] {
        edge(column(), &|center| (x, center.y + 7.5), orientation.is_upright());
    }
    text + "</g>"
}

/// Draws the laser in the wall next to its player's corner.
fn laser(orientation: Orientation, color: Color) -> String {
    let (x, y) = orientation.step(Direction::North);
    // Silver's laser shines north, Red's south.
    let (x, y) = if color == Color::Silver { (x, y) } else { (-x, -y) };
    // Drawn for a laser that shines to the top.
    let angle = axis_angle(Point::default(), Point::new(-y, x));
    let at = orientation.center(Square::laser_corner(color)).plus(-x * SIDE / 2.0, -y * SIDE / 2.0);
    let class = pieces::class(color);
    format!(
        r#"<g class="laser {class}" transform="{} rotate({angle})"><path class="laser-housing" d="M-34,38.5L-25,7Q-24,3 -20,3H20Q24,3 25,7L34,38.5Z"/><path class="laser-trim" d="M-27,31L-20.5,9H20.5L27,31"/><path class="laser-mouth" d="M-9,9V-2H9V9Z"/><circle class="lens-glow" cy="19" r="19"/><circle class="laser-socket" cy="19" r="11.5"/><circle class="lens" cy="19" r="8.5"/><circle class="lens-core" cy="19" r="4"/></g>"#,
        translate(at)
    )
}

/// Returns the point of a player's laser in the wall, where its beam starts.
pub fn laser_point(orientation: Orientation, color: Color) -> Point {
    let back = match color {
        Color::Silver => orientation.step(Direction::South),
        Color::Red => orientation.step(Direction::North),
    };
    orientation.center(Square::laser_corner(color)).plus(back.0 * 69.0, back.1 * 69.0)
}

/// The gradients to which the style sheet refers, shared by all boards of a page.
pub const DEFINITIONS: &str = include_str!("gradients.svg");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_squares_have_a_sign() {
        let lying = Color::ALL.map(Orientation::new);
        for orientation in lying.into_iter().chain(lying.map(|it| it.upright(true))) {
            let board = markup(orientation, true);
            for color in Color::ALL {
                // Each sign has a shadow (`sign-cut`).
                assert_eq!(board.matches(sign(color)).count(), 2 * 10);
            }
            assert!(!board.contains("style="), "the content security policy forbids it");
        }
    }

    #[test]
    fn every_file_and_rank_is_labelled_despite_the_lasers() {
        let labels = |orientation, lasers, letter| {
            let board = markup(orientation, lasers);
            let texts = board.split("<text").skip(1);
            texts
                .filter(|text| text.split(['>', '<']).nth(1).unwrap_or_default().contains(letter))
                .count()
        };
        let lying = Orientation::new(Color::Red);
        for orientation in [lying, lying.upright(true)] {
            let count = |letter| labels(orientation, true, letter);
            assert_eq!(['a', 'e', 'j', '1', '8'].map(count), [1, 2, 1, 2, 2]);
            assert_eq!(labels(orientation, false, 'j'), 2);
        }
    }
}

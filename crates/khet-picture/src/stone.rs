//! The empty board: wall, frame, squares with their signs, lasers and coordinates.

use khet::{Color, Square};

use crate::geometry::{Point, SIDE, Seat};
use crate::pieces;

/// Draws the parts of a board that do not change during a game. `wall_lasers` is false if sphinxes
/// carry the lasers.
pub fn markup(seat: Seat, wall_lasers: bool) -> String {
    let mut text = String::with_capacity(24_000);
    text += r#"<rect class="wall" x="-40" y="-40" width="1080" height="880" rx="16"/>"#;
    text += r#"<rect class="wall-edge" x="-38.5" y="-38.5" width="1077" height="877" rx="14.5"/>"#;
    text += r#"<rect class="inlay" x="-12" y="-12" width="1024" height="824" rx="7"/>"#;
    text += r#"<rect class="bed" x="-7.5" y="-7.5" width="1015" height="815" rx="4"/>"#;
    for (x, y) in [(-12, -12), (1012, -12), (1012, 812), (-12, 812)] {
        text += &format!(r#"<path class="inlay-corner" d="M{x},{}l8,8l-8,8l-8,-8Z"/>"#, y - 8);
    }
    for (class, path) in squares(seat) {
        text += &format!(r#"<path class="{class}" d="{path}"/>"#);
    }
    text += &coordinates(seat, wall_lasers);
    if wall_lasers {
        text += &Color::ALL.map(|color| laser(seat, color)).concat();
    }
    text
}

/// Returns classes and paths of the squares: one path per class for all squares, so that the page
/// has few elements. Each square has one of four shades, so that neighbours differ.
fn squares(seat: Seat) -> Vec<(String, String)> {
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
        let Point { x, y } = seat.center(square).plus(-SIDE / 2.0, -SIDE / 2.0);
        let grain = (square.index() * 29 + square.index() / 7 * 13) % 4;
        let slab = format!(
            "M{},{}h90.6a3.5,3.5 0 0 1 3.5,3.5v90.6a3.5,3.5 0 0 1 -3.5,3.5h-90.6a3.5,3.5 0 0 1 -3.5,-3.5v-90.6a3.5,3.5 0 0 1 3.5,-3.5Z",
            x + 4.7,
            y + 1.2
        );
        add(&format!("stone-{}", (square.file() + square.rank()) % 2), slab.clone());
        add(&format!("grain-{grain}"), slab.clone());
        // Light falls from the upper left.
        add("stone-light", format!("M{},{}v-91h92", x + 2.4, y + 95.0));
        add("stone-shade", format!("M{},{}h92v-92", x + 5.0, y + 97.4));
        if let Some(color) = square.reserved_for() {
            let (class, sign) = (pieces::class(color), sign(color));
            add(&format!("tint {class}"), slab);
            add("sign-cut", format!("M{},{}{sign}", x + 50.0, y + 51.6));
            add(&format!("sign {class}"), format!("M{},{}{sign}", x + 50.0, y + 50.0));
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
fn coordinates(seat: Seat, wall_lasers: bool) -> String {
    let mut text = String::from(r#"<g class="coordinates">"#);
    let silver_at_bottom = seat.center(Square::J1).y > 400.0;
    for (y, bottom) in [(-18.5, false), (834.0, true)] {
        let corner = if bottom == silver_at_bottom { Square::J1 } else { Square::A8 };
        let files = (0..Square::FILES)
            .filter(|&file| !(wall_lasers && file == corner.file()))
            .filter_map(|file| Some((Square::new(file, 0)?, char::from(b'a' + file))));
        let (positions, letters): (Vec<String>, String) =
            files.map(|(square, letter)| (seat.center(square).x.to_string(), letter)).unzip();
        text += &format!(r#"<text x="{}" y="{y}">{letters}</text>"#, positions.join(" "));
    }
    for x in [-26.0, 1026.0] {
        let ranks = (0..Square::RANKS)
            .filter_map(|rank| Some((Square::new(0, rank)?, char::from(b'1' + rank))));
        let (positions, numbers): (Vec<String>, String) = ranks
            .map(|(square, number)| ((seat.center(square).y + 7.5).to_string(), number))
            .unzip();
        let column = vec![x.to_string(); positions.len()].join(" ");
        text += &format!(r#"<text x="{column}" y="{}">{numbers}</text>"#, positions.join(" "));
    }
    text + "</g>"
}

/// Draws the laser in the wall next to its player's corner.
fn laser(seat: Seat, color: Color) -> String {
    let corner = seat.center(Square::laser_corner(color));
    let (y, angle) = if corner.y > 400.0 { (800.0, 0) } else { (0.0, 180) };
    let (x, class) = (corner.x, pieces::class(color));
    format!(
        r#"<g class="laser {class}" transform="translate({x} {y}) rotate({angle})"><path class="laser-housing" d="M-34,38.5L-25,7Q-24,3 -20,3H20Q24,3 25,7L34,38.5Z"/><path class="laser-trim" d="M-27,31L-20.5,9H20.5L27,31"/><path class="laser-mouth" d="M-9,9V-2H9V9Z"/><circle class="lens-glow" cy="19" r="19"/><circle class="laser-socket" cy="19" r="11.5"/><circle class="lens" cy="19" r="8.5"/><circle class="lens-core" cy="19" r="4"/></g>"#
    )
}

/// Returns the point of a player's laser in the wall, where its beam starts.
pub fn laser_point(seat: Seat, color: Color) -> Point {
    let corner = seat.center(Square::laser_corner(color));
    Point::new(corner.x, if corner.y > 400.0 { 819.0 } else { -19.0 })
}

/// The gradients to which the style sheet refers, shared by all boards of a page.
pub const DEFINITIONS: &str = include_str!("gradients.svg");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_squares_have_a_sign() {
        for seat in Color::ALL.map(Seat::new) {
            let board = markup(seat, true);
            for color in Color::ALL {
                // Each sign has a shadow (`sign-cut`).
                assert_eq!(board.matches(sign(color)).count(), 2 * 10);
            }
            assert!(!board.contains("style="), "the content security policy forbids it");
        }
    }

    #[test]
    fn every_file_is_labelled_despite_the_lasers() {
        let labels = |lasers, letter| {
            let board = markup(Seat::new(Color::Red), lasers);
            let texts = board.split("<text").skip(1);
            texts
                .filter(|text| text.split(['>', '<']).nth(1).unwrap_or_default().contains(letter))
                .count()
        };
        assert_eq!([labels(true, 'a'), labels(true, 'e'), labels(true, 'j')], [1, 2, 1]);
        assert_eq!(labels(false, 'j'), 2);
    }
}

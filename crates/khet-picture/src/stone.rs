//! The board itself: wall, frame, squares with their signs, lasers and coordinates.

use khet::{Color, Square};

use crate::geometry::{Point, SIDE, Seat};
use crate::pieces;

/// The board without anything that changes in a game, as SVG. Where sphinxes carry the lasers, the
/// wall has none.
pub fn markup(seat: Seat, wall_lasers: bool) -> String {
    let mut text = String::with_capacity(24_000);
    text += r#"<rect class="wall" x="-40" y="-40" width="1080" height="880" rx="16"/>"#;
    text += r#"<rect class="wall-edge" x="-38.5" y="-38.5" width="1077" height="877" rx="14.5"/>"#;
    text += r#"<rect class="inlay" x="-12" y="-12" width="1024" height="824" rx="7"/>"#;
    text += r#"<rect class="bed" x="-7.5" y="-7.5" width="1015" height="815" rx="4"/>"#;
    for (x, y) in [(-12, -12), (1012, -12), (1012, 812), (-12, 812)] {
        text += &format!(r#"<path class="inlay-corner" d="M{x},{}l8,8l-8,8l-8,-8Z"/>"#, y - 8);
    }
    for (class, path) in stones(seat) {
        text += &format!(r#"<path class="{class}" d="{path}"/>"#);
    }
    text += &coordinates(seat, wall_lasers);
    if wall_lasers {
        text += &Color::ALL.map(|color| laser(seat, color)).concat();
    }
    text
}

/// The squares: one path for all that is of one kind, so that the page has few things to keep. Stones are never
/// quite alike: each has one of four shades of its own.
fn stones(seat: Seat) -> Vec<(String, String)> {
    let mut kinds: Vec<(String, String)> =
        KINDS.iter().map(|class| (class.to_string(), String::with_capacity(4_000))).collect();
    let mut add = |class: &str, path: String| {
        if let Some((_, paths)) = kinds.iter_mut().find(|(known, _)| known == class) {
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
        // Light along the upper left edges, shade along the others.
        add("stone-light", format!("M{},{}v-91h92", x + 2.4, y + 95.0));
        add("stone-shade", format!("M{},{}h92v-92", x + 5.0, y + 97.4));
        if let Some(color) = square.reserved_for() {
            let (class, sign) = (pieces::class(color), sign(color));
            add(&format!("tint {class}"), slab);
            add("sign-cut", format!("M{},{}{sign}", x + 50.0, y + 51.6));
            add(&format!("sign {class}"), format!("M{},{}{sign}", x + 50.0, y + 50.0));
        }
    }
    kinds
}

/// What squares consist of, in the order in which it lies on each other. The first shade is the stone's own.
const KINDS: [&str; 12] = [
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

/// The sign of the squares on which only one colour may stand, from its middle: an ankh for Silver, the eye of
/// Horus for Red.
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

/// Letters of the files and numbers of the ranks on all four sides, except where a laser sits. Each side is one
/// text whose letters have their own places.
fn coordinates(seat: Seat, wall_lasers: bool) -> String {
    let mut text = String::from(r#"<g class="coordinates">"#);
    let silver = seat.center(Square::J1).y > 400.0;
    for (y, bottom) in [(-18.5, false), (834.0, true)] {
        let corner = if bottom == silver { Square::J1 } else { Square::A8 };
        let files = (0..Square::FILES)
            .filter(|&file| !(wall_lasers && file == corner.file()))
            .filter_map(|file| Some((Square::new(file, 0)?, char::from(b'a' + file))));
        let (places, letters): (Vec<String>, String) =
            files.map(|(square, letter)| (seat.center(square).x.to_string(), letter)).unzip();
        text += &format!(r#"<text x="{}" y="{y}">{letters}</text>"#, places.join(" "));
    }
    for x in [-26.0, 1026.0] {
        let ranks = (0..Square::RANKS)
            .filter_map(|rank| Some((Square::new(0, rank)?, char::from(b'1' + rank))));
        let (places, numbers): (Vec<String>, String) = ranks
            .map(|(square, number)| ((seat.center(square).y + 7.5).to_string(), number))
            .unzip();
        let column = vec![x.to_string(); places.len()].join(" ");
        text += &format!(r#"<text x="{column}" y="{}">{numbers}</text>"#, places.join(" "));
    }
    text + "</g>"
}

/// A laser in the wall before its player's corner.
fn laser(seat: Seat, color: Color) -> String {
    let corner = seat.center(Square::laser_corner(color));
    let (y, mv) = if corner.y > 400.0 { (800.0, 0) } else { (0.0, 180) };
    let (x, class) = (corner.x, pieces::class(color));
    format!(
        r#"<g class="laser {class}" transform="translate({x} {y}) rotate({mv})"><path class="laser-housing" d="M-34,38.5L-25,7Q-24,3 -20,3H20Q24,3 25,7L34,38.5Z"/><path class="laser-trim" d="M-27,31L-20.5,9H20.5L27,31"/><path class="laser-mouth" d="M-9,9V-2H9V9Z"/><circle class="lens-glow" cy="19" r="19"/><circle class="laser-socket" cy="19" r="11.5"/><circle class="lens" cy="19" r="8.5"/><circle class="lens-core" cy="19" r="4"/></g>"#
    )
}

/// Where a player's laser sits in the wall, and where its light enters the board.
pub fn laser_point(seat: Seat, color: Color) -> Point {
    let corner = seat.center(Square::laser_corner(color));
    Point::new(corner.x, if corner.y > 400.0 { 819.0 } else { -19.0 })
}

/// What all boards of a page share: the gradients that their styles name.
pub const DEFINITIONS: &str = include_str!("gradients.svg");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_squares_carry_a_sign() {
        for seat in Color::ALL.map(Seat::new) {
            let board = markup(seat, true);
            for color in Color::ALL {
                // Cut and drawn.
                assert_eq!(board.matches(sign(color)).count(), 2 * 10);
            }
            assert!(!board.contains("style="), "the content security policy forbids it");
        }
    }

    #[test]
    fn every_file_is_named_although_lasers_take_room() {
        let named = |lasers, letter| {
            let board = markup(Seat::new(Color::Red), lasers);
            let texts = board.split("<text").skip(1);
            texts
                .filter(|text| text.split(['>', '<']).nth(1).unwrap_or_default().contains(letter))
                .count()
        };
        assert_eq!([named(true, 'a'), named(true, 'e'), named(true, 'j')], [1, 2, 1]);
        assert_eq!(named(false, 'j'), 2);
    }
}

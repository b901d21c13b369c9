//! The board itself: wall, frame, squares with their signs, lasers and coordinates.

use khet::{Color, Square};

use super::geometry::{Point, SIDE, Seat};
use super::pieces;

/// The board without anything that changes in a game, as SVG. Where sphinxes carry the lasers, the
/// wall has none.
pub(crate) fn markup(seat: Seat, wall_lasers: bool) -> String {
    let mut text = String::with_capacity(24_000);
    text += r#"<rect class="wall" x="-40" y="-40" width="1080" height="880" rx="16"/>"#;
    text += r#"<rect class="wall-edge" x="-38.5" y="-38.5" width="1077" height="877" rx="14.5"/>"#;
    text += r#"<rect class="inlay" x="-12" y="-12" width="1024" height="824" rx="7"/>"#;
    text += r#"<rect class="bed" x="-7.5" y="-7.5" width="1015" height="815" rx="4"/>"#;
    for (x, y) in [(-12, -12), (1012, -12), (1012, 812), (-12, 812)] {
        text += &format!(r#"<path class="inlay-corner" d="M{x},{}l8,8l-8,8l-8,-8Z"/>"#, y - 8);
    }
    for square in Square::all() {
        text += &stone(seat, square);
    }
    text += &coordinates(seat, wall_lasers);
    if wall_lasers {
        text += &Color::ALL.map(|color| laser(seat, color)).concat();
    }
    text
}

/// One square. Stones are never quite alike: each has one of four shades of its own.
fn stone(seat: Seat, square: Square) -> String {
    let Point { x, y } = seat.center(square).plus(-SIDE / 2.0, -SIDE / 2.0);
    let dark = (square.file() + square.rank()) % 2;
    let grain = (square.index() * 29 + square.index() / 7 * 13) % 4;
    let mut text = format!(
        r#"<rect class="stone-{dark}" x="{}" y="{}" width="97.6" height="97.6" rx="3.5"/>"#,
        x + 1.2,
        y + 1.2
    );
    let reserved = square.reserved_for();
    if let Some(color) = reserved {
        text += &format!(
            r#"<rect class="tint {}" x="{}" y="{}" width="97.6" height="97.6" rx="3.5"/>"#,
            pieces::class(color),
            x + 1.2,
            y + 1.2
        );
    }
    if grain > 0 {
        text += &format!(
            r#"<rect class="grain-{grain}" x="{}" y="{}" width="97.6" height="97.6" rx="3.5"/>"#,
            x + 1.2,
            y + 1.2
        );
    }
    // Light along the upper left edges, shade along the others.
    text += &format!(r#"<path class="stone-light" d="M{},{}v-91h92"/>"#, x + 2.4, y + 95.0);
    text += &format!(r#"<path class="stone-shade" d="M{},{}h92v-92"/>"#, x + 5.0, y + 97.4);
    if let Some(color) = reserved {
        let sign = sign(color);
        let class = pieces::class(color);
        let (x, y) = (x + 50.0, y + 50.0);
        text += &format!(
            r#"<g transform="translate({x} {})"><path class="sign-cut" d="{sign}"/></g>"#,
            y + 1.6
        );
        text += &format!(
            r#"<g transform="translate({x} {y})"><path class="sign {class}" d="{sign}"/></g>"#
        );
    }
    text
}

/// The sign of the squares on which only one colour may stand: an ankh for Silver, the eye of Horus
/// for Red.
fn sign(color: Color) -> &'static str {
    match color {
        Color::Silver => {
            "M0,-2C-13,-12 -13,-29 0,-29C13,-29 13,-12 0,-2ZM0,-2V28M-15,4H15M-4,28H4M-15,1V7M15,1V7"
        }
        Color::Red => {
            "M-29,-20Q-4,-31 27,-17M-27,0Q-4,-23 24,0Q-3,17 -27,0Z\
             M-8,-1a7,7 0 1 0 14,0a7,7 0 1 0 -14,0ZM-6,10V26M4,10Q9,26 21,26Q30,25 28,17Q25,13 22,17"
        }
    }
}

/// Letters of the files and numbers of the ranks on all four sides, except where a laser sits.
fn coordinates(seat: Seat, wall_lasers: bool) -> String {
    let mut text = String::from(r#"<g class="coordinates">"#);
    let laser_at = |square: Square, bottom: bool| {
        let silver = seat.center(Square::J1).y > 400.0;
        wall_lasers
            && (square.file() == 9 && bottom == silver || square.file() == 0 && bottom != silver)
    };
    for file in 0..Square::FILES {
        let Some(square) = Square::new(file, 0) else { continue };
        let x = seat.center(square).x;
        let letter = char::from(b'a' + file);
        for (y, bottom) in [(-18.5, false), (834.0, true)] {
            if !laser_at(square, bottom) {
                text += &format!(r#"<text x="{x}" y="{y}">{letter}</text>"#);
            }
        }
    }
    for rank in 0..Square::RANKS {
        let Some(square) = Square::new(0, rank) else { continue };
        let y = seat.center(square).y + 7.5;
        for x in [-26.0, 1026.0] {
            text += &format!(r#"<text x="{x}" y="{y}">{}</text>"#, rank + 1);
        }
    }
    text + "</g>"
}

/// A laser in the wall before its player's corner.
fn laser(seat: Seat, color: Color) -> String {
    let corner = seat.center(Square::laser_corner(color));
    let (y, turn) = if corner.y > 400.0 { (800.0, 0) } else { (0.0, 180) };
    let (x, class) = (corner.x, pieces::class(color));
    format!(
        r#"<g class="laser {class}" transform="translate({x} {y}) rotate({turn})"><path class="laser-housing" d="M-34,38.5L-25,7Q-24,3 -20,3H20Q24,3 25,7L34,38.5Z"/><path class="laser-trim" d="M-27,31L-20.5,9H20.5L27,31"/><path class="laser-mouth" d="M-9,9V-2H9V9Z"/><circle class="lens-glow" cy="19" r="19"/><circle class="laser-socket" cy="19" r="11.5"/><circle class="lens" cy="19" r="8.5"/><circle class="lens-core" cy="19" r="4"/></g>"#
    )
}

/// Where a player's laser sits in the wall, and where its light enters the board.
pub(crate) fn laser_point(seat: Seat, color: Color) -> Point {
    let corner = seat.center(Square::laser_corner(color));
    Point::new(corner.x, if corner.y > 400.0 { 819.0 } else { -19.0 })
}

/// What all boards of a page share: the gradients that their styles name.
pub(crate) const DEFINITIONS: &str = include_str!("gradients.svg");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_squares_carry_a_sign() {
        for seat in Color::ALL.map(Seat::new) {
            let board = markup(seat, true);
            assert_eq!(board.matches(r#"class="sign silver""#).count(), 10);
            assert_eq!(board.matches(r#"class="sign red""#).count(), 10);
            assert!(!board.contains("style="), "the content security policy forbids it");
        }
    }

    #[test]
    fn every_file_is_named_although_lasers_take_room() {
        let named = |lasers, letter| {
            let board = markup(Seat::new(Color::Red), lasers);
            board.matches(&format!(">{letter}</text>")).count()
        };
        assert_eq!([named(true, 'a'), named(true, 'e'), named(true, 'j')], [1, 2, 1]);
        assert_eq!(named(false, 'j'), 2);
    }
}

//! The pieces, seen from above, each drawn around the center of its square.
//!
//! Light falls from the upper left regardless of a piece's orientation, so every orientation is
//! drawn separately instead of rotated by the browser. Colours come from the style sheet. Shapes
//! distinguish the sides without colour: Silver's edges are rounded, Red's are cut and engraved.
//! The mirrors are the brightest part of each piece.

use khet::{Color, Corner, Diagonal, Direction, Kind, Piece};

use crate::geometry::{Point, path, short, vector_length};

/// Draws a piece. The caller puts it into a group with the class `silver` or `red`.
pub fn markup(piece: Piece) -> String {
    let color = piece.color();
    match piece.kind() {
        Kind::Pharaoh => pharaoh(color),
        Kind::Pyramid(corner) => pyramid(color, corner),
        Kind::Djed(line) => djed(color, line),
        Kind::Obelisk => obelisk(color),
        Kind::Stack => stack(color),
        Kind::Eye(line) => eye(color, line),
        Kind::Scarab(line) => scarab(color, line),
        Kind::Anubis(front) => anubis(color, front),
        Kind::Sphinx(fires) => sphinx(color, fires),
    }
}

/// Returns the class of a piece's group.
pub const fn class(color: Color) -> &'static str {
    match color {
        Color::Silver => "silver",
        Color::Red => "red",
    }
}

/// Shortens [`Point::new`] in the coordinates of the pieces.
const fn p(x: f64, y: f64) -> Point {
    Point::new(x, y)
}

/// Returns the tone of a slope that descends in a direction, from 0 (bright) to 4 (shaded).
fn tone(x: f64, y: f64) -> u8 {
    let length = vector_length(x, y).max(f64::EPSILON);
    let brightness = (-0.6 * x - 0.8 * y) / length;
    match brightness {
        value if value > 0.65 => 0,
        value if value > 0.2 => 1,
        value if value > -0.2 => 2,
        value if value > -0.65 => 3,
        _ => 4,
    }
}

/// Returns a closed outline with the corners of a side: rounded for Silver, cut for Red.
fn outline(color: Color, points: &[Point], corner: f64) -> String {
    let mut text = String::new();
    let count = points.len();
    for (index, &at) in points.iter().enumerate() {
        let near = |other: Point| {
            let share = (corner / at.distance(other).max(f64::EPSILON)).min(0.5);
            p(at.x + (other.x - at.x) * share, at.y + (other.y - at.y) * share)
        };
        let before = near(points[(index + count - 1) % count]);
        let after = near(points[(index + 1) % count]);
        let command = if index == 0 { 'M' } else { 'L' };
        text += &match color {
            Color::Silver => format!("{command}{before}Q{at} {after}"),
            Color::Red => format!("{command}{before}L{after}"),
        };
    }
    text + "Z"
}

/// Draws the shadow of an outline.
fn shadow(outline: &str) -> String {
    format!(
        r#"<path class="shadow far" transform="translate(2 7)" d="{outline}"/><path class="shadow" transform="translate(1 4)" d="{outline}"/>"#
    )
}

/// Draws a path with a class.
fn shape(class: &str, outline: &str) -> String {
    format!(r#"<path class="{class}" d="{outline}"/>"#)
}

/// Draws a face whose tone depends on the direction in which it descends.
fn facet(points: &[Point], x: f64, y: f64) -> String {
    shape(&format!("tone-{}", tone(x, y)), &(path(points) + "Z"))
}

/// Draws an open line.
fn line(class: &str, points: &[Point]) -> String {
    shape(class, &path(points))
}

/// Draws a mirror along a line: glow, dark frame, ice-blue band and white core.
fn mirror(from: Point, to: Point) -> String {
    let d = path(&[from, to]);
    ["mirror-glow", "mirror-frame", "mirror", "mirror-core"].map(|class| shape(class, &d)).concat()
}

/// Draws a circle.
fn circle(class: &str, at: Point, radius: f64) -> String {
    let (x, y) = (short(at.x), short(at.y));
    format!(r#"<circle class="{class}" cx="{x}" cy="{y}" r="{}"/>"#, short(radius))
}

/// Returns the corners of a square around a point, clockwise from the upper left.
fn corners(at: Point, half: f64) -> [Point; 4] {
    [at.plus(-half, -half), at.plus(half, -half), at.plus(half, half), at.plus(-half, half)]
}

/// Draws a disc around the center: a circle for Silver, an octagon for Red.
fn disc(class: &str, color: Color, radius: f64) -> String {
    match color {
        Color::Silver => circle(class, p(0.0, 0.0), radius),
        Color::Red => shape(class, &octagon(radius)),
    }
}

/// Returns the outline of an octagon.
fn octagon(radius: f64) -> String {
    let points: Vec<Point> =
        (0..8).map(|eighth| around(f64::from(eighth) + 0.5, 8.0, radius * 1.06)).collect();
    path(&points) + "Z"
}

/// Returns the point on a circle at the fraction `part / of` of a full rotation, clockwise from the
/// top.
///
/// Uses the first terms of the series of sine and cosine, which are exact enough up to an eighth of
/// a rotation; the standard functions would add 8 KB to the app.
fn around(part: f64, of: f64, radius: f64) -> Point {
    let quarters = (part / of * 4.0).round();
    let angle = (part / of - quarters / 4.0) * std::f64::consts::TAU;
    let square = angle * angle;
    let sine = angle * (1.0 - square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0)));
    let cosine = 1.0 - square / 2.0 * (1.0 - square / 12.0 * (1.0 - square / 30.0));
    p(radius * sine, -radius * cosine).rotated((quarters as i8 & 3) as u8)
}

fn pharaoh(color: Color) -> String {
    let mut text = match color {
        Color::Silver => shadow("M-40,0a40,40 0 1 0 80,0a40,40 0 1 0 -80,0Z"),
        Color::Red => shadow(&octagon(40.0)),
    };
    text += &disc("metal edge", color, 40.0);
    text += &disc("metal-back", color, 34.5);
    text += &disc("ink", color, 32.0);
    // The collar of golden petals.
    let (petals, wide) = match color {
        Color::Silver => (16, 0.36),
        Color::Red => (8, 0.42),
    };
    for petal in 0..petals {
        let (at, of) = (f64::from(petal), f64::from(petals));
        let tip = around(at, of, 30.0);
        let (left, right) = (around(at - wide, of, 24.0), around(at + wide, of, 24.0));
        let foot = around(at, of, 15.0);
        let petal = match color {
            Color::Silver => format!("M{foot}L{left}Q{tip} {right}Z"),
            Color::Red => path(&[foot, left, tip, right]) + "Z",
        };
        text += &shape("gold", &petal);
    }
    text += &disc("metal edge", color, 17.0);
    text += &circle("gold-setting", p(0.0, 0.0), 9.5);
    text += &circle("gold-orb", p(0.0, 0.0), 7.5);
    text
}

fn pyramid(color: Color, corner: Corner) -> String {
    let quarters = corner as u8;
    let at = |x: f64, y: f64| p(x, y).rotated(quarters);
    // Drawn for a mirror that faces north-east: the body fills the lower left half.
    let (west, south) = (p(-1.0, 0.0).rotated(quarters), p(0.0, 1.0).rotated(quarters));
    let (top, foot, right) = (at(-41.0, -38.0), at(-41.0, 41.0), at(38.0, 41.0));
    let apex = at(-9.0, 9.0);
    let body = outline(color, &[top, foot, right], 8.0);
    let mut text = shadow(&body);
    text += &shape("tone-2 edge", &body);
    let inset = |x: f64, y: f64| at(x, y);
    let (t, f, r) = (inset(-37.5, -31.0), inset(-37.5, 37.5), inset(31.0, 37.5));
    text += &facet(&[t, f, apex], west.x, west.y);
    text += &facet(&[f, r, apex], south.x, south.y);
    // The slope with the mirror.
    text += &shape("mirror-face", &(path(&[top, apex, right]) + "Z"));
    text += &line("ridge", &[f, apex]);
    if color == Color::Red {
        for (share, class) in [(0.34, "engraved"), (0.66, "engraved")] {
            let towards = |from: Point| {
                p(from.x + (apex.x - from.x) * share, from.y + (apex.y - from.y) * share)
            };
            text += &line(class, &[towards(t), towards(f), towards(r)]);
        }
    }
    text + &mirror(at(-42.0, -42.0), at(42.0, 42.0))
}

/// Returns a function from coordinates along and across a diagonal bar to points.
fn bar(line: Diagonal) -> impl Fn(f64, f64) -> Point {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    move |along, across| match line {
        // `\` runs from the upper left to the lower right.
        Diagonal::Falling => p((along - across) * half, (along + across) * half),
        // `/` runs from the lower left to the upper right.
        Diagonal::Rising => p((along + across) * half, (across - along) * half),
    }
}

/// Draws a bar on a diagonal whose top has a bright and a shaded half.
fn bar_body(color: Color, line: Diagonal, length: f64, width: f64) -> String {
    let at = bar(line);
    let ends = [at(-length, -width), at(length, -width), at(length, width), at(-length, width)];
    let body = outline(color, &ends, width * 0.8);
    let mut text = shadow(&body) + &shape("tone-3 edge", &body);
    for side in [-1.0, 1.0] {
        let out = at(0.0, side);
        let tip = length - width * 0.75;
        let half = [
            at(-tip, side * width),
            at(tip, side * width),
            at(length - 2.0, 0.0),
            at(2.0 - length, 0.0),
        ];
        text += &facet(&half, out.x, out.y);
    }
    text
}

/// Draws the mirrors on both long sides of a bar.
fn bar_mirrors(line: Diagonal, length: f64, width: f64) -> String {
    let at = bar(line);
    [-width, width].map(|side| mirror(at(-length, side), at(length, side))).concat()
}

fn djed(color: Color, line: Diagonal) -> String {
    let at = bar(line);
    let mut text = bar_body(color, line, 52.0, 13.0);
    for along in [-25.0, -13.0, 13.0, 25.0] {
        let band = [
            at(along - 3.6, -11.0),
            at(along + 3.6, -11.0),
            at(along + 3.6, 11.0),
            at(along - 3.6, 11.0),
        ];
        text += &shape("gold", &(path(&band) + "Z"));
    }
    text + &bar_mirrors(line, 41.0, 14.0)
}

fn eye(color: Color, line: Diagonal) -> String {
    let at = bar(line);
    let ends = [at(-52.0, -12.0), at(52.0, -12.0), at(52.0, 12.0), at(-52.0, 12.0)];
    let body = outline(color, &ends, 9.6);
    let mut text = shadow(&body) + &shape("glass", &body);
    // Caps in the owner's colour at both ends of the glass.
    for end in [-1.0, 1.0] {
        let cap = [
            at(end * 36.0, -12.5),
            at(end * 52.0, -12.5),
            at(end * 52.0, 12.5),
            at(end * 36.0, 12.5),
        ];
        let out = at(end, 0.0);
        let class = format!("tone-{} edge", tone(out.x, out.y).clamp(1, 3));
        text += &shape(&class, &outline(color, &cap, 8.0));
    }
    for side in [-12.5, 12.5] {
        text += &half_mirror(at(-35.0, side), at(35.0, side));
    }
    let (left, right) = (at(-31.0, 0.0), at(31.0, 0.0));
    let lid = format!("M{left}Q{} {right}Q{} {left}Z", at(0.0, -31.0), at(0.0, 31.0));
    text += &shape("eye-white", &lid);
    text += &circle("eye-iris", p(0.0, 0.0), 11.0);
    text += &circle("eye-pupil", p(0.0, 0.0), 5.0);
    text += &shape("eye-lid", &lid);
    text
}

/// Draws a half mirror of the beam splitter: thinner than a mirror, and without a white core.
fn half_mirror(from: Point, to: Point) -> String {
    let d = path(&[from, to]);
    ["mirror-frame thin", "mirror thin"].map(|class| shape(class, &d)).concat()
}

fn scarab(color: Color, line: Diagonal) -> String {
    let at = bar(line);
    let mut text = bar_body(color, line, 52.0, 12.0);
    // Feathers of the spread wings.
    for along in [-42.0, -33.0, -24.0, 24.0, 33.0, 42.0f64] {
        let lean = along.signum() * 4.0;
        text += &shape(
            "feather",
            &path(&[at(along - lean, -11.0), at(along, 0.0), at(along - lean, 11.0)]),
        );
    }
    text += &bar_mirrors(line, 41.0, 13.0);
    text += &disc("shadow", color, 23.0);
    text += &disc("gold-setting", color, 22.0);
    text += &disc("metal edge", color, 19.5);
    // The wing cases, and the head at one end of the bar.
    text += &shape("seam", &path(&[at(-9.0, -16.0), at(-9.0, 16.0)]));
    text += &shape("seam", &path(&[at(-9.0, 0.0), at(18.0, 0.0)]));
    text += &circle("gold-orb", at(-14.0, 0.0), 3.6);
    text
}

/// Draws the block of an obelisk around a point: four slopes and a golden tip.
fn block(color: Color, at: Point, half: f64) -> String {
    let outer = corners(at, half);
    let inner = corners(at, half * 0.5);
    let body = outline(color, &outer, half * 0.26);
    let mut text = shape("tone-2 edge", &body);
    let slopes = corners(at, half - 2.5);
    for side in 0..4 {
        let next = (side + 1) % 4;
        let out = p(0.0, -1.0).rotated(side as u8);
        let cut = |corner: usize, other: usize| {
            let share = 0.12;
            let (from, to) = (slopes[corner], slopes[other]);
            p(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share)
        };
        let points = [cut(side, next), cut(next, side), inner[next], inner[side]];
        text += &facet(&points, out.x, out.y);
    }
    if color == Color::Red {
        text += &shape("engraved", &(path(&corners(at, half * 0.74)) + "Z"));
    }
    text += &shape("metal edge", &(path(&inner) + "Z"));
    // The golden tip, a small pyramid.
    let gold = half * 0.34;
    let tips = corners(at, gold);
    for side in 0..4 {
        let out = p(0.0, -1.0).rotated(side as u8);
        let points = [tips[side], tips[(side + 1) % 4], at];
        text += &shape(&format!("gold-{}", tone(out.x, out.y)), &(path(&points) + "Z"));
    }
    text
}

fn obelisk(color: Color) -> String {
    let half = 31.0;
    shadow(&outline(color, &corners(p(0.0, 0.0), half), half * 0.26))
        + &block(color, p(0.0, 0.0), half)
}

fn stack(color: Color) -> String {
    let (lower, upper, half) = (p(3.0, 4.0), p(-5.0, -7.0), 34.0);
    let base = outline(color, &corners(lower, half + 2.0), half * 0.26);
    let mut text = shadow(&base) + &shape("tone-4 edge", &base);
    text +=
        &shape("step", &outline(color, &corners(lower.plus(-1.0, -1.0), half - 1.0), half * 0.26));
    let top = outline(color, &corners(upper, half), half * 0.26);
    text += &format!(r#"<path class="shadow deep" transform="translate(4 6)" d="{top}"/>"#);
    text += &block(color, upper, half);
    text += &circle("badge", p(29.0, 29.0), 13.5);
    text + r#"<text class="badge-number" x="29" y="36.4">2</text>"#
}

fn anubis(color: Color, front: Direction) -> String {
    let quarters = front as u8;
    let at = |x: f64, y: f64| p(x, y).rotated(quarters);
    let body =
        outline(color, &[at(-29.0, -26.0), at(29.0, -26.0), at(33.0, 38.0), at(-33.0, 38.0)], 11.0);
    let mut text = shadow(&body) + &shape("tone-2 edge", &body);
    let slopes = [
        ([at(-26.0, -22.0), at(26.0, -22.0), at(17.0, -10.0), at(-17.0, -10.0)], at(0.0, -1.0)),
        ([at(26.5, -20.0), at(30.0, 33.0), at(19.0, 24.0), at(17.0, -10.0)], at(1.0, 0.0)),
        ([at(27.0, 35.5), at(-27.0, 35.5), at(-19.0, 24.0), at(19.0, 24.0)], at(0.0, 1.0)),
        ([at(-30.0, 33.0), at(-26.5, -20.0), at(-17.0, -10.0), at(-19.0, 24.0)], at(-1.0, 0.0)),
    ];
    for (points, out) in slopes {
        text += &facet(&points, out.x, out.y);
    }
    text += &shape(
        "metal edge",
        &(path(&[at(-17.0, -10.0), at(17.0, -10.0), at(19.0, 24.0), at(-19.0, 24.0)]) + "Z"),
    );
    // The jackal's head, with its muzzle to the front.
    let head = [
        at(0.0, -23.0),
        at(5.0, -20.0),
        at(7.0, -3.0),
        at(14.0, 6.0),
        at(17.0, 27.0),
        at(6.0, 14.0),
        at(-6.0, 14.0),
        at(-17.0, 27.0),
        at(-14.0, 6.0),
        at(-7.0, -3.0),
        at(-5.0, -20.0),
    ];
    text += &shape("jackal", &(path(&head) + "Z"));
    text += &shape("gold", &(path(&[at(12.6, 10.0), at(14.8, 21.0), at(8.8, 13.8)]) + "Z"));
    text += &shape("gold", &(path(&[at(-12.6, 10.0), at(-14.8, 21.0), at(-8.8, 13.8)]) + "Z"));
    text += &circle("gold-orb", at(5.4, 3.0), 2.2);
    text += &circle("gold-orb", at(-5.4, 3.0), 2.2);
    // The shield covers the whole front; it is matt because it does not reflect.
    let shield = format!(
        "M{}Q{} {}L{}Q{} {}Z",
        at(-44.0, -30.0),
        at(0.0, -52.0),
        at(44.0, -30.0),
        at(42.0, -19.0),
        at(0.0, -37.0),
        at(-42.0, -19.0),
    );
    text += &shadow(&shield);
    text += &shape("shield", &shield);
    text += &shape(
        "shield-ridge",
        &format!("M{}Q{} {}", at(-41.0, -26.0), at(0.0, -45.5), at(41.0, -26.0)),
    );
    for x in [-30.0, -15.0, 0.0, 15.0, 30.0f64] {
        text += &circle("rivet", at(x, -35.2 + x * x / 118.0), 2.4);
    }
    text
}

fn sphinx(color: Color, fires: Direction) -> String {
    let quarters = fires as u8;
    let at = |x: f64, y: f64| p(x, y).rotated(quarters);
    let body = outline(
        color,
        &[
            at(-13.0, -40.0),
            at(-32.0, -40.0),
            at(-33.0, -4.0),
            at(-38.0, 14.0),
            at(-34.0, 40.0),
            at(34.0, 40.0),
            at(38.0, 14.0),
            at(33.0, -4.0),
            at(32.0, -40.0),
            at(13.0, -40.0),
            at(13.0, -16.0),
            at(-13.0, -16.0),
        ],
        9.0,
    );
    let mut text = shadow(&body) + &shape("metal edge", &body);
    // Haunches and toes.
    for side in [-1.0, 1.0] {
        text += &shape(
            "seam",
            &format!(
                "M{}Q{} {}",
                at(side * 21.0, 39.0),
                at(side * 20.0, 20.0),
                at(side * 36.0, 14.0)
            ),
        );
        for toe in [18.0, 22.5, 27.0] {
            text += &shape("seam", &path(&[at(side * toe, -39.0), at(side * toe, -33.0)]));
        }
    }
    // The laser between the paws.
    let barrel = [at(-9.0, -20.0), at(-9.0, -38.0), at(9.0, -38.0), at(9.0, -20.0)];
    text += &shape("ink", &outline(color, &barrel, 3.0));
    text += &circle("lens-glow", at(0.0, -34.0), 13.0);
    text += &circle("lens", at(0.0, -34.0), 6.5);
    text += &circle("lens-core", at(0.0, -34.0), 3.0);
    // The head with its striped cloth.
    let cloth = outline(
        color,
        &[
            at(-13.0, -18.0),
            at(13.0, -18.0),
            at(25.0, 20.0),
            at(9.0, 26.0),
            at(-9.0, 26.0),
            at(-25.0, 20.0),
        ],
        5.0,
    );
    text += &shadow(&cloth);
    text += &shape("ink", &cloth);
    for (y, half) in [(-11.0, 13.0), (-4.0, 15.5), (3.0, 17.5), (10.0, 19.5), (17.0, 21.0)] {
        text += &shape("stripe", &path(&[at(-half, y + 3.0), at(0.0, y - 2.0), at(half, y + 3.0)]));
    }
    let face = outline(color, &[at(-9.0, -22.0), at(9.0, -22.0), at(9.0, 2.0), at(-9.0, 2.0)], 6.0);
    text += &shape("metal edge", &face);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_on_a_circle_are_exact_enough_for_drawings() {
        for part in 0..64 {
            let angle = f64::from(part) / 64.0 * std::f64::consts::TAU;
            let exact = p(40.0 * angle.sin(), -40.0 * angle.cos());
            assert!(around(f64::from(part), 64.0, 40.0).distance(exact) < 0.02, "{part}");
        }
    }

    #[test]
    fn every_piece_has_a_different_drawing() {
        let pictures: Vec<String> = Piece::all().map(markup).collect();
        for (index, picture) in pictures.iter().enumerate() {
            assert!(!pictures[..index].contains(picture), "{picture}");
            assert!(!picture.contains("style="), "the content security policy forbids it");
        }
    }

    #[test]
    fn pyramid_has_its_mirror_on_the_side_it_faces() {
        let mirror = |corner| {
            let piece = Piece::new(Color::Silver, Kind::Pyramid(corner));
            markup(piece).contains(r#"class="mirror" d="M-42,-42L42,42""#)
                || markup(piece).contains(r#"class="mirror" d="M42,42L-42,-42""#)
        };
        assert_eq!(Corner::ALL.map(mirror), [true, false, true, false]);
    }

    #[test]
    fn slopes_towards_the_light_are_brighter() {
        assert_eq!(tone(0.0, -1.0), 0);
        assert_eq!(tone(-1.0, 0.0), 1);
        assert_eq!(tone(1.0, 0.0), 3);
        assert_eq!(tone(0.0, 1.0), 4);
    }
}

//! The picture that stands for a link in messages: a board in the middle of the night, and the beam of the mark.

use khet::{Color, Corner, Kind, Piece, Position};

use crate::geometry::{Point, SIZE, WALL};
use crate::paint::{Theme, paint, value};
use crate::png::{PngError, pixels};
use crate::{Picture, light, pieces, stone};

/// The size that messages want, in pixels.
const WIDTH: u32 = 1200;
const HEIGHT: u32 = 630;
/// How much of the height the board takes.
const BOARD: f64 = 562.0;

/// A position, with the beam of the side to move, as a PNG of 1200 by 630 pixels.
///
/// # Errors
///
/// None is known: the drawing is the program's own.
pub fn preview(position: &Position) -> Result<Vec<u8>, PngError> {
    pixels(&svg(position), WIDTH, HEIGHT)
}

fn svg(position: &Position) -> String {
    let theme = Theme::Night;
    let [ground, far] = ["--ground", "--ground-far"].map(|name| value(name, theme));
    let scale = BOARD / SIZE.1;
    let x = (f64::from(WIDTH) - SIZE.0 * scale) / 2.0 + WALL * scale;
    let y = (f64::from(HEIGHT) - BOARD) / 2.0 + WALL * scale;
    let board = Picture::new(position).beam(position.side_to_move()).drawing();
    // The mark: a beam from below, which a pyramid turns to the right, and which goes on behind the board.
    let pyramid = Piece::new(Color::Red, Kind::Pyramid(Corner::SouthEast));
    let (middle, below, right) =
        (Point::default(), Point::new(0.0, 400.0), Point::new(1300.0, 0.0));
    let mark = format!(
        r#"<g transform="translate(126 315) scale(.9)"><g class="red">{}</g><g class="silver">{}{}{}</g></g>"#,
        pieces::markup(pyramid),
        light::beam(below, middle),
        light::beam(middle, right),
        light::STAR,
    );
    paint(
        &format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" class="board art" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">{}<radialGradient id="khet-night" cx=".5" cy=".42" r=".8"><stop offset="0" stop-color="{ground}"/><stop offset="1" stop-color="{far}"/></radialGradient><rect width="{WIDTH}" height="{HEIGHT}" fill="url(#khet-night)"/>{mark}<g transform="translate({x} {y}) scale({scale})">{board}</g></svg>"#,
            stone::DEFINITIONS,
        ),
        theme,
    )
}

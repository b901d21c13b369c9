//! The picture that stands for a link in messages: a board in the middle of the night, and the beam of the mark.

use khet::Position;

use crate::geometry::{SIZE, WALL};
use crate::paint::{Theme, paint, value};
use crate::png::{PngError, pixels};
use crate::{Picture, stone};

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
    let [ground, far, beam, gold] =
        ["--ground", "--ground-far", "--beam", "--gold"].map(|name| value(name, theme));
    let scale = BOARD / SIZE.1;
    let x = (f64::from(WIDTH) - SIZE.0 * scale) / 2.0 + WALL * scale;
    let y = (f64::from(HEIGHT) - BOARD) / 2.0 + WALL * scale;
    let board = Picture::new(position).beam(position.side_to_move()).drawing();
    // The mark, larger: a beam from below, which a pyramid turns to the right, behind the board.
    let way = "M126,640V315H1210";
    let mark = format!(
        r##"<g fill="none" stroke="{beam}" stroke-linejoin="round"><path d="{way}" stroke-width="34" opacity=".06"/><path d="{way}" stroke-width="18" opacity=".14"/><path d="{way}" stroke-width="8" opacity=".5"/><path d="{way}" stroke="#ffffff" stroke-width="2.6" opacity=".9"/></g><path d="M82,271H170L82,359Z" fill="{gold}" opacity=".92"/><path d="M170,271L82,359" fill="none" stroke="#0b2a3a" stroke-width="11" stroke-linecap="round"/><path d="M170,271L82,359" fill="none" stroke="{beam}" stroke-width="7.5" stroke-linecap="round"/><path d="M170,271L82,359" fill="none" stroke="#ffffff" stroke-width="3" stroke-linecap="round"/>"##
    );
    paint(
        &format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" class="board art" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">{}<radialGradient id="khet-night" cx=".5" cy=".42" r=".8"><stop offset="0" stop-color="{ground}"/><stop offset="1" stop-color="{far}"/></radialGradient><rect width="{WIDTH}" height="{HEIGHT}" fill="url(#khet-night)"/>{mark}<g transform="translate({x} {y}) scale({scale})">{board}</g></svg>"#,
            stone::DEFINITIONS,
        ),
        theme,
    )
}

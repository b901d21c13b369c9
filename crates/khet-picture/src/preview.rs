//! The preview image of a link in messages: the board, and the app's logo, whose beam passes
//! beneath the board.

use khet::{Color, Corner, GamePosition, Kind, Piece};

use crate::beam_path::BEAM;
use crate::geometry::{Point, SIZE, WALL};
use crate::paint::{Theme, paint};
use crate::png::{PngError, render};
use crate::{Picture, light, pieces, stone};

/// The size in pixels that messengers and social networks expect.
const PREVIEW_WIDTH: u32 = 1200;
const PREVIEW_HEIGHT: u32 = 630;
/// The height of the board.
const BOARD_HEIGHT: f64 = 562.0;
/// The app's background: `--ground` and `--ground-far` of the dark theme.
const GROUND: &str = "#101217";
const GROUND_FAR: &str = "#0b0c10";

/// Renders a position with the shot of the side to move as a PNG of 1200 by 630 pixels.
///
/// # Errors
///
/// None is expected, because the drawing comes from this crate.
pub fn preview<P: GamePosition>(position: &P) -> Result<Vec<u8>, PngError> {
    render(&preview_svg(position), PREVIEW_WIDTH, PREVIEW_HEIGHT)
}

/// Draws the preview as SVG.
fn preview_svg<P: GamePosition>(position: &P) -> String {
    let scale = BOARD_HEIGHT / SIZE.1;
    let x = (f64::from(PREVIEW_WIDTH) - SIZE.0 * scale) / 2.0 + WALL * scale;
    let y = (f64::from(PREVIEW_HEIGHT) - BOARD_HEIGHT) / 2.0 + WALL * scale;
    let board = Picture::new(position).beam(position.side_to_move()).drawing();
    // The logo: a pyramid reflects a beam from below to the right, beneath the board.
    let pyramid = Piece::new(Color::Red, Kind::Pyramid(Corner::SouthEast));
    let (middle, below, right) =
        (Point::default(), Point::new(0.0, 400.0), Point::new(1300.0, 0.0));
    let logo = format!(
        r#"<g transform="translate(126 315) scale(.9)"><g class="red">{}</g><g class="silver">{}{}{}</g></g>"#,
        pieces::markup(pyramid),
        light::beam(below, middle, BEAM),
        light::beam(middle, right, BEAM),
        light::STAR,
    );
    paint(
        &format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" class="board art" viewBox="0 0 {PREVIEW_WIDTH} {PREVIEW_HEIGHT}" width="{PREVIEW_WIDTH}" height="{PREVIEW_HEIGHT}">{}<radialGradient id="khet-night" cx=".5" cy=".42" r=".8"><stop offset="0" stop-color="{GROUND}"/><stop offset="1" stop-color="{GROUND_FAR}"/></radialGradient><rect width="{PREVIEW_WIDTH}" height="{PREVIEW_HEIGHT}" fill="url(#khet-night)"/>{logo}<g transform="translate({x} {y}) scale({scale})">{board}</g></svg>"#,
            stone::DEFINITIONS,
        ),
        Theme::Dark,
    )
}

#[cfg(test)]
mod tests {
    use super::{GROUND, GROUND_FAR};

    #[test]
    fn background_is_the_apps() {
        let tokens = include_str!("../../khet-web/style/tokens.css");
        assert!(tokens.contains(&format!("--ground: {GROUND};")));
        assert!(tokens.contains(&format!("--ground-far: {GROUND_FAR};")));
    }
}

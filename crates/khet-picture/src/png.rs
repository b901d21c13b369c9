//! Rendering of pictures as PNG.

use std::fmt;

use khet::GamePosition;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::Picture;
use crate::geometry::SIZE;

/// The greatest width in pixels.
const MAX_WIDTH: u32 = 8192;

/// An error of rendering a picture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PngError {
    /// The width is zero or too large.
    Width(u32),
    /// The SVG cannot be rendered.
    Drawing(String),
}

impl fmt::Display for PngError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PngError::Width(width) => {
                write!(f, "{width}: a picture is 1 to {MAX_WIDTH} pixels wide")
            }
            PngError::Drawing(why) => write!(f, "the picture cannot be drawn: {why}"),
        }
    }
}

impl std::error::Error for PngError {}

impl<P: GamePosition> Picture<P> {
    /// Returns the picture as PNG of the given width in pixels.
    ///
    /// # Errors
    ///
    /// If the width is too small or too large.
    pub fn to_png(&self, width: u32) -> Result<Vec<u8>, PngError> {
        if !(1..=MAX_WIDTH).contains(&width) {
            return Err(PngError::Width(width));
        }
        let height = (f64::from(width) * SIZE.1 / SIZE.0).round().max(1.0) as u32;
        render(&self.to_svg(), width, height)
    }
}

/// Renders an SVG document in a size in pixels.
pub(crate) fn render(svg: &str, width: u32, height: u32) -> Result<Vec<u8>, PngError> {
    let drawing = |why: &dyn fmt::Display| PngError::Drawing(why.to_string());
    let tree = Tree::from_str(svg, &Options::default()).map_err(|error| drawing(&error))?;
    let mut pixels = Pixmap::new(width, height).ok_or(PngError::Width(width))?;
    let size = tree.size();
    let (x, y) = (width as f32 / size.width(), height as f32 / size.height());
    resvg::render(&tree, Transform::from_scale(x, y), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| drawing(&error))
}

#[cfg(test)]
mod tests {
    use khet::{Color, Setup, tower};
    use resvg::tiny_skia::Pixmap;

    use super::PngError;
    use crate::{Picture, Theme, preview};

    fn colors(png: &[u8]) -> (u32, u32, impl Fn(u32, u32) -> [u8; 4]) {
        let pixels = Pixmap::decode_png(png).expect("a PNG");
        let (width, height) = (pixels.width(), pixels.height());
        let at = move |x, y| {
            let color = pixels.pixel(x, y).expect("a pixel").demultiply();
            [color.red(), color.green(), color.blue(), color.alpha()]
        };
        (width, height, at)
    }

    #[test]
    fn beam_brightens_the_squares_it_crosses() {
        let position = Setup::Classic.position();
        let without = Picture::new(&position).to_png(540).expect("a picture");
        let with = Picture::new(&position).beam(Color::Silver).to_png(540).expect("a picture");
        let ((width, height, without), (_, _, with)) = (colors(&without), colors(&with));
        assert_eq!((width, height), (540, 440));
        // The center of i4, which Silver's beam crosses.
        let (x, y) = ((850 + 40) / 2, (450 + 40) / 2);
        assert!(without(x, y)[1] < 60, "{:?}", without(x, y));
        assert!(with(x, y)[1] > 200, "{:?}", with(x, y));
    }

    #[test]
    fn squares_and_beams_beneath_the_tower_stay_visible() {
        let position = |text: &str| text.parse::<tower::Position>().expect("a position");
        let beneath = position("4k5/10/10/10/9P3/10/10/4K5+e4:6/6/6/6/6/6 s");
        let without = Picture::new(&beneath).to_png(540).expect("a picture");
        let with = Picture::new(&beneath).beam(Color::Silver).to_png(540).expect("a picture");
        let (without, with) = (colors(&without).2, colors(&with).2);
        // The centers of g4 on the ground and of G4 above it; the beam crosses both.
        for (x, y) in [(650, 450), (678, 412)] {
            let (x, y) = ((x + 40) / 2, (y + 40) / 2);
            assert!(with(x, y)[2] > without(x, y)[2] + 60, "{:?}", with(x, y));
        }
    }

    #[test]
    fn light_theme_is_brighter() {
        let position = Setup::Classic.position();
        let stone = |theme| {
            let png = Picture::new(&position).theme(theme).to_png(540).expect("a picture");
            colors(&png).2(45, 45 + 50)[0]
        };
        assert!(stone(Theme::Light) > 150 && stone(Theme::Dark) < 80);
    }

    #[test]
    fn coordinates_are_drawn_without_fonts() {
        let png = Picture::new(&Setup::Classic.position()).to_png(1080).expect("a picture");
        let (_, _, at) = colors(&png);
        // The area around the rank number 5 on the left.
        let brightest = (4..24).flat_map(|x| (375..405).map(move |y| (x, y)));
        assert!(brightest.map(|(x, y)| at(x, y)[0]).max() > Some(150));
    }

    #[test]
    fn impossible_widths_are_rejected() {
        let picture = Picture::new(&Setup::Classic.position());
        assert_eq!(picture.to_png(0), Err(PngError::Width(0)));
        assert_eq!(picture.to_png(1_000_000), Err(PngError::Width(1_000_000)));
    }

    #[test]
    fn preview_has_its_fixed_size() {
        let png = preview(&Setup::Osiris.position()).expect("a picture");
        let (width, height, at) = colors(&png);
        assert_eq!((width, height), (1200, 630));
        assert_eq!(at(0, 0)[3], 255);
    }
}

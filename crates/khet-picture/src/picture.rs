//! A board as a file of its own: for pages that can't run the app, for messages and for print.

use khet::{Color, Move, Position, Role, Shot};

use crate::geometry::{SIZE, Seat, VIEW_BOX};
use crate::paint::{Theme, paint};
use crate::{light, marks, pieces, stone};

/// A position to be drawn, and how.
///
/// ```
/// use khet::{Color, Setup};
/// use khet_picture::Picture;
///
/// let position = Setup::Dynasty.position();
/// let svg = Picture::new(&position).bottom(Color::Red).width(540).to_svg();
/// assert!(svg.contains(r#"width="540" height="440""#));
/// ```
#[derive(Clone, Debug)]
pub struct Picture {
    position: Position,
    bottom: Color,
    theme: Theme,
    shot: Option<Shot>,
    last: Option<Move>,
    width: u32,
}

impl Picture {
    /// A position from Silver's side, at night.
    pub fn new(position: &Position) -> Picture {
        Picture {
            position: *position,
            bottom: Color::Silver,
            theme: Theme::Night,
            shot: None,
            last: None,
            width: SIZE.0 as u32,
        }
    }

    /// The moment of a legal move's shot: the move is marked, the beam shines, and what it hits still stands.
    pub fn of_move(before: &Position, mv: Move) -> Picture {
        let position = before.before_shot(mv);
        let picture = Picture::new(&position).last(mv);
        picture.beam(position.side_to_move())
    }

    /// Whose side is at the bottom.
    #[must_use]
    pub fn bottom(self, bottom: Color) -> Picture {
        Picture { bottom, ..self }
    }

    /// By night or by day.
    #[must_use]
    pub fn theme(self, theme: Theme) -> Picture {
        Picture { theme, ..self }
    }

    /// With the beam that this side's laser would send through the position.
    #[must_use]
    pub fn beam(self, by: Color) -> Picture {
        Picture { shot: Some(self.position.fire(by)), ..self }
    }

    /// With the squares of the move that led here marked.
    #[must_use]
    pub fn last(self, mv: Move) -> Picture {
        Picture { last: Some(mv), ..self }
    }

    /// How many pixels wide it is shown, where nothing else is said.
    #[must_use]
    pub fn width(self, width: u32) -> Picture {
        Picture { width, ..self }
    }

    /// The picture as an SVG document that needs nothing else: no style sheet, no font, no script.
    pub fn to_svg(&self) -> String {
        let height = (f64::from(self.width) * SIZE.1 / SIZE.0).round();
        let position = self.position;
        paint(
            &format!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" class="board art" viewBox="{VIEW_BOX}" width="{}" height="{height}" role="img"><title>{position}</title>{}{}</svg>"#,
                self.width,
                stone::DEFINITIONS,
                self.drawing(),
            ),
            self.theme,
        )
    }

    /// The board and everything on it, with classes.
    pub(crate) fn drawing(&self) -> String {
        let seat = Seat::new(self.bottom);
        let mut text = stone::markup(seat, wall_lasers(&self.position));
        if let Some(mv) = self.last {
            text += &marks::last(mv, seat);
        }
        text += &standing(&self.position, seat);
        if let Some(shot) = &self.shot {
            text += &light::still(shot, seat);
        }
        text
    }
}

/// The board and what stands on it.
pub fn content(position: &Position, seat: Seat) -> String {
    stone::markup(seat, wall_lasers(position)) + &standing(position, seat)
}

fn standing(position: &Position, seat: Seat) -> String {
    let mut text = String::new();
    for (square, piece) in position.pieces() {
        let at = seat.center(square);
        let class = pieces::class(piece.color());
        let (x, y) = (at.x, at.y);
        text += &format!(
            r#"<g class="{class}" transform="translate({x} {y})">{}</g>"#,
            pieces::markup(seat.piece(piece))
        );
    }
    text
}

/// Whether the lasers sit in the wall: unless sphinxes carry them.
pub fn wall_lasers(position: &Position) -> bool {
    !position.pieces().any(|(_, piece)| piece.role() == Role::Sphinx)
}

#[cfg(test)]
mod tests {
    use khet::Setup;

    use super::*;

    /// Every picture that differs in kind.
    fn pictures() -> Vec<String> {
        let mut pictures = Vec::new();
        for setup in Setup::ALL {
            for theme in [Theme::Night, Theme::Day] {
                let picture = Picture::new(&setup.position()).theme(theme);
                pictures.push(picture.clone().to_svg());
                pictures.push(picture.beam(Color::Red).bottom(Color::Red).to_svg());
            }
        }
        let lit: Position = "4k5/10/10/10/10/10/10/4K4P4 s".parse().expect("a position");
        pictures.push(Picture::of_move(&lit, "j1-".parse().expect("a move")).to_svg());
        pictures
    }

    #[test]
    fn everything_is_written_out() {
        for svg in pictures() {
            for foreign in ["class=", "style", "var(", "<text", "<script", "NaN", "--", "href"] {
                assert!(!svg.contains(foreign), "{foreign}");
            }
            // What has no colour would be black.
            for tag in
                svg.split('<').filter(|tag| tag.starts_with("path") || tag.starts_with("circle"))
            {
                assert!(tag.contains(" fill=\"") || tag.contains("Z\""), "{tag}");
            }
        }
    }

    #[test]
    fn every_gradient_that_is_named_is_there() {
        for svg in pictures() {
            for name in svg.split("url(#").skip(1).filter_map(|text| text.split(')').next()) {
                assert!(svg.contains(&format!("id=\"{name}\"")), "{name}");
            }
        }
    }

    #[test]
    fn the_moment_of_a_shot_shows_what_it_hits() {
        let position: Position = "4k5/10/10/10/9P1/10/10/4K5 s".parse().expect("a position");
        let picture = Picture::of_move(&position, "e1e2".parse().expect("a move"));
        let shot = picture.shot.clone().expect("a shot");
        assert_eq!(shot.to_string(), "xj4");
        assert!(picture.to_svg().contains("url(#khet-ember)"));
        assert!(!Picture::new(&position).to_svg().contains("fill=\"url(#khet-ember)\""));
    }
}

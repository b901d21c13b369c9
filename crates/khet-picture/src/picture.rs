//! A board as a self-contained file: for pages that cannot run the app, for messages and for print.

use khet::tower::{BoardLevel, TowerColumn};
use khet::{BoardSquare, Color, GamePosition, Move, Piece, Position, Role, Shot};

use crate::geometry::{Orientation, SIZE, VIEW_BOX, translate};
use crate::paint::{Theme, paint};
use crate::{light, marks, pieces, stone, tower};

/// A position with or without a tower to draw, with the options of the drawing.
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
pub struct Picture<P: GamePosition = Position> {
    position: P,
    bottom: Color,
    theme: Theme,
    shot: Option<Shot<P::Square>>,
    last: Option<Move<P::Square>>,
    width: u32,
}

impl<P: GamePosition> Picture<P> {
    /// Creates a picture of a position with Silver at the bottom and the dark theme.
    pub fn new(position: &P) -> Picture<P> {
        Picture {
            position: *position,
            bottom: Color::Silver,
            theme: Theme::Dark,
            shot: None,
            last: None,
            width: SIZE.0 as u32,
        }
    }

    /// Creates a picture of the moment of a legal move's shot: with the move marked, the beam, and
    /// the pieces that it hits still on the board.
    pub fn of_move(before: &P, mv: Move<P::Square>) -> Picture<P> {
        let position = before.before_shot(mv);
        let picture = Picture::new(&position).last(mv);
        picture.beam(position.side_to_move())
    }

    /// Sets the side at the bottom.
    #[must_use]
    pub fn bottom(self, bottom: Color) -> Picture<P> {
        Picture { bottom, ..self }
    }

    /// Sets the theme.
    #[must_use]
    pub fn theme(self, theme: Theme) -> Picture<P> {
        Picture { theme, ..self }
    }

    /// Adds the shot that this side's laser would fire in the position.
    #[must_use]
    pub fn beam(self, by: Color) -> Picture<P> {
        Picture { shot: Some(self.position.fire(by)), ..self }
    }

    /// Marks the squares of the move that led to the position.
    #[must_use]
    pub fn last(self, mv: Move<P::Square>) -> Picture<P> {
        Picture { last: Some(mv), ..self }
    }

    /// Sets the width in pixels that the document asks for.
    #[must_use]
    pub fn width(self, width: u32) -> Picture<P> {
        Picture { width, ..self }
    }

    /// Returns the picture as an SVG document without style sheets, fonts and scripts.
    pub fn to_svg(&self) -> String {
        let height = (f64::from(self.width) * SIZE.1 / SIZE.0).round();
        let position = self.position;
        paint(
            &format!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" class="board art" {}><title>{position}</title>{}{}</svg>"#,
                format_args!(
                    r#"viewBox="{VIEW_BOX}" width="{}" height="{height}" role="img""#,
                    self.width
                ),
                stone::DEFINITIONS,
                self.drawing(),
            ),
            self.theme,
        )
    }

    /// Draws the board and everything on it, with classes.
    pub(crate) fn drawing(&self) -> String {
        let orientation = Orientation::new(self.bottom);
        let column = self.position.tower_column();
        let over = |level| {
            let shot = self.shot.as_ref();
            shot.map(|shot| light::still(shot, orientation, level)).unwrap_or_default()
        };
        let under = |level| {
            let mark = |mv| marks::last(mv, column, level, orientation);
            self.last.map(mark).unwrap_or_default()
        };
        let pieces: Vec<(P::Square, Piece)> = self.position.pieces().collect();
        layers(&pieces, column, orientation, under, over)
    }
}

/// Draws a board and the pieces of a position, with classes.
pub fn content<P: GamePosition>(position: &P, orientation: Orientation) -> String {
    board_content(position.pieces(), position.tower_column(), orientation)
}

/// Draws a board and pieces that need not be playable, such as those at the end of a game, with
/// classes. `column` is the place of the tower, if there is one.
pub fn board_content<S: BoardSquare>(
    pieces: impl IntoIterator<Item = (S, Piece)>,
    column: Option<TowerColumn>,
    orientation: Orientation,
) -> String {
    let nothing = |_| String::new();
    layers(&pieces.into_iter().collect::<Vec<_>>(), column, orientation, nothing, nothing)
}

/// Draws a board level by level. `under` and `over` draw what is behind and in front of the pieces
/// of a level.
fn layers<S: BoardSquare>(
    placed: &[(S, Piece)],
    column: Option<TowerColumn>,
    orientation: Orientation,
    under: impl Fn(BoardLevel) -> String,
    over: impl Fn(BoardLevel) -> String,
) -> String {
    let wall_lasers = !placed.iter().any(|(_, piece)| piece.role() == Role::Sphinx);
    let mut text = stone::markup(orientation, wall_lasers);
    for level in BoardLevel::ALL {
        text += &match (level, column) {
            (BoardLevel::Ground, Some(column)) => tower::foot(column, orientation),
            (BoardLevel::Upper, Some(column)) => tower::platform(column, orientation),
            (_, None) => String::new(),
        };
        text += &under(level);
        let is_here = |(square, _): &&(S, Piece)| square.board_level() == level;
        text += &piece_markup(placed.iter().copied().filter(|it| is_here(&it)), orientation);
        text += &over(level);
    }
    text
}

/// Draws pieces.
fn piece_markup<S: BoardSquare>(
    placed: impl Iterator<Item = (S, Piece)>,
    orientation: Orientation,
) -> String {
    let mut text = String::new();
    for (square, piece) in placed {
        let class = pieces::class(piece.color());
        text += &format!(
            r#"<g class="{class}" transform="{}">{}</g>"#,
            translate(orientation.center(square)),
            pieces::markup(orientation.piece(piece))
        );
    }
    text
}

/// Returns whether the lasers are in the wall, because no sphinxes carry them.
pub fn wall_lasers<P: GamePosition>(position: &P) -> bool {
    !position.pieces().any(|(_, piece)| piece.role() == Role::Sphinx)
}

#[cfg(test)]
mod tests {
    use khet::{Placement, Setup, Square, tower};

    use super::*;

    /// Silver's beam climbs at the east face, is reflected by three pyramids on the upper level, and
    /// descends at the north face. A pyramid stands above another one.
    const TOWER: &str = "3k2o2d22/10/3P42p1p22/p18P4/p28P3/3P32p23/10/2D2O2KO24\
                         +e4:6/3P21P3/o25/5P4/1p44/6 s";

    /// Returns a picture of every kind.
    fn pictures() -> Vec<String> {
        let mut pictures = Vec::new();
        for setup in Setup::ALL {
            for theme in [Theme::Dark, Theme::Light] {
                let picture = Picture::new(&setup.position()).theme(theme);
                pictures.push(picture.clone().to_svg());
                pictures.push(picture.beam(Color::Red).bottom(Color::Red).to_svg());
            }
        }
        let final_shot: Position = "4k5/10/10/10/10/10/10/4K4P4 s".parse().expect("a position");
        pictures.push(Picture::of_move(&final_shot, "j1-".parse().expect("a move")).to_svg());
        for mv in ["d6D6", "F6G7", "T+", "Te5"] {
            let before: tower::Position = TOWER.parse().expect("a position");
            let picture = Picture::of_move(&before, mv.parse().expect("a move"));
            pictures.push(picture.clone().to_svg());
            pictures.push(picture.theme(Theme::Light).bottom(Color::Red).to_svg());
        }
        pictures
    }

    #[test]
    fn pictures_are_self_contained() {
        for svg in pictures() {
            for foreign in ["class=", "style", "var(", "<text", "<script", "NaN", "--", "href"] {
                assert!(!svg.contains(foreign), "{foreign}");
            }
            // A shape without a fill would be black; glyphs inherit theirs.
            for tag in
                svg.split('<').filter(|tag| tag.starts_with("path") || tag.starts_with("circle"))
            {
                assert!(tag.contains(" fill=\"") || tag.contains("Z\""), "{tag}");
            }
        }
    }

    #[test]
    fn every_referenced_gradient_is_defined() {
        for svg in pictures() {
            for name in svg.split("url(#").skip(1).filter_map(|text| text.split(')').next()) {
                assert!(svg.contains(&format!("id=\"{name}\"")), "{name}");
            }
        }
    }

    #[test]
    fn picture_of_a_move_shows_the_hit_piece() {
        let position: Position = "4k5/10/10/10/9P1/10/10/4K5 s".parse().expect("a position");
        let picture = Picture::of_move(&position, "e1e2".parse().expect("a move"));
        let shot = picture.shot.clone().expect("a shot");
        assert_eq!(shot.to_string(), "xj4");
        assert!(picture.to_svg().contains("url(#khet-ember)"));
        assert!(!Picture::new(&position).to_svg().contains("fill=\"url(#khet-ember)\""));
    }

    #[test]
    fn end_of_a_game_is_drawn_without_a_pharaoh() {
        let placement: Placement = "10/10/10/10/10/10/10/P19 s".parse().unwrap();
        let drawing = board_content(placement.pieces(), None, Orientation::new(Color::Silver));
        let piece = pieces::markup(placement.get(Square::A1).unwrap());
        assert!(drawing.contains(&piece) && !drawing.contains("NaN"));
    }
}

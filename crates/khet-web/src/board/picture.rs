//! A board as an SVG file of its own, with its style sheet in it: for pages that can't run the app,
//! and for looking at what was drawn.

use khet::{Color, Position, Role};

use super::geometry::{SIZE, Seat, VIEW_BOX};
use super::{pieces, stone};

/// A position as an SVG document, from the side of one player.
///
/// ```
/// let svg = khet_web::board::picture(&khet::Setup::Classic.position(), khet::Color::Silver);
/// assert!(svg.starts_with("<svg"));
/// ```
pub fn picture(position: &Position, bottom: Color) -> String {
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="board art" viewBox="{VIEW_BOX}" width="{}" height="{}"><style>{}</style>{}{}</svg>"#,
        SIZE.0,
        SIZE.1,
        include_str!("../../style/board.css"),
        stone::DEFINITIONS,
        content(position, Seat::new(bottom)),
    )
}

/// The board and what stands on it.
pub(super) fn content(position: &Position, seat: Seat) -> String {
    let mut text = stone::markup(seat, wall_lasers(position));
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
pub(crate) fn wall_lasers(position: &Position) -> bool {
    !position.pieces().any(|(_, piece)| piece.role() == Role::Sphinx)
}

//! Whose laser is fired, as options say it.

use khet::{Color, ParseColorError, Position};

#[derive(Clone, Copy, Debug)]
pub(crate) enum Whose {
    Mover,
    Player(Color),
}

impl Whose {
    /// Reads `mover`, `silver` or `red`.
    pub(crate) fn parse(text: &str) -> Result<Whose, String> {
        match text {
            "mover" => Ok(Whose::Mover),
            _ => {
                text.parse().map(Whose::Player).map_err(|error: ParseColorError| error.to_string())
            }
        }
    }

    /// The player that is meant in a position.
    pub(crate) fn player(self, position: &Position) -> Color {
        match self {
            Whose::Mover => position.side_to_move(),
            Whose::Player(color) => color,
        }
    }
}

//! The value of options that choose a laser: `mover`, `silver` or `red`.

use khet::{Color, GamePosition, ParseColorError};

/// The player whose laser is fired.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LaserOwner {
    SideToMove,
    Color(Color),
}

impl LaserOwner {
    /// Parses `mover`, `silver` or `red`.
    pub(crate) fn parse(text: &str) -> Result<LaserOwner, String> {
        match text {
            "mover" => Ok(LaserOwner::SideToMove),
            _ => {
                let color: Result<Color, ParseColorError> = text.parse();
                color.map(LaserOwner::Color).map_err(|error| error.to_string())
            }
        }
    }

    /// Returns the color of the owner in a position.
    pub(crate) fn color(self, position: &impl GamePosition) -> Color {
        match self {
            LaserOwner::SideToMove => position.side_to_move(),
            LaserOwner::Color(color) => color,
        }
    }
}

//! The app's readers of outside text, for the fuzz targets in `fuzz`. Not a public interface.

pub use crate::game::game_text::{GameText, parse as parse_game_text};
pub use crate::game::options::NewGameOptions;
pub use crate::game::save::{open as open_session, read as read_session, write as write_session};
pub use crate::game::session::{GameSession, Mode};
pub use crate::game::tree_link::compact as compact_record;

//! The interface around the board that local games, online games, puzzles and analysis share.

pub(crate) mod action_buttons;
pub(crate) mod dates;
pub(crate) mod frame;
pub(crate) mod move_list;
pub(crate) mod move_navigation;
pub mod names;
pub(crate) mod option_fields;
pub(crate) mod player_strip;
pub(crate) mod profile_name;
pub(crate) mod rating_graph;
pub(crate) mod record_dialog;
pub(crate) mod result;
pub(crate) mod text_errors;

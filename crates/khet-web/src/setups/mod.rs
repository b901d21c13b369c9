//! Setups: making one, and those that others have made.

pub mod draft;
mod editor;
pub mod findings;
mod gallery;
pub mod hand;
pub mod self_play;

pub(crate) use editor::EditorPage;
pub(crate) use gallery::{SetupPage, SetupsPage};

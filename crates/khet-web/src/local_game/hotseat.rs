//! The page for two people at one table.

use leptos::prelude::*;

use super::layout::GameLayout;
use super::state::{GameKind, LocalGame};
use crate::languages::use_words;

/// Two people in front of one screen.
#[component]
pub fn HotseatPage() -> impl IntoView {
    let game = LocalGame::new(GameKind::Hotseat, use_words());
    view! { <GameLayout game on_hint=None/> }
}

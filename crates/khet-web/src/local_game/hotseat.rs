//! The page for pass and play.

use leptos::prelude::*;

use super::layout::GameLayout;
use super::state::{GameKind, LocalGame};
use crate::languages::use_words;

/// A game of two people who share the screen.
#[component]
pub fn HotseatPage() -> impl IntoView {
    let game = LocalGame::new(GameKind::Hotseat, use_words());
    view! { <GameLayout game on_hint=None/> }
}

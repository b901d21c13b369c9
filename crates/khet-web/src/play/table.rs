//! The page for two people at one table.

use leptos::prelude::*;

use super::desk::{Desk, Place};
use super::room::Room;
use crate::languages::use_words;

/// Two people in front of one screen.
#[component]
pub fn TablePage() -> impl IntoView {
    let desk = Desk::new(Place::Table, use_words());
    view! { <Room desk on_hint=None/> }
}

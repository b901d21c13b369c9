//! Setups: making one, and those that others have made.

pub mod draft;
mod editor;
pub mod findings;
mod gallery;
pub mod hand;
pub mod self_play;

use leptos::prelude::*;

use crate::routing::NotFound;
use crate::routing::Page;

/// The pages of this program.
pub(crate) fn page(page: Page) -> AnyView {
    match page {
        Page::Setups => view! { <gallery::SetupsPage/> }.into_any(),
        Page::Setup => view! { <gallery::SetupPage/> }.into_any(),
        Page::Editor => view! { <editor::EditorPage/> }.into_any(),
        _ => view! { <NotFound/> }.into_any(),
    }
}

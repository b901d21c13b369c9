//! The program of those who make setups and look into games: which page is which.

use leptos::prelude::*;

use crate::address::Page;
use crate::analysis::AnalysisPage;
use crate::app::Nowhere;
use crate::setups::{EditorPage, SetupPage, SetupsPage};

/// The pages of this program.
pub fn page(page: Page) -> AnyView {
    match page {
        Page::Setups => view! { <SetupsPage/> }.into_any(),
        Page::Setup => view! { <SetupPage/> }.into_any(),
        Page::Editor => view! { <EditorPage/> }.into_any(),
        Page::Analysis => view! { <AnalysisPage/> }.into_any(),
        _ => view! { <Nowhere/> }.into_any(),
    }
}

//! The board: one component for every page. It knows no rules: it is told what may be done, and says
//! what was done.

mod acting;
mod figures;
mod geometry;
mod picture;
pub(crate) mod pieces;
mod scene;
mod speech;
mod stone;
mod timeline;

use khet::Turn;
use leptos::prelude::*;

pub use picture::picture;
pub use scene::{Fired, Scene};

/// A board. It is as wide as its parent and keeps its shape (`aspect-ratio` 27 / 22).
#[component]
pub fn Board(
    /// Everything that is shown.
    #[prop(into)]
    scene: Signal<Scene>,
    /// A turn was dropped: it is final.
    #[prop(optional, into)]
    on_act: Option<Callback<Turn>>,
    /// A new shot has been shown to its end, or was skipped.
    #[prop(optional, into)]
    on_shot_end: Option<Callback<()>>,
) -> impl IntoView {
    let _ = (scene, on_act, on_shot_end);
    view! { <div class="board"></div> }
}

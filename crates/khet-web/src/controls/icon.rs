//! Icons for buttons, each a single stroked path.

use leptos::prelude::*;

pub(crate) const TAKE_BACK: &str = "M9 6 4 11l5 5M4 11h10a6 6 0 0 1 0 12h-3";
pub(crate) const HINT: &str = "M14 3a8 8 0 0 0-4 15v3h8v-3a8 8 0 0 0-4-15M11 25h6";
pub(crate) const DRAW: &str = "M5 11h18M5 17h18";
pub(crate) const RESIGN: &str = "M8 24V4M8 5h13l-3 5 3 5H8";
pub(crate) const ABORT: &str = "M7 7 21 21M21 7 7 21";
pub(crate) const TIME: &str = "M14 5a9 9 0 1 0 .01 0M14 10v4h4M21 3v6M18 6h6";
pub(crate) const CHAT: &str = "M5 6h18v12H13l-5 5v-5H5z";
pub(crate) const REMATCH: &str = "M5 10h16l-4-4M23 18H7l4 4";
pub(crate) const PAUSE: &str = "M10 6v16M18 6v16";
/// An arrow that leaves a box.
pub(crate) const SHARE: &str = "M14 17V4M9 9l5-5 5 5M7 13v10h14V13";
pub(crate) const NEW: &str = "M14 5v18M5 14h18";
pub(crate) const FLIP: &str = "M9 23V6M5 10l4-4 4 4M19 5v17M15 18l4 4 4-4";
/// An eye.
pub(crate) const THINK: &str =
    "M3 14C7 8 11 6 14 6s7 2 11 8c-4 6-8 8-11 8s-7-2-11-8M14 10a4 4 0 1 0 .01 0";
/// A lightning bolt.
pub(crate) const THREAT: &str = "M16 3 7 16h6l-2 9 10-14h-6z";
/// A beam reflected by a mirror.
pub(crate) const BEAMS: &str = "M6 25V10h17M2 14 10 6M20 7l3 3-3 3";
pub(crate) const MORE: &str = "M6 14h.1M14 14h.1M22 14h.1";

/// An icon that consists of one path.
#[component]
pub(crate) fn Icon(path: &'static str) -> impl IntoView {
    view! {
        <svg class="icon" viewBox="0 0 28 28" aria-hidden="true">
            <path d=path></path>
        </svg>
    }
}

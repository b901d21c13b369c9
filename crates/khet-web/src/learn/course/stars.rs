//! Stars of a step, earned and missed.

use leptos::prelude::*;

use super::attempt::MAX_STARS;
use crate::languages::Words;

/// The outline of a star in a square of 24 by 24.
const STAR: &str =
    "M12 2.5L14.9 8.6L21.6 9.5L16.7 14.1L17.9 20.8L12 17.6L6.1 20.8L7.3 14.1L2.4 9.5L9.1 8.6Z";

/// Draws the stars of a step, with their number as text for screen readers.
pub fn stars_view(earned: u8, words: Words) -> impl IntoView {
    let star = |number: u8| {
        let class = (number <= earned).then_some("earned");
        view! {
            <svg viewBox="0 0 24 24" class=class aria-hidden="true">
                <path d=STAR/>
            </svg>
        }
    };
    let name = words.course_stars(usize::from(earned), usize::from(MAX_STARS));
    view! {
        <span class="course-stars">
            {(1..=MAX_STARS).map(star).collect_view()}
            <span class="visually-hidden">{name}</span>
        </span>
    }
}

//! Silver's score in games from a setup, as a small bar with error range and as numbers.

use khet_protocol::SetupResults;
use leptos::prelude::*;

use crate::languages::use_words;

/// Length of the bar in SVG units.
const BAR_LENGTH: f64 = 200.0;

/// The bar with its numbers, or a notice if no game was played.
#[component]
pub(crate) fn BalanceBar(balance: SetupResults) -> impl IntoView {
    let words = use_words();
    let Some((score, error)) = balance.score() else {
        return view! { <p class="balance none">{words.balance_none()}</p> }.into_any();
    };
    let [low, middle, high] =
        [score - error, score, score + error].map(|x| x.clamp(0.0, 1.0) * BAR_LENGTH);
    let percent = |share: f64| (share * 100.0).round();
    view! {
        <div class="balance">
            <svg class="balance-bar" viewBox="0 0 200 16" aria-hidden="true">
                <rect class="balance-track" x="0" y="6" width=BAR_LENGTH height="4" rx="2"/>
                <rect class="balance-error" x=low y="4" width=high - low height="8" rx="4"/>
                <path class="balance-middle" d="M100,0V16"/>
                <circle class="balance-score" cx=middle cy="8" r="5"/>
            </svg>
            <span
                class="balance-numbers">{words.balance_score(percent(score), percent(error))}</span>
        </div>
    }
    .into_any()
}

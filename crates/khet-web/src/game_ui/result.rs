//! The end of a game, in large letters over the board.

use khet::{Color, Outcome};
use leptos::prelude::*;

use crate::game::session::{Cause, Ending};
use crate::languages::Words;

/// Who has won, in two words.
pub(crate) fn headline(words: Words, ending: Ending) -> &'static str {
    match ending.winner {
        Some(Color::Silver) => words.play_silver_wins(),
        Some(Color::Red) => words.play_red_wins(),
        None if ending.cause == Cause::Aborted => words.game_no_result(),
        None => words.play_drawn(),
    }
}

/// Why, in a sentence.
pub(crate) fn sentence(words: Words, ending: Ending) -> &'static str {
    use Color::{Red, Silver};
    match (ending.cause, ending.winner) {
        (Cause::Lit { .. }, None) => words.play_both_lit(),
        (Cause::Lit { by: Silver }, Some(Silver)) => words.play_silver_lights_red(),
        (Cause::Lit { by: Red }, Some(Red)) => words.play_red_lights_silver(),
        (Cause::Lit { by: Silver }, Some(Red)) => words.play_silver_lights_itself(),
        (Cause::Lit { by: Red }, Some(Silver)) => words.play_red_lights_itself(),
        (Cause::NoMoves, Some(Silver)) => words.play_red_has_no_turn(),
        (Cause::NoMoves, _) => words.play_silver_has_no_turn(),
        (Cause::Resignation, Some(Silver)) => words.play_red_resigns(),
        (Cause::Resignation, _) => words.play_silver_resigns(),
        (Cause::Time, Some(Silver)) => words.play_red_time_is_up(),
        (Cause::Time, _) => words.play_silver_time_is_up(),
        (Cause::Repetition, _) => words.play_arrangement_came_back(),
        (Cause::Agreement, _) => words.play_players_agreed(),
        (Cause::Left, Some(Silver)) => words.game_red_left(),
        (Cause::Left, Some(Red)) => words.game_silver_left(),
        (Cause::Left, None) => words.game_left_drawn(),
        (Cause::Aborted, _) => words.game_aborted(),
        (Cause::Recorded, _) => words.play_record_says(),
    }
}

/// The end of a game, once there is one, with what can be done then.
pub(crate) fn over_the_board<V: IntoView + 'static>(
    words: Words,
    ending: Memo<Option<Ending>>,
    again: impl Fn() -> V + Copy + Send + Sync + 'static,
) -> impl IntoView {
    view! {
        <div class="result-place" role="status">
            {move || ending.get().map(|ending| view! {
                <div class="result" data-result=score(ending)>
                    <p class="result-headline">{headline(words, ending)}</p>
                    <p class="result-sentence">{sentence(words, ending)}</p>
                    {again()}
                </div>
            })}
        </div>
    }
}

/// The result in a line, for when the large letters have been put away.
pub(crate) fn line(words: Words, ending: Ending) -> String {
    format!("{} {}.", sentence(words, ending), headline(words, ending))
}

/// The same for a game without a session. `by` is whose laser fired last.
pub(crate) fn outcome_line(words: Words, outcome: Outcome, by: Option<Color>) -> String {
    let ending = Ending { winner: outcome.winner, cause: Cause::of(outcome.reason, by) };
    format!("{}.", line(words, ending))
}

/// As records write it.
pub(crate) const fn score(ending: Ending) -> &'static str {
    match ending.winner {
        Some(Color::Silver) => "1-0",
        Some(Color::Red) => "0-1",
        None if matches!(ending.cause, Cause::Aborted) => "*",
        None => "1/2-1/2",
    }
}

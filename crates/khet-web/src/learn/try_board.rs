//! A lesson's board: made moves, shown moves, starting again.

use std::time::Duration;

use khet::Move;
use leptos::prelude::*;

use super::lesson::{Lesson, Players};
use super::trial::Trial;
use crate::board::{Board, hits_in_words};
use crate::game_ui::result::outcome_line;
use crate::languages::{Words, use_words};

/// How long a shown shot is left standing before the next move.
const PAUSE: Duration = Duration::from_millis(700);

/// From the drawing of one board to that of the next.
const BETWEEN_BOARDS: Duration = Duration::from_millis(40);

/// The `id` of a lesson's task, which names its board.
pub fn task_id(lesson: &Lesson) -> String {
    format!("{}-task", lesson.anchor)
}

/// The board of a lesson, with what can be done beside making moves.
#[component]
pub fn TryBoard(
    /// The lesson.
    lesson: &'static Lesson,
    /// Its place on the page, from 0.
    place: u32,
) -> impl IntoView {
    let words = use_words();
    // All boards at once would hold the page up: they are drawn one after the other, from the top.
    let drawn = RwSignal::new(place == 0);
    if place > 0 {
        set_timeout(
            move || {
                // The page may be gone by then.
                let _ = drawn.try_set(true);
            },
            BETWEEN_BOARDS * place,
        );
    }
    let trial = RwSignal::new(Trial::new(lesson));
    // Whether the answer is being shown; a move of the reader ends that.
    let showing = RwSignal::new(false);
    // Whether the last shot has been seen: what it brought is told only then.
    let settled = RwSignal::new(true);

    let show_next = move || {
        if let Some(mv) = trial.with_untracked(Trial::next_shown) {
            settled.set(false);
            trial.update(|trial| trial.play(mv));
        } else {
            showing.set(false);
        }
    };
    let act = move |mv: Move| {
        showing.set(false);
        settled.set(false);
        trial.update(|trial| trial.play(mv));
    };
    let after_shot = move |()| {
        settled.set(true);
        if showing.get_untracked() {
            // The page may be gone by then.
            set_timeout(
                move || {
                    if showing.try_get_untracked() == Some(true) {
                        show_next();
                    }
                },
                PAUSE,
            );
        }
    };
    let show = move |_| {
        trial.update(Trial::again);
        showing.set(true);
        show_next();
    };
    let again = move |_| {
        showing.set(false);
        trial.update(Trial::again);
    };
    let begin = move |start: usize| {
        showing.set(false);
        trial.update(|trial| trial.begin(start));
    };

    let choice = (lesson.starts.len() > 1).then(|| {
        view! {
            <fieldset class="trial-starts choice">
                <legend class="visually-hidden">{(lesson.title)(words)}</legend>
                {lesson
                    .starts
                    .iter()
                    .enumerate()
                    .map(|(index, start)| {
                        view! {
                            <label>
                                <input
                                    type="radio"
                                    name=format!("{}-start", lesson.anchor)
                                    prop:checked=move || trial.with(Trial::start) == index
                                    on:change=move |_| begin(index)
                                />
                                <span>{(start.name)(words)}</span>
                            </label>
                        }
                    })
                    .collect_view()}
            </fieldset>
        }
    });
    let show_button = (!lesson.shown.is_empty()).then(|| {
        view! { <button type="button" class="button" on:click=show>{words.learn_show()}</button> }
    });
    view! {
        <div class="trial">
            {choice}
            <div class="trial-board" role="group" aria-labelledby=task_id(lesson)>
                {move || {
                    drawn
                        .get()
                        .then(|| {
                            view! {
                                <Board
                                    scene=Signal::derive(move || trial.with(Trial::scene))
                                    on_move=Callback::new(act)
                                    on_shot_end=Callback::new(after_shot)
                                />
                            }
                        })
                }}
            </div>
            <div class="trial-bar">
                {show_button}
                <button
                    type="button"
                    class="button"
                    disabled=move || trial.with(Trial::is_fresh)
                    on:click=again
                >
                    {words.learn_again()}
                </button>
                {move || {
                    trial
                        .with(Trial::can_claim_draw)
                        .then(|| {
                            view! {
                                <button
                                    type="button"
                                    class="button primary"
                                    on:click=move |_| trial.update(Trial::claim_draw)
                                >
                                    {words.learn_claim()}
                                </button>
                            }
                        })
                }}
                <p class="trial-told">
                    {move || settled.get().then(|| trial.with(|trial| told(trial, words)))}
                </p>
            </div>
        </div>
    }
}

/// What the last move brought, in a line under the board.
fn told(trial: &Trial, words: Words) -> String {
    let Some((_, fired)) = trial.last() else { return String::new() };
    if let Some(outcome) = trial.outcome() {
        outcome_line(words, outcome, Some(fired.shot.by))
    } else if trial.players() == Players::Both && trial.repetitions() > 1 {
        words.learn_repetitions(trial.repetitions())
    } else if fired.shot.hits.is_empty() {
        words.learn_no_hit().to_string()
    } else {
        hits_in_words(&fired.shot, words)
    }
}

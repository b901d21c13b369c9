//! The board of a lesson, with buttons to show the solution and to start again.

use std::time::Duration;

use leptos::prelude::*;

use super::lesson::{Lesson, Players};
use super::lesson_game::LessonGame;
use crate::board::{Board, hits_in_words};
use crate::game_ui::result::outcome_line;
use crate::languages::{Words, use_words};
use crate::rules::Move;

/// Pause between a shot and the next move of the solution.
const SOLUTION_PAUSE: Duration = Duration::from_millis(700);

/// Delay between the drawing of one board and the next.
const DRAW_INTERVAL: Duration = Duration::from_millis(40);

/// Returns the `id` of a lesson's task, which labels its board.
pub fn task_id(lesson: &Lesson) -> String {
    format!("{}-task", lesson.anchor)
}

/// The state of a lesson's board.
#[derive(Clone, Copy)]
struct LessonBoardState {
    game: RwSignal<LessonGame>,
    /// The solution is being shown. A move of the reader stops it.
    showing_solution: RwSignal<bool>,
    /// The solution was shown since the last restart.
    solution_shown: RwSignal<bool>,
    /// The last shot has been shown. Its result is not revealed earlier.
    shot_ended: RwSignal<bool>,
}

impl LessonBoardState {
    fn new(lesson: &'static Lesson) -> LessonBoardState {
        LessonBoardState {
            game: RwSignal::new(LessonGame::new(lesson)),
            showing_solution: RwSignal::new(false),
            solution_shown: RwSignal::new(false),
            shot_ended: RwSignal::new(true),
        }
    }

    /// Plays a move of the reader.
    fn play(self, mv: Move) {
        self.showing_solution.set(false);
        self.shot_ended.set(false);
        self.game.update(|game| game.play(mv));
    }

    /// Starts to play the solution from the beginning.
    fn show_solution(self) {
        self.game.update(LessonGame::restart);
        self.showing_solution.set(true);
        self.solution_shown.set(true);
        self.play_next_solution_move();
    }

    /// Plays the next move of the solution, or ends it.
    fn play_next_solution_move(self) {
        if let Some(mv) = self.game.with_untracked(LessonGame::next_solution_move) {
            self.shot_ended.set(false);
            self.game.update(|game| game.play(mv));
        } else {
            self.showing_solution.set(false);
        }
    }

    /// Handles the end of the shot animation.
    fn end_shot(self) {
        self.shot_ended.set(true);
        if self.showing_solution.get_untracked() {
            let play_next = move || {
                // The page may have been closed by then.
                if self.showing_solution.try_get_untracked() == Some(true) {
                    self.play_next_solution_move();
                }
            };
            set_timeout(play_next, SOLUTION_PAUSE);
        }
    }

    fn restart(self) {
        self.showing_solution.set(false);
        self.solution_shown.set(false);
        self.game.update(LessonGame::restart);
    }

    fn restart_from(self, start: usize) {
        self.showing_solution.set(false);
        self.solution_shown.set(false);
        self.game.update(|game| game.restart_from(start));
    }
}

/// The board of a lesson and its buttons.
#[component]
pub fn LessonBoard(
    /// The lesson.
    lesson: &'static Lesson,
    /// The index of the lesson among those that are shown together, from 0.
    index: u32,
    /// False while the chapter of the lesson is folded.
    #[prop(into)]
    shown: Signal<bool>,
) -> impl IntoView {
    let state = LessonBoardState::new(lesson);
    // Drawing all boards at once would block the page: they are drawn one by one from the top.
    let drawn = RwSignal::new(false);
    Effect::new(move |_| {
        if shown.get() && !drawn.get_untracked() {
            let draw = move || {
                // The page may have been closed by then.
                let _ = drawn.try_set(true);
            };
            set_timeout(draw, DRAW_INTERVAL * index);
        }
    });
    let board = move || {
        view! {
            <Board
                scene=Signal::derive(move || state.game.with(LessonGame::scene))
                on_move=Callback::new(move |mv| state.play(mv))
                on_shot_end=Callback::new(move |()| state.end_shot())
            />
        }
    };
    view! {
        <div class="lesson-game">
            {(lesson.starts.len() > 1).then(|| view! { <StartField lesson state/> })}
            <div class="lesson-board" role="group" aria-labelledby=task_id(lesson)>
                {move || drawn.get().then(board)}
            </div>
            <Actions lesson state/>
        </div>
    }
}

/// The selection of the start position.
#[component]
fn StartField(lesson: &'static Lesson, state: LessonBoardState) -> impl IntoView {
    let words = use_words();
    let starts = lesson.starts.iter().enumerate().map(|(index, start)| {
        view! {
            <label>
                <input
                    type="radio"
                    name=format!("{}-start", lesson.anchor)
                    prop:checked=move || state.game.with(LessonGame::start) == index
                    on:change=move |_| state.restart_from(index)
                />
                <span>{(start.name)(words)}</span>
            </label>
        }
    });
    view! {
        <fieldset class="lesson-starts choice">
            <legend class="visually-hidden">{(lesson.title)(words)}</legend>
            {starts.collect_view()}
        </fieldset>
    }
}

/// The buttons under the board, and the result of the last move.
#[component]
fn Actions(lesson: &'static Lesson, state: LessonBoardState) -> impl IntoView {
    let words = use_words();
    let show_button = (!lesson.solution.is_empty()).then(|| {
        view! {
            <button type="button" class="button" on:click=move |_| state.show_solution()>
                {words.learn_show()}
            </button>
        }
    });
    let claim_button = move || {
        view! {
            <button
                type="button"
                class="button primary"
                on:click=move |_| state.game.update(LessonGame::claim_draw)
            >
                {words.learn_claim()}
            </button>
        }
    };
    let result = move || {
        state.shot_ended.get().then(|| state.game.with(|game| last_move_result(game, words)))
    };
    let solved = move || {
        let is_solved = state.shot_ended.get()
            && !state.solution_shown.get()
            && state.game.with(LessonGame::is_solved);
        is_solved.then(|| view! { <strong class="solved">{words.learn_solved()}</strong> })
    };
    view! {
        <div class="lesson-actions">
            {show_button}
            <button
                type="button"
                class="button"
                disabled=move || state.game.with(LessonGame::is_at_start)
                on:click=move |_| state.restart()
            >
                {words.learn_again()}
            </button>
            {move || state.game.with(LessonGame::can_claim_draw).then(claim_button)}
            <p class="lesson-result">{solved} {result}</p>
        </div>
    }
}

/// Returns the result of the last move as one line.
fn last_move_result(game: &LessonGame, words: Words) -> String {
    let Some((_, last)) = game.last() else { return String::new() };
    if let Some(outcome) = game.outcome() {
        outcome_line(words, outcome, Some(last.shot.by))
    } else if game.players() == Players::Both && game.repetitions() > 1 {
        words.learn_repetitions(game.repetitions())
    } else if last.shot.hits.is_empty() {
        words.learn_no_hit().to_string()
    } else {
        hits_in_words(&last.shot, None, words)
    }
}

//! The page of a step: its task, its board, the result of the moves, and the ways on.

use std::time::Duration;

use khet::{Color, GamePosition};
use leptos::prelude::*;

use super::attempt::{StepAttempt, StepAttemptState, StepHint};
use super::page::step_path;
use super::progress::CourseProgress;
use super::stars::stars_view;
use super::step::{CourseChapter, CourseStep, StepGoal};
use super::{COURSE, steps};
use crate::board::{Board, BoardDescriber, Orientation, hits_in_words};
use crate::browser::focus::focus_later;
use crate::languages::{Words, use_words};
use crate::routing::{Page, use_navigation};
use crate::rules::Move;

/// Pause between Silver's shot and Red's reply.
const REPLY_PAUSE: Duration = Duration::from_millis(700);

/// The button that leads on: to the next step, or to another try.
const MAIN_BUTTON: &str = ".course .button.primary";
/// The square of the board that the keyboard reaches.
const BOARD: &str = ".course [role=grid] [tabindex='0']";

/// The state of the page.
#[derive(Clone, Copy)]
struct StepPageState {
    step: &'static CourseStep,
    attempt: RwSignal<StepAttempt>,
    /// The last shot has been shown. Its result is not revealed earlier.
    shot_ended: RwSignal<bool>,
}

impl StepPageState {
    fn new(step: &'static CourseStep) -> StepPageState {
        StepPageState {
            step,
            attempt: RwSignal::new(StepAttempt::new(step)),
            shot_ended: RwSignal::new(true),
        }
    }

    /// Returns the state of the attempt as far as it is revealed.
    fn revealed(self) -> Option<StepAttemptState> {
        self.shot_ended.get().then(|| self.attempt.with(StepAttempt::state))
    }

    /// Plays a move of Silver.
    fn play(self, mv: Move) {
        self.change(|attempt| attempt.play(mv));
    }

    /// Plays a move on the board, and keeps the stars if it solves the step.
    fn change(self, play: impl FnOnce(&mut StepAttempt)) {
        self.shot_ended.set(false);
        self.attempt.update(play);
        let (state, stars) = self.attempt.with_untracked(|a| (a.state(), a.stars()));
        if state == StepAttemptState::Solved {
            CourseProgress::add(&CourseProgress::solved(self.step, stars));
        }
    }

    /// Handles the end of the shot animation.
    fn end_shot(self) {
        self.shot_ended.set(true);
        match self.attempt.with_untracked(StepAttempt::state) {
            StepAttemptState::Reply(_) | StepAttemptState::Refutation(_) => {
                let reply = move || {
                    // The page may have been closed or the attempt restarted by then.
                    if self.shot_ended.try_get_untracked() == Some(true) {
                        self.play_reply();
                    }
                };
                set_timeout(reply, REPLY_PAUSE);
            }
            StepAttemptState::Solved | StepAttemptState::Failed => focus_later(MAIN_BUTTON),
            StepAttemptState::ToMove => {}
        }
    }

    /// Plays Red's reply, if Red is about to move.
    fn play_reply(self) {
        let state = self.attempt.with_untracked(StepAttempt::state);
        if matches!(state, StepAttemptState::Reply(_) | StepAttemptState::Refutation(_)) {
            self.change(StepAttempt::play_reply);
        }
    }

    /// Shows a hint. After the last one there is no button for the focus to stay on.
    fn show_hint(self) {
        self.attempt.update(StepAttempt::show_hint);
        if matches!(self.attempt.with_untracked(StepAttempt::hint), StepHint::Move(_)) {
            focus_later(BOARD);
        }
    }

    /// Starts again from the beginning.
    fn restart(self) {
        self.shot_ended.set(true);
        self.attempt.update(StepAttempt::restart);
        focus_later(BOARD);
    }
}

/// The page of a step.
#[component]
pub fn StepPage(
    /// The index of the step in the course.
    index: usize,
) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let (chapter, number) = chapter_of(index);
    let step = &chapter.steps[number];
    let progress = CourseProgress::add(&CourseProgress::opened(step));
    let state = StepPageState::new(step);
    let entry = |(index, other): (usize, &'static CourseStep)| {
        let current = (index == number).then_some("step");
        let class = (progress.stars(other) > 0).then_some("solved");
        view! {
            <li>
                <a
                    href=step_path(navigation, other)
                    aria-current=current
                    class=class
                >
                    <span aria-hidden="true">{index + 1}</span>
                    <span class="visually-hidden">{(other.title)(words)}</span>
                </a>
            </li>
        }
    };
    view! {
        <article class="course">
            <nav class="course-place" aria-label=words.course_title()>
                <a href=navigation.path(Page::Course)>{words.shell_course()}</a>
                <ol>{chapter.steps.iter().enumerate().map(entry).collect_view()}</ol>
            </nav>
            <div class="course-step">
                <header class="course-task">
                    <p class="course-chapter">{(chapter.title)(words)}</p>
                    <h1 tabindex="-1">{(step.title)(words)}</h1>
                    <p id="course-task">{(step.task)(words)}</p>
                </header>
                <div class="lesson-board" role="group" aria-labelledby="course-task">
                    <Board
                        scene=Signal::derive(move || state.attempt.with(StepAttempt::scene))
                        on_move=Callback::new(move |mv| state.play(mv))
                        on_shot_end=Callback::new(move |()| state.end_shot())
                    />
                </div>
                <div class="course-result">
                    <div class="course-message" role="status">
                        {move || message(state, words, number + 1 == chapter.steps.len())}
                    </div>
                    <div class="course-actions">{move || actions(state, index, words)}</div>
                </div>
            </div>
        </article>
    }
}

/// Returns the chapter of a step of the course, and the step's index in it.
fn chapter_of(index: usize) -> (&'static CourseChapter, usize) {
    let mut number = index;
    for chapter in &COURSE {
        if number < chapter.steps.len() {
            return (chapter, number);
        }
        number -= chapter.steps.len();
    }
    (&COURSE[0], 0)
}

/// Renders the result of the last move, or the hint.
fn message(state: StepPageState, words: Words, is_last_of_chapter: bool) -> Option<AnyView> {
    let revealed = state.revealed()?;
    let text = state.attempt.with(|attempt| match revealed {
        StepAttemptState::Solved => String::new(),
        StepAttemptState::Failed => failure(attempt, state.step, words),
        StepAttemptState::Reply(_) | StepAttemptState::Refutation(_) => {
            words.course_red_replies().into()
        }
        StepAttemptState::ToMove => progress_or_hint(attempt, words),
    });
    if revealed != StepAttemptState::Solved {
        return Some(view! { <p>{text}</p> }.into_any());
    }
    let stars = state.attempt.with(StepAttempt::stars);
    let chapter_end = is_last_of_chapter
        .then(|| view! { <p class="course-chapter-end">{words.course_chapter_end()}</p> });
    let solved = view! {
        <p class="course-solved">
            {stars_view(stars, words)} " " <strong>{words.learn_solved()}</strong>
        </p>
        <p>{(state.step.lesson)(words)}</p>
        {chapter_end}
    };
    Some(solved.into_any())
}

/// Returns why an attempt has failed.
fn failure(attempt: &StepAttempt, step: &CourseStep, words: Words) -> String {
    let mut reason = String::new();
    if let Some((_, last)) = attempt.last() {
        let hits_silver_pharaoh = last.shot.outcome.is_some_and(|o| o.winner == Some(Color::Red));
        reason = if last.shot.by == Color::Red && !hits_silver_pharaoh {
            words.course_refuted().to_owned()
        } else if !last.shot.hits.is_empty() {
            hits_in_words(&last.shot, Some(Color::Silver), words)
        } else if matches!(step.goal, StepGoal::Pieces(_)) {
            String::new()
        } else {
            words.learn_no_hit().to_owned()
        };
    }
    format!("{} {reason}", words.course_not_yet())
}

/// Returns the hint if one is shown, else what is left to do after a first good move.
fn progress_or_hint(attempt: &StepAttempt, words: Words) -> String {
    let describer = BoardDescriber {
        words,
        orientation: Orientation::new(Color::Silver),
        you: Some(Color::Silver),
    };
    let position = attempt.position();
    match attempt.hint() {
        StepHint::None if attempt.is_at_start() => String::new(),
        StepHint::None => words.course_go_on(usize::from(attempt.moves_left())),
        StepHint::Piece(mv) => {
            let from = mv.squares().map(|[from, _]| from);
            let piece = from.and_then(|from| Some((from, position.get(from)?)));
            let text = |(from, piece)| words.course_hint_piece(from, describer.piece(piece));
            piece.map(text).unwrap_or_default()
        }
        StepHint::Move(mv) => {
            describer.mv(mv, Some(position), &position.before_shot(mv)).unwrap_or_default()
        }
    }
}

/// Renders the buttons that the state of the attempt allows.
fn actions(state: StepPageState, index: usize, words: Words) -> AnyView {
    let navigation = use_navigation();
    let next = steps()
        .nth(index + 1)
        .map_or_else(|| navigation.path(Page::Course), |next| step_path(navigation, next));
    let restart = move |class| {
        view! {
            <button type="button" class=class on:click=move |_| state.restart()>
                {words.course_try_again()}
            </button>
        }
    };
    let hint_name = match state.attempt.with(StepAttempt::hint) {
        StepHint::None => Some(words.course_hint()),
        StepHint::Piece(_) => Some(words.course_show_move()),
        StepHint::Move(_) => None,
    };
    let hint = move || {
        hint_name.map(|name| {
            view! {
                <button type="button" class="button" data-action="hint"
                    on:click=move |_| state.show_hint()>
                    {name}
                </button>
            }
        })
    };
    let skip = view! { <a class="button quiet" href=next.clone()>{words.course_skip()}</a> };
    match state.revealed() {
        Some(StepAttemptState::Solved) => view! {
            <a class="button primary" data-action="next" href=next>{words.course_next()}</a>
            {restart("button")}
        }
        .into_any(),
        Some(StepAttemptState::Failed) => view! { {restart("button primary")} {skip} }.into_any(),
        Some(StepAttemptState::ToMove) => {
            let is_at_start = state.attempt.with(StepAttempt::is_at_start);
            view! { {hint()} {(!is_at_start).then(|| restart("button"))} {skip} }.into_any()
        }
        None | Some(StepAttemptState::Reply(_) | StepAttemptState::Refutation(_)) => ().into_any(),
    }
}

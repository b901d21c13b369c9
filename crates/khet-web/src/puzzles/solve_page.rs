//! The page of a single puzzle: that of the day, one by its name, or the next one in training.

use khet_protocol::{DeviceAttempt, PuzzleAttempt, PuzzleVote, Rating, RatingChange};
use khet_puzzles::{Puzzle, PuzzleId, PuzzleTheme};
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::puzzle_set::{self, choose_puzzle, daily_puzzle, find_puzzle};
use super::solver::Solver;
use super::solver_board::{SolverBoard, SolverMoveField};
use super::solving::{Solving, SolvingStage};
use super::theme_names::theme_name;
use super::training::{TrainingChoice, TrainingDifficulty};
use super::{account, progress, show_title};
use crate::api::RequestError;
use crate::browser::focus::focus_if_lost;
use crate::browser::share::share_link;
use crate::controls::icon;
use crate::game_ui::action_buttons::{button, toggle_button};
use crate::languages::{Words, use_words};
use crate::routing::{Navigation, Page, position_query, use_navigation};
use crate::rules::Position;
use crate::state_handle::StateHandle;

/// A thumb that points up, and one that points down.
const UP_ICON: &str = "M8 12V24H4V12ZM8 13L13 4A3 3 0 0 1 16 8L15 12H23L21 24H8";
const DOWN_ICON: &str = "M8 16V4H4V16ZM8 15L13 24A3 3 0 0 0 16 20L15 16H23L21 4H8";

/// Where the puzzle of the page comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PuzzleOrigin {
    /// The puzzle of the day.
    Daily,
    /// The puzzle with this name.
    Named(PuzzleId),
    /// Training, one puzzle after the other.
    Training,
}

/// The signals of the page.
struct SolvePageSignals {
    words: Words,
    origin: PuzzleOrigin,
    solver: Solver,
    choice: RwSignal<TrainingChoice>,
    /// The themes that puzzles have, once the index is loaded.
    themes: RwSignal<Vec<PuzzleTheme>>,
    /// The name of the puzzle.
    id: RwSignal<Option<PuzzleId>>,
    /// The attempt was counted. Trying the puzzle again does not count.
    is_counted: StoredValue<bool>,
    rating_change: RwSignal<Option<RatingChange>>,
    /// The rating that the puzzle has from attempts, once the server has told it.
    puzzle_rating: RwSignal<Option<u16>>,
    /// The account's rating, once the server has told it.
    account_rating: RwSignal<Option<Rating>>,
    vote: RwSignal<Option<PuzzleVote>>,
    /// The message about a link that was copied.
    note: RwSignal<String>,
}

type SolvePageState = StateHandle<SolvePageSignals>;

impl SolvePageState {
    fn new(words: Words, origin: PuzzleOrigin, choice: TrainingChoice) -> SolvePageState {
        let changes = RwSignal::new(0_u32);
        let on_judged = Callback::new(move |_| changes.update(|changes| *changes += 1));
        let solver = Solver::new(words, false, on_judged);
        let state = SolvePageState::allocate(SolvePageSignals {
            words,
            origin,
            solver,
            choice: RwSignal::new(choice),
            themes: RwSignal::new(Vec::new()),
            id: RwSignal::new(None),
            is_counted: StoredValue::new(false),
            rating_change: RwSignal::new(None),
            puzzle_rating: RwSignal::new(None),
            account_rating: RwSignal::new(None),
            vote: RwSignal::new(None),
            note: RwSignal::new(String::new()),
        });
        Effect::new(move |_| {
            if changes.get() > 0 {
                state.count_result();
            }
        });
        state
    }

    /// Loads the puzzle that the address names, or the first one of a training.
    fn load(self) {
        spawn_local(async move {
            if account::is_signed_in() {
                account::send_progress().await;
                if let Ok(dashboard) = account::dashboard().await {
                    // The page may have been closed by then.
                    let _ = self.account_rating.try_set(Some(dashboard.rating));
                }
            }
        });
        self.load_next();
    }

    /// Loads the next puzzle.
    fn load_next(self) {
        spawn_local(async move {
            let puzzle = match self.origin {
                PuzzleOrigin::Daily => daily_puzzle().await,
                PuzzleOrigin::Named(id) => find_puzzle(id).await,
                PuzzleOrigin::Training => self.next_of_training().await,
            };
            // The page may have been closed by then.
            if self.id.is_disposed() {
                return;
            }
            match puzzle {
                Ok(Some(puzzle)) => self.show(puzzle),
                Ok(None) => self.solver.message.set(self.words.puzzles_none().to_owned()),
                Err(_) => self.solver.message.set(self.words.puzzles_unreachable().to_owned()),
            }
        });
    }

    /// Returns the next puzzle of the training: for an account that of the server, which knows what
    /// was tried on other devices, if it can be reached.
    async fn next_of_training(self) -> Result<Option<Puzzle>, RequestError> {
        let index = puzzle_set::index().await?;
        // The page may have been closed by then.
        if self.id.is_disposed() {
            return Ok(None);
        }
        if self.themes.with_untracked(Vec::is_empty) {
            let known = PuzzleTheme::ALL.into_iter().filter(|&theme| index.count(theme) > 0);
            self.themes.set(known.collect());
            self.choice.update(|choice| *choice = choice.with_known_theme(&index));
        }
        let choice = self.choice.get_untracked();
        let current = self.id.get_untracked();
        let account_rating = self.account_rating.get_untracked();
        let puzzle = account::next_puzzle(choice.query()).await;
        if let Some(id) = puzzle.filter(|&id| current != Some(id))
            && let Ok(Some(puzzle)) = find_puzzle(id).await
        {
            return Ok(Some(puzzle));
        }
        let tried = progress::load();
        choose_puzzle(choice.puzzle_choice(account_rating), current, |id| tried.has_tried(id)).await
    }

    /// Shows a puzzle.
    fn show(self, puzzle: Puzzle) {
        let id = puzzle.id();
        let is_first = self.id.get_untracked().is_none();
        self.id.set(Some(id));
        self.is_counted.set_value(false);
        self.rating_change.set(None);
        self.puzzle_rating.set(None);
        self.vote.set(None);
        self.note.set(String::new());
        self.solver.start(puzzle);
        if !is_first {
            // The button for the next puzzle is gone.
            focus_on_board();
        }
    }

    /// Starts the puzzle again. The result of the first attempt stays.
    fn try_again(self, puzzle: Puzzle) {
        self.rating_change.set(None);
        self.solver.start(puzzle);
        focus_on_board();
    }

    /// Counts the attempt, once its result is known.
    fn count_result(self) {
        if self.is_counted.get_value() {
            return;
        }
        let attempt = self.solver.with(|solving| {
            let solved = solving.result()?;
            let attempt =
                PuzzleAttempt { moves: solving.moves_text(), helped: solving.is_helped() };
            Some((solving.puzzle().clone(), solved, attempt))
        });
        let Some((puzzle, solved, attempt)) = attempt.flatten() else { return };
        self.is_counted.set_value(true);
        let (id, at) = (puzzle.id(), progress::time_now());
        let submission = account::is_signed_in().then_some(attempt);
        let change = progress::change(|progress| {
            progress.add_attempt(&puzzle, solved, at, submission.clone())
        });
        self.rating_change.set(Some(change).filter(|change| change.before != change.after));
        let Some(submission) = submission else { return };
        spawn_local(async move {
            let attempt = DeviceAttempt { puzzle: id, at, solved };
            let Ok(result) = account::send_attempt(attempt, &submission).await else { return };
            let vote = account::own_vote(id).await;
            // The page may show another puzzle by then.
            if self.id.try_get_untracked().flatten() == Some(id) {
                self.rating_change.set(result.rating);
                self.puzzle_rating.set(Some(result.puzzle.value));
                self.vote.set(vote);
                if let (Some(change), Some(rating)) =
                    (result.rating, self.account_rating.get_untracked())
                {
                    self.account_rating.set(Some(Rating { value: change.after, ..rating }));
                }
            }
        });
    }

    /// Votes, or removes the same vote.
    fn cast_vote(self, vote: PuzzleVote) {
        let Some(id) = self.id.get_untracked() else { return };
        let vote = Some(vote).filter(|vote| self.vote.get_untracked() != Some(*vote));
        spawn_local(async move {
            if account::vote(id, vote).await {
                let _ = self.vote.try_set(vote);
            }
        });
    }

    /// Changes theme and difficulty of the training. A puzzle without a move is replaced at once.
    fn choose(self, change: impl FnOnce(&mut TrainingChoice)) {
        self.choice.update(change);
        self.choice.get_untracked().store();
        let is_fresh = |solving: &Solving| solving.last().is_none() && !solving.is_helped();
        if self.solver.with(is_fresh).unwrap_or(true) {
            self.load_next();
        }
    }

    /// Returns whether the puzzle is over and everything was shown.
    fn is_over(self) -> bool {
        self.solver.stage() == Some(SolvingStage::Done) && self.solver.is_settled.get()
    }
}

/// Moves the focus to the board if the button that was used is gone.
fn focus_on_board() {
    focus_if_lost(".puzzle-board [role=grid] [tabindex='0']".to_owned());
}

/// The page of a puzzle.
#[component]
pub(crate) fn SolvePage(origin: PuzzleOrigin) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let title = match origin {
        PuzzleOrigin::Daily => words.home_puzzle(),
        PuzzleOrigin::Named(_) => words.puzzles_puzzle(),
        PuzzleOrigin::Training => words.puzzles_training(),
    };
    show_title(words, title);
    let mut choice = TrainingChoice::load();
    if let Some(theme) = untrack(|| navigation.query_parameter("theme")) {
        choice.theme = theme.parse().ok();
        choice.store();
    }
    let state = SolvePageState::new(words, origin, choice);
    state.load();
    let solver = state.solver;
    let is_solved = move || {
        let result = solver.solving.with(|solving| solving.as_ref().and_then(Solving::result));
        result.filter(|_| state.is_over())
    };
    let message = move || match is_solved() {
        Some(true) => words.puzzles_solved().to_owned(),
        Some(false) => words.puzzles_over().to_owned(),
        None => solver.message.get(),
    };
    let result = move || is_solved().map(|is_solved| if is_solved { "solved" } else { "failed" });
    view! {
        <div
            class="puzzle-page"
            data-place=match origin {
                PuzzleOrigin::Training => "training",
                _ => "puzzle",
            }
            data-puzzle=move || state.id.get().map(|id| id.to_string())
            data-result=result
        >
            <SolverBoard solver/>
            <section class="puzzle-panel" aria-labelledby="puzzle-title">
                <h1 id="puzzle-title">{title}</h1>
                <p class="puzzle-message" role="status">{message}</p>
                <Help solver/>
                {move || state.is_over().then(|| view! { <Summary state/> })}
                <SolverMoveField solver/>
                {(origin == PuzzleOrigin::Training).then(|| view! { <TrainingForm state/> })}
                <p class="puzzle-more">
                    <a href=navigation.path(Page::Puzzles)>{words.puzzles_all()}</a>
                </p>
            </section>
        </div>
    }
}

/// The buttons for hints and the solution.
#[component]
fn Help(solver: Solver) -> impl IntoView {
    let words = use_words();
    let can_ask = move || solver.stage() == Some(SolvingStage::SolverToMove);
    let can_show = move || {
        !matches!(solver.stage(), None | Some(SolvingStage::ShowingSolution | SolvingStage::Done))
    };
    let buttons = move || {
        view! {
            <div class="puzzle-actions" role="group" aria-label=words.play_actions()>
                {button("hint", icon::HINT, words.play_hint(), move || !can_ask(), move || solver.give_hint())}
                {button("solution", icon::THINK, words.puzzles_solution(), move || !can_show(), move || solver.show_solution())}
            </div>
        }
    };
    let is_done = Memo::new(move |_| solver.stage() == Some(SolvingStage::Done));
    move || (!is_done.get()).then(buttons)
}

/// The panel after a puzzle: ratings, themes, and the buttons for the next step.
#[component]
fn Summary(state: SolvePageState) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let solver = state.solver;
    let puzzle = solver.with(|solving| solving.puzzle().clone());
    let Some(puzzle) = puzzle else { return ().into_any() };
    let id = puzzle.id();
    let themes = puzzle.themes.iter().map(|theme| {
        let path = training_path(navigation, Some(theme));
        view! { <li><a href=path>{theme_name(theme, words)}</a></li> }
    });
    let rating = move || {
        state.rating_change.get().map(|RatingChange { before, after }| {
            let sign = if after < before { "−" } else { "+" };
            let change = format!("{sign}{}", after.abs_diff(before));
            view! { <p class="puzzle-rating">{words.puzzles_your_rating(after, change)}</p> }
        })
    };
    let next = match state.origin {
        PuzzleOrigin::Training => view! {
            <button type="button" class="button primary" data-action="next" on:click=move |_| state.load_next()>
                {words.puzzles_next()}
            </button>
        }
        .into_any(),
        _ => view! {
            <a class="button primary" data-action="next" href=training_path(navigation, None)>{words.puzzles_next()}</a>
        }
        .into_any(),
    };
    let position = Position::from(*puzzle.line.start());
    let analysis = navigation.path(Page::Analysis)
        + &position_query(&position.placement(), khet::Rules::Standard);
    let again = puzzle.clone();
    let share = move || {
        let link = Page::Puzzle.link_to_share(&id.to_string(), "");
        share_link(words, state.note, words.puzzles_share(), &link);
    };
    let votes = account::is_signed_in().then(|| {
        let vote = move |vote| Signal::derive(move || state.vote.get() == Some(vote));
        view! {
            {toggle_button("vote-up", UP_ICON, words.puzzles_vote_up(), vote(PuzzleVote::Up), move || state.cast_vote(PuzzleVote::Up))}
            {toggle_button("vote-down", DOWN_ICON, words.puzzles_vote_down(), vote(PuzzleVote::Down), move || state.cast_vote(PuzzleVote::Down))}
        }
    });
    view! {
        <div class="puzzle-summary">
            {rating}
            <p>{move || words.puzzles_rating(state.puzzle_rating.get().unwrap_or(puzzle.rating))}</p>
            <ul class="puzzle-themes" aria-label=words.puzzles_themes()>{themes.collect_view()}</ul>
            <div class="puzzle-next">
                {next}
                <a class="button" data-action="analyse" href=analysis>{words.analysis_title()}</a>
            </div>
            <div class="puzzle-actions" role="group" aria-label=words.play_actions()>
                {button("again", icon::REMATCH, words.puzzles_again(), || false, move || state.try_again(again.clone()))}
                {button("share", icon::SHARE, words.shell_share(), || false, share)}
                {votes}
            </div>
            <p class="puzzle-note" role="status">{move || state.note.get()}</p>
        </div>
    }
    .into_any()
}

/// Returns the path of training with a theme, or as it was last.
pub(crate) fn training_path(navigation: Navigation, theme: Option<PuzzleTheme>) -> String {
    let path = navigation.path_of(Page::Puzzle, "training");
    match theme {
        Some(theme) => format!("{path}?theme={theme}"),
        None => path,
    }
}

/// The choice of a theme and a difficulty.
#[component]
fn TrainingForm(state: SolvePageState) -> impl IntoView {
    let words = use_words();
    let theme_option = move |theme: PuzzleTheme| {
        let chosen = move || state.choice.get().theme == Some(theme);
        view! { <option value=theme.name() selected=chosen>{theme_name(theme, words)}</option> }
    };
    let difficulty_option = move |difficulty: TrainingDifficulty| {
        let name = match difficulty {
            TrainingDifficulty::Easiest => words.puzzles_easiest(),
            TrainingDifficulty::Easier => words.puzzles_easier(),
            TrainingDifficulty::Normal => words.puzzles_normal(),
            TrainingDifficulty::Harder => words.puzzles_harder(),
            TrainingDifficulty::Hardest => words.puzzles_hardest(),
        };
        let chosen = move || state.choice.get().difficulty == difficulty;
        view! { <option value=difficulty.name() selected=chosen>{name}</option> }
    };
    let choose_theme = move |event| {
        let theme = event_target_value(&event).parse().ok();
        state.choose(|choice| choice.theme = theme);
    };
    let choose_difficulty = move |event| {
        let name = event_target_value(&event);
        let difficulty = TrainingDifficulty::from_name(&name).unwrap_or_default();
        state.choose(|choice| choice.difficulty = difficulty);
    };
    view! {
        <div class="puzzle-choice">
            <label class="field">
                <span>{words.puzzles_theme()}</span>
                <select data-field="theme" on:change=choose_theme>
                    <option value="all" selected=move || state.choice.get().theme.is_none()>{words.puzzles_all_themes()}</option>
                    {move || state.themes.get().into_iter().map(theme_option).collect_view()}
                </select>
            </label>
            <label class="field">
                <span>{words.puzzles_difficulty()}</span>
                <select data-field="difficulty" on:change=choose_difficulty>
                    {TrainingDifficulty::ALL.map(difficulty_option).collect_view()}
                </select>
            </label>
        </div>
    }
}

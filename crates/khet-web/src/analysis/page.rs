//! The analysis page.

use khet::{Color, GamePosition, Rules};
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, MouseEvent};

use super::all_moves_panel::AllMovesPanel;
use super::analysis_tree::AnalysisTree;
use super::dialogs::{Dialogs, open_error_message};
use super::evaluation_bar::EvaluationBar;
use super::explorer_panel::ExplorerPanel;
use super::initial_content::{InitialContent, classic_tree, initial_content};
use super::keyboard;
use super::lines_panel::LinesPanel;
use super::review_panel::ReviewPanel;
use super::state::{AnalysisDialog, AnalysisSignals, AnalysisState, Tab};
use super::tree_panel::TreePanel;
use crate::api;
use crate::board::{Board, MoveField};
use crate::controls::icon;
use crate::game::tree_link;
use crate::game_ui::action_buttons::{button, toggle_button};
use crate::game_ui::move_list::step_button;
use crate::game_ui::move_navigation::{Step, navigate_by_wheel};
use crate::game_ui::player_strip::color_name;
use crate::game_ui::result::outcome_line;
use crate::languages::use_words;
use crate::routing::{Navigation, use_navigation};
use crate::rules::Move;

/// The page on which games and positions are analysed.
#[component]
pub(crate) fn AnalysisPage() -> impl IntoView {
    let words = use_words();
    let analysis = AnalysisState::new(words, classic_tree());
    load(analysis, use_navigation());
    reload_on_new_link();
    keyboard::listen(analysis);
    let is_empty =
        move || analysis.tree.with_untracked(|tree| tree.record().main_line().plies.is_empty());
    let on_wheel = navigate_by_wheel(move |step| analysis.step(step), is_empty);
    let scene = Memo::new(move |_| analysis.scene());
    let outcome = move || {
        let game = analysis.tree.with(AnalysisTree::game);
        let by = !game.position().side_to_move();
        game.outcome().map(|outcome| outcome_line(words, outcome, Some(by)))
    };
    let message = move || {
        let message = analysis.message.get();
        if message.is_empty() { outcome().unwrap_or_default() } else { message }
    };
    let on_move = Callback::new(move |mv: Move| analysis.play(mv));
    view! {
        <div
            class="game-page analysis"
            data-path=move || analysis.tree.with(|tree| tree.path().to_string())
            data-opened=move || analysis.opened.get()
        >
            <h1 class="visually-hidden">{words.analysis_title()}</h1>
            <EvaluationBar analysis/>
            <div class="game-board" on:wheel=on_wheel>
                <div class="game-fit"><Board scene=scene on_move can_stand=true/></div>
            </div>
            <LinesPanel analysis/>
            <Tabs analysis/>
            <TabPanel analysis/>
            <div class="game-message">
                <p role="status" data-message="">{message}</p>
                <ContinueButton analysis/>
            </div>
            <div class="game-type"><MoveField scene=scene on_move/></div>
            <StepButtons analysis/>
            <ActionButtons analysis/>
            <Dialogs analysis/>
        </div>
    }
}

/// Loads the initial content, and the review if the address asks for one.
fn load(analysis: AnalysisState, navigation: Navigation) {
    let words = analysis.words;
    let wants_review = navigation.query_parameter("review").is_some();
    let side = navigation.query_parameter("side");
    let side = Color::ALL.into_iter().find(|&color| side.as_deref() == Some(color_name(color)));
    if let Some(side) = side {
        analysis.set_played_side(side);
    }
    let start = move |tree: AnalysisTree, source: &str| {
        analysis.start(tree, source);
        let game = source.strip_prefix("game=").map(str::to_owned);
        analysis.game.set(game);
        let has_review = analysis.load_stored_review();
        if wants_review {
            analysis.tab.set(Tab::Review);
            // A reload shows the stored review and does not request another one.
            navigation.set_query(&analysis.search());
            if !has_review {
                analysis.request_review();
            }
        }
    };
    // After an error, the tree of the last visit can still be restored.
    let fail = move |message: String| {
        analysis.start(classic_tree(), "");
        analysis.message.set(message);
    };
    match initial_content(navigation) {
        InitialContent::Local(tree, source) => start(*tree, &source),
        InitialContent::Remote(path, source) => spawn_local(async move {
            match api::get_text(&path).await {
                Ok(text) => match AnalysisTree::open(&text, Rules::Standard) {
                    Ok(tree) => start(tree, &source),
                    Err(error) => fail(open_error_message(words, &error)),
                },
                Err(error) => fail(error.message(words)),
            }
        }),
        InitialContent::Invalid(error) => fail(open_error_message(words, &error)),
        InitialContent::Empty => {
            analysis.start(classic_tree(), "");
            analysis.may_continue.set(AnalysisState::previous_tree().is_some());
        }
    }
}

/// The button that opens the tree of the last visit, shown while the board is empty.
#[component]
fn ContinueButton(analysis: AnalysisState) -> impl IntoView {
    let words = analysis.words;
    let shown = Memo::new(move |_| {
        analysis.may_continue.get() && analysis.tree.with(AnalysisTree::is_empty)
    });
    let open = move |_| {
        if let Some(previous) = AnalysisState::previous_tree() {
            analysis.open(previous);
        }
    };
    view! {
        <Show when=move || shown.get()>
            <button type="button" class="button" data-action="continue-analysis" on:click=open>
                {words.analysis_continue()}
            </button>
        </Show>
    }
}

/// Reloads the page when a link with a tree is pasted into its address.
fn reload_on_new_link() {
    let listener = window_event_listener(leptos::ev::hashchange, move |_| {
        if tree_link::read(&window().location().hash().unwrap_or_default()).is_some() {
            // It fails only where pages may not be loaded at all.
            let _ = window().location().reload();
        }
    });
    on_cleanup(move || listener.remove());
}

/// The panel of the selected tab.
#[component]
fn TabPanel(analysis: AnalysisState) -> impl IntoView {
    view! {
        <div class="panel" role="tabpanel" id="panel"
            aria-labelledby=move || tab_id(analysis.tab.get())>
            {move || match analysis.tab.get() {
                Tab::Tree => view! { <TreePanel analysis/> }.into_any(),
                Tab::AllMoves => view! { <AllMovesPanel analysis/> }.into_any(),
                Tab::Explorer => view! { <ExplorerPanel analysis/> }.into_any(),
                Tab::Review => view! { <ReviewPanel analysis/> }.into_any(),
            }}
        </div>
    }
}

/// The buttons that step through the game.
#[component]
fn StepButtons(analysis: AnalysisState) -> impl IntoView {
    let words = analysis.words;
    let at_start = move || analysis.tree.with(|tree| tree.path().plies() == 0);
    let at_end = move || analysis.tree.with(|tree| tree.record().children(tree.path()).is_empty());
    let go = move |step: Step| analysis.step(step);
    view! {
        <nav class="steps" aria-label=words.play_moves()>
            {step_button(words, Step::First, at_start, go)}
            {step_button(words, Step::Back, at_start, go)}
            {step_button(words, Step::Forward, at_end, go)}
            {step_button(words, Step::Last, at_end, go)}
        </nav>
    }
}

/// The buttons for the engine, the threat, the beams, the board, and more actions.
#[component]
fn ActionButtons(analysis: AnalysisState) -> impl IntoView {
    let words = analysis.words;
    let AnalysisSignals { engine_on, threat, beams, .. } = *analysis;
    let beams_shown = Signal::derive(move || !beams.with(Vec::is_empty));
    view! {
        <div class="actions" role="group" aria-label=words.play_actions()>
            {toggle_button("think", icon::THINK, words.analysis_engine(), engine_on,
                move || engine_on.update(|on| *on = !*on))}
            {toggle_button("threat", icon::THREAT, words.analysis_threat(), threat,
                move || threat.update(|on| *on = !*on))}
            {toggle_button("beams", icon::BEAMS, words.analysis_beams(), beams_shown,
                move || analysis.cycle_beams())}
            {button("flip", icon::FLIP, words.play_flip_board(), || false, move || analysis.flip())}
            {button("more", icon::MORE, words.play_more(), || false,
                move || analysis.dialog.set(Some(AnalysisDialog::More)))}
        </div>
    }
}

const fn tab_id(tab: Tab) -> &'static str {
    match tab {
        Tab::Tree => "tab-tree",
        Tab::AllMoves => "tab-moves",
        Tab::Explorer => "tab-explorer",
        Tab::Review => "tab-review",
    }
}

/// Takes the focus from a tab that was clicked with a pointer, so that the arrow keys step through
/// the moves. A click by key has no count.
fn leave_after_click(click: &MouseEvent) {
    let tab = click.current_target().and_then(|tab| tab.dyn_into::<HtmlElement>().ok());
    if let Some(tab) = tab.filter(|_| click.detail() > 0) {
        // Removing the focus does not fail.
        let _ = tab.blur();
    }
}

/// The tabs of the panel beside the board. The arrow keys go from one to the next.
#[component]
fn Tabs(analysis: AnalysisState) -> impl IntoView {
    let words = analysis.words;
    let tabs = [
        (Tab::Tree, words.play_moves()),
        (Tab::AllMoves, words.analysis_tab_all_moves()),
        (Tab::Explorer, words.analysis_tab_explorer()),
        (Tab::Review, words.analysis_tab_review()),
    ];
    let key = move |event: leptos::ev::KeyboardEvent| {
        let index =
            tabs.iter().position(|(tab, _)| *tab == analysis.tab.get_untracked()).unwrap_or(0);
        let next = match event.key().as_str() {
            "ArrowRight" => (index + 1) % tabs.len(),
            "ArrowLeft" => (index + tabs.len() - 1) % tabs.len(),
            _ => return,
        };
        event.prevent_default();
        analysis.tab.set(tabs[next].0);
        let id = tab_id(tabs[next].0);
        request_animation_frame(move || {
            let tab = document().get_element_by_id(id);
            if let Some(tab) = tab.and_then(|tab| tab.dyn_into::<HtmlElement>().ok()) {
                // Focusing a button does not fail.
                let _ = tab.focus();
            }
        });
    };
    let tab = move |(tab, name): (Tab, &'static str)| {
        let selected = move || analysis.tab.get() == tab;
        view! {
            <button type="button" role="tab" id=tab_id(tab) aria-controls="panel"
                aria-selected=move || selected().to_string()
                tabindex=move || if selected() { "0" } else { "-1" }
                on:click=move |event| {
                    analysis.tab.set(tab);
                    leave_after_click(&event);
                }>{name}</button>
        }
    };
    view! {
        <div class="tabs" role="tablist" aria-label=words.analysis_title() on:keydown=key>
            {tabs.map(tab).into_iter().collect_view()}
        </div>
    }
}

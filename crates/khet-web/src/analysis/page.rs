//! The page on which games and positions are looked into.

use khet::{Rules, Setup};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::all_moves::AllMoves;
use super::bar::EvaluationBar;
use super::dialogs::Dialogs;
use super::explorer::Explorer;
use super::lines::Lines;
use super::review_panel::ReviewPanel;
use super::state::{self, AnalysisState, OpenDialog, Tab};
use super::study::{Study, Unreadable};
use super::tree::Tree;
use super::{keys, link};
use crate::api;
use crate::board::{Board, MoveField};
use crate::controls::icon;
use crate::game_ui::action_buttons::{button, pressed_button};
use crate::game_ui::move_list::step_button;
use crate::game_ui::move_navigation::Step;
use crate::game_ui::result::outcome_line;
use crate::languages::use_words;
use crate::routing::{Navigation, use_navigation};

/// What the address wants to be looked into, and where that comes from.
enum Wanted {
    /// What it holds itself, or what was kept.
    Here(Box<Study>, String),
    /// A record that the server has under a path.
    There(String, String),
    /// It can't be read.
    Unreadable(String),
}

fn wanted(navigation: Navigation) -> Wanted {
    let rules = navigation.asked("rules").and_then(|rules| rules.parse().ok());
    let rules = rules.unwrap_or(Rules::Standard);
    // What was added to it on an earlier visit is there again.
    let open = |text: &str, source: String| match state::kept_from(&source) {
        Some(study) => Wanted::Here(Box::new(study), source),
        None => match Study::open(text, rules) {
            Ok(study) => Wanted::Here(Box::new(study), source),
            Err(Unreadable::Wrong(problem)) => Wanted::Unreadable(problem),
            Err(Unreadable::TooLong) => Wanted::Unreadable(String::new()),
        },
    };
    let fragment = window().location().hash().unwrap_or_default();
    if let Some(text) = link::read(&fragment) {
        return open(&text, fragment);
    }
    for (name, folder, end) in [("game", "/api/games/", "/kgn"), ("imported", "/api/imported/", "")]
    {
        let Some(id) = navigation.asked(name) else { continue };
        // In an address a blank is an underscore; ids have underscores.
        let id = id.replace(' ', "_");
        if !id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)) {
            return Wanted::Unreadable(String::new());
        }
        let source = format!("{name}={id}");
        return match state::kept_from(&source) {
            Some(study) => Wanted::Here(Box::new(study), source),
            None => Wanted::There(format!("{folder}{id}{end}"), source),
        };
    }
    match navigation.asked("position") {
        Some(text) => {
            let source = format!("position={text}&rules={rules}");
            open(&text, source)
        }
        None => match state::kept() {
            Some((source, study)) => Wanted::Here(Box::new(study), source),
            None => Wanted::Here(Box::new(Study::of(Setup::Classic.position())), String::new()),
        },
    }
}

/// The board for looking into games.
#[component]
pub(crate) fn AnalysisPage() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let classic = || Study::of(Setup::Classic.position());
    let analysis = AnalysisState::new(words, classic());
    let reviews = navigation.asked("review").is_some();
    let begin = move |study: Study, source: &str| {
        analysis.begin(study, source);
        let game = source.strip_prefix("game=").map(str::to_owned);
        analysis.game.set(game);
        let known = analysis.recall_review();
        if reviews {
            analysis.tab.set(Tab::Review);
            // Who loads the page anew has it already.
            navigation.note(&analysis.search());
            if !known {
                analysis.ask_for_review();
            }
        }
    };
    // What can't be had leaves what was there before in its place, to come back to.
    let fail = move |message: String| {
        analysis.begin(classic(), "");
        analysis.message.set(message);
    };
    match wanted(navigation) {
        Wanted::Here(study, source) => begin(*study, &source),
        Wanted::There(path, source) => spawn_local(async move {
            match api::get_text(&path).await {
                Ok(text) => match Study::open(&text, Rules::Standard) {
                    Ok(study) => begin(study, &source),
                    Err(_) => fail(words.analysis_too_long().to_owned()),
                },
                Err(error) => fail(error.message(words)),
            }
        }),
        Wanted::Unreadable(problem) => fail(words.play_unreadable(problem)),
    }
    // A link that is put into the address of this very page.
    let linked = window_event_listener(leptos::ev::hashchange, move |_| {
        if link::read(&window().location().hash().unwrap_or_default()).is_some() {
            // It fails only where a page may not be loaded at all.
            let _ = window().location().reload();
        }
    });
    on_cleanup(move || linked.remove());
    keys::listen(analysis);
    let scene = Memo::new(move |_| analysis.scene());
    let at_start = move || analysis.study.with(|study| study.place().plies() == 0);
    let at_end =
        move || analysis.study.with(|study| study.record().children(study.place()).is_empty());
    let go = move |step: Step| analysis.step(step);
    let over = move || {
        let game = analysis.study.with(Study::game);
        let by = !game.position().side_to_move();
        game.outcome().map(|outcome| outcome_line(words, outcome, Some(by)))
    };
    let message = move || {
        let message = analysis.message.get();
        if message.is_empty() { over().unwrap_or_default() } else { message }
    };
    let act = Callback::new(move |mv| analysis.play(mv));
    view! {
        <div class="game-page study" data-place=move || analysis.study.with(|study| study.place().to_string())
            data-opened=move || analysis.opened.get()>
            <h1 class="visually-hidden">{words.analysis_title()}</h1>
            <EvaluationBar analysis/>
            <div class="game-board"><div class="game-fit"><Board scene=scene on_move=act/></div></div>
            <Lines analysis/>
            <Tabs analysis/>
            <div class="panel" role="tabpanel" id="panel" aria-labelledby=move || tab_id(analysis.tab.get())>
                {move || match analysis.tab.get() {
                    Tab::Tree => view! { <Tree analysis/> }.into_any(),
                    Tab::AllMoves => view! { <AllMoves analysis/> }.into_any(),
                    Tab::Explorer => view! { <Explorer analysis/> }.into_any(),
                    Tab::Review => view! { <ReviewPanel analysis/> }.into_any(),
                }}
            </div>
            <div class="game-message"><p role="status" data-message="">{message}</p></div>
            <div class="game-type"><MoveField scene=scene on_move=act/></div>
            <nav class="steps" aria-label=words.play_moves()>
                {step_button(words, Step::First, at_start, go)}
                {step_button(words, Step::Back, at_start, go)}
                {step_button(words, Step::Forward, at_end, go)}
                {step_button(words, Step::Last, at_end, go)}
            </nav>
            <div class="actions" role="group" aria-label=words.play_actions()>
                {pressed_button("think", icon::THINK, words.analysis_engine(), analysis.thinks,
                    move || analysis.thinks.update(|thinks| *thinks = !*thinks))}
                {pressed_button("threat", icon::THREAT, words.analysis_threat(), analysis.threat,
                    move || analysis.threat.update(|threat| *threat = !*threat))}
                {pressed_button("beams", icon::BEAMS, words.analysis_beams(), Signal::derive(move || !analysis.beams.with(Vec::is_empty)),
                    move || analysis.next_beams())}
                {button("flip", icon::FLIP, words.play_flip_board(), || false, move || analysis.flip())}
                {button("more", icon::MORE, words.play_more(), || false, move || analysis.dialog.set(Some(OpenDialog::More)))}
            </div>
            <Dialogs analysis/>
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

/// What stands beside the board. Arrow keys go from one to the next.
#[component]
fn Tabs(analysis: AnalysisState) -> impl IntoView {
    let words = analysis.words;
    let all = [
        (Tab::Tree, words.play_moves()),
        (Tab::AllMoves, words.analysis_tab_all_moves()),
        (Tab::Explorer, words.analysis_tab_explorer()),
        (Tab::Review, words.analysis_tab_review()),
    ];
    let key = move |event: leptos::ev::KeyboardEvent| {
        let at = all.iter().position(|(tab, _)| *tab == analysis.tab.get_untracked()).unwrap_or(0);
        let next = match event.key().as_str() {
            "ArrowRight" => (at + 1) % all.len(),
            "ArrowLeft" => (at + all.len() - 1) % all.len(),
            _ => return,
        };
        event.prevent_default();
        analysis.tab.set(all[next].0);
        let id = tab_id(all[next].0);
        request_animation_frame(move || {
            use wasm_bindgen::JsCast;
            let tab = document().get_element_by_id(id);
            if let Some(tab) = tab.and_then(|tab| tab.dyn_into::<web_sys::HtmlElement>().ok()) {
                // A button can always take the keys.
                let _ = tab.focus();
            }
        });
    };
    let tab = move |(tab, name): (Tab, &'static str)| {
        let chosen = move || analysis.tab.get() == tab;
        view! {
            <button type="button" role="tab" id=tab_id(tab) aria-controls="panel" aria-selected=move || chosen().to_string()
                tabindex=move || if chosen() { "0" } else { "-1" } on:click=move |_| analysis.tab.set(tab)>{name}</button>
        }
    };
    view! {
        <div class="tabs" role="tablist" aria-label=words.analysis_title() on:keydown=key>
            {all.map(tab).into_iter().collect_view()}
        </div>
    }
}

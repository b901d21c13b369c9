//! The page on which games and positions are looked into.

use khet::{Rules, Setup};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::all_turns::AllTurns;
use super::bar::EvaluationBar;
use super::desk::{self, Desk, Sheet, Tab};
use super::explorer::Explorer;
use super::lines::Lines;
use super::review_panel::ReviewPanel;
use super::sheets::Sheets;
use super::study::{Study, Unreadable};
use super::tree::Tree;
use super::{keys, link};
use crate::address::{Navigation, use_navigation};
use crate::board::{Board, TurnField};
use crate::languages::use_words;
use crate::play::actions::{button, pressed_button};
use crate::play::icon;
use crate::play::outcome_line;
use crate::play::turn_list::step_button;
use crate::play::walk::Step;
use crate::server;

/// What the address wants to be looked into.
enum Wanted {
    /// What it holds itself, or what was kept.
    Here(Box<Study>),
    /// A record that the server has: its path, where it came from, and the id of the game.
    There { path: String, source: String, game: Option<String> },
    /// It can't be read.
    Unreadable(String),
}

fn wanted(navigation: Navigation) -> Wanted {
    let fragment = window().location().hash().unwrap_or_default();
    let rules =
        navigation.asked("rules").and_then(|rules| rules.parse().ok()).unwrap_or(Rules::Standard);
    let open = |text: &str| match Study::open(text, rules) {
        Ok(study) => Wanted::Here(Box::new(study)),
        Err(Unreadable::Wrong(problem)) => Wanted::Unreadable(problem),
        Err(Unreadable::TooLong) => Wanted::Unreadable(String::new()),
    };
    if let Some(text) = link::read(&fragment) {
        return open(&text);
    }
    let record = |name: &str, path: &dyn Fn(&str) -> String, is_game: bool| {
        let id = navigation.asked(name)?;
        let known = id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_ ".contains(&byte));
        // In an address a blank is an underscore; ids have underscores.
        let id = id.replace(' ', "_");
        let source = format!("{name}={id}");
        known.then(|| match desk::kept(&source) {
            Some(study) if !is_game => Wanted::Here(Box::new(study)),
            _ => Wanted::There { path: path(&id), source, game: is_game.then_some(id) },
        })
    };
    if let Some(wanted) = record("game", &|id| format!("/api/games/{id}/kgn"), true) {
        return wanted;
    }
    if let Some(wanted) = record("imported", &|id| format!("/api/imported/{id}"), false) {
        return wanted;
    }
    match navigation.asked("position") {
        Some(text) => match desk::kept(&format!("position={text}")) {
            Some(study) => Wanted::Here(Box::new(study)),
            None => open(&text),
        },
        None => {
            let kept = desk::kept_any();
            Wanted::Here(Box::new(kept.unwrap_or_else(|| Study::of(Setup::Classic.position()))))
        }
    }
}

/// The board for looking into games.
#[component]
pub(crate) fn AnalysisPage() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let wanted = wanted(navigation);
    let desk = Desk::new(words, Study::of(Setup::Classic.position()));
    let reviews = navigation.asked("review").is_some();
    match wanted {
        Wanted::Here(study) => {
            let source = navigation
                .asked("position")
                .map(|text| format!("position={text}"))
                .unwrap_or_default();
            desk.begin(*study, &source);
            if reviews {
                desk.tab.set(Tab::Review);
                desk.ask_for_review();
            }
        }
        Wanted::There { path, source, game } => spawn_local(async move {
            match server::text(&path).await {
                Ok(text) => match Study::open(&text, Rules::Standard) {
                    Ok(study) => {
                        // What was added to this game here before is kept.
                        let study = desk::kept(&source)
                            .filter(|kept| kept.continues(&study))
                            .unwrap_or(study);
                        desk.begin(study, &source);
                        desk.game.set(game);
                        if reviews {
                            desk.tab.set(Tab::Review);
                            desk.ask_for_review();
                        }
                    }
                    Err(_) => desk.message.set(words.analysis_too_long().to_owned()),
                },
                Err(trouble) => desk.message.set(trouble.told(words)),
            }
        }),
        Wanted::Unreadable(problem) => desk.message.set(words.play_unreadable(problem)),
    }
    keys::listen(desk);
    let scene = Memo::new(move |_| desk.scene());
    let at_start = move || desk.study.with(|study| study.place().plies() == 0);
    let at_end = move || desk.study.with(|study| study.record().ways_on(study.place()).is_empty());
    let go = move |step: Step| desk.step(step);
    let over = move || {
        let game = desk.study.with(Study::game);
        let by = !game.position().side_to_move();
        game.outcome().map(|outcome| outcome_line(words, outcome, Some(by)))
    };
    let message = move || {
        let message = desk.message.get();
        if message.is_empty() { over().unwrap_or_default() } else { message }
    };
    let act = Callback::new(move |turn| desk.play(turn));
    view! {
        <div class="room study" data-place=move || desk.study.with(|study| study.place().to_string())
            data-opened=move || desk.opened.get()>
            <h1 class="visually-hidden">{words.analysis_title()}</h1>
            <EvaluationBar desk/>
            <div class="room-board"><div class="room-fit"><Board scene=scene on_act=act/></div></div>
            <Lines desk/>
            <Tabs desk/>
            <div class="panel" role="tabpanel" id="panel" aria-labelledby=move || tab_id(desk.tab.get())>
                {move || match desk.tab.get() {
                    Tab::Tree => view! { <Tree desk/> }.into_any(),
                    Tab::AllTurns => view! { <AllTurns desk/> }.into_any(),
                    Tab::Explorer => view! { <Explorer desk/> }.into_any(),
                    Tab::Review => view! { <ReviewPanel desk/> }.into_any(),
                }}
            </div>
            <div class="room-message"><p role="status" data-message="">{message}</p></div>
            <div class="room-type"><TurnField scene=scene on_act=act/></div>
            <nav class="steps" aria-label=words.play_turns()>
                {step_button(words, Step::First, at_start, go)}
                {step_button(words, Step::Back, at_start, go)}
                {step_button(words, Step::Forth, at_end, go)}
                {step_button(words, Step::Last, at_end, go)}
            </nav>
            <div class="actions" role="group" aria-label=words.play_actions()>
                {pressed_button("think", icon::THINK, words.analysis_think(), desk.thinks,
                    move || desk.thinks.update(|thinks| *thinks = !*thinks))}
                {pressed_button("threat", icon::THREAT, words.analysis_threat(), desk.threat,
                    move || desk.threat.update(|threat| *threat = !*threat))}
                {pressed_button("beams", icon::BEAMS, words.analysis_beams(), Signal::derive(move || !desk.beams.with(Vec::is_empty)),
                    move || desk.next_beams())}
                {button("flip", icon::FLIP, words.play_turn_board(), || false, move || desk.flip())}
                {button("more", icon::MORE, words.play_more(), || false, move || desk.sheet.set(Some(Sheet::More)))}
            </div>
            <Sheets desk/>
        </div>
    }
}

const fn tab_id(tab: Tab) -> &'static str {
    match tab {
        Tab::Tree => "tab-tree",
        Tab::AllTurns => "tab-turns",
        Tab::Explorer => "tab-explorer",
        Tab::Review => "tab-review",
    }
}

/// What stands beside the board. Arrow keys go from one to the next.
#[component]
fn Tabs(desk: Desk) -> impl IntoView {
    let words = desk.words;
    let all = [
        (Tab::Tree, words.play_turns()),
        (Tab::AllTurns, words.analysis_tab_all()),
        (Tab::Explorer, words.analysis_tab_explorer()),
        (Tab::Review, words.analysis_tab_review()),
    ];
    let key = move |event: leptos::ev::KeyboardEvent| {
        let at = all.iter().position(|(tab, _)| *tab == desk.tab.get_untracked()).unwrap_or(0);
        let next = match event.key().as_str() {
            "ArrowRight" => (at + 1) % all.len(),
            "ArrowLeft" => (at + all.len() - 1) % all.len(),
            _ => return,
        };
        event.prevent_default();
        desk.tab.set(all[next].0);
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
        let chosen = move || desk.tab.get() == tab;
        view! {
            <button type="button" role="tab" id=tab_id(tab) aria-controls="panel" aria-selected=move || chosen().to_string()
                tabindex=move || if chosen() { "0" } else { "-1" } on:click=move |_| desk.tab.set(tab)>{name}</button>
        }
    };
    view! {
        <div class="tabs" role="tablist" aria-label=words.analysis_title() on:keydown=key>
            {all.map(tab).into_iter().collect_view()}
        </div>
    }
}

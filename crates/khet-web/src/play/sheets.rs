//! The dialogs of a game: giving up, draws, and what else can be done.

use khet::{Color, Rules};
use leptos::prelude::*;

use super::desk::{Desk, Place, Sheet};
use super::papers::GamePapers;
use super::session::{Mode, Session};
use crate::address::use_navigation;
use crate::dialog::{OneOf, decision};
use crate::fields;
use crate::setup_names::setup_name;

/// All dialogs of a desk; at most one is open.
#[component]
pub(super) fn Sheets(desk: Desk) -> impl IntoView {
    let words = desk.words;
    let resign_title = move || match desk.session.with(Session::resigner) {
        Color::Silver => words.play_resign_silver().to_string(),
        Color::Red => words.play_resign_red().to_string(),
    };
    let resign = move || {
        desk.sheet.set(None);
        desk.resign();
    };
    let close = words.play_close();
    view! {
        <OneOf which=desk.sheet sheet=Sheet::Resign name="resign" title=Signal::derive(resign_title) close>
            {decision(words.play_resign(), words.play_on(), resign, move || desk.sheet.set(None))}
        </OneOf>
        <OneOf which=desk.sheet sheet=Sheet::Draw name="draw" title=words.play_draw() close>
            <Draw desk/>
        </OneOf>
        <OneOf which=desk.sheet sheet=Sheet::Record name="record" title=words.play_record() close>
            <GamePapers desk/>
        </OneOf>
        <OneOf which=desk.sheet sheet=Sheet::More name="more" title=words.play_more() close>
            <More desk/>
        </OneOf>
    }
}

/// A draw: claimed where the rules give the right, otherwise offered.
#[component]
fn Draw(desk: Desk) -> impl IntoView {
    let words = desk.words;
    let can_claim =
        desk.session.with(|session| session.can_claim_draw() && session.awaits_person());
    let (text, label) = match (can_claim, desk.place) {
        (true, _) => (words.play_claim_about(), words.play_claim_draw()),
        (false, Place::Computer) => (words.play_offer_about(), words.play_offer_draw()),
        (false, Place::Table) => (words.play_agree_about(), words.play_agree_draw()),
    };
    let act = move || {
        desk.sheet.set(None);
        match desk.place {
            _ if can_claim => desk.claim_draw(),
            Place::Table => desk.agree_draw(),
            Place::Computer if desk.welcomes_draw.get_untracked() => desk.agree_draw(),
            Place::Computer => desk.message.set(words.play_offer_declined().to_string()),
        }
    };
    view! {
        <p>{text}</p>
        {decision(label, words.play_on(), act, move || desk.sheet.set(None))}
    }
}

/// Switches and ways out.
#[component]
fn More(desk: Desk) -> impl IntoView {
    let words = desk.words;
    let navigation = use_navigation();
    let switches = match desk.session.with(Session::mode) {
        Mode::Computer { level, person, practice } => vec![(
            "practice",
            words.play_practice(),
            practice,
            Callback::new(move |practice| {
                desk.set_mode(Mode::Computer { level, person, practice });
            }),
        )],
        Mode::Table { turning, pausing } => {
            let switch = move |change: fn(bool, bool, bool) -> (bool, bool)| {
                Callback::new(move |on| {
                    if let Mode::Table { turning, pausing } =
                        desk.session.with_untracked(Session::mode)
                    {
                        let (turning, pausing) = change(on, turning, pausing);
                        desk.set_mode(Mode::Table { turning, pausing });
                    }
                })
            };
            let mut switches = vec![(
                "turning",
                words.play_turning(),
                turning,
                switch(|on, _, pausing| (on, pausing)),
            )];
            if desk.session.with(|session| session.clock().is_some()) {
                let pausing_switch = switch(|on, turning, _| (turning, on));
                switches.push(("pausing", words.play_pausing(), pausing, pausing_switch));
            }
            switches
        }
        Mode::Online { .. } => Vec::new(),
    };
    let switches = switches.into_iter().map(|(name, label, on, change)| {
        fields::switch(name, label, move || on, move |on| change.run(on))
    });
    let about = desk.session.with(|session| {
        let setup =
            session.setup().map_or(words.play_own_position(), |setup| setup_name(setup, words));
        let rules = match session.game().start().rules() {
            Rules::Standard => words.play_rules_standard(),
            Rules::Czech => words.play_rules_czech(),
        };
        format!("{setup} · {rules}")
    });
    view! {
        <div class="more">
            <p class="more-about">{about}</p>
            {switches.collect_view()}
            <button type="button" class="button" data-action="flip" on:click=move |_| {
                desk.flipped.update(|flipped| *flipped = !*flipped);
                desk.sheet.set(None);
            }>{words.play_turn_board()}</button>
            <button
                type="button"
                class="button"
                data-action="record"
                on:click=move |_| desk.sheet.set(Some(Sheet::Record))
            >
                {words.play_record()}
            </button>
            <button type="button" class="button" data-action="analyse"
                on:click=move |_| desk.look_into(navigation, false)>{words.play_analyse()}</button>
            <button
                type="button"
                class="button"
                data-action="new-game"
                on:click=move |_| desk.choose()
            >
                {words.play_new_game()}
            </button>
        </div>
    }
}

//! Form fields for the options of a new game, local or online.

use khet::{AnySetup, Rules, Setup, tower};
use leptos::prelude::*;

use super::names::setup_name;
use super::text_errors::game_text_error;
use crate::controls::fields;
use crate::game::options::{NewGameOptions, SideChoice};
use crate::languages::{Words, use_words};

/// The setups, grouped as in the select box.
const SETUP_GROUPS: [&[Setup]; 3] = [
    &[Setup::Classic, Setup::Imhotep, Setup::Dynasty],
    &[Setup::Khet2Classic, Setup::Khet2Imhotep, Setup::Khet2Dynasty],
    &[Setup::Khet2ImhotepEye, Setup::Khet2DynastyEye, Setup::Osiris, Setup::Isis],
];

/// Returns the setups with the names of their groups, in the order of the select box.
fn setup_groups(words: Words) -> [(&'static str, Vec<AnySetup>); 4] {
    let [standard, khet2, eye] =
        SETUP_GROUPS.map(|setups| setups.iter().copied().map(AnySetup::Standard).collect());
    [
        (words.play_group_standard(), standard),
        (words.play_group_khet2(), khet2),
        (words.play_group_eye(), eye),
        (words.play_group_tower(), tower::Setup::ALL.map(AnySetup::Tower).to_vec()),
    ]
}

fn side_name(words: Words, side: SideChoice) -> &'static str {
    match side {
        SideChoice::Silver => words.play_silver(),
        SideChoice::Red => words.play_red(),
        SideChoice::Random => words.play_either_side(),
    }
}

#[component]
pub(crate) fn SideField(choice: RwSignal<NewGameOptions>) -> impl IntoView {
    let words = use_words();
    let sides = SideChoice::ALL.map(|side| {
        fields::choice(
            "side",
            side.name(),
            side_name(words, side),
            || false,
            move || choice.with(|choice| choice.side == side),
            move || choice.update(|choice| choice.side = side),
        )
    });
    view! {
        <fieldset class="choice">
            <legend>{words.play_side()}</legend>
            {sides.into_iter().collect_view()}
        </fieldset>
    }
}

#[component]
pub(crate) fn SetupField(choice: RwSignal<NewGameOptions>) -> impl IntoView {
    let words = use_words();
    let is_named = Memo::new(move |_| choice.with(|choice| !choice.own_name.is_empty()));
    let own = move || if is_named.get() { "named" } else { "own" };
    let value = move || choice.with(|choice| choice.setup.map_or_else(own, AnySetup::name));
    let groups = setup_groups(words).into_iter().map(|(name, setups)| {
        let setups = setups.into_iter().map(|setup| {
            let chosen = move || choice.with(|choice| choice.setup == Some(setup));
            view! { <option value=setup.name() prop:selected=chosen>{setup_name(setup, words)}</option> }
        });
        view! { <optgroup label=name>{setups.collect_view()}</optgroup> }
    });
    view! {
        <label class="field">
            <span>{words.play_setup()}</span>
            <select
                data-field="setup"
                prop:value=value
                on:change=move |event| {
                    let value = event_target_value(&event);
                    choice.update(|choice| {
                        choice.setup = value.parse().ok();
                        if value == "own" {
                            choice.own_name.clear();
                        }
                    });
                }
            >
                {groups.collect_view()}
                <Show when=move || is_named.get()>
                    <option value="named" prop:selected=move || value() == "named">
                        {move || choice.with(|choice| choice.own_name.clone())}
                    </option>
                </Show>
                <option value="own" prop:selected=move || value() == "own">
                    {words.play_own_position()}
                </option>
            </select>
        </label>
    }
}

/// The field for a position in notation, shown if no setup is selected. A published position is
/// known by its name and needs no notation.
#[component]
pub(crate) fn PositionField(choice: RwSignal<NewGameOptions>) -> impl IntoView {
    let words = use_words();
    let problem = Memo::new(move |_| {
        choice.with(|choice| {
            let pasted = !choice.own.trim().is_empty();
            choice.start().err().filter(|_| pasted).map(|error| game_text_error(words, &error))
        })
    });
    view! {
        <Show when=move || choice.with(|choice| choice.setup.is_none() && choice.own_name.is_empty())>
            <label class="field">
                <span>{words.play_own_position_label()}</span>
                <textarea
                    rows="3"
                    data-field="own"
                    spellcheck="false"
                    prop:value=move || choice.with(|choice| choice.own.clone())
                    on:input=move |event| choice.update(|choice| choice.own = event_target_value(&event))
                ></textarea>
            </label>
            <p class="field-problem" role="status">{move || problem.get()}</p>
        </Show>
    }
}

#[component]
pub(crate) fn RulesField(choice: RwSignal<NewGameOptions>) -> impl IntoView {
    let words = use_words();
    let rules = Memo::new(move |_| choice.with(|choice| choice.rules));
    let about = move || match rules.get() {
        Rules::Standard => words.play_rules_standard_about(),
        Rules::Czech => words.play_rules_czech_about(),
    };
    let options = Rules::ALL.map(|edition| {
        let name = match edition {
            Rules::Standard => words.play_rules_standard(),
            Rules::Czech => words.play_rules_czech(),
        };
        let chosen = move || rules.get() == edition;
        view! { <option value=edition.name() prop:selected=chosen>{name}</option> }
    });
    view! {
        <label class="field">
            <span>{words.play_rules()}</span>
            <select
                data-field="rules"
                on:change=move |event| {
                    if let Ok(rules) = event_target_value(&event).parse() {
                        choice.update(|choice| choice.rules = rules);
                    }
                }
            >
                {options.into_iter().collect_view()}
            </select>
            <span class="field-about">{about}</span>
        </label>
    }
}

//! Fields for the official setup to start from, the side to move first, and the rules.

use khet::{AnySetup, Color, Rules};
use leptos::ev;
use leptos::prelude::*;

use super::super::setup_check::rules_name;
use super::state::Editor;
use crate::controls::fields;
use crate::game_ui::names::setup_name;

/// A list of official setups to load.
#[component]
pub(super) fn StartFrom(editor: Editor) -> impl IntoView {
    let words = editor.words;
    let official = Memo::new(move |_| AnySetup::of(&editor.setup.get().placement));
    let setups = AnySetup::all().map(|setup| {
        let chosen = move || official.get() == Some(setup);
        view! { <option value=setup.name() prop:selected=chosen>{setup_name(setup, words)}</option> }
    });
    let load = move |event: ev::Event| {
        if let Ok(setup) = event_target_value(&event).parse::<AnySetup>() {
            editor.load(setup.placement());
        }
    };
    view! {
        <label class="field start-from">
            <span>{words.editor_start_from()}</span>
            <select data-field="start" on:change=load>
                <option value=""
                    prop:selected=move || official.get().is_none()>
                    {words.editor_own_setup()}
                </option>
                {setups.collect_view()}
            </select>
        </label>
    }
}

/// Fields for the side to move first and the rules.
#[component]
pub(super) fn StartFields(editor: Editor) -> impl IntoView {
    let words = editor.words;
    let sides = Color::ALL.map(|color| {
        let (value, name) = match color {
            Color::Silver => ("silver", words.play_silver()),
            Color::Red => ("red", words.play_red()),
        };
        let chosen = move || editor.setup.get().placement.side_to_move() == color;
        let choose = move || editor.draft.update(|draft| draft.set_side_to_move(color));
        fields::choice("begins", value, name, || false, chosen, choose)
    });
    let editions = Rules::ALL.map(|rules| {
        let chosen = move || editor.setup.get().rules == rules;
        view! { <option value=rules.name() prop:selected=chosen>{rules_name(words, rules)}</option> }
    });
    let choose_rules = move |event: ev::Event| {
        if let Ok(rules) = event_target_value(&event).parse() {
            editor.draft.update(|draft| draft.set_rules(rules));
        }
    };
    view! {
        <section class="editor-fields" aria-label=words.editor_start()>
            <fieldset class="choice">
                <legend>{words.editor_side_to_move()}</legend>
                {sides.into_iter().collect_view()}
            </fieldset>
            <label class="field">
                <span>{words.play_rules()}</span>
                <select data-field="rules"
                    on:change=choose_rules>{editions.into_iter().collect_view()}</select>
            </label>
        </section>
    }
}

//! Choosing a game: the form beside the board, which shows the setup at once.

use std::ops::RangeInclusive;

use khet::{Rules, Setup, TimeLimits};
use leptos::prelude::*;

use super::choice::{Choice, Side};
use super::desk::{Desk, Place};
use super::moment::luck;
use crate::fields;
use crate::languages::{Words, use_words};
use crate::setup_names::setup_name;

/// The setups in the groups in which they are offered.
const GROUPS: [&[Setup]; 3] = [
    &[Setup::Classic, Setup::Imhotep, Setup::Dynasty],
    &[Setup::Khet2Classic, Setup::Khet2Imhotep, Setup::Khet2Dynasty],
    &[Setup::Khet2ImhotepEye, Setup::Khet2DynastyEye, Setup::Osiris, Setup::Isis],
];

fn group_name(words: Words, group: usize) -> &'static str {
    match group {
        0 => words.play_group_standard(),
        1 => words.play_group_khet2(),
        _ => words.play_group_eye(),
    }
}

/// What to expect of a level.
fn level_sentence(words: Words, level: u8) -> &'static str {
    match level {
        1 => words.play_level_1(),
        2 => words.play_level_2(),
        3 => words.play_level_3(),
        4 => words.play_level_4(),
        5 => words.play_level_5(),
        6 => words.play_level_6(),
        7 => words.play_level_7(),
        8 => words.play_level_8(),
        9 => words.play_level_9(),
        _ => words.play_level_10(),
    }
}

fn side_name(words: Words, side: Side) -> &'static str {
    match side {
        Side::Silver => words.play_silver(),
        Side::Red => words.play_red(),
        Side::Random => words.play_either(),
    }
}

/// The form.
#[component]
pub(super) fn NewGame(desk: Desk) -> impl IntoView {
    let words = desk.words;
    let choice = desk.choice;
    let begin = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let mode = choice.with_untracked(|choice| match desk.place {
            Place::Computer => choice.against_computer(luck()),
            Place::Table => choice.at_table(),
        });
        desk.begin_chosen(mode);
    };
    let has_game = desk.session.with_untracked(|session| !session.game().moves().is_empty());
    let title = match desk.place {
        Place::Computer => words.play_computer_title(),
        Place::Table => words.play_table_title(),
    };
    view! {
        <form class="new-game" data-form="new-game" on:submit=begin>
            <h1>{title}</h1>
            <Show when=move || desk.place == Place::Computer>
                <LevelField desk/>
                <SideField choice=desk.choice/>
            </Show>
            <SetupField choice=desk.choice/>
            <OwnField choice/>
            {(desk.place == Place::Table).then(|| view! { <ClockField desk/> })}
            <MoreFields desk/>
            <div class="new-game-actions">
                <button type="submit" class="button primary" data-action="begin">{words.play_begin()}</button>
                {has_game.then(|| view! {
                    <button
                        type="button"
                        class="button"
                        data-action="back-to-game"
                        on:click=move |_| desk.keep()
                    >
                        {words.play_back_to_game()}
                    </button>
                })}
            </div>
        </form>
    }
}

/// What few people change, made when it is opened.
#[component]
fn MoreFields(desk: Desk) -> impl IntoView {
    let words = desk.words;
    let wanted = RwSignal::new(false);
    let fields = move || {
        match desk.place {
        Place::Computer => view! {
            <ClockField desk/>
            <RulesField choice=desk.choice/>
            {switch(desk, "practice", words.play_practice(), |choice| choice.practice, |choice, on| choice.practice = on)}
        }
        .into_any(),
        Place::Table => view! {
            <RulesField choice=desk.choice/>
            {switch(desk, "turning", words.play_turning(), |choice| choice.turning, |choice, on| choice.turning = on)}
            {switch(desk, "pausing", words.play_pausing(), |choice| choice.pausing, |choice, on| choice.pausing = on)}
        }
        .into_any(),
    }
    };
    view! {
        <details class="field-more" on:toggle=move |_| wanted.set(true)>
            <summary>{words.play_more_choices()}</summary>
            {move || wanted.get().then(fields)}
        </details>
    }
}

#[component]
fn LevelField(desk: Desk) -> impl IntoView {
    let words = desk.words;
    let level = Memo::new(move |_| desk.choice.with(|choice| choice.level));
    let sentence = move || level_sentence(words, level.get());
    view! {
        <div class="field">
            <label for="level">{words.play_level()}</label>
            <div class="level">
                <input
                    id="level"
                    type="range"
                    min="1"
                    max="10"
                    step="1"
                    data-field="level"
                    aria-describedby="level-sentence"
                    prop:value=move || level.get().to_string()
                    on:input=move |event| {
                        if let Ok(level) = event_target_value(&event).parse() {
                            desk.choice.update(|choice| choice.level = level);
                        }
                    }
                />
                <output for="level" class="level-number">{move || level.get()}</output>
            </div>
            <p id="level-sentence" class="field-about" aria-live="polite">{sentence}</p>
        </div>
    }
}

#[component]
pub(crate) fn SideField(choice: RwSignal<Choice>) -> impl IntoView {
    let words = use_words();
    let sides = Side::ALL.map(|side| {
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
pub(crate) fn SetupField(choice: RwSignal<Choice>) -> impl IntoView {
    let words = use_words();
    let value = move || choice.with(|choice| choice.setup.map_or("own", Setup::name));
    let groups = GROUPS.into_iter().enumerate().map(|(index, setups)| {
        let setups = setups.iter().map(|&setup| {
            let chosen = move || choice.with(|choice| choice.setup == Some(setup));
            view! { <option value=setup.name() prop:selected=chosen>{setup_name(setup, words)}</option> }
        });
        view! { <optgroup label=group_name(words, index)>{setups.collect_view()}</optgroup> }
    });
    view! {
        <label class="field">
            <span>{words.play_setup()}</span>
            <select
                data-field="setup"
                prop:value=value
                on:change=move |event| {
                    let setup = event_target_value(&event).parse().ok();
                    choice.update(|choice| choice.setup = setup);
                }
            >
                {groups.collect_view()}
                <option
                    value="own"
                    prop:selected=move || choice.with(|choice| choice.setup.is_none())
                >
                    {words.play_own_position()}
                </option>
            </select>
        </label>
    }
}

/// The position that someone brings, where no setup is chosen.
#[component]
pub(crate) fn OwnField(choice: RwSignal<Choice>) -> impl IntoView {
    let words = use_words();
    let problem = Memo::new(move |_| {
        choice.with(|choice| {
            let pasted = !choice.own.trim().is_empty();
            choice.start().err().filter(|_| pasted).map(|error| words.play_unreadable(error.0))
        })
    });
    view! {
        <Show when=move || choice.with(|choice| choice.setup.is_none())>
            <label class="field">
                <span>{words.play_own_label()}</span>
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
pub(crate) fn RulesField(choice: RwSignal<Choice>) -> impl IntoView {
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

#[component]
fn ClockField(desk: Desk) -> impl IntoView {
    let words = desk.words;
    let number = move |name: &'static str,
                       label: &'static str,
                       range: RangeInclusive<u64>,
                       get: fn(&Choice) -> u64,
                       set: fn(&mut Choice, u64)| {
        let change = move |number| desk.choice.update(|choice| set(choice, number));
        fields::number(name, label, range, move || desk.choice.with(get), change)
    };
    view! {
        <div>
            {switch(desk, "timed", words.play_clocks(), |choice| choice.timed, |choice, on| choice.timed = on)}
            <Show when=move || desk.choice.with(|choice| choice.timed)>
                <div class="field-pair">
                    {number("minutes", words.play_minutes(), TimeLimits::LOCAL.minutes,
                        |choice| choice.minutes, |choice, minutes| choice.minutes = minutes)}
                    {number("increment", words.play_increment(), TimeLimits::LOCAL.increment,
                        |choice| choice.increment, |choice, seconds| choice.increment = seconds)}
                </div>
            </Show>
        </div>
    }
}

/// A switch of the choice.
fn switch(
    desk: Desk,
    name: &'static str,
    label: &'static str,
    get: fn(&Choice) -> bool,
    set: fn(&mut Choice, bool),
) -> impl IntoView {
    let change = move |on| desk.choice.update(|choice| set(choice, on));
    fields::switch(name, label, move || desk.choice.with(get), change)
}

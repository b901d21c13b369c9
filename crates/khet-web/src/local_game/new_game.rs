//! The form for a new game. The board beside it previews the setup.

use std::ops::RangeInclusive;

use khet::{Color, TimeLimits};
use leptos::prelude::*;

use crate::game_ui::option_fields::{PositionField, RulesField, SetupField, SideField};

use super::state::{GameKind, LocalGame};
use crate::controls::fields;
use crate::game::finished_games;
use crate::game::options::NewGameOptions;
use crate::languages::Words;
use crate::routing::{Page, use_navigation};
use crate::rules::HAS_TOWER;

/// Returns the description of a level.
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

/// The form for a new game.
#[component]
pub(super) fn NewGame(game: LocalGame) -> impl IntoView {
    let words = game.words;
    let choice = game.choice;
    let navigation = use_navigation();
    let start = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        game.request_start(navigation);
    };
    // The other setups are played in another program of the app.
    Effect::new(move |_| {
        let setup = choice.with(|choice| choice.setup);
        if setup.is_some_and(|setup| setup.has_tower() != HAS_TOWER) {
            game.change_program(navigation);
        }
    });
    let other_kind = match game.kind {
        GameKind::Computer => (GameKind::Hotseat, words.shell_hotseat()),
        GameKind::Hotseat => (GameKind::Computer, words.shell_computer()),
    };
    let has_game = game.session.with_untracked(|session| !session.game().moves().is_empty());
    let has_finished = finished_games::count() > 0;
    let title = match game.kind {
        GameKind::Computer => words.play_computer_title(),
        GameKind::Hotseat => words.play_hotseat_title(),
    };
    view! {
        <form class="new-game" data-form="new-game" on:submit=start>
            <h1>{title}</h1>
            {HAS_TOWER.then(|| view! { <p class="field-about">{words.tower_about()}</p> })}
            <Show when=move || game.kind == GameKind::Computer>
                <LevelField game/>
                <SideField choice=game.choice/>
            </Show>
            {(game.kind == GameKind::Hotseat).then(|| view! {
                <div class="field-pair">
                    {name_field(game, Color::Silver, words.play_silver())}
                    {name_field(game, Color::Red, words.play_red())}
                </div>
            })}
            <SetupField choice=game.choice/>
            <PositionField choice/>
            {(game.kind == GameKind::Hotseat).then(|| view! { <ClockField game/> })}
            <MoreFields game/>
            <div class="new-game-actions">
                <button type="submit" class="button primary" data-action="begin">{words.play_start()}</button>
                {has_game.then(|| view! {
                    <button
                        type="button"
                        class="button"
                        data-action="back-to-game"
                        on:click=move |_| game.close_new_game_form()
                    >
                        {words.play_back_to_game()}
                    </button>
                })}
            </div>
            // The menu leads to one of the two pages of games with a tower.
            {HAS_TOWER.then(|| view! {
                <a class="button quiet" data-action="other-kind"
                    href=navigation.path(other_kind.0.page(true))>{other_kind.1}</a>
            })}
            {has_finished.then(|| view! {
                <a class="button quiet" href=navigation.path(Page::DeviceGames)>{words.shell_device_games()}</a>
            })}
        </form>
    }
}

/// The field for the name of a player in pass and play.
fn name_field(game: LocalGame, color: Color, label: &'static str) -> impl IntoView {
    let side = color as usize;
    view! {
        <label class="field">
            <span>{label}</span>
            <input
                type="text"
                maxlength="24"
                autocomplete="off"
                data-field=format!("name-{color}")
                placeholder=game.words.play_name()
                prop:value=move || game.choice.with(|choice| choice.names[side].clone())
                on:input=move |event| game.choice.update(|choice| choice.names[side] = event_target_value(&event))
            />
        </label>
    }
}

/// Rarely changed options, built when the section is opened.
#[component]
fn MoreFields(game: LocalGame) -> impl IntoView {
    let words = game.words;
    let opened = RwSignal::new(false);
    let fields = move || {
        match game.kind {
        GameKind::Computer => view! {
            <ClockField game/>
            <RulesField choice=game.choice/>
            {switch(game, "practice", words.play_practice(), |choice| choice.practice, |choice, on| choice.practice = on)}
        }
        .into_any(),
        GameKind::Hotseat => view! {
            <RulesField choice=game.choice/>
            {switch(game, "turning", words.play_flip_after_move(), |choice| choice.flips_board, |choice, on| choice.flips_board = on)}
            {switch(game, "pausing", words.play_pause_when_hidden(), |choice| choice.pauses_when_hidden, |choice, on| choice.pauses_when_hidden = on)}
        }
        .into_any(),
    }
    };
    view! {
        <details class="field-more" on:toggle=move |_| opened.set(true)>
            <summary>{words.play_more_options()}</summary>
            {move || opened.get().then(fields)}
        </details>
    }
}

#[component]
fn LevelField(game: LocalGame) -> impl IntoView {
    let words = game.words;
    let level = Memo::new(move |_| game.choice.with(|choice| choice.level));
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
                            game.choice.update(|choice| choice.level = level);
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
fn ClockField(game: LocalGame) -> impl IntoView {
    let words = game.words;
    let number = move |name: &'static str,
                       label: &'static str,
                       range: RangeInclusive<u64>,
                       get: fn(&NewGameOptions) -> u64,
                       set: fn(&mut NewGameOptions, u64)| {
        let change = move |number| game.choice.update(|choice| set(choice, number));
        fields::number(name, label, range, move || game.choice.with(get), change)
    };
    view! {
        <div>
            {switch(game, "timed", words.play_clocks(), |choice| choice.timed, |choice, on| choice.timed = on)}
            <Show when=move || game.choice.with(|choice| choice.timed)>
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

/// A switch that changes an option of the new game.
fn switch(
    game: LocalGame,
    name: &'static str,
    label: &'static str,
    get: fn(&NewGameOptions) -> bool,
    set: fn(&mut NewGameOptions, bool),
) -> impl IntoView {
    let change = move |on| game.choice.update(|choice| set(choice, on));
    fields::switch(name, label, move || game.choice.with(get), change)
}

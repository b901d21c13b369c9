//! The dialog in which settings are chosen. Every choice takes effect at once.

use leptos::prelude::*;

use super::{BoardStyle, Choices, Settings, Theme, use_settings};
use crate::dialog::Dialog;
use crate::languages::{Words, use_words};

/// The settings, shown when `open` becomes true.
#[component]
pub fn SettingsDialog(
    /// Whether it is open; closing it in any way makes it false.
    open: RwSignal<bool>,
) -> impl IntoView {
    let words = use_words();
    let settings = use_settings();
    view! {
        <Dialog
            open
            on_close=Callback::new(move |()| open.set(false))
            name="settings"
            title=Signal::stored(words.settings_title().to_string())
            close=words.settings_close()
        >
            {content(words, settings)}
        </Dialog>
    }
}

fn content(words: Words, settings: Settings) -> impl IntoView {
    let themes = Theme::ALL.map(|theme| {
        let name = match theme {
            Theme::System => words.settings_theme_system(),
            Theme::Light => words.settings_theme_light(),
            Theme::Dark => words.settings_theme_dark(),
        };
        view! {
            <label>
                <input type="radio" name="theme" value=theme.word()
                    prop:checked=move || settings.theme() == theme
                    on:change=move |_| settings.choose(|choices| choices.theme = theme)/>
                <span>{name}</span>
            </label>
        }
    });
    let boards = BoardStyle::ALL.map(|board| {
        let name = match board {
            BoardStyle::Basalt => words.settings_board_basalt(),
            BoardStyle::Limestone => words.settings_board_limestone(),
            BoardStyle::Lapis => words.settings_board_lapis(),
        };
        view! {
            <label>
                <input type="radio" name="board" value=board.word()
                    prop:checked=move || settings.board() == board
                    on:change=move |_| settings.choose(|choices| choices.board = Some(board))/>
                <span><i class=format!("sample {}", board.word()) aria-hidden="true"></i>{name}</span>
            </label>
        }
    });
    let switch = move |name: &'static str,
                       label: &'static str,
                       get: fn(Settings) -> bool,
                       set: fn(&mut Choices, bool)| {
        view! {
            <label class="switch">
                <span>{label}</span>
                <input type="checkbox" role="switch" name=name
                    prop:checked=move || get(settings)
                    on:change=move |event| {
                        let on = event_target_checked(&event);
                        settings.choose(|choices| set(choices, on));
                    }/>
            </label>
        }
    };
    view! {
        <fieldset class="choice">
            <legend>{words.settings_theme()}</legend>
            {themes.into_iter().collect_view()}
        </fieldset>
        <fieldset class="choice">
            <legend>{words.settings_board()}</legend>
            {boards.into_iter().collect_view()}
        </fieldset>
        {switch("sound", words.settings_sound(), Settings::sound, |choices, on| choices.sound = on)}
        {switch("less-motion", words.settings_less_motion(), Settings::less_motion,
            |choices, on| choices.less_motion = Some(on))}
        {switch("more-contrast", words.settings_more_contrast(), |settings| settings.look().more_contrast,
            |choices, on| choices.more_contrast = Some(on))}
    }
}

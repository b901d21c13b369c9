//! The dialog in which settings are chosen. Every choice takes effect at once.

use leptos::prelude::*;

use super::{BoardStyle, Choices, Settings, Theme, use_settings};
use crate::controls::dialog::Dialog;
use crate::controls::fields;
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
        let chosen = move || settings.theme() == theme;
        let choose = move || settings.choose(|choices| choices.theme = theme);
        fields::choice("theme", theme.word(), name, || false, chosen, choose)
    });
    let boards = BoardStyle::ALL.map(|board| {
        let name = match board {
            BoardStyle::Basalt => words.settings_board_basalt(),
            BoardStyle::Limestone => words.settings_board_limestone(),
            BoardStyle::Lapis => words.settings_board_lapis(),
        };
        let sample = view! { <i class=format!("sample {}", board.word()) aria-hidden="true"></i> };
        let chosen = move || settings.board() == board;
        let choose = move || settings.choose(|choices| choices.board = Some(board));
        fields::choice("board", board.word(), (sample, name), || false, chosen, choose)
    });
    let switch = move |name: &'static str,
                       label: &'static str,
                       get: fn(Settings) -> bool,
                       set: fn(&mut Choices, bool)| {
        let change = move |on| settings.choose(|choices| set(choices, on));
        fields::switch(name, label, move || get(settings), change)
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
        {switch("less-motion", words.settings_reduce_motion(), Settings::less_motion,
            |choices, on| choices.less_motion = Some(on))}
        {switch("more-contrast", words.settings_more_contrast(), |settings| settings.look().more_contrast,
            |choices, on| choices.more_contrast = Some(on))}
    }
}

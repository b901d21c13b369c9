//! The settings dialog. Every change takes effect at once.

use leptos::prelude::*;

use super::{BoardStyle, MoveConfirmation, Preferences, Settings, ThemePreference, use_settings};
use crate::controls::dialog::Dialog;
use crate::controls::fields;
use crate::languages::{Words, use_words};

/// The settings dialog.
#[component]
pub fn SettingsDialog(
    /// True if the dialog is open.
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

/// Returns the fields of the dialog.
fn content(words: Words, settings: Settings) -> impl IntoView {
    let themes = ThemePreference::ALL.map(|theme| {
        let name = match theme {
            ThemePreference::System => words.settings_theme_system(),
            ThemePreference::Light => words.settings_theme_light(),
            ThemePreference::Dark => words.settings_theme_dark(),
        };
        let chosen = move || settings.theme() == theme;
        let choose = move || settings.update(|preferences| preferences.theme = theme);
        fields::choice("theme", theme.name(), name, || false, chosen, choose)
    });
    let boards = BoardStyle::ALL.map(|board| {
        let name = match board {
            BoardStyle::Basalt => words.settings_board_basalt(),
            BoardStyle::Limestone => words.settings_board_limestone(),
            BoardStyle::Lapis => words.settings_board_lapis(),
        };
        let sample = view! { <i class=format!("sample {}", board.name()) aria-hidden="true"></i> };
        let chosen = move || settings.preferences().board == Some(board);
        let choose = move || settings.update(|preferences| preferences.board = Some(board));
        fields::choice("board", board.name(), (sample, name), || false, chosen, choose)
    });
    let default_board = fields::choice(
        "board",
        "theme",
        words.settings_board_follows_theme(),
        || false,
        move || settings.preferences().board.is_none(),
        move || settings.update(|preferences| preferences.board = None),
    );
    let confirmations = MoveConfirmation::ALL.map(|when| {
        let name = match when {
            MoveConfirmation::Never => words.settings_confirm_never(),
            MoveConfirmation::Correspondence => words.settings_confirm_correspondence(),
            MoveConfirmation::Always => words.settings_confirm_always(),
        };
        let chosen = move || settings.preferences().move_confirmation == when;
        let choose = move || settings.update(|preferences| preferences.move_confirmation = when);
        fields::choice("confirm-moves", when.name(), name, || false, chosen, choose)
    });
    let switch = move |name: &'static str,
                       label: &'static str,
                       get: fn(Settings) -> bool,
                       set: fn(&mut Preferences, bool)| {
        let change = move |on| settings.update(|preferences| set(preferences, on));
        fields::switch(name, label, move || get(settings), change)
    };
    view! {
        <fieldset class="choice">
            <legend>{words.settings_theme()}</legend>
            {themes.into_iter().collect_view()}
        </fieldset>
        <fieldset class="choice">
            <legend>{words.settings_board()}</legend>
            {default_board}
            {boards.into_iter().collect_view()}
        </fieldset>
        {switch("coordinates", words.settings_coordinates(), |settings| settings.preferences().coordinates,
            |preferences, on| preferences.coordinates = on)}
        <fieldset class="choice">
            <legend>{words.settings_confirm_moves()}</legend>
            {confirmations.into_iter().collect_view()}
        </fieldset>
        {switch("upright-board", words.settings_upright_board(), |settings| settings.preferences().upright_board,
            |preferences, on| preferences.upright_board = on)}
        {switch("sound", words.settings_sound(), Settings::sound, |preferences, on| preferences.sound = on)}
        {switch("fast-shots", words.settings_fast_shots(), |settings| settings.preferences().fast_shots,
            |preferences, on| preferences.fast_shots = on)}
        {switch("less-motion", words.settings_reduce_motion(), Settings::reduce_motion,
            |preferences, on| preferences.reduce_motion = Some(on))}
        {switch("more-contrast", words.settings_more_contrast(), |settings| settings.appearance().more_contrast,
            |preferences, on| preferences.more_contrast = Some(on))}
    }
}

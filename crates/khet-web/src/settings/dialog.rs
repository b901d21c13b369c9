//! The dialog in which settings are chosen. Every choice takes effect at once.

use leptos::html;
use leptos::prelude::*;

use super::{BoardStyle, Theme, use_settings};
use crate::languages::use_words;

/// The settings, shown when `open` becomes true.
#[component]
pub fn SettingsDialog(
    /// Whether it is open; closing it in any way makes it false.
    open: RwSignal<bool>,
) -> impl IntoView {
    // Made when it is first wanted.
    let wanted = Memo::new(move |before: Option<&bool>| open.get() || before == Some(&true));
    let dialog = NodeRef::<html::Dialog>::new();
    Effect::new(move |_| {
        let Some(dialog) = dialog.get() else { return };
        match open.get() {
            // It fails only for a dialog that is open already.
            true if !dialog.open() => drop(dialog.show_modal()),
            false if dialog.open() => dialog.close(),
            _ => {}
        }
    });
    // A tap beside the dialog is a tap on the dialog element itself: its content fills it.
    let tapped = move |event: leptos::ev::MouseEvent| {
        let dialog = dialog.get_untracked();
        if event.target().as_ref() == dialog.as_ref().map(AsRef::as_ref) {
            open.set(false);
        }
    };
    view! {
        <dialog class="dialog" aria-labelledby="settings-title" node_ref=dialog
            on:close=move |_| open.set(false) on:click=tapped>
            {move || wanted.get().then(|| content(open))}
        </dialog>
    }
}

fn content(open: RwSignal<bool>) -> impl IntoView {
    let words = use_words();
    let settings = use_settings();
    let theme_name = move |theme| match theme {
        Theme::System => words.settings_theme_system(),
        Theme::Light => words.settings_theme_light(),
        Theme::Dark => words.settings_theme_dark(),
    };
    let board_name = move |board| match board {
        BoardStyle::Basalt => words.settings_board_basalt(),
        BoardStyle::Limestone => words.settings_board_limestone(),
        BoardStyle::Lapis => words.settings_board_lapis(),
    };
    view! {
        <div class="dialog-content">
            <header>
                <h2 id="settings-title">{words.settings_title()}</h2>
                <button type="button" class="icon-button" aria-label=words.settings_close()
                    on:click=move |_| open.set(false)>
                    <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6 18 18M18 6 6 18"/></svg>
                </button>
            </header>
            <fieldset class="choice">
                <legend>{words.settings_theme()}</legend>
                {Theme::ALL.map(|theme| view! {
                    <label>
                        <input type="radio" name="theme" value=theme.word()
                            prop:checked=move || settings.theme() == theme
                            on:change=move |_| settings.choose(|choices| choices.theme = theme)/>
                        <span>{theme_name(theme)}</span>
                    </label>
                }).collect_view()}
            </fieldset>
            <fieldset class="choice">
                <legend>{words.settings_board()}</legend>
                {BoardStyle::ALL.map(|board| view! {
                    <label>
                        <input type="radio" name="board" value=board.word()
                            prop:checked=move || settings.board() == board
                            on:change=move |_| settings.choose(|choices| choices.board = Some(board))/>
                        <span><i class=format!("sample {}", board.word()) aria-hidden="true"></i>{board_name(board)}</span>
                    </label>
                }).collect_view()}
            </fieldset>
            <label class="switch">
                <span>{words.settings_sound()}</span>
                <input type="checkbox" role="switch" name="sound"
                    prop:checked=move || settings.sound()
                    on:change=move |event| {
                        let on = event_target_checked(&event);
                        settings.choose(|choices| choices.sound = on);
                    }/>
            </label>
            <label class="switch">
                <span>{words.settings_less_motion()}</span>
                <input type="checkbox" role="switch" name="less-motion"
                    prop:checked=move || settings.less_motion()
                    on:change=move |event| {
                        let on = event_target_checked(&event);
                        settings.choose(|choices| choices.less_motion = Some(on));
                    }/>
            </label>
            <label class="switch">
                <span>{words.settings_more_contrast()}</span>
                <input type="checkbox" role="switch" name="more-contrast"
                    prop:checked=move || settings.look().more_contrast
                    on:change=move |event| {
                        let on = event_target_checked(&event);
                        settings.choose(|choices| choices.more_contrast = Some(on));
                    }/>
            </label>
        </div>
    }
}

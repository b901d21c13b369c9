//! The list of keyboard shortcuts, which `?` opens on every page.

use leptos::prelude::*;

use crate::browser::key_press::on_key_press;
use crate::controls::dialog::Dialog;
use crate::languages::{Words, use_words};

/// Elements in which `?` is typed, or which are open above the page.
const USES_KEYS: &str = "input, textarea, select, dialog, [contenteditable]";

/// A handle that opens the list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shortcuts {
    is_open: RwSignal<bool>,
}

/// Returns the list of this app.
///
/// # Panics
///
/// Panics outside the app.
pub(crate) fn use_shortcuts() -> Shortcuts {
    expect_context()
}

impl Shortcuts {
    /// Provides the list to all components, and opens it when `?` is pressed. Called once.
    pub(crate) fn start() {
        let shortcuts = Shortcuts { is_open: RwSignal::new(false) };
        provide_context(shortcuts);
        on_key_press(move |press| {
            let is_typed = press.is_within(USES_KEYS) || press.has_control();
            let opens = press.key() == "?" && !is_typed;
            if opens {
                shortcuts.open();
            }
            opens
        });
    }

    /// Opens the list.
    pub(crate) fn open(self) {
        self.is_open.set(true);
    }
}

/// The list, as a dialog.
#[component]
pub(crate) fn ShortcutsDialog() -> impl IntoView {
    let words = use_words();
    let is_open = use_shortcuts().is_open;
    view! {
        <Dialog open=is_open on_close=Callback::new(move |()| is_open.set(false)) name="keys"
            title=Signal::stored(words.shortcuts_title().to_owned()) close=words.settings_close()>
            <div class="shortcuts" inner_html=groups(words).map(group).concat()></div>
        </Dialog>
    }
}

/// A heading, and keys with their descriptions.
type Group = (&'static str, Vec<(&'static str, &'static str)>);

/// Returns the groups of shortcuts.
fn groups(words: Words) -> [Group; 4] {
    let board = vec![
        ("← ↑ → ↓", words.shortcuts_cursor()),
        (words.shortcuts_key_enter(), words.shortcuts_pick_up()),
        ("[  ]  +  −", words.shortcuts_rotate()),
        ("T", words.shortcuts_top()),
        (words.shortcuts_key_escape(), words.shortcuts_put_back()),
        ("/", words.board_move_field()),
        #[cfg(feature = "tower")]
        ("L", words.tower_key_level()),
        #[cfg(feature = "tower")]
        ("V", words.tower_peek()),
        ("F", words.play_flip_board()),
        (words.shortcuts_right_button(), words.shortcuts_draw()),
        ("?", words.shortcuts_help()),
    ];
    let moves = vec![
        ("←  →", words.shortcuts_step()),
        (",  .", words.shortcuts_step_on_board()),
        (words.shortcuts_key_ends(), words.shortcuts_ends()),
        (words.shortcuts_wheel(), words.shortcuts_step()),
    ];
    let analysis = vec![
        ("↑  ↓", words.analysis_key_variation()),
        ("E", words.analysis_key_engine()),
        ("X", words.analysis_key_threat()),
        ("B", words.analysis_key_beams()),
        ("1 – 6", words.analysis_key_marks()),
        ("C", words.analysis_comment()),
        ("P", words.analysis_promote()),
        (words.shortcuts_key_delete(), words.analysis_delete()),
        ("U", words.analysis_undo()),
    ];
    let editor = vec![
        ("K P D O E S A X", words.shortcuts_editor_piece()),
        (words.shortcuts_key_shift(), words.shortcuts_editor_red()),
        (words.shortcuts_key_enter(), words.shortcuts_editor_place()),
        ("+  −", words.shortcuts_rotate()),
        (words.shortcuts_key_delete(), words.shortcuts_editor_remove()),
        ("U", words.analysis_undo()),
        (words.shortcuts_key_escape(), words.shortcuts_editor_empty()),
    ];
    [
        (words.shortcuts_board(), board),
        (words.shortcuts_moves(), moves),
        (words.shell_analysis(), analysis),
        (words.editor_title(), editor),
    ]
}

/// Returns a group as a table. Markup takes less code than views, which the first load contains.
fn group((heading, keys): Group) -> String {
    let row = |(key, action)| {
        format!(r#"<tr><th scope="row"><kbd>{key}</kbd></th><td>{action}</td></tr>"#)
    };
    let rows: String = keys.into_iter().map(row).collect();
    format!(r#"<table class="keys"><caption>{heading}</caption><tbody>{rows}</tbody></table>"#)
}

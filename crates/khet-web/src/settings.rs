//! What a person can choose about the app, remembered in the browser.

mod choices;
mod dialog;

use leptos::prelude::*;
use leptos::web_sys::{MediaQueryList, Storage};
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

pub use self::choices::{BoardStyle, Choices, Look, System, Theme};
pub use self::dialog::SettingsDialog;

/// Where the choices are kept; `start.js` reads them too, before the first paint.
const REMEMBERED: &str = "khet.settings";

const PREFERS_LIGHT: &str = "(prefers-color-scheme: light)";
const PREFERS_CONTRAST: &str = "(prefers-contrast: more)";
const PREFERS_LESS_MOTION: &str = "(prefers-reduced-motion: reduce)";

/// The settings of the app. Reading one follows its changes.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    choices: RwSignal<Choices>,
    system: RwSignal<System>,
}

/// The settings of the app.
///
/// # Panics
///
/// Outside of the app.
pub fn use_settings() -> Settings {
    expect_context()
}

impl Settings {
    /// Reads what was remembered, and from then on keeps the page and the memory as chosen. Called
    /// once.
    pub fn start() -> Settings {
        let remembered = storage().and_then(|storage| storage.get_item(REMEMBERED).ok()?);
        let choices = RwSignal::new(Choices::read(&remembered.unwrap_or_default()));
        let system = RwSignal::new(system_wishes());
        for query in [PREFERS_LIGHT, PREFERS_CONTRAST, PREFERS_LESS_MOTION] {
            let Some(query) = media(query) else { continue };
            let changed = Closure::<dyn Fn()>::new(move || system.set(system_wishes()));
            query.set_onchange(Some(changed.as_ref().unchecked_ref()));
            // The queries are listened to as long as the page lives.
            changed.forget();
            std::mem::forget(query);
        }
        let settings = Settings { choices, system };
        Effect::new(move |_| settings.look().show());
        Effect::new(move |before: Option<Choices>| {
            let choices = choices.get();
            if before.is_some_and(|before| before != choices)
                && let Some(storage) = storage()
            {
                // Full or forbidden storage: the choice holds for this visit only.
                let _ = storage.set_item(REMEMBERED, &choices.to_string());
            }
            choices
        });
        provide_context(settings);
        settings
    }

    /// What is chosen.
    pub fn choices(self) -> Choices {
        self.choices.get()
    }

    /// Chooses something else.
    pub fn choose(self, change: impl FnOnce(&mut Choices)) {
        self.choices.update(change);
    }

    /// What the page looks like: the choices, with the system's wishes where nothing is chosen.
    pub fn look(self) -> Look {
        self.choices.get().look(self.system.get())
    }

    /// Whether sounds are played.
    pub fn sound(self) -> bool {
        self.choices.get().sound
    }

    /// Whether still pictures are shown instead of motion.
    pub fn less_motion(self) -> bool {
        self.look().less_motion
    }

    /// The chosen theme.
    pub fn theme(self) -> Theme {
        self.choices.get().theme
    }

    /// The board that is shown.
    pub fn board(self) -> BoardStyle {
        self.look().board
    }
}

impl Look {
    /// Tells the style sheets, as `start.js` did first.
    fn show(self) {
        let Some(root) = document().document_element() else { return };
        let theme = if self.light { "light" } else { "dark" };
        let contrast = if self.more_contrast { "more" } else { "normal" };
        let motion = if self.less_motion { "less" } else { "normal" };
        for (name, value) in [
            ("data-theme", theme),
            ("data-board", self.board.word()),
            ("data-contrast", contrast),
            ("data-motion", motion),
        ] {
            // It fails only for names that are no attribute's.
            let _ = root.set_attribute(name, value);
        }
    }
}

fn system_wishes() -> System {
    let wishes = |query| media(query).is_some_and(|query| query.matches());
    System {
        light: wishes(PREFERS_LIGHT),
        more_contrast: wishes(PREFERS_CONTRAST),
        less_motion: wishes(PREFERS_LESS_MOTION),
    }
}

fn media(query: &str) -> Option<MediaQueryList> {
    window().match_media(query).ok().flatten()
}

fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

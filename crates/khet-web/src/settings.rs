//! The user's settings, stored in the browser.

mod dialog;
mod preferences;

use leptos::prelude::*;
use leptos::web_sys::{MediaQueryList, Storage};
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

pub use self::dialog::SettingsDialog;
pub use self::preferences::{
    Appearance, BoardStyle, MoveConfirmation, Preferences, SystemPreferences, ThemePreference,
};

/// The storage key. `start.js` reads the same entry before the first paint.
const STORAGE_KEY: &str = "khet.settings";

const PREFERS_LIGHT: &str = "(prefers-color-scheme: light)";
const PREFERS_CONTRAST: &str = "(prefers-contrast: more)";
const PREFERS_REDUCED_MOTION: &str = "(prefers-reduced-motion: reduce)";
/// A phone held upright that is higher than wide by at least 350 pixels, which header, players,
/// moves and result take. On lower phones, the squares of an upright board would be smaller than
/// those of a lying one.
const PORTRAIT_PHONE: &str = "(min-width: 350px) and (max-width: 600px) and (max-aspect-ratio: 1/2), \
     (min-width: 400px) and (max-width: 600px) and (max-aspect-ratio: 8/15)";

/// The settings of the app. Getters are reactive.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    preferences: RwSignal<Preferences>,
    system: RwSignal<SystemPreferences>,
}

/// Returns the settings of the app.
///
/// # Panics
///
/// Panics outside the app.
pub fn use_settings() -> Settings {
    expect_context()
}

impl Settings {
    /// Loads the stored preferences. From then on, applies and stores every change. Called once.
    pub fn start() -> Settings {
        let remembered = storage().and_then(|storage| storage.get_item(STORAGE_KEY).ok()?);
        let preferences = RwSignal::new(Preferences::read(&remembered.unwrap_or_default()));
        let system = RwSignal::new(system_preferences());
        for query in [PREFERS_LIGHT, PREFERS_CONTRAST, PREFERS_REDUCED_MOTION, PORTRAIT_PHONE] {
            let Some(query) = media(query) else { continue };
            let changed = Closure::<dyn Fn()>::new(move || system.set(system_preferences()));
            query.set_onchange(Some(changed.as_ref().unchecked_ref()));
            // The media queries are observed until the page is closed.
            changed.forget();
            std::mem::forget(query);
        }
        let settings = Settings { preferences, system };
        Effect::new(move |_| settings.appearance().apply());
        Effect::new(move |before: Option<Preferences>| {
            let preferences = preferences.get();
            if before.is_some_and(|before| before != preferences)
                && let Some(storage) = storage()
            {
                // If storage is full or forbidden, the change is valid for this visit only.
                let _ = storage.set_item(STORAGE_KEY, &preferences.to_string());
            }
            preferences
        });
        provide_context(settings);
        settings
    }

    /// Returns the user's preferences.
    pub fn preferences(self) -> Preferences {
        self.preferences.get()
    }

    /// Changes the user's preferences.
    pub fn update(self, change: impl FnOnce(&mut Preferences)) {
        self.preferences.update(change);
    }

    /// Returns the appearance: the user's preferences, completed by the system's.
    pub fn appearance(self) -> Appearance {
        self.preferences.get().appearance(self.system.get())
    }

    /// Returns whether sounds are played.
    pub fn sound(self) -> bool {
        self.preferences.get().sound
    }

    /// Returns whether animations are replaced by still pictures.
    pub fn reduce_motion(self) -> bool {
        self.appearance().reduce_motion
    }

    /// Returns whether moves of a game are confirmed before they are played.
    pub fn confirms_moves(self, correspondence: bool) -> bool {
        match self.preferences.get().move_confirmation {
            MoveConfirmation::Never => false,
            MoveConfirmation::Correspondence => correspondence,
            MoveConfirmation::Always => true,
        }
    }

    /// Returns the chosen theme.
    pub fn theme(self) -> ThemePreference {
        self.preferences.get().theme
    }
}

impl Appearance {
    /// Sets the attributes that the style sheets use, as `start.js` does before the first paint.
    fn apply(self) {
        let Some(root) = document().document_element() else { return };
        let theme = if self.light { "light" } else { "dark" };
        let contrast = if self.more_contrast { "more" } else { "normal" };
        let motion = if self.reduce_motion { "less" } else { "normal" };
        let coordinates = if self.coordinates { "on" } else { "off" };
        for (name, value) in [
            ("data-theme", theme),
            ("data-board", self.board.name()),
            ("data-contrast", contrast),
            ("data-motion", motion),
            ("data-coordinates", coordinates),
        ] {
            // Setting an attribute with a valid name does not fail.
            let _ = root.set_attribute(name, value);
        }
    }
}

/// Reads the preferences of the system.
fn system_preferences() -> SystemPreferences {
    let prefers = |query| media(query).is_some_and(|query| query.matches());
    SystemPreferences {
        light: prefers(PREFERS_LIGHT),
        more_contrast: prefers(PREFERS_CONTRAST),
        reduce_motion: prefers(PREFERS_REDUCED_MOTION),
        portrait_phone: prefers(PORTRAIT_PHONE),
    }
}

/// Returns a media query.
fn media(query: &str) -> Option<MediaQueryList> {
    window().match_media(query).ok().flatten()
}

fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

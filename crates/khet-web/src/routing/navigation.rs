//! The current page, and going to other pages.
//!
//! Links are plain `<a href>`. [`Navigation::catch`] handles every click at the root and shows the
//! app's own pages without loading a document.

use leptos::prelude::*;
use leptos::web_sys::{Element, HtmlAnchorElement, MouseEvent};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;

use super::{Address, Page};
use crate::languages::{self, Language};

/// The language to begin with: of the address, chosen earlier, or the browser's.
pub fn language() -> Language {
    languages::chosen(current().language)
}

/// Where the reader is, and the way to other pages.
#[derive(Clone, Copy, Debug)]
pub struct Navigation {
    page: RwSignal<Page>,
    about: RwSignal<String>,
    /// What the address asked of the page when it was built, or what the page has written there since.
    search: StoredValue<String>,
    /// Counts how often the same page was asked for something else.
    wishes: RwSignal<u32>,
    language: RwSignal<Language>,
}

/// The navigation of the app.
///
/// # Panics
///
/// Outside of the app.
pub fn use_navigation() -> Navigation {
    expect_context()
}

impl Navigation {
    /// Starts at the address that the browser shows. Called once.
    pub fn start() -> Navigation {
        let address = current();
        let language = languages::chosen(address.language);
        // A link that is copied from here should show what is seen here.
        if address.language.is_none() && address.page != Page::NotFound {
            replace(&(address.page.path(language) + &search()));
        }
        let navigation = Navigation {
            page: RwSignal::new(address.page),
            about: RwSignal::new(address.about),
            search: StoredValue::new(search()),
            wishes: RwSignal::new(0),
            language: RwSignal::new(language),
        };
        window_event_listener(leptos::ev::popstate, move |_| navigation.follow());
        provide_context(navigation);
        navigation
    }

    /// The page that is shown.
    pub fn page(self) -> Page {
        self.page.get()
    }

    /// What the page is about, if that is part of its address: an id or a name.
    pub fn about(self) -> String {
        self.about.get()
    }

    /// What the address asks of the page, by name: `?position=…`. A blank is written `_`.
    pub fn asked(self, name: &str) -> Option<String> {
        let search = search();
        let mut asked = search.trim_start_matches('?').split('&');
        let value = asked.find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))?;
        let value = js_sys::decode_uri_component(value).ok()?;
        Some(String::from(value).replace('_', " "))
    }

    /// Writes into the address what the page shows now, so that a link to it can be copied. The page goes on.
    pub fn note(self, search: &str) {
        let page = self.page.get_untracked();
        let about = self.about.get_untracked();
        replace(&(page.path_of(self.language.get_untracked(), &about) + search));
        self.search.set_value(search.to_owned());
    }

    /// Tracks what is asked of the page: with every other wish it is built anew.
    pub fn track_wishes(self) {
        self.wishes.track();
    }

    /// The language of the page, for components that build it anew.
    pub fn language(self) -> Signal<Language> {
        self.language.into()
    }

    /// The address of a page in the reader's language.
    pub fn path(self, page: Page) -> String {
        page.path(self.language.get())
    }

    /// The address of a page that is about something.
    pub fn path_of(self, page: Page, about: &str) -> String {
        page.path_of(self.language.get(), about)
    }

    /// Shows a page.
    pub fn go(self, page: Page) {
        self.go_to(page, "");
    }

    /// Shows a page that is about something.
    pub fn go_to(self, page: Page, about: &str) {
        self.visit(&page.path_of(self.language.get_untracked(), about));
    }

    /// Loads a page of another program.
    pub fn leave_for(self, page: Page, search: &str) {
        let path = page.path(self.language.get_untracked()) + search;
        // It fails only for addresses that can't be read.
        let _ = window().location().set_href(&path);
    }

    /// Shows a page in the place of this one, to which nobody should come back.
    pub fn replace_by(self, page: Page, about: &str) {
        replace(&page.path_of(self.language.get_untracked(), about));
        self.follow();
    }

    /// Shows this page in another language, and remembers it.
    pub fn speak(self, language: Language) {
        languages::remember(language);
        match self.page.get_untracked() {
            Page::NotFound => self.change_language(language),
            page => {
                replace(&(page.path_of(language, &self.about.get_untracked()) + &search()));
                self.follow();
            }
        }
    }

    /// Takes a click on a link to a page of the app. Clicks that ask for a new tab or window, and
    /// links elsewhere, are left to the browser.
    pub fn catch(self, click: &MouseEvent) {
        let modified = click.ctrl_key() || click.meta_key() || click.shift_key() || click.alt_key();
        if click.default_prevented() || click.button() != 0 || modified {
            return;
        }
        let Some(element) = click.target().and_then(|target| target.dyn_into().ok()) else {
            return;
        };
        let element: Element = element;
        let Some(link) = element.closest("a[href]").ok().flatten() else { return };
        let Ok(link) = link.dyn_into::<HtmlAnchorElement>() else { return };
        let elsewhere = link.has_attribute("download")
            || !matches!(link.target().as_str(), "" | "_self")
            || window().location().origin().is_ok_and(|origin| origin != link.origin())
            || !link.hash().is_empty();
        let path = link.pathname();
        let page = Address::read(&path).page;
        // Another program is loaded by the browser itself.
        let other = page.program() != self.page.get_untracked().program();
        if elsewhere || other || page == Page::NotFound {
            return;
        }
        click.prevent_default();
        self.visit(&(path + &link.search()));
    }

    fn visit(self, path: &str) {
        if window().location().pathname().is_ok_and(|shown| shown + &search() == path) {
            return;
        }
        if let Ok(history) = window().history() {
            // It fails only where the browser stops a page that changes its address all the time.
            let _ = history.push_state_with_url(&JsValue::NULL, "", Some(path));
        }
        self.follow();
        window().scroll_to_with_x_and_y(0.0, 0.0);
    }

    /// Shows what the address says.
    fn follow(self) {
        let address = current();
        if let Some(language) = address.language {
            self.change_language(language);
        }
        let about_other = address.about != self.about.get_untracked();
        if about_other {
            self.about.set(address.about);
        }
        let search = search();
        if search != self.search.get_value() {
            self.search.set_value(search);
            self.wishes.update(|wishes| *wishes += 1);
        }
        if about_other || address.page != self.page.get_untracked() {
            self.page.set(address.page);
        }
    }
}

impl Navigation {
    /// Shows everything in another language, as soon as its words are there.
    fn change_language(self, language: Language) {
        if language == self.language.get_untracked() {
            return;
        }
        spawn_local(async move {
            // Without its words, the page stays as it is.
            if languages::load(language).await.is_ok() {
                self.language.set(language);
            }
        });
    }
}

fn current() -> Address {
    Address::read(&window().location().pathname().unwrap_or_default())
}

fn search() -> String {
    window().location().search().unwrap_or_default()
}

fn replace(path: &str) {
    if let Ok(history) = window().history() {
        // See `visit`.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(path));
    }
}

//! The current page, and navigation to other pages.
//!
//! Links are plain `<a href>`. [`Navigation::handle_click`] handles every click at the root and
//! shows pages of the same program without loading a document.

use leptos::prelude::*;
use leptos::web_sys::{Element, HtmlAnchorElement, MouseEvent};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;

use super::{Address, Page, Program};
use crate::languages::{self, Language};

/// Returns the initial language: of the address, chosen earlier, or the browser's.
pub fn initial_language() -> Language {
    languages::chosen(current().language)
}

/// The current page, and navigation to other pages.
#[derive(Clone, Copy, Debug)]
pub struct Navigation {
    /// The program that runs.
    program: Program,
    page: RwSignal<Page>,
    subject: RwSignal<String>,
    /// The query string with which the page was built, or that the page has set since.
    search: StoredValue<String>,
    /// Counts changes of the query string that require the page to be rebuilt.
    query_changes: RwSignal<u32>,
    language: RwSignal<Language>,
}

/// Returns the navigation of the app.
///
/// # Panics
///
/// Panics outside the app.
pub fn use_navigation() -> Navigation {
    expect_context()
}

impl Navigation {
    /// Starts a program at the current address. Called once.
    pub fn start(program: Program) -> Navigation {
        let address = current();
        let language = languages::chosen(address.language);
        // Adds the language, so that reloading shows the same page.
        if address.language.is_none() && address.page != Page::NotFound {
            let hash = window().location().hash().unwrap_or_default();
            replace(&(address.page.path_of(language, &address.subject) + &search() + &hash));
        }
        let navigation = Navigation {
            program,
            page: RwSignal::new(address.page),
            subject: RwSignal::new(address.subject),
            search: StoredValue::new(search()),
            query_changes: RwSignal::new(0),
            language: RwSignal::new(language),
        };
        window_event_listener(leptos::ev::popstate, move |_| navigation.show_current());
        provide_context(navigation);
        navigation
    }

    /// Returns the current page.
    pub fn page(self) -> Page {
        self.page.get()
    }

    /// Returns the subject of the page, if its address has one: an id or a name.
    pub fn subject(self) -> String {
        self.subject.get()
    }

    /// Returns a parameter of the query string, such as `position`. Spaces are written as `_`.
    pub fn query_parameter(self, name: &str) -> Option<String> {
        let search = search();
        let mut pairs = search.trim_start_matches('?').split('&');
        let value = pairs.find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))?;
        let value = js_sys::decode_uri_component(value).ok()?;
        Some(String::from(value).replace('_', " "))
    }

    /// Replaces the query string, so that the address links to what the page shows. Does not
    /// rebuild the page.
    pub fn set_query(self, search: &str) {
        let page = self.page.get_untracked();
        let subject = self.subject.get_untracked();
        replace(&(page.path_of(self.language.get_untracked(), &subject) + search));
        self.search.set_value(search.to_owned());
    }

    /// Subscribes to changes of the query string that require the page to be rebuilt.
    pub fn track_query(self) {
        self.query_changes.track();
    }

    /// Returns the current language.
    pub fn language(self) -> Signal<Language> {
        self.language.into()
    }

    /// Returns the path of a page in the current language.
    pub fn path(self, page: Page) -> String {
        page.path(self.language.get())
    }

    /// Returns the path of a page with a subject.
    pub fn path_of(self, page: Page, subject: &str) -> String {
        page.path_of(self.language.get(), subject)
    }

    /// Returns the link to this page for other people, who see it in their own language.
    pub fn link_to_share(self) -> String {
        let subject = self.subject.get_untracked();
        self.page.get_untracked().link_to_share(&subject, &search())
    }

    /// Shows a page.
    pub fn go(self, page: Page) {
        self.go_to(page, "");
    }

    /// Shows a page with a subject.
    pub fn go_to(self, page: Page, subject: &str) {
        self.visit(&page.path_of(self.language.get_untracked(), subject));
    }

    /// Loads a page of another program as a new document. `rest` is a query or `/` and a subject.
    pub fn load(self, page: Page, rest: &str) {
        let path = page.path(self.language.get_untracked()) + rest;
        // Setting a valid address does not fail.
        let _ = window().location().set_href(&path);
    }

    /// Shows a page that replaces this one in the browser's history.
    pub fn replace_with(self, page: Page, subject: &str) {
        replace(&page.path_of(self.language.get_untracked(), subject));
        self.show_current();
    }

    /// Switches to another language and stores the choice.
    pub fn switch_language(self, language: Language) {
        languages::remember(language);
        match self.page.get_untracked() {
            Page::NotFound => self.change_language(language),
            page => {
                replace(&(page.path_of(language, &self.subject.get_untracked()) + &search()));
                self.show_current();
            }
        }
    }

    /// Handles a click on a link to a page of this program. Clicks that open a new tab or window,
    /// and other links, are left to the browser.
    pub fn handle_click(self, click: &MouseEvent) {
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
        // The browser loads other programs itself.
        let other = page.program() != self.program;
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
            // Fails only if the browser throttles too frequent changes of the address.
            let _ = history.push_state_with_url(&JsValue::NULL, "", Some(path));
        }
        self.show_current();
        window().scroll_to_with_x_and_y(0.0, 0.0);
    }

    /// Shows the page of the current address.
    fn show_current(self) {
        let address = current();
        if let Some(language) = address.language {
            self.change_language(language);
        }
        let subject_changed = address.subject != self.subject.get_untracked();
        if subject_changed {
            self.subject.set(address.subject);
        }
        let search = search();
        if search != self.search.get_value() {
            self.search.set_value(search);
            self.query_changes.update(|query_changes| *query_changes += 1);
        }
        if subject_changed || address.page != self.page.get_untracked() {
            self.page.set(address.page);
        }
    }
}

impl Navigation {
    /// Changes the language once its texts are loaded.
    fn change_language(self, language: Language) {
        if language == self.language.get_untracked() {
            return;
        }
        spawn_local(async move {
            // If its texts can't be loaded, the language stays as it is.
            if languages::load(language, self.program.text_sets()).await.is_ok() {
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

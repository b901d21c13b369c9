//! Addresses: which page is shown, in which language. `/`, `/en`, `/fr/rules`.
//!
//! Links are plain `<a href>`; [`Navigation::catch`], called at the root for every click, takes those
//! that lead to the app's own pages and shows them without loading anything.

use leptos::prelude::*;
use leptos::web_sys::{Element, HtmlAnchorElement, MouseEvent};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;

use crate::languages::{self, Language};

/// A page of the app.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Page {
    /// The first page.
    Home,
    /// A game against the computer.
    Computer,
    /// A game of two at one table.
    Table,
    /// The rules.
    Rules,
    /// What is shown where there is no page.
    Nowhere,
}

impl Page {
    /// The pages that have an address.
    pub const ALL: [Page; 4] = [Page::Home, Page::Computer, Page::Table, Page::Rules];

    /// The page's word in addresses. The first page needs none.
    pub fn word(self) -> &'static str {
        match self {
            Page::Home | Page::Nowhere => "",
            Page::Computer => "computer",
            Page::Table => "table",
            Page::Rules => "rules",
        }
    }

    /// The page's address in a language.
    pub fn path(self, language: Language) -> String {
        match self.word() {
            "" => format!("/{}", language.code()),
            word => format!("/{}/{word}", language.code()),
        }
    }
}

/// What an address says. The language may be left open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// The language, if it is named.
    pub language: Option<Language>,
    /// The page.
    pub page: Page,
}

impl Address {
    /// Reads the path of an address. Any path is one: what is unknown leads nowhere.
    pub fn read(path: &str) -> Address {
        let path = path.strip_prefix('/').unwrap_or(path);
        if path.is_empty() {
            return Address { language: None, page: Page::Home };
        }
        let path = path.strip_suffix('/').unwrap_or(path);
        let (code, word) = match path.split_once('/') {
            Some((code, word)) => (code, Some(word)),
            None => (path, None),
        };
        let language = Language::ALL.into_iter().find(|language| language.code() == code);
        let page = match word {
            Some(word) => {
                Page::ALL.into_iter().find(|page| page.word() == word && !word.is_empty())
            }
            None => Some(Page::Home),
        };
        Address { language, page: page.filter(|_| language.is_some()).unwrap_or(Page::Nowhere) }
    }
}

/// The language to begin with: of the address, chosen earlier, or the browser's.
pub fn language() -> Language {
    languages::chosen(current().language)
}

/// Where the reader is, and the way to other pages.
#[derive(Clone, Copy, Debug)]
pub struct Navigation {
    page: RwSignal<Page>,
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
        let navigation =
            Navigation { page: RwSignal::new(address.page), language: RwSignal::new(language) };
        // A link that is copied from here should show what is seen here.
        if address.language.is_none() && address.page != Page::Nowhere {
            replace(&address.page.path(language));
        }
        window_event_listener(leptos::ev::popstate, move |_| navigation.follow());
        provide_context(navigation);
        navigation
    }

    /// The page that is shown.
    pub fn page(self) -> Page {
        self.page.get()
    }

    /// The language of the page, for components that build it anew.
    pub fn language(self) -> Signal<Language> {
        self.language.into()
    }

    /// The address of a page in the reader's language.
    pub fn path(self, page: Page) -> String {
        page.path(self.language.get())
    }

    /// Shows a page.
    pub fn go(self, page: Page) {
        self.visit(&page.path(self.language.get_untracked()));
    }

    /// Shows this page in another language, and remembers it.
    pub fn speak(self, language: Language) {
        languages::remember(language);
        match self.page.get_untracked() {
            Page::Nowhere => self.change_language(language),
            page => {
                replace(&page.path(language));
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
        if elsewhere || Address::read(&path).page == Page::Nowhere {
            return;
        }
        click.prevent_default();
        self.visit(&path);
    }

    fn visit(self, path: &str) {
        if window().location().pathname().is_ok_and(|shown| shown == path) {
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
        if address.page != self.page.get_untracked() {
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

fn replace(path: &str) {
    if let Ok(history) = window().history() {
        // See `visit`.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(path));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_they_are_written() {
        for language in Language::ALL {
            for page in Page::ALL {
                let path = page.path(language);
                assert_eq!(Address::read(&path), Address { language: Some(language), page });
                assert_eq!(Address::read(&format!("{path}/")).page, page);
            }
        }
        assert_eq!(Address::read("/"), Address { language: None, page: Page::Home });
    }

    #[test]
    fn other_addresses_lead_nowhere_in_their_language() {
        assert_eq!(
            Address::read("/fr/nothing"),
            Address { language: Some(Language::French), page: Page::Nowhere }
        );
        for path in ["/xx", "/rules", "/en/rules/more", "//", "/EN", "/en//"] {
            assert_eq!(Address::read(path).page, Page::Nowhere, "{path}");
        }
    }

    #[test]
    fn the_server_knows_the_same_words() {
        let mut words = String::new();
        for language in Language::ALL {
            words += &format!("language {}\n", language.code());
        }
        for page in Page::ALL.into_iter().filter(|page| !page.word().is_empty()) {
            words += &format!("page {}\n", page.word());
        }
        let known = include_str!("../addresses.txt");
        let known: Vec<&str> = known.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(known.join("\n") + "\n", words);
    }
}

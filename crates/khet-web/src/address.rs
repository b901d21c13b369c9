//! Addresses: which page is shown, in which language. `/`, `/en`, `/fr/rules`.
//!
//! Links are plain `<a href>`; [`Navigation::catch`], called at the root for every click, takes those
//! that lead to the app's own pages and shows them without loading anything.

use khet::{Placement, Rules};
use leptos::prelude::*;
use leptos::web_sys::{Element, HtmlAnchorElement, MouseEvent};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;

use crate::languages::{self, Language};

/// The app is several programs, so that nobody loads what they do not use. Between them the browser loads the page
/// anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// Playing at home, and learning how.
    Home,
    /// Playing over the network.
    Online,
    /// Making setups, and those of others.
    Setups,
    /// Looking into games.
    Analysis,
}

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
    /// Challenging a friend.
    Friend,
    /// Open challenges, and quick pairing.
    Lobby,
    /// Games that are played now.
    Watch,
    /// Games that were played.
    Games,
    /// The best players.
    Leaders,
    /// Signing up and in, and what is one's own.
    Account,
    /// A challenge, by its id.
    Challenge,
    /// A game over the network, by its id.
    Game,
    /// A person, by name.
    Person,
    /// Setups that players have made.
    Setups,
    /// Making a setup.
    Editor,
    /// Looking into a game or a position.
    Analysis,
    /// A setup that was published, by its id.
    Setup,
    /// What is shown where there is no page.
    Nowhere,
}

impl Page {
    /// The pages that have an address.
    pub const ALL: [Page; 17] = [
        Page::Home,
        Page::Computer,
        Page::Table,
        Page::Rules,
        Page::Friend,
        Page::Lobby,
        Page::Watch,
        Page::Games,
        Page::Leaders,
        Page::Account,
        Page::Challenge,
        Page::Game,
        Page::Person,
        Page::Setups,
        Page::Editor,
        Page::Analysis,
        Page::Setup,
    ];

    /// The page's word in addresses. The first page needs none.
    pub fn word(self) -> &'static str {
        match self {
            Page::Home | Page::Nowhere => "",
            Page::Computer => "computer",
            Page::Table => "table",
            Page::Rules => "rules",
            Page::Friend => "friend",
            Page::Lobby => "lobby",
            Page::Watch => "watch",
            Page::Games => "games",
            Page::Leaders => "leaders",
            Page::Account => "account",
            Page::Challenge => "challenge",
            Page::Game => "game",
            Page::Person => "person",
            Page::Setups => "setups",
            Page::Editor => "editor",
            Page::Analysis => "analysis",
            Page::Setup => "setup",
        }
    }

    /// The program that it belongs to.
    pub fn program(self) -> Program {
        match self {
            Page::Home | Page::Computer | Page::Table | Page::Rules | Page::Nowhere => {
                Program::Home
            }
            Page::Friend
            | Page::Lobby
            | Page::Watch
            | Page::Games
            | Page::Leaders
            | Page::Account
            | Page::Challenge
            | Page::Game
            | Page::Person => Program::Online,
            Page::Setups | Page::Editor | Page::Setup => Program::Setups,
            Page::Analysis => Program::Analysis,
        }
    }

    /// The page that stands for it in the header: of several that belong together, the first.
    pub fn stands_under(self) -> Page {
        match self {
            Page::Setups | Page::Editor | Page::Setup => Page::Setups,
            page if page.program() == Program::Online => Page::Lobby,
            page => page,
        }
    }

    /// Whether its address says what it is about, such as a game's id.
    pub fn has_about(self) -> bool {
        matches!(self, Page::Challenge | Page::Game | Page::Person | Page::Setup)
    }

    /// The page's address in a language, without what it is about.
    pub fn path(self, language: Language) -> String {
        match self.word() {
            "" => format!("/{}", language.code()),
            word => format!("/{}/{word}", language.code()),
        }
    }

    /// The page's address in a language.
    pub fn path_of(self, language: Language, about: &str) -> String {
        let path = self.path(language);
        if about.is_empty() { path } else { format!("{path}/{about}") }
    }
}

/// What an address says. The language may be left open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The language, if it is named.
    pub language: Option<Language>,
    /// The page.
    pub page: Page,
    /// What the page is about, if that is part of its address: an id or a name.
    pub about: String,
}

/// No id and no name is longer.
const LONGEST_ABOUT: usize = 20;

impl Address {
    /// Reads the path of an address. Any path is one: what is unknown leads nowhere.
    pub fn read(path: &str) -> Address {
        let mut address = Address { language: None, page: Page::Home, about: String::new() };
        let path = path.strip_prefix('/').unwrap_or(path);
        if path.is_empty() {
            return address;
        }
        let path = path.strip_suffix('/').unwrap_or(path);
        let mut words = path.splitn(3, '/');
        let code = words.next().unwrap_or_default();
        address.language = Language::ALL.into_iter().find(|language| language.code() == code);
        let (word, about) = (words.next(), words.next());
        let page = match word {
            Some(word) => {
                Page::ALL.into_iter().find(|page| page.word() == word && !word.is_empty())
            }
            None => Some(Page::Home),
        };
        let fits = |page: &Page| page.has_about() == about.is_some() && about.is_none_or(is_about);
        let page = page.filter(|page| address.language.is_some() && fits(page));
        address.page = page.unwrap_or(Page::Nowhere);
        if page.is_some() {
            address.about = about.unwrap_or_default().to_owned();
        }
        address
    }
}

/// What asks a page for a position: `?position=…_s&rules=czech`.
pub fn position_search(placement: &Placement, rules: Rules) -> String {
    let position = placement.to_string().replace(' ', "_");
    match rules {
        Rules::Standard => format!("?position={position}"),
        rules => format!("?position={position}&rules={rules}"),
    }
}

/// Whether a page can be about this: letters, digits, `-` and `_`, as ids and names are.
fn is_about(about: &str) -> bool {
    (1..=LONGEST_ABOUT).contains(&about.len())
        && about.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

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
        if address.language.is_none() && address.page != Page::Nowhere {
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
            Page::Nowhere => self.change_language(language),
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
        if elsewhere || other || page == Page::Nowhere {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_they_are_written() {
        for language in Language::ALL {
            for page in Page::ALL {
                let about = if page.has_about() { "7Hc0_-Wz" } else { "" };
                let path = page.path_of(language, about);
                let address = Address { language: Some(language), page, about: about.to_owned() };
                assert_eq!(Address::read(&path), address);
                assert_eq!(Address::read(&format!("{path}/")), address);
            }
        }
        let first = Address { language: None, page: Page::Home, about: String::new() };
        assert_eq!(Address::read("/"), first);
    }

    #[test]
    fn other_addresses_lead_nowhere_in_their_language() {
        let nothing = Address::read("/fr/nothing");
        assert_eq!((nothing.language, nothing.page), (Some(Language::French), Page::Nowhere));
        let long = format!("/en/game/{}", "a".repeat(21));
        for path in [
            "/english",
            "/rules",
            "/en/rules/more",
            "//",
            "/EN",
            "/en//",
            "/en/game",
            "/en/game//",
            "/en/game/a/b",
            "/en/game/é",
            "/en/lobby/x",
            &long,
        ] {
            let address = Address::read(path);
            assert_eq!((address.page, address.about.as_str()), (Page::Nowhere, ""), "{path}");
        }
    }

    #[test]
    fn the_server_knows_the_same_words() {
        let mut words = String::new();
        for page in Page::ALL.into_iter().filter(|page| !page.word().is_empty()) {
            let kind = if page.has_about() { "about" } else { "page" };
            words += &format!("{kind} {}\n", page.word());
        }
        let known = include_str!("../addresses.txt");
        let known: Vec<&str> = known.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(known.join("\n") + "\n", words);
    }

    #[test]
    fn what_is_loaded_fits_the_page() {
        for (program, name) in [
            (Program::Online, "online"),
            (Program::Setups, "setups"),
            (Program::Analysis, "analysis"),
        ] {
            let pages = Page::ALL.into_iter().filter(|page| page.program() == program);
            let words: Vec<&str> = pages.map(Page::word).collect();
            let choice = format!(r#"["{name}", "{}"]"#, words.join(" "));
            assert!(include_str!("../start.js").contains(&choice), "start.js has no {choice}");
        }
    }
}

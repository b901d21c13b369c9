//! The frame around every page: header, the current page, messages.

pub(crate) mod failure_notice;
mod update;

use leptos::html;
use leptos::prelude::*;

use crate::home::HomePage;
use crate::languages::{InLanguage, Language, use_words};
use crate::learn::LearnPage;
use crate::local_game::{ComputerPage, HotseatPage};
use crate::routing::{Navigation, NotFound, Page, use_navigation};
use crate::settings::{Settings, SettingsDialog};

/// The root component.
#[component]
pub fn App(
    /// Returns the component of a page of this program.
    pages: fn(Page) -> AnyView,
) -> impl IntoView {
    Settings::start();
    let navigation = Navigation::start();
    let waiting = update::watch();
    view! {
        <div class="app" on:click=move |click| navigation.handle_click(&click)>
            <InLanguage language=navigation.language()>
                <Header/>
                <Main pages/>
                <update::UpdateOffer waiting/>
            </InLanguage>
        </div>
    }
}

/// The header: logo, links, language and settings.
#[component]
fn Header() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let settings_open = RwSignal::new(false);
    let link = move |page: Page, name: &'static str| {
        let current = move || match navigation.page() {
            shown if shown == page => Some("page"),
            shown if shown.header_page() == page => Some("true"),
            _ => None,
        };
        view! { <a href=navigation.path(page) class=page.slug() aria-current=current>{name}</a> }
    };
    view! {
        <a class="skip" href="#main">{words.shell_skip_to_content()}</a>
        <header class="header">
            <a class="brand" href=navigation.path(Page::Home)
                aria-current=move || (navigation.page() == Page::Home).then_some("page")>
                <svg viewBox="0 0 32 32" aria-hidden="true">
                    <path class="brand-beam" d="M16 31V16H31"/>
                    <path class="brand-pyramid" d="M5 5H27L5 27Z"/>
                    <path class="brand-mirror" d="M27 5 5 27"/>
                </svg>
                <span>{words.app_name()}</span>
            </a>
            <nav aria-label=words.shell_pages()>
                {link(Page::Computer, words.shell_computer())}
                {link(Page::Lobby, words.shell_online())}
                {link(Page::Hotseat, words.shell_hotseat())}
                {link(Page::Setups, words.shell_setups())}
                {link(Page::Analysis, words.shell_analysis())}
                {link(Page::Rules, words.shell_rules())}
            </nav>
            <LanguageChoice/>
            <button type="button" class="icon-button" aria-haspopup="dialog" aria-label=words.settings_title()
                on:click=move |_| settings_open.set(true)>
                <svg viewBox="0 0 24 24" aria-hidden="true">
                    <path d="M4 7H20M4 17H20"/>
                    <circle cx="9" cy="7" r="2.6"/>
                    <circle cx="15" cy="17" r="2.6"/>
                </svg>
            </button>
        </header>
        <SettingsDialog open=settings_open/>
    }
}

#[component]
fn LanguageChoice() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let chosen = move |event: leptos::ev::Event| {
        if let Some(language) = Language::from_code(&event_target_value(&event)) {
            navigation.switch_language(language);
        }
    };
    view! {
        <label class="language">
            <svg viewBox="0 0 24 24" aria-hidden="true">
                <circle cx="12" cy="12" r="9"/>
                <path d="M3 12H21M12 3C7 8 7 16 12 21M12 3C17 8 17 16 12 21"/>
            </svg>
            <span class="visually-hidden">{words.shell_language()}</span>
            <select on:change=chosen>
                {Language::ALL.map(|language| view! {
                    <option value=language.code() lang=language.code()
                        selected=language == words.language()>{language.name()}</option>
                }).collect_view()}
            </select>
        </label>
    }
}

/// Returns the component of a page of the home program.
pub fn home_program_page(page: Page) -> AnyView {
    match page {
        Page::Rules => view! { <LearnPage/> }.into_any(),
        Page::Home => view! { <HomePage/> }.into_any(),
        Page::Computer => view! { <ComputerPage/> }.into_any(),
        Page::Hotseat => view! { <HotseatPage/> }.into_any(),
        _ => view! { <NotFound/> }.into_any(),
    }
}

/// The main area, which shows the page at the current address.
#[component]
fn Main(pages: fn(Page) -> AnyView) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let main = NodeRef::<html::Main>::new();
    Effect::new(move |before: Option<Page>| {
        let page = navigation.page();
        let name = match page {
            Page::Home => None,
            Page::Computer => Some(words.shell_computer()),
            Page::Hotseat => Some(words.shell_hotseat()),
            Page::Rules => Some(words.shell_rules()),
            Page::Friend => Some(words.friend_title()),
            Page::Lobby => Some(words.lobby_title()),
            Page::Watch => Some(words.watch_title()),
            Page::Archive => Some(words.archive_title()),
            Page::Leaderboard => Some(words.leaders_title()),
            Page::Account => Some(words.account_title()),
            Page::Challenge => Some(words.challenge_title()),
            Page::Game => Some(words.game_title()),
            Page::Person => Some(words.person_title()),
            Page::Setups | Page::Setup => Some(words.setups_title()),
            Page::Editor => Some(words.editor_title()),
            Page::Analysis => Some(words.analysis_title()),
            Page::NotFound => Some(words.not_found_title()),
        };
        let title = match name {
            Some(name) => format!("{name} · {}", words.app_name()),
            None => format!("{} · {}", words.app_name(), words.shell_subtitle()),
        };
        document().set_title(&title);
        // Moves the focus to the new page, so that keyboard and screen reader users continue at its
        // start.
        if before.is_some_and(|before| before != page)
            && let Some(main) = main.get_untracked()
        {
            let _ = main.focus();
        }
        page
    });
    view! {
        <main id="main" tabindex="-1" node_ref=main>
            {move || {
                // Another game, setup or position in the address rebuilds the page too.
                navigation.subject();
                navigation.track_query();
                pages(navigation.page())
            }}
        </main>
    }
}

//! The frame around every page: header, the current page, footer, messages.

mod account_menu;
pub(crate) mod failure_notice;
mod footer;
mod header;
pub(crate) mod inbox_menu;
mod menu;
mod page_title;
mod update;

use leptos::html;
use leptos::prelude::*;
use leptos::web_sys::MouseEvent;

use self::account_menu::sign_out;
use self::footer::Footer;
use self::header::Header;
use self::page_title::page_title;
use crate::api::inbox;
use crate::home::HomePage;
use crate::languages::{InLanguage, use_words};
use crate::local_game::{ComputerPage, HotseatPage};
use crate::routing::{Navigation, NotFound, Page, Program, use_navigation};
use crate::settings::Settings;
use crate::shortcuts::{Shortcuts, ShortcutsDialog, use_shortcuts};

/// The root component.
#[component]
pub fn App(
    /// The program that runs.
    program: Program,
    /// Returns the component of a page of this program.
    pages: fn(Page) -> AnyView,
) -> impl IntoView {
    Settings::start();
    Shortcuts::start();
    let navigation = Navigation::start(program);
    inbox::start(navigation);
    let waiting = update::watch();
    let settings_open = RwSignal::new(false);
    let shortcuts = use_shortcuts();
    let on_menu_click = move |click: &MouseEvent| match menu::handle_click(click).as_deref() {
        Some("settings") => settings_open.set(true),
        Some("shortcuts") => shortcuts.open(),
        Some("sign-out") => sign_out(navigation),
        Some(action) => inbox::act(action, navigation),
        None => {}
    };
    view! {
        <div class="app" class:fills-window=move || navigation.page().fills_window()
            on:click=move |click| {
                navigation.handle_click(&click);
                on_menu_click(&click);
            }>
            <InLanguage language=navigation.language()>
                <Header settings_open/>
                <Main pages/>
                <Footer/>
                <ShortcutsDialog/>
                <update::UpdateOffer waiting/>
            </InLanguage>
        </div>
    }
}

/// Returns the component of a page of the home program.
pub fn home_program_page(page: Page) -> AnyView {
    match page {
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
        let app_name = words.app_name();
        let title = match page {
            Page::Home => format!("{app_name} · {}", words.shell_subtitle()),
            page => format!("{} · {app_name}", page_title(page, words)),
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

//! The header of every page: logo, navigation, language, settings, notifications and account.
//!
//! In narrow windows, the navigation is a bar at the bottom. On pages whose board fills the window,
//! it shrinks to one button in the header.

use leptos::prelude::*;

use super::account_menu::AccountMenu;
use super::footer::FOOTER_PAGES;
use super::inbox_menu::InboxMenu;
use super::menu::{menu, menu_links};
use super::page_title::area_title;
use crate::languages::{Language, Words, use_words};
use crate::routing::{Area, Navigation, Page, use_navigation};
use crate::settings::SettingsDialog;

/// The header.
#[component]
pub(super) fn Header(
    /// True if the settings are open.
    settings_open: RwSignal<bool>,
) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
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
            <SiteNavigation/>
            <LanguageChoice/>
            <button type="button" class="icon-button" aria-haspopup="dialog" aria-label=words.settings_title()
                on:click=move |_| settings_open.set(true)>
                <svg viewBox="0 0 24 24" aria-hidden="true">
                    <path d="M4 7H20M4 17H20"/>
                    <circle cx="9" cy="7" r="2.6"/>
                    <circle cx="15" cy="17" r="2.6"/>
                </svg>
            </button>
            <InboxMenu/>
            <AccountMenu/>
        </header>
        <SettingsDialog open=settings_open/>
    }
}

/// The areas of the app, each with a menu of its pages, and one menu with everything.
#[component]
fn SiteNavigation() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let entries = move || {
        let areas = Area::ALL.map(|area| area_entry(area, words, navigation)).concat();
        areas + &whole_menu(words, navigation)
    };
    view! { <nav class="site-nav" aria-label=words.shell_pages()><ul inner_html=entries></ul></nav> }
}

/// Returns the entry of an area: a link to its only page, or a menu.
fn area_entry(area: Area, words: Words, navigation: Navigation) -> String {
    let (id, label) = (menu_id(area), label(area_icon(area), area_title(area, words)));
    let is_current = navigation.page().area() == Some(area);
    let mark = if is_current { r#" aria-current="true""# } else { "" };
    let entry = match area.pages() {
        [page] => {
            let path = navigation.path(*page);
            format!(r#"<a class="nav-entry" href="{path}"{mark}>{label}</a>"#)
        }
        pages => menu(id, "nav-entry opens", mark, &label, &menu_links(pages, words, navigation)),
    };
    format!(r#"<li class="nav-{id}">{entry}</li>"#)
}

/// Returns the menu with the pages of all areas, for narrow windows.
fn whole_menu(words: Words, navigation: Navigation) -> String {
    let group = |(name, pages): (&str, &[Page])| {
        let links = menu_links(pages, words, navigation);
        let heading = match pages.len() {
            1 => String::new(),
            _ => format!(r#"<p class="menu-heading">{name}</p>"#),
        };
        format!(r#"<div class="menu-group">{heading}{links}</div>"#)
    };
    let areas = Area::ALL.map(|area| group((area_title(area, words), area.pages()))).concat();
    let groups = areas + &group((words.shell_about_khet(), FOOTER_PAGES));
    let page = navigation.page();
    // The bar at the bottom has no entry for these pages.
    let is_current =
        page.fills_window() || page.area() == Some(Area::Setups) || FOOTER_PAGES.contains(&page);
    let mark = if is_current { r#" aria-current="true""# } else { "" };
    let label = label("M4 7H20M4 12H20M4 17H20", words.shell_menu());
    let menu = menu("menu-all", "nav-entry", mark, &label, &groups);
    format!(r#"<li class="nav-menu-all">{menu}</li>"#)
}

/// Returns an icon, which only the bar at the bottom shows, and a name.
fn label(icon: &str, name: &str) -> String {
    format!(
        r#"<svg class="nav-icon" viewBox="0 0 24 24" aria-hidden="true"><path d="{icon}"/></svg><span>{name}</span>"#
    )
}

/// Returns the id of an area's menu.
fn menu_id(area: Area) -> &'static str {
    match area {
        Area::Play => "menu-play",
        Area::Puzzles => "menu-puzzles",
        Area::Learn => "menu-learn",
        Area::Watch => "menu-watch",
        Area::Setups => "menu-setups",
        Area::Analysis => "menu-analysis",
    }
}

/// Returns the icon of an area as a stroked path.
fn area_icon(area: Area) -> &'static str {
    match area {
        // A pyramid that reflects a beam.
        Area::Play => "M4 4H18L4 18ZM11 22V11H22",
        // A piece of a jigsaw.
        Area::Puzzles => "M4 8H9A3 3 0 1 1 14 8H20V13A3 3 0 1 0 20 17V21H4Z",
        // An open book.
        Area::Learn => "M12 6C9 4 6 4 3 5V19C6 18 9 18 12 20C15 18 18 18 21 19V5C18 4 15 4 12 6V20",
        // An eye.
        Area::Watch => {
            "M2 12C5 7 8.5 5 12 5S19 7 22 12C19 17 15.5 19 12 19S5 17 2 12ZM12 9A3 3 0 1 0 12.01 9"
        }
        // Squares of a board.
        Area::Setups => "M4 4H20V20H4ZM4 12H20M12 4V20",
        // A graph.
        Area::Analysis => "M4 4V20H20M8 15L12 10L15 13L20 6",
    }
}

/// The choice of the language.
#[component]
pub(super) fn LanguageChoice() -> impl IntoView {
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

//! The markup of menus, and the clicks on their entries.
//!
//! Menus use the attribute `popover`: the browser closes a menu on Escape and on a click outside,
//! moves the focus from the button into the menu with Tab, and tells screen readers whether it is
//! open.
//!
//! Header and footer belong to the first load of every program. They are markup instead of views,
//! which would take several times the code, and all clicks go to one handler. Texts and names in
//! it are from the language files, or checked by [`crate::api::me`].

use leptos::web_sys::{Element, HtmlElement, MouseEvent};
use wasm_bindgen::JsCast;

use super::page_title::page_title;
use crate::languages::Words;
use crate::routing::{Navigation, Page};

/// Returns a button and the menu that it opens.
pub(super) fn menu(id: &str, class: &str, attributes: &str, label: &str, entries: &str) -> String {
    format!(
        r#"<button type="button" class="{class}" popovertarget="{id}"{attributes}>{label}</button><div class="menu" id="{id}" popover>{entries}</div>"#
    )
}

/// Returns links to pages as entries of a menu.
pub(super) fn menu_links(pages: &[Page], words: Words, navigation: Navigation) -> String {
    let current = navigation.page();
    let link = |&page: &Page| {
        let mark = if page == current { r#" aria-current="page""# } else { "" };
        menu_link(&navigation.path(page), mark, page_title(page, words))
    };
    let links: String = pages.iter().map(link).collect();
    format!("<ul>{links}</ul>")
}

/// Returns a link as an entry of a menu.
pub(super) fn menu_link(path: &str, attributes: &str, name: &str) -> String {
    format!(r#"<li><a href="{path}"{attributes}>{name}</a></li>"#)
}

/// Returns a button as an entry of a menu; the handler of clicks gets its action.
pub(super) fn menu_button(action: &str, name: &str) -> String {
    format!(r#"<li><button type="button" data-menu-action="{action}">{name}</button></li>"#)
}

/// Closes the menu in which a link or button was clicked, and returns the action of the button.
pub(super) fn handle_click(click: &MouseEvent) -> Option<String> {
    let element: Element = click.target()?.dyn_into().ok()?;
    let entry = element.closest("a, button").ok()??;
    let action = entry.get_attribute("data-menu-action");
    if let Some(menu) = entry.closest(".menu").ok().flatten()
        && let Ok(menu) = menu.dyn_into::<HtmlElement>()
    {
        // Fails only if it is closed already.
        let _ = menu.hide_popover();
    }
    action
}

//! The account at the right of the header: its name and menu, or the link to sign in.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::menu::{menu, menu_button, menu_link};
use crate::api::me::{self, ShownAccount};
use crate::languages::{Words, use_words};
use crate::routing::{Navigation, Page, use_navigation};

/// The account menu, or the link to sign in.
#[component]
pub(super) fn AccountMenu() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let shown = me::shown_account();
    let content = move || match shown.get() {
        Some(account) => signed_in(&account, words, navigation),
        None => {
            let is_current = navigation.page() == Page::Account;
            let mark = if is_current { r#" aria-current="page""# } else { "" };
            let path = navigation.path(Page::Account);
            format!(r#"<a class="sign-in" href="{path}"{mark}>{}</a>"#, words.account_sign_in())
        }
    };
    view! { <div class="header-account" inner_html=content></div> }
}

/// Returns the name and rating of the account, and its menu.
fn signed_in(account: &ShownAccount, words: Words, navigation: Navigation) -> String {
    let ShownAccount { name, rating } = account;
    let is_own_page = match navigation.page() {
        Page::Account => true,
        Page::Person => navigation.subject() == *name,
        _ => false,
    };
    let mark = if is_own_page { r#" aria-current="true""# } else { "" };
    let label = format!(
        r#"<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 4A4 4 0 1 0 12.01 4M4 21C4 16 8 14 12 14S20 16 20 21"/></svg><span class="account-name">{name}</span><span class="account-rating">{rating}</span>"#
    );
    let games = format!("{}?player={name}", navigation.path(Page::Archive));
    let entries = [
        menu_link(&navigation.path_of(Page::Person, name), "", words.account_profile()),
        menu_link(&games, "", words.shell_your_games()),
        menu_link(&navigation.path(Page::Account), "", words.account_title()),
        menu_button("settings", words.settings_title()),
        menu_button("shortcuts", words.shortcuts_title()),
        menu_button("sign-out", words.account_sign_out()),
    ]
    .concat();
    let attributes = format!(r#" aria-label="{name} {rating}"{mark}"#);
    menu("menu-account", "account-button", &attributes, &label, &format!("<ul>{entries}</ul>"))
}

/// Signs out, or shows the account page, which says that the server can't be reached.
pub(super) fn sign_out(navigation: Navigation) {
    spawn_local(async move {
        if !me::sign_out().await {
            navigation.load(Page::Account, "");
        }
    });
}

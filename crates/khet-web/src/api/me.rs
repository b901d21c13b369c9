//! The guest or account of this browser.
//!
//! The browser stores whether there is one, so that visitors who never played cause no request, and
//! the account's name and rating, so that the header shows them at once, on every page and without
//! a server.

use khet_protocol::{ErrorCode, Me, PersonKind};
use leptos::prelude::*;

use crate::api::{self, RequestError, inbox};
use crate::browser::storage;
use crate::game_ui::profile_name::rating_text;

const KEY: &str = "khet.me";
/// The storage key of [`ShownAccount`]: `Anna 1623?`.
const ACCOUNT_KEY: &str = "khet.account";

/// An account as the header shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ShownAccount {
    /// The name.
    pub(crate) name: String,
    /// The rating at the speed with the most rated games; empty if there is none.
    pub(crate) rating: String,
}

impl ShownAccount {
    /// Returns the account to show; `None` for guests.
    fn of(me: &Me) -> Option<ShownAccount> {
        let name = me.name.as_ref().filter(|_| me.kind == PersonKind::Account)?;
        let rated = me.ratings.iter().filter(|rated| rated.games > 0);
        let rating = rated.max_by_key(|rated| rated.games).map(|rated| rating_text(rated.rating));
        Some(ShownAccount { name: name.to_string(), rating: rating.unwrap_or_default() })
    }

    /// Parses the stored text.
    fn read(text: &str) -> Option<ShownAccount> {
        let (name, rating) = text.split_once(' ').unwrap_or((text, ""));
        let account = ShownAccount { name: name.to_owned(), rating: rating.to_owned() };
        // The header writes both into markup, and other scripts could have stored anything.
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_? ".contains(letter);
        (!name.is_empty() && text.chars().all(is_plain)).then_some(account)
    }
}

thread_local! {
    /// Reference-counted, because requests change it after the page that sent them is gone.
    static SHOWN: ArcRwSignal<Option<ShownAccount>> =
        ArcRwSignal::new(ShownAccount::read(&storage::load_or_empty(ACCOUNT_KEY)));
}

/// Returns the account that the header shows.
pub(crate) fn shown_account() -> ArcRwSignal<Option<ShownAccount>> {
    SHOWN.with(Clone::clone)
}

/// Shows and stores an account, or none.
fn show(account: Option<ShownAccount>) {
    let text = account.as_ref().map(|account| format!("{} {}", account.name, account.rating));
    storage::store(ACCOUNT_KEY, &text.unwrap_or_default());
    let shown = shown_account();
    if shown.with_untracked(|before| *before != account) {
        shown.set(account);
    }
}

/// Stores that this browser has a guest or an account.
pub(crate) fn remember() {
    storage::store(KEY, "yes");
}

/// Returns whether this browser has a guest or an account.
pub(crate) fn is_known() -> bool {
    !storage::load_or_empty(KEY).is_empty()
}

/// Stores that this browser has this account, after signing in.
pub(crate) fn remember_account(me: &Me) {
    remember();
    show(ShownAccount::of(me));
    inbox::refresh();
}

/// Stores that it has none, after signing out.
pub(crate) fn forget() {
    storage::store(KEY, "");
    show(None);
}

/// Returns the guest or account, if there is one and the server is reachable.
pub(crate) async fn fetch() -> Option<Me> {
    try_fetch().await.ok().flatten()
}

/// Returns the guest or account, if there is one.
pub(crate) async fn try_fetch() -> Result<Option<Me>, RequestError> {
    if !is_known() {
        return Ok(None);
    }
    match api::get::<Me>("/api/me").await {
        Ok(me) => {
            show(ShownAccount::of(&me));
            Ok(Some(me))
        }
        Err(error) if error.code() == Some(ErrorCode::SignedOut) => {
            forget();
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Signs out and reloads the page, which may show things of the account. Returns false if the
/// server is unreachable.
pub(crate) async fn sign_out() -> bool {
    // Without the parser of error messages, which the home program does not need.
    let response = api::fetch("POST", "/api/sign-out", None).await;
    if !response.is_ok_and(|(status, _)| (200..300).contains(&status)) {
        return false;
    }
    forget();
    // Games are saved after every move, so that nothing is lost.
    let _ = window().location().reload();
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_account_is_read_back() {
        let account = |name: &str, rating: &str| {
            Some(ShownAccount { name: name.to_owned(), rating: rating.to_owned() })
        };
        assert_eq!(ShownAccount::read(""), None);
        assert_eq!(ShownAccount::read("<b> 1"), None, "no markup");
        assert_eq!(ShownAccount::read("Anna "), account("Anna", ""));
        assert_eq!(ShownAccount::read("Anna 1623?"), account("Anna", "1623?"));
    }
}

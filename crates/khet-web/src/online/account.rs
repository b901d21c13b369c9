//! The account page: sign up, sign in and out, change the password, export the data, and delete the
//! account.

use khet_protocol::{
    Credentials, ErrorCode, Me, PasswordChange, PasswordConfirmation, PersonKind, PersonName,
};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::unreachable::Loader;
use crate::api::me;
use crate::api::{self, NO_BODY, RequestError};
use crate::game_ui::names::speed_name;
use crate::game_ui::profile_name::rating_text;
use crate::languages::{Words, use_words};
use crate::routing::{Page, use_navigation};

/// The account page.
#[component]
pub(super) fn AccountPage() -> impl IntoView {
    let words = use_words();
    // `None` until the server has answered, so that no form appears for a moment.
    let account = RwSignal::new(None::<Option<Me>>);
    let loader = Loader::new(move || async move {
        let me = me::try_fetch().await?.filter(|me| me.kind == PersonKind::Account);
        let _ = account.try_set(Some(me));
        Ok(())
    });
    let forms = move || match account.get() {
        None => ().into_any(),
        Some(None) => view! {
            <div class="account-forms">
                <SignInForm account new=false/>
                <SignInForm account new=true/>
            </div>
        }
        .into_any(),
        Some(Some(me)) => view! { <AccountOverview account me/> }.into_any(),
    };
    let content = move |result: Result<(), RequestError>| match result {
        Ok(()) => forms.into_any(),
        Err(error) => view! { <p>{error.message(words)}</p> }.into_any(),
    };
    view! {
        <div class="page account">
            <h1>{words.account_title()}</h1>
            {loader.view(content)}
        </div>
    }
}

/// The signed-in account; the outer `None` until it is known.
type AccountSignal = RwSignal<Option<Option<Me>>>;

/// The form to sign in, or to sign up if `new`.
#[component]
fn SignInForm(account: AccountSignal, new: bool) -> impl IntoView {
    let words = use_words();
    let name = RwSignal::new(String::new());
    let password = RwSignal::new(String::new());
    let problem = RwSignal::new(String::new());
    let busy = RwSignal::new(false);
    let (title, form, path) = match new {
        false => (words.account_sign_in(), "sign-in", "/api/sign-in"),
        true => (words.account_sign_up(), "sign-up", "/api/sign-up"),
    };
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let name = name.with_untracked(|name| name.trim().parse::<PersonName>());
        let password = password.get_untracked();
        let mut problems = Vec::new();
        if name.is_err() {
            problems.push(words.account_name_about());
        }
        if new && password.chars().count() < 8 {
            problems.push(words.account_password_about());
        }
        problem.set(problems.join(" "));
        let (Ok(name), true) = (name, problems.is_empty()) else { return };
        if busy.get_untracked() {
            return;
        }
        busy.set(true);
        problem.set(String::new());
        spawn_local(async move {
            let response =
                api::send::<Me>("POST", path, Some(&Credentials { name, password })).await;
            let _ = busy.try_set(false);
            match response {
                Ok(me) => {
                    me::remember_account(&me);
                    let _ = account.try_set(Some(Some(me)));
                }
                Err(error) => {
                    let text = match error.code() {
                        Some(ErrorCode::Taken) => words.account_taken().to_owned(),
                        Some(ErrorCode::SignedOut) => words.account_wrong_password().to_owned(),
                        Some(ErrorCode::Invalid) => {
                            format!(
                                "{} {}",
                                words.account_name_about(),
                                words.account_password_about()
                            )
                        }
                        _ => error.message(words),
                    };
                    let _ = problem.try_set(text);
                }
            }
        });
    };
    let autocomplete = if new { "new-password" } else { "current-password" };
    view! {
        <form class="card" data-form=form on:submit=submit>
            <h2>{title}</h2>
            {new.then(|| view! { <p class="field-about">{words.account_sign_up_about()}</p> })}
            <label class="field">
                <span>{words.account_name()}</span>
                <input type="text" data-field="name" autocomplete="username" autocapitalize="none" spellcheck="false"
                    required maxlength="20" prop:value=move || name.get()
                    on:input=move |event| name.set(event_target_value(&event))/>
            </label>
            <PasswordField label=words.account_password() autocomplete password/>
            {new.then(|| view! { <p class="field-about">{words.account_password_about()}</p> })}
            <p class="field-problem" role="status">{move || problem.get()}</p>
            <button type="submit" class="button primary" data-action=form
                aria-disabled=move || busy.get().to_string()>{title}</button>
        </form>
    }
}

#[component]
fn PasswordField(
    label: &'static str,
    /// The `autocomplete` attribute.
    autocomplete: &'static str,
    password: RwSignal<String>,
) -> impl IntoView {
    view! {
        <label class="field">
            <span>{label}</span>
            <input type="password" data-field=autocomplete autocomplete=autocomplete required maxlength="200"
                prop:value=move || password.get()
                on:input=move |event| password.set(event_target_value(&event))/>
        </label>
    }
}

/// The ratings and actions of a signed-in account.
#[component]
fn AccountOverview(account: AccountSignal, me: Me) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let note = RwSignal::new(String::new());
    let name = me.name.map(|name| name.to_string()).unwrap_or_default();
    let sign_out = move |path: &'static str| {
        spawn_local(async move {
            match api::send_for_text("POST", path, NO_BODY).await {
                Ok(_) => {
                    me::forget();
                    let _ = account.try_set(Some(None));
                }
                Err(error) => drop(note.try_set(error.message(words))),
            }
        });
    };
    let ratings = me.ratings.into_iter().map(|each| {
        view! { <li>{speed_name(each.speed, words)} " " <strong>{rating_text(each.rating)}</strong></li> }
    });
    view! {
        <div class="account-forms">
            <section class="card">
                <h2 data-account=name.clone()>{words.account_signed_in(&name)}</h2>
                <ul class="rating-changes">{ratings.collect_view()}</ul>
                <a class="button" href=navigation.path_of(Page::Person, &name)>{words.account_profile()}</a>
                <a class="button" href="/api/me/data" download data-action="my-data">{words.account_data()}</a>
                <button type="button" class="button" data-action="sign-out"
                    on:click=move |_| sign_out("/api/sign-out")>{words.account_sign_out()}</button>
                <button type="button" class="button" data-action="sign-out-everywhere"
                    on:click=move |_| sign_out("/api/sign-out-everywhere")>{words.account_sign_out_all()}</button>
                <p class="field-problem" role="status">{move || note.get()}</p>
            </section>
            <ChangePasswordForm/>
            <DeleteAccountForm account/>
        </div>
    }
}

/// Returns the message for a refused request that needs the password.
fn password_error(error: &RequestError, words: Words) -> String {
    match error.code() {
        Some(ErrorCode::Forbidden) => words.account_wrong_password().to_owned(),
        Some(ErrorCode::Invalid) => words.account_password_about().to_owned(),
        _ => error.message(words),
    }
}

#[component]
fn ChangePasswordForm() -> impl IntoView {
    let words = use_words();
    let old = RwSignal::new(String::new());
    let new = RwSignal::new(String::new());
    let note = RwSignal::new(String::new());
    let change = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let change = PasswordChange { old: old.get_untracked(), new: new.get_untracked() };
        spawn_local(async move {
            let text = match api::send_for_text("POST", "/api/me/password", Some(&change)).await {
                Ok(_) => {
                    let _ = (old.try_set(String::new()), new.try_set(String::new()));
                    words.account_changed().to_owned()
                }
                Err(error) => password_error(&error, words),
            };
            let _ = note.try_set(text);
        });
    };
    view! {
        <form class="card" data-form="change-password" on:submit=change>
            <h2>{words.account_change()}</h2>
            <PasswordField label=words.account_old_password() autocomplete="current-password" password=old/>
            <PasswordField label=words.account_new_password() autocomplete="new-password" password=new/>
            <p role="status">{move || note.get()}</p>
            <button type="submit" class="button" data-action="change-password">{words.account_change()}</button>
        </form>
    }
}

#[component]
fn DeleteAccountForm(account: AccountSignal) -> impl IntoView {
    let words = use_words();
    let password = RwSignal::new(String::new());
    let note = RwSignal::new(String::new());
    let delete = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let confirmation = PasswordConfirmation { password: password.get_untracked() };
        spawn_local(async move {
            match api::send_for_text("DELETE", "/api/me", Some(&confirmation)).await {
                Ok(_) => {
                    me::forget();
                    let _ = account.try_set(Some(None));
                }
                Err(error) => drop(note.try_set(password_error(&error, words))),
            }
        });
    };
    view! {
        <details class="card" data-form="delete-account">
            <summary>{words.account_delete()}</summary>
            <form on:submit=delete>
                <p class="field-about">{words.account_delete_about()}</p>
                <PasswordField label=words.account_password() autocomplete="current-password" password/>
                <p class="field-problem" role="status">{move || note.get()}</p>
                <button type="submit" class="button" data-action="delete-account">{words.account_delete()}</button>
            </form>
        </details>
    }
}

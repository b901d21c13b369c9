//! Newer versions of the app: fetched in the background, offered, and used only when the reader says so.
//!
//! The service worker keeps the app for use without a network. A newer one waits beside it until it is
//! told to take over; until then everything, also a reload, goes on with the version that is running.

use leptos::prelude::*;
use leptos::web_sys::{
    ServiceWorker, ServiceWorkerContainer, ServiceWorkerRegistration, ServiceWorkerState,
};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};

use crate::languages::use_words;
use crate::routing::{Page, use_navigation};

const SERVICE_WORKER: &str = "/service-worker.js";
/// What the waiting service worker is told; it knows the same words.
const TAKE_OVER: &str = "take over";

/// The newer version that waits, if there is one. Called once.
pub fn watch() -> RwSignal<Option<ServiceWorker>, LocalStorage> {
    let waiting = RwSignal::new_local(None);
    // Fetching everything for later must not slow down the first page.
    set_timeout(
        move || {
            if let Some(container) = container() {
                spawn_local(register(container, waiting));
            }
        },
        std::time::Duration::from_millis(1500),
    );
    waiting
}

/// Browsers have service workers only on safe addresses.
fn container() -> Option<ServiceWorkerContainer> {
    let navigator = window().navigator();
    let there = js_sys::Reflect::has(&navigator, &JsValue::from_str("serviceWorker"));
    there.unwrap_or(false).then(|| navigator.service_worker())
}

async fn register(
    container: ServiceWorkerContainer,
    waiting: RwSignal<Option<ServiceWorker>, LocalStorage>,
) {
    // Where it fails the app works all the same, only not without a network.
    let Ok(registration) = JsFuture::from(container.register(SERVICE_WORKER)).await else {
        return;
    };
    let Ok(registration) = registration.dyn_into::<ServiceWorkerRegistration>() else { return };
    // The first version of all has nobody to wait for.
    if container.controller().is_some() {
        waiting.set(registration.waiting());
    }
    let found = Closure::<dyn Fn()>::new({
        let registration = registration.clone();
        move || {
            let Some(installing) = registration.installing() else { return };
            let container = container.clone();
            let worker = installing.clone();
            let changed = Closure::<dyn Fn()>::new(move || {
                if worker.state() == ServiceWorkerState::Installed
                    && container.controller().is_some()
                {
                    waiting.set(Some(worker.clone()));
                }
            });
            installing.set_onstatechange(Some(changed.as_ref().unchecked_ref()));
            changed.forget();
        }
    });
    registration.set_onupdatefound(Some(found.as_ref().unchecked_ref()));
    found.forget();
}

/// Lets the newer version take over, and reloads the page with it.
fn use_now(worker: &ServiceWorker) {
    let Some(container) = container() else { return };
    let reload = Closure::<dyn Fn()>::new(|| {
        // Games are saved after every move: nothing is lost.
        let _ = window().location().reload();
    });
    container.set_oncontrollerchange(Some(reload.as_ref().unchecked_ref()));
    reload.forget();
    // It fails only for values that can't be sent.
    let _ = worker.post_message(&JsValue::from_str(TAKE_OVER));
}

/// Offers the newer version, but never beside a game: nothing covers a board on which someone plays.
#[component]
pub fn UpdateOffer(
    /// The newer version that waits.
    waiting: RwSignal<Option<ServiceWorker>, LocalStorage>,
) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let offered = move || {
        waiting.with(Option::is_some)
            && !matches!(navigation.page(), Page::Computer | Page::Hotseat | Page::Game)
    };
    let use_now = move |_| {
        if let Some(worker) = waiting.get_untracked() {
            use_now(&worker);
        }
    };
    view! {
        <div role="status" class="update">
            {move || offered().then(|| view! {
                <div class="notice">
                    <p>{words.update_ready()}</p>
                    <button type="button" class="button primary" on:click=use_now>{words.update_now()}</button>
                    <button type="button" class="button quiet" on:click=move |_| waiting.set(None)>{words.update_later()}</button>
                </div>
            })}
        </div>
    }
}

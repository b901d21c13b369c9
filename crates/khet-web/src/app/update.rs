//! Updates of the app: fetched in the background, offered, and installed when the user agrees.
//!
//! The service worker caches the app for offline use. A new service worker waits until it is told
//! to take over. Until then the current version keeps running, even after a reload.

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
/// The message that makes the waiting service worker take over; `service-worker.js` expects it.
const TAKE_OVER: &str = "take over";

/// Returns a signal with the waiting service worker, if there is one. Called once.
pub fn watch() -> RwSignal<Option<ServiceWorker>, LocalStorage> {
    let waiting = RwSignal::new_local(None);
    // Delayed so that caching the whole app does not slow down the first page.
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

/// Returns the service worker container, which browsers have only on secure origins.
fn container() -> Option<ServiceWorkerContainer> {
    let navigator = window().navigator();
    let there = js_sys::Reflect::has(&navigator, &JsValue::from_str("serviceWorker"));
    there.unwrap_or(false).then(|| navigator.service_worker())
}

/// Registers the service worker, and sets `waiting` when a new version has been installed.
async fn register(
    container: ServiceWorkerContainer,
    waiting: RwSignal<Option<ServiceWorker>, LocalStorage>,
) {
    // If registration fails, the app works, but not offline.
    let Ok(registration) = JsFuture::from(container.register(SERVICE_WORKER)).await else {
        return;
    };
    let Ok(registration) = registration.dyn_into::<ServiceWorkerRegistration>() else { return };
    // The first version ever installed takes over without waiting.
    if container.controller().is_some() {
        waiting.set(registration.waiting());
    }
    let on_update_found = Closure::<dyn Fn()>::new({
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
    registration.set_onupdatefound(Some(on_update_found.as_ref().unchecked_ref()));
    on_update_found.forget();
}

/// Lets the new version take over and reloads the page.
fn use_now(worker: &ServiceWorker) {
    let Some(container) = container() else { return };
    let reload = Closure::<dyn Fn()>::new(|| {
        // Games are saved after every move, so that nothing is lost.
        let _ = window().location().reload();
    });
    container.set_oncontrollerchange(Some(reload.as_ref().unchecked_ref()));
    reload.forget();
    // Posting a string does not fail.
    let _ = worker.post_message(&JsValue::from_str(TAKE_OVER));
}

/// Offers the update, except on pages with a running game, where it would cover the board.
#[component]
pub fn UpdateOffer(
    /// The waiting service worker.
    waiting: RwSignal<Option<ServiceWorker>, LocalStorage>,
) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let offered = move || {
        waiting.with(Option::is_some)
            && !matches!(
                navigation.page(),
                Page::Computer
                    | Page::Hotseat
                    | Page::TowerComputer
                    | Page::TowerHotseat
                    | Page::Game
                    | Page::Puzzle
            )
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

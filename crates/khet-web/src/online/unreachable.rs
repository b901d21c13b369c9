//! Data that a page requests from the server, and the notice while the server cannot be reached.

use std::future::Future;

use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::socket::retry_delay;
use crate::api::RequestError;
use crate::browser::random::random_u32;
use crate::languages::use_words;
use crate::routing::{Page, use_navigation};

/// Number of doublings of the shortest delay with which retries start: about two seconds.
const FIRST_ATTEMPT: u32 = 3;

/// A response that is requested until the server answers.
pub(super) struct Loader<T: Send + Sync + 'static> {
    response: RwSignal<Option<Result<T, RequestError>>>,
    request: Callback<()>,
}

impl<T: Send + Sync> Clone for Loader<T> {
    fn clone(&self) -> Loader<T> {
        *self
    }
}

impl<T: Send + Sync> Copy for Loader<T> {}

impl<T: Clone + Send + Sync + 'static> Loader<T> {
    /// Sends the first request.
    pub(super) fn new<F>(request: impl Fn() -> F + Send + Sync + 'static) -> Loader<T>
    where
        F: Future<Output = Result<T, RequestError>> + 'static,
    {
        let response = RwSignal::new(None::<Result<T, RequestError>>);
        let request = Callback::new(move |()| {
            let request = request();
            spawn_local(async move {
                let result = request.await;
                // While the server is unreachable, the last response stays.
                let stays = response.try_with_untracked(|last| {
                    matches!((&result, last), (Err(RequestError::Unreachable), Some(Ok(_))))
                });
                if stays == Some(false) {
                    response.set(Some(result));
                }
            });
        });
        request.run(());
        Loader { response, request }
    }

    /// Requests the data again.
    pub(super) fn reload(self) {
        self.request.run(());
    }

    /// Reads the response of the server, if it has sent one.
    pub(super) fn with<R>(self, read: impl FnOnce(&T) -> R) -> Option<R> {
        self.response.with(|response| Some(read(response.as_ref()?.as_ref().ok()?)))
    }

    /// Shows the first response of the server, or that the server cannot be reached. What changes
    /// with later responses is read by [`Loader::with`].
    pub(super) fn view(
        self,
        show: impl Fn(Result<T, RequestError>) -> AnyView + Send + Sync + 'static,
    ) -> impl IntoView {
        let status = Memo::new(move |_| self.response.with(Status::of));
        move || match status.get() {
            Status::Loading => view! { <Loading/> }.into_any(),
            Status::Unreachable => {
                retry_automatically(self.request);
                view! { <UnreachableNotice retry=self.request/> }.into_any()
            }
            Status::Answered | Status::Refused => match self.response.get_untracked() {
                Some(result) => show(result),
                None => ().into_any(),
            },
        }
    }
}

/// The state of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Status {
    Loading,
    Unreachable,
    Refused,
    Answered,
}

impl Status {
    fn of<T>(response: &Option<Result<T, RequestError>>) -> Status {
        match response {
            None => Status::Loading,
            Some(Err(RequestError::Unreachable)) => Status::Unreachable,
            Some(Err(RequestError::Refused(_))) => Status::Refused,
            Some(Ok(_)) => Status::Answered,
        }
    }
}

/// Retries after growing delays, and as soon as the network is back, until the caller is disposed.
pub(super) fn retry_automatically(retry: Callback<()>) {
    let timer = StoredValue::new(None::<TimeoutHandle>);
    schedule(retry, timer, FIRST_ATTEMPT);
    let online = window_event_listener_untyped("online", move |_| retry.run(()));
    on_cleanup(move || {
        online.remove();
        if let Some(timer) = timer.try_get_value().flatten() {
            timer.clear();
        }
    });
}

/// Sets the timer for the next attempt, and so on.
fn schedule(retry: Callback<()>, timer: StoredValue<Option<TimeoutHandle>>, attempts: u32) {
    let next = move || {
        retry.run(());
        schedule(retry, timer, attempts + 1);
    };
    let handle = set_timeout_with_handle(next, retry_delay(attempts, random_u32()));
    let _ = timer.try_set_value(handle.ok());
}

/// A text that appears only if loading takes long enough to be noticed.
#[component]
pub(super) fn Loading() -> impl IntoView {
    view! { <p class="loading" role="status">{use_words().online_loading()}</p> }
}

/// Says that the server cannot be reached, with a button to try again and one that works offline.
#[component]
pub(super) fn UnreachableNotice(retry: Callback<()>) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    view! {
        <section class="unreachable" data-state="unreachable">
            <div role="alert">
                <h2>{words.online_unreachable_title()}</h2>
                <p>{words.online_unreachable_about()}</p>
            </div>
            <div class="list-actions">
                <button type="button" class="button primary" data-action="retry"
                    on:click=move |_| retry.run(())>{words.online_retry()}</button>
                <a class="button" href=navigation.path(Page::Computer)>
                    {words.online_play_offline()}
                </a>
            </div>
        </section>
    }
}

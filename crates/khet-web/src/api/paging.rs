//! Lists that load from the server page by page.

use std::future::Future;

use leptos::prelude::*;
use leptos::task::spawn_local;

/// A list with the items loaded so far.
pub(crate) struct Paged<T: 'static, C: 'static> {
    /// The loaded items.
    pub(crate) items: RwSignal<Vec<T>>,
    /// The cursor of the next page, if there is one.
    next: RwSignal<Option<C>>,
    /// The message for an empty list or a failed request.
    pub(crate) message: RwSignal<String>,
    load: Callback<Option<C>>,
}

impl<T, C> Clone for Paged<T, C> {
    fn clone(&self) -> Paged<T, C> {
        *self
    }
}

impl<T, C> Copy for Paged<T, C> {}

impl<T, C> Paged<T, C>
where
    T: Send + Sync + 'static,
    C: Copy + Send + Sync + 'static,
{
    /// Creates the list and requests its first page. `load` returns the page after a cursor and the
    /// cursor of the next page, or an error message. `none` is shown if the list is empty.
    pub(crate) fn new<A>(
        none: &'static str,
        load: impl Fn(Option<C>) -> A + Send + Sync + 'static,
    ) -> Paged<T, C>
    where
        A: Future<Output = Result<(Vec<T>, Option<C>), String>> + 'static,
    {
        let items = RwSignal::new(Vec::new());
        let next = RwSignal::new(None);
        let message = RwSignal::new(String::new());
        let load = Callback::new(move |after: Option<C>| {
            let response = load(after);
            spawn_local(async move {
                // The component may have been removed by then.
                match response.await {
                    Ok((more, next_cursor)) => {
                        let nothing = more.is_empty() && after.is_none();
                        let _ = message.try_set(if nothing { none } else { "" }.to_owned());
                        let _ = next.try_set(next_cursor);
                        items.try_update(|items| items.extend(more));
                    }
                    Err(why) => drop(message.try_set(why)),
                }
            });
        });
        load.run(None);
        Paged { items, next, message, load }
    }

    /// Requests the first page again, after its request has failed.
    pub(crate) fn retry(self) {
        self.load.run(None);
    }

    /// The button that loads the next page, if there is one.
    pub(crate) fn more(self, name: &'static str, label: &'static str) -> impl IntoView {
        move || {
            self.next.get().map(|after| {
                view! {
                    <button type="button" class="button" data-action=name
                        on:click=move |_| self.load.run(Some(after))>{label}</button>
                }
            })
        }
    }
}

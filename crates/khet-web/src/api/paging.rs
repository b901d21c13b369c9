//! Lists that come from the server a page at a time.

use std::future::Future;

use leptos::prelude::*;
use leptos::task::spawn_local;

/// What has come so far.
pub(crate) struct Paged<T: 'static, C: 'static> {
    /// Everything that is listed.
    pub(crate) items: RwSignal<Vec<T>>,
    /// Where the next page begins, if there is one.
    next: RwSignal<Option<C>>,
    /// Why there is nothing, or nothing more.
    pub(crate) told: RwSignal<String>,
    ask: Callback<Option<C>>,
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
    /// Asks for the first page. `ask` gives the items of the page behind a place and where the next one begins, or says why
    /// not; `none` is told when there is nothing at all.
    pub(crate) fn new<A>(
        none: &'static str,
        ask: impl Fn(Option<C>) -> A + Send + Sync + 'static,
    ) -> Paged<T, C>
    where
        A: Future<Output = Result<(Vec<T>, Option<C>), String>> + 'static,
    {
        let items = RwSignal::new(Vec::new());
        let next = RwSignal::new(None);
        let told = RwSignal::new(String::new());
        let ask = Callback::new(move |after: Option<C>| {
            let answer = ask(after);
            spawn_local(async move {
                // The page may be gone by then.
                match answer.await {
                    Ok((more, after_it)) => {
                        let nothing = more.is_empty() && after.is_none();
                        let _ = told.try_set(if nothing { none } else { "" }.to_owned());
                        let _ = next.try_set(after_it);
                        items.try_update(|items| items.extend(more));
                    }
                    Err(why) => drop(told.try_set(why)),
                }
            });
        });
        ask.run(None);
        Paged { items, next, told, ask }
    }

    /// The button for more, as long as there is more.
    pub(crate) fn more(self, name: &'static str, label: &'static str) -> impl IntoView {
        move || {
            self.next.get().map(|after| {
                view! {
                    <button type="button" class="button" data-action=name
                        on:click=move |_| self.ask.run(Some(after))>{label}</button>
                }
            })
        }
    }
}

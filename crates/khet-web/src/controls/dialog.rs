//! A dialog: the browser's own, open_dialog keeps the focus in and gives it back.

use leptos::html;
use leptos::prelude::*;

/// A dialog with a title. Escape, the close button and a press beside it close it.
#[component]
pub(crate) fn Dialog(
    /// Whether it is shown.
    #[prop(into)]
    open: Signal<bool>,
    /// It was closed.
    #[prop(into)]
    on_close: Callback<()>,
    /// A name for tests and styles.
    name: &'static str,
    /// What it is about.
    #[prop(into)]
    title: Signal<String>,
    /// The label of the close button.
    close: &'static str,
    /// What is in it; built when it opens.
    children: ChildrenFn,
) -> impl IntoView {
    let element = NodeRef::<html::Dialog>::new();
    Effect::new(move |_| {
        let Some(dialog) = element.get() else { return };
        if !open.get() {
            dialog.close();
        } else if !dialog.open() {
            // It fails only for a dialog that is open or not in the page.
            let _ = dialog.show_modal();
        }
    });
    let beside = move |event: leptos::ev::MouseEvent| {
        // What is inside has a child of the dialog as its target.
        let target = event.target();
        if target.is_some() && target.as_ref() == event.current_target().as_ref() {
            on_close.run(());
        }
    };
    let id = format!("dialog-{name}");
    let label = id.clone();
    view! {
        <dialog
            class="dialog"
            data-dialog=name
            aria-labelledby=label
            node_ref=element
            on:close=move |_| on_close.run(())
            on:click=beside
        >
            <Show when=move || open.get()>
                <div class="dialog-content">
                    <header>
                        <h2 id=id.clone()>{move || title.get()}</h2>
                        <button
                            type="button"
                            class="icon-button"
                            aria-label=close
                            on:click=move |_| on_close.run(())
                        >
                            <svg viewBox="0 0 24 24" aria-hidden="true">
                                <path d="M6 6 18 18M18 6 6 18"></path>
                            </svg>
                        </button>
                    </header>
                    {children()}
                </div>
            </Show>
        </dialog>
    }
}

/// One of several dialogs of open_dialog at most one is open: the one that `open_dialog` names.
#[component]
pub(crate) fn DialogOf<T>(
    open_dialog: RwSignal<Option<T>>,
    /// What names this one.
    dialog: T,
    /// A name for tests and styles.
    name: &'static str,
    /// What it is about.
    #[prop(into)]
    title: Signal<String>,
    /// The label of the close button.
    close: &'static str,
    /// What is in it; built when it opens.
    children: ChildrenFn,
) -> impl IntoView
where
    T: Copy + PartialEq + Send + Sync + 'static,
{
    let is_open = move || open_dialog.get() == Some(dialog);
    // A dialog tells late that it was closed; another may be open by then.
    let closed = move |()| {
        if open_dialog.get_untracked() == Some(dialog) {
            open_dialog.set(None);
        }
    };
    view! {
        <Dialog open=Signal::derive(is_open) on_close=Callback::new(closed) name title close>
            {children()}
        </Dialog>
    }
}

/// To do it, or not.
pub(crate) fn decision(
    yes: &'static str,
    no: &'static str,
    act: impl Fn() + 'static,
    cancel: impl Fn() + 'static,
) -> impl IntoView {
    view! {
        <div class="dialog-actions">
            <button type="button" class="button primary" data-action="confirm" on:click=move |_| act()>{yes}</button>
            <button type="button" class="button" data-action="cancel" on:click=move |_| cancel()>{no}</button>
        </div>
    }
}

//! Modal dialogs, based on `<dialog>`, which keeps the focus inside and restores it afterwards.

use leptos::html;
use leptos::prelude::*;

/// A dialog with a title. Escape, the close button and a click on the backdrop close it.
#[component]
pub(crate) fn Dialog(
    /// True if the dialog is open.
    #[prop(into)]
    open: Signal<bool>,
    /// Called when the dialog was closed.
    #[prop(into)]
    on_close: Callback<()>,
    /// A name for tests and style sheets.
    name: &'static str,
    /// The title.
    #[prop(into)]
    title: Signal<String>,
    /// The label of the close button.
    close: &'static str,
    /// True for a question about the game, which leaves the board visible.
    #[prop(optional)]
    beside_board: bool,
    /// The content, built when the dialog opens.
    children: ChildrenFn,
) -> impl IntoView {
    let element = NodeRef::<html::Dialog>::new();
    Effect::new(move |_| {
        let Some(dialog) = element.get() else { return };
        if !open.get() {
            dialog.close();
        } else if !dialog.open() {
            // Fails only if the dialog is open already or not in the document.
            let _ = dialog.show_modal();
        }
    });
    let on_backdrop_click = move |event: leptos::ev::MouseEvent| {
        // A click on the content has a child of the dialog as its target.
        let target = event.target();
        if target.is_some() && target.as_ref() == event.current_target().as_ref() {
            on_close.run(());
        }
    };
    let id = format!("dialog-{name}");
    let label = id.clone();
    view! {
        <dialog
            class=if beside_board { "dialog beside-board" } else { "dialog" }
            data-dialog=name
            aria-labelledby=label
            node_ref=element
            on:close=move |_| on_close.run(())
            on:click=on_backdrop_click
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

/// One of several dialogs of which at most one is open, named by `open_dialog`.
#[component]
pub(crate) fn DialogOf<T>(
    open_dialog: RwSignal<Option<T>>,
    /// The value of `open_dialog` that opens this dialog.
    dialog: T,
    /// A name for tests and style sheets.
    name: &'static str,
    /// The title.
    #[prop(into)]
    title: Signal<String>,
    /// The label of the close button.
    close: &'static str,
    /// True for a question about the game, which leaves the board visible.
    #[prop(optional)]
    beside_board: bool,
    /// The content, built when the dialog opens.
    children: ChildrenFn,
) -> impl IntoView
where
    T: Copy + PartialEq + Send + Sync + 'static,
{
    let is_open = move || open_dialog.get() == Some(dialog);
    // The close event is asynchronous: another dialog may be open by then.
    let closed = move |()| {
        if open_dialog.get_untracked() == Some(dialog) {
            open_dialog.set(None);
        }
    };
    view! {
        <Dialog open=Signal::derive(is_open) on_close=Callback::new(closed) name title close beside_board>
            {children()}
        </Dialog>
    }
}

/// A pair of buttons: confirm and cancel.
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

//! A dialog: the browser's own, which keeps the focus in and gives it back.

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

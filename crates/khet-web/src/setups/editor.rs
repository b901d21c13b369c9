//! The page on which a setup is made.

mod advice;
mod boxes;
mod onward;
mod picture_file;
mod publish;
mod share;
mod start;
mod state;
mod tools;

use leptos::prelude::*;

use self::advice::Advice;
use self::boxes::Boxes;
use self::onward::Onward;
pub(crate) use self::onward::PlayWays;
use self::share::Share;
use self::start::StartFields;
use self::state::Editor;
use self::tools::Tools;
use crate::board::{EditingBoard, PiecePicture};
use crate::languages::use_words;

/// Making a setup.
#[component]
pub(crate) fn EditorPage() -> impl IntoView {
    let words = use_words();
    let editor = Editor::new();
    editor.keep();
    let placement = Memo::new(move |_| editor.stand.get().placement);
    let marks = Memo::new(move |_| editor.findings.with(|findings| findings.marks()));
    view! {
        <div
            class="editor"
            data-hand=move || editor.hand_name()
            on:pointerdown=move |event| editor.pressed(&event)
            on:pointermove=move |event| editor.moved(&event)
            on:pointerup=move |event| editor.released(&event)
            on:pointercancel=move |_| editor.interrupted()
            on:keydown=move |event| editor.key(&event)
        >
            <h1 class="visually-hidden">{words.editor_title()}</h1>
            <div class="editor-board">
                <div class="editor-fit" on:wheel=move |event| editor.wheeled(&event)>
                    <EditingBoard
                        placement=placement
                        picked=Signal::derive(move || editor.picked())
                        dragged=Signal::derive(move || editor.drag.with(Option::is_some))
                        holding=Signal::derive(move || editor.holds_new())
                        marks=marks
                        cursor=editor.cursor
                        root=editor.root
                        on_rotate=Callback::new(move |rotation| editor.rotation(rotation))
                    />
                </div>
            </div>
            <div class="editor-panel">
                <Boxes editor/>
                <Tools editor/>
                <div class="editor-more">
                    <Advice editor/>
                    <Onward editor/>
                    <StartFields editor/>
                    <Share editor/>
                </div>
            </div>
            <p class="visually-hidden" role="status" data-voice="">{move || editor.voice.get()}</p>
            {move || editor.drag.get().map(|drag| view! {
                <div
                    class="editor-ghost"
                    aria-hidden="true"
                    style:inline-size=format!("{}px", drag.size)
                    style:transform=move || editor.drag_at()
                >
                    <PiecePicture piece=drag.piece/>
                </div>
            })}
        </div>
    }
}

//! The editor page.

mod check_panel;
mod engine_check;
mod picture_file;
mod piece_boxes;
mod publish_dialog;
mod setup_actions;
mod share_panel;
mod start_fields;
mod state;
mod toolbar;

use leptos::prelude::*;

use self::check_panel::CheckPanel;
use self::piece_boxes::PieceBoxes;
pub(crate) use self::setup_actions::PlayButtons;
use self::setup_actions::SetupActions;
use self::share_panel::SharePanel;
use self::start_fields::StartFields;
use self::state::Editor;
use self::toolbar::Toolbar;
use crate::board::{EditingBoard, EditingScene, PiecePicture};
use crate::languages::use_words;

/// The page on which a setup is edited.
#[component]
pub(crate) fn EditorPage() -> impl IntoView {
    let words = use_words();
    let editor = Editor::new();
    editor.persist();
    let placement = Memo::new(move |_| editor.setup.get().placement);
    let marks = Memo::new(move |_| editor.check.with(|check| check.marks()));
    let scene = EditingScene {
        placement: placement.into(),
        picked: Signal::derive(move || editor.selected_square()),
        dragged: Signal::derive(move || editor.drag.with(Option::is_some)),
        holding: Signal::derive(move || editor.has_box_piece()),
        marks: marks.into(),
        cursor: editor.cursor,
        level: editor.level.into(),
    };
    view! {
        <div
            class="editor"
            data-selection=move || editor.selection_name()
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
                        scene
                        root=editor.root
                        on_rotate=Callback::new(move |rotation| editor.rotate(rotation))
                    />
                </div>
            </div>
            <div class="editor-panel">
                <PieceBoxes editor/>
                <Toolbar editor/>
                <div class="editor-sections">
                    <CheckPanel editor/>
                    <SetupActions editor/>
                    <StartFields editor/>
                    <SharePanel editor/>
                </div>
            </div>
            <p class="visually-hidden" role="status"
                data-announcement="">{move || editor.announcement.get()}</p>
            {move || editor.drag.get().map(|drag| view! {
                <div
                    class="editor-ghost"
                    aria-hidden="true"
                    style:inline-size=format!("{}px", drag.size)
                    style:transform=move || editor.drag_transform()
                >
                    <PiecePicture piece=drag.piece/>
                </div>
            })}
        </div>
    }
}

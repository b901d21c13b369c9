//! The piece boxes of both sides: one button per role, with the number of pieces left.

use khet::{Color, PieceBox, Role};
use leptos::prelude::*;

use super::super::editor_action::EditorSelection;
use super::state::{Editor, box_piece_name};
use crate::board::{BoardDescriber, Orientation, PiecePicture, capital};
use crate::controls::fields;

/// The boxes of both sides.
#[component]
pub(super) fn PieceBoxes(editor: Editor) -> impl IntoView {
    let words = editor.words;
    let choices = PieceBox::ALL.map(|piece_box| {
        let (value, name) = match piece_box {
            PieceBox::Standard => ("standard", words.play_group_standard()),
            PieceBox::Khet2 => ("khet2", words.play_group_khet2()),
        };
        let chosen = move || editor.piece_box.get() == piece_box;
        let choose = move || editor.piece_box.set(piece_box);
        fields::choice("box", value, name, || false, chosen, choose)
    });
    let rows = move || {
        let roles = editor.piece_box.get().roles();
        Color::ALL.map(|color| {
            let name = match color {
                Color::Silver => words.editor_box_silver(),
                Color::Red => words.editor_box_red(),
            };
            let pieces = roles.iter().map(|&role| piece_button(editor, color, role));
            view! {
                <div class="box-row" role="group" aria-label=name data-color=color.to_string()>
                    {pieces.collect_view()}
                </div>
            }
        })
    };
    view! {
        <section class="boxes" aria-label=words.editor_boxes()>
            <fieldset class="choice box-choice">
                <legend class="visually-hidden">{words.editor_which_box()}</legend>
                {choices.into_iter().collect_view()}
            </fieldset>
            {move || rows().into_iter().collect_view()}
        </section>
    }
}

fn piece_button(editor: Editor, color: Color, role: Role) -> impl IntoView {
    let words = editor.words;
    let left = Memo::new(move |_| editor.draft.with(|draft| draft.left_in_box(color, role)));
    let piece = Memo::new(move |_| editor.box_piece(color, role));
    let label = move || {
        let describer =
            BoardDescriber { words, orientation: Orientation::new(Color::Silver), you: None };
        let name = capital(&describer.piece(piece.get()));
        words.editor_pieces_left(name, left.get() as usize)
    };
    let selected = move || {
        let selected = matches!(
            editor.selection.get(),
            EditorSelection::BoxPiece(piece) if piece.color() == color && piece.role() == role
        );
        if selected { "true" } else { "false" }
    };
    view! {
        <button
            type="button"
            class="box-piece"
            class:box-empty=move || left.get() == 0
            data-box-piece=box_piece_name(color, role)
            aria-label=label
            aria-pressed=selected
            title=move || words.editor_piece_key(role.letter())
            on:click=move |_| editor.toggle_box_piece(color, role)
        >
            {move || view! { <PiecePicture piece=piece.get()/> }}
            <span class="box-count" aria-hidden="true">{move || left.get()}</span>
        </button>
    }
}

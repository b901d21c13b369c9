//! The boxes beside the board: a piece of each kind for both sides, and how many are left.

use khet::{Color, PieceBox, Role};
use leptos::prelude::*;

use super::super::hand::Hand;
use super::state::{Editor, take_name};
use crate::board::{PiecePicture, Seat, Speaker, capital};
use crate::controls::fields;

/// The boxes of both sides.
#[component]
pub(super) fn Boxes(editor: Editor) -> impl IntoView {
    let words = editor.words;
    let choices = PieceBox::ALL.map(|pieces| {
        let (value, name) = match pieces {
            PieceBox::Standard => ("standard", words.play_group_standard()),
            PieceBox::Khet2 => ("khet2", words.play_group_khet2()),
        };
        let chosen = move || editor.pieces.get() == pieces;
        let choose = move || editor.pieces.set(pieces);
        fields::choice("box", value, name, || false, chosen, choose)
    });
    let rows = move || {
        let roles = editor.pieces.get().roles();
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
    let left = Memo::new(move |_| editor.draft.with(|draft| draft.left(color, role)));
    let piece = Memo::new(move |_| editor.of_box(color, role));
    let label = move || {
        let speaker = Speaker { words, seat: Seat::new(Color::Silver), you: None };
        let name = capital(&speaker.piece(piece.get()));
        words.editor_pieces_left(name, left.get() as usize)
    };
    let held = move || {
        let held = matches!(editor.hand.get(), Hand::New(held) if held.color() == color && held.role() == role);
        if held { "true" } else { "false" }
    };
    view! {
        <button
            type="button"
            class="box-piece"
            class:none-left=move || left.get() == 0
            data-take=take_name(color, role)
            aria-label=label
            aria-pressed=held
            title=move || words.editor_piece_key(role.letter())
            on:click=move |_| editor.take(color, role)
        >
            {move || view! { <PiecePicture piece=piece.get()/> }}
            <span class="box-left" aria-hidden="true">{move || left.get()}</span>
        </button>
    }
}

//! Moves typed in notation: a field for under the board.

use khet::{Move, Square};
use leptos::prelude::*;

use super::acting::Choices;
use super::scene::Scene;
use crate::languages::use_words;

/// Why a text is none of the moves that may be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Misread {
    /// It is not written like a move.
    NotAMove,
    /// No piece on that square may act.
    NothingOn(Square),
    /// It is a move, but not now.
    NotNow(Move),
}

/// Reads one of the moves that may be made. Upper case, spaces and what a shot did (`xg3`) are forgiven.
pub(crate) fn read(text: &str, choices: Choices<'_>) -> Result<Move, Misread> {
    let text = text.trim().to_ascii_lowercase();
    // Everything behind the move tells what the shot did.
    let text = text.split_once(" x").map_or(text.as_str(), |(mv, _)| mv);
    let text: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    let mv: Move = text.parse().map_err(|_| Misread::NotAMove)?;
    if !choices.can_act(mv.from()) {
        return Err(Misread::NothingOn(mv.from()));
    }
    let listed = match mv {
        Move::Rotate { square, rotation } => choices.rotation(square, rotation),
        _ => choices.moves.contains(&mv).then_some(mv),
    };
    listed.ok_or(Misread::NotNow(mv))
}

/// A text field for moves in notation. It says what is wrong with a text that is no move now.
#[component]
pub fn MoveField(
    /// What the board shows.
    #[prop(into)]
    scene: Signal<Scene>,
    /// A move was typed: it is final.
    #[prop(into)]
    on_move: Callback<Move>,
) -> impl IntoView {
    let words = use_words();
    let text = RwSignal::new(String::new());
    let message = RwSignal::new(String::new());
    let play = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        if text.with_untracked(|text| text.trim().is_empty()) {
            return;
        }
        let mv = scene.with_untracked(|scene| {
            let choices = Choices { position: &scene.position, moves: &scene.moves };
            read(&text.get_untracked(), choices)
        });
        match mv {
            Ok(mv) => {
                text.set(String::new());
                message.set(String::new());
                on_move.run(mv);
            }
            Err(Misread::NotAMove) => message.set(words.board_move_unreadable().to_string()),
            Err(Misread::NothingOn(square)) => message.set(words.board_move_no_piece(square)),
            Err(Misread::NotNow(mv)) => message.set(words.board_move_illegal(mv)),
        }
    };
    view! {
        <form class="move-field" on:submit=play>
            <input
                type="text"
                class="move-text"
                aria-label=words.board_move_field()
                placeholder=words.board_move_field_example()
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
                maxlength="16"
                prop:value=text
                on:input=move |event| {
                    text.set(event_target_value(&event));
                    message.set(String::new());
                }
            />
            <button type="submit" class="move-play" disabled=move || scene.with(|scene| scene.moves.is_empty())>
                {words.board_move_field_play()}
            </button>
            <p class="move-message" role="status">{message}</p>
        </form>
    }
}

#[cfg(test)]
mod tests {
    use khet::Setup;

    use super::*;

    fn typed(text: &str) -> Result<String, Misread> {
        let position = Setup::Classic.position();
        let moves = position.legal_moves();
        read(text, Choices { position: &position, moves: &moves }).map(|mv| mv.to_string())
    }

    #[test]
    fn moves_are_read_as_people_write_them() {
        for (text, mv) in [
            ("h2g2", "h2g2"),
            (" H2 G2 ", "h2g2"),
            ("h2+", "h2+"),
            ("e4-", "e4+"),
            ("d1^d2", "d1^d2"),
            ("h2+ xg3", "h2+"),
        ] {
            assert_eq!(typed(text).as_deref(), Ok(mv), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_told() {
        assert_eq!(typed("pawn"), Err(Misread::NotAMove));
        assert_eq!(typed(""), Err(Misread::NotAMove));
        assert_eq!(typed("é2+"), Err(Misread::NotAMove));
        assert_eq!(typed("e5+"), Err(Misread::NothingOn(Square::E5)));
        let far = Move::Step { from: Square::H2, to: Square::H4 };
        assert_eq!(typed("h2h4"), Err(Misread::NotNow(far)));
    }
}

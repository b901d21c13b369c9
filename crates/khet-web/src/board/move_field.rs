//! A text field for moves in notation, shown under the board.

use khet::GamePosition;
use leptos::prelude::*;

use super::move_input::AllowedMoves;
use super::scene::Scene;
use crate::browser::focus::focus_board;
use crate::languages::{Words, use_words};
use crate::rules::{Move, Square};

/// The reason why a text is not an allowed move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum MoveTextError {
    /// The text is not the notation of a move.
    NotAMove,
    /// No piece on that square has a move.
    NoPiece(Square),
    /// The move is not allowed now.
    Illegal(Move),
}

/// Parses one of the allowed moves. Ignores case, spaces and the notation of hits (`xg3`). With a
/// tower, capital letters are squares of the upper level if a piece there can move.
pub(crate) fn parse_move(text: &str, allowed: AllowedMoves<'_>) -> Result<Move, MoveTextError> {
    let lower_case = text.to_ascii_lowercase();
    if allowed.position.tower_column().is_none() {
        return parse_exactly(&lower_case, allowed);
    }
    let of_tower = lower_case.trim().replacen('t', "T", 1);
    let ground =
        || parse_exactly(&lower_case, allowed).or_else(|_| parse_exactly(&of_tower, allowed));
    match parse_exactly(text, allowed) {
        // Not another piece than the one that was named.
        Err(error @ MoveTextError::Illegal(_)) => Err(error),
        parsed => parsed.or_else(|error| ground().map_err(|_| error)),
    }
}

/// Parses one of the allowed moves. Ignores spaces and hits.
fn parse_exactly(text: &str, allowed: AllowedMoves<'_>) -> Result<Move, MoveTextError> {
    let text = text.trim();
    // The text after the move lists the hits.
    let text = text.split_once(" x").map_or(text, |(mv, _)| mv);
    let text: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    let mv: Move = text.parse().map_err(|_| MoveTextError::NotAMove)?;
    if let Some([from, _]) = mv.squares().filter(|[from, _]| !allowed.has_move(*from)) {
        return Err(MoveTextError::NoPiece(from));
    }
    let allowed_move = match mv {
        Move::Rotate { square, rotation } => allowed.rotation(square, rotation),
        _ => allowed.moves.contains(&mv).then_some(mv),
    };
    allowed_move.ok_or(MoveTextError::Illegal(mv))
}

/// Returns whether the position of a scene has a tower.
fn has_tower(scene: Signal<Scene>) -> bool {
    scene.with(|scene| scene.position.tower_column().is_some())
}

/// Returns examples of moves, and the message for a text that is not a move.
fn texts(words: Words, has_tower: bool) -> [&'static str; 2] {
    if has_tower {
        return [words.tower_move_field_example(), words.tower_move_unreadable()];
    }
    [words.board_move_field_example(), words.board_move_unreadable()]
}

/// A text field for moves in notation, with a message for texts that are not an allowed move.
#[component]
pub fn MoveField(
    /// The scene of the board.
    #[prop(into)]
    scene: Signal<Scene>,
    /// Called with the move that was entered.
    #[prop(into)]
    on_move: Callback<Move>,
) -> impl IntoView {
    let words = use_words();
    let text = RwSignal::new(String::new());
    let message = RwSignal::new(String::new());
    // Another position means that the player has gone on.
    Effect::new(move |_| {
        scene.track();
        message.set(String::new());
    });
    let play = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        if text.with_untracked(|text| text.trim().is_empty()) {
            return;
        }
        let mv = scene.with_untracked(|scene| {
            let allowed = AllowedMoves { position: &scene.position, moves: &scene.moves };
            parse_move(&text.get_untracked(), allowed)
        });
        match mv {
            Ok(mv) => {
                text.set(String::new());
                message.set(String::new());
                on_move.run(mv);
            }
            Err(MoveTextError::NotAMove) => {
                let [_, unreadable] = texts(words, has_tower(scene));
                message.set(unreadable.to_string());
            }
            Err(MoveTextError::NoPiece(square)) => message.set(words.board_move_no_piece(square)),
            Err(MoveTextError::Illegal(mv)) => message.set(words.board_move_illegal(mv)),
        }
    };
    view! {
        <form class="move-field" on:submit=play>
            <input
                type="text"
                class="move-text"
                aria-label=words.board_move_field()
                placeholder=move || texts(words, has_tower(scene))[0]
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
                maxlength="16"
                prop:value=text
                on:input=move |event| {
                    text.set(event_target_value(&event));
                    message.set(String::new());
                }
                on:keydown=move |event| if event.key() == "Escape" {
                    text.set(String::new());
                    message.set(String::new());
                    focus_board();
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
    use khet::{GamePosition, Setup};

    use super::*;
    use crate::rules::Position;

    fn parse(text: &str) -> Result<String, MoveTextError> {
        let position = Position::from(Setup::Classic.position());
        let moves = position.legal_moves();
        parse_move(text, AllowedMoves { position: &position, moves: &moves })
            .map(|mv| mv.to_string())
    }

    #[test]
    fn case_spaces_and_hits_are_ignored() {
        for (text, mv) in [
            ("h2g2", "h2g2"),
            (" H2 G2 ", "h2g2"),
            ("h2+", "h2+"),
            ("e4-", "e4+"),
            ("d1^d2", "d1^d2"),
            ("h2+ xg3", "h2+"),
        ] {
            assert_eq!(parse(text).as_deref(), Ok(mv), "{text}");
        }
    }

    #[test]
    fn errors_name_the_reason() {
        assert_eq!(parse("pawn"), Err(MoveTextError::NotAMove));
        assert_eq!(parse(""), Err(MoveTextError::NotAMove));
        assert_eq!(parse("é2+"), Err(MoveTextError::NotAMove));
        assert_eq!(parse("e5+"), Err(MoveTextError::NoPiece(khet::Square::E5.into())));
        let far = Move::Step { from: khet::Square::H2.into(), to: khet::Square::H4.into() };
        assert_eq!(parse("h2h4"), Err(MoveTextError::Illegal(far)));
    }

    #[cfg(feature = "tower")]
    #[test]
    fn capital_letters_are_squares_of_the_upper_level_if_that_is_a_move() {
        let position: Position =
            "4k5/10/10/2P17/10/10/10/4K5+e4:6/P15/6/6/6/6 s".parse().expect("a position");
        let moves = position.legal_moves();
        let parse = |text: &str| {
            let allowed = AllowedMoves { position: &position, moves: &moves };
            parse_move(text, allowed).map(|mv| mv.to_string())
        };
        for (text, mv) in [
            ("c5C5", "c5C5"),
            ("C6 C7", "C6C7"),
            ("C5C4", "c5c4"),
            ("C6c6", "C6c6"),
            ("Te5", "Te5"),
            ("td4", "Td4"),
            ("t+", "T+"),
            ("E1E2", "e1e2"),
        ] {
            assert_eq!(parse(text).as_deref(), Ok(mv), "{text}");
        }
        // C6 has a piece, so `c6` is not meant, wherever the move goes.
        for text in ["Ta1", "C6C4"] {
            assert_eq!(parse(text), Err(MoveTextError::Illegal(text.parse().expect("a move"))));
        }
    }
}

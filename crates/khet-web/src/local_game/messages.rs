//! The messages under the board of a local game, with the buttons that belong to them.

use khet::{Color, GamePosition};
use leptos::prelude::*;

use super::hint::HintReason;
use super::state::LocalGame;
use crate::board::hits_in_words;
use crate::game::finished_games;
use crate::game::session::GameSession;
use crate::languages::Words;
use crate::rules::Move;

/// The number of finished games up to which hits are also told in words, for people who do not know
/// yet why pieces disappear.
const EXPLAINED_GAMES: usize = 5;

/// Returns the sentence that explains a hint.
fn hint_sentence(words: Words, mv: Move, reason: HintReason) -> String {
    match reason {
        HintReason::Wins(square) => words.play_hint_wins(mv, square),
        HintReason::Hits(square) => words.play_hint_hits(mv, square),
        HintReason::Saves(square) => words.play_hint_saves(mv, square),
        HintReason::Quiet => words.play_hint_quiet(mv),
    }
}

/// Returns the note at the start of a rematch that the colours are exchanged, or an empty text.
fn rematch_note(game: LocalGame) -> &'static str {
    let words = game.words;
    let (you, plies) = game.revealed.with(|session| (session.you(), session.game().moves().len()));
    match you {
        // It stays during the computer's first move.
        _ if plies > 1 || !game.is_rematch.get() => "",
        Some(Color::Silver) => words.play_now_silver(),
        Some(Color::Red) => words.play_now_red(),
        None => words.play_colours_swapped(),
    }
}

/// Returns the hits since the person's last move in words, and in pass and play those of the last
/// shot. The result explains the last hit of a game.
fn latest_hits(session: &GameSession, words: Words) -> String {
    let ply = session.viewed_ply();
    let is_own_turn = session.you() == Some(session.position().side_to_move());
    let first = ply.saturating_sub(if is_own_turn { 2 } else { 1 });
    let shots = session.shots().take(ply).skip(first).filter(|_| session.outcome().is_none());
    let mut sentences = Vec::new();
    for shot in shots {
        sentences.push(hits_in_words(shot, session.you(), words));
        if session.you() == Some(shot.by)
            && shot.hits.iter().any(|hit| hit.piece.color() == shot.by)
        {
            sentences.push(words.play_own_laser().to_string());
        }
    }
    sentences.join(" ").trim().to_string()
}

/// The messages under the board, with the buttons that belong to them.
#[component]
pub(super) fn Messages(game: LocalGame, on_engine_restart: Option<Callback<()>>) -> impl IntoView {
    let words = game.words;
    let shows_earlier_ply =
        Memo::new(move |_| game.revealed.with(|session| !session.is_at_latest()));
    let paused = Memo::new(move |_| game.session.with(GameSession::is_paused));
    let message = Memo::new(move |_| match game.hint.get() {
        Some((mv, reason)) => hint_sentence(words, mv, reason),
        None if paused.get() => words.play_paused().to_string(),
        None if game.message.with(String::is_empty) => rematch_note(game).to_string(),
        None => game.message.get(),
    });
    let explains_hits = finished_games::count() < EXPLAINED_GAMES;
    let hits = Memo::new(move |_| {
        let is_shown = explains_hits && message.with(String::is_empty);
        is_shown.then(|| game.revealed.with(|session| latest_hits(session, words)))
    });
    let restart = move |_| {
        if let Some(on_engine_restart) = on_engine_restart {
            on_engine_restart.run(());
        }
    };
    view! {
        <div class="game-message">
            <p role="status" data-message="">{move || message.get()}</p>
            // The board announces the hits to screen readers.
            <p aria-hidden="true" data-hits="">{move || hits.get()}</p>
            <Show when=move || game.engine_failed.get()>
                <p>{words.play_engine_stopped()}</p>
                <button type="button" class="button" data-action="restart-engine" on:click=restart>
                    {words.play_engine_restart()}
                </button>
            </Show>
            <Show when=move || paused.get()>
                <button type="button" class="button primary" data-action="resume"
                    on:click=move |_| game.set_paused(false)>{words.play_resume()}</button>
            </Show>
            <Show when=move || shows_earlier_ply.get()>
                <button
                    type="button"
                    class="button"
                    data-action="latest-move"
                    on:click=move |_| game.show_ply(usize::MAX)
                >
                    {words.play_nav_current()}
                </button>
            </Show>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use khet::{Setup, TimeControl};

    use super::*;
    use crate::game::session::Mode;

    fn hits_after(mode: Mode, moves: &[&str]) -> String {
        let mut session = GameSession::new(Setup::Classic.position(), mode, TimeControl::Unlimited);
        for mv in moves {
            session.play(mv.parse().expect("a move"), Duration::ZERO).expect("legal");
        }
        latest_hits(&session, Words::default())
    }

    #[test]
    fn hits_are_told_until_the_person_has_moved_again() {
        let moves = ["h2+", "a5b5", "h2-", "b5a5"];
        let hit = "Red’s pyramid on a4 is removed.";
        let silver = Mode::Computer { level: 1, person: Color::Silver, practice: false };
        let told = [1, 2, 3].map(|plies| hits_after(silver, &moves[..plies]));
        assert_eq!(told, ["", hit, ""]);
        // Red has shot an own piece: the computer's reply must not hide it.
        let red = Mode::Computer { level: 1, person: Color::Red, practice: false };
        let told = [2, 3, 4].map(|plies| hits_after(red, &moves[..plies]));
        let own_hit = "Your pyramid on a4 is removed. That was your own laser.";
        assert_eq!(told, [own_hit, own_hit, ""]);
        let hotseat = Mode::Hotseat { flips_board: false, pauses_when_hidden: false };
        let told = [1, 2, 3].map(|plies| hits_after(hotseat, &moves[..plies]));
        assert_eq!(told, ["", hit, ""]);
    }
}

//! The result of a game: its texts, and the card beside or below the board.

use khet::{Color, GameResult, Outcome, Termination};
use leptos::prelude::*;

use crate::game::session::GameSession;
use crate::languages::Words;

/// The texts for the result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ResultText {
    /// The result as game records write it.
    result: GameResult,
    headline: &'static str,
    sentence: &'static str,
}

impl ResultText {
    /// Returns the texts for a session, if its game has ended.
    pub(crate) fn of_session(words: Words, session: &GameSession) -> Option<ResultText> {
        let outcome = session.outcome()?;
        Some(ResultText {
            result: outcome.result(),
            headline: headline(words, outcome, session.you()),
            sentence: sentence(words, outcome, session.last_shot_by()),
        })
    }

    /// Returns who won, for people in a list of games.
    pub(crate) fn headline(self) -> &'static str {
        self.headline
    }
}

/// Returns the headline of a result: personal for one person at this device, whose side is `you`.
fn headline(words: Words, outcome: Outcome, you: Option<Color>) -> &'static str {
    match outcome.winner {
        Some(winner) if you == Some(winner) => words.play_you_win(),
        Some(_) if you.is_some() => words.play_you_lost(),
        Some(Color::Silver) => words.play_silver_wins(),
        Some(Color::Red) => words.play_red_wins(),
        None if outcome.is_aborted() => words.game_no_result(),
        None => words.play_drawn(),
    }
}

/// Returns the sentence that explains a result.
fn sentence(words: Words, outcome: Outcome, last_shot_by: Option<Color>) -> &'static str {
    use Color::{Red, Silver};
    match (outcome.termination, outcome.winner) {
        (Termination::PharaohHit, None) => words.play_both_hit(),
        (Termination::PharaohHit, Some(winner)) => match (last_shot_by, winner) {
            (Some(Silver), Silver) => words.play_silver_hits_red(),
            (Some(Red), Red) => words.play_red_hits_silver(),
            (Some(Silver), Red) => words.play_silver_hits_itself(),
            (Some(Red), Silver) => words.play_red_hits_itself(),
            (None, _) => words.play_result_recorded(),
        },
        (Termination::NoLegalMove, Some(Silver)) => words.play_red_has_no_move(),
        (Termination::NoLegalMove, _) => words.play_silver_has_no_move(),
        (Termination::Resignation, Some(Silver)) => words.play_red_resigns(),
        (Termination::Resignation, _) => words.play_silver_resigns(),
        (Termination::Time, Some(Silver)) => words.play_red_time_is_up(),
        (Termination::Time, _) => words.play_silver_time_is_up(),
        (Termination::Repetition, _) => words.play_repetition_claimed(),
        (Termination::Agreement, _) => words.play_draw_agreed(),
        (Termination::Abandonment, Some(Silver)) => words.game_red_left(),
        (Termination::Abandonment, Some(Red)) => words.game_silver_left(),
        (Termination::Abandonment, None) => words.game_left_drawn(),
        (Termination::Aborted, _) => words.game_aborted(),
        (Termination::MoveLimit, _) => words.game_move_limit(),
        // Imported records of engine matches end like this.
        (
            Termination::IllegalMove
            | Termination::EngineCrash
            | Termination::EngineHang
            | Termination::Unspecified,
            _,
        ) => words.play_result_recorded(),
    }
}

/// The card with the result of a game. It stands beside or below the board, where it does not
/// cover the winning beam. `content` is shown under the texts: the next actions, and more.
pub(crate) fn result_card<V: IntoView + 'static>(
    result: Memo<Option<ResultText>>,
    content: impl Fn() -> V + Copy + Send + Sync + 'static,
) -> impl IntoView {
    // Screen readers announce only texts that appear in an element that is already there.
    let texts = move || {
        result.get().map(|text| {
            view! {
                <p class="result-headline">{text.headline}</p>
                <p class="result-sentence">{text.sentence}</p>
            }
        })
    };
    view! {
        <div class="result" data-result=move || result.get().map(|text| text.result.text())>
            <div role="status">{texts}</div>
            <Show when=move || result.with(Option::is_some)>{content()}</Show>
        </div>
    }
}

/// Returns the result as one line. `last_shot_by` is the side whose laser fired last.
pub(crate) fn outcome_line(words: Words, outcome: Outcome, last_shot_by: Option<Color>) -> String {
    format!("{}. {}", headline(words, outcome, None), sentence(words, outcome, last_shot_by))
}

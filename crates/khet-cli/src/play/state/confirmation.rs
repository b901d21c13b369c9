//! Yes-or-no questions before actions that can't be undone.

use khet::tower::Square;
use khet::{GameError, GamePosition};
use ratatui::crossterm::event::KeyCode;

use super::{Effect, Opponent, PlayMode, PlayState, capitalize};
use crate::describe;

/// An action that the player must confirm.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Confirmation {
    ClaimDraw,
    Resign,
    Overwrite(String),
    NewGame,
    Quit,
}

impl Confirmation {
    pub(crate) fn text(&self) -> String {
        match self {
            Confirmation::ClaimDraw => {
                "The position is repeated. Claim a draw? y yes, n no".to_string()
            }
            Confirmation::Resign => "Resign this game? y yes, n no".to_string(),
            Confirmation::Overwrite(name) => {
                format!("{name} already exists. Overwrite it? y yes, n no")
            }
            Confirmation::NewGame => {
                "This game is not saved. Start a new one? y yes, n no".to_string()
            }
            Confirmation::Quit => {
                "This game is unfinished and not saved. Quit? y yes, n no".to_string()
            }
        }
    }
}

impl PlayState {
    /// Handles a key while a confirmation is open.
    pub(super) fn confirmation_key(&mut self, key: KeyCode) {
        let PlayMode::Confirm(confirmation) = self.mode.clone() else { return };
        let yes = match key {
            KeyCode::Char('y' | 'Y') => true,
            KeyCode::Char('n' | 'N') | KeyCode::Esc => false,
            _ => return,
        };
        self.mode = PlayMode::Board;
        match confirmation {
            Confirmation::Overwrite(name) if yes => self.save(&name, true),
            Confirmation::Overwrite(name) => self.mode = PlayMode::FileNameInput(name),
            _ if !yes => {}
            Confirmation::ClaimDraw => self.claim(),
            Confirmation::Resign => self.resign(),
            Confirmation::NewGame => self.effects.push(Effect::NewGame),
            Confirmation::Quit => self.effects.push(Effect::Quit),
        }
    }

    /// Returns whether leaving the game would lose an unfinished, unsaved game.
    pub(super) fn would_lose_game(&self) -> bool {
        self.unsaved && self.game.outcome().is_none() && !self.game.moves().is_empty()
    }

    pub(super) fn ask_to_claim_draw(&mut self) {
        if !self.may_act() {
            return;
        }
        if self.game.can_claim_draw() {
            self.mode = PlayMode::Confirm(Confirmation::ClaimDraw);
        } else {
            let (times, needed) =
                (self.game.repetitions(), self.game.position().rules().draw_claim_at());
            self.message = format!(
                "No draw to claim: this position has occurred {}, {} are needed.",
                count(times),
                count(needed)
            );
        }
    }

    pub(super) fn claim(&mut self) {
        let outcome = self.game.claim_draw();
        self.end_game(outcome.map(|outcome| format!("{outcome}.")));
    }

    pub(super) fn ask_to_resign(&mut self) {
        match self.game.outcome() {
            Some(outcome) => self.message = format!("The game is over. {outcome}."),
            None => self.mode = PlayMode::Confirm(Confirmation::Resign),
        }
    }

    pub(super) fn resign(&mut self) {
        let loser = match self.opponent {
            Opponent::Computer { color, .. } => !color,
            Opponent::Friend => self.side(),
        };
        let outcome = self.game.resign(loser);
        self.end_game(outcome.map(|_| format!("{} resigns.", describe::side_name(loser))));
    }

    /// Shows the message of a finished game, or the error.
    fn end_game(&mut self, message: Result<String, GameError<Square>>) {
        if message.is_ok() {
            self.cancel_search();
            self.selection = None;
            self.hint = None;
            self.unsaved = true;
        }
        self.message = message.unwrap_or_else(|error| capitalize(&format!("{error}.")));
    }
}

fn count(times: usize) -> String {
    match times {
        1 => "once".to_string(),
        2 => "twice".to_string(),
        times => format!("{times} times"),
    }
}

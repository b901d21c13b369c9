//! What is asked before something that can't be taken back.

use khet::GameError;
use ratatui::crossterm::event::KeyCode;

use super::{Mode, Opponent, State, Wish, capital};
use crate::words;

/// What is asked before something that can't be taken back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Question {
    Claim,
    Resign,
    Overwrite(String),
    NewGame,
    Quit,
}

impl Question {
    pub(crate) fn text(&self) -> String {
        match self {
            Question::Claim => {
                "This arrangement has come back. Claim the draw? y yes, n no".to_string()
            }
            Question::Resign => "Give up this game? y yes, n no".to_string(),
            Question::Overwrite(name) => {
                format!("{name} is there already. Replace it? y yes, n no")
            }
            Question::NewGame => "This game is not saved. Leave it? y yes, n no".to_string(),
            Question::Quit => "This game is not over and not saved. Quit? y yes, n no".to_string(),
        }
    }
}

impl State {
    /// The answer to a question.
    pub(super) fn decide(&mut self, key: KeyCode) {
        let Mode::Asking(question) = self.mode.clone() else { return };
        let yes = match key {
            KeyCode::Char('y' | 'Y') => true,
            KeyCode::Char('n' | 'N') | KeyCode::Esc => false,
            _ => return,
        };
        self.mode = Mode::Board;
        match question {
            Question::Overwrite(name) if yes => self.save(&name, true),
            Question::Overwrite(name) => self.mode = Mode::Naming(name),
            _ if !yes => {}
            Question::Claim => self.claim(),
            Question::Resign => self.resign(),
            Question::NewGame => self.wishes.push(Wish::NewGame),
            Question::Quit => self.wishes.push(Wish::Quit),
        }
    }

    /// Whether something would be lost if the game were left.
    pub(super) fn is_worth_asking(&self) -> bool {
        self.unsaved && self.game.outcome().is_none() && !self.game.moves().is_empty()
    }

    pub(super) fn ask_to_claim(&mut self) {
        if !self.may_act() {
            return;
        }
        if self.game.can_claim_draw() {
            self.mode = Mode::Asking(Question::Claim);
        } else {
            let (times, needed) =
                (self.game.repetitions(), self.game.position().rules().draw_claim_at());
            self.message = format!(
                "No draw to claim: this arrangement stands {}, {} are needed.",
                count(times),
                count(needed)
            );
        }
    }

    pub(super) fn claim(&mut self) {
        let claimed = self.game.claim_draw();
        self.end(claimed.map(|outcome| format!("{outcome}.")));
    }

    pub(super) fn ask_to_resign(&mut self) {
        match self.game.outcome() {
            Some(outcome) => self.message = format!("The game is over. {outcome}."),
            None => self.mode = Mode::Asking(Question::Resign),
        }
    }

    pub(super) fn resign(&mut self) {
        let loser = match self.opponent {
            Opponent::Computer { color, .. } => !color,
            Opponent::Friend => self.side(),
        };
        let resigned = self.game.resign(loser);
        self.end(resigned.map(|_| format!("{} gives up.", words::player(loser))));
    }

    pub(super) fn end(&mut self, said: Result<String, GameError>) {
        if said.is_ok() {
            self.forget_thought();
            self.hand = None;
            self.hint = None;
            self.unsaved = true;
        }
        self.message = said.unwrap_or_else(|error| capital(&format!("{error}.")));
    }
}

fn count(times: usize) -> String {
    match times {
        1 => "once".to_string(),
        2 => "twice".to_string(),
        times => format!("{times} times"),
    }
}

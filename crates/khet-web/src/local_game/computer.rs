//! The page for games against the computer.

use leptos::prelude::*;

use super::engine_commands;
use super::hint;
use super::layout::GameLayout;
use super::state::{GameKind, LocalGame};
use crate::browser::random::random_u32;
use crate::browser::time::now;
use crate::engine::{Engine, WorkerResult};
use crate::game::session::GameSession;
use crate::languages::use_words;

/// A game against the computer.
#[component]
pub fn ComputerPage() -> impl IntoView {
    let game = LocalGame::new(GameKind::Computer, use_words());
    let opponent = EngineOpponent::new(game);
    opponent.search_on_its_turn();
    opponent.play_after_the_shot();
    let on_hint = Callback::new(move |()| opponent.search_hint());
    let on_engine_restart = Callback::new(move |()| opponent.restart());
    view! { <GameLayout game on_hint=Some(on_hint) on_engine_restart/> }
}

/// Identifies the position that the engine searches. A reply for another position is ignored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct SearchedPosition {
    game: u32,
    plies: usize,
    awaits_computer: bool,
}

/// The engine as the opponent in a local game, and as the source of hints.
#[derive(Clone, Copy)]
struct EngineOpponent {
    game: LocalGame,
    engine: Engine,
    seed: u32,
    current: Memo<SearchedPosition>,
    /// The reply that is played after the last shot has been shown.
    reply: RwSignal<Option<(SearchedPosition, WorkerResult)>>,
}

impl EngineOpponent {
    fn new(game: LocalGame) -> EngineOpponent {
        let current = Memo::new(move |_| {
            let form_open = game.new_game_form_open.get();
            game.session.with(|session| SearchedPosition {
                game: game.number.get(),
                plies: session.game().moves().len(),
                awaits_computer: session.awaits_computer() && !form_open,
            })
        });
        let reply = RwSignal::new(None);
        EngineOpponent { game, engine: Engine::new(), seed: random_u32(), current, reply }
    }

    /// Returns whether the game still has the position that was searched.
    fn is_current(self, searched: SearchedPosition) -> bool {
        self.current.try_get_untracked() == Some(searched)
    }

    /// Searches whenever it becomes the computer's turn.
    fn search_on_its_turn(self) {
        let game = self.game;
        Effect::new(move |_| {
            let current = self.current.get();
            self.engine.stop();
            game.engine_failed.set(false);
            game.thinking.set(false);
            self.reply.set(None);
            if current.awaits_computer {
                self.search_move(current);
            }
        });
    }

    /// Plays the engine's reply once the last shot has been shown, after a short pause.
    fn play_after_the_shot(self) {
        let game = self.game;
        Effect::new(move |_| {
            let Some((searched, reply)) = self.reply.get() else { return };
            if game.shooting.get() {
                return;
            }
            let play = move || {
                if self.is_current(searched) && self.reply.get_untracked().is_some() {
                    self.reply.set(None);
                    play_reply(game, reply);
                }
            };
            set_timeout(play, game.session.with_untracked(engine_commands::pause));
        });
    }

    /// Searches the computer's move.
    fn search_move(self, searched: SearchedPosition) {
        let game = self.game;
        game.thinking.set(true);
        let commands = game
            .session
            .with_untracked(|session| engine_commands::for_move(session, self.seed, now()));
        let on_reply = move |reply| {
            if !self.is_current(searched) {
                return;
            }
            match reply {
                Some(reply @ WorkerResult { mv: Some(_), .. }) => {
                    self.reply.set(Some((searched, reply)))
                }
                _ => {
                    game.thinking.set(false);
                    game.engine_failed.set(true);
                }
            }
        };
        self.engine.search(commands, |_| {}, on_reply);
    }

    /// Searches for a hint, and shows it with its reason.
    fn search_hint(self) {
        let game = self.game;
        let searched = self.current.get_untracked();
        game.thinking.set(true);
        game.message.set(String::new());
        let on_reply = move |reply: Option<WorkerResult>| {
            if !self.is_current(searched) {
                return;
            }
            game.thinking.set(false);
            let Some(mv) = reply.and_then(|reply| reply.mv) else {
                return game.message.set(game.words.play_engine_stopped().to_string());
            };
            let reason =
                game.session.with_untracked(|session| hint::reason(session.game().position(), mv));
            game.update(|session| session.view_ply(usize::MAX));
            game.hint.set(Some((mv, reason)));
        };
        self.engine.search(
            game.session.with_untracked(engine_commands::for_hint),
            |_| {},
            on_reply,
        );
    }

    /// Searches again after the engine failed.
    fn restart(self) {
        self.game.engine_failed.set(false);
        let current = self.current.get_untracked();
        if current.awaits_computer {
            self.search_move(current);
        }
    }
}

/// Plays the computer's move, or claims a draw for it.
fn play_reply(game: LocalGame, reply: WorkerResult) {
    game.thinking.set(false);
    game.accepts_draw.set(engine_commands::accepts_draw(reply));
    if game.session.with_untracked(|session| engine_commands::claims_draw(session, reply)) {
        game.claim_draw();
    } else if let Some(mv) = reply.mv {
        let plies = |session: &GameSession| session.game().moves().len();
        let before = game.session.with_untracked(plies);
        game.play(mv);
        if game.session.with_untracked(plies) == before {
            game.engine_failed.set(true);
        }
    }
}

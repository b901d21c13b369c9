//! The page on which a person plays the computer.

use leptos::prelude::*;

use super::engine_commands;
use super::hint;
use super::layout::GameLayout;
use super::state::{GameKind, LocalGame};
use crate::browser::random::random_u32;
use crate::browser::time::now;
use crate::engine::{Engine, SearchResult};
use crate::game::session::Session;
use crate::languages::use_words;

/// What the computer is asked about: a question whose moment has passed is not answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Moment {
    game: u32,
    moves: usize,
    awaits_computer: bool,
}

/// Playing the computer.
#[component]
pub fn ComputerPage() -> impl IntoView {
    let game = LocalGame::new(GameKind::Computer, use_words());
    let engine = Engine::new();
    let seed = StoredValue::new(random_u32());
    let moment = Memo::new(move |_| {
        let choosing = game.choosing.get();
        game.session.with(|session| Moment {
            game: game.number.get(),
            moves: session.game().moves().len(),
            awaits_computer: session.awaits_computer() && !choosing,
        })
    });
    // What it has found, until the last shot has been shown.
    let found = RwSignal::new(None::<(Moment, SearchResult)>);

    let ask = move |about: Moment| {
        game.thinking.set(true);
        let lines = game
            .session
            .with_untracked(|session| engine_commands::for_move(session, seed.get_value(), now()));
        engine.search(
            lines,
            |_| {},
            move |reply| {
                if moment.try_get_untracked() != Some(about) {
                    return;
                }
                match reply {
                    Some(reply @ SearchResult { mv: Some(_), .. }) => {
                        found.set(Some((about, reply)))
                    }
                    _ => {
                        game.thinking.set(false);
                        game.lost.set(true);
                    }
                }
            },
        );
    };
    Effect::new(move |_| {
        let about = moment.get();
        engine.stop();
        game.lost.set(false);
        game.thinking.set(false);
        found.set(None);
        if about.awaits_computer {
            ask(about);
        }
    });
    Effect::new(move |_| {
        let Some((about, reply)) = found.get() else { return };
        if game.shooting.get() {
            return;
        }
        let pause = game.session.with_untracked(engine_commands::pause);
        set_timeout(
            move || {
                if moment.try_get_untracked() == Some(about) && found.get_untracked().is_some() {
                    found.set(None);
                    answer(game, reply);
                }
            },
            pause,
        );
    });

    let on_hint = Callback::new(move |()| {
        let about = moment.get_untracked();
        game.thinking.set(true);
        game.message.set(String::new());
        engine.search(
            game.session.with_untracked(engine_commands::for_hint),
            |_| {},
            move |reply| {
                if moment.try_get_untracked() != Some(about) {
                    return;
                }
                game.thinking.set(false);
                match reply.and_then(|reply| reply.mv) {
                    Some(mv) => {
                        let reason = game
                            .session
                            .with_untracked(|session| hint::reason(session.game().position(), mv));
                        game.update(|session| session.view_ply(usize::MAX));
                        game.hint.set(Some((mv, reason)));
                    }
                    None => game.message.set(game.words.play_engine_stopped().to_string()),
                }
            },
        );
    });
    let on_wake = Callback::new(move |()| {
        game.lost.set(false);
        let about = moment.get_untracked();
        if about.awaits_computer {
            ask(about);
        }
    });
    view! { <GameLayout game on_hint=Some(on_hint) on_wake/> }
}

/// The computer plays, or claims the draw that it wants.
fn answer(game: LocalGame, reply: SearchResult) {
    game.thinking.set(false);
    game.welcomes_draw.set(engine_commands::welcomes_draw(reply));
    if game.session.with_untracked(|session| engine_commands::claims_draw(session, reply)) {
        game.claim_draw();
    } else if let Some(mv) = reply.mv {
        let before = game.session.with_untracked(|session| session.game().moves().len());
        game.play(mv);
        let played = |session: &Session| session.game().moves().len() > before;
        if !game.session.with_untracked(played) {
            game.lost.set(true);
        }
    }
}

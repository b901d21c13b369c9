//! The page on which a person plays the computer.

use leptos::prelude::*;

use super::desk::{Desk, Place};
use super::hint;
use super::moment::{luck, now};
use super::question;
use super::room::Room;
use super::session::Session;
use crate::engine::{Engine, Reply};
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
    let desk = Desk::new(Place::Computer, use_words());
    let engine = Engine::new();
    let seed = StoredValue::new(luck());
    let moment = Memo::new(move |_| {
        let choosing = desk.choosing.get();
        desk.session.with(|session| Moment {
            game: desk.number.get(),
            moves: session.game().moves().len(),
            awaits_computer: session.awaits_computer() && !choosing,
        })
    });
    // What it has found, until the last shot has been shown.
    let found = RwSignal::new(None::<(Moment, Reply)>);

    let ask = move |about: Moment| {
        desk.thinking.set(true);
        let lines = desk
            .session
            .with_untracked(|session| question::for_move(session, seed.get_value(), now()));
        engine.ask(
            lines,
            |_| {},
            move |reply| {
                if moment.try_get_untracked() != Some(about) {
                    return;
                }
                match reply {
                    Some(reply @ Reply { mv: Some(_), .. }) => found.set(Some((about, reply))),
                    _ => {
                        desk.thinking.set(false);
                        desk.lost.set(true);
                    }
                }
            },
        );
    };
    Effect::new(move |_| {
        let about = moment.get();
        engine.stop();
        desk.lost.set(false);
        desk.thinking.set(false);
        found.set(None);
        if about.awaits_computer {
            ask(about);
        }
    });
    Effect::new(move |_| {
        let Some((about, reply)) = found.get() else { return };
        if desk.shooting.get() {
            return;
        }
        let pause = desk.session.with_untracked(question::pause);
        set_timeout(
            move || {
                if moment.try_get_untracked() == Some(about) && found.get_untracked().is_some() {
                    found.set(None);
                    answer(desk, reply);
                }
            },
            pause,
        );
    });

    let on_hint = Callback::new(move |()| {
        let about = moment.get_untracked();
        desk.thinking.set(true);
        desk.message.set(String::new());
        engine.ask(
            desk.session.with_untracked(question::for_hint),
            |_| {},
            move |reply| {
                if moment.try_get_untracked() != Some(about) {
                    return;
                }
                desk.thinking.set(false);
                match reply.and_then(|reply| reply.mv) {
                    Some(mv) => {
                        let reason = desk
                            .session
                            .with_untracked(|session| hint::reason(session.game().position(), mv));
                        desk.update(|session| session.look(usize::MAX));
                        desk.hint.set(Some((mv, reason)));
                    }
                    None => desk.message.set(desk.words.play_engine_lost().to_string()),
                }
            },
        );
    });
    let on_wake = Callback::new(move |()| {
        desk.lost.set(false);
        let about = moment.get_untracked();
        if about.awaits_computer {
            ask(about);
        }
    });
    view! { <Room desk on_hint=Some(on_hint) on_wake/> }
}

/// The computer plays, or claims the draw that it wants.
fn answer(desk: Desk, reply: Reply) {
    desk.thinking.set(false);
    desk.welcomes_draw.set(question::welcomes_draw(reply));
    if desk.session.with_untracked(|session| question::claims_draw(session, reply)) {
        desk.claim_draw();
    } else if let Some(mv) = reply.mv {
        let before = desk.session.with_untracked(|session| session.game().moves().len());
        desk.play(mv);
        let played = |session: &Session| session.game().moves().len() > before;
        if !desk.session.with_untracked(played) {
            desk.lost.set(true);
        }
    }
}

//! The dialog with the options of a local game and further actions.

use khet::{GamePosition, Rules};
use leptos::prelude::*;

use super::state::{LocalGame, LocalGameDialog};
use crate::browser::focus::focus_move_field;
use crate::controls::fields;
use crate::game::session::{GameSession, Mode};
use crate::game_ui::names::setup_name;
use crate::languages::Words;
use crate::routing::{Page, use_navigation};

/// The options of the game, and further actions.
#[component]
pub(super) fn More(game: LocalGame) -> impl IntoView {
    let words = game.words;
    let navigation = use_navigation();
    let outcome = game.session.with(GameSession::outcome);
    let over = outcome.is_some();
    // A game that was won needs no other end.
    let won = outcome.is_some_and(|outcome| {
        outcome.winner.is_some() && outcome.winner == game.session.with(GameSession::you)
    });
    let action = move |name: &'static str, label: &'static str, act: Callback<()>| {
        view! {
            <button type="button" class="button" data-action=name on:click=move |_| act.run(())>{label}</button>
        }
    };
    let link = move |page: Page, label: &'static str| {
        view! { <a class="button" href=navigation.path(page)>{label}</a> }
    };
    let flip = Callback::new(move |()| {
        game.flip();
        game.dialog.set(None);
    });
    let type_move = Callback::new(move |()| {
        game.dialog.set(None);
        focus_move_field();
    });
    let record = Callback::new(move |()| game.dialog.set(Some(LocalGameDialog::Record)));
    let analyse = Callback::new(move |()| game.open_analysis(navigation, false));
    let new_game = Callback::new(move |()| game.open_new_game_form());
    view! {
        <div class="more">
            <p class="more-about">{move || game.session.with(|session| start_line(words, session))}</p>
            {mode_switches(game)}
            {link(Page::Rules, words.home_learn())}
            {(over && !won).then(|| action("take-back", words.play_takeback(), Callback::new(move |()| game.take_back())))}
            {action("flip", words.play_flip_board(), flip)}
            {(!over).then(|| action("type-move", words.board_move_field(), type_move))}
            {action("record", words.play_record(), record)}
            {action("analyse", words.play_analyse(), analyse)}
            {action("new-game", words.play_new_game(), new_game)}
            {link(Page::DeviceGames, words.shell_device_games())}
        </div>
    }
}

/// Returns the setup and the rules of a game as one line.
fn start_line(words: Words, session: &GameSession) -> String {
    let setup = match (session.setup(), session.start_name()) {
        (Some(setup), _) => setup_name(setup, words),
        (None, "") => words.play_own_position(),
        (None, name) => name,
    };
    let rules = match session.game().start().rules() {
        Rules::Standard => words.play_rules_standard(),
        Rules::Czech => words.play_rules_czech(),
    };
    format!("{setup} · {rules}")
}

/// The switches for the options of the mode.
fn mode_switches(game: LocalGame) -> impl IntoView {
    let words = game.words;
    let switch =
        move |name: &'static str, label: &'static str, on: bool, mode: fn(Mode, bool) -> Mode| {
            let change =
                move |on| game.set_mode(mode(game.session.with_untracked(GameSession::mode), on));
            fields::switch(name, label, move || on, change)
        };
    match game.session.with(GameSession::mode) {
        Mode::Computer { practice, .. } => {
            let set_practice = |mode, on| match mode {
                Mode::Computer { level, person, .. } => {
                    Mode::Computer { level, person, practice: on }
                }
                other => other,
            };
            switch("practice", words.play_practice(), practice, set_practice).into_any()
        }
        Mode::Hotseat { flips_board, pauses_when_hidden } => {
            let set_flips = |mode, on| match mode {
                Mode::Hotseat { pauses_when_hidden, .. } => {
                    Mode::Hotseat { flips_board: on, pauses_when_hidden }
                }
                other => other,
            };
            let set_pauses = |mode, on| match mode {
                Mode::Hotseat { flips_board, .. } => {
                    Mode::Hotseat { flips_board, pauses_when_hidden: on }
                }
                other => other,
            };
            let has_clock = game.session.with(|session| session.clock().is_some());
            view! {
                {switch("turning", words.play_flip_after_move(), flips_board, set_flips)}
                {has_clock.then(|| switch("pausing", words.play_pause_when_hidden(), pauses_when_hidden, set_pauses))}
            }
            .into_any()
        }
        Mode::Online { .. } => ().into_any(),
    }
}

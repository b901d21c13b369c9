//! The page of a local game: the shared frame, filled with the parts of a local game.

use leptos::prelude::*;

use super::actions::Actions;
use super::dialogs::Dialogs;
use super::messages::Messages;
use super::new_game::NewGame;
use super::player::Player;
use super::result::LocalResult;
use super::state::{GameKind, LocalGame};
use crate::browser::pointer::is_touch_screen;
use crate::game::session::{GameSession, Mode};
use crate::game_ui::frame::{FramedGame, GameFrame, GameStage};
use crate::settings::use_settings;

/// Returns whether moves are confirmed because the person practises on a touch screen.
///
/// Practice shows the beam as it would run after the move to the square under the pointer. A finger
/// points at a square only when it taps, so the tap shows the move with its beam and a second tap
/// plays it, as if the person had chosen to confirm moves.
fn tries_moves(game: LocalGame) -> bool {
    let mode = game.session.with(GameSession::mode);
    matches!(mode, Mode::Computer { practice: true, .. }) && is_touch_screen()
}

/// Connects a local game with the frame.
fn framed(game: LocalGame) -> FramedGame {
    let settings = use_settings();
    let stage =
        move || match (game.new_game_form_open.get(), game.session.with(GameSession::outcome)) {
            (true, _) => GameStage::Choosing,
            (false, None) => GameStage::Playing,
            (false, Some(_)) => GameStage::Over,
        };
    let waiting_for = move || {
        game.session.with(|session| if session.awaits_computer() { "computer" } else { "person" })
    };
    FramedGame {
        place: game.kind.name(),
        navigation: game.move_navigation(),
        scene: Memo::new(move |_| game.scene()),
        stage: Memo::new(move |_| stage()),
        waiting_for: Signal::derive(waiting_for),
        is_player: Signal::stored(true),
        on_move: Callback::new(move |mv| game.play(mv)),
        on_shot_end: Callback::new(move |()| game.shot_shown()),
        on_tick: Callback::new(move |()| game.tick()),
        on_flip: Callback::new(move |()| game.flip()),
        confirms_moves: Signal::derive(move || settings.confirms_moves(false) || tries_moves(game)),
    }
}

/// The page of a local game. `on_hint` requests a hint, `on_engine_restart` restarts the engine
/// after a failure.
#[component]
pub(super) fn GameLayout(
    game: LocalGame,
    #[prop(optional_no_strip, into)] on_hint: Option<Callback<()>>,
    #[prop(optional, into)] on_engine_restart: Option<Callback<()>>,
) -> impl IntoView {
    let heading = match game.kind {
        GameKind::Computer => game.words.play_computer_title(),
        GameKind::Hotseat => game.words.play_hotseat_title(),
    };
    save_when_leaving(game);
    let top = move || {
        // The person opposite sees the name, the clock and the buttons the right way up.
        view! {
            <div class="game-top" class:opposite=move || game.is_face_to_face()>
                <Player game bottom=false/>
                <Show when=move || game.is_face_to_face()><Actions game opposite=true/></Show>
            </div>
        }
    };
    let below = move || {
        view! {
            <Messages game on_engine_restart/>
            <Actions game on_hint/>
            <LocalResult game/>
        }
    };
    view! {
        <GameFrame
            game=framed(game)
            heading=move || heading
            top
            bottom=move || view! { <Player game bottom=true/> }
            below
        >
            <Show when=move || game.new_game_form_open.get()><NewGame game/></Show>
            <Show when=move || game.new_game_form_open.get() && !game.message.with(String::is_empty)>
                <p class="game-notice" role="status" data-message="">{move || game.message.get()}</p>
            </Show>
            <Dialogs game/>
        </GameFrame>
    }
}

/// Saves the game, and pauses its clocks if wanted, when the page is hidden or left.
fn save_when_leaving(game: LocalGame) {
    let on_visibility =
        window_event_listener_untyped("visibilitychange", move |_| game.visibility_changed());
    let on_leave = window_event_listener_untyped("pagehide", move |_| game.save());
    on_cleanup(move || {
        on_visibility.remove();
        on_leave.remove();
    });
}

//! The frame of a page with a game, local or online: the board and the places around it.

use std::time::Duration;

use leptos::prelude::*;
use web_sys::PointerEvent;

use super::move_list::MoveList;
use super::move_navigation::{self, MoveNavigation, Swipe};
use super::player_strip::color_name;
use crate::board::{Board, MoveField, Scene};
use crate::browser::focus::focus_move_field;
use crate::browser::key_press::on_key_press;
use crate::game::session::GameSession;
use crate::rules::Move;

/// Interval between updates of the clock display.
pub(crate) const TICK_INTERVAL: Duration = Duration::from_millis(100);

/// Elements in which `/` is typed, or which are open above the page.
const USES_SLASH: &str = "input, textarea, select, dialog, [contenteditable]";

/// The stage of the game on a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GameStage {
    /// The form for a new game is open.
    Choosing,
    Playing,
    Over,
}

impl GameStage {
    /// Returns the name in attributes.
    const fn name(self) -> &'static str {
        match self {
            GameStage::Choosing => "choosing",
            GameStage::Playing => "playing",
            GameStage::Over => "over",
        }
    }
}

/// The signals and callbacks that connect a game with the frame.
#[derive(Clone, Copy)]
pub(crate) struct FramedGame {
    /// The kind of game, for tests and style sheets.
    pub(crate) place: &'static str,
    pub(crate) navigation: MoveNavigation,
    pub(crate) scene: Memo<Scene>,
    pub(crate) stage: Memo<GameStage>,
    /// The player to move: `person` at this device, `computer` or `other`.
    pub(crate) waiting_for: Signal<&'static str>,
    /// The person at this device may move.
    pub(crate) is_player: Signal<bool>,
    pub(crate) on_move: Callback<Move>,
    pub(crate) on_shot_end: Callback<()>,
    /// Called several times a second, to update the clocks.
    pub(crate) on_tick: Callback<()>,
    pub(crate) on_flip: Callback<()>,
    /// The player confirms every move.
    pub(crate) confirms_moves: Signal<bool>,
}

/// The board with the players above and below it, the moves, and what else the page shows.
#[component]
pub(crate) fn GameFrame(
    game: FramedGame,
    /// The heading, for screen readers.
    #[prop(into)]
    heading: ViewFn,
    /// The player at the far edge of the board.
    #[prop(into)]
    top: ViewFn,
    /// The player at the near edge of the board.
    #[prop(into)]
    bottom: ViewFn,
    /// The messages, the result and the actions.
    #[prop(into)]
    below: ViewFn,
    /// The form for a new game, and dialogs.
    children: Children,
) -> impl IntoView {
    let FramedGame { place, navigation, scene, stage, on_move, .. } = game;
    let session = navigation.session;
    let result = move || session.with(GameSession::outcome).map(|outcome| outcome.result().text());
    let is_shown = move || stage.get() != GameStage::Choosing;
    handle_time_and_keys(game);
    let swipe = Swipe::new(navigation);
    let on_wheel = move_navigation::navigate_by_wheel(
        move |step| navigation.step(step),
        move || navigation.is_empty() || stage.get_untracked() == GameStage::Choosing,
    );
    view! {
        <div
            class="game-page"
            class:choosing=move || !is_shown()
            data-place=place
            data-state=move || stage.get().name()
            data-side-to-move=move || session.with(|session| color_name(session.side()))
            data-waiting-for=game.waiting_for
            data-plies=move || session.with(|session| session.game().moves().len())
            data-viewed-ply=move || session.with(GameSession::viewed_ply)
            data-result=result
            on:pointerdown=move |event: PointerEvent| swipe.begin(&event)
            on:pointerup=move |event: PointerEvent| swipe.end(&event)
        >
            <Show when=is_shown>
                <h1 class="visually-hidden">{heading.run()}</h1>
                {top.run()}
            </Show>
            <div class="game-board" on:wheel=on_wheel>
                <div class="game-fit">
                    <Board
                        scene
                        confirms_moves=game.confirms_moves
                        can_stand=true
                        on_move
                        on_shot_end=game.on_shot_end
                    />
                </div>
            </div>
            <Show when=is_shown>
                {bottom.run()}
                <MoveList navigation/>
                <Show when=move || game.is_player.get()>
                    <div class="game-type"><MoveField scene on_move/></div>
                </Show>
                {below.run()}
            </Show>
            {children()}
        </div>
    }
}

/// Updates the clocks, steps through the moves by keys, and opens the move field by `/`.
fn handle_time_and_keys(game: FramedGame) {
    let timer = set_interval_with_handle(move || game.on_tick.run(()), TICK_INTERVAL);
    let is_choosing = move || game.stage.get_untracked() == GameStage::Choosing;
    let go = move |step| game.navigation.step(step);
    move_navigation::navigate_by_keys(go, move || game.on_flip.run(()), is_choosing);
    on_key_press(|press| {
        let opens_field = press.key() == "/" && !press.is_within(USES_SLASH);
        if opens_field {
            focus_move_field();
        }
        opens_field
    });
    on_cleanup(move || {
        if let Ok(timer) = timer {
            timer.clear();
        }
    });
}

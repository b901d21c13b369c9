//! The dialogs of a local game: resign, draw, game record, more actions.

use khet::{Color, Rules};
use leptos::prelude::*;

use super::state::{GameKind, LocalGame, LocalGameDialog};
use crate::browser::time::date;
use crate::controls::dialog::{DialogOf, decision};
use crate::controls::fields;
use crate::game::save;
use crate::game::session::{GameSession, Mode};
use crate::game_ui::names::setup_name;
use crate::game_ui::record_dialog::RecordDialog;
use crate::routing::use_navigation;

/// All dialogs of a local game; at most one is open.
#[component]
pub(super) fn Dialogs(game: LocalGame) -> impl IntoView {
    let words = game.words;
    let resign_title = move || match game.session.with(GameSession::resigner) {
        Color::Silver => words.play_resign_silver().to_string(),
        Color::Red => words.play_resign_red().to_string(),
    };
    let resign = move || {
        game.dialog.set(None);
        game.resign();
    };
    let close = words.play_close();
    view! {
        <DialogOf open_dialog=game.dialog dialog=LocalGameDialog::Resign name="resign" title=Signal::derive(resign_title) close>
            {decision(words.play_resign(), words.play_continue(), resign, move || game.dialog.set(None))}
        </DialogOf>
        <DialogOf open_dialog=game.dialog dialog=LocalGameDialog::Draw name="draw" title=words.play_draw() close>
            <Draw game/>
        </DialogOf>
        <DialogOf open_dialog=game.dialog dialog=LocalGameDialog::Record name="record" title=words.play_record() close>
            <LocalRecordDialog game/>
        </DialogOf>
        <DialogOf open_dialog=game.dialog dialog=LocalGameDialog::More name="more" title=words.play_more() close>
            <More game/>
        </DialogOf>
    }
}

/// The draw dialog: claims the draw if the rules allow it, otherwise offers one.
#[component]
fn Draw(game: LocalGame) -> impl IntoView {
    let words = game.words;
    let can_claim =
        game.session.with(|session| session.can_claim_draw() && session.awaits_person());
    let (text, label) = match (can_claim, game.kind) {
        (true, _) => (words.play_claim_draw_about(), words.play_claim_draw()),
        (false, GameKind::Computer) => (words.play_offer_draw_about(), words.play_offer_draw()),
        (false, GameKind::Hotseat) => (words.play_agree_draw_about(), words.play_agree_draw()),
    };
    let draw = move || {
        game.dialog.set(None);
        match game.kind {
            _ if can_claim => game.claim_draw(),
            GameKind::Hotseat => game.agree_draw(),
            GameKind::Computer if game.accepts_draw.get_untracked() => game.agree_draw(),
            GameKind::Computer => game.message.set(words.play_offer_declined().to_string()),
        }
    };
    view! {
        <p>{text}</p>
        {decision(label, words.play_continue(), draw, move || game.dialog.set(None))}
    }
}

/// The options of the game, and further actions.
#[component]
fn More(game: LocalGame) -> impl IntoView {
    let words = game.words;
    let navigation = use_navigation();
    let switches = match game.session.with(GameSession::mode) {
        Mode::Computer { level, person, practice } => vec![(
            "practice",
            words.play_practice(),
            practice,
            Callback::new(move |practice| {
                game.set_mode(Mode::Computer { level, person, practice });
            }),
        )],
        Mode::Hotseat { flips_board, pauses_when_hidden } => {
            let switch = move |change: fn(bool, bool, bool) -> (bool, bool)| {
                Callback::new(move |on| {
                    if let Mode::Hotseat { flips_board, pauses_when_hidden } =
                        game.session.with_untracked(GameSession::mode)
                    {
                        let (flips_board, pauses_when_hidden) =
                            change(on, flips_board, pauses_when_hidden);
                        game.set_mode(Mode::Hotseat { flips_board, pauses_when_hidden });
                    }
                })
            };
            let mut switches = vec![(
                "turning",
                words.play_flip_after_move(),
                flips_board,
                switch(|on, _, pauses_when_hidden| (on, pauses_when_hidden)),
            )];
            if game.session.with(|session| session.clock().is_some()) {
                let pausing_switch = switch(|on, flips_board, _| (flips_board, on));
                switches.push((
                    "pausing",
                    words.play_pause_when_hidden(),
                    pauses_when_hidden,
                    pausing_switch,
                ));
            }
            switches
        }
        Mode::Online { .. } => Vec::new(),
    };
    let switches = switches.into_iter().map(|(name, label, on, change)| {
        fields::switch(name, label, move || on, move |on| change.run(on))
    });
    let about = game.session.with(|session| {
        let setup =
            session.setup().map_or(words.play_own_position(), |setup| setup_name(setup, words));
        let rules = match session.game().start().rules() {
            Rules::Standard => words.play_rules_standard(),
            Rules::Czech => words.play_rules_czech(),
        };
        format!("{setup} · {rules}")
    });
    view! {
        <div class="more">
            <p class="more-about">{about}</p>
            {switches.collect_view()}
            <button type="button" class="button" data-action="flip" on:click=move |_| {
                game.flipped.update(|flipped| *flipped = !*flipped);
                game.dialog.set(None);
            }>{words.play_flip_board()}</button>
            <button
                type="button"
                class="button"
                data-action="record"
                on:click=move |_| game.dialog.set(Some(LocalGameDialog::Record))
            >
                {words.play_record()}
            </button>
            <button type="button" class="button" data-action="analyse"
                on:click=move |_| game.open_analysis(navigation, false)>{words.play_analyse()}</button>
            <button
                type="button"
                class="button"
                data-action="new-game"
                on:click=move |_| game.open_new_game_form()
            >
                {words.play_new_game()}
            </button>
        </div>
    }
}

/// The record dialog of a local game.
#[component]
pub(super) fn LocalRecordDialog(game: LocalGame) -> impl IntoView {
    let record = game.session.with_untracked(|session| save::record(session, &date()).to_string());
    let position =
        game.session.with_untracked(|session| session.position().placement().to_string());
    let import = move |text: String| {
        import_game(game, &text)?;
        game.dialog.set(None);
        Ok(())
    };
    view! { <RecordDialog words=game.words record position on_import=Callback::new(import)/> }
}

/// Continues the imported game with the players and the time control of the current one.
fn import_game(game: LocalGame, text: &str) -> Result<(), String> {
    let session = game.session.with_untracked(|session| {
        let rules = session.game().start().rules();
        save::open(text, rules, GameSession::mode(session), session.time_control())
    });
    let session = session.map_err(|problem| game.words.play_unreadable(problem.0))?;
    game.start(session);
    Ok(())
}

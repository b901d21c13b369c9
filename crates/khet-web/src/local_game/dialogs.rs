//! The dialogs of a local game: resign, draw, game record, replacing an unfinished game.

use khet::GamePosition;
use leptos::prelude::*;

use super::more::More;
use super::state::{GameKind, LocalGame, LocalGameDialog};
use crate::browser::time::date;
use crate::controls::dialog::{DialogOf, decision};
use crate::game::save;
use crate::game::session::GameSession;
use crate::game_ui::record_dialog::RecordDialog;
use crate::game_ui::text_errors::game_text_error;

/// All dialogs of a local game; at most one is open.
#[component]
pub(super) fn Dialogs(game: LocalGame) -> impl IntoView {
    let words = game.words;
    let close = words.play_close();
    let cancel = move || game.dialog.set(None);
    let continue_game = move || {
        cancel();
        game.close_new_game_form();
    };
    view! {
        <div class="dialogs" class:opposite=move || game.for_opposite.get()>
            <DialogOf open_dialog=game.dialog dialog=LocalGameDialog::Resign name="resign" title=words.game_resign_question() close beside_board=true>
                <Resign game/>
            </DialogOf>
            <DialogOf open_dialog=game.dialog dialog=LocalGameDialog::Draw name="draw" title=words.play_draw() close beside_board=true>
                <Draw game/>
            </DialogOf>
            <DialogOf open_dialog=game.dialog dialog=LocalGameDialog::Replace name="replace" title=words.play_replace_question() close>
                <p>{words.play_replace_about()}</p>
                {decision(words.play_start(), words.play_back_to_game(), move || game.start_from_options(), continue_game)}
            </DialogOf>
            <DialogOf open_dialog=game.dialog dialog=LocalGameDialog::Record name="record" title=words.play_record() close>
                <LocalRecordDialog game/>
            </DialogOf>
            <DialogOf open_dialog=game.dialog dialog=LocalGameDialog::More name="more" title=words.play_more() close>
                <More game/>
            </DialogOf>
        </div>
    }
}

/// The content of the resign dialog. In pass and play it names the player.
#[component]
fn Resign(game: LocalGame) -> impl IntoView {
    let words = game.words;
    let resign = move || {
        game.dialog.set(None);
        game.resign();
    };
    view! {
        {(game.kind == GameKind::Hotseat).then(|| view! { <p>{words.play_player_resigns(game.player_name(game.resigner()))}</p> })}
        {decision(words.play_resign(), words.play_continue(), resign, move || game.dialog.set(None))}
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

/// The record dialog of a local game.
#[component]
fn LocalRecordDialog(game: LocalGame) -> impl IntoView {
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
    let session = session.map_err(|error| game_text_error(game.words, &error))?;
    game.start(session);
    Ok(())
}

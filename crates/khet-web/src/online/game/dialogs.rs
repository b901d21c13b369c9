//! The dialogs of an online game: resign, abort, draw, more actions.

use khet_protocol::Action;
use leptos::prelude::*;

use super::end::analysis_path;
use super::state::{OnlineGame, OnlineGameDialog};
use crate::browser::share::share_link;
use crate::controls::dialog::{DialogOf, decision};
use crate::game_ui::dates::{day_and_time, iso_time};
use crate::online::formatting::options_line;
use crate::routing::use_navigation;

/// All dialogs; at most one is open.
#[component]
pub(super) fn Dialogs(game: OnlineGame) -> impl IntoView {
    let words = game.words;
    let confirm = move |label: &'static str, action: Action| {
        let send = move || game.send_action(action.clone());
        decision(label, words.play_continue(), send, move || game.dialog.set(None))
    };
    let draw = move || {
        let claim = game.with_client(|client| {
            client.you == Some(client.state.to_move()) && client.state.game().can_claim_draw()
        });
        let (about, label, action) = match claim {
            Some(true) => {
                (words.play_claim_draw_about(), words.play_claim_draw(), Action::ClaimRepetition)
            }
            _ => (words.game_draw_about(), words.play_offer_draw(), Action::Draw),
        };
        view! { <p>{about}</p> {confirm(label, action)} }
    };
    let close = words.play_close();
    view! {
        <DialogOf open_dialog=game.dialog dialog=OnlineGameDialog::Resign name="resign" title=words.game_resign_question() close beside_board=true>
            {confirm(words.play_resign(), Action::Resign)}
        </DialogOf>
        <DialogOf open_dialog=game.dialog dialog=OnlineGameDialog::Abort name="abort" title=words.game_abort_question() close beside_board=true>
            <p>{words.game_abort_about()}</p>
            {confirm(words.game_abort(), Action::Abort)}
        </DialogOf>
        <DialogOf open_dialog=game.dialog dialog=OnlineGameDialog::Draw name="draw" title=words.play_draw() close beside_board=true>
            {draw}
        </DialogOf>
        <DialogOf open_dialog=game.dialog dialog=OnlineGameDialog::More name="more" title=words.play_more() close>
            <More game/>
        </DialogOf>
    }
}

/// The options of the game, its link and its record.
#[component]
fn More(game: OnlineGame) -> impl IntoView {
    let words = game.words;
    let navigation = use_navigation();
    let note = RwSignal::new(String::new());
    let about = untrack(|| game.with_client(|client| options_line(client.state.options(), words)));
    let watching = move || {
        let watching = game.with_client(|client| client.presence.spectators).unwrap_or(0);
        (watching > 0).then(|| words.game_watching(watching as usize))
    };
    let started = untrack(|| game.with_client(|client| client.state.started_at())).unwrap_or(0);
    let link = navigation.link_to_share();
    let record = format!("/api/games/{}/kgn", game.id);
    let analysis = move || analysis_path(game, navigation);
    let over = Memo::new(move |_| {
        game.with_client(|client| client.state.outcome().is_some()) == Some(true)
    });
    view! {
        <div class="more">
            <p class="more-about">{about}<br/><time datetime=iso_time(started)>{day_and_time(started, words)}</time></p>
            <p class="more-about">{watching}</p>
            <button type="button" class="button" data-action="flip" on:click=move |_| {
                game.flip();
                game.dialog.set(None);
            }>{words.play_flip_board()}</button>
            <button type="button" class="button" data-action="share"
                on:click=move |_| share_link(words, note, words.game_title(), &link)>{words.shell_share()}</button>
            <Show when=move || over.get()>
                <a class="button" href=record.clone() download data-action="download-record">{words.game_record()}</a>
                <a class="button" href=analysis data-action="analyse">{words.play_analyse()}</a>
            </Show>
            <p class="dialog-note" role="status">{move || note.get()}</p>
        </div>
    }
}

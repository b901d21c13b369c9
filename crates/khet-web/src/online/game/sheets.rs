//! The dialogs of a game: giving up, draws, and what else can be done.

use khet_protocol::Act;
use leptos::prelude::*;

use super::table::{Sheet, Table};
use crate::dialog::Dialog;
use crate::online::names::{moment, options_line};
use crate::play::papers;

/// All dialogs; at most one is open.
#[component]
pub(super) fn Sheets(table: Table) -> impl IntoView {
    let words = table.words;
    let is = move |sheet| Signal::derive(move || table.sheet.get() == Some(sheet));
    // A dialog tells late that it was closed; another may be open by then.
    let close = move |sheet| {
        Callback::new(move |()| {
            if table.sheet.get_untracked() == Some(sheet) {
                table.sheet.set(None);
            }
        })
    };
    let fixed = |text: &'static str| Signal::derive(move || text.to_owned());
    let confirm = move |label: &'static str, act: Act| {
        view! {
            <div class="dialog-actions">
                <button type="button" class="button primary" data-action="confirm"
                    on:click=move |_| table.act(act.clone())>{label}</button>
                <button type="button" class="button" data-action="cancel"
                    on:click=move |_| table.sheet.set(None)>{words.play_on()}</button>
            </div>
        }
    };
    view! {
        <Dialog open=is(Sheet::Resign) on_close=close(Sheet::Resign) name="resign"
            title=fixed(words.game_resign_question()) close=words.play_close()>
            {confirm(words.play_resign(), Act::Resign)}
        </Dialog>
        <Dialog open=is(Sheet::Abort) on_close=close(Sheet::Abort) name="abort"
            title=fixed(words.game_abort_question()) close=words.play_close()>
            <p>{words.game_abort_about()}</p>
            {confirm(words.game_abort(), Act::Abort)}
        </Dialog>
        <Dialog open=is(Sheet::Draw) on_close=close(Sheet::Draw) name="draw"
            title=fixed(words.play_draw()) close=words.play_close()>
            {move || {
                let claim = table.of(|live| {
                    live.you == Some(live.state.to_move()) && live.state.game().can_claim_draw()
                });
                let (about, label, act) = match claim {
                    Some(true) => (words.play_claim_about(), words.play_claim_draw(), Act::ClaimRepetition),
                    _ => (words.game_draw_about(), words.play_offer_draw(), Act::Draw),
                };
                view! { <p>{about}</p> {confirm(label, act)} }
            }}
        </Dialog>
        <Dialog open=is(Sheet::More) on_close=close(Sheet::More) name="more"
            title=fixed(words.play_more()) close=words.play_close()>
            <More table/>
        </Dialog>
    }
}

/// The game in a line, its link and its record.
#[component]
fn More(table: Table) -> impl IntoView {
    let words = table.words;
    let note = RwSignal::new(String::new());
    let about = untrack(|| table.of(|live| options_line(live.state.options(), words)));
    let watching = move || {
        let watching = table.of(|live| live.presence.watching).unwrap_or(0);
        (watching > 0).then(|| words.game_watching(watching as usize))
    };
    let started = untrack(|| table.of(|live| moment(live.state.started_at())));
    let link = window().location().href().unwrap_or_default();
    let record = format!("/api/games/{}/kgn", table.id);
    let over = Memo::new(move |_| table.of(|live| live.state.end().is_some()) == Some(true));
    view! {
        <div class="more">
            <p class="more-about">{about}<br/><time datetime=started.clone()>{started.clone()}</time></p>
            <p class="more-about">{watching}</p>
            <button type="button" class="button" data-action="flip" on:click=move |_| {
                table.flipped.update(|flipped| *flipped = !*flipped);
                table.sheet.set(None);
            }>{words.play_turn_board()}</button>
            <button type="button" class="button" data-action="copy-link"
                on:click=move |_| papers::copy(words, note, &link)>{words.game_copy_link()}</button>
            <Show when=move || over.get()>
                <a class="button" href=record.clone() download data-action="download-record">{words.game_record()}</a>
            </Show>
            <p class="papers-note" role="status">{move || note.get()}</p>
        </div>
    }
}

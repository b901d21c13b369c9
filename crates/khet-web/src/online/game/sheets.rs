//! The dialogs of a game: giving up, draws, and what else can be done.

use khet_protocol::Action;
use leptos::prelude::*;

use super::table::{Sheet, Table};
use crate::address::{Page, use_navigation};
use crate::dialog::{OneOf, decision};
use crate::online::names::{moment, options_line};
use crate::play::papers;

/// All dialogs; at most one is open.
#[component]
pub(super) fn Sheets(table: Table) -> impl IntoView {
    let words = table.words;
    let confirm = move |label: &'static str, act: Action| {
        let act = move || table.act(act.clone());
        decision(label, words.play_on(), act, move || table.sheet.set(None))
    };
    let draw = move || {
        let claim = table.of(|live| {
            live.you == Some(live.state.to_move()) && live.state.game().can_claim_draw()
        });
        let (about, label, act) = match claim {
            Some(true) => {
                (words.play_claim_about(), words.play_claim_draw(), Action::ClaimRepetition)
            }
            _ => (words.game_draw_about(), words.play_offer_draw(), Action::Draw),
        };
        view! { <p>{about}</p> {confirm(label, act)} }
    };
    let close = words.play_close();
    view! {
        <OneOf which=table.sheet sheet=Sheet::Resign name="resign" title=words.game_resign_question() close>
            {confirm(words.play_resign(), Action::Resign)}
        </OneOf>
        <OneOf which=table.sheet sheet=Sheet::Abort name="abort" title=words.game_abort_question() close>
            <p>{words.game_abort_about()}</p>
            {confirm(words.game_abort(), Action::Abort)}
        </OneOf>
        <OneOf which=table.sheet sheet=Sheet::Draw name="draw" title=words.play_draw() close>
            {draw}
        </OneOf>
        <OneOf which=table.sheet sheet=Sheet::More name="more" title=words.play_more() close>
            <More table/>
        </OneOf>
    }
}

/// The game in a line, its link and its record.
#[component]
fn More(table: Table) -> impl IntoView {
    let words = table.words;
    let note = RwSignal::new(String::new());
    let about = untrack(|| table.of(|live| options_line(live.state.options(), words)));
    let watching = move || {
        let watching = table.of(|live| live.presence.spectators).unwrap_or(0);
        (watching > 0).then(|| words.game_watching(watching as usize))
    };
    let started = untrack(|| table.of(|live| moment(live.state.started_at())));
    let link = window().location().href().unwrap_or_default();
    let record = format!("/api/games/{}/kgn", table.id);
    let analysis = format!("{}?game={}", use_navigation().path(Page::Analysis), table.id);
    let over = Memo::new(move |_| table.of(|live| live.state.outcome().is_some()) == Some(true));
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
                <a class="button" href=analysis.clone() data-action="analyse">{words.play_analyse()}</a>
            </Show>
            <p class="papers-note" role="status">{move || note.get()}</p>
        </div>
    }
}

//! The end of a game, in large letters over the board: the result, the new ratings, another game.

use khet::Color;
use khet_protocol::{Action, RatingChange};
use leptos::prelude::*;

use super::table::Table;
use crate::address::{Page, use_navigation};
use crate::online::names::name;
use crate::play::focus;
use crate::play::result::{ResultText, over_the_board};
use crate::play::session::Session;

/// The result, once the last shot has been shown.
#[component]
pub(super) fn GameEnd(table: Table) -> impl IntoView {
    let words = table.words;
    let result = Memo::new(move |_| {
        let present = table.told.with(Session::is_present);
        let result = table.told.with(|session| ResultText::of_session(words, session));
        result.filter(|_| present && !table.result_seen.get())
    });
    over_the_board(result, move || view! { <Ratings table/> <Again table/> })
}

/// What the game did to the ratings.
#[component]
pub(super) fn Ratings(table: Table) -> impl IntoView {
    let words = table.words;
    let changes = Memo::new(move |_| {
        table
            .of(|live| {
                let rated = live.rated?;
                Some(
                    Color::ALL
                        .map(|color| (name(live.players.get(color), words), *rated.get(color))),
                )
            })
            .flatten()
    });
    let row = |(name, change): (String, RatingChange)| {
        let gain = i32::from(change.after) - i32::from(change.before);
        let class = if gain < 0 { "rating-loss" } else { "rating-gain" };
        view! {
            <li data-rating=change.after>
                <span>{name}</span> " "
                <strong>{change.after}</strong> " "
                <span class=class>{format!("{gain:+}").replace('-', "−")}</span>
            </li>
        }
    };
    move || {
        changes.get().map(|changes| {
            view! {
                <ul class="rating-changes" aria-label=words.game_ratings()>
                    {changes.map(row).into_iter().collect_view()}
                </ul>
            }
        })
    }
}

/// Another game, or a look at this one.
#[component]
fn Again(table: Table) -> impl IntoView {
    let words = table.words;
    let navigation = use_navigation();
    let may_rematch = Memo::new(move |_| {
        table.of(|live| live.you.is_some_and(|you| live.state.may_offer_rematch(you))) == Some(true)
    });
    let next = Memo::new(move |_| table.of(|live| live.state.next()).flatten());
    let review = format!("{}?game={}&review=yes", navigation.path(Page::Analysis), table.id);
    view! {
        <div class="result-actions">
            {move || next.get().map(|game| view! {
                <a class="button primary" href=navigation.path_of(Page::Game, game.as_str())>
                    {words.game_to_rematch()}
                </a>
            })}
            <Show when=move || may_rematch.get()>
                <button type="button" class="button primary" data-action="rematch"
                    on:click=move |_| table.act(Action::Rematch)>{words.play_rematch()}</button>
            </Show>
            <a class="button" data-action="review" href=review>{words.play_review()}</a>
            <button type="button" class="button" data-action="look" on:click=move |_| {
                table.result_seen.set(true);
                focus::board();
            }>{words.play_look()}</button>
        </div>
    }
}

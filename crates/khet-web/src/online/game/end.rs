//! The end of a game, in large letters over the board: the result, the new ratings, another game.

use khet::Color;
use khet_protocol::{Action, RatingChange};
use leptos::prelude::*;

use super::state::OnlineGame;
use crate::browser::focus::focus_board;
use crate::game::session::Session;
use crate::game_ui::profile_name::display_name;
use crate::game_ui::result::{ResultText, result_overlay};
use crate::routing::{Page, use_navigation};

/// The result, once the last shot has been shown.
#[component]
pub(super) fn GameEnd(game: OnlineGame) -> impl IntoView {
    let words = game.words;
    let result = Memo::new(move |_| {
        let present = game.revealed.with(Session::is_present);
        let result = game.revealed.with(|session| ResultText::of_session(words, session));
        result.filter(|_| present && !game.result_seen.get())
    });
    result_overlay(result, move || view! { <Ratings game/> <Again game/> })
}

/// What the game did to the ratings.
#[component]
pub(super) fn Ratings(game: OnlineGame) -> impl IntoView {
    let words = game.words;
    let changes = Memo::new(move |_| {
        game.of(|live| {
            let rated = live.rated?;
            Some(
                Color::ALL
                    .map(|color| (display_name(live.players.get(color), words), *rated.get(color))),
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
fn Again(game: OnlineGame) -> impl IntoView {
    let words = game.words;
    let navigation = use_navigation();
    let may_rematch = Memo::new(move |_| {
        game.of(|live| live.you.is_some_and(|you| live.state.may_offer_rematch(you))) == Some(true)
    });
    let next = Memo::new(move |_| game.of(|live| live.state.next()).flatten());
    let review = format!("{}?game={}&review=yes", navigation.path(Page::Analysis), game.id);
    view! {
        <div class="result-actions">
            {move || next.get().map(|game| view! {
                <a class="button primary" href=navigation.path_of(Page::Game, game.as_str())>
                    {words.game_to_rematch()}
                </a>
            })}
            <Show when=move || may_rematch.get()>
                <button type="button" class="button primary" data-action="rematch"
                    on:click=move |_| game.act(Action::Rematch)>{words.play_rematch()}</button>
            </Show>
            <a class="button" data-action="review" href=review>{words.play_review()}</a>
            <button type="button" class="button" data-action="look" on:click=move |_| {
                game.result_seen.set(true);
                focus_board();
            }>{words.play_view_board()}</button>
        </div>
    }
}

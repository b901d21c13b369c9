//! The result over the board of an online game: rating changes, rematch and review.

use khet::Color;
use khet_protocol::{Action, RatingChange};
use leptos::prelude::*;

use super::state::OnlineGame;
use crate::browser::focus::focus_board;
use crate::game::session::GameSession;
use crate::game_ui::profile_name::display_name;
use crate::game_ui::result::{ResultText, result_overlay};
use crate::routing::{Page, use_navigation};

/// The result over the board, shown after the last shot.
#[component]
pub(super) fn ResultPanel(game: OnlineGame) -> impl IntoView {
    let words = game.words;
    let result = Memo::new(move |_| {
        let present = game.revealed.with(GameSession::is_at_latest);
        let result = game.revealed.with(|session| ResultText::of_session(words, session));
        result.filter(|_| present && !game.result_closed.get())
    });
    result_overlay(result, move || view! { <RatingChanges game/> <NextActions game/> })
}

/// The rating changes after the game.
#[component]
pub(super) fn RatingChanges(game: OnlineGame) -> impl IntoView {
    let words = game.words;
    let changes =
        Memo::new(move |_| {
            game.with_client(|client| {
                let changes = client.rating_changes?;
                Some(Color::ALL.map(|color| {
                    (display_name(client.players.get(color), words), *changes.get(color))
                }))
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

/// The next actions: rematch, review, view the board.
#[component]
fn NextActions(game: OnlineGame) -> impl IntoView {
    let words = game.words;
    let navigation = use_navigation();
    let may_rematch = Memo::new(move |_| {
        game.with_client(|client| client.you.is_some_and(|you| client.state.may_offer_rematch(you)))
            == Some(true)
    });
    let next = Memo::new(move |_| game.with_client(|client| client.state.rematch_game()).flatten());
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
                    on:click=move |_| game.send_action(Action::Rematch)>{words.play_rematch()}</button>
            </Show>
            <a class="button" data-action="review" href=review>{words.play_review()}</a>
            <button type="button" class="button" data-action="look" on:click=move |_| {
                game.result_closed.set(true);
                focus_board();
            }>{words.play_view_board()}</button>
        </div>
    }
}

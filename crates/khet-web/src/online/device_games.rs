//! The finished local games of this device: their page, and their list on the own profile.
//!
//! They need no server, but their cards look like those of online games, and only this program has
//! them. Without a network the service worker serves the page.

use khet::Color;
use leptos::prelude::*;

use super::archive::start_of_day;
use super::game_card::listed_player;
use crate::board::PlacementPicture;
use crate::controls::icon::{self, Icon};
use crate::game::{analysis_handover, finished_games, save};
use crate::game_ui::dates::day;
use crate::game_ui::names::{local_player_name, setup_name};
use crate::game_ui::result::ResultText;
use crate::languages::{Words, use_words};
use crate::routing::{Navigation, Page, use_navigation};
use crate::rules::Record;

/// The number of games that are shown at first. Many boards take long to draw.
const FIRST_GAMES: usize = 12;

/// The page with the finished local games.
#[component]
pub(super) fn DeviceGamesPage() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let none = finished_games::count() == 0;
    view! {
        <div class="page listed">
            <h1>{words.shell_device_games()}</h1>
            <p class="field-about">{words.device_about()}</p>
            {none.then(|| view! {
                <p>{words.archive_none()}</p>
                <a class="button primary" href=navigation.path(Page::Computer)>
                    {words.home_computer()}
                </a>
            })}
            <DeviceGames/>
        </div>
    }
}

/// The list of the finished local games, the newest first.
#[component]
pub(super) fn DeviceGames() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let list = StoredValue::new(finished_games::load());
    let all = RwSignal::new(false);
    let has_more = list.with_value(|list| finished_games::games(list).count() > FIRST_GAMES);
    let cards = move || {
        let count = if all.get() { usize::MAX } else { FIRST_GAMES };
        list.with_value(|list| {
            let games = finished_games::games(list).take(count);
            games.filter_map(|text| game_card(text, list, words, navigation)).collect_view()
        })
    };
    view! {
        <ul class="listed-games" data-list="device">{cards}</ul>
        <Show when=move || has_more && !all.get()>
            <div class="list-actions">
                <button type="button" class="button" data-action="more-games"
                    on:click=move |_| all.set(true)>
                    {words.archive_more()}
                </button>
            </div>
        </Show>
    }
}

/// Returns the card of a game, or `None` if it is unreadable. `list` is the list as the page was
/// opened: a deleted game returns to its place there until the page is left.
fn game_card(
    text: &str,
    list: &str,
    words: Words,
    navigation: Navigation,
) -> Option<impl IntoView + use<>> {
    let (text, list) = (text.to_owned(), list.to_owned());
    let content = card_content(&text, words, navigation)?;
    let deleted = RwSignal::new(false);
    let delete_or_restore = move |_| {
        if deleted.get_untracked() {
            finished_games::restore(&list, &text);
        } else {
            finished_games::delete(&text);
        }
        deleted.update(|deleted| *deleted = !*deleted);
    };
    // One button for both, so that the keyboard focus stays on it.
    let label = move || match deleted.get() {
        true => words.analysis_undo().into_any(),
        false => view! { <Icon path=icon::ABORT/> }.into_any(),
    };
    Some(view! {
        <li class="listed-game" class:deleted=move || deleted.get()>
            <div class="device-game" inert=move || deleted.get()>{content}</div>
            <p class="device-deleted" role="status">
                {move || deleted.get().then(|| words.device_deleted())}
            </p>
            <button type="button" class="button quiet" data-action="delete-finished"
                aria-label=move || (!deleted.get()).then(|| words.device_delete())
                on:click=delete_or_restore>{label}</button>
        </li>
    })
}

/// Returns the content of a card: the final position, the players, the result, the date.
fn card_content(text: &str, words: Words, navigation: Navigation) -> Option<impl IntoView + use<>> {
    let session = save::read(text).ok()?;
    let outcome = session.outcome();
    let result = ResultText::of_session(words, &session)?;
    let record: Record = text.parse().ok()?;
    let date = record.tag("Date").unwrap_or_default();
    let day = start_of_day(&date.replace('.', "-")).map(|at| format!(" · {}", day(at, words)));
    let setup = session.setup().map_or(words.play_own_position(), |it| setup_name(it, words));
    let plies = session.game().moves().len();
    let export = save::record(&session, date).to_string();
    let you = session.you();
    let open = move |_| analysis_handover::open(navigation, &export, plies, you, false);
    let player = |color| {
        let name = local_player_name(&session, color, words);
        listed_player(outcome, color, view! { <span class="face-name">{name}</span> })
    };
    Some(view! {
        <PlacementPicture placement=session.game().position().placement()/>
        <div class="listed-players">{player(Color::Silver)} {player(Color::Red)}</div>
        <button type="button" class="listed-link" data-action="open-finished" on:click=open>
            {result.headline()}
        </button>
        <span class="listed-more">{setup} " · " {words.archive_moves(plies)} {day}</span>
    })
}

//! The home page.

use std::time::Duration;

use khet::Setup;
use leptos::prelude::*;

use super::choice_icons::{COMPUTER_ICON, FRIEND_ICON, HOTSEAT_ICON, LOBBY_ICON};
use super::demo_board::DemoBoard;
use crate::api::inbox::{self, InboxEntry, InboxEntryKind};
use crate::app::inbox_menu::game_title;
use crate::board::BoardPicture;
use crate::game::{finished_games, pending_start::set_pending_setup};
use crate::languages::use_words;
use crate::local_game::unfinished_games;
use crate::routing::{Page, use_navigation};

/// Delay before the pictures of the setups are drawn, so that the rest of the page is usable first.
const PICTURE_DELAY: Duration = Duration::from_millis(400);

/// Largest number of online games to continue.
const MAX_ONLINE_GAMES: usize = 3;

/// The home page.
#[component]
pub fn HomePage() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let continue_links = unfinished_games().into_iter().map(|page| {
        let more = match page {
            Page::Hotseat => words.home_hotseat(),
            Page::TowerComputer | Page::TowerHotseat => words.play_group_tower(),
            _ => words.home_computer(),
        };
        view! {
            <a class="home-continue button primary" href=navigation.path(page)>
                <strong>{words.home_continue()}</strong>
                <span>{more}</span>
            </a>
        }
    });
    // Below the rules, which are what newcomers look for.
    let finished = (finished_games::count() > 0).then(|| {
        let path = navigation.path(Page::DeviceGames);
        view! { <a href=path>{words.shell_device_games()}</a> }
    });
    let online_games = move || {
        let mut games = inbox::entries();
        games.retain(|entry| {
            matches!(entry.kind, InboxEntryKind::YourTurn | InboxEntryKind::OpponentsTurn)
        });
        let game = |entry: &InboxEntry| {
            let path = navigation.path_of(Page::Game, &entry.id);
            let (title, more) = (words.home_continue(), game_title(entry, words));
            let class = if entry.kind == InboxEntryKind::YourTurn { " primary" } else { "" };
            format!(
                r#"<a class="home-continue button{class}" href="{path}"><strong>{title}</strong><span>{more}</span></a>"#
            )
        };
        games.iter().take(MAX_ONLINE_GAMES).map(game).collect::<String>()
    };
    view! {
        <div class="home">
            <section class="home-first">
                <DemoBoard/>
                <div class="home-welcome">
                    <h1>{words.app_name()}</h1>
                    <p class="home-sentence">{words.home_intro()}</p>
                    <div class="home-games" inner_html=online_games></div>
                    {continue_links.collect_view()}
                    <nav class="home-links" aria-label=words.home_ways_to_play()>
                        {home_link(
                            navigation.path(Page::Computer),
                            COMPUTER_ICON,
                            words.home_computer(),
                            words.home_computer_more(),
                        )}
                        {home_link(
                            navigation.path(Page::Friend),
                            FRIEND_ICON,
                            words.home_friend(),
                            words.home_friend_more(),
                        )}
                        {home_link(
                            navigation.path(Page::Lobby),
                            LOBBY_ICON,
                            words.home_lobby(),
                            words.home_lobby_more(),
                        )}
                        {home_link(
                            navigation.path(Page::Hotseat),
                            HOTSEAT_ICON,
                            words.home_hotseat(),
                            words.home_hotseat_more(),
                        )}
                    </nav>
                    <p class="home-learn">
                        <a href=navigation.path(Page::Rules)>{words.home_learn()}</a>
                        <span>{words.home_learn_more()}</span>
                        <a href=navigation.path_of(Page::Puzzle, "daily")>{words.home_puzzle()}</a>
                        {finished}
                    </p>
                </div>
            </section>
            <Setups/>
            <p class="home-free">{words.home_free()}</p>
        </div>
    }
}

fn home_link(
    href: String,
    icon: &'static str,
    title: &'static str,
    more: &'static str,
) -> impl IntoView {
    view! {
        <a class="home-link" href=href>
            <svg viewBox="0 0 24 24" aria-hidden="true"><path d=icon/></svg>
            <span class="home-link-text">
                <strong>{title}</strong>
                <span>{more}</span>
            </span>
        </a>
    }
}

/// The setups of the standard edition as pictures. Each starts a game against the computer.
#[component]
fn Setups() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let drawn = RwSignal::new(false);
    set_timeout(
        move || {
            // The page may have been closed by then.
            let _ = drawn.try_set(true);
        },
        PICTURE_DELAY,
    );
    let card = move |setup: Setup, name: &'static str, more: &'static str| {
        view! {
            <li>
                <a class="setup" href=navigation.path(Page::Computer) on:click=move |_| set_pending_setup(setup.into())>
                    <div class="setup-picture">
                        {move || {
                            drawn
                                .get()
                                .then(|| view! { <BoardPicture position=setup.position()/> })
                        }}
                    </div>
                    <strong>{name}</strong>
                    <span>{more}</span>
                </a>
            </li>
        }
    };
    view! {
        <section class="home-setups" aria-labelledby="home-setups-title">
            <h2 id="home-setups-title">{words.home_setups()}</h2>
            <ul>
                {card(Setup::Classic, words.setup_classic(), words.home_classic_more())}
                {card(Setup::Imhotep, words.setup_imhotep(), words.home_imhotep_more())}
                {card(Setup::Dynasty, words.setup_dynasty(), words.home_dynasty_more())}
            </ul>
            <p class="home-learn">
                <a href=navigation.path(Page::TowerComputer)>{words.play_group_tower()}</a>
                <span>{words.home_tower_more()}</span>
            </p>
        </section>
    }
}

//! The home page.

use std::time::Duration;

use khet::Setup;
use leptos::prelude::*;

use super::demo_board::DemoBoard;
use crate::board::BoardPicture;
use crate::languages::use_words;
use crate::routing::{Page, use_navigation};
use crate::{game::pending_start::set_pending_setup, local_game::unfinished_games};

/// Delay before the pictures of the setups are drawn, so that the rest of the page is usable first.
const PICTURE_DELAY: Duration = Duration::from_millis(400);

/// The home page.
#[component]
pub fn HomePage() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let continue_links = unfinished_games().into_iter().map(|page| {
        let more = match page {
            Page::Hotseat => words.home_hotseat(),
            _ => words.home_computer(),
        };
        view! {
            <a class="home-continue button primary" href=navigation.path(page)>
                <strong>{words.home_continue()}</strong>
                <span>{more}</span>
            </a>
        }
    });
    view! {
        <div class="home">
            <section class="home-first">
                <DemoBoard/>
                <div class="home-welcome">
                    <h1>{words.app_name()}</h1>
                    <p class="home-sentence">{words.home_intro()}</p>
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
                            navigation.path(Page::Hotseat),
                            HOTSEAT_ICON,
                            words.home_hotseat(),
                            words.home_hotseat_more(),
                        )}
                        {home_link(
                            navigation.path(Page::Rules),
                            RULES_ICON,
                            words.home_learn(),
                            words.home_learn_more(),
                        )}
                    </nav>
                </div>
            </section>
            <Setups/>
            <p class="home-free">{words.home_free()}</p>
        </div>
    }
}

/// The eye of Horus.
const COMPUTER_ICON: &str = "M3 12 C6 7 9 5 12 5 C15 5 18 7 21 12 C18 15 15 16.5 12 16.5 C9 16.5 6 15 3 12 Z \
     M12 8 a3 3 0 1 0 .01 0 M9 17 L7 21 M14 17 C14 20 17 21 19 19.5";
/// Two links of a chain, for the link to a challenge.
const FRIEND_ICON: &str = "M10 14 L14 10 M11 7.5 L13.5 5 A4 4 0 0 1 19 10.5 L16.5 13 M13 16.5 L10.5 19 A4 4 0 0 1 5 13.5 L7.5 11";
/// Two players on either side of a board.
const HOTSEAT_ICON: &str =
    "M4 9 H20 V15 H4 Z M12 9 V15 M12 2.5 a1.8 1.8 0 1 0 .01 0 M12 17.9 a1.8 1.8 0 1 0 .01 0";
/// A scroll.
const RULES_ICON: &str = "M7 4 H18 V17 M7 4 A2 2 0 0 0 5 6 V8 H9 M9 8 V6 A2 2 0 0 0 7 4 M9 8 V18 A2 2 0 0 0 11 20 \
     H19 A2 2 0 0 0 21 18 V17 H13 V18 A2 2 0 0 1 11 20 M12 8 H15.5 M12 11.5 H15.5";

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
                <a class="setup" href=navigation.path(Page::Computer) on:click=move |_| set_pending_setup(setup)>
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
        </section>
    }
}

//! The names of pages, for menus and for the title of the document.

use crate::languages::Words;
use crate::routing::{Area, Page};

/// Returns the name of a page.
pub(super) fn page_title(page: Page, words: Words) -> &'static str {
    match page {
        Page::Home => words.app_name(),
        Page::Computer => words.shell_computer(),
        Page::Hotseat => words.shell_hotseat(),
        Page::Rules => words.shell_rules(),
        Page::Friend => words.friend_title(),
        Page::Lobby => words.lobby_title(),
        Page::Watch => words.shell_live_games(),
        Page::Archive => words.archive_title(),
        Page::Leaderboard => words.leaders_title(),
        Page::DeviceGames => words.shell_device_games(),
        Page::Account => words.account_title(),
        Page::Challenge => words.challenge_title(),
        Page::Game => words.game_title(),
        Page::Person => words.person_title(),
        Page::Setups => words.shell_gallery(),
        Page::Setup => words.setups_title(),
        Page::Editor => words.editor_title(),
        Page::Analysis => words.analysis_title(),
        Page::Strategy => words.shell_strategy(),
        Page::Course => words.shell_course(),
        Page::About => words.shell_about(),
        Page::Privacy => words.shell_privacy(),
        Page::Faq => words.shell_faq(),
        Page::Notation => words.shell_notation(),
        Page::TowerComputer => words.play_group_tower(),
        Page::TowerHotseat => words.shell_hotseat(),
        Page::Puzzles | Page::Puzzle => words.shell_puzzles(),
        Page::NotFound => words.not_found_title(),
    }
}

/// Returns the name of an area of the navigation.
pub(super) fn area_title(area: Area, words: Words) -> &'static str {
    match area {
        Area::Play => words.shell_play(),
        Area::Puzzles => words.shell_puzzles(),
        Area::Learn => words.shell_learn(),
        Area::Watch => words.watch_title(),
        Area::Setups => words.shell_setups(),
        Area::Analysis => words.shell_analysis(),
    }
}

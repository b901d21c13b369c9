//! The pages of the app, and the program that each belongs to.

use leptos::prelude::window;

use crate::languages::{Language, TextSet};

/// One of the WebAssembly programs that the app is split into, so that visitors load only the code
/// they use. The browser loads a new document when it goes from one program to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// Home page and local games.
    Home,
    /// Online play.
    Online,
    /// The setup gallery and the setup editor.
    Setups,
    /// Analysis.
    Analysis,
    /// Course, rules, strategy guide, and the pages about the app.
    Learn,
    /// Local games with a tower.
    Tower,
    /// Puzzles.
    Puzzles,
}

impl Program {
    /// Returns the sets of texts that the program shows.
    pub fn text_sets(self) -> &'static [TextSet] {
        match self {
            Program::Home => &[TextSet::Shared],
            Program::Online => &[TextSet::Shared, TextSet::Tower, TextSet::Online],
            Program::Setups => &[TextSet::Shared, TextSet::Tower, TextSet::Setups],
            Program::Analysis => &[TextSet::Shared, TextSet::Tower, TextSet::Analysis],
            Program::Learn => &[TextSet::Shared, TextSet::Tower, TextSet::Learn],
            Program::Tower => &[TextSet::Shared, TextSet::Tower],
            Program::Puzzles => &[TextSet::Shared, TextSet::Puzzles],
        }
    }
}

/// A page of the app.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Page {
    /// The home page.
    Home,
    /// A game against the computer.
    Computer,
    /// Pass and play on one device. Its slug is `table`, which links and saved games contain.
    Hotseat,
    /// The rules.
    Rules,
    /// A form to challenge a friend.
    Friend,
    /// Open challenges and quick pairing.
    Lobby,
    /// Live games.
    Watch,
    /// The archive of finished games.
    Archive,
    /// The leaderboard.
    Leaderboard,
    /// The finished local games of this device.
    DeviceGames,
    /// Sign-up, sign-in and account settings.
    Account,
    /// A challenge, by id.
    Challenge,
    /// An online game, by id.
    Game,
    /// A player's profile, by name.
    Person,
    /// The gallery of setups.
    Setups,
    /// The setup editor.
    Editor,
    /// The analysis board.
    Analysis,
    /// A published setup, by id.
    Setup,
    /// The strategy guide.
    Strategy,
    /// The course. The query names a step: `?step=swap`.
    Course,
    /// The page about the app: purpose, credits, licence.
    About,
    /// The privacy page.
    Privacy,
    /// Frequently asked questions.
    Faq,
    /// How moves, positions and games are written.
    Notation,
    /// A game with a tower against the computer.
    TowerComputer,
    /// Pass and play with a tower.
    TowerHotseat,
    /// The overview of the puzzles.
    Puzzles,
    /// A puzzle by its name, or another page of the puzzles, such as `storm`.
    Puzzle,
    /// The page for unknown addresses.
    NotFound,
}

/// A group of pages in the navigation, named after what visitors want to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Area {
    /// Playing a game.
    Play,
    /// Puzzles.
    Puzzles,
    /// Course, rules and strategy.
    Learn,
    /// Games of others.
    Watch,
    /// Browsing and designing setups.
    Setups,
    /// The analysis board.
    Analysis,
}

impl Area {
    /// All areas in the order of the navigation.
    pub const ALL: [Area; 6] =
        [Area::Play, Area::Puzzles, Area::Learn, Area::Watch, Area::Setups, Area::Analysis];

    /// Returns the pages in the area's menu.
    pub fn pages(self) -> &'static [Page] {
        match self {
            Area::Play => &[
                Page::Computer,
                Page::Friend,
                Page::Lobby,
                Page::Hotseat,
                Page::TowerComputer,
                Page::DeviceGames,
            ],
            Area::Puzzles => &[Page::Puzzles],
            Area::Learn => &[Page::Course, Page::Rules, Page::Strategy],
            Area::Watch => &[Page::Watch, Page::Archive, Page::Leaderboard],
            Area::Setups => &[Page::Setups, Page::Editor],
            Area::Analysis => &[Page::Analysis],
        }
    }
}

impl Page {
    /// All pages that have an address.
    pub const ALL: [Page; 28] = [
        Page::Home,
        Page::Computer,
        Page::Hotseat,
        Page::Rules,
        Page::Friend,
        Page::Lobby,
        Page::Watch,
        Page::Archive,
        Page::Leaderboard,
        Page::DeviceGames,
        Page::Account,
        Page::Challenge,
        Page::Game,
        Page::Person,
        Page::Setups,
        Page::Editor,
        Page::Analysis,
        Page::Setup,
        Page::Strategy,
        Page::Course,
        Page::About,
        Page::Privacy,
        Page::Faq,
        Page::Notation,
        Page::TowerComputer,
        Page::TowerHotseat,
        Page::Puzzles,
        Page::Puzzle,
    ];

    /// Returns the page's part of the path, which is empty for the home page.
    pub fn slug(self) -> &'static str {
        match self {
            Page::Home | Page::NotFound => "",
            Page::Computer => "computer",
            Page::Hotseat => "table",
            Page::Rules => "rules",
            Page::Friend => "friend",
            Page::Lobby => "lobby",
            Page::Watch => "watch",
            Page::Archive => "games",
            Page::Leaderboard => "leaders",
            Page::DeviceGames => "device-games",
            Page::Account => "account",
            Page::Challenge => "challenge",
            Page::Game => "game",
            Page::Person => "person",
            Page::Setups => "setups",
            Page::Editor => "editor",
            Page::Analysis => "analysis",
            Page::Setup => "setup",
            Page::Strategy => "strategy",
            Page::Course => "course",
            Page::About => "about",
            Page::Privacy => "privacy",
            Page::Faq => "faq",
            Page::Notation => "notation",
            Page::TowerComputer => "tower-computer",
            Page::TowerHotseat => "tower-table",
            Page::Puzzles | Page::Puzzle => "puzzles",
        }
    }

    /// Returns the program that contains the page.
    pub fn program(self) -> Program {
        match self {
            Page::Home | Page::Computer | Page::Hotseat | Page::NotFound => Program::Home,
            Page::Friend
            | Page::Lobby
            | Page::Watch
            | Page::Archive
            | Page::Leaderboard
            | Page::DeviceGames
            | Page::Account
            | Page::Challenge
            | Page::Game
            | Page::Person => Program::Online,
            Page::Setups | Page::Editor | Page::Setup => Program::Setups,
            Page::Analysis => Program::Analysis,
            Page::Rules
            | Page::Strategy
            | Page::Course
            | Page::About
            | Page::Privacy
            | Page::Faq
            | Page::Notation => Program::Learn,
            Page::TowerComputer | Page::TowerHotseat => Program::Tower,
            Page::Puzzles | Page::Puzzle => Program::Puzzles,
        }
    }

    /// Returns the area of the navigation that is marked while the page is shown.
    pub fn area(self) -> Option<Area> {
        match self {
            Page::Computer
            | Page::Hotseat
            | Page::Friend
            | Page::Lobby
            | Page::DeviceGames
            | Page::Challenge
            | Page::Game
            | Page::TowerComputer
            | Page::TowerHotseat => Some(Area::Play),
            Page::Puzzles | Page::Puzzle => Some(Area::Puzzles),
            Page::Rules | Page::Strategy | Page::Course => Some(Area::Learn),
            Page::Watch | Page::Archive | Page::Leaderboard | Page::Person => Some(Area::Watch),
            Page::Setups | Page::Editor | Page::Setup => Some(Area::Setups),
            Page::Analysis => Some(Area::Analysis),
            Page::Home
            | Page::Account
            | Page::About
            | Page::Privacy
            | Page::Faq
            | Page::Notation
            | Page::NotFound => None,
        }
    }

    /// Returns whether a board takes the whole height of the window, so that neither a footer nor
    /// a bar at the bottom fits.
    pub fn fills_window(self) -> bool {
        matches!(
            self,
            Page::Computer
                | Page::Hotseat
                | Page::TowerComputer
                | Page::TowerHotseat
                | Page::Game
                | Page::Editor
                | Page::Analysis
        )
    }

    /// Returns the page for games with a tower that corresponds to a page of local games, and every
    /// other page as it is.
    pub fn with_tower(self) -> Page {
        match self {
            Page::Computer => Page::TowerComputer,
            Page::Hotseat => Page::TowerHotseat,
            page => page,
        }
    }

    /// Returns whether the path ends with a subject, such as a game's id.
    pub fn has_subject(self) -> bool {
        matches!(self, Page::Challenge | Page::Game | Page::Person | Page::Setup | Page::Puzzle)
    }

    /// Returns the path of the page in a language, without a subject.
    pub fn path(self, language: Language) -> String {
        match self.slug() {
            "" => format!("/{}", language.code()),
            word => format!("/{}/{word}", language.code()),
        }
    }

    /// Returns the path of the page in a language, with a subject unless it is empty.
    pub fn path_of(self, language: Language, subject: &str) -> String {
        let path = self.path(language);
        if subject.is_empty() { path } else { format!("{path}/{subject}") }
    }

    /// Returns the link to the page for other people. It names no language, so that they see the
    /// page in their own. `rest` is the query or fragment.
    pub fn link_to_share(self, subject: &str, rest: &str) -> String {
        let origin = window().location().origin().unwrap_or_default();
        let (slash, word) = (if subject.is_empty() { "" } else { "/" }, self.slug());
        format!("{origin}/{word}{slash}{subject}{rest}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_an_area_belong_to_it() {
        for area in Area::ALL {
            for page in area.pages() {
                assert_eq!(page.area(), Some(area), "{page:?}");
                assert!(!page.has_subject(), "{page:?} can be linked to");
            }
        }
    }

    #[test]
    fn every_page_of_an_area_is_in_its_menu_unless_it_has_a_subject() {
        // The menu has one entry for both pages of games with a tower.
        let other = Page::TowerHotseat;
        for page in Page::ALL.into_iter().filter(|&page| !page.has_subject() && page != other) {
            let listed = page.area().is_none_or(|area| area.pages().contains(&page));
            assert!(listed, "{page:?}");
        }
    }
}

//! The pages of the app, and the program that each belongs to.

use crate::languages::Language;

/// One of the WebAssembly programs that the app is split into, so that visitors load only the code
/// they use. The browser loads a new document when it goes from one program to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// Home page, local games and rules.
    Home,
    /// Online play.
    Online,
    /// The setup gallery and the setup editor.
    Setups,
    /// Analysis.
    Analysis,
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
    /// The page for unknown addresses.
    NotFound,
}

impl Page {
    /// All pages that have an address.
    pub const ALL: [Page; 17] = [
        Page::Home,
        Page::Computer,
        Page::Hotseat,
        Page::Rules,
        Page::Friend,
        Page::Lobby,
        Page::Watch,
        Page::Archive,
        Page::Leaderboard,
        Page::Account,
        Page::Challenge,
        Page::Game,
        Page::Person,
        Page::Setups,
        Page::Editor,
        Page::Analysis,
        Page::Setup,
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
            Page::Account => "account",
            Page::Challenge => "challenge",
            Page::Game => "game",
            Page::Person => "person",
            Page::Setups => "setups",
            Page::Editor => "editor",
            Page::Analysis => "analysis",
            Page::Setup => "setup",
        }
    }

    /// Returns the program that contains the page.
    pub fn program(self) -> Program {
        match self {
            Page::Home | Page::Computer | Page::Hotseat | Page::Rules | Page::NotFound => {
                Program::Home
            }
            Page::Friend
            | Page::Lobby
            | Page::Watch
            | Page::Archive
            | Page::Leaderboard
            | Page::Account
            | Page::Challenge
            | Page::Game
            | Page::Person => Program::Online,
            Page::Setups | Page::Editor | Page::Setup => Program::Setups,
            Page::Analysis => Program::Analysis,
        }
    }

    /// Returns the page whose link in the header is highlighted.
    pub fn header_page(self) -> Page {
        match self {
            Page::Setups | Page::Editor | Page::Setup => Page::Setups,
            page if page.program() == Program::Online => Page::Lobby,
            page => page,
        }
    }

    /// Returns whether the path ends with a subject, such as a game's id.
    pub fn has_subject(self) -> bool {
        matches!(self, Page::Challenge | Page::Game | Page::Person | Page::Setup)
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
}

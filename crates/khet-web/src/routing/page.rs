//! The pages of the app, and the program that each belongs to.

use crate::languages::Language;

/// One of the WebAssembly programs that the app is split into, so that visitors load only the code
/// they use. The browser loads a new document when it goes from one program to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// Playing at home, and learning how.
    Home,
    /// Playing over the network.
    Online,
    /// Making setups, and those of others.
    Setups,
    /// Looking into games.
    Analysis,
}

/// A page of the app.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Page {
    /// The first page.
    Home,
    /// A game against the computer.
    Computer,
    /// A game of two at one table.
    Hotseat,
    /// The rules.
    Rules,
    /// Challenging a friend.
    Friend,
    /// Open challenges, and quick pairing.
    Lobby,
    /// Games that are played now.
    Watch,
    /// Games that were played.
    Games,
    /// The best players.
    Leaders,
    /// Signing up and in, and what is one's own.
    Account,
    /// A challenge, by its id.
    Challenge,
    /// A game over the network, by its id.
    Game,
    /// A person, by name.
    Person,
    /// Setups that players have made.
    Setups,
    /// Making a setup.
    Editor,
    /// Looking into a game or a position.
    Analysis,
    /// A setup that was published, by its id.
    Setup,
    /// What is shown where there is no page.
    NotFound,
}

impl Page {
    /// The pages that have an address.
    pub const ALL: [Page; 17] = [
        Page::Home,
        Page::Computer,
        Page::Hotseat,
        Page::Rules,
        Page::Friend,
        Page::Lobby,
        Page::Watch,
        Page::Games,
        Page::Leaders,
        Page::Account,
        Page::Challenge,
        Page::Game,
        Page::Person,
        Page::Setups,
        Page::Editor,
        Page::Analysis,
        Page::Setup,
    ];

    /// The page's word in addresses. The first page needs none.
    pub fn word(self) -> &'static str {
        match self {
            Page::Home | Page::NotFound => "",
            Page::Computer => "computer",
            Page::Hotseat => "table",
            Page::Rules => "rules",
            Page::Friend => "friend",
            Page::Lobby => "lobby",
            Page::Watch => "watch",
            Page::Games => "games",
            Page::Leaders => "leaders",
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

    /// The program that it belongs to.
    pub fn program(self) -> Program {
        match self {
            Page::Home | Page::Computer | Page::Hotseat | Page::Rules | Page::NotFound => {
                Program::Home
            }
            Page::Friend
            | Page::Lobby
            | Page::Watch
            | Page::Games
            | Page::Leaders
            | Page::Account
            | Page::Challenge
            | Page::Game
            | Page::Person => Program::Online,
            Page::Setups | Page::Editor | Page::Setup => Program::Setups,
            Page::Analysis => Program::Analysis,
        }
    }

    /// The page that stands for it in the header: of several that belong together, the first.
    pub fn stands_under(self) -> Page {
        match self {
            Page::Setups | Page::Editor | Page::Setup => Page::Setups,
            page if page.program() == Program::Online => Page::Lobby,
            page => page,
        }
    }

    /// Whether its address says what it is about, such as a game's id.
    pub fn has_about(self) -> bool {
        matches!(self, Page::Challenge | Page::Game | Page::Person | Page::Setup)
    }

    /// The page's address in a language, without what it is about.
    pub fn path(self, language: Language) -> String {
        match self.word() {
            "" => format!("/{}", language.code()),
            word => format!("/{}/{word}", language.code()),
        }
    }

    /// The page's address in a language.
    pub fn path_of(self, language: Language, about: &str) -> String {
        let path = self.path(language);
        if about.is_empty() { path } else { format!("{path}/{about}") }
    }
}

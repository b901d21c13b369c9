//! The texts of the pages about the app.

use super::article::{Article, Section, text};
use crate::languages::Words;
use crate::routing::Page;

/// The page about the app: purpose, credits, licence.
pub static ABOUT: Article = Article {
    title: Words::about_title,
    lead: Words::about_lead,
    sections: &[
        Section {
            anchor: "game",
            links: &[(Page::Rules, Words::shell_rules), (Page::Strategy, Words::strategy_title)],
            ..text(Words::about_game, &[Words::about_game_text])
        },
        Section { anchor: "app", ..text(Words::about_app, &[Words::about_app_text]) },
        Section { anchor: "licence", ..text(Words::about_licence, &[Words::about_licence_text]) },
        Section {
            anchor: "trademark",
            ..text(Words::about_trademark, &[Words::about_trademark_text])
        },
    ],
};

/// The privacy page. It describes the tables in `khet-server/src/storage` and the keys that the app
/// keeps in local storage: update it when either changes.
pub static PRIVACY: Article = Article {
    title: Words::privacy_title,
    lead: Words::privacy_lead,
    sections: &[
        Section { anchor: "device", ..text(Words::privacy_device, &[Words::privacy_device_text]) },
        Section { anchor: "cookie", ..text(Words::privacy_cookie, &[Words::privacy_cookie_text]) },
        Section { anchor: "guest", ..text(Words::privacy_guest, &[Words::privacy_guest_text]) },
        Section {
            anchor: "account",
            ..text(Words::privacy_account, &[Words::privacy_account_text])
        },
        Section { anchor: "games", ..text(Words::privacy_games, &[Words::privacy_games_text]) },
        Section {
            anchor: "addresses",
            ..text(Words::privacy_address, &[Words::privacy_address_text])
        },
        Section {
            anchor: "export",
            links: &[(Page::Account, Words::account_title)],
            ..text(Words::privacy_rights, &[Words::privacy_rights_text])
        },
    ],
};

/// Frequently asked questions.
pub static FAQ: Article = Article {
    title: Words::faq_title,
    lead: Words::faq_lead,
    sections: &[
        Section { anchor: "ratings", ..text(Words::faq_rating, &[Words::faq_rating_text]) },
        Section { anchor: "time", ..text(Words::faq_time, &[Words::faq_time_text]) },
        Section { anchor: "leaving", ..text(Words::faq_leave, &[Words::faq_leave_text]) },
        Section { anchor: "abort", ..text(Words::faq_abort, &[Words::faq_abort_text]) },
        Section {
            anchor: "password",
            links: &[(Page::Account, Words::account_title)],
            ..text(Words::faq_password, &[Words::faq_password_text])
        },
        Section { anchor: "fair-play", ..text(Words::faq_fair, &[Words::faq_fair_text]) },
        Section { anchor: "offline", ..text(Words::faq_offline, &[Words::faq_offline_text]) },
    ],
};

/// How moves, positions and games are written.
pub static NOTATION: Article = Article {
    title: Words::notation_title,
    lead: Words::notation_lead,
    sections: &[
        Section {
            anchor: "squares",
            ..text(Words::notation_squares, &[Words::notation_squares_text])
        },
        Section {
            anchor: "moves",
            examples: &[
                ("h2g2", Words::notation_step),
                ("d1^d2", Words::notation_top),
                ("h2+", Words::notation_clockwise),
                ("h2-", Words::notation_counterclockwise),
            ],
            ..text(Words::notation_moves, &[Words::notation_moves_text])
        },
        Section {
            anchor: "hits",
            examples: &[
                ("xg3", Words::notation_hit),
                ("xd1^", Words::notation_hit_top),
                ("xf8#", Words::notation_hit_pharaoh),
            ],
            ..text(Words::notation_hits, &[Words::notation_hits_text])
        },
        Section {
            anchor: "positions",
            examples: &[(CLASSIC, Words::notation_position)],
            ..text(Words::notation_positions, &[Words::notation_positions_text])
        },
        Section {
            anchor: "games",
            links: &[(Page::Analysis, Words::shell_analysis)],
            ..text(Words::notation_games, &[Words::notation_games_text])
        },
    ],
};

const CLASSIC: &str = "4o2ko2p22/2p37/3P46/p11P31d1d21p21P4/p21P41D2D11p11P3/6p23/7P12/2P4O2KO24 s";

#[cfg(test)]
mod tests {
    use khet::Setup;

    use super::*;
    use crate::rules::Move;

    #[test]
    fn examples_of_the_notation_are_right() {
        assert_eq!(Setup::Classic.position().to_string(), CLASSIC);
        let moves = NOTATION.sections.iter().find(|section| section.anchor == "moves").unwrap();
        for (example, _) in moves.examples {
            assert_eq!(example.parse::<Move>().unwrap().to_string(), *example);
        }
    }
}

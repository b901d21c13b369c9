//! The entries of the lobby's list, and the opponents that are offered to a waiting player.

use khet::TimeControl;
use khet_protocol::{
    Challenge, ColorPreference, GameOptions, LobbyResponse, NewChallenge, PersonId, PersonKind,
    PublicProfile, Seek,
};

/// An entry of the list: a seek or an open challenge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Entry {
    Seek(Seek),
    Challenge(Challenge),
}

impl Entry {
    /// Returns all entries: people who wait right now, then challenges.
    pub(super) fn all(response: &LobbyResponse) -> Vec<Entry> {
        let seeks = response.seeks.iter().cloned().map(Entry::Seek);
        seeks.chain(response.challenges.iter().cloned().map(Entry::Challenge)).collect()
    }

    pub(super) fn id(&self) -> String {
        match self {
            Entry::Seek(seek) => seek.id.to_string(),
            Entry::Challenge(challenge) => challenge.id.to_string(),
        }
    }

    /// Returns the opponent.
    pub(super) fn by(&self) -> &PublicProfile {
        match self {
            Entry::Seek(seek) => &seek.by,
            Entry::Challenge(challenge) => &challenge.by,
        }
    }

    pub(super) fn options(&self) -> &GameOptions {
        match self {
            Entry::Seek(seek) => &seek.options,
            Entry::Challenge(challenge) => &challenge.options,
        }
    }

    /// Returns the colour that the opponent wants.
    pub(super) fn color(&self) -> ColorPreference {
        match self {
            Entry::Seek(seek) => seek.color,
            Entry::Challenge(challenge) => challenge.color,
        }
    }

    /// Returns the path that accepts the entry.
    pub(super) fn accept_path(&self) -> String {
        match self {
            Entry::Seek(seek) => format!("/api/seeks/{}/accept", seek.id),
            Entry::Challenge(challenge) => format!("/api/challenges/{}/accept", challenge.id),
        }
    }

    /// Returns whether the entry matches a seek except that one is rated and the other casual. The
    /// server pairs such players only if one of them accepts.
    fn is_near_match(&self, seek: &NewChallenge, me: PersonId) -> bool {
        let by = self.by();
        by.id != me
            && by.kind != PersonKind::Bot
            && self.options().differs_only_in_rated(&seek.options)
            && self.color().is_compatible_with(seek.color)
    }
}

/// Returns the people who want the same game as the seek, but casual instead of rated or rated
/// instead of casual.
pub(super) fn near_matches(
    response: &LobbyResponse,
    seek: &NewChallenge,
    me: PersonId,
) -> Vec<Entry> {
    let entries = Entry::all(response).into_iter();
    entries.filter(|entry| entry.is_near_match(seek, me)).collect()
}

/// A bot that is offered to a waiting player, for a casual game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum BotOffer {
    /// The bot has posted a challenge to such a game.
    Posted(Challenge),
    /// The bot accepts challenges to such games.
    Waiting(PublicProfile),
}

impl BotOffer {
    pub(super) fn profile(&self) -> &PublicProfile {
        match self {
            BotOffer::Posted(challenge) => &challenge.by,
            BotOffer::Waiting(profile) => profile,
        }
    }
}

/// Returns the bots that can be offered instead of a person, sorted by name.
pub(super) fn bot_offers(response: &LobbyResponse, seek: &NewChallenge) -> Vec<BotOffer> {
    let wanted = casual(seek).options;
    let posted = response
        .challenges
        .iter()
        .filter(|challenge| challenge.by.kind == PersonKind::Bot && challenge.options == wanted);
    let mut offers: Vec<BotOffer> = posted.cloned().map(BotOffer::Posted).collect();
    let accepts = |times: &[TimeControl]| times.contains(&wanted.time);
    for bot in response.bots.iter().filter(|bot| accepts(&bot.times)) {
        if offers.iter().all(|offer| offer.profile().id != bot.profile.id) {
            offers.push(BotOffer::Waiting(bot.profile.clone()));
        }
    }
    // Shorter names first: Khet-4 before Khet-10.
    offers.sort_by_key(|offer| {
        let name = offer.profile().name.as_ref().map(|name| name.as_str().to_owned());
        (name.as_ref().map(String::len), name)
    });
    offers
}

/// Returns the casual game of a seek.
pub(super) fn casual(seek: &NewChallenge) -> NewChallenge {
    let options = GameOptions { rated: false, ..seek.options.clone() };
    NewChallenge { options, ..seek.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ME: u128 = 1;

    fn profile(number: u128, kind: &str, name: &str) -> serde_json::Value {
        let id = PersonId::from_number(number);
        serde_json::json!({"id": id, "kind": kind, "name": name})
    }

    fn seek(text: &str) -> NewChallenge {
        serde_json::from_str(text).expect("a seek")
    }

    fn response() -> LobbyResponse {
        let seek = |id: &str, by: u128, rated: bool, time: &str, color: &str| {
            serde_json::json!({
                "id": id, "by": profile(by, "account", "Someone"), "start": "classic",
                "time": time, "rated": rated, "color": color, "at": 1,
            })
        };
        let bot_challenge = |id: &str, by: u128, name: &str, time: &str| {
            serde_json::json!({
                "id": id, "by": profile(by, "bot", name), "start": "classic", "time": time,
                "rated": false, "color": "random", "open": true, "at": 1,
            })
        };
        serde_json::from_value(serde_json::json!({
            "people": 9, "games": 0,
            "seeks": [
                seek("aaaaaaaaaa", ME, false, "300+3", "random"),
                seek("bbbbbbbbbb", 2, false, "300+3", "random"),
                seek("cccccccccc", 3, false, "600+5", "random"),
                seek("dddddddddd", 4, true, "300+3", "random"),
                seek("eeeeeeeeee", 5, false, "300+3", "silver"),
            ],
            "challenges": [
                bot_challenge("ffffffffff", 6, "Khet-10", "300+3"),
                bot_challenge("gggggggggg", 7, "Khet-1", "600+5"),
            ],
            "bots": [
                {"profile": profile(6, "bot", "Khet-10"), "times": ["300+3", "600+5"]},
                {"profile": profile(8, "bot", "Khet-4"), "times": ["300+3"]},
                {"profile": profile(9, "bot", "Slow"), "times": ["1800+20"]},
            ],
        }))
        .expect("a lobby")
    }

    #[test]
    fn near_matches_differ_only_in_rated() {
        let me = PersonId::from_number(ME);
        let ids = |text: &str| {
            let found = near_matches(&response(), &seek(text), me);
            found.iter().map(|entry| entry.id()[..1].to_owned()).collect::<String>()
        };
        let rated = r#"{"start": "classic", "time": "300+3", "rated": true}"#;
        assert_eq!(ids(rated), "be", "casual seekers with the same time control, but not myself");
        let silver = r#"{"start": "classic", "time": "300+3", "rated": true, "color": "silver"}"#;
        assert_eq!(ids(silver), "b", "both can't play Silver");
        assert_eq!(ids(r#"{"start": "classic", "time": "300+3"}"#), "d");
        assert_eq!(ids(r#"{"start": "imhotep", "time": "300+3"}"#), "");
    }

    #[test]
    fn each_suitable_bot_is_offered_once() {
        let offers = |text: &str| {
            let offers = bot_offers(&response(), &seek(text)).into_iter().map(|offer| {
                let posted = matches!(offer, BotOffer::Posted(_));
                (offer.profile().name.as_ref().expect("a name").to_string(), posted)
            });
            offers.collect::<Vec<_>>()
        };
        // The bots play casual games, also with people who sought a rated one.
        for text in [
            r#"{"start": "classic", "time": "300+3"}"#,
            r#"{"start": "classic", "time": "300+3", "rated": true}"#,
        ] {
            assert_eq!(offers(text), [("Khet-4".to_owned(), false), ("Khet-10".to_owned(), true)]);
        }
        let rapid = r#"{"start": "classic", "time": "600+5"}"#;
        assert_eq!(offers(rapid), [("Khet-1".to_owned(), true), ("Khet-10".to_owned(), false)]);
        assert_eq!(offers(r#"{"start": "classic", "time": "60+0"}"#), []);
    }
}

//! Writes a game of the server as a record.

use std::time::Duration;

use khet::{AnyGame, Color, Comment, GamePosition, Record, TreePath};
use khet_protocol::{
    ApiError, ByColor, ErrorCode, Event, EventKind, GameId, GameState, PersonKind, PublicProfile,
    date,
};

/// Returns the record's text.
pub(super) fn text(
    site: &str,
    id: GameId,
    players: &ByColor<PublicProfile>,
    events: &[Event],
) -> Result<String, ApiError> {
    let state = GameState::fold(events);
    let written = state.map_err(Into::into).and_then(|state| match state.game() {
        AnyGame::Standard(game) => {
            write(Record::from_game(game), site, id, players, &state, events)
        }
        AnyGame::Tower(game) => write(Record::from_game(game), site, id, players, &state, events),
    });
    written.map_err(|error: Box<dyn std::error::Error>| {
        tracing::error!(%id, %error, "could not write the record of a game");
        ApiError::new(ErrorCode::Internal, format!("the record of game {id} can't be written"))
    })
}

/// Adds tags and clocks to the record of a game and writes it.
fn write<P: GamePosition>(
    mut record: Record<P>,
    site: &str,
    id: GameId,
    players: &ByColor<PublicProfile>,
    state: &GameState,
    events: &[Event],
) -> Result<String, Box<dyn std::error::Error>> {
    let options = state.options();
    record.set_tag("Event", if options.rated { "Rated game" } else { "Casual game" })?;
    record.set_tag("Site", site)?;
    record.set_tag("Date", &date(state.started_at()))?;
    for color in Color::ALL {
        let profile = players.get(color);
        let tag = match color {
            Color::Silver => "Silver",
            Color::Red => "Red",
        };
        record.set_tag(tag, &name(profile))?;
        if let Some(rating) = rating(events, color) {
            record.set_tag(&format!("{tag}Rating"), &rating.to_string())?;
        }
    }
    record.set_time_control(options.time);
    record.set_tag("GameId", id.as_str())?;
    if let Some(outcome) = state.outcome() {
        record.set_outcome(outcome);
    }
    for (index, left) in clocks(events).into_iter().enumerate() {
        if let Some(comments) = record.comments_mut(&TreePath::main_line(index + 1)) {
            comments.extend(left.map(|left| Comment::from_clock(Duration::from_millis(left))));
        }
    }
    Ok(record.to_string())
}

/// Returns a player's rating at the start of a finished rated game.
pub(crate) fn rating(events: &[Event], color: Color) -> Option<u16> {
    events.iter().find_map(|event| match &event.kind {
        EventKind::Rated { silver, red } => Some(match color {
            Color::Silver => silver.before,
            Color::Red => red.before,
        }),
        _ => None,
    })
}

/// Returns the time left after each move that was not taken back.
fn clocks(events: &[Event]) -> Vec<Option<u64>> {
    let mut clocks = Vec::new();
    for event in events {
        match event.kind {
            EventKind::Move { left, .. } => clocks.push(left),
            EventKind::TakenBack { moves } => {
                clocks.truncate(clocks.len().saturating_sub(usize::from(moves)));
            }
            _ => {}
        }
    }
    clocks
}

fn name(profile: &PublicProfile) -> String {
    match (&profile.name, profile.kind) {
        (Some(name), _) => name.to_string(),
        (None, PersonKind::Deleted) => "?".to_owned(),
        (None, _) => "Guest".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use khet::{Color, Outcome, Record, Termination};
    use khet_protocol::{ByColor, Event, PersonId, PersonKind, PublicProfile};

    use super::text;

    #[test]
    fn record_of_a_game_with_takeback_has_clocks_and_parses() {
        let events: Vec<Event> = serde_json::from_str(
            r#"[
            {"number": 1, "at": 1800000000000, "kind": {"started": {
                "silver": "aaaaaaaaaaaa", "red": "bbbbbbbbbbbb",
                "start": "classic", "rules": "standard", "time": "300+3", "rated": false}}},
            {"number": 2, "at": 1800000005000, "kind": {"move": {
                "move": "h2+", "key": 7, "left": 300000}}},
            {"number": 3, "at": 1800000006000, "kind": {"takeback-asked": {"by": "silver"}}},
            {"number": 4, "at": 1800000007000, "kind": {"taken-back": {"moves": 1}}},
            {"number": 5, "at": 1800000008000, "kind": {"move": {
                "move": "h2-", "key": 8, "left": 299000}}},
            {"number": 6, "at": 1800000009000, "kind": {"ended": {
                "winner": "silver", "termination": "resignation"}}}
        ]"#,
        )
        .unwrap();
        let profile = |id: &str, name: Option<&str>| PublicProfile {
            id: id.parse::<PersonId>().unwrap(),
            kind: PersonKind::Guest,
            name: name.map(|name| name.parse().unwrap()),
            rating: None,
        };
        let players = ByColor {
            silver: profile("aaaaaaaaaaaa", Some("Anna")),
            red: profile("bbbbbbbbbbbb", None),
        };
        let text =
            text("https://khet.example", "7Hc0aWxz".parse().unwrap(), &players, &events).unwrap();
        let expected = r#"[Event "Casual game"]
[Site "https://khet.example"]
[Date "2027.01.15"]
[Silver "Anna"]
[Red "Guest"]
[Result "1-0"]
[Setup "Classic"]
[Rules "standard"]
[TimeControl "300+3"]
[Termination "resignation"]
[GameId "7Hc0aWxz"]

1. h2- {[%clk 0:04:59]} 1-0
"#;
        assert_eq!(text, expected);
        let record: Record = text.parse().unwrap();
        assert_eq!(record.to_string(), text);
        let resignation = Outcome::win(Color::Silver, Termination::Resignation);
        assert_eq!(record.outcome(), Some(resignation));
    }
}

//! The events of all games, read from PostgreSQL without the server.

use std::io;

use khet_protocol::{Event, EventKind, GameId};
use khet_services::psql;

use crate::soak::comparison::StoredEvents;

/// Reads all games. The columns are those of the table `events` of the server.
///
/// # Errors
///
/// If the database does not answer, or a row can't be understood.
pub fn read(database: &str) -> io::Result<StoredEvents> {
    let rows = psql(database, "SELECT game, number, at, body FROM events ORDER BY game, number")?;
    let mut games = StoredEvents::new();
    for row in rows.lines() {
        let (game, event) = parse(row).ok_or_else(|| io::Error::other(format!("event {row:?}")))?;
        games.entry(game).or_default().push(event);
    }
    Ok(games)
}

/// Parses a row: the columns, separated by `|`, of which only the last can contain that.
fn parse(row: &str) -> Option<(GameId, Event)> {
    let mut columns = row.splitn(4, '|');
    let game = columns.next()?.parse().ok()?;
    let number = columns.next()?.parse().ok()?;
    let at = columns.next()?.parse().ok()?;
    let kind: EventKind = serde_json::from_str(columns.next()?).ok()?;
    Some((game, Event { number, at, kind }))
}

/// Returns the games whose events are not numbered from 1 without gaps.
///
/// # Errors
///
/// If the database does not answer.
pub fn gaps(database: &str) -> io::Result<Vec<String>> {
    let rows = psql(
        database,
        "SELECT game, count(*), count(DISTINCT number), min(number), max(number) FROM events
         GROUP BY game
         HAVING min(number) <> 1 OR max(number) <> count(*) OR count(*) <> count(DISTINCT number)",
    )?;
    Ok(rows.lines().map(|row| format!("events of a game have gaps: {row}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn row_is_parsed() {
        let row = r#"7Hc0aWxz|3|1800000000000|{"chat":{"by":"red","text":"a|b"}}"#;
        let (game, event) = parse(row).expect("a row");
        assert_eq!((game.to_string().as_str(), event.number), ("7Hc0aWxz", 3));
        assert!(matches!(event.kind, EventKind::Chat { ref text, .. } if text == "a|b"));
        assert!(parse("7Hc0aWxz|3|now|{}").is_none());
    }
}

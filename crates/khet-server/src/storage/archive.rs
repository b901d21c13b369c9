//! Finished games, found by player, setup, result and date.

use khet::{Color, Outcome, Termination};
use khet_protocol::{
    ByColor, GameCursor, GameId, GameOptions, GameSummary, PersonId, PersonKind, PublicProfile,
    Rating, ResultFilter,
};
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row, Sqlite};

use super::{StorageError, Store, parse, people, signed, unsigned};

/// What is looked for. Names are known, and wishes make sense together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    /// This one.
    pub(crate) id: Option<GameId>,
    pub(crate) player: Option<PersonId>,
    pub(crate) opponent: Option<PersonId>,
    /// The colour of `player`.
    pub(crate) color: Option<Color>,
    pub(crate) start: Option<WantedStart>,
    pub(crate) result: Option<ResultFilter>,
    pub(crate) rated: Option<bool>,
    pub(crate) since: Option<u64>,
    pub(crate) before: Option<u64>,
    pub(crate) after: Option<GameCursor>,
}

/// Where the games started.
#[derive(Clone, Debug)]
pub(crate) enum WantedStart {
    /// From the setup of this name.
    Setup(String),
    /// From a position without a name.
    Position,
}

/// Games that were won, drawn and lost.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Score {
    pub(crate) won: u32,
    pub(crate) drawn: u32,
    pub(crate) lost: u32,
}

const COLUMNS: &str =
    "id, silver, red, start, rules, time, rated, started, ended, winner, reason, turns, position";

impl Store {
    /// Finished games, those that ended last first.
    pub(crate) async fn find_games(
        &self,
        wanted: &Wanted,
        limit: u32,
    ) -> Result<Vec<GameSummary>, StorageError> {
        let rows = question(wanted, limit).build().fetch_all(self.readers()).await?;
        rows.iter().map(summary).collect()
    }

    /// A finished game.
    pub(crate) async fn summary(&self, id: GameId) -> Result<Option<GameSummary>, StorageError> {
        let wanted = Wanted { id: Some(id), ..Wanted::default() };
        Ok(self.find_games(&wanted, 1).await?.pop())
    }

    /// How a person's finished games went.
    pub(crate) async fn score(&self, person: PersonId) -> Result<Score, StorageError> {
        let mut score = Score::default();
        for (seat, own) in [("silver", Color::Silver), ("red", Color::Red)] {
            let mut query =
                QueryBuilder::<Sqlite>::new("SELECT winner, COUNT(*) AS count FROM games WHERE ");
            query.push(seat).push(" = ").push_bind(person.to_string());
            query.push(" AND ended IS NOT NULL AND reason <> 'aborted' GROUP BY winner");
            for row in query.build().fetch_all(self.readers()).await? {
                let winner: Option<&str> = row.try_get("winner")?;
                let count = u32::try_from(row.try_get::<i64, _>("count")?).unwrap_or(u32::MAX);
                match winner.map(parse::<Color>).transpose()? {
                    None => score.drawn += count,
                    Some(winner) if winner == own => score.won += count,
                    Some(_) => score.lost += count,
                }
            }
        }
        Ok(score)
    }

    /// Whether someone has finished a rated game.
    pub(crate) async fn has_rating(&self, person: PersonId) -> Result<bool, StorageError> {
        let row = sqlx::query("SELECT 1 FROM ratings WHERE person = $1 LIMIT 1")
            .bind(person.to_string())
            .fetch_optional(self.readers())
            .await?;
        Ok(row.is_some())
    }
}

/// The question for games that are wanted, with their players.
fn question(wanted: &Wanted, limit: u32) -> QueryBuilder<Sqlite> {
    let mut query = QueryBuilder::<Sqlite>::new(
        "SELECT found.*, silver.kind AS silver_kind, silver.name AS silver_name, \
         red.kind AS red_kind, red.name AS red_name, \
         silver_change.before AS silver_rating, silver_change.deviation AS silver_deviation, \
         red_change.before AS red_rating, red_change.deviation AS red_deviation FROM (",
    );
    match (wanted.player, wanted.color) {
        (Some(player), None) => {
            // Each half reads no further in its index than it has to.
            for (color, between) in
                [(Color::Silver, "SELECT * FROM ("), (Color::Red, " UNION ALL SELECT * FROM (")]
            {
                query.push(between);
                push_games(&mut query, wanted, Some((player, color)), limit);
                query.push(") AS half");
            }
            query.push(" ORDER BY ended DESC, id DESC LIMIT ").push_bind(i64::from(limit));
        }
        (player, color) => {
            let seat = player.zip(color);
            push_games(&mut query, wanted, seat, limit);
        }
    }
    query.push(
        ") AS found LEFT JOIN people AS silver ON silver.id = found.silver \
         LEFT JOIN people AS red ON red.id = found.red \
         LEFT JOIN rating_changes AS silver_change \
         ON silver_change.game = found.id AND silver_change.person = found.silver \
         LEFT JOIN rating_changes AS red_change \
         ON red_change.game = found.id AND red_change.person = found.red \
         ORDER BY found.ended DESC, found.id DESC",
    );
    query
}

/// Writes a question for games in which someone has a seat, or for anybody's.
fn push_games(
    query: &mut QueryBuilder<Sqlite>,
    wanted: &Wanted,
    seat: Option<(PersonId, Color)>,
    limit: u32,
) {
    query.push("SELECT ").push(COLUMNS);
    query.push(" FROM games WHERE ended IS NOT NULL AND reason <> 'aborted'");
    if let Some(id) = wanted.id {
        query.push(" AND id = ").push_bind(id.to_string());
    }
    if let Some((player, color)) = seat {
        query.push(format_args!(" AND {color} = ")).push_bind(player.to_string());
        if let Some(opponent) = wanted.opponent {
            query.push(format_args!(" AND {} = ", !color)).push_bind(opponent.to_string());
        }
    }
    match &wanted.start {
        None => {}
        Some(WantedStart::Setup(name)) => {
            query.push(" AND start = ").push_bind(name.clone());
        }
        // Ranks of a position are parted by slashes; names have none.
        Some(WantedStart::Position) => {
            query.push(" AND start LIKE '%/%'");
        }
    }
    let own = seat.map(|(_, color)| color);
    let winner = match wanted.result {
        None => None,
        Some(ResultFilter::Draw) => {
            query.push(" AND winner IS NULL");
            None
        }
        Some(ResultFilter::Silver) => Some(Color::Silver),
        Some(ResultFilter::Red) => Some(Color::Red),
        Some(ResultFilter::Won) => own,
        Some(ResultFilter::Lost) => own.map(|own| !own),
    };
    if let Some(winner) = winner {
        query.push(" AND winner = ").push_bind(winner.to_string());
    }
    if let Some(rated) = wanted.rated {
        query.push(" AND rated = ").push_bind(i64::from(rated));
    }
    if let Some(since) = wanted.since {
        query.push(" AND ended >= ").push_bind(signed(since));
    }
    if let Some(before) = wanted.before {
        query.push(" AND ended < ").push_bind(signed(before));
    }
    if let Some(GameCursor { ended, id }) = wanted.after {
        query.push(" AND (ended, id) < (").push_bind(signed(ended));
        query.push(", ").push_bind(id.to_string()).push(")");
    }
    query.push(" ORDER BY ended DESC, id DESC LIMIT ").push_bind(i64::from(limit));
}

fn summary(row: &SqliteRow) -> Result<GameSummary, StorageError> {
    let id: GameId = parse(row.try_get("id")?)?;
    let termination: Termination = parse(row.try_get("reason")?)?;
    let winner: Option<&str> = row.try_get("winner")?;
    let moves: Option<i64> = row.try_get("turns")?;
    Ok(GameSummary {
        id,
        players: ByColor { silver: face(row, "silver")?, red: face(row, "red")? },
        options: GameOptions {
            start: parse(row.try_get("start")?)?,
            rules: parse(row.try_get("rules")?)?,
            time: parse(row.try_get("time")?)?,
            rated: row.try_get::<i64, _>("rated")? != 0,
        },
        at: unsigned(row.try_get("started")?),
        ended: Some(unsigned(row.try_get("ended")?)),
        moves: moves.and_then(|moves| u32::try_from(moves).ok()).unwrap_or(0),
        position: parse(row.try_get("position")?)?,
        outcome: Some(Outcome { winner: winner.map(parse).transpose()?, termination }),
    })
}

/// A player of a game, with the rating at its beginning.
fn face(row: &SqliteRow, seat: &str) -> Result<PublicProfile, StorageError> {
    let column = |what: &str| format!("{seat}_{what}");
    let kind: Option<&str> = row.try_get(&*column("kind"))?;
    let name: Option<&str> = row.try_get(&*column("name"))?;
    let value: Option<i64> = row.try_get(&*column("rating"))?;
    let deviation: Option<i64> = row.try_get(&*column("deviation"))?;
    let small = |number: i64| u16::try_from(number).unwrap_or(u16::MAX);
    Ok(PublicProfile {
        id: parse(row.try_get(seat)?)?,
        kind: kind.map(people::kind).transpose()?.unwrap_or(PersonKind::Gone),
        name: name.map(parse).transpose()?,
        rating: value
            .zip(deviation)
            .map(|(value, deviation)| Rating { value: small(value), deviation: small(deviation) }),
    })
}

#[cfg(test)]
mod tests {
    use khet::Color;
    use khet_protocol::{GameCursor, PersonId, ResultFilter};

    use super::{Wanted, WantedStart, question};
    use crate::storage::{Store, plan};

    #[tokio::test]
    async fn every_question_is_answered_from_an_index() {
        let folder = tempfile::TempDir::new().unwrap();
        let store = Store::open(&folder.path().join("khet.sqlite")).await.unwrap();
        let player = Some(PersonId::from_number(1));
        let opponent = Some(PersonId::from_number(2));
        let after = Some(GameCursor { ended: 1, id: "7Hc0aWxz".parse().unwrap() });
        let any = Wanted::default;
        for (wanted, index) in [
            (any(), "games_by_end"),
            (Wanted { id: Some("7Hc0aWxz".parse().unwrap()), ..any() }, "(id=?)"),
            (Wanted { after, since: Some(1), before: Some(2), ..any() }, "games_by_end"),
            (
                Wanted { result: Some(ResultFilter::Draw), rated: Some(true), ..any() },
                "games_by_end",
            ),
            (Wanted { player, after, ..any() }, "games_by_"),
            (Wanted { player, color: Some(Color::Silver), ..any() }, "games_by_silver"),
            (Wanted { player, opponent, result: Some(ResultFilter::Won), ..any() }, "games_by_"),
            (
                Wanted { start: Some(WantedStart::Setup("classic".to_owned())), ..any() },
                "games_by_start",
            ),
        ] {
            let sql = question(&wanted, 10).into_string();
            let plan = plan(&store, &sql).await;
            let games: Vec<&String> = plan.iter().filter(|step| step.contains(" games ")).collect();
            assert!(!games.is_empty(), "{plan:#?}");
            for step in games {
                assert!(step.starts_with("SEARCH") && step.contains(index), "{wanted:?} {plan:#?}");
            }
        }
        store.close().await;
    }
}

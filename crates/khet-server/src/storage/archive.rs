//! Searches finished games by player, setup, result and date.

use khet::{Color, Outcome, Placement, Rules, Termination, TimeControl};
use khet_protocol::{
    ByColor, GameCursor, GameId, GameOptions, GameSummary, PersonId, PersonKind, PersonName,
    PublicProfile, Rating, ResultFilter, Start,
};
use sqlx::sqlite::SqliteRow;
use sqlx::types::Text;
use sqlx::{FromRow, QueryBuilder, Row, Sqlite};

use super::columns::{Name, row};
use super::{StorageError, Store, to_i64};

/// Conditions on finished games. The caller has resolved names and checked that the conditions fit
/// together.
#[derive(Clone, Debug, Default)]
pub(crate) struct GameFilter {
    /// The person who searches. Private games are found only by their players.
    pub(crate) visitor: Option<PersonId>,
    pub(crate) id: Option<GameId>,
    pub(crate) player: Option<PersonId>,
    pub(crate) opponent: Option<PersonId>,
    /// The colour of `player`.
    pub(crate) color: Option<Color>,
    pub(crate) start: Option<StartFilter>,
    pub(crate) result: Option<ResultFilter>,
    pub(crate) rated: Option<bool>,
    pub(crate) since: Option<u64>,
    pub(crate) before: Option<u64>,
    pub(crate) after: Option<GameCursor>,
}

/// Condition on the starting position.
#[derive(Clone, Debug)]
pub(crate) enum StartFilter {
    /// The setup of this name.
    Setup(String),
    /// Any position without a name.
    Custom,
}

/// Numbers of won, drawn and lost games.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GameTotals {
    pub(crate) won: u32,
    pub(crate) drawn: u32,
    pub(crate) lost: u32,
}

const COLUMNS: &str = "id, silver, red, start, rules, time, rated, private, started, ended, winner, reason, turns, \
     position";

row! {
    struct GameRow {
        id: Text<GameId>,
        start: Text<Start>,
        rules: Text<Rules>,
        time: Text<TimeControl>,
        rated: bool,
        private: bool,
        started: u64,
        ended: u64,
        winner: Option<Text<Color>>,
        reason: Text<Termination>,
        turns: Option<u32>,
        position: Text<Placement>,
    }
}

/// A finished game with its players.
struct SummaryRow(GameSummary);

impl<'r> FromRow<'r, SqliteRow> for SummaryRow {
    fn from_row(row: &'r SqliteRow) -> Result<SummaryRow, sqlx::Error> {
        let game = GameRow::from_row(row)?;
        Ok(SummaryRow(GameSummary {
            id: game.id.0,
            players: ByColor { silver: player(row, "silver")?, red: player(row, "red")? },
            options: GameOptions {
                start: game.start.0,
                rules: game.rules.0,
                time: game.time.0,
                rated: game.rated,
                private: game.private,
            },
            at: game.started,
            ended: Some(game.ended),
            moves: game.turns.unwrap_or(0),
            position: game.position.0,
            outcome: Some(Outcome {
                winner: game.winner.map(|winner| winner.0),
                termination: game.reason.0,
            }),
        }))
    }
}

/// Reads a player of a game, with the rating at its start.
fn player(row: &SqliteRow, seat: &str) -> Result<PublicProfile, sqlx::Error> {
    let column = |name: &str| format!("{seat}_{name}");
    let kind: Option<Name<PersonKind>> = row.try_get(&*column("kind"))?;
    let name: Option<Text<PersonName>> = row.try_get(&*column("name"))?;
    let value: Option<u16> = row.try_get(&*column("rating"))?;
    let deviation: Option<u16> = row.try_get(&*column("deviation"))?;
    Ok(PublicProfile {
        id: row.try_get::<Text<_>, _>(seat)?.0,
        kind: kind.map_or(PersonKind::Deleted, |kind| kind.0),
        name: name.map(|name| name.0),
        rating: value.zip(deviation).map(|(value, deviation)| Rating { value, deviation }),
    })
}

impl Store {
    /// Returns finished games, those that ended last first.
    pub(crate) async fn find_games(
        &self,
        filter: &GameFilter,
        limit: u32,
    ) -> Result<Vec<GameSummary>, StorageError> {
        let mut query = games_query(filter, limit);
        let rows: Vec<SummaryRow> = query.build_query_as().fetch_all(self.readers()).await?;
        Ok(rows.into_iter().map(|SummaryRow(summary)| summary).collect())
    }

    /// Returns a finished game.
    pub(crate) async fn summary(&self, id: GameId) -> Result<Option<GameSummary>, StorageError> {
        let filter = GameFilter { id: Some(id), ..GameFilter::default() };
        Ok(self.find_games(&filter, 1).await?.pop())
    }

    /// Returns the results of a person's finished games that are not private.
    pub(crate) async fn game_totals(&self, person: PersonId) -> Result<GameTotals, StorageError> {
        let mut totals = GameTotals::default();
        for own in Color::ALL {
            let mut query =
                QueryBuilder::<Sqlite>::new("SELECT winner, COUNT(*) AS count FROM games WHERE ");
            query.push(format_args!("{own} = ")).push_bind(Text(person));
            query.push(
                " AND ended IS NOT NULL AND reason <> 'aborted' AND private = 0 GROUP BY winner",
            );
            let rows: Vec<(Option<Text<Color>>, u32)> =
                query.build_query_as().fetch_all(self.readers()).await?;
            for (winner, count) in rows {
                match winner {
                    None => totals.drawn += count,
                    Some(Text(winner)) if winner == own => totals.won += count,
                    Some(_) => totals.lost += count,
                }
            }
        }
        Ok(totals)
    }

    /// Returns whether a person has finished a rated game.
    pub(crate) async fn has_rating(&self, person: PersonId) -> Result<bool, StorageError> {
        let row = sqlx::query("SELECT 1 FROM ratings WHERE person = $1 LIMIT 1")
            .bind(Text(person))
            .fetch_optional(self.readers())
            .await?;
        Ok(row.is_some())
    }
}

/// Builds the query for games and their players.
fn games_query(filter: &GameFilter, limit: u32) -> QueryBuilder<Sqlite> {
    let mut query = QueryBuilder::<Sqlite>::new(
        "SELECT found.*, silver.kind AS silver_kind, silver.name AS silver_name, \
         red.kind AS red_kind, red.name AS red_name, \
         silver_change.before AS silver_rating, silver_change.deviation AS silver_deviation, \
         red_change.before AS red_rating, red_change.deviation AS red_deviation FROM (",
    );
    match (filter.player, filter.color) {
        (Some(player), None) => {
            // One query per seat, because each can use its own index up to the limit.
            for (color, between) in
                [(Color::Silver, "SELECT * FROM ("), (Color::Red, " UNION ALL SELECT * FROM (")]
            {
                query.push(between);
                push_games(&mut query, filter, Some((player, color)), limit);
                query.push(") AS half");
            }
            query.push(" ORDER BY ended DESC, id DESC LIMIT ").push_bind(limit);
        }
        (player, color) => {
            let seat = player.zip(color);
            push_games(&mut query, filter, seat, limit);
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

/// Appends the query for the games of all players or of one player in one seat.
fn push_games(
    query: &mut QueryBuilder<Sqlite>,
    filter: &GameFilter,
    seat: Option<(PersonId, Color)>,
    limit: u32,
) {
    query.push("SELECT ").push(COLUMNS);
    query.push(" FROM games WHERE ended IS NOT NULL AND reason <> 'aborted' AND (private = 0");
    if let Some(visitor) = filter.visitor {
        query.push(" OR silver = ").push_bind(Text(visitor));
        query.push(" OR red = ").push_bind(Text(visitor));
    }
    query.push(")");
    if let Some(id) = filter.id {
        query.push(" AND id = ").push_bind(Text(id));
    }
    if let Some((player, color)) = seat {
        query.push(format_args!(" AND {color} = ")).push_bind(Text(player));
        if let Some(opponent) = filter.opponent {
            query.push(format_args!(" AND {} = ", !color)).push_bind(Text(opponent));
        }
    }
    match &filter.start {
        None => {}
        Some(StartFilter::Setup(name)) => {
            query.push(" AND start = ").push_bind(name.clone());
        }
        // A position has slashes between its ranks; names of setups have none.
        Some(StartFilter::Custom) => {
            query.push(" AND start LIKE '%/%'");
        }
    }
    let own = seat.map(|(_, color)| color);
    let winner = match filter.result {
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
        query.push(" AND winner = ").push_bind(Text(winner));
    }
    if let Some(rated) = filter.rated {
        query.push(" AND rated = ").push_bind(rated);
    }
    if let Some(since) = filter.since {
        query.push(" AND ended >= ").push_bind(to_i64(since));
    }
    if let Some(before) = filter.before {
        query.push(" AND ended < ").push_bind(to_i64(before));
    }
    if let Some(GameCursor { ended, id }) = filter.after {
        query.push(" AND (ended, id) < (").push_bind(to_i64(ended));
        query.push(", ").push_bind(Text(id)).push(")");
    }
    query.push(" ORDER BY ended DESC, id DESC LIMIT ").push_bind(limit);
}

#[cfg(test)]
mod tests {
    use khet::Color;
    use khet_protocol::{GameCursor, PersonId, ResultFilter};

    use super::{GameFilter, StartFilter, games_query};
    use crate::storage::Store;
    use crate::storage::testing::query_plan;

    #[tokio::test]
    async fn queries_use_an_index() {
        let folder = tempfile::TempDir::new().unwrap();
        let store = Store::open(&folder.path().join("khet.sqlite")).await.unwrap();
        let player = Some(PersonId::from_number(1));
        let opponent = Some(PersonId::from_number(2));
        let after = Some(GameCursor { ended: 1, id: "7Hc0aWxz".parse().unwrap() });
        let any = GameFilter::default;
        for (filter, index) in [
            (any(), "games_by_end"),
            (GameFilter { id: Some("7Hc0aWxz".parse().unwrap()), ..any() }, "(id=?)"),
            (GameFilter { after, since: Some(1), before: Some(2), ..any() }, "games_by_end"),
            (
                GameFilter { result: Some(ResultFilter::Draw), rated: Some(true), ..any() },
                "games_by_end",
            ),
            (GameFilter { player, after, ..any() }, "games_by_"),
            (GameFilter { visitor: player, ..any() }, "games_by_end"),
            (GameFilter { visitor: player, player, ..any() }, "games_by_"),
            (GameFilter { player, color: Some(Color::Silver), ..any() }, "games_by_silver"),
            (
                GameFilter { player, opponent, result: Some(ResultFilter::Won), ..any() },
                "games_by_",
            ),
            (
                GameFilter { start: Some(StartFilter::Setup("classic".to_owned())), ..any() },
                "games_by_start",
            ),
        ] {
            let sql = games_query(&filter, 10).into_string();
            let plan = query_plan(&store, &sql).await;
            let games: Vec<&String> = plan.iter().filter(|step| step.contains(" games ")).collect();
            assert!(!games.is_empty(), "{plan:#?}");
            for step in games {
                assert!(step.starts_with("SEARCH") && step.contains(index), "{filter:?} {plan:#?}");
            }
        }
        store.close().await;
    }
}

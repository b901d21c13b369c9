//! Searches finished games by player, setup, result and date.

use std::fmt::Display;

use khet::{AnyPlacement, Color, Outcome, Rules, Termination, TimeControl};
use khet_protocol::{
    ByColor, GameCursor, GameId, GameOptions, GameSummary, PersonId, PersonKind, PersonName,
    PublicProfile, Rating, ResultFilter, Start,
};
use sqlx::types::Text;

use super::columns::{Name, row};
use super::sql::{DatabaseKind, DatabaseRow, FromRow, PerDatabase, QueryBuilder, query};
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
        position: Text<AnyPlacement>,
    }
}

/// A finished game with its players.
struct SummaryRow(GameSummary);

impl FromRow for SummaryRow {
    fn from_row(row: &DatabaseRow) -> Result<SummaryRow, StorageError> {
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
fn player(row: &DatabaseRow, seat: &str) -> Result<PublicProfile, StorageError> {
    let column = |name: &str| format!("{seat}_{name}");
    let kind: Option<Name<PersonKind>> = row.get(&column("kind"))?;
    let name: Option<Text<PersonName>> = row.get(&column("name"))?;
    let value: Option<u16> = row.get(&column("rating"))?;
    let deviation: Option<u16> = row.get(&column("deviation"))?;
    Ok(PublicProfile {
        id: row.get::<Text<_>>(seat)?.0,
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
        let mut connection = self.page_reader().await?;
        let query = games_query(connection.kind(), filter, limit);
        let rows: Vec<SummaryRow> = query.build().fetch_all(&mut connection).await?;
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
        let mut connection = self.page_reader().await?;
        for own in Color::ALL {
            let mut query =
                QueryBuilder::new(connection.kind(), "SELECT winner, COUNT(*) AS count FROM games");
            // The index has all columns of the query.
            push_index(&mut query, format_args!("public_games_by_{own}"));
            query.push(format_args!(" WHERE {own} = "));
            query.push_bind(Text(person));
            query.push(" AND private = 0 AND reason <> 'aborted' GROUP BY winner");
            let rows: Vec<(Option<Text<Color>>, u32)> =
                query.build().fetch_all(&mut connection).await?;
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
        let row = query("SELECT 1 FROM ratings WHERE person = $1 LIMIT 1")
            .bind(Text(person))
            .fetch_optional::<i64>(&mut self.reader().await?)
            .await?;
        Ok(row.is_some())
    }
}

/// Builds the query for games and their players.
fn games_query(kind: DatabaseKind, filter: &GameFilter, limit: u32) -> QueryBuilder {
    let mut query = QueryBuilder::new(
        kind,
        "SELECT found.*, silver.kind AS silver_kind, silver.name AS silver_name, \
         red.kind AS red_kind, red.name AS red_name, \
         silver_change.before AS silver_rating, silver_change.deviation AS silver_deviation, \
         red_change.before AS red_rating, red_change.deviation AS red_deviation FROM (",
    );
    for (number, search) in IndexSearch::all(filter).iter().enumerate() {
        query.push(if number == 0 { "SELECT * FROM (" } else { " UNION ALL SELECT * FROM (" });
        search.push(&mut query, filter, limit);
        query.push(format_args!(") AS search_{number}"));
    }
    query.push(" ORDER BY ended DESC, id DESC LIMIT ").push_bind(limit);
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

/// The setup as indexes have it: positions without a name count as one. A position has slashes
/// between its ranks; names of setups have none.
const SETUP: PerDatabase = PerDatabase {
    sqlite: "(CASE WHEN instr(start, '/') > 0 THEN 'position' ELSE start END)",
    postgres: "(CASE WHEN strpos(start, '/') > 0 THEN 'position' ELSE start END)",
};

/// Names the index that a query uses. Without statistics SQLite can't know which is best;
/// PostgreSQL collects statistics and chooses by itself.
fn push_index(query: &mut QueryBuilder, index: impl Display) {
    if query.kind() == DatabaseKind::Sqlite {
        query.push(format_args!(" INDEXED BY {index}"));
    }
}

/// A query that reads one index in the order of the list, up to the limit, and so skips no games.
/// The results of a few of them are merged.
#[derive(Clone, Copy, Debug)]
struct IndexSearch {
    index: Option<&'static str>,
    private: bool,
    silver: Option<PersonId>,
    red: Option<PersonId>,
    /// The winner, or `Some(None)` for draws.
    winner: Option<Option<Color>>,
    rated: Option<bool>,
}

impl IndexSearch {
    /// Returns the searches that together find the games of a filter, each game once.
    fn all(filter: &GameFilter) -> Vec<IndexSearch> {
        let any = IndexSearch {
            index: None,
            private: false,
            silver: None,
            red: None,
            winner: None,
            rated: None,
        };
        if filter.id.is_some() {
            let visible = |private| IndexSearch { private, ..any };
            let own = Color::ALL.into_iter().filter_map(|seat| {
                filter.visitor.map(|visitor| visible(true).with_player(seat, visitor))
            });
            return own.chain([visible(false)]).collect();
        }
        let colors: &[Color] = match (filter.player, filter.color) {
            (None, _) => &[],
            (Some(_), Some(Color::Silver)) => &[Color::Silver],
            (Some(_), Some(Color::Red)) => &[Color::Red],
            (Some(_), None) => &Color::ALL,
        };
        let mut searches = Vec::new();
        let Some(player) = filter.player.filter(|_| !colors.is_empty()) else {
            IndexSearch::add_public(&mut searches, any, None, filter);
            for seat in Color::ALL {
                IndexSearch::add_private(&mut searches, any, seat, filter);
            }
            return searches;
        };
        for &color in colors {
            let mut search = any.with_player(color, player);
            if let Some(opponent) = filter.opponent {
                search = search.with_player(!color, opponent);
            }
            IndexSearch::add_public(&mut searches, search, Some(color), filter);
            if filter.visitor == Some(player) {
                IndexSearch::add_private(&mut searches, search, color, filter);
            } else {
                IndexSearch::add_private(&mut searches, search, !color, filter);
            }
        }
        searches
    }

    fn with_player(self, color: Color, person: PersonId) -> IndexSearch {
        match color {
            Color::Silver => IndexSearch { silver: Some(person), ..self },
            Color::Red => IndexSearch { red: Some(person), ..self },
        }
    }

    /// Adds the searches for public games. `own` is the colour of the filter's player.
    fn add_public(
        searches: &mut Vec<IndexSearch>,
        search: IndexSearch,
        own: Option<Color>,
        filter: &GameFilter,
    ) {
        let has_setup = filter.start.is_some();
        let index = match (search.silver, search.red, has_setup) {
            (Some(_), Some(_), _) => "public_games_by_players",
            (Some(_), None, false) => "public_games_by_silver",
            (Some(_), None, true) => "public_games_by_silver_and_setup",
            (None, Some(_), false) => "public_games_by_red",
            (None, Some(_), true) => "public_games_by_red_and_setup",
            (None, None, true) => "public_games_by_setup",
            (None, None, false) if filter.result.is_none() && filter.rated.is_none() => {
                let index = Some("public_games_by_end");
                searches.push(IndexSearch { index, private: false, ..search });
                return;
            }
            (None, None, false) => "public_games_by_result",
        };
        let winners = match winner(filter.result, own) {
            Some(winner) => vec![winner],
            None => vec![None, Some(Color::Silver), Some(Color::Red)],
        };
        for winner in winners {
            for rated in [false, true] {
                if filter.rated.is_none_or(|only| only == rated) {
                    searches.push(IndexSearch {
                        index: Some(index),
                        private: false,
                        winner: Some(winner),
                        rated: Some(rated),
                        ..search
                    });
                }
            }
        }
    }

    /// Adds the search for private games in which the visitor has this colour.
    fn add_private(
        searches: &mut Vec<IndexSearch>,
        search: IndexSearch,
        color: Color,
        filter: &GameFilter,
    ) {
        let Some(visitor) = filter.visitor else { return };
        let (seat, index) = match color {
            Color::Silver => (search.silver, "private_games_by_silver"),
            Color::Red => (search.red, "private_games_by_red"),
        };
        // Nobody else's private games are found.
        if seat.is_some_and(|person| person != visitor) {
            return;
        }
        // The colour that the filter's player has, for "won" and "lost".
        let own = filter.player.map(|player| if player == visitor { color } else { !color });
        searches.push(IndexSearch {
            index: Some(index),
            private: true,
            winner: winner(filter.result, own),
            rated: filter.rated,
            ..search.with_player(color, visitor)
        });
    }

    /// Appends the query.
    fn push(&self, query: &mut QueryBuilder, filter: &GameFilter, limit: u32) {
        query.push("SELECT ").push(COLUMNS).push(" FROM games");
        if let Some(index) = self.index {
            push_index(query, index);
        }
        query.push(" WHERE reason <> 'aborted'");
        query.push(if self.private { " AND private = 1" } else { " AND private = 0" });
        if let Some(id) = filter.id {
            query.push(" AND id = ").push_bind(Text(id));
        }
        for (color, person) in [(Color::Silver, self.silver), (Color::Red, self.red)] {
            if let Some(person) = person {
                query.push(format_args!(" AND {color} = ")).push_bind(Text(person));
            }
        }
        if let Some(start) = &filter.start {
            let name = match start {
                StartFilter::Setup(name) => name.clone(),
                StartFilter::Custom => "position".to_owned(),
            };
            let setup = SETUP.text(query.kind());
            query.push(format_args!(" AND {setup} = ")).push_bind(name);
        }
        match self.winner {
            None => {}
            Some(None) => {
                query.push(" AND winner IS NULL");
            }
            Some(Some(winner)) => {
                query.push(" AND winner = ").push_bind(Text(winner));
            }
        }
        if let Some(rated) = self.rated {
            query.push(" AND rated = ").push_bind(rated);
        }
        query.push(" AND ended >= ").push_bind(to_i64(filter.since.unwrap_or(0)));
        if let Some(before) = filter.before {
            query.push(" AND ended < ").push_bind(to_i64(before));
        }
        if let Some(GameCursor { ended, id }) = filter.after {
            query.push(" AND (ended, id) < (").push_bind(to_i64(ended));
            query.push(", ").push_bind(Text(id)).push(")");
        }
        query.push(" ORDER BY ended DESC, id DESC LIMIT ").push_bind(limit);
    }
}

/// Returns the winner that a filter asks for: `None` for any, `Some(None)` for draws. `own` is the
/// colour of the filter's player.
fn winner(result: Option<ResultFilter>, own: Option<Color>) -> Option<Option<Color>> {
    match result? {
        ResultFilter::Draw => Some(None),
        ResultFilter::Silver => Some(Some(Color::Silver)),
        ResultFilter::Red => Some(Some(Color::Red)),
        ResultFilter::Won => own.map(Some),
        ResultFilter::Lost => own.map(|own| Some(!own)),
    }
}

#[cfg(test)]
mod tests {
    use khet::Color;
    use khet_protocol::{GameCursor, PersonId, ResultFilter};

    use super::{DatabaseKind, GameFilter, QueryBuilder, StartFilter, games_query};
    use crate::storage::sql::DatabaseConnection;
    use crate::storage::testing::{TestDatabase, query_plan};

    /// Returns all combinations of filters that a request can have.
    fn filters() -> Vec<GameFilter> {
        let player = Some(PersonId::from_number(1));
        let opponent = Some(PersonId::from_number(2));
        let after = Some(GameCursor { ended: 1, id: "7Hc0aWxz".parse().unwrap() });
        let mut filters = vec![GameFilter::default()];
        let mut vary = |change: &dyn Fn(&GameFilter) -> Vec<GameFilter>| {
            filters = filters.iter().flat_map(change).collect();
        };
        vary(&|filter| {
            let one = GameFilter { player, ..filter.clone() };
            let colored = |color| GameFilter { color: Some(color), ..one.clone() };
            let both = GameFilter { opponent, ..one.clone() };
            vec![filter.clone(), one.clone(), colored(Color::Silver), colored(Color::Red), both]
        });
        vary(&|filter| {
            let start = |start| GameFilter { start, ..filter.clone() };
            let setup = Some(StartFilter::Setup("classic".to_owned()));
            vec![start(None), start(setup), start(Some(StartFilter::Custom))]
        });
        vary(&|filter| {
            let results = [
                None,
                Some(ResultFilter::Draw),
                Some(ResultFilter::Silver),
                Some(ResultFilter::Won),
                Some(ResultFilter::Lost),
            ];
            let allowed = results.into_iter().filter(|result| {
                filter.player.is_some()
                    || !matches!(result, Some(ResultFilter::Won | ResultFilter::Lost))
            });
            allowed.map(|result| GameFilter { result, ..filter.clone() }).collect()
        });
        vary(&|filter| {
            let rated = |rated| GameFilter { rated, ..filter.clone() };
            vec![rated(None), rated(Some(true))]
        });
        vary(&|filter| {
            let all = GameFilter { after, since: Some(1), before: Some(2), ..filter.clone() };
            vec![filter.clone(), all]
        });
        vary(&|filter| {
            let visitor = |visitor| GameFilter { visitor, ..filter.clone() };
            vec![visitor(None), visitor(player), visitor(Some(PersonId::from_number(3)))]
        });
        filters
    }

    /// Returns the steps of PostgreSQL's plan.
    async fn postgres_plan(
        connection: &mut DatabaseConnection,
        explained: QueryBuilder,
    ) -> Vec<String> {
        explained.build().explain().fetch_all(connection).await.unwrap()
    }

    #[tokio::test]
    async fn queries_use_an_index_on_postgres() {
        if !crate::testing::uses_postgres() {
            return;
        }
        let (_database, store) = TestDatabase::open_new().await;
        let mut connection = store.reader().await.unwrap();
        // In a large table it would not scan anyway; this one is empty.
        connection.execute_script("SET enable_seqscan = off").await.unwrap();
        for filter in filters() {
            let query = games_query(DatabaseKind::Postgres, &filter, 10);
            let plan = postgres_plan(&mut connection, query).await;
            assert!(!plan.iter().any(|step| step.contains("Seq Scan on games")), "{plan:#?}");
        }
        drop(connection);
        store.close().await;
    }

    /// With these plans a search reads as many rows as it returns, or a few times as many, however
    /// many games there are.
    #[tokio::test]
    async fn queries_use_an_index() {
        let (_database, store) = TestDatabase::open_new_file().await;
        let filters = filters();
        assert!(filters.len() > 500);
        for filter in filters {
            let sql = games_query(DatabaseKind::Sqlite, &filter, 10);
            let plan = query_plan(&store, sql.build()).await;
            let games: Vec<&String> = plan.iter().filter(|step| step.contains(" games ")).collect();
            assert!(!games.is_empty(), "{plan:#?}");
            for step in games {
                let by_index = step.starts_with("SEARCH games USING INDEX");
                assert!(by_index, "{filter:?} {step} {plan:#?}");
                // All filters are columns of the index, except in one's own private games and
                // among the games of two people.
                let of_few = step.contains("private_games_") || step.contains("_by_players");
                let setup = if filter.start.is_some() && !of_few { 1 } else { 0 };
                let equal = step.matches("=?").count();
                let winner = usize::from(!step.contains("_by_end") && !step.contains("private_"));
                let people = usize::from(step.contains("silver") || step.contains("(red"));
                assert!(equal >= setup + winner + people, "{filter:?} {step}");
            }
            // The index has the order of the list, so only results up to the limit are sorted.
            let sorted =
                |steps: &[String]| steps[0].contains(" games ") && steps[1].contains("TEMP B-TREE");
            assert!(!plan.windows(2).any(sorted), "{filter:?} {plan:#?}");
        }
        let by_id = GameFilter { id: Some("7Hc0aWxz".parse().unwrap()), ..GameFilter::default() };
        let plan = query_plan(&store, games_query(DatabaseKind::Sqlite, &by_id, 1).build()).await;
        assert!(plan.iter().any(|step| step.contains("(id=?)")), "{plan:#?}");
        store.close().await;
    }
}

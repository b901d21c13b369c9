//! Moderation of the gallery: reports, the moderators and their decisions.
//!
//! Reports and decisions belong to a position: if its setup is deleted and published again, they
//! follow to the new setup.

use khet::Rules;
use khet_protocol::{
    DecisionKind, DecisionUndo, PersonId, PersonKind, PersonName, ReportReason, ReportedSetup,
    SetupDecision, SetupDescription, SetupId, SetupName, SetupReport,
};
use sqlx::ConnectOptions;
use sqlx::types::Text;

use super::columns::{Name, VisibleText, row};
use super::gallery::{self, NewSetupRow, SELECT_SETUP, SetupRow, StoredSetup};
use super::postgres::PostgresServer;
use super::sql::{DatabaseConnection, DatabaseKind, QueryBuilder, execute_each, query};
use super::{
    DatabaseLocation, DatabaseLock, StorageError, Store, backup, identity, migrations, to_i64,
};

/// Weight of the open reports that hides a setup until a moderator decides.
const HIDING_WEIGHT: u32 = 3;
/// A day, in milliseconds.
const DAY: u64 = 24 * 60 * 60 * 1000;
/// The weight of a report by the age of its account and the number of its finished games. Reports
/// of newer accounts reach the moderators but hide nothing, because accounts are free.
const REPORT_WEIGHTS: [(u64, u32, u32); 2] = [(30 * DAY, 20, 2), (DAY, 1, 1)];
/// Largest number of games that are counted for the weight of a report.
const MAX_COUNTED_GAMES: u32 = 20;

/// Whether a setup waits for a moderator.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ReportState {
    /// Time of the first open report.
    pub(super) reported: Option<u64>,
    /// Hidden from lists.
    pub(super) hidden: bool,
}

/// Result of undoing a decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UndoResult {
    Undone,
    NotFound,
    /// A later decision stands, or the position was published again.
    Superseded,
}

row! {
    struct ReportRow {
        person: Text<PersonId>,
        author_kind: Option<Name<PersonKind>>,
        author_name: Option<Text<PersonName>>,
        at: u64,
        reason: VisibleText<ReportReason>,
    }
}

row! {
    /// A decision with the names of the people and of the setup.
    struct DecisionRow {
        number: u32,
        setup: Text<SetupId>,
        name: Option<String>,
        kind: Name<DecisionKind>,
        at: u64,
        moderator: Text<PersonId>,
        moderator_kind: Option<Name<PersonKind>>,
        moderator_name: Option<Text<PersonName>>,
        undone_by: Option<Text<PersonId>>,
        undone_kind: Option<Name<PersonKind>>,
        undone_name: Option<Text<PersonName>>,
        undone_at: Option<u64>,
    }
}

impl From<DecisionRow> for SetupDecision {
    fn from(row: DecisionRow) -> SetupDecision {
        let undone = row.undone_by.zip(row.undone_at).map(|(by, at)| DecisionUndo {
            by: gallery::profile(by, row.undone_kind, row.undone_name),
            at,
        });
        SetupDecision {
            number: row.number,
            setup: row.setup.0,
            name: row.name.and_then(|name| name.parse().ok()),
            kind: row.kind.0,
            at: row.at,
            moderator: gallery::profile(row.moderator, row.moderator_kind, row.moderator_name),
            undone,
        }
    }
}

/// Selects a [`DecisionRow`].
const SELECT_DECISION: &str = "SELECT setup_decisions.number, setup_decisions.setup, \
    COALESCE(setups.name, removed_setups.name) AS name, setup_decisions.kind, setup_decisions.at, \
    setup_decisions.moderator, deciding.kind AS moderator_kind, deciding.name AS moderator_name, \
    undone_by, undoing.kind AS undone_kind, undoing.name AS undone_name, undone_at \
    FROM setup_decisions \
    LEFT JOIN setups ON setups.id = setup_decisions.setup \
    LEFT JOIN removed_setups ON removed_setups.id = setup_decisions.setup \
    LEFT JOIN people AS deciding ON deciding.id = setup_decisions.moderator \
    LEFT JOIN people AS undoing ON undoing.id = setup_decisions.undone_by";

row! {
    /// A setup that is no longer published.
    struct RemovedRow {
        id: Text<SetupId>,
        both_ways: String,
        number: i64,
        person: Text<PersonId>,
        name: VisibleText<SetupName>,
        words: VisibleText<SetupDescription>,
        start: String,
        rules: Text<Rules>,
        piece_box: String,
        created: u64,
        likes: u32,
    }
}

impl Store {
    /// Returns whether a person is a moderator.
    pub(crate) async fn is_moderator(&self, person: PersonId) -> Result<bool, StorageError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM people WHERE id = $1 AND kind = 'account' \
                   AND moderator = 1)";
        query(sql).bind(Text(person)).fetch_one(&mut self.reader().await?).await
    }

    /// Makes an account a moderator. `false` if no account has this name.
    pub(crate) async fn add_moderator(&self, name: PersonName) -> Result<bool, StorageError> {
        self.write(move |connection| {
            Box::pin(async move { update_moderator(connection, &name, true).await })
        })
        .await
    }

    /// Adds a person's report of a setup, once per person and publication. `false` if there is no
    /// such setup.
    pub(crate) async fn report_setup(
        &self,
        id: SetupId,
        person: PersonId,
        reason: ReportReason,
        now: u64,
    ) -> Result<bool, StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                let created: Option<u64> = query("SELECT created FROM setups WHERE id = $1")
                    .bind(Text(id))
                    .fetch_optional(&mut *connection)
                    .await?;
                let Some(created) = created else { return Ok(false) };
                let weight = report_weight(connection, person, now).await?;
                // A closed report of an earlier publication of the position is made again.
                let new = query(
                    "INSERT INTO setup_reports (setup, person, at, reason, weight, decided) \
                     VALUES ($1, $2, $3, $4, $5, 0) ON CONFLICT (setup, person) DO UPDATE SET \
                     at = excluded.at, reason = excluded.reason, weight = excluded.weight, \
                     decided = 0, decision = NULL \
                     WHERE setup_reports.decided = 1 AND setup_reports.at < $6",
                )
                .bind(Text(id))
                .bind(Text(person))
                .bind(to_i64(now))
                .bind(reason.as_str())
                .bind(weight)
                .bind(to_i64(created))
                .execute(&mut *connection)
                .await?;
                if new == 0 {
                    return Ok(true);
                }
                query(
                    "UPDATE setups SET reported = COALESCE(reported, $2), hidden = CASE WHEN \
                     (SELECT SUM(weight) FROM setup_reports WHERE setup = $1 AND decided = 0) \
                     >= $3 THEN 1 ELSE hidden END WHERE id = $1",
                )
                .bind(Text(id))
                .bind(to_i64(now))
                .bind(HIDING_WEIGHT)
                .execute(connection)
                .await?;
                Ok(true)
            })
        })
        .await
    }

    /// Returns the setups with open reports, those reported first first.
    pub(crate) async fn reported_setups(
        &self,
        visitor: PersonId,
        limit: u32,
        reports: u32,
    ) -> Result<Vec<ReportedSetup>, StorageError> {
        let mut connection = self.page_reader().await?;
        let reported = reported_query(connection.kind(), visitor, limit);
        let rows: Vec<SetupRow> = reported.build().fetch_all(&mut connection).await?;
        drop(connection);
        let mut setups = Vec::with_capacity(rows.len());
        for row in rows {
            let hidden = row.hidden;
            let card = row.into_card(Some(visitor));
            let rows: Vec<ReportRow> = query(
                "SELECT setup_reports.person, setup_reports.at, setup_reports.reason, \
                 people.kind AS author_kind, people.name AS author_name \
                 FROM setup_reports LEFT JOIN people ON people.id = setup_reports.person \
                 WHERE setup = $1 AND decided = 0 ORDER BY at, person LIMIT $2",
            )
            .bind(Text(card.id))
            .bind(reports)
            .fetch_all(&mut self.page_reader().await?)
            .await?;
            let report = |row: ReportRow| SetupReport {
                by: gallery::profile(row.person, row.author_kind, row.author_name),
                at: row.at,
                reason: row.reason.0,
            };
            let reports = rows.into_iter().map(report).collect();
            let decisions = self.decisions(Some(card.id), limit).await?;
            setups.push(ReportedSetup { setup: card, hidden, reports, decisions });
        }
        Ok(setups)
    }

    /// Returns the latest decisions, about one setup or all.
    pub(crate) async fn decisions(
        &self,
        setup: Option<SetupId>,
        limit: u32,
    ) -> Result<Vec<SetupDecision>, StorageError> {
        let mut connection = self.page_reader().await?;
        let mut query = QueryBuilder::new(connection.kind(), SELECT_DECISION);
        if let Some(setup) = setup {
            query.push(" WHERE setup_decisions.setup = ").push_bind(Text(setup));
        }
        query.push(" ORDER BY setup_decisions.number DESC LIMIT ").push_bind(limit);
        let rows: Vec<DecisionRow> = query.build().fetch_all(&mut connection).await?;
        Ok(rows.into_iter().map(SetupDecision::from).collect())
    }

    /// Logs a moderator's decision about a setup, closes its reports, and keeps or removes it.
    /// `false` if there is no such setup.
    pub(crate) async fn decide(
        &self,
        id: SetupId,
        moderator: PersonId,
        kind: DecisionKind,
        now: u64,
    ) -> Result<bool, StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                let number: Option<i64> = query(
                    "INSERT INTO setup_decisions \
                     (number, setup, moderator, at, kind, reported, hidden) \
                     SELECT (SELECT COALESCE(MAX(number), 0) + 1 FROM setup_decisions), \
                     id, $2, $3, $4, reported, hidden FROM setups WHERE id = $1 RETURNING number",
                )
                .bind(Text(id))
                .bind(Text(moderator))
                .bind(to_i64(now))
                .bind(Name(kind))
                .fetch_optional(connection)
                .await?;
                let Some(number) = number else { return Ok(false) };
                query(
                    "UPDATE setup_reports SET decided = 1, decision = $2 \
                     WHERE setup = $1 AND decided = 0",
                )
                .bind(Text(id))
                .bind(number)
                .execute(&mut *connection)
                .await?;
                match kind {
                    DecisionKind::Kept => {
                        let state = ReportState::default();
                        set_report_state(connection, "setups", id, state).await?;
                    }
                    DecisionKind::Removed => {
                        query(
                            "INSERT INTO removed_setups SELECT id, both_ways, number, $2, \
                             reported, hidden, person, name, words, start, rules, box, created, \
                             likes FROM setups WHERE id = $1",
                        )
                        .bind(Text(id))
                        .bind(number)
                        .execute(&mut *connection)
                        .await?;
                        query("DELETE FROM setups WHERE id = $1")
                            .bind(Text(id))
                            .execute(connection)
                            .await?;
                    }
                }
                Ok(true)
            })
        })
        .await
    }

    /// Undoes a decision: its reports are open again, and the setup is as it was before.
    pub(crate) async fn undo_decision(
        &self,
        number: u32,
        moderator: PersonId,
        now: u64,
    ) -> Result<UndoResult, StorageError> {
        self.write(move |connection| {
            Box::pin(async move { undo(connection, number, moderator, now).await })
        })
        .await
    }

    /// Returns the setups of a person that moderators have removed.
    pub(crate) async fn removed_setups_of(
        &self,
        person: PersonId,
    ) -> Result<Vec<(SetupId, SetupName, SetupDescription)>, StorageError> {
        type Row = (Text<SetupId>, VisibleText<SetupName>, VisibleText<SetupDescription>);
        let sql = "SELECT id, name, words FROM removed_setups WHERE person = $1 ORDER BY number";
        let rows: Vec<Row> =
            query(sql).bind(Text(person)).fetch_all(&mut self.reader().await?).await?;
        Ok(rows.into_iter().map(|(id, name, words)| (id.0, name.0, words.0)).collect())
    }

    /// Deletes a setup for its author, with its likes and texts. Games from it stay, and so do its
    /// reports and the decisions about it.
    pub(crate) async fn delete_setup(&self, id: SetupId) -> Result<(), StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                execute_each(
                    connection,
                    &[
                        "DELETE FROM setup_likes WHERE setup = $1",
                        "INSERT INTO removed_setups SELECT id, both_ways, number, NULL, reported, \
                         hidden, '', '', '', start, rules, box, created, 0 FROM setups WHERE id = $1 \
                         AND (EXISTS (SELECT 1 FROM setup_reports WHERE setup = $1) \
                         OR EXISTS (SELECT 1 FROM setup_decisions WHERE setup = $1))",
                        "DELETE FROM setups WHERE id = $1",
                    ],
                    Text(id),
                )
                .await
            })
        })
        .await
    }
}

/// Moves the reports and decisions of an earlier publication of a position to a new setup. Returns
/// whether the new setup waits for a moderator: it does if one removed the earlier one.
pub(super) async fn take_history(
    connection: &mut DatabaseConnection,
    both_ways: &str,
    new: &StoredSetup,
) -> Result<ReportState, StorageError> {
    let sql = "SELECT id, decision, reported, hidden FROM removed_setups WHERE both_ways = $1";
    let removed: Option<(String, Option<i64>, Option<u64>, bool)> =
        query(sql).bind(both_ways).fetch_optional(&mut *connection).await?;
    let Some((old, decision, reported, hidden)) = removed else {
        return Ok(ReportState::default());
    };
    for statement in [
        "UPDATE setup_reports SET setup = $2 WHERE setup = $1",
        "UPDATE setup_decisions SET setup = $2 WHERE setup = $1",
    ] {
        query(statement).bind(&old).bind(Text(new.id)).execute(connection).await?;
    }
    for statement in
        ["DELETE FROM setup_likes WHERE setup = $1", "DELETE FROM removed_setups WHERE id = $1"]
    {
        query(statement).bind(&old).execute(connection).await?;
    }
    Ok(match decision {
        Some(_) => ReportState { reported: Some(new.created), hidden: true },
        None => ReportState { reported, hidden },
    })
}

/// Undoes a decision, unless it is not the last one about its setup.
async fn undo(
    connection: &mut DatabaseConnection,
    number: u32,
    moderator: PersonId,
    now: u64,
) -> Result<UndoResult, StorageError> {
    type Row = (Text<SetupId>, Name<DecisionKind>, Option<u64>, bool, Option<u64>);
    let sql = "SELECT setup, kind, reported, hidden, undone_at FROM setup_decisions \
               WHERE number = $1";
    let row: Option<Row> = query(sql).bind(number).fetch_optional(&mut *connection).await?;
    let Some((Text(setup), Name(kind), reported, hidden, undone_at)) = row else {
        return Ok(UndoResult::NotFound);
    };
    if undone_at.is_some() {
        return Ok(UndoResult::Undone);
    }
    let sql = "SELECT EXISTS (SELECT 1 FROM setup_decisions \
               WHERE setup = $1 AND number > $2 AND undone_at IS NULL)";
    if query(sql).bind(Text(setup)).bind(number).fetch_one(&mut *connection).await? {
        return Ok(UndoResult::Superseded);
    }
    let state = ReportState { reported, hidden };
    match kind {
        DecisionKind::Kept => {
            set_report_state(connection, "setups", setup, state).await?;
            set_report_state(connection, "removed_setups", setup, state).await?;
        }
        DecisionKind::Removed => {
            let sql = "DELETE FROM removed_setups WHERE decision = $1 AND name <> '' \
                       RETURNING id, both_ways, number, person, name, words, start, rules, \
                       box AS piece_box, created, likes";
            let row: Option<RemovedRow> =
                query(sql).bind(number).fetch_optional(&mut *connection).await?;
            let Some(row) = row else { return Ok(UndoResult::Superseded) };
            gallery::insert_setup(connection, republished(row, state)?).await?;
        }
    }
    query("UPDATE setup_reports SET decided = 0, decision = NULL WHERE decision = $1")
        .bind(number)
        .execute(connection)
        .await?;
    query("UPDATE setup_decisions SET undone_by = $2, undone_at = $3 WHERE number = $1")
        .bind(number)
        .bind(Text(moderator))
        .bind(to_i64(now))
        .execute(connection)
        .await?;
    Ok(UndoResult::Undone)
}

/// Returns the row of a removed setup that is published again as it was.
fn republished(row: RemovedRow, past: ReportState) -> Result<NewSetupRow, StorageError> {
    let position = row
        .start
        .parse()
        .map_err(|error| StorageError::Corrupt(format!("setup {}: {error}", row.id.0)))?;
    let setup = StoredSetup {
        id: row.id.0,
        person: row.person.0,
        name: row.name.0,
        description: row.words.0,
        position,
        rules: row.rules.0,
        created: row.created,
    };
    Ok(NewSetupRow {
        number: row.number,
        setup,
        start: row.start,
        both_ways: row.both_ways,
        piece_box: row.piece_box,
        likes: row.likes,
        past,
    })
}

/// Sets whether a setup waits for a moderator, in one of the two tables of setups.
async fn set_report_state(
    connection: &mut DatabaseConnection,
    table: &str,
    id: SetupId,
    state: ReportState,
) -> Result<(), StorageError> {
    let mut query = QueryBuilder::new(connection.kind(), "UPDATE ");
    query.push(table).push(" SET reported = ").push_bind(state.reported.map(to_i64));
    query.push(", hidden = ").push_bind(state.hidden);
    query.push(" WHERE id = ").push_bind(Text(id));
    query.build().execute(connection).await?;
    Ok(())
}

/// Returns the weight of a person's reports; see [`REPORT_WEIGHTS`]. Those of bots have none.
async fn report_weight(
    connection: &mut DatabaseConnection,
    person: PersonId,
    now: u64,
) -> Result<u32, StorageError> {
    let sql = "SELECT created FROM people WHERE id = $1 AND kind = 'account'";
    let created: Option<u64> =
        query(sql).bind(Text(person)).fetch_optional(&mut *connection).await?;
    let Some(created) = created else { return Ok(0) };
    let mut games = 0;
    for sql in [
        "SELECT COUNT(*) FROM (SELECT 1 FROM games WHERE silver = $1 AND ended IS NOT NULL \
         AND reason <> 'aborted' AND turns >= 2 LIMIT $2) AS counted",
        "SELECT COUNT(*) FROM (SELECT 1 FROM games WHERE red = $1 AND ended IS NOT NULL \
         AND reason <> 'aborted' AND turns >= 2 LIMIT $2) AS counted",
    ] {
        let count: u32 = query(sql)
            .bind(Text(person))
            .bind(MAX_COUNTED_GAMES)
            .fetch_one(&mut *connection)
            .await?;
        games += count;
    }
    let age = now.saturating_sub(created);
    let fits = |&&(min_age, min_games, _): &&(u64, u32, u32)| age >= min_age && games >= min_games;
    Ok(REPORT_WEIGHTS.iter().find(fits).map_or(0, |&(_, _, weight)| weight))
}

/// Builds the query for setups with open reports.
fn reported_query(kind: DatabaseKind, visitor: PersonId, limit: u32) -> QueryBuilder {
    let mut query = QueryBuilder::new(kind, SELECT_SETUP);
    query.push_bind(Text(visitor));
    query.push(" WHERE setups.reported IS NOT NULL ORDER BY setups.reported LIMIT ");
    query.push_bind(limit);
    query
}

/// Grants or takes the role of a moderator. `false` if no account has this name.
async fn update_moderator(
    connection: &mut DatabaseConnection,
    name: &PersonName,
    moderator: bool,
) -> Result<bool, StorageError> {
    let sql = "UPDATE people SET moderator = $2 WHERE name_key = $1 AND kind = 'account'";
    let updated = query(sql).bind(name.key()).bind(moderator).execute(&mut *connection).await?;
    Ok(updated > 0)
}

/// Makes an account a moderator or takes the role away. A server may use the database. `false` if
/// no account has this name.
pub(crate) async fn set_moderator(
    database: &DatabaseLocation,
    name: &PersonName,
    moderator: bool,
) -> Result<bool, StorageError> {
    let mut connection = open(database).await?;
    let updated = update_moderator(&mut connection, name, moderator).await;
    connection.close().await;
    updated
}

/// Returns the names of all moderators. A server may use the database.
pub(crate) async fn moderators(
    database: &DatabaseLocation,
) -> Result<Vec<PersonName>, StorageError> {
    let mut connection = open(database).await?;
    let names: Result<Vec<Text<PersonName>>, StorageError> =
        query("SELECT name FROM people WHERE moderator = 1 AND kind = 'account' ORDER BY name_key")
            .fetch_all(&mut connection)
            .await;
    connection.close().await;
    Ok(names?.into_iter().map(|Text(name)| name).collect())
}

/// Opens a database of this program. If no server uses it, its schema is brought up to date.
async fn open(database: &DatabaseLocation) -> Result<DatabaseConnection, StorageError> {
    let database = match database {
        DatabaseLocation::File(file) => file,
        DatabaseLocation::Postgres(url) => {
            let mut connection = PostgresServer::new(url, None).connect().await?;
            identity::check_ours(&mut connection).await?;
            identity::check_complete(&mut connection).await?;
            migrations::run(&mut connection).await?;
            return Ok(connection);
        }
    };
    let mut connection = DatabaseConnection::from(backup::unchanged(database).connect().await?);
    identity::check_ours(&mut connection).await?;
    identity::check_complete(&mut connection).await?;
    match DatabaseLock::acquire(database) {
        Ok(_lock) => migrations::run(&mut connection).await?,
        Err(StorageError::InUse) => {}
        Err(error) => return Err(error),
    }
    Ok(connection)
}

#[cfg(test)]
mod tests {
    use khet_protocol::PersonId;

    use super::{DatabaseKind, reported_query};
    use crate::storage::testing::{TestDatabase, query_plan};

    #[tokio::test]
    async fn queries_use_an_index() {
        let (_database, store) = TestDatabase::open_new_file().await;
        let query = reported_query(DatabaseKind::Sqlite, PersonId::from_number(1), 10);
        let plan = query_plan(&store, query.build()).await;
        let reported = "SEARCH setups USING INDEX setups_by_reported ";
        assert!(plan.iter().any(|step| step.starts_with(reported)), "{plan:#?}");
        store.close().await;
    }
}

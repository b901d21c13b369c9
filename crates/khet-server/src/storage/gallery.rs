//! The gallery: published setups with their likes and results of games.

use khet::{AnyPlacement, Color, PieceBox, Rules};
use khet_protocol::{
    GallerySetup, PersonId, PersonKind, PersonName, PublicProfile, ReportReason, SetupCursor,
    SetupDescription, SetupId, SetupName, SetupResults, SetupSort,
};
use sqlx::types::Text;

use super::columns::{Name, VisibleText, row};
use super::games::GameEnd;
use super::moderation::{self, ReportState};
use super::sql::{DatabaseConnection, DatabaseKind, QueryBuilder, execute_each, query};
use super::{StorageError, Store, to_i64};

/// Returns the box of a setup for the filter. Setups with pyramids only could be of either.
fn piece_box(placement: &AnyPlacement) -> PieceBox {
    placement.piece_box().unwrap_or(PieceBox::Standard)
}

/// Conditions on setups and the order of the list.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SetupFilter {
    pub(crate) sort: SetupSort,
    pub(crate) piece_box: Option<PieceBox>,
    pub(crate) author: Option<PersonId>,
    pub(crate) after: Option<SetupCursor>,
    /// Includes hidden setups.
    pub(crate) with_hidden: bool,
}

/// A setup to publish. Its position is legal and has no name.
#[derive(Clone, Debug)]
pub(crate) struct StoredSetup {
    pub(crate) id: SetupId,
    pub(crate) person: PersonId,
    pub(crate) name: SetupName,
    pub(crate) description: SetupDescription,
    pub(crate) position: AnyPlacement,
    pub(crate) rules: Rules,
    pub(crate) created: u64,
}

row! {
    /// A setup, its author, and whether the visitor likes it.
    pub(super) struct SetupRow {
        number: u32,
        id: Text<SetupId>,
        person: Text<PersonId>,
        author_kind: Option<Name<PersonKind>>,
        author_name: Option<Text<PersonName>>,
        name: VisibleText<SetupName>,
        words: VisibleText<SetupDescription>,
        start: Text<AnyPlacement>,
        rules: Text<Rules>,
        created: u64,
        likes: u32,
        plays: u32,
        silver: u32,
        drawn: u32,
        red: u32,
        evenness: u32,
        pub(super) hidden: bool,
        liked_by: Option<String>,
    }
}

/// Selects a [`SetupRow`]; the visitor's id follows.
pub(super) const SELECT_SETUP: &str = "SELECT setups.number, setups.id, setups.person, \
    setups.name, setups.words, setups.start, setups.rules, setups.created, setups.likes, \
    setups.plays, setups.silver, setups.drawn, setups.red, setups.evenness, setups.hidden, \
    people.kind AS author_kind, people.name AS author_name, setup_likes.person AS liked_by FROM setups \
    LEFT JOIN people ON people.id = setups.person \
    LEFT JOIN setup_likes ON setup_likes.setup = setups.id AND setup_likes.person = ";

impl SetupRow {
    /// Returns the position of the row in a list.
    fn cursor(&self, sort: SetupSort) -> SetupCursor {
        let value = match sort {
            SetupSort::Newest => self.number,
            SetupSort::Plays => self.plays,
            SetupSort::Likes => self.likes,
            SetupSort::Balance => self.evenness,
        };
        SetupCursor { value, number: self.number }
    }

    /// Returns the setup as a visitor sees it.
    pub(super) fn into_card(self, visitor: Option<PersonId>) -> GallerySetup {
        let author = profile(self.person, self.author_kind, self.author_name);
        GallerySetup {
            id: self.id.0,
            name: self.name.0,
            description: self.words.0,
            position: self.start.0,
            rules: self.rules.0,
            created: self.created,
            likes: self.likes,
            liked: self.liked_by.is_some(),
            plays: self.plays,
            balance: SetupResults { silver: self.silver, draws: self.drawn, red: self.red },
            mine: visitor == Some(author.id),
            author,
        }
    }
}

/// Returns the profile of an author; an unknown one counts as deleted.
pub(super) fn profile(
    Text(id): Text<PersonId>,
    kind: Option<Name<PersonKind>>,
    name: Option<Text<PersonName>>,
) -> PublicProfile {
    PublicProfile {
        id,
        kind: kind.map_or(PersonKind::Deleted, |kind| kind.0),
        name: name.map(|name| name.0),
        rating: None,
    }
}

/// Returns the column that a list is sorted by. Among equal values the newest setup comes first.
fn column(sort: SetupSort) -> &'static str {
    match sort {
        SetupSort::Newest => "number",
        SetupSort::Plays => "plays",
        SetupSort::Likes => "likes",
        SetupSort::Balance => "evenness",
    }
}

impl Store {
    /// Returns setups, each with its position in the list.
    pub(crate) async fn list_setups(
        &self,
        filter: &SetupFilter,
        visitor: Option<PersonId>,
        limit: u32,
    ) -> Result<Vec<(GallerySetup, SetupCursor)>, StorageError> {
        let mut connection = self.page_reader().await?;
        let query = list_query(connection.kind(), filter, visitor, limit);
        let rows: Vec<SetupRow> = query.build().fetch_all(&mut connection).await?;
        let card = |row: SetupRow| {
            let cursor = row.cursor(filter.sort);
            (row.into_card(visitor), cursor)
        };
        Ok(rows.into_iter().map(card).collect())
    }

    /// Returns a setup as a visitor sees it.
    pub(crate) async fn setup(
        &self,
        id: SetupId,
        visitor: Option<PersonId>,
    ) -> Result<Option<GallerySetup>, StorageError> {
        let mut connection = self.page_reader().await?;
        let mut query = QueryBuilder::new(connection.kind(), SELECT_SETUP);
        query.push_bind(visitor.map(Text));
        query.push(" WHERE setups.id = ").push_bind(Text(id));
        let row: Option<SetupRow> = query.build().fetch_optional(&mut connection).await?;
        Ok(row.map(|row| row.into_card(visitor)))
    }

    /// Publishes a setup and counts the games already played from its position. If the position is
    /// published already, inserts nothing and returns that setup.
    pub(crate) async fn publish_setup(
        &self,
        setup: StoredSetup,
    ) -> Result<Option<(SetupId, SetupName)>, StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                let start = setup.position.to_string();
                let both_ways = start.clone().min(setup.position.flipped().to_string());
                let existing: Option<(Text<SetupId>, VisibleText<SetupName>)> =
                    query("SELECT id, name FROM setups WHERE both_ways = $1")
                        .bind(&both_ways)
                        .fetch_optional(&mut *connection)
                        .await?;
                if let Some((Text(id), VisibleText(name))) = existing {
                    return Ok(Some((id, name)));
                }
                let past = moderation::take_history(connection, &both_ways, &setup).await?;
                let sql = "SELECT MAX(number) FROM (SELECT number FROM setups \
                           UNION ALL SELECT number FROM removed_setups) AS numbers";
                let last: Option<i64> = query(sql).fetch_one(&mut *connection).await?;
                let row = NewSetupRow {
                    number: last.unwrap_or(0) + 1,
                    piece_box: piece_box(&setup.position).name().to_owned(),
                    setup,
                    start,
                    both_ways,
                    likes: 0,
                    past,
                };
                insert_setup(connection, row).await?;
                Ok(None)
            })
        })
        .await
    }

    /// Adds or removes a person's like, which counts once. `false` if there is no such setup.
    pub(crate) async fn like_setup(
        &self,
        id: SetupId,
        person: PersonId,
        likes: bool,
    ) -> Result<bool, StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                let (statement, step) = if likes {
                    let insert = "INSERT INTO setup_likes (setup, person) \
                        SELECT id, $2 FROM setups WHERE id = $1 ON CONFLICT DO NOTHING";
                    (insert, 1)
                } else {
                    ("DELETE FROM setup_likes WHERE setup = $1 AND person = $2", -1)
                };
                let changed = query(statement)
                    .bind(Text(id))
                    .bind(Text(person))
                    .execute(&mut *connection)
                    .await?;
                let change = step * i64::try_from(changed).unwrap_or(0);
                let updated = query("UPDATE setups SET likes = likes + $2 WHERE id = $1")
                    .bind(Text(id))
                    .bind(change)
                    .execute(connection)
                    .await?;
                Ok(updated > 0)
            })
        })
        .await
    }

    /// Returns the setups that a person likes.
    pub(crate) async fn likes_of(&self, person: PersonId) -> Result<Vec<SetupId>, StorageError> {
        let mut connection = self.page_reader().await?;
        let setups: Vec<Text<SetupId>> =
            query("SELECT setup FROM setup_likes WHERE person = $1 ORDER BY setup")
                .bind(Text(person))
                .fetch_all(&mut connection)
                .await?;
        Ok(setups.into_iter().map(|Text(setup)| setup).collect())
    }

    /// Returns the setups that a person has reported, with the reasons.
    pub(crate) async fn reports_of(
        &self,
        person: PersonId,
    ) -> Result<Vec<(SetupId, ReportReason)>, StorageError> {
        let mut connection = self.page_reader().await?;
        let reports: Vec<(Text<SetupId>, VisibleText<ReportReason>)> =
            query("SELECT setup, reason FROM setup_reports WHERE person = $1 ORDER BY at, setup")
                .bind(Text(person))
                .fetch_all(&mut connection)
                .await?;
        Ok(reports.into_iter().map(|(setup, reason)| (setup.0, reason.0)).collect())
    }
}

/// The columns of a setup to insert that are not computed.
pub(super) struct NewSetupRow {
    pub(super) number: i64,
    pub(super) setup: StoredSetup,
    pub(super) start: String,
    pub(super) both_ways: String,
    pub(super) piece_box: String,
    pub(super) likes: u32,
    pub(super) past: ReportState,
}

/// Inserts a setup with the results of the games from its position.
pub(super) async fn insert_setup(
    connection: &mut DatabaseConnection,
    row: NewSetupRow,
) -> Result<(), StorageError> {
    let NewSetupRow { number, setup, start, both_ways, piece_box, likes, past } = row;
    let balance = count_games(connection, &start, setup.rules).await?;
    query(
        "INSERT INTO setups (number, id, person, name, words, start, both_ways, rules, box, \
         created, likes, plays, silver, drawn, red, evenness, reported, hidden) VALUES \
         ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)",
    )
    .bind(number)
    .bind(Text(setup.id))
    .bind(Text(setup.person))
    .bind(setup.name.as_str())
    .bind(setup.description.as_str())
    .bind(start)
    .bind(both_ways)
    .bind(Text(setup.rules))
    .bind(piece_box)
    .bind(to_i64(setup.created))
    .bind(likes)
    .bind(balance.games())
    .bind(balance.silver)
    .bind(balance.draws)
    .bind(balance.red)
    .bind(balance.evenness())
    .bind(past.reported.map(to_i64))
    .bind(past.hidden)
    .execute(connection)
    .await?;
    Ok(())
}

/// Builds the query for a list.
fn list_query(
    kind: DatabaseKind,
    filter: &SetupFilter,
    visitor: Option<PersonId>,
    limit: u32,
) -> QueryBuilder {
    let sort = column(filter.sort);
    let mut query = QueryBuilder::new(kind, SELECT_SETUP);
    query.push_bind(visitor.map(Text));
    // One author has few setups. A plus sign before the other columns keeps SQLite from choosing
    // their indexes, so that it uses the author's. PostgreSQL knows by its statistics.
    let sign = match kind {
        DatabaseKind::Sqlite if filter.author.is_some() => "+",
        _ => "",
    };
    query.push(" WHERE ");
    match filter.with_hidden {
        true => query.push("1 = 1"),
        false => query.push(sign).push("setups.hidden = 0"),
    };
    if let Some(author) = filter.author {
        query.push(" AND setups.person = ").push_bind(Text(author));
    }
    if let Some(piece_box) = filter.piece_box {
        query.push(format_args!(" AND {sign}setups.box = ")).push_bind(piece_box.name());
    }
    if let Some(SetupCursor { value, number }) = filter.after {
        if filter.sort == SetupSort::Newest {
            query.push(" AND setups.number < ").push_bind(number);
        } else {
            query.push(format_args!(" AND (setups.{sort}, setups.number) < ("));
            query.push_bind(value).push(", ").push_bind(number).push(")");
        }
    }
    query.push(" ORDER BY ");
    if filter.sort != SetupSort::Newest {
        query.push(format_args!("setups.{sort} DESC, "));
    }
    query.push("setups.number DESC LIMIT ");
    query.push_bind(limit);
    query
}

/// Counts the results of finished games from a position.
async fn count_games(
    connection: &mut DatabaseConnection,
    start: &str,
    rules: Rules,
) -> Result<SetupResults, StorageError> {
    let rows: Vec<(Option<Text<Color>>, u32)> = query(
        "SELECT winner, COUNT(*) AS count FROM games WHERE start = $1 AND ended IS NOT NULL \
         AND reason <> 'aborted' AND turns >= 2 AND rules = $2 GROUP BY winner",
    )
    .bind(start)
    .bind(Text(rules))
    .fetch_all(connection)
    .await?;
    let mut balance = SetupResults::default();
    for (winner, count) in rows {
        *count_mut(&mut balance, winner.map(|winner| winner.0)) = count;
    }
    Ok(balance)
}

/// Returns the count of a result.
fn count_mut(balance: &mut SetupResults, winner: Option<Color>) -> &mut u32 {
    match winner {
        Some(Color::Silver) => &mut balance.silver,
        None => &mut balance.draws,
        Some(Color::Red) => &mut balance.red,
    }
}

/// Counts a finished game for the published setup that it started from, if both players have moved.
/// Games from setups with a name cost no query.
pub(super) async fn count_game(
    connection: &mut DatabaseConnection,
    game: &GameEnd,
) -> Result<(), StorageError> {
    let options = &game.started.options;
    let counts = !game.outcome.is_aborted() && game.moves >= 2;
    if !counts || options.start.has_name() {
        return Ok(());
    }
    let sql = "SELECT id, silver, drawn, red FROM setups WHERE start = $1 AND rules = $2";
    let row: Option<(String, u32, u32, u32)> = query(sql)
        .bind(options.start.to_string())
        .bind(Text(options.rules))
        .fetch_optional(&mut *connection)
        .await?;
    let Some((id, silver, draws, red)) = row else { return Ok(()) };
    let mut balance = SetupResults { silver, draws, red };
    *count_mut(&mut balance, game.outcome.winner) += 1;
    query(
        "UPDATE setups SET plays = $2, silver = $3, drawn = $4, red = $5, evenness = $6 \
         WHERE id = $1",
    )
    .bind(id)
    .bind(balance.games())
    .bind(balance.silver)
    .bind(balance.draws)
    .bind(balance.red)
    .bind(balance.evenness())
    .execute(connection)
    .await?;
    Ok(())
}

/// Deletes a person's texts and likes. The setups stay without an author, because others play them.
pub(super) async fn delete_person(
    connection: &mut DatabaseConnection,
    person: PersonId,
) -> Result<(), StorageError> {
    execute_each(
        connection,
        &[
            "UPDATE setups SET words = '' WHERE person = $1",
            "UPDATE removed_setups SET person = '', name = '', words = '' WHERE person = $1",
            "UPDATE setups SET likes = likes - 1 WHERE id IN \
             (SELECT setup FROM setup_likes WHERE person = $1)",
            "DELETE FROM setup_likes WHERE person = $1",
            "UPDATE setup_reports SET reason = '' WHERE person = $1",
        ],
        Text(person),
    )
    .await
}

#[cfg(test)]
mod tests {
    use khet::PieceBox;
    use khet_protocol::{PersonId, SetupCursor, SetupSort};

    use super::{DatabaseKind, SetupFilter, list_query};
    use crate::storage::testing::{TestDatabase, query_plan};

    const SQLITE: DatabaseKind = DatabaseKind::Sqlite;

    #[tokio::test]
    async fn queries_use_an_index() {
        let (_database, store) = TestDatabase::open_new_file().await;
        let person = PersonId::from_number(1);
        let cursor = SetupCursor { value: 3, number: 4 };
        for (sort, column) in [
            (SetupSort::Newest, "number"),
            (SetupSort::Plays, "plays"),
            (SetupSort::Likes, "likes"),
            (SetupSort::Balance, "evenness"),
        ] {
            for after in [None, Some(cursor)] {
                for (piece_box, index) in
                    [(None, "setups_by_"), (Some(PieceBox::Khet2), "setups_by_box_and_")]
                {
                    let filter = SetupFilter { sort, piece_box, after, ..SetupFilter::default() };
                    let plan =
                        query_plan(&store, list_query(SQLITE, &filter, Some(person), 10).build())
                            .await;
                    let index = format!("SEARCH setups USING INDEX {index}{column} ");
                    assert!(
                        plan.iter().any(|step| step.starts_with(&index)),
                        "{filter:?} {plan:#?}"
                    );
                    // The index has the order of the list, so nothing is sorted.
                    assert!(!plan.iter().any(|step| step.contains("TEMP B-TREE")), "{plan:#?}");
                }
            }
            let (author, piece_box) = (Some(person), Some(PieceBox::Standard));
            let filter = SetupFilter { sort, author, piece_box, ..SetupFilter::default() };
            let plan = query_plan(&store, list_query(SQLITE, &filter, None, 10).build()).await;
            let own = "SEARCH setups USING INDEX setups_by_person ";
            assert!(plan.iter().any(|step| step.starts_with(own)), "{plan:#?}");
        }
        store.close().await;
    }
}

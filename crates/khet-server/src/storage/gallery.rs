//! The gallery: setups, who likes them, who reports them, and how games from them end.

use khet::{Color, PieceBox, Placement, Rules};
use khet_protocol::{
    Balance, GallerySetup, PersonId, PersonKind, PublicProfile, ReportReason, ReportedSetup,
    SetupCursor, SetupDescription, SetupId, SetupName, SetupReport, SetupSort, Start,
};
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row, Sqlite, SqliteConnection};

use super::games::Finish;
use super::{StorageError, Store, parse, people, signed, unsigned};

/// From so many reports on, a setup is hidden until someone has decided.
const HIDING_REPORTS: i64 = 3;

/// The box that a setup is found by; pyramids alone could be of either.
fn piece_box(placement: &Placement) -> PieceBox {
    PieceBox::of(placement).unwrap_or(PieceBox::Standard)
}

/// Which setups are wanted. Names are known.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WantedSetups {
    pub(crate) sort: SetupSort,
    pub(crate) piece_box: Option<PieceBox>,
    pub(crate) author: Option<PersonId>,
    pub(crate) after: Option<SetupCursor>,
    /// Those too that are kept out of lists.
    pub(crate) hidden_too: bool,
}

/// A setup to be kept. Its position can be played and has no name.
#[derive(Clone, Debug)]
pub(crate) struct StoredSetup {
    pub(crate) id: SetupId,
    pub(crate) person: PersonId,
    pub(crate) name: SetupName,
    pub(crate) description: SetupDescription,
    pub(crate) position: Placement,
    pub(crate) rules: Rules,
    pub(crate) created: u64,
}

/// A card with its place in the list that it was read for.
pub(crate) struct Listed {
    pub(crate) card: GallerySetup,
    pub(crate) place: SetupCursor,
}

/// The column by which a list is sorted; newer ones come first where it is equal.
fn column(sort: SetupSort) -> &'static str {
    match sort {
        SetupSort::Newest => "number",
        SetupSort::Plays => "plays",
        SetupSort::Likes => "likes",
        SetupSort::Balance => "evenness",
    }
}

/// What is read of a setup: its row, its author, and whether someone likes it.
const CARD: &str = "SELECT setups.*, people.kind AS author_kind, people.name AS author_name, \
    setup_likes.person AS liked_by FROM setups LEFT JOIN people ON people.id = setups.person \
    LEFT JOIN setup_likes ON setup_likes.setup = setups.id AND setup_likes.person = ";

impl Store {
    /// Setups for someone to look at.
    pub(crate) async fn list_setups(
        &self,
        wanted: &WantedSetups,
        visitor: Option<PersonId>,
        limit: u32,
    ) -> Result<Vec<Listed>, StorageError> {
        let rows = question(wanted, visitor, limit).build().fetch_all(self.readers()).await?;
        let value = column(wanted.sort);
        rows.iter()
            .map(|row| {
                let place =
                    SetupCursor { value: count(row, value)?, number: count(row, "number")? };
                Ok(Listed { card: card(row, visitor)?, place })
            })
            .collect()
    }

    /// A setup as someone sees it, if there is such a setup.
    pub(crate) async fn setup(
        &self,
        id: SetupId,
        visitor: Option<PersonId>,
    ) -> Result<Option<GallerySetup>, StorageError> {
        let mut query = QueryBuilder::<Sqlite>::new(CARD);
        query.push_bind(visitor.map(|visitor| visitor.to_string()));
        query.push(" WHERE setups.id = ").push_bind(id.to_string());
        let row = query.build().fetch_optional(self.readers()).await?;
        row.map(|row| card(&row, visitor)).transpose()
    }

    /// Publishes a setup, with the games that were already played from there. If the position was published before, nothing is
    /// kept, and that setup is returned.
    pub(crate) async fn publish_setup(
        &self,
        setup: StoredSetup,
    ) -> Result<Option<(SetupId, SetupName)>, StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                let start = setup.position.to_string();
                let both_ways = start.clone().min(setup.position.flipped().to_string());
                let known = sqlx::query("SELECT id, name FROM setups WHERE both_ways = $1")
                    .bind(&both_ways)
                    .fetch_optional(&mut *connection)
                    .await?;
                if let Some(row) = known {
                    return Ok(Some((parse(row.try_get("id")?)?, parse(row.try_get("name")?)?)));
                }
                let balance = played(connection, &start, setup.rules).await?;
                sqlx::query(
                    "INSERT INTO setups (number, id, person, name, words, start, both_ways, rules, box, \
                     created, likes, plays, silver, drawn, red, evenness, reported, hidden) \
                     VALUES ((SELECT COALESCE(MAX(number), 0) + 1 FROM setups), \
                     $1, $2, $3, $4, $5, $6, $7, $8, $9, 0, $10, $11, $12, $13, $14, NULL, 0)",
                )
                .bind(setup.id.to_string())
                .bind(setup.person.to_string())
                .bind(setup.name.as_str())
                .bind(setup.description.as_str())
                .bind(start)
                .bind(both_ways)
                .bind(setup.rules.to_string())
                .bind(piece_box(&setup.position).name())
                .bind(signed(setup.created))
                .bind(i64::from(balance.games()))
                .bind(i64::from(balance.silver))
                .bind(i64::from(balance.drawn))
                .bind(i64::from(balance.red))
                .bind(i64::from(balance.evenness()))
                .execute(connection)
                .await?;
                Ok(None)
            })
        })
        .await
    }

    /// Takes a setup out of the gallery, with everything about it. Games from it stay.
    pub(crate) async fn delete_setup(&self, id: SetupId) -> Result<(), StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                for statement in [
                    "DELETE FROM setup_likes WHERE setup = $1",
                    "DELETE FROM setup_reports WHERE setup = $1",
                    "DELETE FROM setups WHERE id = $1",
                ] {
                    sqlx::query(statement).bind(id.to_string()).execute(&mut *connection).await?;
                }
                Ok(())
            })
        })
        .await
    }

    /// Someone likes a setup, or no longer. Each counts once. `false` if there is no such setup.
    pub(crate) async fn like_setup(
        &self,
        id: SetupId,
        person: PersonId,
        likes: bool,
    ) -> Result<bool, StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                let (id, person) = (id.to_string(), person.to_string());
                let (statement, by) = if likes {
                    let insert = "INSERT INTO setup_likes (setup, person) \
                        SELECT id, $2 FROM setups WHERE id = $1 ON CONFLICT DO NOTHING";
                    (insert, 1)
                } else {
                    ("DELETE FROM setup_likes WHERE setup = $1 AND person = $2", -1)
                };
                let changed = sqlx::query(statement)
                    .bind(&id)
                    .bind(person)
                    .execute(&mut *connection)
                    .await?
                    .rows_affected();
                let by = by * i64::try_from(changed).unwrap_or(0);
                let found = sqlx::query("UPDATE setups SET likes = likes + $2 WHERE id = $1")
                    .bind(id)
                    .bind(by)
                    .execute(connection)
                    .await?;
                Ok(found.rows_affected() > 0)
            })
        })
        .await
    }

    /// Reports a setup: once by each person. `false` if there is no such setup.
    pub(crate) async fn report_setup(
        &self,
        id: SetupId,
        person: PersonId,
        reason: ReportReason,
        now: u64,
    ) -> Result<bool, StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                let id = id.to_string();
                let new = sqlx::query(
                    "INSERT INTO setup_reports (setup, person, at, reason, decided) \
                     SELECT id, $2, $3, $4, 0 FROM setups WHERE id = $1 ON CONFLICT DO NOTHING",
                )
                .bind(&id)
                .bind(person.to_string())
                .bind(signed(now))
                .bind(reason.as_str())
                .execute(&mut *connection)
                .await?;
                if new.rows_affected() == 0 {
                    let known = sqlx::query("SELECT 1 FROM setups WHERE id = $1")
                        .bind(&id)
                        .fetch_optional(connection)
                        .await?;
                    return Ok(known.is_some());
                }
                sqlx::query(
                    "UPDATE setups SET reported = COALESCE(reported, $2), hidden = CASE WHEN \
                     (SELECT COUNT(*) FROM setup_reports WHERE setup = $1 AND decided = 0) >= $3 \
                     THEN 1 ELSE hidden END WHERE id = $1",
                )
                .bind(&id)
                .bind(signed(now))
                .bind(HIDING_REPORTS)
                .execute(connection)
                .await?;
                Ok(true)
            })
        })
        .await
    }

    /// Decides that a setup stays, whatever was reported so far. `false` if there is no such setup.
    pub(crate) async fn keep_setup(&self, id: SetupId) -> Result<bool, StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                sqlx::query("UPDATE setup_reports SET decided = 1 WHERE setup = $1")
                    .bind(id.to_string())
                    .execute(&mut *connection)
                    .await?;
                let kept = "UPDATE setups SET reported = NULL, hidden = 0 WHERE id = $1";
                let kept = sqlx::query(kept).bind(id.to_string()).execute(connection).await?;
                Ok(kept.rows_affected() > 0)
            })
        })
        .await
    }

    /// Setups about which someone has to decide, with the reports: those that have waited longest first.
    pub(crate) async fn reported_setups(
        &self,
        visitor: PersonId,
        limit: u32,
        reports: u32,
    ) -> Result<Vec<ReportedSetup>, StorageError> {
        let rows = reported_question(visitor, limit).build().fetch_all(self.readers()).await?;
        let mut setups = Vec::with_capacity(rows.len());
        for row in &rows {
            let card = card(row, Some(visitor))?;
            let hidden = row.try_get::<i64, _>("hidden")? != 0;
            let rows = sqlx::query(
                "SELECT setup_reports.*, people.kind AS author_kind, people.name AS author_name \
                 FROM setup_reports LEFT JOIN people ON people.id = setup_reports.person \
                 WHERE setup = $1 AND decided = 0 ORDER BY at, person LIMIT $2",
            )
            .bind(card.id.to_string())
            .bind(i64::from(reports))
            .fetch_all(self.readers())
            .await?;
            let reports = rows.iter().map(|row| {
                Ok(SetupReport {
                    by: face(row)?,
                    at: unsigned(row.try_get("at")?),
                    reason: parse(row.try_get("reason")?)?,
                })
            });
            let reports = reports.collect::<Result<_, StorageError>>()?;
            setups.push(ReportedSetup { setup: card, hidden, reports });
        }
        Ok(setups)
    }

    /// The setups that someone likes.
    pub(crate) async fn likes_of(&self, person: PersonId) -> Result<Vec<SetupId>, StorageError> {
        let rows = sqlx::query("SELECT setup FROM setup_likes WHERE person = $1 ORDER BY setup")
            .bind(person.to_string())
            .fetch_all(self.readers())
            .await?;
        rows.iter().map(|row| parse(row.try_get("setup")?)).collect()
    }

    /// What someone has reported, and why.
    pub(crate) async fn reports_of(
        &self,
        person: PersonId,
    ) -> Result<Vec<(SetupId, ReportReason)>, StorageError> {
        let sql = "SELECT setup, reason FROM setup_reports WHERE person = $1 ORDER BY at, setup";
        let rows = sqlx::query(sql).bind(person.to_string()).fetch_all(self.readers()).await?;
        let report =
            |row: &SqliteRow| Ok((parse(row.try_get("setup")?)?, parse(row.try_get("reason")?)?));
        rows.iter().map(report).collect()
    }
}

/// The question for a list.
fn question(wanted: &WantedSetups, visitor: Option<PersonId>, limit: u32) -> QueryBuilder<Sqlite> {
    let sort = column(wanted.sort);
    let mut query = QueryBuilder::<Sqlite>::new(CARD);
    query.push_bind(visitor.map(|visitor| visitor.to_string()));
    // One person's setups are few, and quickly sorted: with a sign before the others' columns, the database does not look for
    // them in everybody's.
    let sign = if wanted.author.is_some() { "+" } else { "" };
    query.push(" WHERE ");
    match wanted.hidden_too {
        true => query.push("1 = 1"),
        false => query.push(sign).push("setups.hidden = 0"),
    };
    if let Some(author) = wanted.author {
        query.push(" AND setups.person = ").push_bind(author.to_string());
    }
    if let Some(piece_box) = wanted.piece_box {
        query.push(format_args!(" AND {sign}setups.box = ")).push_bind(piece_box.name());
    }
    if let Some(SetupCursor { value, number }) = wanted.after {
        if wanted.sort == SetupSort::Newest {
            query.push(" AND setups.number < ").push_bind(i64::from(number));
        } else {
            query.push(format_args!(" AND (setups.{sort}, setups.number) < ("));
            query.push_bind(i64::from(value)).push(", ").push_bind(i64::from(number)).push(")");
        }
    }
    query.push(" ORDER BY ");
    if wanted.sort != SetupSort::Newest {
        query.push(format_args!("setups.{sort} DESC, "));
    }
    query.push("setups.number DESC LIMIT ");
    query.push_bind(i64::from(limit));
    query
}

/// The question for what someone has to decide about.
fn reported_question(visitor: PersonId, limit: u32) -> QueryBuilder<Sqlite> {
    let mut query = QueryBuilder::<Sqlite>::new(CARD);
    query.push_bind(visitor.to_string());
    query.push(" WHERE setups.reported IS NOT NULL ORDER BY setups.reported LIMIT ");
    query.push_bind(i64::from(limit));
    query
}

/// How finished games from a position ended so far.
async fn played(
    connection: &mut SqliteConnection,
    start: &str,
    rules: Rules,
) -> Result<Balance, StorageError> {
    let rows = sqlx::query(
        "SELECT winner, COUNT(*) AS count FROM games WHERE start = $1 AND ended IS NOT NULL \
         AND reason <> 'aborted' AND turns >= 2 AND rules = $2 GROUP BY winner",
    )
    .bind(start)
    .bind(rules.to_string())
    .fetch_all(connection)
    .await?;
    let mut balance = Balance::default();
    for row in &rows {
        let winner: Option<&str> = row.try_get("winner")?;
        *share(&mut balance, winner.map(parse).transpose()?) = count(row, "count")?;
    }
    Ok(balance)
}

/// The number that a result changes.
fn share(balance: &mut Balance, winner: Option<Color>) -> &mut u32 {
    match winner {
        Some(Color::Silver) => &mut balance.silver,
        None => &mut balance.drawn,
        Some(Color::Red) => &mut balance.red,
    }
}

/// Counts a game that ends for the setup from which it started, if both have played a move. Games from named setups ask the database nothing.
pub(super) async fn count_game(
    connection: &mut SqliteConnection,
    finish: &Finish,
) -> Result<(), StorageError> {
    let options = &finish.started.options;
    let played = !finish.outcome.is_aborted() && finish.moves >= 2;
    if !played || matches!(options.start, Start::Setup(_)) {
        return Ok(());
    }
    let sql = "SELECT id, silver, drawn, red FROM setups WHERE start = $1 AND rules = $2";
    let row = sqlx::query(sql)
        .bind(options.start.to_string())
        .bind(options.rules.to_string())
        .fetch_optional(&mut *connection)
        .await?;
    let Some(row) = row else { return Ok(()) };
    let mut balance = balance(&row)?;
    *share(&mut balance, finish.outcome.winner) += 1;
    sqlx::query(
        "UPDATE setups SET plays = $2, silver = $3, drawn = $4, red = $5, evenness = $6 WHERE id = $1",
    )
    .bind(row.try_get::<&str, _>("id")?)
    .bind(i64::from(balance.games()))
    .bind(i64::from(balance.silver))
    .bind(i64::from(balance.drawn))
    .bind(i64::from(balance.red))
    .bind(i64::from(balance.evenness()))
    .execute(connection)
    .await?;
    Ok(())
}

/// Forgets what someone said in the gallery, and what they like. Their setups stay, by someone who is gone: others play from them.
pub(super) async fn forget(
    connection: &mut SqliteConnection,
    person: &str,
) -> Result<(), StorageError> {
    for statement in [
        "UPDATE setups SET words = '' WHERE person = $1",
        "UPDATE setups SET likes = likes - 1 WHERE id IN \
         (SELECT setup FROM setup_likes WHERE person = $1)",
        "DELETE FROM setup_likes WHERE person = $1",
        "UPDATE setup_reports SET reason = '' WHERE person = $1",
    ] {
        sqlx::query(statement).bind(person).execute(&mut *connection).await?;
    }
    Ok(())
}

fn card(row: &SqliteRow, visitor: Option<PersonId>) -> Result<GallerySetup, StorageError> {
    let author = face(row)?;
    let liked: Option<&str> = row.try_get("liked_by")?;
    Ok(GallerySetup {
        id: parse(row.try_get("id")?)?,
        name: parse(row.try_get("name")?)?,
        description: parse(row.try_get("words")?)?,
        position: parse(row.try_get("start")?)?,
        rules: parse(row.try_get("rules")?)?,
        created: unsigned(row.try_get("created")?),
        likes: count(row, "likes")?,
        liked: liked.is_some(),
        plays: count(row, "plays")?,
        balance: balance(row)?,
        mine: visitor == Some(author.id),
        author,
    })
}

fn balance(row: &SqliteRow) -> Result<Balance, StorageError> {
    Ok(Balance {
        silver: count(row, "silver")?,
        drawn: count(row, "drawn")?,
        red: count(row, "red")?,
    })
}

/// The person of a row.
fn face(row: &SqliteRow) -> Result<PublicProfile, StorageError> {
    let kind: Option<&str> = row.try_get("author_kind")?;
    let name: Option<&str> = row.try_get("author_name")?;
    Ok(PublicProfile {
        id: parse(row.try_get("person")?)?,
        kind: kind.map(people::kind).transpose()?.unwrap_or(PersonKind::Gone),
        name: name.map(parse).transpose()?,
        rating: None,
    })
}

fn count(row: &SqliteRow, column: &str) -> Result<u32, StorageError> {
    Ok(u32::try_from(row.try_get::<i64, _>(column)?).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use khet::PieceBox;
    use khet_protocol::{PersonId, SetupCursor, SetupSort};

    use super::{WantedSetups, question, reported_question};
    use crate::storage::{Store, plan};

    #[tokio::test]
    async fn every_list_is_answered_from_an_index() {
        let folder = tempfile::TempDir::new().unwrap();
        let store = Store::open(&folder.path().join("khet.sqlite")).await.unwrap();
        let someone = PersonId::from_number(1);
        let place = SetupCursor { value: 3, number: 4 };
        for (sort, column) in [
            (SetupSort::Newest, "number"),
            (SetupSort::Plays, "plays"),
            (SetupSort::Likes, "likes"),
            (SetupSort::Balance, "evenness"),
        ] {
            for after in [None, Some(place)] {
                for (piece_box, index) in
                    [(None, "setups_by_"), (Some(PieceBox::Khet2), "setups_by_box_and_")]
                {
                    let wanted = WantedSetups { sort, piece_box, after, ..WantedSetups::default() };
                    let plan =
                        plan(&store, &question(&wanted, Some(someone), 10).into_string()).await;
                    let index = format!("SEARCH setups USING INDEX {index}{column} ");
                    assert!(
                        plan.iter().any(|step| step.starts_with(&index)),
                        "{wanted:?} {plan:#?}"
                    );
                    // Nothing is sorted: what comes first is read first.
                    assert!(!plan.iter().any(|step| step.contains("TEMP B-TREE")), "{plan:#?}");
                }
            }
            let (author, piece_box) = (Some(someone), Some(PieceBox::Standard));
            let wanted = WantedSetups { sort, author, piece_box, ..WantedSetups::default() };
            let plan = plan(&store, &question(&wanted, None, 10).into_string()).await;
            let own = "SEARCH setups USING INDEX setups_by_person ";
            assert!(plan.iter().any(|step| step.starts_with(own)), "{plan:#?}");
        }
        let plan = plan(&store, &reported_question(someone, 10).into_string()).await;
        let reported = "SEARCH setups USING INDEX setups_by_reported ";
        assert!(plan.iter().any(|step| step.starts_with(reported)), "{plan:#?}");
        store.close().await;
    }
}

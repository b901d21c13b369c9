//! Attempts at puzzles, ratings of puzzles and solvers, votes, and the best series.

use std::sync::LazyLock;

use khet_protocol::{
    PersonId, PuzzleHistoryEntry, PuzzleRun, PuzzleRunKind, PuzzleVote, Rating, RatingChange,
};
use khet_puzzles::PuzzleId;
use sqlx::types::Text;

use super::bulk_insert::BulkInsert;
use super::columns::{Name, ToValue, row};
use super::ratings::{RatingUpdate, StoredRating};
use super::sql::{DatabaseConnection, execute_each, query};
use super::{StorageError, Store, to_i64};

/// Computes the ratings of a solver and of a puzzle after an attempt at a time: before it, the
/// solver has the stored one, or none. `true` if the puzzle was solved.
pub(crate) type RateAttempt =
    fn(Option<StoredRating>, StoredRating, bool, u64) -> (RatingUpdate, StoredRating);

/// An attempt to store.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewAttempt {
    pub(crate) person: PersonId,
    pub(crate) puzzle: PuzzleId,
    pub(crate) solved: bool,
    pub(crate) at: u64,
    /// The rating with which the puzzle starts.
    pub(crate) first_rating: StoredRating,
    pub(crate) rate: RateAttempt,
}

/// A person's first attempt at a puzzle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoredAttempt {
    pub(crate) first: PuzzleHistoryEntry,
    /// Time of the last attempt at the puzzle.
    pub(crate) latest: u64,
}

/// The rating, the attempts and the votes of a puzzle.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PuzzleRecord {
    /// `None` if no account has tried it.
    pub(crate) rating: Option<StoredRating>,
    pub(crate) upvotes: u32,
    pub(crate) downvotes: u32,
    /// The visitor's vote.
    pub(crate) own_vote: Option<PuzzleVote>,
}

row! {
    struct AttemptRow {
        puzzle: Text<PuzzleId>,
        at: u64,
        solved: bool,
        before: Option<u16>,
        after: Option<u16>,
        latest: u64,
    }
}

impl From<AttemptRow> for StoredAttempt {
    fn from(row: AttemptRow) -> StoredAttempt {
        let AttemptRow { puzzle: Text(puzzle), at, solved, before, after, latest } = row;
        let change = |(before, after)| RatingChange { before, after };
        let first =
            PuzzleHistoryEntry { puzzle, at, solved, rating: before.zip(after).map(change) };
        StoredAttempt { first, latest }
    }
}

/// Inserts first attempts that are not rated.
static INSERT_UNRATED: LazyLock<BulkInsert> = LazyLock::new(|| {
    BulkInsert::new(
        "INSERT INTO puzzle_attempts (person, puzzle, at, solved, latest)",
        5,
        " ON CONFLICT (person, puzzle) DO UPDATE SET latest = excluded.latest \
         WHERE puzzle_attempts.latest < excluded.latest",
        7,
    )
});

const SELECT_PUZZLE_RATING: &str =
    "SELECT rating, deviation, volatility, games, changed FROM puzzle_ratings WHERE puzzle = $1";
const SELECT_SOLVER_RATING: &str =
    "SELECT rating, deviation, volatility, games, changed FROM solver_ratings WHERE person = $1";

impl Store {
    /// Stores an attempt. The first one of a person at a puzzle changes the ratings of both.
    /// Returns the change of the solver's rating, and the puzzle's rating.
    pub(crate) async fn attempt_puzzle(
        &self,
        attempt: NewAttempt,
    ) -> Result<(Option<RatingChange>, Rating), StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                let NewAttempt { person, puzzle, solved, at, .. } = attempt;
                let before: Option<StoredRating> = query(SELECT_PUZZLE_RATING)
                    .bind(Text(puzzle))
                    .fetch_optional(&mut *connection)
                    .await?;
                let before = before.unwrap_or(attempt.first_rating);
                if repeat_attempt(connection, person, puzzle, at).await? {
                    return Ok((None, before.rounded()));
                }
                let solver = query(SELECT_SOLVER_RATING)
                    .bind(Text(person))
                    .fetch_optional(&mut *connection)
                    .await?;
                let (solver, after) = (attempt.rate)(solver, before, solved, at);
                let change =
                    RatingChange { before: solver.before.value, after: solver.after.rounded().value };
                store_rating(connection, RatedSide::Puzzle(puzzle), after).await?;
                store_rating(connection, RatedSide::Solver(person), solver.after).await?;
                query(
                    "INSERT INTO puzzle_attempts (person, puzzle, at, solved, before, after, latest) \
                     VALUES ($1, $2, $3, $4, $5, $6, $3)",
                )
                .bind(Text(person))
                .bind(Text(puzzle))
                .bind(to_i64(at))
                .bind(solved)
                .bind(change.before)
                .bind(change.after)
                .execute(connection)
                .await?;
                Ok((Some(change), after.rounded()))
            })
        })
        .await
    }

    /// Adds attempts, at most one at each puzzle, and series that a person made as a guest. Existing
    /// attempts and better series stay.
    pub(crate) async fn merge_puzzles(
        &self,
        person: PersonId,
        attempts: Vec<StoredAttempt>,
        runs: Vec<PuzzleRun>,
    ) -> Result<(), StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                let rows = attempts.into_iter().map(|StoredAttempt { first, latest }| {
                    Ok::<_, StorageError>([
                        Text(person).to_value()?,
                        Text(first.puzzle).to_value()?,
                        to_i64(first.at).to_value()?,
                        first.solved.to_value()?,
                        to_i64(latest).to_value()?,
                    ])
                });
                INSERT_UNRATED.insert(connection, rows).await?;
                for run in runs {
                    query(
                        "INSERT INTO puzzle_runs (person, kind, score, at) VALUES ($1, $2, $3, $4) \
                         ON CONFLICT (person, kind) DO UPDATE SET \
                         score = excluded.score, at = excluded.at \
                         WHERE puzzle_runs.score < excluded.score",
                    )
                    .bind(Text(person))
                    .bind(Name(run.kind))
                    .bind(run.score)
                    .bind(to_i64(run.at))
                    .execute(&mut *connection)
                    .await?;
                }
                Ok(())
            })
        })
        .await
    }

    /// Returns the rating, the attempts and the votes of a puzzle.
    pub(crate) async fn puzzle_record(
        &self,
        puzzle: PuzzleId,
        visitor: Option<PersonId>,
    ) -> Result<PuzzleRecord, StorageError> {
        let mut connection = self.page_reader().await?;
        let rating =
            query(SELECT_PUZZLE_RATING).bind(Text(puzzle)).fetch_optional(&mut connection).await?;
        let counts: Vec<(Name<PuzzleVote>, u32)> =
            query("SELECT vote, COUNT(*) FROM puzzle_votes WHERE puzzle = $1 GROUP BY vote")
                .bind(Text(puzzle))
                .fetch_all(&mut connection)
                .await?;
        let count = |vote: PuzzleVote| {
            counts.iter().find(|(Name(counted), _)| *counted == vote).map_or(0, |&(_, count)| count)
        };
        let own_vote: Option<Name<PuzzleVote>> =
            query("SELECT vote FROM puzzle_votes WHERE puzzle = $1 AND person = $2")
                .bind(Text(puzzle))
                .bind(visitor.map(Text))
                .fetch_optional(&mut connection)
                .await?;
        Ok(PuzzleRecord {
            rating,
            upvotes: count(PuzzleVote::Up),
            downvotes: count(PuzzleVote::Down),
            own_vote: own_vote.map(|Name(vote)| vote),
        })
    }

    /// Returns the ratings of all puzzles that accounts have tried.
    pub(crate) async fn puzzle_ratings(&self) -> Result<Vec<(PuzzleId, f64)>, StorageError> {
        let mut connection = self.page_reader().await?;
        let rows: Vec<(Text<PuzzleId>, f64)> =
            query("SELECT puzzle, rating FROM puzzle_ratings").fetch_all(&mut connection).await?;
        Ok(rows.into_iter().map(|(Text(puzzle), rating)| (puzzle, rating)).collect())
    }

    /// Returns a person's rating as a solver, if the person has rated attempts.
    pub(crate) async fn solver_rating(
        &self,
        person: PersonId,
    ) -> Result<Option<StoredRating>, StorageError> {
        let mut connection = self.reader().await?;
        query(SELECT_SOLVER_RATING).bind(Text(person)).fetch_optional(&mut connection).await
    }

    /// Returns a person's first attempts at all puzzles, the oldest first.
    pub(crate) async fn puzzle_attempts(
        &self,
        person: PersonId,
    ) -> Result<Vec<StoredAttempt>, StorageError> {
        let mut connection = self.page_reader().await?;
        let rows: Vec<AttemptRow> = query(
            "SELECT puzzle, at, solved, before, after, latest FROM puzzle_attempts \
             WHERE person = $1 ORDER BY at, puzzle",
        )
        .bind(Text(person))
        .fetch_all(&mut connection)
        .await?;
        Ok(rows.into_iter().map(StoredAttempt::from).collect())
    }

    /// Returns a person's best series, at most one of each kind.
    pub(crate) async fn best_puzzle_runs(
        &self,
        person: PersonId,
    ) -> Result<Vec<PuzzleRun>, StorageError> {
        let mut connection = self.page_reader().await?;
        let rows: Vec<(Name<PuzzleRunKind>, u64, u16)> =
            query("SELECT kind, at, score FROM puzzle_runs WHERE person = $1 ORDER BY kind")
                .bind(Text(person))
                .fetch_all(&mut connection)
                .await?;
        let run = |(Name(kind), at, score)| PuzzleRun { kind, at, score };
        Ok(rows.into_iter().map(run).collect())
    }

    /// Sets or removes a person's vote, which counts once.
    pub(crate) async fn vote_puzzle(
        &self,
        puzzle: PuzzleId,
        person: PersonId,
        vote: Option<PuzzleVote>,
    ) -> Result<(), StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                let statement = match vote {
                    Some(vote) => query(
                        "INSERT INTO puzzle_votes (puzzle, person, vote) VALUES ($1, $2, $3) \
                         ON CONFLICT (puzzle, person) DO UPDATE SET vote = excluded.vote",
                    )
                    .bind(Text(puzzle))
                    .bind(Text(person))
                    .bind(Name(vote)),
                    None => query("DELETE FROM puzzle_votes WHERE puzzle = $1 AND person = $2")
                        .bind(Text(puzzle))
                        .bind(Text(person)),
                };
                statement.execute(connection).await?;
                Ok(())
            })
        })
        .await
    }

    /// Returns a person's votes.
    pub(crate) async fn puzzle_votes_of(
        &self,
        person: PersonId,
    ) -> Result<Vec<(PuzzleId, PuzzleVote)>, StorageError> {
        let mut connection = self.page_reader().await?;
        let rows: Vec<(Text<PuzzleId>, Name<PuzzleVote>)> =
            query("SELECT puzzle, vote FROM puzzle_votes WHERE person = $1 ORDER BY puzzle")
                .bind(Text(person))
                .fetch_all(&mut connection)
                .await?;
        Ok(rows.into_iter().map(|(Text(puzzle), Name(vote))| (puzzle, vote)).collect())
    }
}

/// Stores the time of an attempt if the person has tried the puzzle before. `false` if this is the
/// first attempt.
async fn repeat_attempt(
    connection: &mut DatabaseConnection,
    person: PersonId,
    puzzle: PuzzleId,
    at: u64,
) -> Result<bool, StorageError> {
    let repeated =
        query("UPDATE puzzle_attempts SET latest = $3 WHERE person = $1 AND puzzle = $2")
            .bind(Text(person))
            .bind(Text(puzzle))
            .bind(to_i64(at))
            .execute(connection)
            .await?;
    Ok(repeated > 0)
}

/// One of the two sides of an attempt, which are rated like two players.
enum RatedSide {
    Puzzle(PuzzleId),
    Solver(PersonId),
}

/// Stores the rating of a puzzle or of a solver.
async fn store_rating(
    connection: &mut DatabaseConnection,
    side: RatedSide,
    rating: StoredRating,
) -> Result<(), StorageError> {
    let statement = match side {
        RatedSide::Puzzle(puzzle) => query(
            "INSERT INTO puzzle_ratings (puzzle, rating, deviation, volatility, games, changed) \
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (puzzle) DO UPDATE SET \
             rating = excluded.rating, deviation = excluded.deviation, \
             volatility = excluded.volatility, games = excluded.games, changed = excluded.changed",
        )
        .bind(Text(puzzle)),
        RatedSide::Solver(person) => query(
            "INSERT INTO solver_ratings (person, rating, deviation, volatility, games, changed) \
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (person) DO UPDATE SET \
             rating = excluded.rating, deviation = excluded.deviation, \
             volatility = excluded.volatility, games = excluded.games, changed = excluded.changed",
        )
        .bind(Text(person)),
    };
    statement
        .bind(rating.rating)
        .bind(rating.deviation)
        .bind(rating.volatility)
        .bind(rating.games)
        .bind(to_i64(rating.changed))
        .execute(connection)
        .await?;
    Ok(())
}

/// Deletes a person's attempts, votes, series and rating as a solver. The ratings of puzzles stay.
pub(super) async fn delete_person(
    connection: &mut DatabaseConnection,
    person: PersonId,
) -> Result<(), StorageError> {
    execute_each(
        connection,
        &[
            "DELETE FROM solver_ratings WHERE person = $1",
            "DELETE FROM puzzle_attempts WHERE person = $1",
            "DELETE FROM puzzle_votes WHERE person = $1",
            "DELETE FROM puzzle_runs WHERE person = $1",
        ],
        Text(person),
    )
    .await
}

#[cfg(test)]
mod tests {
    use futures_util::future::join_all;
    use khet_protocol::{PersonId, PuzzleHistoryEntry, PuzzleRun, PuzzleRunKind, PuzzleVote};
    use khet_puzzles::PuzzleId;

    use super::super::ratings::{RatingUpdate, StoredRating};
    use super::{NewAttempt, StoredAttempt};
    use crate::storage::testing::TestDatabase;

    const FIRST: StoredRating =
        StoredRating { rating: 1000.0, deviation: 200.0, volatility: 0.06, games: 0, changed: 0 };

    fn puzzle(name: &str) -> PuzzleId {
        name.parse().unwrap()
    }

    /// Adds a point to the winner's rating and takes it from the loser's.
    fn rate(
        solver: Option<StoredRating>,
        puzzle: StoredRating,
        solved: bool,
        at: u64,
    ) -> (RatingUpdate, StoredRating) {
        let step = if solved { 1.0 } else { -1.0 };
        let solver = solver.unwrap_or(FIRST);
        let add = |rating: StoredRating, step| StoredRating {
            rating: rating.rating + step,
            games: rating.games + 1,
            changed: at,
            ..rating
        };
        let update = RatingUpdate { before: solver.rounded(), after: add(solver, step) };
        (update, add(puzzle, -step))
    }

    fn attempt(person: u128, name: &str, at: u64) -> NewAttempt {
        let person = PersonId::from_number(person);
        let (puzzle, first_rating) = (puzzle(name), FIRST);
        NewAttempt { person, puzzle, solved: true, at, first_rating, rate }
    }

    #[tokio::test]
    async fn simultaneous_attempts_count_once_for_each_person() {
        let database = TestDatabase::new();
        let mut stores = vec![database.open().await];
        // Several nodes can use a PostgreSQL database.
        if crate::testing::uses_postgres() {
            stores.push(database.open().await);
        }
        let attempts = (0..40).map(|number| {
            let store = &stores[number as usize % stores.len()];
            store.attempt_puzzle(attempt(number / 4, "xC5bny", 7))
        });
        let results = join_all(attempts).await;
        let rated = results.into_iter().filter(|result| result.as_ref().unwrap().0.is_some());
        assert_eq!(rated.count(), 10);
        let store = &stores[0];
        let record = store.puzzle_record(puzzle("xC5bny"), None).await.unwrap();
        let rating = record.rating.unwrap();
        assert_eq!((rating.rating, rating.games), (990.0, 10));
        let solver = store.solver_rating(PersonId::from_number(3)).await.unwrap().unwrap();
        assert_eq!((solver.rating, solver.games), (1001.0, 1));
        for store in &stores {
            store.close().await;
        }
    }

    #[tokio::test]
    async fn merged_attempts_never_change_known_ones() {
        let (_database, store) = TestDatabase::open_new().await;
        let person = PersonId::from_number(1);
        store.attempt_puzzle(attempt(1, "xC5bny", 50)).await.unwrap();
        let device = |name: &str, at, latest| StoredAttempt {
            first: PuzzleHistoryEntry { puzzle: puzzle(name), at, solved: false, rating: None },
            latest,
        };
        let run = |kind, score| PuzzleRun { kind, at: 5, score };
        for _ in 0..2 {
            let attempts = vec![device("xC5bny", 20, 60), device("rk4mDs", 30, 30)];
            let runs = vec![run(PuzzleRunKind::Storm, 12), run(PuzzleRunKind::Streak, 9)];
            store.merge_puzzles(person, attempts, runs).await.unwrap();
        }
        store.merge_puzzles(person, Vec::new(), vec![run(PuzzleRunKind::Storm, 3)]).await.unwrap();
        let known = store.puzzle_attempts(person).await.unwrap();
        let known = known.iter().map(|one| (one.first.at, one.first.solved, one.latest));
        assert_eq!(known.collect::<Vec<_>>(), [(30, false, 30), (50, true, 60)]);
        let best = store.best_puzzle_runs(person).await.unwrap();
        assert_eq!(best.iter().map(|run| run.score).collect::<Vec<_>>(), [12, 9]);
        // The device's attempt was the first one at this puzzle.
        let (change, _) = store.attempt_puzzle(attempt(1, "rk4mDs", 70)).await.unwrap();
        assert_eq!(change, None);
        store.close().await;
    }

    #[tokio::test]
    async fn nothing_about_a_deleted_person_stays() {
        let (_database, store) = TestDatabase::open_new().await;
        let person = PersonId::from_number(1);
        store.attempt_puzzle(attempt(1, "xC5bny", 50)).await.unwrap();
        let run = PuzzleRun { kind: PuzzleRunKind::Storm, at: 5, score: 12 };
        store.merge_puzzles(person, Vec::new(), vec![run]).await.unwrap();
        for voter in 1..=2 {
            let voter = PersonId::from_number(voter);
            store.vote_puzzle(puzzle("xC5bny"), voter, Some(PuzzleVote::Up)).await.unwrap();
        }
        store.delete_person(person).await.unwrap();
        assert!(store.solver_rating(person).await.unwrap().is_none());
        assert!(store.puzzle_attempts(person).await.unwrap().is_empty());
        assert!(store.best_puzzle_runs(person).await.unwrap().is_empty());
        assert!(store.puzzle_votes_of(person).await.unwrap().is_empty());
        let record = store.puzzle_record(puzzle("xC5bny"), Some(person)).await.unwrap();
        assert_eq!((record.upvotes, record.own_vote), (1, None));
        assert_eq!(record.rating.unwrap().games, 1);
        store.close().await;
    }
}

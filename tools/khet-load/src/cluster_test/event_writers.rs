//! The node that stored each event, recorded by a trigger in the database: two nodes never write to
//! the same game in turns.
//!
//! Without this record, a node that ignores its lost lease could stay unnoticed, because the key of
//! the table `events` keeps the numbers in order, even if two nodes write.

use std::io;

use khet_services::psql;

/// The table of writers, and the trigger that fills it with each insert.
///
/// The lease is read in the transaction that stores the event, which has locked it. The shard is
/// computed like `Shard::of` in the server: the lowest byte of the FNV-1a hash of the game's id, for
/// which the lowest byte of each step is enough.
const RECORD_WRITERS: &str = "
    CREATE TABLE event_writers (
        game TEXT COLLATE \"C\" NOT NULL,
        number BIGINT NOT NULL,
        shard BIGINT NOT NULL,
        epoch BIGINT NOT NULL,
        writer TEXT NOT NULL
    );
    CREATE FUNCTION record_event_writer() RETURNS trigger AS $$
    DECLARE
        hash INTEGER := 197;
    BEGIN
        FOR place IN 1..length(NEW.game) LOOP
            hash := ((hash # ascii(substr(NEW.game, place, 1))) * 147) % 256;
        END LOOP;
        INSERT INTO event_writers
        SELECT NEW.game, NEW.number, shard, epoch, current_setting('application_name')
        FROM leases WHERE shard = hash;
        RETURN NULL;
    END;
    $$ LANGUAGE plpgsql;
    CREATE TRIGGER event_stored AFTER INSERT ON events
        FOR EACH ROW EXECUTE FUNCTION record_event_writer();";

/// Epochs in which several nodes stored events, and games with an event of an earlier epoch than the
/// event before it. The first event is left out: it creates the game.
const INTERLEAVED: &str = "
    SELECT 'epoch ' || epoch || ' of shard ' || shard || ' has events of '
        || string_agg(DISTINCT writer, ' and ')
    FROM event_writers WHERE number > 1 GROUP BY shard, epoch HAVING count(DISTINCT writer) > 1
    UNION ALL
    SELECT 'event ' || number || ' of game ' || game || ' has epoch ' || epoch
        || ', the one before it ' || before
    FROM (
        SELECT *, lag(epoch) OVER (PARTITION BY game ORDER BY number) AS before
        FROM event_writers WHERE number > 1
    ) AS ordered WHERE epoch < before";

/// Damages of which each must be found: another node as the writer of one event, and an event of an
/// epoch that is over.
const DAMAGES: [(&str, &str); 2] = [
    ("another writer", "UPDATE event_writers SET writer = 'another node'"),
    ("an epoch that is over", "UPDATE event_writers SET epoch = epoch - 1"),
];
/// The condition for the row that is damaged: the last event of the longest game, in whose epoch
/// there are others.
const DAMAGED_ROW: &str = "
    (game, number) = (SELECT game, number FROM event_writers ORDER BY number DESC LIMIT 1)";

/// Begins to record the writers. Nodes must connect with their names as `application_name`.
///
/// # Errors
///
/// If the database does not answer, or has no tables yet.
pub fn record(database: &str) -> io::Result<()> {
    psql(database, RECORD_WRITERS).map(drop)
}

/// Returns the number of recorded events, and what was written by nodes in turns.
///
/// # Errors
///
/// If the database does not answer.
pub fn compare(database: &str) -> io::Result<(u64, Vec<String>)> {
    let count = psql(database, "SELECT count(*) FROM event_writers")?;
    let count = count.trim().parse().map_err(|_| io::Error::other(format!("count {count:?}")))?;
    Ok((count, lines(&psql(database, INTERLEAVED)?)))
}

/// Damages the record in several ways, without keeping that. Returns the names of the damages that
/// were not found, and the number of damages.
///
/// # Errors
///
/// If the database does not answer.
pub fn undetected(database: &str) -> io::Result<(usize, Vec<&'static str>)> {
    let mut missed = Vec::new();
    for (name, damage) in DAMAGES {
        let sql = format!("BEGIN; {damage} WHERE {DAMAGED_ROW}; {INTERLEAVED}; ROLLBACK");
        if lines(&psql(database, &sql)?).is_empty() {
            missed.push(name);
        }
    }
    Ok((DAMAGES.len(), missed))
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

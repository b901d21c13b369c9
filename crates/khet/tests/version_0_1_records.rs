//! Game records written by version 0.1.0 are still read, with the termination they name.

use khet::{Color, Outcome, Record, Records, Termination};

/// Records exported by the server. Its `Termination` tag held a sentence.
const SERVER: &str = include_str!("fixtures/0.1.0/server.kgn");
/// Records written by `khet match`.
const MATCH: &str = include_str!("fixtures/0.1.0/match.kgn");

fn read(text: &str) -> Vec<Record> {
    Records::new(text).map(|record| record.expect("a valid record")).collect()
}

#[test]
fn server_records_keep_their_outcome() {
    let outcomes: Vec<Option<Outcome>> = read(SERVER).iter().map(Record::outcome).collect();
    assert_eq!(
        outcomes,
        [
            Some(Outcome::win(Color::Silver, Termination::Resignation)),
            Some(Outcome::draw(Termination::Agreement)),
            Some(Outcome::draw(Termination::Repetition)),
            Some(Outcome::ABORTED),
            Some(Outcome::win(Color::Red, Termination::PharaohHit)),
            None,
            None,
            None,
        ]
    );
}

#[test]
fn match_records_keep_their_outcome() {
    let records = read(MATCH);
    assert_eq!(records.len(), 4);
    for record in records {
        assert_eq!(record.outcome(), Some(Outcome::draw(Termination::MoveLimit)));
    }
}

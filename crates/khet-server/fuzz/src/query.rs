//! Fuzz target: any text as the query of every request that has one.

use std::fmt::Debug;

use khet_protocol::{ExplorerQuery, GameQuery, PuzzleQuery, SetupQuery};
use khet_server::fuzzing::{declared_times, picture_query, pictured_position, query};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Reads each line as a query of each kind. What is written again reads the same.
pub fn read_query(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for line in text.lines() {
        check::<GameQuery>(line);
        check::<SetupQuery>(line);
        check::<ExplorerQuery>(line);
        check::<PuzzleQuery>(line);
        if let Some(position) = pictured_position(line) {
            assert_eq!(pictured_position(&picture_query(&position)), Some(position), "{line}");
        }
        if let Some(times) = declared_times(line) {
            let texts: Vec<String> = times.iter().map(ToString::to_string).collect();
            let again = format!("times={}", texts.join(",").replace('+', "%2B"));
            assert_eq!(declared_times(&again), Some(times), "{line}");
        }
    }
}

/// Reads a query, writes it and reads it again.
fn check<T: DeserializeOwned + Serialize + PartialEq + Debug>(line: &str) {
    let Some(first) = query::<T>(line) else { return };
    let written = serde_urlencoded::to_string(&first).expect("a query can be written");
    assert_eq!(query::<T>(&written), Some(first), "{line} is written as {written}");
}

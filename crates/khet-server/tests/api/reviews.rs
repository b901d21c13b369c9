//! Reviews of finished games: requested, made once, stored.

use khet_server::{DatabaseLocation, ServerLimits, testing};
use serde_json::{Value, json};

use crate::test_server::{Client, TestServer, act, begin, game_path, moves, win};

/// Requests a review and polls until it is ready.
pub(crate) fn reviewed(client: &mut Client, game: &str) -> Value {
    let asked = client.post(&game_path(game, "/review"), json!(null));
    assert!([200, 202].contains(&asked.status), "{}", asked.text);
    loop {
        let answer = client.get(&game_path(game, "/review"));
        match answer.status {
            200 => return answer.json(),
            202 => {
                let progress = answer.json();
                assert!(progress["judged"].as_u64() <= progress["moves"].as_u64(), "{progress}");
            }
            _ => panic!("{} {}", answer.status, answer.text),
        }
    }
}

#[test]
fn finished_game_is_reviewed_once_and_the_review_is_stored() {
    let mut server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    let game = begin(&mut anna, &mut ben, json!({}));
    moves([&mut anna, &mut ben], &game, &["h2+", "a5b5", "h2g2"]);
    let path = game_path(&game, "/review");
    // A game in progress can't be reviewed.
    let refused = anna.post(&path, json!(null));
    assert_eq!((refused.status, &*refused.code()), (409, "not-now"));
    assert_eq!(anna.get(&path).status, 404);
    act(&mut ben, &game, json!("resign"));
    assert_eq!(anna.get(&path).status, 404, "no review was requested");
    // Everybody gets the same review.
    let first = server.stranger().post(&path, json!(null));
    assert_eq!(first.status, 202, "{}", first.text);
    assert_eq!(first.json()["moves"], 3);
    let kept = reviewed(&mut anna, &game);
    assert_eq!(kept["engine"], format!("Khet {}", env!("CARGO_PKG_VERSION")));
    let judged = kept["review"]["moves"].as_array().expect("moves");
    assert_eq!(judged.len(), 3);
    assert_eq!(judged[1]["move"], "a5b5");
    assert_eq!(judged[1]["shot"], "xa4");
    assert_eq!(kept["review"]["players"]["silver"]["moves"], 2);
    let again = ben.post(&path, json!(null));
    assert_eq!((again.status, again.json()), (200, kept.clone()));
    server.stop();
    server.start();
    assert_eq!(server.stranger().get(&path).json(), kept);
    for wrong in ["aaaaaaaa", "short", "..%2F..%2Fx"] {
        let path = game_path(wrong, "/review");
        assert_eq!(server.stranger().get(&path).status, 404, "{wrong}");
        assert_eq!(server.stranger().post(&path, json!(null)).status, 404, "{wrong}");
    }
}

#[test]
fn stopping_does_not_wait_for_reviews() {
    let mut server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    let games: Vec<String> = (0..3).map(|_| win(&mut anna, &mut ben, json!({}))).collect();
    for game in &games {
        assert_eq!(anna.post(&game_path(game, "/review"), json!(null)).status, 202);
    }
    server.stop();
    server.start();
    anna.server = server.stranger().server;
    // Interrupted reviews are requested again.
    for game in &games {
        let review = reviewed(&mut anna, game);
        assert_eq!(review["review"]["moves"].as_array().map(Vec::len), Some(2));
    }
}

#[test]
fn reviews_are_limited() {
    let server = TestServer::with(ServerLimits {
        reviews_per_hour: 1,
        requests_per_minute: 1_000_000,
        requests_per_minute_and_person: 1_000_000,
        ..ServerLimits::default()
    });
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    let unfinished = begin(&mut anna, &mut ben, json!({"time": "none"}));
    let refused = anna.post(&game_path(&unfinished, "/review"), json!(null));
    assert_eq!((refused.status, &*refused.code()), (409, "not-now"));
    // A rejected request does not count; the second new review exceeds the limit.
    let (one, other) = (win(&mut anna, &mut ben, json!({})), win(&mut anna, &mut ben, json!({})));
    reviewed(&mut anna, &one);
    let refused = anna.post(&game_path(&other, "/review"), json!(null));
    assert_eq!((refused.status, &*refused.code()), (429, "too-many"));
    assert_eq!(server.stranger().post(&game_path(&other, "/review"), json!(null)).status, 429);
    assert_eq!(anna.post(&game_path(&one, "/review"), json!(null)).status, 200, "it is there");
}

/// Replaces the moves of a finished game in the database: pieces that rotate to and fro.
fn lengthen(database: &DatabaseLocation, game: &str, moves: u32) {
    let last = moves + 2;
    let sql = format!(
        "UPDATE events SET number = {last} WHERE game = '{game}' AND body LIKE '{{\"ended\"%'"
    );
    assert_eq!(testing::execute(database, &sql), 1);
    let sql =
        format!("DELETE FROM events WHERE game = '{game}' AND number > 1 AND number <> {last}");
    testing::execute(database, &sql);
    let row = |ply: u32| {
        let mv = ["h2+", "c7+", "h2-", "c7-"][ply as usize % 4];
        let body = json!({"move": {"move": mv, "key": ply}});
        format!("('{game}', {}, 1, '{body}')", ply + 2)
    };
    let rows: Vec<String> = (0..moves).map(row).collect();
    let sql = format!("INSERT INTO events (game, number, at, body) VALUES {}", rows.join(", "));
    testing::execute(database, &sql);
}

/// Games have at most 1000 moves today; those of earlier versions may have more.
#[test]
fn games_that_are_too_long_are_not_reviewed() {
    let mut server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    let options = json!({"time": "none"});
    let [too_long, long] = [(); 2].map(|()| win(&mut anna, &mut ben, options.clone()));
    server.stop();
    let database = server.config.database.clone();
    lengthen(&database, &too_long, 1001);
    lengthen(&database, &long, 1000);
    server.start();
    anna.server = server.stranger().server;
    let refused = anna.post(&game_path(&too_long, "/review"), json!(null));
    assert_eq!((refused.status, &*refused.code()), (422, "invalid"), "{}", refused.text);
    assert!(refused.text.contains("1001 moves"), "{}", refused.text);
    assert_eq!(anna.get(&game_path(&too_long, "/review")).status, 404);
    let accepted = anna.post(&game_path(&long, "/review"), json!(null));
    assert_eq!((accepted.status, &accepted.json()["moves"]), (202, &json!(1000)));
}

//! Each rated game changes the ratings once, when it ends.

use serde_json::json;

use crate::test_server::{TestServer, act, begin, moves, win};

#[test]
fn a_rated_game_changes_both_ratings_with_its_end() {
    let mut server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    let game = win(&mut anna, &mut ben, json!({"rated": true}));
    let events = anna.get(&format!("/api/games/{game}")).json();
    let last = events["events"].as_array().unwrap().last().unwrap()["kind"].clone();
    // By Glickman's formulas, for two new players.
    let expected = json!({"rated": {
        "silver": {"before": 1500, "after": 1662}, "red": {"before": 1500, "after": 1338}}});
    assert_eq!(last, expected);
    let profile = ben.get("/api/people/anna").json();
    assert_eq!(profile["ratings"][0]["speed"], "blitz");
    assert_eq!(profile["ratings"][0]["rating"], json!({"value": 1662, "deviation": 290}));
    assert_eq!((&profile["won"], &profile["lost"]), (&json!(1), &json!(0)));
    // Repeated requests and restarts do not count the game again.
    assert_eq!(act(&mut ben, &game, json!("resign")).status, 409);
    server.stop();
    server.start();
    let mut anyone = server.stranger();
    let history = anyone.get("/api/people/Anna/ratings").json();
    assert_eq!(history[0]["speed"], "blitz");
    assert_eq!(history[0]["points"].as_array().map(Vec::len), Some(1));
    assert_eq!(history[0]["points"][0]["value"], 1662);
    assert_eq!(anyone.get("/api/people/ben").json()["ratings"][0]["rating"]["value"], 1338);
}

#[test]
fn casual_and_aborted_games_change_nothing() {
    let server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    win(&mut anna, &mut ben, json!({}));
    let game = begin(&mut anna, &mut ben, json!({"rated": true}));
    assert_eq!(act(&mut anna, &game, json!("abort")).status, 200);
    for first_moves in [&[][..], &["h2+"]] {
        let game = begin(&mut anna, &mut ben, json!({"rated": true}));
        moves([&mut anna, &mut ben], &game, first_moves);
        assert_eq!(act(&mut ben, &game, json!("resign")).status, 200);
        let events = anna.get(&format!("/api/games/{game}")).json();
        let last = events["events"].as_array().unwrap().last().unwrap()["kind"].clone();
        assert_eq!(last, json!({"ended": {"winner": null, "termination": "aborted"}}));
    }
    assert_eq!(anna.get("/api/people/Anna").json()["ratings"], json!([]));
    assert_eq!(anna.get("/api/games?rated=true").json()["games"], json!([]));
}

#[test]
fn each_speed_has_its_rating() {
    let server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    win(&mut anna, &mut ben, json!({"rated": true, "time": "60+0"}));
    win(&mut ben, &mut anna, json!({"rated": true, "time": "3d"}));
    let ratings = anna.get("/api/people/Anna").json()["ratings"].clone();
    let speeds: Vec<&str> =
        ratings.as_array().unwrap().iter().map(|one| one["speed"].as_str().unwrap()).collect();
    assert_eq!(speeds, ["bullet", "correspondence"]);
    assert_eq!(ratings[0]["rating"]["value"], 1662);
    assert_eq!(ratings[1]["rating"]["value"], 1338);
}

#[test]
fn guests_cannot_play_rated_games() {
    let server = TestServer::unlimited();
    let mut guest = server.stranger();
    let challenge = json!({"start": "classic", "time": "300+3", "rated": true});
    let refused = guest.post("/api/challenges", challenge);
    assert_eq!((refused.status, &*refused.code()), (403, "forbidden"));
}

#[test]
fn leaderboard_lists_established_ratings() {
    let server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    win(&mut anna, &mut ben, json!({"rated": true}));
    let board = anna.get("/api/leaderboard/blitz").json();
    assert_eq!(board["leaders"], json!([]), "one game is a guess");
    for round in 0..30 {
        let game = begin(&mut anna, &mut ben, json!({"rated": true}));
        moves([&mut anna, &mut ben], &game, &["h2+", "c7+"]);
        let loser = if round % 3 == 0 { &mut anna } else { &mut ben };
        act(loser, &game, json!("resign"));
    }
    let board = anna.get("/api/leaderboard/blitz").json();
    let names: Vec<&str> = board["leaders"]
        .as_array()
        .unwrap()
        .iter()
        .map(|leader| leader["person"]["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["Anna", "Ben"]);
    assert_eq!(board["leaders"][0]["games"], 31);
    assert_eq!(anna.get("/api/leaderboard/rapid").json()["leaders"], json!([]));
    assert_eq!(anna.get("/api/leaderboard/quick").status, 404);
    // A person who has not played for long is not listed.
    server.skip(std::time::Duration::from_secs(91 * 24 * 60 * 60));
    assert_eq!(anna.get("/api/leaderboard/blitz").json()["leaders"], json!([]));
}

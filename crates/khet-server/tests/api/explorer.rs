//! The explorer counts finished and imported games, each once.

use khet::{Record, Setup};
use khet_server::Importer;
use serde_json::{Value, json};

use crate::test_server::{Client, TestServer, act, begin, moves, win};

/// Imports records into the server's database while it is stopped.
pub(crate) fn import(server: &mut TestServer, records: &[String], recount: bool) -> (u64, u64) {
    server.stop();
    let mut importer = Importer::open(&server.config.database, recount).expect("a database");
    for text in records {
        importer.add(&text.parse().expect("a record")).expect("taken");
    }
    let summary = importer.finish().expect("written");
    server.start();
    (summary.new, summary.known)
}

fn record(tags: &str, moves: &str) -> String {
    format!("[Setup \"Classic\"]\n{tags}\n\n{moves}")
}

/// Sends a request until the number of games is reached, because counting happens in the
/// background.
pub(crate) fn ask(client: &mut Client, query: &str, games: u64) -> Value {
    loop {
        let answer = client.get(&format!("/api/explorer?{query}"));
        assert_eq!(answer.status, 200, "{query}: {}", answer.text);
        let answer = answer.json();
        let counted = answer["games"].as_u64().expect("a number");
        assert!(counted <= games, "{query}: {answer}");
        if counted == games {
            return answer;
        }
    }
}

/// Returns the moves with their games and results.
fn played(answer: &Value) -> Vec<(String, [u64; 4])> {
    let moves = answer["moves"].as_array().expect("moves");
    let line = |mv: &Value| {
        let counts = ["games", "silver", "draws", "red"].map(|name| mv[name].as_u64().unwrap());
        (mv["move"].as_str().unwrap().to_owned(), counts)
    };
    moves.iter().map(line).collect()
}

#[test]
fn games_are_counted_as_they_end() {
    let server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    let nothing = ask(&mut anna, "", 0);
    assert_eq!(nothing["position"], Setup::Classic.notation());
    assert_eq!(nothing["moves"], json!([]));
    // Silver wins twice, once rated; Red wins once; a draw; an aborted game; one in progress.
    win(&mut anna, &mut ben, json!({"rated": true}));
    win(&mut anna, &mut ben, json!({"time": "60+0"}));
    let lost = begin(&mut anna, &mut ben, json!({"time": "none"}));
    moves([&mut anna, &mut ben], &lost, &["h2-", "c7+"]);
    act(&mut anna, &lost, json!("resign"));
    let drawn = begin(&mut ben, &mut anna, json!({}));
    moves([&mut ben, &mut anna], &drawn, &["h2+", "c7-"]);
    act(&mut ben, &drawn, json!("draw"));
    assert_eq!(act(&mut anna, &drawn, json!("draw")).status, 200);
    let aborted = begin(&mut anna, &mut ben, json!({}));
    moves([&mut anna, &mut ben], &aborted, &["h2+"]);
    assert_eq!(act(&mut ben, &aborted, json!("abort")).status, 200);
    let open = begin(&mut anna, &mut ben, json!({}));
    moves([&mut anna, &mut ben], &open, &["h2+"]);

    let all = ask(&mut anna, "position=classic", 4);
    let expected = [("h2+".to_owned(), [3, 2, 1, 0]), ("h2-".to_owned(), [1, 0, 0, 1])];
    assert_eq!(played(&all), expected);
    assert_eq!((&all["silver"], &all["draws"], &all["red"]), (&json!(2), &json!(1), &json!(1)));
    // The last game of each move is listed.
    assert_eq!(all["recent"][0]["game"], drawn.as_str());
    assert_eq!(all["recent"][0]["silver"], "Ben");
    assert_eq!(all["recent"][1]["game"], lost.as_str());
    assert_eq!(all["recent"][1]["winner"], "red");
    for (query, games) in [
        ("speeds=blitz", 2),
        ("speeds=bullet", 1),
        ("speeds=none", 1),
        ("speeds=none,bullet,blitz,bullet", 4),
        ("speeds=rapid", 0),
        ("ratings=unrated", 3),
        ("ratings=1400", 1),
        ("ratings=1400&speeds=blitz", 1),
        ("ratings=1400&speeds=bullet", 0),
        ("ratings=2000", 0),
        ("rules=czech", 0),
        ("position=imhotep", 0),
    ] {
        ask(&mut anna, query, games);
    }
    // The position after a move, with the space as people write it in URLs.
    let mut position = Setup::Classic.position();
    position.play("h2+".parse().unwrap()).unwrap();
    let notation = position.placement().to_string();
    for text in
        [notation.replace(' ', "_"), notation.replace(' ', "%20"), notation.replace(' ', "+")]
    {
        let after = ask(&mut anna, &format!("position={text}"), 3);
        let expected = [("c7+".to_owned(), [2, 2, 0, 0]), ("c7-".to_owned(), [1, 0, 1, 0])];
        assert_eq!(played(&after), expected);
    }
}

#[test]
fn invalid_queries_are_rejected_with_a_message() {
    let server = TestServer::unlimited();
    let mut anyone = server.stranger();
    for (query, why) in [
        ("position=nowhere", "position"),
        ("position=", "position"),
        ("position=10/10/10/10/10/10/10/10_s", "pharaoh"),
        ("position=4k5/10/10/10/10/10/10/10_s", "pharaoh"),
        ("position=%00%27%20OR%201=1", "position"),
        ("rules=mine", "rules"),
        ("speeds=slow", "none of none, bullet"),
        ("speeds=", "none of"),
        ("ratings=1500", "none of unrated, 0"),
    ] {
        let answer = anyone.get(&format!("/api/explorer?{query}"));
        assert_eq!((answer.status, &*answer.code()), (422, "invalid"), "{query}: {}", answer.text);
        assert!(answer.text.contains(why), "{query}: {}", answer.text);
    }
    // Every setup works.
    for setup in Setup::ALL {
        ask(&mut anyone, &format!("position={setup}"), 0);
    }
    let long = "1".repeat(10_000);
    assert_eq!(anyone.get(&format!("/api/explorer?position={long}")).status, 422);
}

#[test]
fn imported_games_count_once_and_can_be_exported() {
    let mut server = TestServer::unlimited();
    let markup = record(
        "[Silver \"<script>alert(1)</script>\"]\n[Red \"Robert'); DROP TABLE games;--\"]\n\
         [Date \"2026.11.15\"]\n\
         [Result \"1-0\"]\n[TimeControl \"10+0.1\"]\n[SilverElo \"2100\"]\n[RedElo \"2300\"]",
        "1. h2+ c7+ 1-0\n",
    );
    let other = record("[Silver \"Anna\"]", "1. h2+ c7- 0-1\n");
    let eye = "[Setup \"Khet2-Imhotep-Eye\"]\n[Rules \"czech\"]\n\n1/2-1/2\n".to_owned();
    let records = [markup.clone(), other.clone(), other, eye];
    assert_eq!(import(&mut server, &records, false), (3, 1));
    assert_eq!(import(&mut server, &records, false), (0, 4));
    let mut anna = server.account("Anna");
    let all = ask(&mut anna, "", 2);
    assert_eq!(played(&all), [("h2+".to_owned(), [2, 1, 0, 1])]);
    ask(&mut anna, "speeds=bullet&ratings=2000", 1);
    let mut position = Setup::Classic.position();
    position.play("h2+".parse().unwrap()).unwrap();
    let after = position.placement().to_string().replace(' ', "_");
    let after = ask(&mut anna, &format!("position={after}"), 2);
    let game =
        after["recent"].as_array().unwrap().iter().find(|game| game["move"] == "c7+").unwrap();
    assert_eq!(game["silver"], "<script>alert(1)</script>");
    assert_eq!((&game["silver_rating"], &game["date"]), (&json!(2100), &json!("2026.11.15")));
    let id = game["imported"].as_str().expect("an id");
    let file = anna.get(&format!("/api/imported/{id}"));
    assert_eq!(file.header("content-type"), "text/plain; charset=utf-8");
    assert!(file.header("content-disposition").contains(&format!("khet-{id}.kgn")));
    let (kept, given): (Record, Record) = (file.text.parse().unwrap(), markup.parse().unwrap());
    assert_eq!(kept.main_line(), given.main_line());
    for (name, value) in given.tags() {
        assert_eq!(kept.tag(name), Some(value), "{name}");
    }
    for wrong in ["aaaaaaaaaaaa", "short", "..%2F..%2Fetc", &"x".repeat(1000)] {
        assert_eq!(anna.get(&format!("/api/imported/{wrong}")).status, 404, "{wrong}");
    }
    // A game exported from this server is known.
    let mut ben = server.account("Ben");
    win(&mut anna, &mut ben, json!({}));
    ask(&mut anna, "", 3);
    let own = anna.get("/api/export").text;
    assert_eq!(import(&mut server, &[own], false), (0, 1));
    ask(&mut server.stranger(), "", 3);
}

#[test]
fn counting_resumes_and_can_be_repeated() {
    let mut server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    // Games that are stored but not counted, because the server stopped.
    for _ in 0..20 {
        win(&mut anna, &mut ben, json!({}));
    }
    server.stop();
    server.start();
    (anna.server, ben.server) = (server.stranger().server, server.stranger().server);
    let before = ask(&mut anna, "", 20);
    win(&mut anna, &mut ben, json!({}));
    ask(&mut anna, "", 21);
    let more = [record("", "1. h2+ c7- 1/2-1/2\n")];
    assert_eq!(import(&mut server, &more, false), (1, 0));
    let mut anyone = server.stranger();
    let all = ask(&mut anyone, "", 22);
    assert_eq!(before["moves"][0]["silver"], 20);
    assert_eq!(played(&all), [("h2+".to_owned(), [22, 21, 1, 0])]);
    // Counting all games again gives the same result.
    assert_eq!(import(&mut server, &[], true), (0, 0));
    let mut anyone = server.stranger();
    assert_eq!(ask(&mut anyone, "", 22), all);
}

#[test]
fn only_the_first_plies_of_a_long_game_count() {
    let mut server = TestServer::unlimited();
    let line = ["f4+", "e5+"].into_iter().cycle().take(10_000).collect::<Vec<_>>().join(" ");
    let long = record("", &format!("{line} 1/2-1/2"));
    assert_eq!(import(&mut server, &[long], false), (1, 0));
    let mut anyone = server.stranger();
    let answer = ask(&mut anyone, "", 1);
    assert_eq!(played(&answer), [("f4+".to_owned(), [1, 0, 1, 0])]);
    let id = answer["recent"][0]["imported"].as_str().unwrap();
    let kept: Record = anyone.get(&format!("/api/imported/{id}")).text.parse().unwrap();
    assert_eq!(kept.main_line().plies.len(), 10_000);
}

#[test]
fn import_into_a_database_in_use_fails() {
    let server = TestServer::unlimited();
    let error = Importer::open(&server.config.database, false).unwrap_err();
    assert!(error.to_string().contains("in use"), "{error}");
}

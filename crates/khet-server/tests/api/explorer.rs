//! The explorer: games are counted as they end, imported ones beside them, each once.

use khet::{Record, Setup};
use khet_server::Importer;
use serde_json::{Value, json};

use crate::client::{Client, House, act, begin, moves, win};

/// Brings records into the server's database, while it does not run.
pub(crate) fn import(house: &mut House, records: &[String], recount: bool) -> (u64, u64) {
    house.stop();
    let mut importer = Importer::open(&house.config.database, recount).expect("a database");
    for text in records {
        importer.add(&text.parse::<Record>().expect("a record")).expect("taken");
    }
    let summary = importer.finish().expect("written");
    house.start();
    (summary.new, summary.known)
}

fn record(tags: &str, moves: &str) -> String {
    format!("[Setup \"Classic\"]\n{tags}\n\n{moves}")
}

/// Asks until so many games have been counted: that happens behind the answer to the last move.
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

/// What was played, with games and results.
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
    let house = House::patient();
    let (mut anna, mut ben) = (house.account("Anna"), house.account("Ben"));
    let nothing = ask(&mut anna, "", 0);
    assert_eq!(nothing["position"], Setup::Classic.notation());
    assert_eq!(nothing["moves"], json!([]));
    // Silver wins twice, once rated; Red once; a draw; an aborted game; one that is not over.
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
    // The last game of each move is named.
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
    // The position behind a move, in notation, with the space as people write it in addresses.
    let mut position = Setup::Classic.position();
    position.play("h2+".parse().unwrap()).unwrap();
    let notation = position.placement().to_string();
    for text in
        [notation.replace(' ', "_"), notation.replace(' ', "%20"), notation.replace(' ', "+")]
    {
        let behind = ask(&mut anna, &format!("position={text}"), 3);
        let expected = [("c7+".to_owned(), [2, 2, 0, 0]), ("c7-".to_owned(), [1, 0, 1, 0])];
        assert_eq!(played(&behind), expected);
    }
}

#[test]
fn senseless_questions_are_refused_with_a_reason() {
    let house = House::patient();
    let mut anyone = house.stranger();
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
    // Every variant can be asked for.
    for setup in Setup::ALL {
        ask(&mut anyone, &format!("position={setup}"), 0);
    }
    let long = "1".repeat(10_000);
    assert_eq!(anyone.get(&format!("/api/explorer?position={long}")).status, 422);
}

#[test]
fn imported_games_count_once_and_can_be_seen_again() {
    let mut house = House::patient();
    let markup = record(
        "[Silver \"<script>alert(1)</script>\"]\n[Red \"Robert'); DROP TABLE games;--\"]\n[Date \"2026.11.15\"]\n\
         [Result \"1-0\"]\n[TimeControl \"10+0.1\"]\n[SilverElo \"2100\"]\n[RedElo \"2300\"]",
        "1. h2+ c7+ 1-0\n",
    );
    let other = record("[Silver \"Anna\"]", "1. h2+ c7- 0-1\n");
    let eye = "[Setup \"Khet2-Imhotep-Eye\"]\n[Rules \"czech\"]\n\n1/2-1/2\n".to_owned();
    let records = [markup.clone(), other.clone(), other, eye];
    assert_eq!(import(&mut house, &records, false), (3, 1));
    assert_eq!(import(&mut house, &records, false), (0, 4));
    let mut anna = house.account("Anna");
    let all = ask(&mut anna, "", 2);
    assert_eq!(played(&all), [("h2+".to_owned(), [2, 1, 0, 1])]);
    ask(&mut anna, "speeds=bullet&ratings=2000", 1);
    let mut position = Setup::Classic.position();
    position.play("h2+".parse().unwrap()).unwrap();
    let behind = position.placement().to_string().replace(' ', "_");
    let behind = ask(&mut anna, &format!("position={behind}"), 2);
    let game =
        behind["recent"].as_array().unwrap().iter().find(|game| game["move"] == "c7+").unwrap();
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
    // What was taken home from here is known here.
    let mut ben = house.account("Ben");
    win(&mut anna, &mut ben, json!({}));
    ask(&mut anna, "", 3);
    let own = anna.get("/api/export").text;
    assert_eq!(import(&mut house, &[own], false), (0, 1));
    ask(&mut house.stranger(), "", 3);
}

#[test]
fn counting_goes_on_where_it_stopped_and_can_begin_anew() {
    let mut house = House::patient();
    let (mut anna, mut ben) = (house.account("Anna"), house.account("Ben"));
    // Games that were kept, and a server that was gone before it had counted them.
    for _ in 0..20 {
        win(&mut anna, &mut ben, json!({}));
    }
    house.stop();
    house.start();
    (anna.server, ben.server) = (house.stranger().server, house.stranger().server);
    let before = ask(&mut anna, "", 20);
    win(&mut anna, &mut ben, json!({}));
    ask(&mut anna, "", 21);
    let more = [record("", "1. h2+ c7- 1/2-1/2\n")];
    assert_eq!(import(&mut house, &more, false), (1, 0));
    let mut anyone = house.stranger();
    let all = ask(&mut anyone, "", 22);
    assert_eq!(before["moves"][0]["silver"], 20);
    assert_eq!(played(&all), [("h2+".to_owned(), [22, 21, 1, 0])]);
    // From the games alone the same comes out again.
    assert_eq!(import(&mut house, &[], true), (0, 0));
    let mut anyone = house.stranger();
    assert_eq!(ask(&mut anyone, "", 22), all);
}

#[test]
fn a_long_game_is_counted_by_its_beginning() {
    let mut house = House::patient();
    let line = ["f4+", "e5+"].into_iter().cycle().take(10_000).collect::<Vec<_>>().join(" ");
    let long = record("", &format!("{line} 1/2-1/2"));
    assert_eq!(import(&mut house, &[long], false), (1, 0));
    let mut anyone = house.stranger();
    let answer = ask(&mut anyone, "", 1);
    assert_eq!(played(&answer), [("f4+".to_owned(), [1, 0, 1, 0])]);
    let id = answer["recent"][0]["imported"].as_str().unwrap();
    let kept: Record = anyone.get(&format!("/api/imported/{id}")).text.parse().unwrap();
    assert_eq!(kept.main_line().plies.len(), 10_000);
}

#[test]
fn a_database_in_use_is_left_alone() {
    let house = House::patient();
    let error = Importer::open(&house.config.database, false).unwrap_err();
    assert!(error.to_string().contains("in use"), "{error}");
}

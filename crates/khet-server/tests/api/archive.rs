//! Finished games: search, paging, export.

use khet::Records;
use serde_json::json;

use crate::test_server::{Client, TestServer, act, begin, moves, win};

fn ids(client: &mut Client, query: &str) -> Vec<String> {
    let answer = client.get(&format!("/api/games?{query}"));
    assert_eq!(answer.status, 200, "{query}: {}", answer.text);
    let games = answer.json()["games"].as_array().unwrap().clone();
    games.iter().map(|game| game["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn games_are_found_by_player_setup_result_and_date() {
    let server = TestServer::unlimited();
    let (mut anna, mut ben, mut clara) =
        (server.account("Anna"), server.account("Ben"), server.account("Clara"));
    let a = win(&mut anna, &mut ben, json!({"rated": true}));
    let b = begin(&mut ben, &mut anna, json!({"start": "imhotep"}));
    moves([&mut ben, &mut anna], &b, &["f1f2", "e8e7"]);
    act(&mut anna, &b, json!("resign"));
    let c = win(&mut clara, &mut anna, json!({}));
    // A position without a name: Red is to move.
    let other = khet::Setup::Classic.notation().replace(" s", " r");
    let d = begin(&mut ben, &mut clara, json!({"start": other}));
    act(&mut clara, &d, json!({"move": {"ply": 0, "move": "c7+"}}));
    act(&mut ben, &d, json!({"move": {"ply": 1, "move": "h2+"}}));
    act(&mut ben, &d, json!("resign"));
    let unfinished = begin(&mut anna, &mut clara, json!({}));
    let middle = anna.get(&format!("/api/games/{b}")).json()["now"].as_u64().unwrap();
    assert_eq!(ids(&mut anna, ""), [&*d, &*c, &*b, &*a], "those that ended last first");
    for (query, expected) in [
        ("player=anna", vec![&c, &b, &a]),
        ("player=Ben", vec![&d, &b, &a]),
        ("player=anna&opponent=ben", vec![&b, &a]),
        ("player=anna&color=silver", vec![&a]),
        ("player=anna&color=red&opponent=clara", vec![&c]),
        ("player=anna&result=won", vec![&a]),
        ("player=anna&result=lost", vec![&c, &b]),
        ("player=anna&result=draw", vec![]),
        ("result=silver", vec![&c, &b, &a]),
        ("result=red", vec![&d]),
        ("setup=imhotep", vec![&b]),
        ("setup=dynasty", vec![]),
        ("setup=position", vec![&d]),
        ("rated=true", vec![&a]),
        ("rated=false", vec![&d, &c, &b]),
        ("mine=true", vec![&c, &b, &a]),
        ("since=4000000000000", vec![]),
        ("before=1000", vec![]),
        (&*format!("before={}", middle + 1_000_000), vec![&d, &c, &b, &a]),
        ("limit=1", vec![&d]),
    ] {
        assert_eq!(
            ids(&mut anna, query),
            expected.into_iter().cloned().collect::<Vec<_>>(),
            "{query}"
        );
    }
    assert!(!ids(&mut clara, "mine=true").contains(&unfinished));
    for (query, status) in [
        ("player=Nemo", 404),
        ("color=silver", 422),
        ("result=won", 422),
        ("opponent=Anna", 422),
        ("setup=nothing", 422),
        ("player=%27%20OR%201=1", 422),
        ("after=yesterday", 422),
        ("limit=many", 422),
    ] {
        assert_eq!(anna.get(&format!("/api/games?{query}")).status, status, "{query}");
    }
    assert_eq!(server.stranger().get("/api/games?mine=true").status, 401);
}

#[test]
fn paging_has_no_gaps() {
    let server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    let mut all: Vec<String> = (0..7)
        .map(|round| match round % 2 {
            0 => win(&mut anna, &mut ben, json!({})),
            _ => win(&mut ben, &mut anna, json!({})),
        })
        .collect();
    all.reverse();
    for filter in ["", "&player=Ben"] {
        let mut found = Vec::new();
        let mut after = String::new();
        loop {
            let page = anna.get(&format!("/api/games?limit=3{filter}{after}")).json();
            let games = page["games"].as_array().unwrap();
            assert!(games.len() <= 3);
            found.extend(games.iter().map(|game| game["id"].as_str().unwrap().to_owned()));
            match page["next"].as_str() {
                Some(next) => after = format!("&after={next}"),
                None => break,
            }
        }
        assert_eq!(found, all, "{filter}");
    }
}

#[test]
fn exported_records_parse() {
    let server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    for _ in 0..60 {
        win(&mut anna, &mut ben, json!({}));
    }
    let game = win(&mut ben, &mut anna, json!({"rated": true}));
    let one = anna.get(&format!("/api/games/{game}/kgn"));
    assert!(one.header("content-disposition").contains(&format!("khet-{game}.kgn")));
    let record: khet::Record = one.text.parse().expect("a record");
    assert_eq!(record.tag("Silver"), Some("Ben"));
    assert_eq!(record.tag("Termination"), Some("resignation"));
    assert_eq!(record.tag("SilverRating"), Some("1500"), "at the beginning");
    assert_eq!(record.game().moves().len(), 2);
    // More games than one chunk.
    let all = anna.get("/api/export?player=Anna").text;
    let records: Vec<_> = Records::new(&all).collect::<Result<_, _>>().expect("records");
    assert_eq!(records.len(), 61);
    assert_eq!(records[0], record);
    let some = anna.get("/api/export?player=Anna&limit=55").text;
    assert_eq!(Records::new(&some).count(), 55);
    assert_eq!(anna.get("/api/export?player=Anna&color=red&rated=false").text, "");
}

#[test]
fn live_games_are_listed_with_a_featured_one() {
    let server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    win(&mut anna, &mut ben, json!({"rated": true}));
    let (mut clara, mut dora) = (server.stranger(), server.stranger());
    let quiet = begin(&mut clara, &mut dora, json!({}));
    let strong = begin(&mut anna, &mut ben, json!({}));
    moves([&mut clara, &mut dora], &quiet, &["h2+"]);
    moves([&mut anna, &mut ben], &strong, &["h2+", "c7+"]);
    let watch = clara.get("/api/watch").json();
    assert_eq!(watch["featured"], strong.as_str());
    assert_eq!(watch["games"].as_array().map(Vec::len), Some(2));
    // Each player sees their own games; strangers have none.
    let mine = |client: &mut Client| client.get("/api/me/games").json();
    assert_eq!(mine(&mut anna)[0]["id"], strong.as_str());
    assert_eq!(mine(&mut anna).as_array().map(Vec::len), Some(1));
    assert_eq!(mine(&mut clara)[0]["id"], quiet.as_str());
    assert_eq!(server.stranger().get("/api/me/games").status, 401);
    act(&mut ben, &strong, json!("resign"));
    assert_eq!(mine(&mut anna), json!([]));
    server.skip(std::time::Duration::from_secs(3));
    let watch = clara.get("/api/watch").json();
    assert_eq!(watch["featured"], quiet.as_str());
    assert_eq!(watch["games"].as_array().map(Vec::len), Some(1));
}

//! Private games: they are open to people with the link, and listed only for their players.

use serde_json::{Value, json};

use crate::explorer;
use crate::test_server::{Client, TestServer, act, begin, game_path, moves, win};

/// Returns the ids of games in a list.
fn ids(games: &Value) -> Vec<String> {
    let games = games.as_array().expect("games");
    games.iter().map(|game| game["id"].as_str().expect("an id").to_owned()).collect()
}

fn found(client: &mut Client, query: &str) -> Vec<String> {
    let answer = client.get(&format!("/api/games?{query}"));
    assert_eq!(answer.status, 200, "{query}: {}", answer.text);
    ids(&answer.json()["games"])
}

#[test]
fn a_private_game_is_in_no_list_of_others() {
    let mut server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    let mut clara = server.account("Clara");
    let public = begin(&mut anna, &mut ben, json!({}));
    let private = begin(&mut anna, &mut ben, json!({"private": true}));
    for game in [&public, &private] {
        moves([&mut anna, &mut ben], game, &["h2+", "c7+"]);
    }
    // In progress: not in Watch, but among the games of its players.
    for client in [&mut clara, &mut anna, &mut server.stranger()] {
        let watch = client.get("/api/watch").json();
        let games = watch["games"].as_array().expect("games");
        let shown: Vec<&Value> = games.iter().map(|live| &live["id"]).collect();
        assert_eq!(shown, [&json!(public)]);
        assert_eq!(watch["featured"], json!(public));
    }
    for client in [&mut anna, &mut ben] {
        let mine = client.get("/api/me/games").json();
        assert_eq!(ids(&mine).len(), 2);
        let private = mine.as_array().unwrap().iter().find(|game| game["id"] == *private);
        assert_eq!(private.unwrap()["private"], true);
    }
    for game in [&public, &private] {
        assert_eq!(act(&mut ben, game, json!("resign")).status, 200);
    }
    // The archive shows finished private games only to their players.
    let both = |mut games: Vec<String>| {
        games.sort();
        let mut expected = [public.clone(), private.clone()];
        expected.sort();
        assert_eq!(games, expected);
    };
    for query in ["", "player=Anna", "player=Anna&opponent=Ben", "setup=classic", "result=silver"] {
        assert_eq!(found(&mut clara, query), [&*public], "{query}");
        assert_eq!(found(&mut server.stranger(), query), [&*public], "{query}");
        both(found(&mut anna, query));
        both(found(&mut ben, query));
    }
    both(found(&mut ben, "mine=true"));
    let export = |client: &mut Client| client.get("/api/export?player=Anna").text;
    assert!(!export(&mut clara).contains(&private) && export(&mut clara).contains(&public));
    assert!(export(&mut anna).contains(&private));
    assert!(anna.get("/api/me/data").text.contains(&private));
    let profile = clara.get("/api/people/Anna").json();
    assert_eq!((&profile["won"], &profile["lost"]), (&json!(1), &json!(0)));
    // The explorer counts the public game, also when it counts all games again.
    win(&mut anna, &mut ben, json!({"private": true}));
    win(&mut anna, &mut ben, json!({}));
    assert_eq!(explorer::ask(&mut clara, "", 2)["recent"].as_array().unwrap().len(), 1);
    explorer::import(&mut server, &[], true);
    explorer::ask(&mut server.stranger(), "", 2);
}

#[test]
fn private_game_is_open_to_people_with_the_link() {
    let server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    let game = begin(&mut anna, &mut ben, json!({"private": true}));
    moves([&mut anna, &mut ben], &game, &["h2+", "c7+"]);
    let mut stranger = server.stranger();
    let shown = stranger.get(&game_path(&game, "")).json();
    assert_eq!(shown["events"][0]["kind"]["started"]["private"], true);
    assert_eq!(stranger.get(&game_path(&game, "/kgn")).status, 200);
    // The game can also be opened over the WebSocket.
    drop(server.open_socket(&stranger, &game));
    // The rematch is private as well.
    assert_eq!(act(&mut ben, &game, json!("resign")).status, 200);
    assert_eq!(act(&mut ben, &game, json!("rematch")).status, 200);
    assert_eq!(act(&mut anna, &game, json!("rematch")).status, 200);
    let rematch = anna.get("/api/me/games").json();
    assert_eq!((ids(&rematch).len(), &rematch[0]["private"]), (1, &json!(true)));
}

#[test]
fn private_games_are_casual_and_not_in_the_lobby() {
    let server = TestServer::unlimited();
    let mut anna = server.account("Anna");
    let mut post = |extra: Value| {
        let mut challenge = json!({"start": "classic", "time": "3d", "private": true});
        for (name, value) in extra.as_object().expect("options") {
            challenge[name] = value.clone();
        }
        let answer = anna.post("/api/challenges", challenge);
        (answer.status, answer.code())
    };
    assert_eq!(post(json!({"open": true})), (422, "invalid".to_owned()));
    assert_eq!(post(json!({"rated": true})), (422, "invalid".to_owned()));
    assert_eq!(post(json!({})).0, 201);
    let lobby = server.stranger().get("/api/challenges").json();
    assert_eq!(lobby["challenges"], json!([]));
}

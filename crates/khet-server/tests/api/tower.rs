//! Games and setups with the Tower of Kadesh in challenges, lists, the gallery, pictures, the
//! explorer and imports.

use khet::{AnyPosition, GamePosition, Record, tower};
use serde_json::{Value, json};

use crate::explorer::{ask, import};
use crate::reviews::reviewed;
use crate::test_server::{Client, TestServer, act, begin, game_path, moves};

/// The beams touch nothing, and each side has a pyramid on the upper level.
const POSITION: &str = "4k5/10/10/10/10/10/10/4K5+e4:6/1p34/6/6/4P11/6 s";
const SETUP: &str = tower::Setup::ALL[0].name();

/// Returns a position as URLs have it.
fn in_url(position: &str) -> String {
    position.replace(' ', "_").replace('+', "%2B")
}

/// Plays a whole game that Silver wins.
fn win_from(silver: &mut Client, red: &mut Client, options: Value, played: [&str; 2]) -> String {
    let game = begin(silver, red, options);
    moves([silver, red], &game, &played);
    assert_eq!(act(red, &game, json!("resign")).status, 200);
    game
}

/// Returns a legal move of the side to move, as text.
fn any_move(position: &AnyPosition) -> String {
    position.legal_moves()[0].to_string()
}

/// Returns two moves that can be played from the setup.
fn opening() -> [String; 2] {
    let mut position: AnyPosition = SETUP.parse().unwrap();
    let first = any_move(&position);
    position.play(first.parse().unwrap()).unwrap();
    [first, any_move(&position)]
}

fn is_picture(client: &Client, path: &str) {
    let (status, media, _, content) = client.bytes(path);
    assert_eq!((status, &*media), (200, "image/png"), "{path}");
    assert!(content.starts_with(b"\x89PNG\r\n"));
}

#[test]
fn tower_setups_are_challenged() {
    let server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    for start in [SETUP, POSITION] {
        let challenge = json!({"start": start, "time": "300+3", "open": true});
        let made = anna.post("/api/challenges", challenge);
        assert_eq!(made.status, 201, "{}", made.text);
        let id = made.json()["challenge"]["id"].as_str().expect("an id").to_owned();
        let seen = ben.get(&format!("/api/challenges/{id}")).json();
        assert_eq!(seen["challenge"]["start"], start);
        let accepted = ben.post(&format!("/api/challenges/{id}/accept"), json!(null));
        assert_eq!(accepted.status, 200, "{}", accepted.text);
        let game = accepted.json()["game"].as_str().expect("a game").to_owned();
        let joined = anna.get(&game_path(&game, "")).json();
        assert_eq!(joined["events"][0]["kind"]["started"]["start"], start);
    }
    // The whole notation of a named setup is its name.
    let challenge = json!({"start": tower::Setup::ALL[0].notation(), "time": "300+3"});
    let made = anna.post("/api/challenges", challenge).json();
    assert_eq!(made["challenge"]["start"], SETUP);
    let corner = "4k5/10/10/10/10/10/10/10+e4:6/6/6/6/6/K5 s";
    let bad = anna.post("/api/challenges", json!({"start": corner, "time": "none"}));
    assert_eq!((bad.status, &*bad.code()), (422, "invalid"), "{}", bad.text);
    assert!(bad.text.contains("pharaoh"), "{}", bad.text);
    let rated = json!({"start": POSITION, "time": "300+3", "rated": true});
    assert_eq!(anna.post("/api/challenges", rated).status, 422);
}

#[test]
fn a_rated_tower_game_counts_in_the_pool_of_its_speed() {
    let server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    let [first, second] = opening();
    let options = json!({"start": SETUP, "time": "300+3", "rated": true});
    let game = win_from(&mut anna, &mut ben, options, [&first, &second]);
    let record: Record<tower::Position> =
        anna.get(&game_path(&game, "/kgn")).text.parse().expect("a record");
    assert_eq!(record.tag("SilverRating"), Some("1500"));
    let ratings = anna.get("/api/people/Anna").json()["ratings"].clone();
    assert_eq!(ratings[0]["speed"], "blitz", "{ratings}");
    assert!(ratings[0]["rating"]["value"].as_u64() > Some(1500), "{ratings}");
}

#[test]
fn tower_games_are_listed_searched_reviewed_and_exported() {
    let server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    let [first, second] = opening();
    let named = win_from(&mut anna, &mut ben, json!({"start": SETUP}), [&first, &second]);
    let other = win_from(&mut anna, &mut ben, json!({"start": POSITION}), ["Te5", "T+"]);
    let live = begin(&mut anna, &mut ben, json!({"start": POSITION}));
    moves([&mut anna, &mut ben], &live, &["Td4"]);
    let watched = anna.get("/api/watch").json();
    assert_eq!(watched["games"][0]["position"], "4k5/10/10/10/10/10/10/4K5+d4:6/1p34/6/6/4P11/6 r");
    for (query, expected) in [
        (format!("setup={SETUP}"), &named),
        ("setup=position".to_owned(), &other),
        ("player=anna&limit=1".to_owned(), &other),
    ] {
        let found = anna.get(&format!("/api/games?{query}")).json();
        assert_eq!(found["games"][0]["id"], expected.as_str(), "{query}");
        assert_eq!(found["games"].as_array().map(Vec::len), Some(1), "{query}");
    }
    let review = reviewed(&mut anna, &other)["review"].clone();
    assert_eq!(review["start"], POSITION);
    let reviewed_moves: Vec<_> = (0..2).map(|ply| review["moves"][ply]["move"].clone()).collect();
    assert_eq!(reviewed_moves, ["Te5", "T+"]);
    let exported = anna.get("/api/export?player=Anna").text;
    let records: Vec<_> = khet::Records::any(&exported).collect::<Result<_, _>>().expect("records");
    let ids: Vec<_> = records.iter().map(|record| record.tag("GameId")).collect();
    assert_eq!(ids, [Some(&*other), Some(&*named)]);
}

#[test]
fn a_tower_setup_is_published_and_its_picture_served() {
    let server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    let setup = |name: &str, position: &str| json!({"name": name, "position": position});
    let made = anna.post("/api/setups", setup("Watchtower", POSITION));
    assert_eq!(made.status, 201, "{}", made.text);
    assert_eq!(made.json()["position"], POSITION);
    let id = made.json()["id"].as_str().expect("an id").to_owned();
    assert_eq!(ben.get(&format!("/api/setups/{id}")).json()["position"], POSITION);
    assert_eq!(ben.get("/api/setups?box=standard").json()["setups"][0]["id"], id.as_str());
    is_picture(&anna, &format!("/pictures/setup/{id}.png"));
    assert!(anna.get(&format!("/en/setup/{id}")).text.contains("Watchtower"));
    // Games from it count.
    win_from(&mut anna, &mut ben, json!({"start": POSITION}), ["Te5", "T+"]);
    assert_eq!(ben.get(&format!("/api/setups/{id}")).json()["balance"]["silver"], 1);
    // It can't be published twice, nor with the colours exchanged.
    let flipped = POSITION.parse::<AnyPosition>().unwrap().placement().flipped();
    for position in [POSITION, &flipped.to_string()] {
        let again = ben.post("/api/setups", setup("Mine", position));
        assert_eq!(again.status, 409, "{}", again.text);
    }
    let named = ben.post("/api/setups", setup("Mine", tower::Setup::ALL[0].notation()));
    assert_eq!(named.status, 422, "{}", named.text);
    assert!(named.text.contains(&format!("this position is the setup {SETUP}")), "{}", named.text);
}

#[test]
fn positions_with_a_tower_have_pictures() {
    let server = TestServer::unlimited();
    let mut anyone = server.stranger();
    // A `+` in a query is a space, which some programs do not escape.
    for position in [SETUP, &in_url(POSITION), &POSITION.replace(' ', "_")] {
        is_picture(&anyone, &format!("/pictures/position.png?position={position}"));
    }
    let path = format!("/en/analysis?position={}", in_url(POSITION));
    let page = anyone.get(&path).text;
    let image = format!("position={}&amp;rules=standard", in_url(POSITION));
    assert!(page.contains(&image), "{page}");
    let page = anyone.get(&format!("/en/setup/{SETUP}")).text;
    assert!(page.contains(&in_url(tower::Setup::ALL[0].notation())), "{page}");
}

#[test]
fn imported_and_played_tower_games_are_explored() {
    let mut server = TestServer::unlimited();
    let record = format!(
        "[Silver \"Cleo\"]\n[Red \"Marc\"]\n[Result \"1-0\"]\n[Position \"{POSITION}\"]\n\
         [Rules \"standard\"]\n\n1. Te5 T+ 2. D4d4 e8d8 1-0\n"
    );
    let standard = "[Setup \"Classic\"]\n\n1. h2+ c7+ 1-0\n".to_owned();
    let records = [record.clone(), standard];
    assert_eq!(import(&mut server, &records, false), (2, 0));
    assert_eq!(import(&mut server, &records, false), (0, 2));
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    win_from(&mut anna, &mut ben, json!({"start": POSITION}), ["Te5", "T-"]);
    let start = in_url(POSITION);
    let found = ask(&mut anna, &format!("position={start}"), 2);
    assert_eq!(found["position"], POSITION);
    assert_eq!(
        found["moves"],
        json!([{"move": "Te5", "games": 2, "silver": 2, "draws": 0, "red": 0}])
    );
    let mut position: AnyPosition = POSITION.parse().unwrap();
    position.play("Te5".parse().unwrap()).unwrap();
    // A `+` in a query is a space.
    let after = position.to_string().replace(' ', "_");
    let found = ask(&mut anna, &format!("position={after}"), 2);
    let replies = found["moves"].as_array().expect("moves");
    let mut replies: Vec<_> = replies.iter().map(|mv| mv["move"].as_str().unwrap()).collect();
    replies.sort_unstable();
    assert_eq!(replies, ["T+", "T-"]);
    let recent = found["recent"].as_array().expect("games");
    let imported = recent.iter().find_map(|game| game["imported"].as_str()).expect("an id");
    assert_eq!(anna.get(&format!("/api/imported/{imported}")).text, record);
    // The standard game is not counted with it.
    ask(&mut anna, "position=classic", 1);
    // Counting again gives the same.
    import(&mut server, &[], true);
    let mut anyone = server.stranger();
    ask(&mut anyone, &format!("position={start}"), 2);
}

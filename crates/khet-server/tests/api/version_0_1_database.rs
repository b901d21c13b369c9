//! A database written by version 0.1.0 opens, nothing in it is lost, and its games can continue.

use std::time::Duration;

use khet::{Color, GamePosition, Move, Outcome, Record, Records, Termination};
use khet_protocol::{Event, EventKind, GameState, RatingChange};
use khet_server::Time;
use serde_json::{Value, json};

use crate::test_server::{Client, TestServer, act, game_path, sign_in};

const DATABASE: &[u8] = include_bytes!("../fixtures/0.1.0/khet.sqlite");

/// A few seconds after version 0.1.0 stopped, so that no clock of an unfinished game has run out.
const OPENED_AT: u64 = 1_794_915_000_000;

const RESIGNED: &str = "ff8XVfbh";
const AGREED_DRAW: &str = "97gR0zSI";
const REMATCH: &str = "ppqEA6WR";
const REPETITION: &str = "4bMRGOpk";
const ABORTED: &str = "zc5ALGRq";
const PHARAOH_HIT: &str = "46DelUP2";
const CORRESPONDENCE: &str = "of2dZxl8";
const OSIRIS: &str = "Tgu9Ebly";
const DRAW_OFFERED: &str = "h7541OBh";
const FROM_PUBLISHED_SETUP: &str = "mDLSKiAo";

const PUBLISHED_SETUP: &str = "FV95KgVy";

/// Starts a server with a copy of the old database.
fn open() -> TestServer {
    TestServer::with_file(|config| {
        let file = config.database.file().expect("a file");
        std::fs::write(file, DATABASE).expect("a copy of the database");
        config.time = Time::standing(OPENED_AT);
        config.limits = TestServer::high_limits();
        config.moderators = vec!["Mona".parse().expect("a name")];
    })
}

fn get(client: &mut Client, path: &str) -> Value {
    let answer = client.get(path);
    assert_eq!(answer.status, 200, "{path}: {}", answer.text);
    answer.json()
}

fn events(client: &mut Client, game: &str) -> Vec<Event> {
    let welcome = get(client, &game_path(game, ""));
    serde_json::from_value(welcome["events"].clone()).expect("events")
}

fn state(client: &mut Client, game: &str) -> GameState {
    GameState::fold(&events(client, game)).expect("a consistent game")
}

fn parse_moves(moves: &str) -> Vec<Move> {
    moves.split_whitespace().map(|mv| mv.parse().expect("a move")).collect()
}

/// The games with their moves and outcomes.
fn expected_games() -> [(&'static str, &'static str, Option<Outcome>); 10] {
    let silver_resigned = Outcome::win(Color::Silver, Termination::Resignation);
    let own_pharaoh_hit = Outcome::win(Color::Red, Termination::PharaohHit);
    [
        (RESIGNED, "h2+ a5b5 h2-", Some(silver_resigned)),
        (AGREED_DRAW, "e2d2 f7g7 d2e2 g7f7", Some(Outcome::draw(Termination::Agreement))),
        (REMATCH, "", None),
        (
            REPETITION,
            "f4+ e5+ f4+ e5+ f4+ e5+ f4+ e5+",
            Some(Outcome::draw(Termination::Repetition)),
        ),
        (ABORTED, "", Some(Outcome::ABORTED)),
        (PHARAOH_HIT, "j1-", Some(own_pharaoh_hit)),
        (CORRESPONDENCE, "h2+ c7c6", None),
        (OSIRIS, "j1-", None),
        (DRAW_OFFERED, "h2+ c7c6", None),
        (FROM_PUBLISHED_SETUP, "", None),
    ]
}

#[test]
fn games_keep_their_moves_and_outcomes() {
    let server = open();
    let mut anna = sign_in(&server, "Anna");
    for (game, moves, outcome) in expected_games() {
        let state = state(&mut anna, game);
        assert!(state.game().moves().eq(parse_moves(moves).into_iter().map(Into::into)), "{game}");
        assert_eq!(state.outcome(), outcome, "{game}");
    }
}

#[test]
fn records_of_games_are_complete() {
    let server = open();
    let mut anna = sign_in(&server, "Anna");
    for (game, moves, outcome) in expected_games() {
        let record: Record =
            anna.get(&game_path(game, "/kgn")).text.parse().expect("a valid record");
        assert_eq!(record.game().moves(), parse_moves(moves), "{game}");
        assert_eq!(record.outcome(), outcome, "{game}");
        assert_eq!(record.tag("GameId"), Some(game));
    }
    let exported = anna.get("/api/export").text;
    let records: Vec<Record> =
        Records::new(&exported).map(|record| record.expect("a valid record")).collect();
    let ids: Vec<_> = records.iter().filter_map(|record| record.tag("GameId")).collect();
    assert_eq!(ids, [PHARAOH_HIT, REPETITION, AGREED_DRAW, RESIGNED]);
}

#[test]
fn finished_games_are_listed_with_their_outcomes() {
    let server = open();
    let mut anna = sign_in(&server, "Anna");
    let page = get(&mut anna, "/api/games");
    let summaries = page["games"].as_array().expect("games");
    assert_eq!(summaries.len(), 4, "all but the aborted game");
    for summary in summaries {
        let summary: khet_protocol::GameSummary =
            serde_json::from_value(summary.clone()).expect("a summary");
        let (_, moves, outcome) = expected_games()
            .into_iter()
            .find(|(id, ..)| *id == summary.id.to_string())
            .expect("a known game");
        assert_eq!(summary.moves as usize, parse_moves(moves).len(), "{}", summary.id);
        assert_eq!(summary.outcome, outcome, "{}", summary.id);
    }
    let unfinished = get(&mut anna, "/api/me/games");
    assert_eq!(unfinished.as_array().map(Vec::len), Some(4));
}

#[test]
fn chat_clocks_offers_and_ratings_are_kept() {
    let server = open();
    let mut anna = sign_in(&server, "Anna");
    let kinds: Vec<EventKind> =
        events(&mut anna, RESIGNED).into_iter().map(|event| event.kind).collect();
    let (silver, red) = (Color::Silver, Color::Red);
    let mv = "h2-".parse().expect("a move");
    assert_eq!(
        kinds[3..],
        [
            EventKind::Chat { by: silver, text: "Good luck!".to_owned() },
            EventKind::DrawOffered { by: silver },
            EventKind::DrawDeclined { by: red },
            EventKind::TimeAdded { by: red, time: 15_000 },
            EventKind::Move { mv, key: 108, left: Some(317_995) },
            EventKind::Ended(Outcome::win(silver, Termination::Resignation)),
            EventKind::Rated {
                silver: RatingChange { before: 1500, after: 1662 },
                red: RatingChange { before: 1500, after: 1338 },
            },
            EventKind::RematchOffered { by: red },
            EventKind::RematchDeclined { by: silver },
        ]
    );
    let takeback = &events(&mut anna, AGREED_DRAW)[5];
    assert_eq!(takeback.kind, EventKind::TakenBack { moves: 1 });
    let rematch = state(&mut anna, AGREED_DRAW).rematch_game();
    assert_eq!(rematch.map(|game| game.to_string()).as_deref(), Some(REMATCH));
    assert_eq!(get(&mut anna, "/api/me")["ratings"][0]["rating"]["value"], 1662);
    let history = get(&mut anna, "/api/people/Ben/ratings");
    assert_eq!(history[0]["points"][0]["value"], 1338, "{history}");
}

#[test]
fn unfinished_games_continue() {
    let server = open();
    let (mut anna, mut ben) = (sign_in(&server, "Anna"), sign_in(&server, "Ben"));
    // Carl has created a token and is a bot since; the password still works.
    let mut carl = sign_in(&server, "Carl");
    let play = |client: &mut Client, game: &str, action: Value| {
        let answer = act(client, game, action);
        assert_eq!(answer.status, 200, "{game}: {}", answer.text);
    };

    play(&mut anna, CORRESPONDENCE, json!({"move": {"ply": 2, "move": "h2-"}}));
    play(&mut ben, CORRESPONDENCE, json!({"move": {"ply": 3, "move": "c6c7"}}));
    let moves = parse_moves("h2+ c7c6 h2- c6c7").into_iter().map(Into::into);
    assert!(state(&mut anna, CORRESPONDENCE).game().moves().eq(moves));
    play(&mut ben, CORRESPONDENCE, json!("resign"));
    let rated = events(&mut anna, CORRESPONDENCE).pop().expect("an event");
    assert!(matches!(rated.kind, EventKind::Rated { .. }), "{rated:?}");

    assert_eq!(state(&mut anna, DRAW_OFFERED).draw_offer(), Some(Color::Silver));
    play(&mut carl, DRAW_OFFERED, json!("draw"));
    let outcome = state(&mut anna, DRAW_OFFERED).outcome();
    assert_eq!(outcome, Some(Outcome::draw(Termination::Agreement)));

    let mv = state(&mut carl, OSIRIS).game().position().legal_moves()[0];
    play(&mut carl, OSIRIS, json!({"move": {"ply": 1, "move": mv.to_string()}}));

    let mv = state(&mut ben, FROM_PUBLISHED_SETUP).game().position().legal_moves()[0];
    play(&mut ben, FROM_PUBLISHED_SETUP, json!({"move": {"ply": 0, "move": mv.to_string()}}));
}

#[test]
fn correspondence_clock_goes_on() {
    let server = open();
    let mut anna = sign_in(&server, "Anna");
    let now = Duration::from_millis(OPENED_AT);
    let left = state(&mut anna, CORRESPONDENCE).clock().expect("a clock").left(Color::Silver, now);
    let three_days = Duration::from_secs(3 * 24 * 60 * 60);
    assert!(left < three_days && left > three_days - Duration::from_secs(60), "{left:?}");
}

#[test]
fn open_challenges_can_be_accepted() {
    let server = open();
    let (mut anna, mut ben) = (sign_in(&server, "Anna"), sign_in(&server, "Ben"));
    let accept = |client: &mut Client, challenge: &str, start: &str, time: &str| {
        let shown = get(client, &format!("/api/challenges/{challenge}"))["challenge"].clone();
        assert_eq!((&shown["start"], &shown["time"]), (&json!(start), &json!(time)));
        let accepted = client.post(&format!("/api/challenges/{challenge}/accept"), json!(null));
        assert_eq!(accepted.status, 200, "{}", accepted.text);
        let game = accepted.json()["game"].as_str().expect("a game").to_owned();
        state(client, &game)
    };
    accept(&mut ben, "I77n7rpmG2", "imhotep", "1d");
    let lobby = get(&mut anna, "/api/challenges");
    let listed: Vec<&Value> = lobby["challenges"]
        .as_array()
        .expect("challenges")
        .iter()
        .map(|open| &open["id"])
        .collect();
    assert_eq!(listed, ["nPD61HrbPR"]);
    let started = accept(&mut anna, "nPD61HrbPR", "khet2-classic", "none");
    assert_eq!(started.person(Color::Silver).to_string(), anna.id(), "Ben wanted to play Red");
}

#[test]
fn published_setup_keeps_its_likes_and_reports() {
    let server = open();
    let (mut ben, mut mona) = (sign_in(&server, "Ben"), sign_in(&server, "Mona"));
    let setup = get(&mut ben, &format!("/api/setups/{PUBLISHED_SETUP}"));
    assert_eq!(setup["name"], "Two Rivers");
    assert_eq!(setup["position"], "4k5/2p37/10/p18P4/p18P4/10/7P12/5K4 s");
    assert_eq!((&setup["likes"], &setup["liked"]), (&json!(1), &json!(true)));
    assert!(setup.to_string().contains("The pharaohs stand far apart."), "{setup}");
    let reported = get(&mut mona, "/api/setups/reports").to_string();
    assert!(reported.contains(PUBLISHED_SETUP) && reported.contains("dull"), "{reported}");
}

#[test]
fn stored_review_is_served() {
    let server = open();
    let stored = get(&mut server.stranger(), &game_path(RESIGNED, "/review"));
    assert_eq!((&stored["engine"], &stored["nodes"]), (&json!("Khet 0.1.0"), &json!(100_000)));
    let review: khet_review::Review =
        serde_json::from_value(stored["review"].clone()).expect("a review");
    let moves: Vec<Move> = review.moves.iter().map(|judged| judged.mv).collect();
    assert_eq!(moves, parse_moves("h2+ a5b5 h2-"));
    let players = &stored["review"]["players"];
    assert_eq!(players["silver"]["accuracy"], 80.4);
    assert_eq!(players["red"]["mistakes"], 1);
}

#[test]
fn explorer_and_imported_game_are_kept() {
    let server = open();
    let mut visitor = server.stranger();
    let explorer = get(&mut visitor, "/api/explorer?position=classic");
    let totals = ["games", "silver", "draws", "red"].map(|name| explorer[name].as_u64());
    assert_eq!(totals, [Some(3), Some(2), Some(1), Some(0)], "{explorer}");
    assert_eq!(explorer["moves"][0]["move"], "h2+");
    assert_eq!(explorer["moves"][0]["games"], 2);
    let recent = explorer["recent"].as_array().expect("games");
    let imported = recent.iter().find_map(|game| game["imported"].as_str()).expect("an id");
    let record: Record =
        visitor.get(&format!("/api/imported/{imported}")).text.parse().expect("a valid record");
    assert_eq!((record.tag("Silver"), record.tag("Red")), (Some("Cleo"), Some("Marc")));
    assert_eq!(record.tag("Result"), Some("1-0"));
    assert_eq!(record.game().moves().len(), 4);
}

#[test]
fn personal_data_can_be_downloaded() {
    let server = open();
    let mut anna = sign_in(&server, "Anna");
    let data = get(&mut anna, "/api/me/data");
    assert_eq!(data["games"].as_array().map(Vec::len), Some(8), "all but the aborted game");
    assert_eq!(data["setups"][0]["id"], PUBLISHED_SETUP);
}

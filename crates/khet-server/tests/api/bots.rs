//! Programs that play: their tokens, what they hear, what they do.

use serde_json::{Value, json};

use crate::client::{Client, House, PASSWORD, act, begin, moves, win};

/// A program's account, and its token.
fn bot(house: &House, name: &str) -> Client {
    let mut client = house.account(name);
    let given = client.post("/api/me/tokens", json!({"label": " my engine "}));
    assert_eq!(given.status, 201, "{}", given.text);
    assert_eq!(given.json()["label"], "my engine");
    let mut program = house.stranger();
    program.token = given.json()["token"].as_str().map(str::to_owned);
    program
}

#[test]
fn a_token_makes_an_account_a_bots() {
    let house = House::patient();
    let mut owner = house.account("Robot");
    let given = owner.post("/api/me/tokens", json!({"label": "engine"})).json();
    assert_eq!(owner.get("/api/people/Robot").json()["kind"], "bot");
    let list = owner.get("/api/me/tokens").json();
    assert_eq!(list[0]["id"], given["id"]);
    assert_eq!(list[0].get("token"), None, "it was shown once");
    let mut program = house.stranger();
    program.token = given["token"].as_str().map(str::to_owned);
    assert_eq!(program.get("/api/me").json()["name"], "Robot");
    // With the token the program plays; it can't take the account away.
    for (method, path) in [
        ("POST", "/api/me/tokens"),
        ("GET", "/api/me/tokens"),
        ("POST", "/api/me/password"),
        ("DELETE", "/api/me"),
        ("POST", "/api/sign-out-everywhere"),
        ("GET", "/api/me/data"),
    ] {
        let answer = program.send(method, path, Some("{}"));
        assert_eq!((answer.status, &*answer.code()), (403, "forbidden"), "{method} {path}");
    }
    // Revoked, it opens nothing; nobody else can revoke it.
    let path = format!("/api/me/tokens/{}", given["id"].as_str().unwrap());
    assert_eq!(house.account("Ben").send("DELETE", &path, None).status, 404);
    assert_eq!(owner.send("DELETE", &path, None).status, 204);
    assert_eq!(program.get("/api/me").status, 401);
}

#[test]
fn people_stay_people() {
    let house = House::patient();
    let (mut anna, mut ben) = (house.account("Anna"), house.account("Ben"));
    win(&mut anna, &mut ben, json!({"rated": true}));
    let refused = anna.post("/api/me/tokens", json!({"label": "engine"}));
    assert_eq!((refused.status, &*refused.code()), (403, "forbidden"));
    let mut guest = house.stranger();
    guest.post("/api/guest", json!(null));
    assert_eq!(guest.post("/api/me/tokens", json!({"label": "engine"})).status, 403);
    for label in ["", "  ", "two\nlines", &"x".repeat(51)] {
        assert_eq!(ben.post("/api/me/tokens", json!({"label": label})).status, 422, "{label}");
    }
}

#[test]
fn a_program_hears_challenges_and_games_and_plays() {
    let house = House::patient();
    let mut robot = bot(&house, "Robot");
    let mut anna = house.account("Anna");
    let mut told = robot.lines("/api/stream");
    let challenge = json!({"start": "classic", "time": "300+3", "color": "silver", "to": "robot"});
    let made = anna.post("/api/challenges", challenge).json();
    let id = made["challenge"]["id"].as_str().unwrap().to_owned();
    let heard = told.next().expect("a challenge");
    assert_eq!(heard["challenge"]["id"], id.as_str());
    assert_eq!(heard["challenge"]["by"]["name"], "Anna");
    robot.post(&format!("/api/challenges/{id}/accept"), json!(null));
    let heard = told.next().expect("a game");
    assert_eq!(heard["game"]["challenge"], id.as_str());
    let game = heard["game"]["id"].as_str().unwrap().to_owned();

    let mut events = robot.lines(&format!("/api/games/{game}/stream"));
    let welcome = events.next().expect("a welcome");
    assert_eq!(welcome["game-joined"]["you"], "red");
    moves([&mut anna, &mut robot], &game, &["h2+", "c7+"]);
    let mut mv = || loop {
        let line: Value = events.next().expect("an event");
        if let Some(mv) = line["event"]["kind"]["move"]["move"].as_str() {
            return mv.to_owned();
        }
    };
    assert_eq!([mv(), mv()], ["h2+", "c7+"]);
    // A move sent twice counts once; a wrong one is told apart.
    let again = json!({"key": 77, "action": {"move": {"ply": 2, "move": "h2-"}}});
    let path = format!("/api/games/{game}/act");
    let first = anna.post(&path, again.clone());
    assert_eq!(first.status, 200);
    assert_eq!(anna.post(&path, again).text, first.text);
    let wrong = act(&mut robot, &game, json!({"move": {"ply": 3, "move": "a1b2"}}));
    assert_eq!((wrong.status, &*wrong.code()), (422, "illegal-move"), "{}", wrong.text);
    // Who comes back hears the games that are played.
    let mut again = robot.lines("/api/stream");
    assert_eq!(again.next().expect("a game")["game"]["id"], game.as_str());
}

#[test]
fn a_stream_ends_with_its_token() {
    let house = House::patient();
    let mut owner = house.account("Robot");
    let given = owner.post("/api/me/tokens", json!({"label": "engine"})).json();
    let mut program = house.stranger();
    program.token = given["token"].as_str().map(str::to_owned);
    let mut anna = house.account("Anna");
    let game = begin(&mut anna, &mut program, json!({}));
    let mut told = program.lines("/api/stream");
    let mut events = program.lines(&format!("/api/games/{game}/stream"));
    assert!(told.next().is_some() && events.next().is_some(), "both have begun");
    owner.send("DELETE", &format!("/api/me/tokens/{}", given["id"].as_str().unwrap()), None);
    // Both end; otherwise this would not return.
    told.for_each(drop);
    events.for_each(drop);
}

#[test]
fn spectators_hear_the_game_but_not_what_players_say() {
    let house = House::patient();
    let (mut anna, mut ben) = (house.stranger(), house.stranger());
    let game = begin(&mut anna, &mut ben, json!({}));
    let mut events = house.stranger().lines(&format!("/api/games/{game}/stream?seen=1"));
    let welcome = events.next().expect("a welcome");
    assert_eq!(welcome["game-joined"]["you"], Value::Null);
    assert_eq!(welcome["game-joined"]["after"], 1);
    act(&mut anna, &game, json!({"chat": {"text": "a secret"}}));
    act(&mut anna, &game, json!("abort"));
    let mut heard = String::new();
    for line in events.by_ref() {
        heard.push_str(&line.to_string());
        if heard.contains("aborted") {
            break;
        }
    }
    assert!(heard.contains("chat-hidden") && !heard.contains("secret"), "{heard}");
    let look = house.stranger().get(&format!("/api/games/{game}"));
    assert!(!look.text.contains("secret"));
    assert!(anna.get(&format!("/api/games/{game}")).text.contains("secret"));
}

#[test]
fn challenges_of_programs_stand_in_the_lobby_while_they_listen() {
    let house = House::patient();
    let mut robot = bot(&house, "Robot");
    let mut anna = house.stranger();
    robot.post("/api/challenges", json!({"start": "classic", "time": "300+3", "open": true}));
    let shown = |anna: &mut Client| {
        anna.get("/api/challenges").json()["challenges"].as_array().map_or(0, Vec::len)
    };
    assert_eq!(shown(&mut anna), 0);
    let mut told = robot.lines("/api/stream");
    told.next().expect("the own challenge");
    assert_eq!(shown(&mut anna), 1);
    drop(told);
    // The server notices when it next says something; signing out does not wait for that.
    let mut owner = house.stranger();
    owner.post("/api/sign-in", json!({"name": "Robot", "password": PASSWORD}));
    owner.post("/api/sign-out-everywhere", json!(null));
    let gone = (0..100).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        shown(&mut anna) == 0
    });
    assert!(gone);
}

#[test]
fn programs_of_the_house_have_tokens_until_the_next_start() {
    let mut house = House::told(|config| {
        config.house_bots = vec!["Khet-1".parse().unwrap(), "Khet-7".parse().unwrap()];
    });
    let mut program = house.stranger();
    let (name, token) = house.server().house()[1].clone();
    program.token = Some(token.clone());
    let me = program.get("/api/me").json();
    assert_eq!((&me["name"], &me["kind"]), (&json!(name.as_str()), &json!("bot")));
    assert!(!format!("{:?}", house.server()).contains(&token));
    house.stop();
    house.start();
    let mut again = house.stranger();
    again.token = Some(token);
    assert_eq!(again.get("/api/me").status, 401);
    again.token = Some(house.server().house()[1].1.clone());
    assert_eq!(again.get("/api/me").json()["id"], me["id"], "the same person");
}

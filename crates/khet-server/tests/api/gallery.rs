//! The gallery: publish, like, report, moderate.

use std::time::Duration;

use khet_server::ServerLimits;
use serde_json::{Value, json};

use crate::test_server::{Answer, Client, PASSWORD, TestServer, act, begin, moves, win};

/// Returns a different position for each number: Silver's pyramid moves along the board.
fn position(number: usize) -> String {
    let place = |at: usize| match at {
        0 => "P19".to_owned(),
        9 => "9P1".to_owned(),
        at => format!("{at}P1{}", 9 - at),
    };
    // Files b to i, because the outer files are reserved.
    let mut ranks = vec!["10".to_owned(); 6];
    ranks[number / 8] = place(number % 8 + 1);
    format!("4k5/{}/5K4 s", ranks.join("/"))
}

fn setup(name: &str, position: &str) -> Value {
    json!({"name": name, "description": "Some words.", "position": position})
}

/// Publishes a setup and returns its id.
fn publish(client: &mut Client, name: &str, position: &str) -> String {
    let answer = client.post("/api/setups", setup(name, position));
    assert_eq!(answer.status, 201, "{}", answer.text);
    answer.json()["id"].as_str().expect("an id").to_owned()
}

fn names(answer: &Answer) -> Vec<String> {
    assert_eq!(answer.status, 200, "{}", answer.text);
    let json = answer.json();
    let setups = json["setups"].as_array().expect("setups");
    setups.iter().map(|setup| setup["name"].as_str().expect("a name").to_owned()).collect()
}

/// Starts a server with a moderator.
fn moderated() -> (TestServer, Client) {
    let server = TestServer::unlimited();
    let mona = server.moderator("Mona");
    (server, mona)
}

#[test]
fn a_setup_is_published_and_found() {
    let server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    let made = anna.post("/api/setups", setup(" Two Rivers ", &position(3))).json();
    assert_eq!(made["name"], "Two Rivers");
    assert_eq!(made["author"]["name"], "Anna");
    assert_eq!(made["position"], position(3));
    assert_eq!(
        (&made["likes"], &made["plays"], &made["mine"]),
        (&json!(0), &json!(0), &json!(true))
    );
    let id = made["id"].as_str().expect("an id");
    let seen = ben.get(&format!("/api/setups/{id}")).json();
    assert_eq!((&seen["mine"], &seen["liked"]), (&json!(false), &json!(false)));
    assert_eq!(names(&server.stranger().get("/api/setups")), ["Two Rivers"]);
    assert_eq!(ben.get("/api/setups/aaaaaaaa").status, 404);
    assert_eq!(ben.get("/api/setups/not-an-id").status, 404);
}

#[test]
fn lists_are_sorted_filtered_and_read_page_by_page() {
    let server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    let first = publish(&mut anna, "first", &position(1));
    publish(&mut ben, "second", &position(2));
    let third = publish(&mut anna, "third", &position(3));
    let sphinxes = "x33k5/10/10/10/10/10/10/5K3X1 s";
    publish(&mut ben, "sphinxes", sphinxes);
    let like = |client: &mut Client, id: &str| {
        assert_eq!(client.send("PUT", &format!("/api/setups/{id}/like"), None).status, 200);
    };
    like(&mut anna, &third);
    like(&mut ben, &third);
    like(&mut ben, &first);
    let mut list = |query: &str| names(&anna.get(&format!("/api/setups?{query}")));
    assert_eq!(list(""), ["sphinxes", "third", "second", "first"]);
    assert_eq!(list("sort=likes"), ["third", "first", "sphinxes", "second"]);
    assert_eq!(list("box=khet2"), ["sphinxes"]);
    assert_eq!(list("box=standard&sort=likes"), ["third", "first", "second"]);
    assert_eq!(list("author=anna&sort=likes"), ["third", "first"]);
    for sort in ["newest", "likes", "plays", "balance"] {
        let all = list(&format!("sort={sort}"));
        let (mut paged, mut after) = (Vec::new(), String::new());
        loop {
            let page = ben.get(&format!("/api/setups?sort={sort}&limit=3{after}"));
            paged.extend(names(&page));
            let Some(next) = page.json()["next"].as_str().map(str::to_owned) else { break };
            after = format!("&after={next}");
        }
        assert_eq!(paged, all, "{sort}");
    }
    assert_eq!(ben.get("/api/setups?author=Nobody").status, 404);
    for invalid in ["sort=best", "box=khet3", "after=x", "after=1-2-3", "limit=-1", "author=%20"] {
        assert_eq!(ben.get(&format!("/api/setups?{invalid}")).status, 422, "{invalid}");
    }
}

#[test]
fn a_like_counts_once_and_can_be_taken_back() {
    let server = TestServer::unlimited();
    let mut anna = server.account("Anna");
    let id = publish(&mut anna, "liked", &position(1));
    let path = format!("/api/setups/{id}/like");
    let mut ben = server.account("Ben");
    for _ in 0..2 {
        let liked = ben.send("PUT", &path, None).json();
        assert_eq!((&liked["likes"], &liked["liked"]), (&json!(1), &json!(true)));
    }
    assert_eq!(anna.send("PUT", &path, None).json()["likes"], 2);
    assert_eq!(anna.get("/api/setups").json()["setups"][0]["liked"], true);
    for _ in 0..2 {
        let unliked = ben.send("DELETE", &path, None).json();
        assert_eq!((&unliked["likes"], &unliked["liked"]), (&json!(1), &json!(false)));
    }
    assert_eq!(server.stranger().send("PUT", &path, None).status, 401);
    assert_eq!(server.stranger().send("DELETE", &path, None).status, 401);
    assert_eq!(anna.send("PUT", "/api/setups/aaaaaaaa/like", None).status, 404);
    assert_eq!(anna.send("DELETE", "/api/setups/aaaaaaaa/like", None).status, 404);
}

#[test]
fn flipped_position_is_a_duplicate() {
    let server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    let id = publish(&mut anna, "<b>First</b>", &position(4));
    let placement: khet::Placement = position(4).parse().expect("a position");
    for same in [placement, placement.flipped()] {
        let refused = ben.post("/api/setups", setup("Again", &same.to_string()));
        assert_eq!((refused.status, &*refused.code()), (409, "taken"));
        let message = refused.json()["message"].to_string();
        assert!(message.contains("<b>First</b>") && message.contains(&id), "{message}");
    }
    // With the other side to move it is another position.
    let mut other = placement;
    other.side_to_move = khet::Color::Red;
    publish(&mut ben, "Red begins", &other.to_string());
    for named in [khet::Setup::Classic, khet::Setup::Osiris] {
        for same in [named.placement(), named.placement().flipped()] {
            let refused = ben.post("/api/setups", setup("Mine", &same.to_string()));
            assert_eq!(refused.status, 422);
            let message = refused.json()["message"].to_string();
            assert!(message.contains(named.name()), "{message}");
        }
    }
}

#[test]
fn games_from_a_setup_are_counted_when_they_end() {
    let server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    let start = position(5);
    let play = |anna: &mut Client, ben: &mut Client, options: Value, end: &str| {
        let game = begin(anna, ben, options);
        if end == "abort" {
            assert_eq!(act(anna, &game, json!("abort")).status, 200);
            return;
        }
        moves([&mut *anna, &mut *ben], &game, &["f1e1", "e8f8"]);
        match end {
            "silver" => assert_eq!(act(ben, &game, json!("resign")).status, 200),
            "red" => assert_eq!(act(anna, &game, json!("resign")).status, 200),
            _ => {
                assert_eq!(act(anna, &game, json!("draw")).status, 200);
                assert_eq!(act(ben, &game, json!("draw")).status, 200);
            }
        }
    };
    // A game before publication counts too.
    play(&mut anna, &mut ben, json!({"start": start}), "red");
    let id = publish(&mut anna, "played", &start);
    let path = format!("/api/setups/{id}");
    let balance = |client: &mut Client| {
        let card = client.get(&path).json();
        (card["plays"].clone(), card["balance"].clone())
    };
    assert_eq!(balance(&mut anna), (json!(1), json!({"silver": 0, "drawn": 0, "red": 1})));
    for end in ["silver", "silver", "draw", "abort"] {
        play(&mut anna, &mut ben, json!({"start": start}), end);
    }
    // Other rules and other positions do not count.
    play(&mut anna, &mut ben, json!({"start": start, "rules": "czech"}), "red");
    play(&mut anna, &mut ben, json!({"start": position(6)}), "red");
    assert_eq!(balance(&mut anna), (json!(4), json!({"silver": 2, "drawn": 1, "red": 1})));
    publish(&mut anna, "unplayed", &position(7));
    for sort in ["plays", "balance"] {
        let list = names(&ben.get(&format!("/api/setups?sort={sort}")));
        assert_eq!(list[0], "played", "{sort}");
    }
}

#[test]
fn three_reports_hide_a_setup_until_a_moderator_decides() {
    let (server, mut mona) = moderated();
    assert_eq!(mona.get("/api/me").json()["moderator"], true);
    let mut anna = server.account("Anna");
    assert_eq!(anna.get("/api/me").json()["moderator"], false);
    let (kept, gone) =
        (publish(&mut anna, "kept", &position(1)), publish(&mut anna, "gone", &position(2)));
    let report = |client: &mut Client, id: &str| {
        client.post(&format!("/api/setups/{id}/report"), json!({"reason": "It\nis rude."})).status
    };
    let mut people: Vec<Client> = ["Ben", "Cleo", "Dora"].map(|name| server.account(name)).into();
    // Reports count from accounts that have existed for a day and have finished a game.
    for person in &mut people {
        win(person, &mut anna, json!({}));
    }
    server.skip(Duration::from_secs(24 * 60 * 60));
    for id in [&kept, &gone] {
        // Repeated reports of one person count once.
        for _ in 0..5 {
            assert_eq!(report(&mut people[0], id), 204);
        }
        assert_eq!(report(&mut people[1], id), 204);
    }
    let listed = || names(&server.stranger().get("/api/setups"));
    assert_eq!(listed(), ["gone", "kept"]);
    for id in [&kept, &gone] {
        assert_eq!(report(&mut people[2], id), 204);
    }
    assert_eq!(listed(), [""; 0]);
    let reported = mona.get("/api/setups/reports").json();
    assert_eq!(reported["setups"][0]["setup"]["name"], "kept");
    assert_eq!(reported["setups"][0]["hidden"], true);
    let reports = reported["setups"][0]["reports"].as_array().expect("reports");
    let by: Vec<&Value> = reports.iter().map(|report| &report["by"]["name"]).collect();
    assert_eq!(by, ["Ben", "Cleo", "Dora"]);
    assert_eq!(reports[0]["reason"], "It\nis rude.");

    assert_eq!(mona.post(&format!("/api/setups/{kept}/keep"), json!(null)).status, 204);
    assert_eq!(mona.send("DELETE", &format!("/api/setups/{gone}"), None).status, 204);
    assert_eq!(listed(), ["kept"]);
    assert_eq!(mona.get("/api/setups/reports").json()["setups"], json!([]));
    // Dismissed reports can't be reopened by the people who made them.
    for person in &mut people {
        assert_eq!(report(person, &kept), 204);
    }
    assert_eq!(listed(), ["kept"]);
    assert_eq!(mona.get("/api/setups/reports").json()["setups"], json!([]));
    assert_eq!(report(&mut people[0], &gone), 404);
    // The position can be published again, and is not listed before a moderator has seen it.
    publish(&mut anna, "once more", &position(2));
    assert_eq!(listed(), ["kept"]);
}

#[test]
fn permissions_are_enforced() {
    let (server, _mona) = moderated();
    let (mut anna, mut ben, mut stranger) =
        (server.account("Anna"), server.account("Ben"), server.stranger());
    let id = publish(&mut anna, "Anna's", &position(1));
    let path = format!("/api/setups/{id}");
    assert_eq!(ben.send("DELETE", &path, None).status, 403);
    assert_eq!(stranger.send("DELETE", &path, None).status, 401);
    assert_eq!(stranger.post("/api/setups", setup("x", &position(2))).status, 401);
    let mut guest = server.stranger();
    assert_eq!(guest.post("/api/guest", json!(null)).status, 200);
    for refused in [
        guest.send("PUT", &format!("{path}/like"), None),
        guest.post("/api/setups", setup("x", &position(2))),
        guest.post(&format!("{path}/report"), json!({"reason": "x"})),
        ben.get("/api/setups/reports"),
        ben.post(&format!("{path}/keep"), json!(null)),
        guest.send("DELETE", &path, None),
    ] {
        assert_eq!((refused.status, &*refused.code()), (403, "forbidden"), "{}", refused.text);
    }
    let mut lured = anna.clone();
    lured.origin = Some("https://evil.example".to_owned());
    for (method, path) in [
        ("POST", "/api/setups".to_owned()),
        ("DELETE", path.clone()),
        ("PUT", format!("{path}/like")),
        ("DELETE", format!("{path}/like")),
        ("POST", format!("{path}/report")),
        ("POST", format!("{path}/keep")),
    ] {
        let refused = lured.send(method, &path, Some("{}"));
        assert_eq!((refused.status, &*refused.code()), (403, "wrong-origin"), "{method} {path}");
    }
    assert_eq!(anna.send("DELETE", &path, None).status, 204);
    assert_eq!(anna.get(&path).status, 404);
    assert_eq!(anna.send("DELETE", &path, None).status, 404);
}

#[test]
fn hostile_setups_are_rejected_and_markup_is_not_interpreted() {
    let server = TestServer::unlimited();
    let mut anna = server.account("Anna");
    let good = position(1);
    for (bad, why) in [
        (setup("", &good), "no name"),
        (setup("\u{202e}live", &good), "turned writing"),
        (setup("a\u{0}b", &good), "a control character"),
        (setup("two\nlines", &good), "two lines"),
        (setup(&"x".repeat(41), &good), "a long name"),
        (json!({"name": "x", "description": "x".repeat(501), "position": good}), "many words"),
        (json!({"name": "x", "description": "\u{2066}", "position": good}), "turned words"),
        (setup("x", "10/10/10/10/10/10/10/5K4 s"), "no pharaoh"),
        (setup("x", "4k5/10/10/10/10/10/10/P14K4 s"), "a reserved square"),
        (setup("x", "4k5/10/4D14S1/10/10/10/10/5K4 s"), "two boxes"),
        (setup("x", "x33k5/10/10/10/10/10/10/5K4 s"), "one sphinx"),
        (setup("x", "not a position"), "no position"),
        (setup("x", "4k5/10/10/10/10/10/10/5K4 s extra"), "trailing text"),
        (json!({"name": "x", "position": good, "rules": "chess"}), "other rules"),
        (json!({"name": "x"}), "nothing to publish"),
        (json!({"name": 7, "position": good}), "a number"),
    ] {
        let refused = anna.post("/api/setups", bad);
        assert_eq!((refused.status, &*refused.code()), (422, "invalid"), "{why}: {}", refused.text);
    }
    let faults = anna.post("/api/setups", setup("x", "10/10/10/10/10/10/10/P14K4 s")).json();
    let message = faults["message"].as_str().expect("a message");
    assert!(
        message.contains("red has no pharaoh") && message.contains("a1 is reserved"),
        "{message}"
    );
    assert_eq!(anna.send("POST", "/api/setups", Some("{")).code(), "malformed");
    let enormous = json!({"name": "x", "description": "x".repeat(20_000), "position": good});
    assert_eq!(anna.post("/api/setups", enormous).status, 413);
    let markup = "<script>alert('1')</script>&\"";
    let words = "</p><img src=x onerror=y>\nline two";
    let made = anna
        .post("/api/setups", json!({"name": markup, "description": words, "position": good}))
        .json();
    assert_eq!((made["name"].as_str(), made["description"].as_str()), (Some(markup), Some(words)));
    let id = made["id"].as_str().expect("an id");
    let answer = anna.get(&format!("/api/setups/{id}"));
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    let report = |reason: &str| json!({ "reason": reason });
    let path = format!("/api/setups/{id}/report");
    assert_eq!(anna.post(&path, report(&"x".repeat(301))).status, 422);
    assert_eq!(anna.post(&path, report("a\u{1b}[2J")).status, 422);
}

#[test]
fn setups_and_reports_are_rate_limited() {
    let server = TestServer::with(ServerLimits { setups_per_hour: 2, ..TestServer::high_limits() });
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    let id = publish(&mut anna, "one", &position(1));
    // A rejected setup does not count.
    assert_eq!(anna.post("/api/setups", setup("x", "10/10/10/10/10/10/10/10 s")).status, 422);
    publish(&mut anna, "two", &position(2));
    let refused = anna.post("/api/setups", setup("three", &position(3)));
    assert_eq!((refused.status, &*refused.code()), (429, "too-many"));
    assert!(refused.header("retry-after").parse::<u32>().is_ok_and(|seconds| seconds > 0));
    publish(&mut ben, "three", &position(3));
    server.skip(Duration::from_secs(3600));
    publish(&mut anna, "four", &position(4));
    let path = format!("/api/setups/{id}/report");
    let reports = (0..31).map(|_| ben.post(&path, json!({"reason": ""})).status);
    assert_eq!(reports.last(), Some(429));
}

#[test]
fn deleting_an_account_removes_texts_but_not_setups() {
    let server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    let own = publish(&mut anna, "Stays", &position(1));
    let other = publish(&mut ben, "Liked", &position(2));
    anna.send("PUT", &format!("/api/setups/{other}/like"), None);
    anna.post(&format!("/api/setups/{other}/report"), json!({"reason": "Secret reason"}));
    let data = anna.get("/api/me/data").json();
    assert_eq!(data["setups"][0]["name"], "Stays");
    assert_eq!(data["liked_setups"], json!([other]));
    assert_eq!(data["reported_setups"], json!([[other, "Secret reason"]]));
    let left = anna.send("DELETE", "/api/me", Some(&json!({"password": PASSWORD}).to_string()));
    assert_eq!(left.status, 204);
    let card = ben.get(&format!("/api/setups/{own}")).json();
    assert_eq!((card["name"].as_str(), card["description"].as_str()), (Some("Stays"), Some("")));
    assert_eq!((&card["author"]["kind"], &card["author"]["name"]), (&json!("gone"), &Value::Null));
    assert_eq!(ben.get(&format!("/api/setups/{other}")).json()["likes"], 0);
}

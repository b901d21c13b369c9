//! Puzzles: the daily one, the next one, attempts and their ratings, votes, the dashboard.

use std::time::Duration;

use khet_puzzles::{Puzzle, PuzzleTheme, daily_puzzle_index, read_puzzles};
use khet_server::Time;
use serde_json::{Value, json};

use crate::test_server::{Answer, Client, PASSWORD, TestServer};

const FILE: &str = include_str!("../../../../data/puzzles.txt");
/// Some day, ten seconds before midnight.
const EVENING: u64 = 20_500 * DAY - 10_000;
/// A day, in milliseconds.
const DAY: u64 = 24 * 60 * 60 * 1000;

fn puzzles() -> Vec<Puzzle> {
    read_puzzles(FILE).map(|puzzle| puzzle.expect("a puzzle")).collect()
}

/// Returns a puzzle whose solution has several moves of the solver.
fn long_puzzle() -> Puzzle {
    puzzles().into_iter().find(|puzzle| puzzle.line.solver_moves() > 1).expect("a puzzle")
}

/// Starts a server whose clock stands in the evening.
fn start() -> TestServer {
    TestServer::configured(|config| {
        config.limits = TestServer::high_limits();
        config.time = Time::standing(EVENING);
    })
}

/// Returns the solver's moves of a solution.
fn solution(puzzle: &Puzzle) -> String {
    let moves: Vec<String> = puzzle.line.moves().step_by(2).map(|mv| mv.to_string()).collect();
    moves.join(" ")
}

fn path(puzzle: &Puzzle, what: &str) -> String {
    format!("/api/puzzles/{}{what}", puzzle.id())
}

/// Submits an attempt.
fn attempt(client: &mut Client, puzzle: &Puzzle, moves: &str) -> Value {
    ok(client.post(&path(puzzle, "/attempt"), json!({"moves": moves})))
}

fn ok(answer: Answer) -> Value {
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()
}

/// Returns the rating after one game by the formulas of Glicko-2, for a volatility of 0.06 that does
/// not change. Ratings are pairs of value and deviation.
fn rated((own, own_deviation): (f64, f64), (other, deviation): (f64, f64), score: f64) -> f64 {
    const SCALE: f64 = 173.7178;
    let g = 1.0 / (1.0 + 3.0 * (deviation / SCALE / std::f64::consts::PI).powi(2)).sqrt();
    let expected = 1.0 / (1.0 + (-g * (own - other) / SCALE).exp());
    let information = g * g * expected * (1.0 - expected);
    let before = (own_deviation / SCALE).hypot(0.06);
    let variance = 1.0 / (1.0 / (before * before) + information);
    own + SCALE * variance * g * (score - expected)
}

/// Checks a rating that the server has computed.
fn assert_near(found: &Value, expected: f64) {
    let found = found.as_f64().expect("a number");
    assert!((found - expected).abs() <= 1.0, "{found} {expected}");
}

#[test]
fn daily_puzzle_is_the_same_for_all_until_midnight() {
    let server = start();
    let (mut anna, mut anyone) = (server.account("Anna"), server.stranger());
    let puzzles = puzzles();
    for day in [EVENING / DAY, EVENING / DAY + 1] {
        let expected = &puzzles[daily_puzzle_index(day, puzzles.len())];
        let daily = ok(anyone.get("/api/puzzles/daily"));
        assert_eq!(daily["id"], expected.id().to_string());
        assert_eq!(daily["position"], expected.line.start().to_string());
        assert_eq!(daily["rating"], json!({"value": expected.rating, "deviation": 250}));
        assert_eq!((&daily["attempts"], &daily["upvotes"]), (&json!(0), &json!(0)));
        assert_eq!(ok(anna.get("/api/puzzles/daily")), daily);
        assert_eq!(ok(anna.get(&path(expected, ""))), daily);
        server.skip(Duration::from_secs(10));
    }
    assert!(anyone.cookie.is_none(), "looking makes no guest");
    for unknown in ["222222", "storm", "%20"] {
        assert_eq!(anyone.get(&format!("/api/puzzles/{unknown}")).status, 404, "{unknown}");
    }
}

#[test]
fn next_puzzle_has_the_theme_and_is_near_the_rating() {
    let server = start();
    let mut anyone = server.stranger();
    for (query, near) in [("", 1500), ("difference=-500", 1000), ("difference=100", 1600)] {
        let next = ok(anyone.get(&format!("/api/puzzles/next?{query}")));
        let rating = next["rating"]["value"].as_i64().expect("a number");
        assert!((rating - near).abs() < 50, "{query}: {rating}");
    }
    for theme in [PuzzleTheme::Swap, PuzzleTheme::Defence, PuzzleTheme::EyeOfHorus] {
        let next = ok(anyone.get(&format!("/api/puzzles/next?theme={theme}")));
        let themes = next["themes"].as_array().expect("themes");
        assert!(themes.contains(&json!(theme.to_string())), "{next}");
    }
    for invalid in ["theme=fork", "theme=", "difference=601", "difference=-32768", "rating=1500"] {
        let answer = anyone.get(&format!("/api/puzzles/next?{invalid}"));
        assert_eq!((answer.status, &*answer.code()), (422, "invalid"), "{invalid}");
    }
}

#[test]
fn next_puzzle_was_not_tried_before() {
    let server = start();
    let mut anna = server.account("Anna");
    let mut seen = Vec::new();
    for _ in 0..30 {
        let next = ok(anna.get("/api/puzzles/next?theme=swap"));
        let id = next["id"].as_str().expect("an id").to_owned();
        assert!(!seen.contains(&id), "{id}");
        ok(anna.post(&format!("/api/puzzles/{id}/attempt"), json!({"moves": ""})));
        seen.push(id);
        server.skip(Duration::from_secs(2));
    }
    // After thirty failures the puzzles are easier.
    let next = ok(anna.get("/api/puzzles/next"));
    assert!(next["rating"]["value"].as_i64().is_some_and(|rating| rating < 1200), "{next}");
}

#[test]
fn first_attempt_rates_solver_and_puzzle_once() {
    let mut server = start();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    let puzzle = long_puzzle();
    let start = (f64::from(puzzle.rating), 250.0);
    let result = attempt(&mut anna, &puzzle, &solution(&puzzle));
    assert_eq!(result["solved"], true);
    assert_eq!(result["rating"]["before"], 1500);
    assert_near(&result["rating"]["after"], rated((1500.0, 350.0), start, 1.0));
    assert_near(&result["puzzle"]["value"], rated(start, (1500.0, 350.0), 0.0));
    // Nothing changes by a repetition, even after a restart.
    for _ in 0..2 {
        for moves in [solution(&puzzle), String::new()] {
            let again = attempt(&mut anna, &puzzle, &moves);
            assert_eq!(again["rating"], Value::Null);
            assert_eq!(again["solved"], !moves.is_empty());
            assert_eq!(again["puzzle"], result["puzzle"]);
        }
        server.stop();
        server.start();
        anna.server = server.stranger().server;
        ben.server.clone_from(&anna.server);
    }
    let dashboard = ok(anna.get("/api/me/puzzles"));
    assert_eq!(dashboard["rating"]["value"], result["rating"]["after"]);
    assert_eq!((&dashboard["attempts"], &dashboard["solved"]), (&json!(1), &json!(1)));
    assert_eq!(ok(anna.get(&path(&puzzle, "")))["attempts"], 1);
    // The next solver meets the puzzle as it is now.
    let before = result["puzzle"].clone();
    let before =
        (before["value"].as_f64().expect("a value"), before["deviation"].as_f64().expect("one"));
    let failed = attempt(&mut ben, &puzzle, "");
    assert_eq!(failed["solved"], false);
    assert_near(&failed["rating"]["after"], rated((1500.0, 350.0), before, 0.0));
    assert_near(&failed["puzzle"]["value"], rated(before, (1500.0, 350.0), 1.0));
    assert_eq!(ok(ben.get(&path(&puzzle, "")))["attempts"], 2);
}

#[test]
fn solved_is_only_what_the_moves_solve() {
    let server = start();
    let puzzle = long_puzzle();
    let right = solution(&puzzle);
    let first = right.split(' ').next().expect("a move").to_owned();
    let claims = [
        json!({"moves": ""}),
        json!({"moves": "", "solved": true}),
        json!({"moves": first, "solved": true}),
        json!({"moves": format!("{first} {first}")}),
        json!({"moves": format!("{right} {first}")}),
        json!({"moves": right, "helped": true}),
    ];
    for (number, claim) in claims.into_iter().enumerate() {
        let mut client = server.account(&format!("Solver{number}"));
        let result = ok(client.post(&path(&puzzle, "/attempt"), claim.clone()));
        assert_eq!(result["solved"], false, "{claim}");
        let rating = &result["rating"];
        assert!(rating["after"].as_i64() < rating["before"].as_i64(), "{claim}: {rating}");
    }
    let mut client = server.account("Honest");
    for unreadable in [json!({"moves": "e1e"}), json!({"solved": true}), json!("e1d1")] {
        let refused = client.post(&path(&puzzle, "/attempt"), unreadable);
        assert_eq!((refused.status, &*refused.code()), (422, "invalid"), "{}", refused.text);
    }
    assert_eq!(attempt(&mut client, &puzzle, &right)["solved"], true);
}

#[test]
fn guests_are_not_rated() {
    let server = start();
    let mut guest = server.stranger();
    ok(guest.post("/api/guest", json!(null)));
    let puzzle = long_puzzle();
    let body = json!({"moves": solution(&puzzle)});
    for (path, body) in [
        (path(&puzzle, "/attempt"), body),
        ("/api/me/puzzles".to_owned(), json!({"attempts": [], "runs": []})),
    ] {
        let refused = guest.post(&path, body.clone());
        assert_eq!((refused.status, &*refused.code()), (403, "forbidden"), "{path}");
        assert_eq!(server.stranger().post(&path, body).status, 401, "{path}");
    }
    let dashboard = ok(guest.get("/api/me/puzzles"));
    assert_eq!(dashboard["rating"], json!({"value": 1500, "deviation": 350}));
    assert_eq!(dashboard["attempts"], 0);
}

#[test]
fn a_vote_counts_once_and_can_be_changed() {
    let server = start();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    let puzzle = long_puzzle();
    let vote = path(&puzzle, "/vote");
    let votes = |info: &Value| json!([info["upvotes"], info["downvotes"], info["own_vote"]]);
    for _ in 0..2 {
        assert_eq!(votes(&ok(anna.send("PUT", &vote, Some("\"up\"")))), json!([1, 0, "up"]));
    }
    assert_eq!(votes(&ok(ben.send("PUT", &vote, Some("\"down\"")))), json!([1, 1, "down"]));
    assert_eq!(votes(&ok(anna.send("PUT", &vote, Some("\"down\"")))), json!([0, 2, "down"]));
    assert_eq!(votes(&ok(anna.get(&path(&puzzle, "")))), json!([0, 2, "down"]));
    assert_eq!(votes(&ok(server.stranger().get(&path(&puzzle, "")))), json!([0, 2, null]));
    for _ in 0..2 {
        assert_eq!(votes(&ok(anna.send("DELETE", &vote, None))), json!([0, 1, null]));
    }
    assert_eq!(anna.send("PUT", &vote, Some("\"best\"")).status, 422);
    assert_eq!(anna.send("PUT", "/api/puzzles/222222/vote", Some("\"up\"")).status, 404);
}

#[test]
fn dashboard_has_results_by_theme_and_day() {
    let server = start();
    let mut anna = server.account("Anna");
    let puzzles = puzzles();
    let with = |theme| puzzles.iter().filter(move |puzzle| puzzle.themes.contains(theme));
    // Anna solves twelve puzzles with a swap and no defence, the defences on the next day.
    let swaps: Vec<&Puzzle> = with(PuzzleTheme::Swap)
        .filter(|puzzle| !puzzle.themes.contains(PuzzleTheme::Defence))
        .take(12)
        .collect();
    for puzzle in &swaps {
        assert_eq!(attempt(&mut anna, puzzle, &solution(puzzle))["solved"], true);
        server.skip(Duration::from_millis(500));
    }
    server.skip(Duration::from_secs(60));
    let defences: Vec<&Puzzle> = with(PuzzleTheme::Defence)
        .filter(|puzzle| !puzzle.themes.contains(PuzzleTheme::Swap))
        .take(12)
        .collect();
    for puzzle in &defences {
        assert_eq!(attempt(&mut anna, puzzle, "")["solved"], false);
        server.skip(Duration::from_millis(500));
    }
    let dashboard = ok(anna.get("/api/me/puzzles"));
    assert_eq!((&dashboard["attempts"], &dashboard["solved"]), (&json!(24), &json!(12)));
    assert_eq!(
        dashboard["days"],
        json!([
            {"day": EVENING / DAY, "attempts": 12, "solved": 12},
            {"day": EVENING / DAY + 1, "attempts": 12, "solved": 0},
        ])
    );
    assert_eq!(dashboard["points"].as_array().map(Vec::len), Some(24));
    assert_eq!(dashboard["points"][23]["value"], dashboard["rating"]["value"]);
    let history = dashboard["history"].as_array().expect("attempts");
    assert_eq!(history.len(), 24);
    assert_eq!((&history[0]["solved"], &history[23]["solved"]), (&json!(false), &json!(true)));
    let score = |theme: &str| {
        let themes = dashboard["themes"].as_array().expect("themes").iter();
        themes.clone().find(|score| score["theme"] == theme).expect("a score").clone()
    };
    let (swap, defence) = (score("swap"), score("defence"));
    assert_eq!((&swap["attempts"], &swap["solved"]), (&json!(12), &json!(12)));
    assert_eq!((&defence["attempts"], &defence["solved"]), (&json!(12), &json!(0)));
    assert!(swap["performance"].as_u64() > defence["performance"].as_u64());
    let dashboard: khet_protocol::PuzzleDashboard =
        serde_json::from_value(dashboard).expect("a dashboard");
    let weak: Vec<PuzzleTheme> = dashboard.weak_themes().iter().map(|score| score.theme).collect();
    assert!(weak.contains(&PuzzleTheme::Defence) && !weak.contains(&PuzzleTheme::Swap), "{weak:?}");
    // Another person sees nothing of it.
    assert_eq!(ok(server.account("Ben").get("/api/me/puzzles"))["attempts"], 0);
}

#[test]
fn progress_of_a_device_is_merged_once_and_never_rated() {
    let server = start();
    let mut anna = server.account("Anna");
    let puzzles = puzzles();
    let [known, first, second] = [0, 1, 2].map(|index| &puzzles[index]);
    let rated = attempt(&mut anna, known, "")["rating"].clone();
    let attempt_of = |puzzle: &Puzzle, at: u64, solved: bool| json!({"puzzle": puzzle.id().to_string(), "at": at, "solved": solved});
    let device = json!({
        "attempts": [
            attempt_of(known, EVENING - 5000, true),
            attempt_of(first, EVENING - 4000, false),
            attempt_of(first, EVENING - 3000, true),
            attempt_of(second, EVENING + 10 * DAY, true),
            {"puzzle": "222222", "at": 1, "solved": true},
        ],
        "runs": [
            {"kind": "storm", "at": EVENING, "score": 14},
            {"kind": "storm", "at": EVENING, "score": 60_000},
            {"kind": "streak", "at": EVENING, "score": 6},
        ],
    });
    let merged = ok(anna.post("/api/me/puzzles", device.clone()));
    for _ in 0..2 {
        assert_eq!(ok(anna.post("/api/me/puzzles", device.clone())), merged);
        assert_eq!(ok(anna.get("/api/me/puzzles")), merged);
    }
    assert_eq!((&merged["attempts"], &merged["solved"]), (&json!(3), &json!(1)));
    assert_eq!(merged["rating"]["value"], rated["after"]);
    assert_eq!((&merged["best_storm"], &merged["best_streak"]), (&json!(14), &json!(6)));
    assert_eq!(merged["points"].as_array().map(Vec::len), Some(1));
    let history = merged["history"].as_array().expect("attempts");
    let of = |puzzle: &Puzzle| {
        let id = json!(puzzle.id().to_string());
        history.iter().find(|entry| entry["puzzle"] == id).expect("an attempt")
    };
    assert_eq!(of(known)["rating"], rated);
    assert_eq!((&of(first)["solved"], &of(first)["rating"]), (&json!(false), &Value::Null));
    assert_eq!(of(second)["at"], EVENING, "the clock of the device is wrong");
    // A better series replaces the best one, a worse one does not.
    let run = |score: u16| json!({"runs": [{"kind": "streak", "at": EVENING, "score": score}]});
    assert_eq!(ok(anna.post("/api/me/puzzles", run(9)))["best_streak"], 9);
    assert_eq!(ok(anna.post("/api/me/puzzles", run(2)))["best_streak"], 9);
    // An attempt as a guest rates neither the solver nor the puzzle, not even after sign-in.
    let again = attempt(&mut anna, second, &solution(second));
    assert_eq!((&again["solved"], &again["rating"]), (&json!(true), &Value::Null));
    assert_eq!(ok(anna.get(&path(second, "")))["attempts"], 0);
    let many = vec![attempt_of(first, 1, true); 201];
    assert_eq!(anna.post("/api/me/puzzles", json!({"attempts": many})).status, 422);
    let full = vec![attempt_of(first, EVENING, true); 200];
    let runs = vec![json!({"kind": "streak", "at": EVENING, "score": 1000}); 50];
    ok(anna.post("/api/me/puzzles", json!({"attempts": full, "runs": runs})));
}

#[test]
fn attempts_and_merges_are_limited() {
    let server = start();
    let mut anna = server.account("Anna");
    let puzzle = long_puzzle();
    let mut merge = anna.clone();
    let statuses = |count: usize, send: &mut dyn FnMut() -> Answer| -> Vec<u16> {
        (0..count).map(|_| send().status).collect()
    };
    let attempts =
        statuses(61, &mut || anna.post(&path(&puzzle, "/attempt"), json!({"moves": ""})));
    assert_eq!((attempts[59], attempts[60]), (200, 429));
    let merges = statuses(121, &mut || merge.post("/api/me/puzzles", json!({})));
    assert_eq!((merges[119], merges[120]), (200, 429));
}

#[test]
fn account_takes_its_puzzles_along_or_deletes_them() {
    let server = start();
    let mut anna = server.account("Anna");
    let puzzle = long_puzzle();
    attempt(&mut anna, &puzzle, &solution(&puzzle));
    ok(anna.send("PUT", &path(&puzzle, "/vote"), Some("\"up\"")));
    let run = json!({"kind": "storm", "at": EVENING, "score": 14});
    ok(anna.post("/api/me/puzzles", json!({"runs": [run]})));
    let data = ok(anna.get("/api/me/data"))["puzzles"].clone();
    let id = puzzle.id().to_string();
    assert_eq!(data["attempts"][0]["puzzle"], id);
    assert_eq!(data["votes"], json!([[id, "up"]]));
    assert_eq!(data["best_runs"], json!([run]));
    assert!(data["rating"]["value"].as_u64().is_some_and(|rating| rating > 1500), "{data}");
    let gone = anna.send("DELETE", "/api/me", Some(&json!({"password": PASSWORD}).to_string()));
    assert_eq!(gone.status, 204);
    let info = ok(server.stranger().get(&path(&puzzle, "")));
    assert_eq!((&info["attempts"], &info["upvotes"]), (&json!(1), &json!(0)));
    for table in ["puzzle_attempts", "puzzle_votes", "puzzle_runs", "solver_ratings"] {
        let sql = format!("SELECT COUNT(*) FROM {table}");
        assert_eq!(khet_server::testing::fetch_number(&server.config.database, &sql), 0, "{table}");
    }
}

//! Moderation: roles that can't be taken, reports that can't be bought, history that stays.

use std::time::Duration;

use serde_json::{Value, json};

use crate::test_server::{Client, PASSWORD, TestServer, win};

const POSITION: &str = "4k5/10/3P16/10/10/10/10/5K4 s";
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn publish(client: &mut Client, name: &str) -> String {
    let setup = json!({"name": name, "position": POSITION});
    let answer = client.post("/api/setups", setup);
    assert_eq!(answer.status, 201, "{}", answer.text);
    answer.json()["id"].as_str().expect("an id").to_owned()
}

fn report(client: &mut Client, id: &str) {
    let answer = client.post(&format!("/api/setups/{id}/report"), json!({"reason": "Rude."}));
    assert_eq!(answer.status, 204, "{}", answer.text);
}

fn delete(client: &mut Client, id: &str) {
    assert_eq!(client.send("DELETE", &format!("/api/setups/{id}"), None).status, 204);
}

/// Returns the names in the public list.
fn listed(server: &TestServer) -> Vec<String> {
    let page = server.stranger().get("/api/setups").json();
    let setups = page["setups"].as_array().expect("setups");
    setups.iter().map(|setup| setup["name"].as_str().expect("a name").to_owned()).collect()
}

fn reported(moderator: &mut Client) -> Value {
    moderator.get("/api/setups/reports").json()["setups"].clone()
}

fn decisions(moderator: &mut Client) -> Value {
    moderator.get("/api/setups/decisions").json()["decisions"].clone()
}

fn undo(moderator: &mut Client, decision: &Value) -> u16 {
    let path = format!("/api/setups/decisions/{}/undo", decision["number"]);
    moderator.post(&path, json!(null)).status
}

/// Returns accounts whose reports count once each.
fn known_accounts<const N: usize>(server: &TestServer, names: [&str; N]) -> [Client; N] {
    let mut opponent = server.account("Opponent");
    let mut accounts = names.map(|name| server.account(name));
    for account in &mut accounts {
        win(account, &mut opponent, json!({}));
    }
    server.skip(DAY);
    accounts
}

#[test]
fn signing_up_with_the_name_of_a_moderator_grants_nothing() {
    let mut server = TestServer::configured(|config| {
        config.limits = TestServer::high_limits();
        config.moderators = vec!["mona".parse().expect("a name")];
    });
    let mut mona = server.account("Mona");
    assert_eq!(mona.get("/api/me").json()["moderator"], false);
    assert_eq!(mona.get("/api/setups/reports").status, 403);
    assert_eq!(mona.get("/api/setups/decisions").status, 403);
    // The deprecated option grants the role to accounts that exist at the start.
    server.stop();
    server.start();
    mona.server = server.stranger().server;
    assert_eq!(mona.get("/api/me").json()["moderator"], true);
    // The role ends with the account.
    let password = json!({"password": PASSWORD}).to_string();
    assert_eq!(mona.send("DELETE", "/api/me", Some(&password)).status, 204);
    assert_eq!(server.stranger().get("/api/setups/reports").status, 401);
}

#[test]
fn new_accounts_can_not_hide_a_setup() {
    let server = TestServer::unlimited();
    let (mut mona, mut anna) = (server.moderator("Mona"), server.account("Anna"));
    let id = publish(&mut anna, "Rivers");
    for number in 0..6 {
        report(&mut server.account(&format!("Sock{number}")), &id);
    }
    assert_eq!(listed(&server), ["Rivers"]);
    // Moderators see the reports all the same.
    assert_eq!(reported(&mut mona)[0]["reports"].as_array().map(Vec::len), Some(6));
    let mut idle = ["Ida", "Ivan", "Iris"].map(|name| server.account(name));
    let mut known = known_accounts(&server, ["Ben", "Cleo", "Dora"]);
    let mut hasty = ["Hana", "Hugo", "Hedy"].map(|name| server.account(name));
    let [one, two, three] = &mut hasty;
    for [winner, loser] in [[one, two], [three, &mut known[0]]] {
        win(winner, loser, json!({}));
    }
    // Neither old accounts without games nor new ones with games count.
    for account in idle.iter_mut().chain(&mut hasty) {
        report(account, &id);
    }
    assert_eq!(listed(&server), ["Rivers"]);
    for account in &mut known[..2] {
        report(account, &id);
    }
    assert_eq!(listed(&server), ["Rivers"]);
    report(&mut known[2], &id);
    assert_eq!(listed(&server), [""; 0]);
}

#[test]
fn deleting_and_publishing_again_keeps_reports_and_decisions() {
    let server = TestServer::unlimited();
    let (mut mona, mut anna) = (server.moderator("Mona"), server.account("Anna"));
    let mut known = known_accounts(&server, ["Ben", "Cleo", "Dora"]);
    let mut id = publish(&mut anna, "Rivers");
    for account in &mut known {
        report(account, &id);
    }
    assert_eq!(listed(&server), [""; 0]);
    // The author can't shake the reports off.
    for name in ["Streams", "Brooks"] {
        delete(&mut anna, &id);
        assert_eq!(reported(&mut mona), json!([]));
        id = publish(&mut anna, name);
        assert_eq!(listed(&server), [""; 0]);
        let waiting = reported(&mut mona);
        assert_eq!(waiting[0]["setup"]["name"], name);
        assert_eq!(waiting[0]["reports"].as_array().map(Vec::len), Some(3), "{waiting}");
    }
    delete(&mut mona, &id);
    assert_eq!(mona.get(&format!("/api/setups/{id}")).status, 404);
    // What a moderator removed waits for a moderator when anybody publishes it again.
    let again = publish(&mut server.account("Eve"), "Ponds");
    assert_eq!(listed(&server), [""; 0]);
    let waiting = reported(&mut mona);
    assert_eq!(waiting[0]["setup"]["id"], again);
    assert_eq!(waiting[0]["reports"], json!([]));
    assert_eq!(waiting[0]["decisions"][0]["kind"], "removed");
    assert_eq!(mona.post(&format!("/api/setups/{again}/keep"), json!(null)).status, 204);
    assert_eq!(listed(&server), ["Ponds"]);
    // People who reported the earlier publication can report this one.
    for account in &mut known {
        report(account, &again);
    }
    assert_eq!(listed(&server), [""; 0]);
}

#[test]
fn decisions_are_logged_and_can_be_undone() {
    let server = TestServer::unlimited();
    let (mut mona, mut otto) = (server.moderator("Mona"), server.moderator("Otto"));
    let mut anna = server.account("Anna");
    let [mut ben] = known_accounts(&server, ["Ben"]);
    let id = publish(&mut anna, "Rivers");
    assert_eq!(ben.send("PUT", &format!("/api/setups/{id}/like"), None).status, 200);
    report(&mut ben, &id);
    assert_eq!(mona.post(&format!("/api/setups/{id}/keep"), json!(null)).status, 204);
    assert_eq!(reported(&mut mona), json!([]));
    let log = decisions(&mut otto);
    assert_eq!(log[0]["moderator"]["name"], "Mona");
    assert_eq!((&log[0]["kind"], &log[0]["name"]), (&json!("kept"), &json!("Rivers")));
    assert!(log[0]["at"].as_u64().is_some_and(|at| at > 0));
    assert_eq!(ben.get("/api/setups/decisions").status, 403);
    assert_eq!(undo(&mut ben, &log[0]), 403);
    assert_eq!(undo(&mut otto, &log[0]), 204);
    assert_eq!(undo(&mut otto, &log[0]), 204, "undoing again changes nothing");
    assert_eq!(reported(&mut mona)[0]["reports"].as_array().map(Vec::len), Some(1));
    assert_eq!(decisions(&mut mona)[0]["undone"]["by"]["name"], "Otto");

    delete(&mut otto, &id);
    assert_eq!(listed(&server), [""; 0]);
    let log = decisions(&mut mona);
    assert_eq!((&log[0]["kind"], &log[0]["name"]), (&json!("removed"), &json!("Rivers")));
    assert_eq!(undo(&mut mona, &log[0]), 204);
    let setup = ben.get(&format!("/api/setups/{id}")).json();
    assert_eq!((&setup["name"], &setup["likes"]), (&json!("Rivers"), &json!(1)));
    assert_eq!(setup["author"]["name"], "Anna");
    assert_eq!(listed(&server), ["Rivers"]);
    assert_eq!(reported(&mut mona)[0]["reports"].as_array().map(Vec::len), Some(1));

    // A removal can't be undone after the position was published again.
    delete(&mut otto, &id);
    let own = anna.get("/api/me/data").json();
    assert_eq!(
        own["removed_setups"],
        json!([[id, "Rivers", ""]]),
        "the author sees what is stored"
    );
    publish(&mut anna, "Streams");
    let log = decisions(&mut mona);
    assert_eq!(undo(&mut mona, &log[0]), 409);
    assert_eq!(undo(&mut mona, &json!({"number": 999})), 404);
}

#[test]
fn a_removed_setup_of_a_deleted_account_is_forgotten() {
    let mut server = TestServer::unlimited();
    let (mut mona, mut anna) = (server.moderator("Mona"), server.account("Anna"));
    let id = publish(&mut anna, "Annas secret");
    delete(&mut mona, &id);
    let password = json!({"password": PASSWORD}).to_string();
    assert_eq!(anna.send("DELETE", "/api/me", Some(&password)).status, 204);
    let log = decisions(&mut mona);
    assert_eq!((&log[0]["kind"], &log[0]["name"]), (&json!("removed"), &Value::Null));
    assert_eq!(undo(&mut mona, &log[0]), 409, "there is nothing to publish again");
    server.stop();
    let bytes = server.bytes();
    assert!(!bytes.windows(12).any(|window| window == b"Annas secret"));
}

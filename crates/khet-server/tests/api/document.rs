//! The OpenAPI document is complete and true.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use khet_load::ClientSocket;
use khet_protocol::{ClientMessage, ServerMessage, Subscription};
use serde_json::{Value, json};

use crate::test_server::{Client, TestServer, act, begin};
use crate::{explorer, reviews};

/// A server on which everything in the document's examples exists.
struct ExampleServer {
    server: TestServer,
    anna: Client,
    game: String,
    challenge: String,
    token: String,
    setup: String,
    imported: String,
    seek: String,
    puzzle: String,
    /// The seek ends with its connection.
    _seeker: ClientSocket,
}

impl ExampleServer {
    fn new() -> ExampleServer {
        let mut server = TestServer::unlimited();
        let elsewhere = "[Setup \"Classic\"]\n\n1. h2+ 1-0\n".to_owned();
        explorer::import(&mut server, &[elsewhere], false);
        let imported = explorer::ask(&mut server.stranger(), "", 1);
        let imported = imported["recent"][0]["imported"].as_str().unwrap().to_owned();
        let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
        let game = begin(&mut anna, &mut ben, json!({}));
        let challenge = json!({"start": "classic", "time": "300+3", "open": true});
        let challenge = ben.post("/api/challenges", challenge).json();
        let challenge = challenge["challenge"]["id"].as_str().unwrap().to_owned();
        let token = anna.post("/api/me/tokens", json!({"label": "engine"})).json();
        let token = token["id"].as_str().unwrap().to_owned();
        let setup = json!({"name": "Far Apart", "position": "4k5/10/10/10/10/10/10/5K4 s"});
        let setup = anna.post("/api/setups", setup).json()["id"].as_str().unwrap().to_owned();
        let (seek, seeker) = seek(&server, &ben);
        let puzzle = anna.get("/api/puzzles/daily").json()["id"].as_str().unwrap().to_owned();
        ExampleServer {
            server,
            anna,
            game,
            challenge,
            token,
            setup,
            imported,
            seek,
            puzzle,
            _seeker: seeker,
        }
    }

    /// Ends the game and has it reviewed.
    fn review(&mut self) {
        let resigned = act(&mut self.anna, &self.game, json!("resign"));
        assert_eq!(resigned.status, 200, "{}", resigned.text);
        reviews::reviewed(&mut self.anna, &self.game);
    }

    /// Returns the id on this server for an id of an example.
    fn found(&self, example: &str) -> String {
        match example {
            "7Hc0aWxz" => self.game.clone(),
            "k3JvQ9sT1b" => self.challenge.clone(),
            "b5c1d20e9f3a" => self.token.clone(),
            "q4Wn8sBd" => self.setup.clone(),
            "m4Xq0ZbT81cW" => self.imported.clone(),
            "Wd5rT0xYp2" => self.seek.clone(),
            "rk4mDs" => self.puzzle.clone(),
            other => other.to_owned(),
        }
    }
}

/// Posts a seek. Returns its id and its connection.
pub(crate) fn seek(server: &TestServer, client: &Client) -> (String, ClientSocket) {
    let mut socket = server.connect(client);
    server.wait(async {
        let challenge = json!({"start": "classic", "time": "900+10"});
        let challenge = Box::new(serde_json::from_value(challenge).expect("options"));
        for message in [
            ClientMessage::Subscribe(Subscription::Lobby),
            ClientMessage::Seek { key: 1, challenge },
        ] {
            socket.send_message(&message).await.expect("sent");
        }
        loop {
            if let Ok(Some(ServerMessage::Lobby(lobby))) = socket.receive().await
                && let Some(seek) = lobby.seeks.first()
            {
                return (seek.id.to_string(), socket);
            }
        }
    })
}

fn document() -> Value {
    let server = TestServer::unlimited();
    let answer = server.stranger().get("/api/openapi.json");
    assert_eq!(answer.header("content-type"), "application/json");
    answer.json()
}

/// Returns every operation: method, path, description.
pub(crate) fn operations(document: &Value) -> Vec<(String, String, Value)> {
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            operations.push((method.to_uppercase(), path.clone(), operation.clone()));
        }
    }
    operations
}

#[test]
fn examples_match_the_document() {
    let document = document();
    let mut called = 0;
    for (method, path, operation) in operations(&document) {
        let name = format!("{method} {path}");
        let mut examples = ExampleServer::new();
        if path.ends_with("/review") {
            examples.review();
        }
        let mut address = path.clone();
        let mut query = Vec::new();
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            if parameter["in"] == "query" && !parameter["example"].is_null() {
                let example = parameter["example"].to_string();
                let example = example.trim_matches('"');
                query.push(format!("{}={example}", parameter["name"].as_str().expect("a name")));
            }
            if parameter["in"] == "path" {
                assert!(!parameter["example"].is_null(), "{name}: no example");
                let example = parameter["example"].to_string();
                let example = example.trim_matches('"');
                let place = format!("{{{}}}", parameter["name"].as_str().expect("a name"));
                address = address.replace(&place, &examples.found(example));
            }
        }
        if !query.is_empty() {
            address = format!("{address}?{}", query.join("&"));
        }
        let content = &operation["requestBody"]["content"]["application/json"];
        if operation["requestBody"].is_object() {
            assert!(!content["example"].is_null(), "{name}: no example");
        }
        let body = (!content["example"].is_null()).then(|| content["example"].to_string());
        // Operations that need another person than the one who plays and has the token.
        let mut other = examples.server.account("Dora");
        let mut stranger = examples.server.stranger();
        let client = match operation["operationId"].as_str().expect("an id") {
            "sign-up" | "sign-in" => &mut stranger,
            "accept-challenge" | "accept-seek" => &mut other,
            id @ ("reported-setups" | "keep-setup" | "setup-decisions" | "undo-setup-decision") => {
                let report = format!("/api/setups/{}/report", examples.setup);
                assert_eq!(other.post(&report, json!({"reason": "Why not"})).status, 204);
                other = examples.server.moderator("Mona");
                if id.contains("decision") {
                    let keep = format!("/api/setups/{}/keep", examples.setup);
                    assert_eq!(other.post(&keep, json!(null)).status, 204);
                }
                &mut other
            }
            "withdraw-challenge" => {
                let mut ben = examples.server.stranger();
                let ben_in = json!({"name": "Ben", "password": crate::test_server::PASSWORD});
                assert_eq!(ben.post("/api/sign-in", ben_in).status, 200);
                other = ben;
                &mut other
            }
            _ => &mut examples.anna,
        };
        let responses = operation["responses"].as_object().expect("responses");
        let good = responses.keys().find(|status| status.starts_with('2'));
        if address == "/api/live" {
            // The WebSocket has its own tests; here only its entry is checked.
            assert!(responses.contains_key("101"));
            assert_eq!(client.get(&address).status, 400);
            called += 1;
            continue;
        }
        let good = good.unwrap_or_else(|| panic!("{name}: no success"));
        let contents = &responses[good]["content"];
        if contents["application/x-ndjson"].is_object() {
            let line = client.lines(&address).next().expect("a line");
            let schema = &contents["application/x-ndjson"]["schema"];
            check(&document, schema, &line, &name);
            called += 1;
            continue;
        }
        let answer = client.send(&method, &address, body.as_deref());
        assert_eq!(answer.status.to_string(), *good, "{name}: {}", answer.text);
        let media = answer.header("content-type").split(';').next().unwrap_or_default().to_owned();
        match contents.as_object() {
            None => assert_eq!(answer.text, "", "{name}"),
            Some(contents) => {
                let content = contents.get(&media).unwrap_or_else(|| panic!("{name}: {media}"));
                if media == "application/json" {
                    check(&document, &content["schema"], &answer.json(), &name);
                }
            }
        }
        called += 1;
    }
    assert!(called >= 30, "{called}");
}

/// Checks a value against a schema.
fn check(document: &Value, schema: &Value, value: &Value, place: &str) {
    if let Err(wrong) = fits(document, schema, value) {
        panic!("{place}: {wrong}\n{value}");
    }
}

fn fits(document: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap_or_default();
        let schema = &document["components"]["schemas"][name];
        if !schema.is_object() {
            return Err(format!("{name} is not described"));
        }
        return fits(document, schema, value).map_err(|wrong| format!("{name}.{wrong}"));
    }
    for part in schema["allOf"].as_array().into_iter().flatten() {
        fits(document, part, value)?;
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let tried: Vec<String> =
            choices.iter().filter_map(|choice| fits(document, choice, value).err()).collect();
        if tried.len() == choices.len() {
            return Err(format!("no choice fits: {tried:?}"));
        }
    }
    if let Some(words) = schema["enum"].as_array()
        && !words.contains(value)
    {
        return Err(format!("{value} is none of {words:?}"));
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let is = |kind: &str| match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    };
    if !kinds.is_empty() && !kinds.iter().any(|kind| is(kind)) {
        return Err(format!("{value} is not {kinds:?}"));
    }
    if let Some(items) = value.as_array() {
        for item in items {
            fits(document, &schema["items"], item)?;
        }
    }
    for required in schema["required"].as_array().into_iter().flatten() {
        let name = required.as_str().unwrap_or_default();
        if value.get(name).is_none() {
            return Err(format!("{name} is missing"));
        }
    }
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        if let Some(value) = value.get(name) {
            fits(document, field, value).map_err(|wrong| format!("{name}: {wrong}"))?;
        }
    }
    Ok(())
}

/// Collects the paths of all handlers and the lines of all other routes from the source code.
pub(crate) fn in_the_source(
    folder: &Path,
    described: &mut BTreeSet<String>,
    others: &mut Vec<String>,
) {
    for file in std::fs::read_dir(folder).expect("a folder") {
        let path = file.expect("a file").path();
        if path.is_dir() {
            in_the_source(&path, described, others);
            continue;
        }
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let source = std::fs::read_to_string(&path).expect("a source");
        for line in source.lines() {
            if let Some((method, rest)) = line.trim().split_once(", path = \"") {
                if let Some(address) = rest.split('"').next().filter(|_| rest.starts_with("/api")) {
                    described.insert(format!("{} {address}", method.to_uppercase()));
                }
            } else if line.contains("route(\"/") {
                others.push(line.trim().to_owned());
            }
        }
    }
}

#[test]
fn every_route_is_in_the_document() {
    let mut described = BTreeSet::new();
    let mut others = Vec::new();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    in_the_source(&source, &mut described, &mut others);
    let document = document();
    let documented: BTreeSet<String> = operations(&document)
        .into_iter()
        .map(|(method, path, _)| format!("{method} {path}"))
        .collect();
    assert_eq!(described, documented, "handlers with a description have a route");
    // Without documentation are only the former path of an action, and the fallback for unknown
    // paths.
    let undocumented = [
        r#".route("/api/games/{id}/act", post(games::http::act))"#,
        r#".route("/api/{*anything}", any(not_found))"#,
    ];
    others.retain(|line| line.contains("route(\"/api"));
    assert_eq!(others, undocumented);
    for operation in &documented {
        let (method, path) = operation.split_once(' ').expect("two words");
        assert!(path.starts_with("/api"), "{operation}");
        assert!(["GET", "POST", "PUT", "DELETE"].contains(&method), "{operation}");
    }
}

#[test]
fn document_is_consistent() {
    let document = document();
    assert_eq!(document["info"]["title"], "Khet");
    let tags: HashSet<&str> = document["tags"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|tag| tag["name"].as_str())
        .collect();
    let mut ids = HashSet::new();
    for (method, path, operation) in operations(&document) {
        let id = operation["operationId"].as_str().expect("an id").to_owned();
        assert!(ids.insert(id), "{method} {path} has the id of another");
        let tag = operation["tags"][0].as_str().unwrap_or_default();
        assert!(tags.contains(tag), "{method} {path}");
        let said = operation["summary"].as_str().or(operation["description"].as_str());
        assert!(said.is_some_and(|said| !said.is_empty()), "{method} {path}");
    }
    // Every reference has a target.
    let text = document.to_string();
    for reference in text.split("\"#/components/schemas/").skip(1) {
        let name = reference.split('"').next().unwrap();
        assert!(document["components"]["schemas"][name].is_object(), "{name}");
    }
}

#[test]
fn documentation_page_is_complete_and_has_no_scripts() {
    let server = TestServer::unlimited();
    let mut anyone = server.stranger();
    let page = anyone.get("/api");
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    assert!(page.header("content-security-policy").contains("default-src 'none'"));
    for forbidden in ["<script", "<style", "style=", "onclick", "javascript:"] {
        assert!(!page.text.contains(forbidden), "{forbidden}");
    }
    for (method, path, operation) in operations(&document()) {
        assert!(page.text.contains(&format!("<code>{path}</code>")), "{method} {path}");
        let id = operation["operationId"].as_str().unwrap();
        assert!(page.text.contains(&format!("id=\"{id}\"")), "{id}");
    }
    // Every link within the page has a target.
    for link in page.text.split("href=\"#").skip(1) {
        let name = link.split('"').next().unwrap();
        assert!(page.text.contains(&format!("id=\"{name}\"")), "{name}");
    }
    assert_eq!(anyone.get("/api/style.css").header("content-type"), "text/css; charset=utf-8");
}

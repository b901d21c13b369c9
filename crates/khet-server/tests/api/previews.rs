//! Link previews: images of boards and Open Graph tags.

use serde_json::json;

use crate::test_server::{Client, TestServer, act, begin, moves};

const POSITION: &str = "4k5/10/10/10/10/10/10/5K4_s";

/// Returns the content of a tag in a page's head, unescaped.
fn tag(page: &str, name: &str) -> Option<String> {
    let (head, _) = page.split_once("</head>").expect("a head");
    let (_, after) = head.split_once(&format!("=\"{name}\" content=\""))?;
    Some(after.split('"').next().unwrap_or_default().to_owned())
}

/// Checks that a path is a preview image.
fn is_picture(client: &Client, address: &str) {
    let path = address.strip_prefix(&client.server).expect("an address of this server");
    let (status, media, keeping, content) = client.bytes(path);
    assert_eq!((status, &*media), (200, "image/png"), "{path}");
    assert!(keeping.starts_with("public, max-age="), "{keeping}");
    assert!(content.starts_with(b"\x89PNG\r\n"));
    // 1200 by 630 pixels.
    assert_eq!(content[16..24], [0, 0, 4, 176, 0, 0, 2, 118]);
}

#[test]
fn positions_have_preview_images() {
    let server = TestServer::unlimited();
    let anyone = server.stranger();
    for position in [POSITION, "osiris", "4k5/10/10/10/10/10/10/5K4%20s", "classic&rules=czech"] {
        let path = format!("/pictures/position.png?position={position}");
        is_picture(&anyone, &format!("{}{path}", anyone.server));
    }
    for bad in [
        "position.png",
        "position.png?position=",
        "position.png?position=nonsense",
        "position.png?position=10/10/10/10/10/10/10/5K4_s",
        "position.png?position=classic&rules=chess",
        "setup/aaaaaaaa.png",
        "setup/aaaaaaaa.gif",
        "setup/..%2f..%2fetc%2fpasswd",
        "",
    ] {
        assert_eq!(anyone.bytes(&format!("/pictures/{bad}")).0, 404, "{bad}");
    }
    let long = format!("/pictures/position.png?position={}", "1".repeat(5000));
    assert_eq!(anyone.bytes(&long).0, 404);
}

#[test]
fn setup_name_is_escaped_in_preview_tags() {
    let server = TestServer::unlimited();
    let mut anna = server.account("Anna");
    let name = "\"><script>1</script></head>&'";
    let words = "It's <b>bold</b>\n\"quoted\"";
    let position = POSITION.replace('_', " ");
    let made =
        anna.post("/api/setups", json!({"name": name, "description": words, "position": position}));
    let id = made.json()["id"].as_str().expect("an id").to_owned();
    for language in ["en", "cs"] {
        let answer = anna.get(&format!("/{language}/setup/{id}"));
        assert_eq!((answer.status, answer.header("cache-control")), (200, "no-cache"));
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
        let page = answer.text;
        assert!(!page.contains("<script") && !page.contains("<b>"), "{page}");
        assert_eq!(page.matches("</head>").count(), 1);
        assert!(page.ends_with("</head>\n<body></body>\n</html>\n"), "{page}");
        assert_eq!(
            tag(&page, "og:title").as_deref(),
            Some("&quot;&gt;&lt;script&gt;1&lt;/script&gt;&lt;/head&gt;&amp;&#39;")
        );
        assert_eq!(
            tag(&page, "og:description").as_deref(),
            Some("It&#39;s &lt;b&gt;bold&lt;/b&gt; &quot;quoted&quot;")
        );
        assert_eq!(tag(&page, "twitter:card").as_deref(), Some("summary_large_image"));
        let image = tag(&page, "og:image").expect("a picture");
        assert_eq!(image, format!("{}/pictures/setup/{id}.png", anna.server));
        is_picture(&anna, &image);
    }
}

#[test]
fn pages_without_a_subject_have_the_preview_of_the_home_page() {
    let server = TestServer::unlimited();
    let mut anyone = server.stranger();
    let pages = ["/", "/en", "/en/lobby", "/en/setups", "/en/setup/aaaaaaaa", "/en/game/aaaaaaaa"];
    for plain in pages.into_iter().chain(["/en/challenge/aaaaaaaaaa", "/en/person/Nobody"]) {
        let page = anyone.get(plain);
        assert_eq!(page.status, 200, "{plain}");
        let title = tag(&page.text, "og:title");
        assert_eq!(title.as_deref(), Some("Khet – the laser board game"), "{plain}");
        let url = tag(&page.text, "og:url");
        assert_eq!(url, Some(format!("{}{plain}", anyone.server)));
    }
    let image = tag(&anyone.get("/en").text, "og:image").expect("a picture");
    is_picture(&anyone, &image.replace("&amp;", "&"));
    let french = tag(&anyone.get("/fr").text, "og:description").expect("a description");
    assert!(french.contains("pharaons"), "{french}");
    assert_eq!(tag(&anyone.get("/en/nothing").text, "og:title"), None);
}

#[test]
fn challenges_and_people_have_previews() {
    let server = TestServer::unlimited();
    let (mut anna, mut guest) = (server.account("Anna"), server.stranger());
    let challenge = json!({"start": "osiris", "time": "300+3", "color": "random"});
    for (client, title) in
        [(&mut anna, "Anna: Play Khet with me"), (&mut guest, "Play Khet with me")]
    {
        let made = client.post("/api/challenges", challenge.clone());
        let id = made.json()["challenge"]["id"].as_str().expect("an id").to_owned();
        let page = client.get(&format!("/en/challenge/{id}")).text;
        assert_eq!(tag(&page, "og:title").as_deref(), Some(title));
        let image = tag(&page, "og:image").expect("a picture").replace("&amp;", "&");
        is_picture(client, &image);
        let osiris = tag(&client.get("/en/editor?position=osiris").text, "og:image");
        assert_eq!(Some(image.replace('&', "&amp;")), osiris, "the start position is shown");
    }
    let page = guest.get("/en/person/anna").text;
    assert_eq!(tag(&page, "og:title").as_deref(), Some("Anna"));
    is_picture(&guest, &tag(&page, "og:image").expect("a picture").replace("&amp;", "&"));
    for (path, title) in [
        ("/de/setup/khet2-classic", "Classic 2.0"),
        ("/de/setup/ramesses", "Ramses"),
        ("/fr/setup/orontes", "Oronte"),
    ] {
        let page = guest.get(path).text;
        assert_eq!(tag(&page, "og:title").as_deref(), Some(title), "{path}");
    }
}

#[test]
fn links_without_a_language_have_previews_in_the_language_of_the_reader() {
    let server = TestServer::unlimited();
    let mut anna = server.account("Anna");
    let made = anna.post("/api/challenges", json!({"start": "osiris", "time": "300+3"}));
    let id = made.json()["challenge"]["id"].as_str().expect("an id").to_owned();
    let path = format!("/challenge/{id}");
    for (languages, title) in [
        ("", "Anna: Play Khet with me"),
        ("fr-CA,fr;q=0.9,en;q=0.8", "Anna: Jouez au Khet avec moi"),
        ("pt-BR, FR;q=0.5", "Anna: Jouez au Khet avec moi"),
        ("pt", "Anna: Play Khet with me"),
    ] {
        anna.languages = languages.to_owned();
        let page = anna.get(&path);
        assert_eq!((page.status, page.header("vary")), (200, "accept-encoding, accept-language"));
        assert_eq!(tag(&page.text, "og:title").as_deref(), Some(title), "{languages}");
        assert_eq!(tag(&page.text, "og:url"), Some(format!("{}{path}", anna.server)));
        let english = tag(&anna.get(&format!("/en{path}")).text, "og:title");
        assert_eq!(english.as_deref(), Some("Anna: Play Khet with me"), "{languages}");
    }
    for path in ["/person/Anna", "/setup/osiris", "/rules", "/analysis?position=osiris"] {
        assert_eq!(anna.get(path).status, 200, "{path}");
    }
}

#[test]
fn positions_and_games_have_previews() {
    let server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    for (page, title) in [("en/editor", "Design a setup"), ("de/analysis", "Analyse")] {
        let answer = anna.get(&format!("/{page}?position={POSITION}"));
        assert_eq!(tag(&answer.text, "og:title").as_deref(), Some(title));
        let image = tag(&answer.text, "og:image").expect("a picture").replace("&amp;", "&");
        assert!(image.contains(POSITION), "{image}");
        is_picture(&anna, &image);
        for without in ["", "?position=nonsense", "?position=%22%3E%3Cscript%3E", "?position=%ff"] {
            let answer = anna.get(&format!("/{page}{without}"));
            assert_eq!(answer.status, 200, "{without}");
            let plain = tag(&answer.text, "og:image").expect("the picture of Classic");
            assert!(!plain.contains(POSITION) && !plain.contains("script"), "{plain}");
            assert_eq!(tag(&answer.text, "og:title").as_deref(), Some(title), "{without}");
        }
    }
    let game = begin(&mut anna, &mut ben, json!({}));
    let path = format!("/fr/game/{game}");
    let title = |client: &mut Client| tag(&client.get(&path).text, "og:title");
    assert_eq!(title(&mut anna).as_deref(), Some("Anna – Ben"));
    let before = tag(&anna.get(&path).text, "og:image");
    moves([&mut anna, &mut ben], &game, &["h2+", "c7+"]);
    assert_ne!(tag(&anna.get(&path).text, "og:image"), before);
    assert_eq!(act(&mut ben, &game, json!("resign")).status, 200);
    assert_eq!(title(&mut anna).as_deref(), Some("Anna – Ben 1-0"));
    // The analysis of a game has the preview of the game.
    let analysis = anna.get(&format!("/fr/analysis?game={game}")).text;
    assert_eq!(tag(&analysis, "og:title").as_deref(), Some("Anna – Ben 1-0"));
}

#[test]
fn puzzles_have_previews() {
    let server = TestServer::unlimited();
    let mut anyone = server.stranger();
    let daily = anyone.get("/api/puzzles/daily").json();
    let (id, position) = (daily["id"].as_str().unwrap(), daily["position"].as_str().unwrap());
    let is_silver = position.ends_with(" s");
    for (path, title, silver, red) in [
        (format!("/puzzles/{id}"), format!("Khet puzzle {id}"), "Silver to move.", "Red to move."),
        (format!("/de/puzzles/{id}"), format!("Khet-Aufgabe {id}"), "Silber ist", "Rot ist"),
        ("/puzzles".to_owned(), "Khet puzzle".to_owned(), "Silver to move.", "Red to move."),
    ] {
        let page = anyone.get(&path).text;
        assert_eq!(tag(&page, "og:title"), Some(title), "{path}");
        let description = tag(&page, "og:description").expect("a description");
        assert!(description.starts_with(if is_silver { silver } else { red }), "{description}");
        let image = tag(&page, "og:image").expect("a picture").replace("&amp;", "&");
        assert!(image.contains(&position.replace(' ', "_")), "{image}");
        is_picture(&anyone, &image);
    }
    for other in ["/puzzles/storm", "/puzzles/222222"] {
        let page = anyone.get(other);
        assert_eq!(page.status, 200, "{other}");
        let title = tag(&page.text, "og:title");
        assert_eq!(title.as_deref(), Some("Khet – the laser board game"), "{other}");
    }
}

#[test]
fn pages_with_different_previews_have_different_etags() {
    let server = TestServer::unlimited();
    let mut anyone = server.stranger();
    let mut mark = |position: &str| {
        let page = anyone.get(&format!("/en/editor?position={position}"));
        page.header("etag").to_owned()
    };
    assert_eq!(mark("osiris"), mark("osiris"));
    assert_ne!(mark("osiris"), mark("classic"));
    assert_ne!(mark("osiris"), mark("nonsense"));
}

#[test]
fn preview_uses_the_configured_origin() {
    let server =
        TestServer::configured(|config| config.origin = Some("https://khet.example".to_owned()));
    let page = server.stranger().get(&format!("/en/editor?position={POSITION}"));
    let image = tag(&page.text, "og:image").expect("a picture");
    assert!(image.starts_with("https://khet.example/pictures/position.png?"), "{image}");
}

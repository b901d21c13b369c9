//! What links to the app's pages look like in messages: tags in the page's head, for programs that do not run the app.

use axum::extract::Query;
use axum::http::header::HOST;
use axum::http::{HeaderMap, Uri};
use khet::Position;
use khet_protocol::{GameId, GameState, PersonKind, PublicProfile, SetupId};

use crate::addresses;
use crate::app::App;
use crate::connections::Peer;
use crate::markup::escape;
use crate::pictures::{self, Asked};
use crate::texts::text;

/// The app's texts that are used here.
#[cfg(test)]
pub(crate) const TEXTS: [&str; 5] = [SENTENCE, EDITOR, ANALYSIS, GUEST, GONE];

const SENTENCE: &str = "home_sentence";
const EDITOR: &str = "editor_title";
const ANALYSIS: &str = "analysis_title";
const GUEST: &str = "online_guest";
const GONE: &str = "online_gone";

/// What is told about a page.
struct Preview {
    title: String,
    description: String,
    /// The address of the picture on this server.
    image: String,
}

/// The page with tags that tell what it is about, if it is about a setup, a position or a game.
pub(crate) async fn page(
    app: &App,
    uri: &Uri,
    headers: &HeaderMap,
    peer: Option<Peer>,
    page: &[u8],
) -> Option<Vec<u8>> {
    let page = std::str::from_utf8(page).ok()?;
    let (head, rest) = page.split_once("</head>")?;
    let origin = origin(app, headers)?;
    let tags = tags(&preview(app, uri, peer).await?, &origin);
    Some(format!("{head}{tags}</head>{rest}").into_bytes())
}

async fn preview(app: &App, uri: &Uri, peer: Option<Peer>) -> Option<Preview> {
    let (language, page, about) = addresses::parts(uri.path())?;
    match (page, about) {
        ("setup", Some(id)) => of_setup(app, language, id.parse().ok()?, peer).await,
        ("game", Some(id)) => of_game(app, language, id.parse().ok()?, peer).await,
        ("editor" | "analysis", None) => {
            let Query(asked) = Query::<Asked>::try_from_uri(uri).ok()?;
            let title = if page == "editor" { EDITOR } else { ANALYSIS };
            Some(of_position(language, text(language, title), &asked.position()?))
        }
        _ => None,
    }
}

/// Who asks for too much gets the page alone, which costs nothing.
fn may_look(app: &App, peer: Option<Peer>) -> Option<()> {
    peer.map_or(Ok(()), |Peer(address)| app.requests.take(address, app.time.now())).ok()
}

async fn of_setup(app: &App, language: &str, id: SetupId, peer: Option<Peer>) -> Option<Preview> {
    may_look(app, peer)?;
    let card = app.store.setup(id, None).await.ok()??;
    let words = card.description.as_str().split_whitespace().collect::<Vec<_>>().join(" ");
    let description = if words.is_empty() { text(language, SENTENCE) } else { words };
    let image = pictures::setup_address(card.id);
    Some(Preview { title: card.name.to_string(), description, image })
}

async fn of_game(app: &App, language: &str, id: GameId, peer: Option<Peer>) -> Option<Preview> {
    may_look(app, peer)?;
    let look = app.games.look(app, id).await.ok()?;
    let state = GameState::fold(&look.events).ok()?;
    let players = [&look.players.silver, &look.players.red];
    let [silver, red] = players.map(|player| name(language, player));
    let score = state.outcome().map_or(String::new(), |outcome| format!(" {}", outcome.result()));
    Some(of_position(language, format!("{silver} – {red}{score}"), state.game().position()))
}

fn of_position(language: &str, title: String, position: &Position) -> Preview {
    Preview { title, description: text(language, SENTENCE), image: pictures::address(position) }
}

fn name(language: &str, player: &PublicProfile) -> String {
    match (&player.name, player.kind) {
        (Some(name), _) => name.to_string(),
        (None, PersonKind::Gone) => text(language, GONE),
        (None, _) => text(language, GUEST),
    }
}

/// The address that people see: as the server was told, or as the request says.
fn origin(app: &App, headers: &HeaderMap) -> Option<String> {
    if let Some(origin) = &app.config.origin {
        return Some(origin.clone());
    }
    let host = headers.get(HOST)?.to_str().ok()?;
    let is_host = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte);
    let secure = app.config.behind_proxy
        && headers.get("x-forwarded-proto").is_some_and(|scheme| scheme == "https");
    let scheme = if secure { "https" } else { "http" };
    (host.len() <= 255 && host.bytes().all(is_host)).then(|| format!("{scheme}://{host}"))
}

fn tags(preview: &Preview, origin: &str) -> String {
    let Preview { title, description, image } = preview;
    let image = format!("{origin}{image}");
    let tags = [
        ("property", "og:type", "website"),
        ("property", "og:site_name", "Khet"),
        ("property", "og:title", title),
        ("property", "og:description", description),
        ("property", "og:image", &image),
        ("property", "og:image:type", "image/png"),
        ("property", "og:image:width", "1200"),
        ("property", "og:image:height", "630"),
        ("name", "twitter:card", "summary_large_image"),
    ];
    let tag = |(kind, name, content): (&str, &str, &str)| {
        format!("<meta {kind}=\"{name}\" content=\"{}\">\n", escape(content))
    };
    tags.map(tag).concat()
}

#[cfg(test)]
mod tests {
    use super::{Preview, tags};

    #[test]
    fn nothing_gets_out_of_its_tag() {
        let hostile = "\"><script>alert('1')</script>&quot;<!--</head>";
        let preview = Preview {
            title: hostile.to_owned(),
            description: hostile.to_owned(),
            image: "/pictures/setup/q4Wn8sBd.png".to_owned(),
        };
        let tags = tags(&preview, "https://khet.example");
        assert_eq!(tags.matches('<').count(), 9);
        assert_eq!(tags.matches('>').count(), 9);
        assert_eq!(tags.matches('"').count(), 4 * 9);
        assert!(!tags.contains('\''));
        let title = "content=\"&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;quot;&lt;!--&lt;/head&gt;\"";
        assert!(tags.contains(title), "{tags}");
        assert!(tags.contains("content=\"https://khet.example/pictures/setup/q4Wn8sBd.png\""));
    }
}

//! Link previews: Open Graph tags in the head of a page, for programs that do not run the app.

use axum::extract::Query;
use axum::http::header::HOST;
use axum::http::{HeaderMap, Uri};
use khet::Position;
use khet_protocol::{GameId, GameState, PersonKind, PublicProfile, SetupId};

use crate::addresses;
use crate::connections::Peer;
use crate::markup::escape;
use crate::pictures::{self, PositionQuery};
use crate::server_state::ServerState;
use crate::texts::text;

/// The keys of the app's texts that are used here.
#[cfg(test)]
pub(crate) const TEXTS: [&str; 5] =
    [SENTENCE_KEY, EDITOR_KEY, ANALYSIS_KEY, GUEST_KEY, DELETED_ACCOUNT_KEY];

const SENTENCE_KEY: &str = "home_intro";
const EDITOR_KEY: &str = "editor_title";
const ANALYSIS_KEY: &str = "analysis_title";
const GUEST_KEY: &str = "online_guest";
const DELETED_ACCOUNT_KEY: &str = "online_deleted_account";

/// The content of a link preview.
struct Preview {
    title: String,
    description: String,
    /// The path of the image on this server.
    image: String,
}

/// Returns the page with preview tags, if it shows a setup, a position or a game.
pub(crate) async fn page(
    server: &ServerState,
    uri: &Uri,
    headers: &HeaderMap,
    peer: Option<Peer>,
    page: &[u8],
) -> Option<Vec<u8>> {
    let page = std::str::from_utf8(page).ok()?;
    let (head, rest) = page.split_once("</head>")?;
    let origin = origin(server, headers)?;
    let tags = tags(&preview(server, uri, peer).await?, &origin);
    Some(format!("{head}{tags}</head>{rest}").into_bytes())
}

/// Returns the preview of a page, if it has one.
async fn preview(server: &ServerState, uri: &Uri, peer: Option<Peer>) -> Option<Preview> {
    let (language, page, subject) = addresses::parts(uri.path())?;
    match (page, subject) {
        ("setup", Some(id)) => setup_preview(server, language, id.parse().ok()?, peer).await,
        ("game", Some(id)) => game_preview(server, language, id.parse().ok()?, peer).await,
        ("editor" | "analysis", None) => {
            let Query(query) = Query::<PositionQuery>::try_from_uri(uri).ok()?;
            let title = if page == "editor" { EDITOR_KEY } else { ANALYSIS_KEY };
            Some(position_preview(language, text(language, title), &query.position()?))
        }
        _ => None,
    }
}

/// Addresses that exceed the rate limit get the page without a preview, which costs nothing.
fn check_rate_limit(server: &ServerState, peer: Option<Peer>) -> Option<()> {
    peer.map_or(Ok(()), |Peer(address)| {
        server.rate_limits.requests_by_address.take(address, server.time.now())
    })
    .ok()
}

async fn setup_preview(
    server: &ServerState,
    language: &str,
    id: SetupId,
    peer: Option<Peer>,
) -> Option<Preview> {
    check_rate_limit(server, peer)?;
    let card = server.store.setup(id, None).await.ok()??;
    let words = card.description.as_str().split_whitespace().collect::<Vec<_>>().join(" ");
    let description = if words.is_empty() { text(language, SENTENCE_KEY) } else { words };
    let image = pictures::setup_address(card.id);
    Some(Preview { title: card.name.to_string(), description, image })
}

async fn game_preview(
    server: &ServerState,
    language: &str,
    id: GameId,
    peer: Option<Peer>,
) -> Option<Preview> {
    check_rate_limit(server, peer)?;
    let snapshot = server.games.snapshot(server, id).await.ok()?;
    let state = GameState::fold(&snapshot.events).ok()?;
    let players = [&snapshot.players.silver, &snapshot.players.red];
    let [silver, red] = players.map(|player| name(language, player));
    let score = state.outcome().map_or(String::new(), |outcome| format!(" {}", outcome.result()));
    Some(position_preview(language, format!("{silver} – {red}{score}"), state.game().position()))
}

fn position_preview(language: &str, title: String, position: &Position) -> Preview {
    Preview { title, description: text(language, SENTENCE_KEY), image: pictures::address(position) }
}

fn name(language: &str, player: &PublicProfile) -> String {
    match (&player.name, player.kind) {
        (Some(name), _) => name.to_string(),
        (None, PersonKind::Deleted) => text(language, DELETED_ACCOUNT_KEY),
        (None, _) => text(language, GUEST_KEY),
    }
}

/// Returns the public origin: the configured one, or that of the request.
fn origin(server: &ServerState, headers: &HeaderMap) -> Option<String> {
    if let Some(origin) = &server.config.origin {
        return Some(origin.clone());
    }
    let host = headers.get(HOST)?.to_str().ok()?;
    let is_host = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte);
    let secure = server.config.behind_proxy
        && headers.get("x-forwarded-proto").is_some_and(|scheme| scheme == "https");
    let scheme = if secure { "https" } else { "http" };
    (host.len() <= 255 && host.bytes().all(is_host)).then(|| format!("{scheme}://{host}"))
}

/// Returns the HTML tags of a preview.
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
    fn preview_tags_are_escaped() {
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
        let title = "content=\"&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;\
            &amp;quot;&lt;!--&lt;/head&gt;\"";
        assert!(tags.contains(title), "{tags}");
        assert!(tags.contains("content=\"https://khet.example/pictures/setup/q4Wn8sBd.png\""));
    }
}

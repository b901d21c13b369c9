//! Link previews: Open Graph tags in the head of a page, for programs that do not run the app.

use axum::extract::Query;
use axum::http::header::{ACCEPT_LANGUAGE, HOST};
use axum::http::{HeaderMap, Uri};
use khet::{AnyPosition, AnySetup, Color, Setup, tower};
use khet_protocol::{
    ChallengeId, GameId, GameState, PersonKind, PersonName, PublicProfile, SetupId, Speed,
};
use serde::Deserialize;

use crate::addresses::{self, PathParts};
use crate::connections::Peer;
use crate::markup::escape;
use crate::people;
use crate::pictures::{self, PositionQuery};
use crate::puzzles::{NamedPuzzle, PublishedPuzzles};
use crate::server_state::ServerState;
use crate::texts::{self, text};

/// Returns the keys of the app's texts that are used here.
#[cfg(test)]
pub(crate) fn text_keys() -> Vec<String> {
    let keys = [
        SENTENCE_KEY,
        SUBTITLE_KEY,
        EDITOR_KEY,
        ANALYSIS_KEY,
        GUEST_KEY,
        DELETED_ACCOUNT_KEY,
        CHALLENGE_KEY,
        CHALLENGE_ABOUT_KEY,
        PUZZLE_KEY,
        PUZZLE_SILVER_KEY,
        PUZZLE_RED_KEY,
    ];
    let setups = AnySetup::all().map(|setup| setup_name_key(setup).to_owned());
    let speeds = Speed::ALL.map(speed_key);
    keys.map(str::to_owned).into_iter().chain(setups).chain(speeds).collect()
}

const SENTENCE_KEY: &str = "home_intro";
const SUBTITLE_KEY: &str = "shell_subtitle";
const EDITOR_KEY: &str = "editor_title";
const ANALYSIS_KEY: &str = "analysis_title";
const GUEST_KEY: &str = "online_guest";
const DELETED_ACCOUNT_KEY: &str = "online_deleted_account";
const CHALLENGE_KEY: &str = "challenge_share";
const CHALLENGE_ABOUT_KEY: &str = "preview_challenge_about";
const PUZZLE_KEY: &str = "preview_puzzle";
const PUZZLE_SILVER_KEY: &str = "preview_puzzle_silver";
const PUZZLE_RED_KEY: &str = "preview_puzzle_red";

/// The content of a link preview.
struct Preview {
    title: String,
    description: String,
    /// The path of the image on this server.
    image: String,
}

/// Returns the page with preview tags, if it is a page of the app.
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
    let tags = tags(&preview(server, uri, headers, peer).await?, &origin, uri.path());
    Some(format!("{head}{tags}</head>{rest}").into_bytes())
}

/// Returns the preview of a page. Pages that show nothing in particular have that of the home page.
async fn preview(
    server: &ServerState,
    uri: &Uri,
    headers: &HeaderMap,
    peer: Option<Peer>,
) -> Option<Preview> {
    let PathParts { language, page, subject } = addresses::parts(uri.path())?;
    let language = language.unwrap_or_else(|| accepted_language(headers));
    let preview = match (page, subject) {
        ("setup", Some(id)) => setup_preview(server, language, id, peer).await,
        ("game", Some(id)) => game_preview(server, language, id.parse().ok()?, peer).await,
        ("challenge", Some(id)) => {
            challenge_preview(server, language, id.parse().ok()?, peer).await
        }
        ("person", Some(name)) => person_preview(server, language, name.parse().ok()?, peer).await,
        ("analysis", None) => match game_in_query(uri) {
            Some(id) => game_preview(server, language, id, peer).await,
            None => Some(board_preview(language, ANALYSIS_KEY, uri)),
        },
        ("puzzles", None) => {
            let daily = PublishedPuzzles::get().daily(server.time.now());
            Some(puzzle_preview(language, text(language, PUZZLE_KEY), daily))
        }
        ("puzzles", Some(id)) => id.parse().ok().and_then(|id| {
            let puzzle = PublishedPuzzles::get().find(id)?;
            let title = format!("{} {id}", text(language, PUZZLE_KEY));
            Some(puzzle_preview(language, title, puzzle))
        }),
        ("editor", None) => Some(board_preview(language, EDITOR_KEY, uri)),
        _ => None,
    };
    Some(preview.unwrap_or_else(|| home_preview(language)))
}

/// Returns the first of the reader's languages that the app has, for addresses without a language.
/// The list is in the order of preference in practice, so that its weights are not needed.
pub(crate) fn accepted_language(headers: &HeaderMap) -> &'static str {
    let accepted = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    let mut codes = accepted.unwrap_or_default().split(',').map(|language| {
        let code = language.split(['-', ';']).next().unwrap_or_default();
        code.trim().to_ascii_lowercase()
    });
    codes.find_map(|code| texts::language(&code)).unwrap_or_else(texts::default_language)
}

/// Returns the game that the analysis page opens.
fn game_in_query(uri: &Uri) -> Option<GameId> {
    #[derive(Deserialize)]
    struct GameParameter {
        game: GameId,
    }
    Query::<GameParameter>::try_from_uri(uri).ok().map(|Query(parameter)| parameter.game)
}

/// Returns the preview of a page with a board: the position in the address, or Classic.
fn board_preview(language: &str, title_key: &str, uri: &Uri) -> Preview {
    let query = Query::<PositionQuery>::try_from_uri(uri).ok();
    let position = query.and_then(|Query(query)| query.position());
    let position = position.unwrap_or_else(|| Setup::Classic.position().into());
    position_preview(language, text(language, title_key), &position)
}

/// Returns the preview of the home page.
fn home_preview(language: &str) -> Preview {
    let title = format!("Khet – {}", text(language, SUBTITLE_KEY));
    position_preview(language, title, &Setup::Classic.position().into())
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
    id: &str,
    peer: Option<Peer>,
) -> Option<Preview> {
    if let Ok(setup) = id.parse::<AnySetup>() {
        let title = text(language, setup_name_key(setup));
        return Some(position_preview(language, title, &setup.position()));
    }
    let id: SetupId = id.parse().ok()?;
    check_rate_limit(server, peer)?;
    let card = server.store.setup(id, None).await.ok()??;
    let words = card.description.as_str().split_whitespace().collect::<Vec<_>>().join(" ");
    let description = if words.is_empty() { text(language, SENTENCE_KEY) } else { words };
    let image = pictures::setup_address(card.id);
    Some(Preview { title: card.name.to_string(), description, image })
}

/// Returns the key of a setup's name.
const fn setup_name_key(setup: AnySetup) -> &'static str {
    let setup = match setup {
        AnySetup::Standard(setup) => setup,
        AnySetup::Tower(tower::Setup::Orontes) => return "setup_orontes",
        AnySetup::Tower(tower::Setup::Ramesses) => return "setup_ramesses",
        AnySetup::Tower(tower::Setup::Nefertari) => return "setup_nefertari",
    };
    match setup {
        Setup::Classic => "setup_classic",
        Setup::Imhotep => "setup_imhotep",
        Setup::Dynasty => "setup_dynasty",
        Setup::Khet2Classic => "setup_classic_2",
        Setup::Khet2Imhotep => "setup_imhotep_2",
        Setup::Khet2Dynasty => "setup_dynasty_2",
        Setup::Khet2ImhotepEye => "setup_imhotep_eye",
        Setup::Khet2DynastyEye => "setup_dynasty_eye",
        Setup::Osiris => "setup_osiris",
        Setup::Isis => "setup_isis",
    }
}

/// Returns the preview of an invitation, with the name of the challenger and the start position.
async fn challenge_preview(
    server: &ServerState,
    language: &str,
    id: ChallengeId,
    peer: Option<Peer>,
) -> Option<Preview> {
    check_rate_limit(server, peer)?;
    let stored = server.store.challenge(id).await.ok()??;
    let by = people::load_public_profile(&server.store, stored.person, None).await.ok()?;
    let position = stored.challenge.options.position().ok()?;
    let invitation = text(language, CHALLENGE_KEY);
    let title = match by.name {
        Some(name) => format!("{name}: {invitation}"),
        None => invitation,
    };
    let description = text(language, CHALLENGE_ABOUT_KEY);
    Some(Preview { title, description, image: pictures::address(&position) })
}

/// Returns the preview of a puzzle, with its start position.
fn puzzle_preview(
    language: &str,
    title: String,
    NamedPuzzle { puzzle, .. }: &NamedPuzzle,
) -> Preview {
    let task = match puzzle.line.solver() {
        Color::Silver => PUZZLE_SILVER_KEY,
        Color::Red => PUZZLE_RED_KEY,
    };
    let image = pictures::address(&(*puzzle.line.start()).into());
    Preview { title, description: text(language, task), image }
}

/// Returns the key of a speed's name.
fn speed_key(speed: Speed) -> String {
    format!("online_speed_{}", speed.name())
}

/// Returns the preview of a player's page, with the ratings.
async fn person_preview(
    server: &ServerState,
    language: &str,
    name: PersonName,
    peer: Option<Peer>,
) -> Option<Preview> {
    check_rate_limit(server, peer)?;
    let id = server.store.person_named(&name).await.ok()??;
    let profile = people::load_public_profile(&server.store, id, None).await.ok()?;
    let title = profile.name.as_ref().unwrap_or(&name).to_string();
    let ratings = server.store.ratings(id).await.ok()?;
    let ratings = ratings.iter().map(|rating| {
        let speed = text(language, &speed_key(rating.speed));
        format!("{speed} {}", rating.rating.value)
    });
    let ratings = ratings.collect::<Vec<_>>().join(" · ");
    let image = pictures::address(&Setup::Classic.position().into());
    let description = if ratings.is_empty() { text(language, SENTENCE_KEY) } else { ratings };
    Some(Preview { title, description, image })
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
    let title = format!("{silver} – {red}{score}");
    Some(position_preview(language, title, &state.game().position()))
}

fn position_preview(language: &str, title: String, position: &AnyPosition) -> Preview {
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
fn tags(preview: &Preview, origin: &str, path: &str) -> String {
    let Preview { title, description, image } = preview;
    let image = format!("{origin}{image}");
    let url = format!("{origin}{path}");
    let tags = [
        ("property", "og:type", "website"),
        ("property", "og:site_name", "Khet"),
        ("property", "og:title", title),
        ("property", "og:description", description),
        ("property", "og:url", &url),
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
        let tags = tags(&preview, "https://khet.example", "/en/setup/q4Wn8sBd");
        assert_eq!(tags.matches('<').count(), 10);
        assert_eq!(tags.matches('>').count(), 10);
        assert_eq!(tags.matches('"').count(), 4 * 10);
        assert!(!tags.contains('\''));
        let title = "content=\"&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;\
            &amp;quot;&lt;!--&lt;/head&gt;\"";
        assert!(tags.contains(title), "{tags}");
        assert!(tags.contains("content=\"https://khet.example/pictures/setup/q4Wn8sBd.png\""));
    }
}

//! The public HTTP API: every route, with the document that describes it. Neither can be without the other: both are made from
//! the same list.

mod page;

use std::sync::OnceLock;

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::any;
use axum::{Json, Router, middleware};
use khet_protocol::{ApiError, ClientMessage, ErrorCode, ResultFilter, ServerMessage, SetupSort};
use utoipa::openapi::OpenApi;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::people::{accounts, data, guests, profiles, stream, tokens};
use crate::refusal::Refusal;
use crate::{archive, challenges, explorer, gallery, games, imported, reviews, sockets, watch};

/// What is said before everything else.
#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Khet",
        description = "Play Khet, watch games and take them home. Answers are JSON, games are records in notation (.kgn).\n\n\
            Browsers are known by a cookie. Programs send `Authorization: Bearer TOKEN`; `POST /api/me/tokens` makes an account a \
            program's. Requests that change something are refused if they come from another site.\n\n\
            Whatever is refused is answered with a code and a sentence. If trying again later can help, `retry_after` and the header \
            `Retry-After` say in how many seconds.\n\n\
            A game is a list of numbered events. Moments are milliseconds since 1970. Moves are written in notation (`h2+`), clocks as \
            `none`, `300+3` (seconds and increment) or `3d` (days for each move).",
    ),
    tags(
        (name = "challenges", description = "Finding someone to play"),
        (name = "games", description = "Games that are played and that were played"),
        (name = "setups", description = "Starting positions that people have designed"),
        (name = "people", description = "Accounts, profiles, ratings"),
        (name = "bots", description = "Programs that play: `khet bot` is one"),
        (name = "live", description = "The WebSocket of the app"),
        (name = "about", description = "This document"),
    ),
    security((), ("cookie" = []), ("token" = [])),
    components(schemas(ApiError, ClientMessage, ServerMessage, ResultFilter, SetupSort)),
)]
struct Document;

/// All routes, and what describes them.
fn described() -> (Router<App>, OpenApi) {
    let (router, mut document) =
        OpenApiRouter::with_openapi(<Document as utoipa::OpenApi>::openapi())
            .routes(routes!(challenges::list, challenges::make))
            .routes(routes!(challenges::look, challenges::withdraw))
            .routes(routes!(challenges::accept))
            .routes(routes!(archive::search))
            .routes(routes!(games::http::look))
            .routes(routes!(archive::one))
            .routes(routes!(archive::export))
            .routes(routes!(reviews::look, reviews::ask))
            .routes(routes!(explorer::explore))
            .routes(routes!(imported::one))
            .routes(routes!(watch::list))
            .routes(routes!(watch::mine))
            .routes(routes!(games::http::listen))
            .routes(routes!(games::http::act))
            .routes(routes!(gallery::list, gallery::publish))
            .routes(routes!(gallery::reports))
            .routes(routes!(gallery::look, gallery::delete))
            .routes(routes!(gallery::like, gallery::unlike))
            .routes(routes!(gallery::report))
            .routes(routes!(gallery::keep))
            .routes(routes!(guests::enter))
            .routes(routes!(accounts::sign_up))
            .routes(routes!(accounts::sign_in))
            .routes(routes!(accounts::sign_out))
            .routes(routes!(accounts::sign_out_everywhere))
            .routes(routes!(accounts::look, accounts::delete))
            .routes(routes!(accounts::change_password))
            .routes(routes!(data::download))
            .routes(routes!(tokens::list, tokens::make))
            .routes(routes!(tokens::revoke))
            .routes(routes!(stream::listen))
            .routes(routes!(profiles::profile))
            .routes(routes!(profiles::ratings))
            .routes(routes!(profiles::leaderboard))
            .routes(routes!(sockets::open))
            .routes(routes!(openapi))
            .routes(routes!(readable))
            .routes(routes!(style))
            .split_for_parts();
    let components = document.components.get_or_insert_default();
    for (name, scheme) in [
        ("cookie", SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::new("khet")))),
        ("token", SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build())),
    ] {
        components.add_security_scheme(name, scheme);
    }
    (router, document)
}

/// All routes. What is not among them is refused in the same way as everything else.
pub(crate) fn routes() -> Router<App> {
    let (router, _) = described();
    router
        .method_not_allowed_fallback(wrong_method)
        .route("/api/{*anything}", any(nothing))
        .layer(middleware::map_response(do_not_keep))
}

async fn wrong_method() -> (StatusCode, Json<ApiError>) {
    let error = ApiError::new(ErrorCode::Malformed, "this can't be done here; see /api");
    (StatusCode::METHOD_NOT_ALLOWED, Json(error))
}

async fn nothing() -> Refusal {
    Refusal::new(ErrorCode::NotFound, "there is nothing here; see /api")
}

/// Answers are true for a moment.
async fn do_not_keep(mut response: Response) -> Response {
    let headers: &mut HeaderMap = response.headers_mut();
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// The document's text, made once.
fn document() -> &'static str {
    static DOCUMENT: OnceLock<String> = OnceLock::new();
    DOCUMENT.get_or_init(|| described().1.to_pretty_json().unwrap_or_default())
}

/// This API, for programs: an OpenAPI document.
#[utoipa::path(
    get, path = "/api/openapi.json", operation_id = "openapi", tag = "about",
    responses((status = 200, description = "The document", body = serde_json::Value, content_type = "application/json")),
)]
async fn openapi() -> Response {
    ([(CONTENT_TYPE, "application/json")], document()).into_response()
}

/// This API, for people.
#[utoipa::path(
    get, path = "/api", operation_id = "readable", tag = "about",
    responses((status = 200, description = "A page", body = String, content_type = "text/html")),
)]
async fn readable() -> Html<&'static str> {
    static PAGE: OnceLock<String> = OnceLock::new();
    Html(PAGE.get_or_init(|| page::html(document())))
}

/// How that page looks.
#[utoipa::path(
    get, path = "/api/style.css", operation_id = "style", tag = "about",
    responses((status = 200, description = "A style sheet", body = String, content_type = "text/css")),
)]
async fn style() -> Response {
    ([(CONTENT_TYPE, "text/css; charset=utf-8")], include_str!("api/style.css")).into_response()
}

//! The public HTTP API. Routes and the OpenAPI document come from one list, so that every route is
//! documented.

mod page;

use std::sync::OnceLock;

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{any, post};
use axum::{Json, Router, middleware};
use khet_protocol::{ApiError, ClientMessage, ErrorCode, ResultFilter, ServerMessage, SetupSort};
use utoipa::openapi::OpenApi;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::error_response::ErrorResponse;
use crate::people::{accounts, data, guests, inbox, profiles, stream, tokens};
use crate::server_state::ServerState;
use crate::{
    archive, challenges, explorer, gallery, games, puzzles, reviews, seeks, sockets, watch,
};

/// The general part of the document.
#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Khet",
        description = "Play Khet, watch games and export them. Responses are JSON; games are \
            records in notation (.kgn).\n\n\
            Browsers are identified by a cookie. Bots send `Authorization: Bearer TOKEN`; \
            `POST /api/me/tokens` turns an account into a bot. Requests from other sites that \
            change something are rejected.\n\n\
            Errors have a code and a message. If a later attempt can succeed, `retry_after` and \
            the header `Retry-After` give the number of seconds.\n\n\
            A game is a list of numbered events. Times are milliseconds since 1970. Moves are \
            written in notation (`h2+`), time controls as `none`, `300+3` (seconds and \
            increment) or `3d` (days per move).",
    ),
    tags(
        (name = "challenges", description = "Challenges and the lobby"),
        (name = "games", description = "Live, finished and imported games"),
        (name = "setups", description = "Published setups"),
        (name = "puzzles", description = "Puzzles, attempts and votes"),
        (name = "people", description = "Accounts, profiles, ratings"),
        (name = "bots", description = "Bots; `khet bot` is one"),
        (name = "live", description = "The WebSocket of the app"),
        (name = "about", description = "This document"),
    ),
    security((), ("cookie" = []), ("token" = [])),
    components(schemas(ApiError, ClientMessage, ServerMessage, ResultFilter, SetupSort)),
)]
struct Document;

/// Builds the routes and the document.
fn build() -> (Router<ServerState>, OpenApi) {
    let (router, mut document) =
        OpenApiRouter::with_openapi(<Document as utoipa::OpenApi>::openapi())
            .routes(routes!(challenges::list, challenges::create))
            .routes(routes!(challenges::show, challenges::withdraw))
            .routes(routes!(challenges::accept))
            .routes(routes!(seeks::accept))
            .routes(routes!(archive::search))
            .routes(routes!(games::http::show))
            .routes(routes!(archive::record))
            .routes(routes!(archive::export))
            .routes(routes!(reviews::show, reviews::request))
            .routes(routes!(explorer::explore))
            .routes(routes!(archive::imported))
            .routes(routes!(watch::list))
            .routes(routes!(watch::mine))
            .routes(routes!(inbox::show))
            .routes(routes!(games::http::stream))
            .routes(routes!(games::http::act))
            .routes(routes!(gallery::list, gallery::publish))
            .routes(routes!(gallery::reports))
            .routes(routes!(gallery::decisions))
            .routes(routes!(gallery::undo_decision))
            .routes(routes!(gallery::show, gallery::delete))
            .routes(routes!(gallery::like, gallery::unlike))
            .routes(routes!(gallery::report))
            .routes(routes!(gallery::dismiss_reports))
            .routes(routes!(puzzles::daily))
            .routes(routes!(puzzles::next))
            .routes(routes!(puzzles::download))
            .routes(routes!(puzzles::show))
            .routes(routes!(puzzles::attempt))
            .routes(routes!(puzzles::vote, puzzles::remove_vote))
            .routes(routes!(puzzles::dashboard, puzzles::merge))
            .routes(routes!(guests::create))
            .routes(routes!(accounts::sign_up))
            .routes(routes!(accounts::sign_in))
            .routes(routes!(accounts::sign_out))
            .routes(routes!(accounts::sign_out_everywhere))
            .routes(routes!(accounts::show, accounts::delete))
            .routes(routes!(accounts::change_password))
            .routes(routes!(data::download))
            .routes(routes!(tokens::list, tokens::create_token))
            .routes(routes!(tokens::revoke))
            .routes(routes!(stream::stream))
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

/// Returns all routes. Unknown paths and methods get an error in the usual form.
pub(crate) fn routes() -> Router<ServerState> {
    let (router, _) = build();
    router
        // The former path of `/action`, which older bots use.
        .route("/api/games/{id}/act", post(games::http::act))
        .method_not_allowed_fallback(method_not_allowed)
        .route("/api/{*anything}", any(not_found))
        .layer(middleware::map_response(disable_caching))
}

async fn method_not_allowed() -> (StatusCode, Json<ApiError>) {
    let error =
        ApiError::new(ErrorCode::Malformed, "this path does not support the method; see /api");
    (StatusCode::METHOD_NOT_ALLOWED, Json(error))
}

async fn not_found() -> ErrorResponse {
    ErrorResponse::new(ErrorCode::NotFound, "unknown path; see /api")
}

/// Sets `Cache-Control: no-store`.
async fn disable_caching(mut response: Response) -> Response {
    let headers: &mut HeaderMap = response.headers_mut();
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Returns the document's text, which is built once.
fn document() -> &'static str {
    static DOCUMENT: OnceLock<String> = OnceLock::new();
    DOCUMENT.get_or_init(|| build().1.to_pretty_json().unwrap_or_default())
}

/// The OpenAPI document of this API.
#[utoipa::path(
    get, path = "/api/openapi.json", operation_id = "openapi", tag = "about",
    responses((
        status = 200, description = "The document",
        body = serde_json::Value, content_type = "application/json",
    )),
)]
async fn openapi() -> Response {
    ([(CONTENT_TYPE, "application/json")], document()).into_response()
}

/// The documentation of this API as a page.
#[utoipa::path(
    get, path = "/api", operation_id = "readable", tag = "about",
    responses((status = 200, description = "A page", body = String, content_type = "text/html")),
)]
async fn readable() -> Html<&'static str> {
    static PAGE: OnceLock<String> = OnceLock::new();
    Html(PAGE.get_or_init(|| page::html(document())))
}

/// The style sheet of that page.
#[utoipa::path(
    get, path = "/api/style.css", operation_id = "style", tag = "about",
    responses((
        status = 200, description = "A style sheet",
        body = String, content_type = "text/css",
    )),
)]
async fn style() -> Response {
    ([(CONTENT_TYPE, "text/css; charset=utf-8")], include_str!("api/style.css")).into_response()
}

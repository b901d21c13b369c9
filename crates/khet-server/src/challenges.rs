//! The HTTP API of challenges: create, show, accept, withdraw, decline.

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection};
use axum::extract::{Extension, Path, State};
use axum::http::StatusCode;
use khet_protocol::{
    ApiError, Challenge, ChallengeId, ChallengeResponse, ColorPreference, ErrorCode, GameId,
    GameOptions, GameStart, LobbyResponse, NewChallenge, PersonId, PersonKind, Speed,
};

use crate::cluster;
use crate::connections::Peer;
use crate::error_response::{ErrorResponse, storage_error};
use crate::games;
use crate::notices::Notice;
use crate::people::{self, OptionalPerson, PersonOrNewGuest, RequiredPerson};
use crate::random;
use crate::server_state::ServerState;
use crate::storage::{StorageError, StoredChallenge};

/// The open challenges, the people who wait for an opponent, the bots that accept challenges, and
/// the numbers of games in progress and of connected people. A real-time challenge is listed while
/// its author is connected.
#[utoipa::path(
    get, path = "/api/challenges", operation_id = "lobby", tag = "challenges",
    responses((status = 200, description = "The lobby", body = LobbyResponse)),
)]
pub(crate) async fn list(State(server): State<ServerState>) -> Json<LobbyResponse> {
    Json(server.lobby.list(&server))
}

/// Create a challenge: for everybody with its link, for everybody in the lobby (`open`), or for one
/// person (`to`). A request without a session creates a guest. If a seek in the lobby matches, the
/// game starts at once.
#[utoipa::path(
    post, path = "/api/challenges", operation_id = "make-challenge", tag = "challenges",
    request_body(
        content = NewChallenge,
        example = json!({"start": "classic", "time": "300+3", "color": "random", "open": true}),
    ),
    responses(
        (status = 201, description = "The challenge", body = ChallengeResponse),
        (status = 422, description = "These options are not possible", body = ApiError),
        (status = 429, description = "Too many challenges", body = ApiError),
        (status = "default", description = "Another error", body = ApiError),
    ),
)]
pub(crate) async fn create(
    State(server): State<ServerState>,
    PersonOrNewGuest(person): PersonOrNewGuest,
    body: Result<Json<NewChallenge>, JsonRejection>,
) -> Result<(StatusCode, Json<ChallengeResponse>), ErrorResponse> {
    let Json(challenge) = body?;
    let stored = add(&server, person, challenge).await?;
    let challenge = to_challenge(&server, &stored).await?;
    let game = stored.game;
    let response = ChallengeResponse { challenge, own: true, game, declined: false };
    Ok((StatusCode::CREATED, Json(response)))
}

/// Creates a challenge for a person who is allowed to. If it matches a seek, it is accepted
/// already.
pub(crate) async fn add(
    server: &ServerState,
    person: PersonId,
    challenge: NewChallenge,
) -> Result<StoredChallenge, ApiError> {
    check(server, person, &challenge).await?;
    if challenge.open && challenge.options.private {
        let message = "a private game can't be offered in the lobby";
        return Err(ApiError::new(ErrorCode::Invalid, message));
    }
    let to = match &challenge.to {
        None => None,
        Some(name) => {
            let known =
                server.store.person_named(name).await.map_err(|error| storage_error(&error))?;
            Some(known.ok_or_else(|| {
                ApiError::new(ErrorCode::NotFound, format!("no account has the name {name}"))
            })?)
        }
    };
    if to == Some(person) {
        return Err(ApiError::new(ErrorCode::Invalid, "you can't challenge yourself"));
    }
    let mut stored = StoredChallenge {
        id: ChallengeId::from_number(random::number()),
        person,
        challenge,
        created: server.time.now(),
        game: None,
        declined: false,
    };
    let (server, new) = (server.clone(), stored.clone());
    // A separate task, so that a stored challenge gets into the lobby even if the client
    // disconnects.
    let adding = tokio::spawn(async move {
        let limit = server.config.limits.waiting_challenges;
        if !server.store.add_challenge(new.clone(), limit).await? {
            return Ok(Err(ApiError::new(ErrorCode::TooMany, "you have too many open challenges")));
        }
        let challenge = to_challenge(&server, &new).await?;
        cluster::announce_challenge(&server, &challenge);
        server.lobby.add(challenge);
        if let Some(to) = to {
            server.notify(to, Notice::Challenged { challenge: new.id });
        }
        if !new.challenge.open {
            return Ok(Ok(None));
        }
        if !server.pairs_seeks() {
            return Ok(Ok(None));
        }
        let game = server.lobby.pair_challenges_of(&server, person).await;
        // The game may have started from an older challenge.
        let accepted = server.store.challenge(new.id).await?.and_then(|stored| stored.game);
        Ok(Ok(game.and(accepted)))
    });
    stored.game = match adding.await {
        Ok(added) => added.map_err(|error: StorageError| storage_error(&error))??,
        Err(error) => return Err(ApiError::new(ErrorCode::Internal, error.to_string())),
    };
    Ok(stored)
}

/// Checks that a person may play with these options now.
pub(crate) async fn check(
    server: &ServerState,
    person: PersonId,
    challenge: &NewChallenge,
) -> Result<(), ApiError> {
    server.rate_limits.new_challenges.take(person, server.time.now())?;
    challenge
        .options
        .position()
        .map_err(|problem| ApiError::new(ErrorCode::Invalid, problem.to_string()))?;
    let limit = games::games_limit(server, person).await.map_err(|error| storage_error(&error))?;
    let count = server.games.count_of(server, person).await;
    if count.map_err(|error| storage_error(&error))? >= limit {
        return Err(games::too_many_games());
    }
    check_rated(server, person, challenge.options.rated).await
}

/// Returns an error if a guest wants a rated game.
pub(crate) async fn check_rated(
    server: &ServerState,
    person: PersonId,
    rated: bool,
) -> Result<(), ApiError> {
    if rated {
        let profile = people::load_public_profile(&server.store, person, None)
            .await
            .map_err(|error| storage_error(&error))?;
        if !matches!(profile.kind, PersonKind::Account | PersonKind::Bot) {
            return Err(ApiError::new(ErrorCode::Forbidden, "rated games need an account"));
        }
    }
    Ok(())
}

/// Returns a challenge as clients see it.
pub(crate) async fn to_challenge(
    server: &ServerState,
    stored: &StoredChallenge,
) -> Result<Challenge, StorageError> {
    let NewChallenge { options, color, open, to } = stored.challenge.clone();
    let by =
        people::load_public_profile(&server.store, stored.person, Speed::of(options.time)).await?;
    Ok(Challenge { id: stored.id, by, options, color, open, to, at: stored.created })
}

/// Loads a challenge, or returns the error "not found".
async fn find(server: &ServerState, id: ChallengeId) -> Result<StoredChallenge, ErrorResponse> {
    let stored = server.store.challenge(id).await?;
    stored.ok_or_else(|| ErrorResponse::new(ErrorCode::NotFound, "there is no such challenge"))
}

/// A challenge, or the game that it became.
#[utoipa::path(
    get, path = "/api/challenges/{id}", operation_id = "challenge", tag = "challenges",
    params(("id" = ChallengeId, Path, description = "The challenge", example = "k3JvQ9sT1b")),
    responses(
        (status = 200, description = "The challenge", body = ChallengeResponse),
        (status = 404, description = "There is no such challenge", body = ApiError),
    ),
)]
pub(crate) async fn show(
    State(server): State<ServerState>,
    OptionalPerson(visitor): OptionalPerson,
    id: Result<Path<ChallengeId>, PathRejection>,
) -> Result<Json<ChallengeResponse>, ErrorResponse> {
    let Path(id) = id?;
    let stored = find(&server, id).await?;
    let challenge = to_challenge(&server, &stored).await?;
    Ok(Json(ChallengeResponse {
        challenge,
        own: visitor == Some(stored.person),
        game: stored.game,
        declined: stored.declined,
    }))
}

/// Accept a challenge; returns the game. A request without a session creates a guest.
#[utoipa::path(
    post, path = "/api/challenges/{id}/accept",
    operation_id = "accept-challenge", tag = "challenges",
    params(("id" = ChallengeId, Path, description = "The challenge", example = "k3JvQ9sT1b")),
    responses(
        (status = 200, description = "The challenge and the game", body = ChallengeResponse),
        (
            status = 403, description = "The challenge is your own, or for another person",
            body = ApiError,
        ),
        (status = 404, description = "There is no such challenge", body = ApiError),
        (
            status = 409, description = "Another person has accepted it, or it was declined",
            body = ApiError,
        ),
        (status = 429, description = "Too many games", body = ApiError),
    ),
)]
pub(crate) async fn accept(
    State(server): State<ServerState>,
    id: Result<Path<ChallengeId>, PathRejection>,
    peer: Option<Extension<Peer>>,
    PersonOrNewGuest(person): PersonOrNewGuest,
) -> Result<Json<ChallengeResponse>, ErrorResponse> {
    let Path(id) = id?;
    let stored = find(&server, id).await?;
    let challenge = to_challenge(&server, &stored).await?;
    if stored.person == person {
        return Err(ErrorResponse::new(ErrorCode::Forbidden, "this is your own challenge"));
    }
    if let Some(game) = stored.game {
        // The challenge is accepted already. Accepting it twice is no error for the same person.
        let snapshot = server.games.snapshot(&server, game).await?;
        let plays = [snapshot.players.silver.id, snapshot.players.red.id].contains(&person);
        if !plays {
            return Err(ErrorResponse::new(
                ErrorCode::Taken,
                "another person has accepted this challenge",
            ));
        }
        return Ok(Json(accepted(challenge, game)));
    }
    if stored.declined {
        return Err(ErrorResponse::new(ErrorCode::Taken, "the challenge was declined"));
    }
    check_rated(&server, person, stored.challenge.options.rated).await?;
    if let Some(to) = &stored.challenge.to {
        let name = people::load_public_profile(&server.store, person, None).await?.name;
        if name.is_none_or(|name| name.key() != to.key()) {
            return Err(ErrorResponse::new(
                ErrorCode::Forbidden,
                format!("this challenge is for {to}"),
            ));
        }
    }
    let address = peer.map(|Extension(Peer(address))| address);
    server.rate_limits.take_new_game(person, address, server.time.now())?;
    let NewChallenge { options, color, .. } = &stored.challenge;
    let started = game_start(options, *color, stored.person, person);
    let starting = server.lobby.start_game_of(&server, [stored.person, person]);
    let game = server.games.create(&server, started, Some(id), starting).await?;
    Ok(Json(accepted(challenge, game)))
}

/// Returns the response to the person who has accepted a challenge.
fn accepted(challenge: Challenge, game: GameId) -> ChallengeResponse {
    ChallengeResponse { challenge, own: false, game: Some(game), declined: false }
}

/// Returns the start of a game of two people; `color` is the preference of the first one.
pub(crate) fn game_start(
    options: &GameOptions,
    color: ColorPreference,
    by: PersonId,
    other: PersonId,
) -> GameStart {
    let options = options.clone();
    match color.color(random::coin()) {
        khet::Color::Silver => GameStart { silver: by, red: other, options },
        khet::Color::Red => GameStart { silver: other, red: by, options },
    }
}

/// Withdraw my challenge, or decline one to me. A declined challenge stays in the inbox of the
/// challenger, who removes it with the same request.
#[utoipa::path(
    delete, path = "/api/challenges/{id}", operation_id = "withdraw-challenge", tag = "challenges",
    params(("id" = ChallengeId, Path, description = "The challenge", example = "k3JvQ9sT1b")),
    responses(
        (status = 204, description = "The challenge was withdrawn or declined"),
        (status = 401, description = "Not signed in", body = ApiError),
        (status = 403, description = "Not yours", body = ApiError),
        (status = 404, description = "There is no such challenge", body = ApiError),
        (status = 409, description = "The challenge was accepted", body = ApiError),
    ),
)]
pub(crate) async fn withdraw(
    State(server): State<ServerState>,
    RequiredPerson(person): RequiredPerson,
    id: Result<Path<ChallengeId>, PathRejection>,
) -> Result<StatusCode, ErrorResponse> {
    let Path(id) = id?;
    let stored = find(&server, id).await?;
    let own = person == stored.person;
    let to = match &stored.challenge.to {
        Some(name) => server.store.person_named(name).await?,
        None => None,
    };
    if !own && to != Some(person) {
        return Err(ErrorResponse::new(ErrorCode::Forbidden, "this is not your challenge"));
    }
    server.lobby.remove(id);
    cluster::announce_removed_challenge(&server, id);
    let closed = match own {
        true => server.store.delete_challenge(id).await?,
        false => server.store.decline_challenge(id).await?,
    };
    if !closed {
        return Err(ErrorResponse::new(ErrorCode::Taken, "the challenge was accepted"));
    }
    if !own {
        server.notify(stored.person, Notice::ChallengeDeclined { challenge: id });
    } else if let Some(to) = to {
        server.notify(to, Notice::ChallengeWithdrawn);
    }
    Ok(StatusCode::NO_CONTENT)
}

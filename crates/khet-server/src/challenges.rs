//! Challenges over HTTP: made, looked at, accepted, withdrawn.

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use khet_protocol::{
    ApiError, Challenge, ChallengeId, ChallengeResponse, ErrorCode, GameStart, LobbyResponse,
    NewChallenge, PersonId, PersonKind, Speed,
};

use crate::app::App;
use crate::notices::Notice;
use crate::people::{self, Person, Visitor};
use crate::random;
use crate::refusal::{Refusal, from_storage};
use crate::storage::{StorageError, StoredChallenge};

/// The open challenges, and how many play and are connected. One with a clock in real time is shown while
/// its maker is connected.
#[utoipa::path(
    get, path = "/api/challenges", operation_id = "lobby", tag = "challenges",
    responses((status = 200, description = "The lobby", body = LobbyResponse)),
)]
pub(crate) async fn list(State(app): State<App>) -> Json<LobbyResponse> {
    Json(app.lobby.answer(&app))
}

/// Make a challenge: for whoever has its link, for everybody in the lobby (`open`), or for one person (`to`). Who is nobody yet
/// becomes a guest.
#[utoipa::path(
    post, path = "/api/challenges", operation_id = "make-challenge", tag = "challenges",
    request_body(content = NewChallenge, example = json!({"start": "classic", "time": "300+3", "color": "random", "open": true})),
    responses(
        (status = 201, description = "The challenge", body = ChallengeResponse),
        (status = 422, description = "Such a game can't be played", body = ApiError),
        (status = 429, description = "Too many challenges", body = ApiError),
        (status = "default", description = "Why not", body = ApiError),
    ),
)]
pub(crate) async fn make(
    State(app): State<App>,
    Person(person): Person,
    body: Result<Json<NewChallenge>, JsonRejection>,
) -> Result<(StatusCode, Json<ChallengeResponse>), Refusal> {
    let Json(challenge) = body?;
    let stored = add(&app, person, challenge).await?;
    let challenge = shown(&app, &stored).await?;
    Ok((StatusCode::CREATED, Json(ChallengeResponse { challenge, own: true, game: None })))
}

/// Makes a challenge, for a person who may.
pub(crate) async fn add(
    app: &App,
    person: PersonId,
    challenge: NewChallenge,
) -> Result<StoredChallenge, ApiError> {
    check(app, person, &challenge).await?;
    let to = match &challenge.to {
        None => None,
        Some(name) => {
            let known = app.store.person_named(name).await.map_err(|error| from_storage(&error))?;
            Some(known.ok_or_else(|| {
                ApiError::new(ErrorCode::NotFound, format!("nobody is called {name}"))
            })?)
        }
    };
    if to == Some(person) {
        return Err(ApiError::new(ErrorCode::Invalid, "nobody plays against themselves"));
    }
    if app.lobby.count_of(person) >= app.config.limits.waiting_challenges {
        return Err(ApiError::new(ErrorCode::TooMany, "too many of your challenges wait already"));
    }
    let stored = StoredChallenge {
        id: ChallengeId::from_number(random::number()),
        person,
        challenge,
        created: app.time.now(),
        game: None,
    };
    let (app, kept) = (app.clone(), stored.clone());
    // What is on disk stands in the lobby, even if whoever asked for it no longer waits.
    let adding = tokio::spawn(async move {
        app.store.add_challenge(kept.clone()).await?;
        app.lobby.add(shown(&app, &kept).await?);
        if let Some(to) = to {
            app.notices.tell(to, Notice::Challenged { challenge: kept.id });
        }
        Ok(())
    });
    match adding.await {
        Ok(added) => added.map_err(|error: StorageError| from_storage(&error))?,
        Err(error) => return Err(ApiError::new(ErrorCode::Internal, error.to_string())),
    }
    Ok(stored)
}

/// Whether a person may play like that, now.
pub(crate) async fn check(
    app: &App,
    person: PersonId,
    challenge: &NewChallenge,
) -> Result<(), ApiError> {
    app.new_challenges.take(person, app.time.now())?;
    challenge
        .options
        .position()
        .map_err(|problem| ApiError::new(ErrorCode::Invalid, problem.to_string()))?;
    check_rated(app, person, challenge.options.rated).await
}

async fn check_rated(app: &App, person: PersonId, rated: bool) -> Result<(), ApiError> {
    if rated {
        let face =
            people::face(&app.store, person, None).await.map_err(|error| from_storage(&error))?;
        if !matches!(face.kind, PersonKind::Account | PersonKind::Bot) {
            return Err(ApiError::new(
                ErrorCode::Forbidden,
                "rated games are played with an account",
            ));
        }
    }
    Ok(())
}

/// A challenge as it is shown.
pub(crate) async fn shown(app: &App, stored: &StoredChallenge) -> Result<Challenge, StorageError> {
    let NewChallenge { options, color, open, to } = stored.challenge.clone();
    let by = people::face(&app.store, stored.person, Speed::of(options.time)).await?;
    Ok(Challenge { id: stored.id, by, options, color, open, to, at: stored.created })
}

async fn find(app: &App, id: ChallengeId) -> Result<StoredChallenge, Refusal> {
    let stored = app.store.challenge(id).await?;
    stored.ok_or_else(|| Refusal::new(ErrorCode::NotFound, "there is no such challenge"))
}

/// A challenge, or the game that came of it.
#[utoipa::path(
    get, path = "/api/challenges/{id}", operation_id = "challenge", tag = "challenges",
    params(("id" = ChallengeId, Path, description = "The challenge", example = "k3JvQ9sT1b")),
    responses(
        (status = 200, description = "The challenge", body = ChallengeResponse),
        (status = 404, description = "There is no such challenge", body = ApiError),
    ),
)]
pub(crate) async fn look(
    State(app): State<App>,
    Visitor(visitor): Visitor,
    id: Result<Path<ChallengeId>, PathRejection>,
) -> Result<Json<ChallengeResponse>, Refusal> {
    let Path(id) = id?;
    let stored = find(&app, id).await?;
    let challenge = shown(&app, &stored).await?;
    Ok(Json(ChallengeResponse {
        challenge,
        own: visitor == Some(stored.person),
        game: stored.game,
    }))
}

/// Accept a challenge: the answer has the game. Who is nobody yet becomes a guest.
#[utoipa::path(
    post, path = "/api/challenges/{id}/accept", operation_id = "accept-challenge", tag = "challenges",
    params(("id" = ChallengeId, Path, description = "The challenge", example = "k3JvQ9sT1b")),
    responses(
        (status = 200, description = "The challenge and the game", body = ChallengeResponse),
        (status = 403, description = "It is your own, or for someone else", body = ApiError),
        (status = 404, description = "There is no such challenge", body = ApiError),
        (status = 409, description = "Someone was quicker", body = ApiError),
    ),
)]
pub(crate) async fn accept(
    State(app): State<App>,
    id: Result<Path<ChallengeId>, PathRejection>,
    Person(person): Person,
) -> Result<Json<ChallengeResponse>, Refusal> {
    let Path(id) = id?;
    let stored = find(&app, id).await?;
    let challenge = shown(&app, &stored).await?;
    if stored.person == person {
        return Err(Refusal::new(ErrorCode::Forbidden, "this is your own challenge"));
    }
    if let Some(game) = stored.game {
        // Accepted already: by the same person it counts once.
        let look = app.games.look(&app, game).await?;
        let plays = [look.players.silver.id, look.players.red.id].contains(&person);
        if !plays {
            return Err(Refusal::new(ErrorCode::Taken, "someone else was quicker"));
        }
        return Ok(Json(ChallengeResponse { challenge, own: false, game: Some(game) }));
    }
    check_rated(&app, person, stored.challenge.options.rated).await?;
    if let Some(to) = &stored.challenge.to {
        let name = people::face(&app.store, person, None).await?.name;
        if name.is_none_or(|name| name.key() != to.key()) {
            return Err(Refusal::new(ErrorCode::Forbidden, format!("this challenge is for {to}")));
        }
    }
    let started = seats(&stored.challenge, stored.person, person);
    let game = app.games.create(&app, started, Some(id)).await?;
    Ok(Json(ChallengeResponse { challenge, own: false, game: Some(game) }))
}

/// Who sits where when a challenge is accepted.
pub(crate) fn seats(challenge: &NewChallenge, by: PersonId, other: PersonId) -> GameStart {
    let options = challenge.options.clone();
    match challenge.color.color(random::coin()) {
        khet::Color::Silver => GameStart { silver: by, red: other, options },
        khet::Color::Red => GameStart { silver: other, red: by, options },
    }
}

/// Withdraw a challenge of mine, or decline one that is for me.
#[utoipa::path(
    delete, path = "/api/challenges/{id}", operation_id = "withdraw-challenge", tag = "challenges",
    params(("id" = ChallengeId, Path, description = "The challenge", example = "k3JvQ9sT1b")),
    responses(
        (status = 204, description = "It is gone"),
        (status = 403, description = "It is not yours", body = ApiError),
        (status = 404, description = "There is no such challenge", body = ApiError),
        (status = 409, description = "It was accepted", body = ApiError),
    ),
)]
pub(crate) async fn withdraw(
    State(app): State<App>,
    Visitor(visitor): Visitor,
    id: Result<Path<ChallengeId>, PathRejection>,
) -> Result<StatusCode, Refusal> {
    let Path(id) = id?;
    let stored = find(&app, id).await?;
    let own = visitor == Some(stored.person);
    let addressed = match (&stored.challenge.to, visitor) {
        (Some(to), Some(visitor)) => app.store.person_named(to).await? == Some(visitor),
        _ => false,
    };
    if !own && !addressed {
        return Err(Refusal::new(ErrorCode::Forbidden, "this is not your challenge"));
    }
    app.lobby.remove(id);
    if app.store.withdraw_challenge(id).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Refusal::new(ErrorCode::Taken, "the challenge was accepted"))
    }
}

//! The subject of a connection: a game, the lobby or a challenge.

use std::sync::Arc;
use std::time::{Duration, Instant};

use khet_protocol::{
    Action, ApiError, ChallengeId, ChallengeResponse, ErrorCode, GameId, LobbyCounts, NewChallenge,
    ServerMessage, Subscription,
};
use tokio::sync::{mpsc, watch};

use super::connection::{CloseReason, Connection};
use crate::challenges;
use crate::error_response::storage_error;
use crate::games::{Outbox, Subscriber, to_json};
use crate::notices::Notice;

/// Number of messages that may wait for a slow client.
const OUTBOX_CAPACITY: usize = 64;
/// Shortest interval between two lists of the lobby.
const LIST_INTERVAL: Duration = Duration::from_millis(500);
/// Shortest interval between two messages with the numbers of people and games.
const COUNTS_INTERVAL: Duration = Duration::from_secs(1);

/// The subject whose messages a connection receives.
pub(super) enum ActiveSubscription {
    None,
    /// A game, whose messages come through the inbox.
    Game(GameId),
    /// The lobby.
    Lobby(LobbySubscription),
    /// One challenge.
    Challenge(ChallengeId),
}

/// The changes of the lobby that the client has not seen.
pub(super) struct LobbySubscription {
    /// Changes of the list.
    changes: watch::Receiver<u64>,
    /// When the list was last sent.
    sent: Instant,
    /// Changes of the numbers of people and games.
    count_changes: watch::Receiver<u64>,
    /// The numbers that were last sent, and when.
    counts: Option<LobbyCounts>,
    counts_sent: Instant,
}

/// The part of the lobby that has changed.
pub(super) enum LobbyUpdate {
    /// The list, and perhaps the numbers of people and games.
    List,
    /// The numbers of people and games.
    Counts,
}

impl Connection<'_> {
    /// Ends the subscription.
    pub(super) fn unsubscribe(&mut self) {
        self.inbox = None;
        if let (Some(_), Some(person)) = (self.notices.take(), self.person) {
            self.server.lobby.presence_changed(self.server, person);
        }
        match std::mem::replace(&mut self.subscription, ActiveSubscription::None) {
            ActiveSubscription::None | ActiveSubscription::Challenge(_) => {}
            ActiveSubscription::Lobby(_) => self.server.lobby.unseek(self.id),
            ActiveSubscription::Game(game) => {
                let (server, id) = (self.server.clone(), self.id);
                // The game may be busy, so this does not wait.
                tokio::spawn(async move { server.games.leave(&server, game, id).await });
            }
        }
    }

    /// Changes the subscription.
    pub(super) async fn subscribe(
        &mut self,
        subject: Subscription,
    ) -> Result<Result<(), ApiError>, CloseReason> {
        let now = self.server.time.now();
        let limit = &self.server.rate_limits.subscriptions;
        if let Err(error) = limit.take(self.person, self.address, now) {
            return Ok(Err(error));
        }
        // A new id per subscription, so that a late message of the last one is not mixed up.
        self.id = self.server.games.next_subscriber_id();
        match subject {
            Subscription::Game { id, seen } => {
                let (outbox, inbox) = mpsc::channel(OUTBOX_CAPACITY);
                let round_trip = Arc::clone(&self.round_trip);
                let (game, id) = (id, self.id);
                let outbox = Outbox::Local(outbox);
                let subscriber = Subscriber { id, person: None, color: None, outbox, round_trip };
                let games = &self.server.games;
                let joined = games.join(self.server, game, self.person, seen, subscriber);
                if let Err(error) = Box::pin(joined).await {
                    return Ok(Err(error));
                }
                self.subscription = ActiveSubscription::Game(game);
                self.inbox = Some(inbox);
                let notices = &self.server.notices;
                self.notices = self.person.map(|person| notices.subscribe_busy(person));
                self.send_ping().await?;
            }
            Subscription::Lobby => {
                self.subscription = ActiveSubscription::Lobby(LobbySubscription {
                    changes: self.server.lobby.changes(),
                    sent: Instant::now(),
                    count_changes: self.server.lobby.count_changes(),
                    counts: None,
                    counts_sent: Instant::now(),
                });
                self.listen_for_notices();
                self.send_lobby().await?;
            }
            Subscription::Challenge { id } => return self.subscribe_to_challenge(id).await,
        }
        Ok(Ok(()))
    }

    /// Subscribes to the person's notices. Others see the person as connected.
    fn listen_for_notices(&mut self) {
        if let Some(person) = self.person {
            self.notices = Some(self.server.notices.subscribe(person));
            self.server.lobby.presence_changed(self.server, person);
        }
    }

    /// Subscribes to a challenge and sends it, with its game if there is one.
    async fn subscribe_to_challenge(
        &mut self,
        id: ChallengeId,
    ) -> Result<Result<(), ApiError>, CloseReason> {
        // Subscribes before reading, so that no notice is missed.
        self.listen_for_notices();
        let lookup = async {
            let stored = self.server.store.challenge(id).await?;
            match stored {
                None => Ok(None),
                Some(stored) => {
                    Ok(Some((challenges::to_challenge(self.server, &stored).await?, stored)))
                }
            }
        };
        let (challenge, stored) = match lookup.await {
            Ok(Some(lookup)) => lookup,
            Ok(None) => {
                return Ok(Err(ApiError::new(ErrorCode::NotFound, "there is no such challenge")));
            }
            Err(error) => return Ok(Err(storage_error(&error))),
        };
        let own = self.person == Some(stored.person);
        let game = stored.game;
        let answer = ChallengeResponse { challenge, own, game, declined: stored.declined };
        self.subscription = ActiveSubscription::Challenge(id);
        self.send_text(to_json(&ServerMessage::Challenge(Box::new(answer)))).await?;
        if let Some(game) = game.filter(|_| own) {
            self.send_text(to_json(&ServerMessage::Paired { game })).await?;
        }
        Ok(Ok(()))
    }

    /// Sends the lobby.
    pub(super) async fn send_lobby(&mut self) -> Result<(), CloseReason> {
        let ActiveSubscription::Lobby(lobby) = &mut self.subscription else { return Ok(()) };
        lobby.changes.mark_unchanged();
        lobby.count_changes.mark_unchanged();
        let response = self.server.lobby.list(self.server);
        lobby.sent = Instant::now();
        lobby.counts_sent = lobby.sent;
        lobby.counts = Some(response.counts);
        self.send_text(to_json(&ServerMessage::Lobby(response))).await
    }

    /// Sends the numbers of people and games, unless the client has them.
    pub(super) async fn send_lobby_counts(&mut self) -> Result<(), CloseReason> {
        let ActiveSubscription::Lobby(lobby) = &mut self.subscription else { return Ok(()) };
        lobby.count_changes.mark_unchanged();
        let counts = self.server.lobby.counts(self.server);
        if lobby.counts.replace(counts) == Some(counts) {
            return Ok(());
        }
        lobby.counts_sent = Instant::now();
        self.send_text(to_json(&ServerMessage::LobbyCounts(counts))).await
    }

    /// Sends the game that a notice is about, if the subscription concerns it, and announces
    /// changes of the inbox.
    pub(super) async fn handle_notice(&mut self, notice: Notice) -> Result<(), CloseReason> {
        let is_start = matches!(notice, Notice::GameStarted { .. });
        // Other subscriptions get the game itself.
        if !is_start || matches!(self.subscription, ActiveSubscription::Game(_)) {
            self.send_text(to_json(&ServerMessage::InboxChanged)).await?;
        }
        match (notice, &self.subscription) {
            (Notice::GameStarted { game, .. }, ActiveSubscription::Lobby(_)) => {
                self.send_text(to_json(&ServerMessage::Paired { game })).await
            }
            (Notice::ChallengeDeclined { challenge }, ActiveSubscription::Lobby(_)) => {
                self.send_text(to_json(&ServerMessage::ChallengeDeclined { challenge })).await
            }
            (Notice::ChallengeDeclined { challenge }, ActiveSubscription::Challenge(own))
                if challenge == *own =>
            {
                self.send_text(to_json(&ServerMessage::ChallengeDeclined { challenge })).await
            }
            (
                Notice::GameStarted { game, challenge: Some(challenge) },
                ActiveSubscription::Challenge(own),
            ) if challenge == *own => {
                self.send_text(to_json(&ServerMessage::Paired { game })).await
            }
            _ => Ok(()),
        }
    }

    /// Passes an action on to the subscribed game, which replies through the inbox.
    pub(super) async fn act(&mut self, key: u32, action: Action) -> Result<(), ApiError> {
        let ActiveSubscription::Game(game) = self.subscription else {
            return Err(ApiError::new(ErrorCode::NotNow, "subscribe to a game first"));
        };
        let Some(person) = self.person else {
            return Err(ApiError::new(ErrorCode::SignedOut, "only players can do this"));
        };
        let now = self.server.time.now();
        self.server.rate_limits.take_action(person, self.address, &action, now)?;
        self.server
            .games
            .act_as_subscriber(self.server, self.id, (game, person), (key, action))
            .await
    }

    /// Looks for an opponent in the lobby.
    pub(super) async fn seek(&mut self, challenge: NewChallenge) -> Result<(), ApiError> {
        if !matches!(self.subscription, ActiveSubscription::Lobby(_)) {
            return Err(ApiError::new(ErrorCode::NotNow, "subscribe to the lobby first"));
        }
        let Some(person) = self.person else {
            return Err(ApiError::new(ErrorCode::SignedOut, "become a guest or sign in first"));
        };
        // If this starts a game, both players learn it from a notice.
        self.server.lobby.seek(self.server, self.id, person, challenge).await.map(drop)
    }
}

/// Waits until the lobby has changed and the interval since the last message has passed.
pub(super) async fn lobby_changed(lobby: Option<&mut LobbySubscription>) -> LobbyUpdate {
    let Some(lobby) = lobby else { return std::future::pending().await };
    tokio::select! {
        () = changed(&mut lobby.changes, lobby.sent + LIST_INTERVAL) => LobbyUpdate::List,
        () = changed(&mut lobby.count_changes, lobby.counts_sent + COUNTS_INTERVAL) => {
            LobbyUpdate::Counts
        }
    }
}

/// Waits for a change, and at least until `due`.
async fn changed(changes: &mut watch::Receiver<u64>, due: Instant) {
    if changes.changed().await.is_err() {
        return std::future::pending().await;
    }
    // `changed` marks the change as seen; if the sleep is cancelled, it must count again.
    changes.mark_changed();
    tokio::time::sleep_until(due.into()).await;
}

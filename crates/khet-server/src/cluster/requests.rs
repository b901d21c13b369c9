//! Requests of other nodes, and what they announce.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use futures_util::StreamExt;
use khet_protocol::{ApiError, ErrorCode};
use tokio::task::JoinHandle;

use super::messages::{
    ANNOUNCEMENTS, Announcement, AnnouncementContent, FrameBatch, NodeRequest, NodeResponse,
    NodeResult, frame_subject, request_subject,
};
use super::{Bus, Cluster};
use crate::games::{Outbox, Subscriber};
use crate::reviews;
use crate::server_state::ServerState;

/// Subscribes to everything that other nodes send to this one, and starts the tasks that handle it.
pub(super) async fn listen(
    server: &ServerState,
    cluster: &Cluster,
    bus: &Bus,
) -> Result<Vec<JoinHandle<()>>, async_nats::SubscribeError> {
    let mut announcements = bus.subscribe(ANNOUNCEMENTS).await?;
    let mut requests = bus.subscribe(&request_subject(&cluster.node)).await?;
    let mut batches = bus.subscribe(&frame_subject(&cluster.node)).await?;
    let announced = server.clone();
    let requested = server.clone();
    let framed = server.clone();
    let (node, answering, linked) = (cluster.node.clone(), bus.clone(), bus.clone());
    Ok(vec![
        tokio::spawn(async move {
            while let Some(message) = announcements.next().await {
                if let Ok(announcement) = serde_json::from_slice(&message.payload) {
                    handle_announcement(&announced, announcement).await;
                }
            }
        }),
        tokio::spawn(async move {
            while let Some(message) = requests.next().await {
                let Some(to) = message.reply else { continue };
                let (server, bus) = (requested.clone(), answering.clone());
                // Each has a task of its own, because a game may have to be read from the database.
                tokio::spawn(async move {
                    let response: NodeResult = match serde_json::from_slice(&message.payload) {
                        Ok(request) => handle_request(&server, request).await,
                        Err(error) => Err(ApiError::new(ErrorCode::Malformed, error.to_string())),
                    };
                    bus.respond(to, &response).await;
                });
            }
        }),
        tokio::spawn(async move {
            while let Some(message) = batches.next().await {
                let Some(cluster) = &framed.cluster else { return };
                if let Ok(batch) = serde_json::from_slice::<FrameBatch>(&message.payload) {
                    cluster.links.receive(&framed, (&node, &linked), batch);
                }
            }
        }),
    ])
}

async fn handle_announcement(server: &ServerState, announcement: Announcement) {
    let Some(cluster) = &server.cluster else { return };
    let Announcement { from, content } = announcement;
    if from == cluster.node {
        return;
    }
    match content {
        AnnouncementContent::LeasesChanged => cluster.leases_changed.notify_one(),
        AnnouncementContent::Lobby(lobby) => server.lobby.set_node(from, *lobby),
        AnnouncementContent::LiveGames(games) => cluster.live_games.set(from, games),
        AnnouncementContent::Notice { person, notice } => {
            server.notices.notify(person, notice);
            server.lobby.game_may_have_started(person, notice);
        }
        AnnouncementContent::ChallengeAdded(challenge) => server.lobby.add(*challenge),
        AnnouncementContent::ChallengeRemoved(id) => server.lobby.remove(id),
    }
}

async fn handle_request(server: &ServerState, request: NodeRequest) -> NodeResult {
    let Some(cluster) = &server.cluster else {
        return Err(ApiError::new(ErrorCode::Internal, "this server is alone"));
    };
    match request {
        NodeRequest::Join { from, game, person, seen, subscriber, round_trip } => {
            let Some(bus) = &cluster.bus else { return Err(super::bus::unreachable("no NATS")) };
            let round_trip = Arc::new(AtomicU32::new(round_trip));
            let outbox = cluster.links.add_remote(
                (&cluster.node, bus),
                &from,
                (game, subscriber),
                Arc::clone(&round_trip),
            );
            let outbox = Outbox::OtherNode(outbox);
            let joining =
                Subscriber { id: subscriber, person: None, color: None, outbox, round_trip };
            server.games.join_here(server, game, person, seen, joining).await?;
            // If the link broke before the game had the subscriber, only this removes it.
            if !cluster.links.is_remote(&from, subscriber) {
                server.games.leave_soon(game, subscriber);
            }
            Ok(NodeResponse::Done)
        }
        NodeRequest::Act { game, person, key, action } => {
            let now = server.time.now();
            let acted = server.games.act_here(server, game, person, (key, action), now).await?;
            Ok(NodeResponse::Acted(acted))
        }
        NodeRequest::Snapshot { game } => {
            let snapshot = server.games.snapshot_here(server, game).await?;
            Ok(NodeResponse::Snapshot(Box::new(snapshot)))
        }
        NodeRequest::Load { game } => {
            server.games.load_here(server, game).await?;
            Ok(NodeResponse::Done)
        }
        NodeRequest::ReviewProgress { game } => {
            Ok(NodeResponse::ReviewProgress(server.reviews.progress_here(game)))
        }
        NodeRequest::Review { game } => {
            let progress = reviews::request_here(server, game).await?;
            Ok(NodeResponse::ReviewProgress(Some(progress)))
        }
        NodeRequest::HideChat { person } => {
            server.games.hide_chat_here(person).await?;
            Ok(NodeResponse::Done)
        }
        NodeRequest::AcceptSeek { seek, person } => {
            let game = server.lobby.accept_seek_here(server, seek, person).await?;
            Ok(NodeResponse::GameStarted(game))
        }
    }
}

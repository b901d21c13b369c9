//! Announces to the other nodes what this one adds to the lobby and to the list of games to watch.

use std::time::Duration;

use tokio::time::MissedTickBehavior;

use super::messages::AnnouncementContent;
use crate::server_state::ServerState;
use crate::watch;

/// Shortest interval between two announcements of the lobby.
const MIN_INTERVAL: Duration = Duration::from_millis(150);
/// Longest interval between two announcements, after which lost ones are made up for.
const MAX_INTERVAL: Duration = Duration::from_secs(2);
/// Number of such intervals between two readings of the open challenges.
const REFILL_INTERVALS: u32 = 15;

/// Runs until the server stops.
pub(super) async fn run(server: ServerState) {
    let Some(cluster) = &server.cluster else { return };
    let mut changes = server.lobby.own_changes();
    // Not restarted by changes, which may be more frequent.
    let mut ticks = tokio::time::interval(MAX_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut intervals = 0;
    loop {
        tokio::select! {
            _ = changes.changed() => {}
            _ = ticks.tick() => {
                intervals += 1;
                let games = watch::interesting_games(server.games.live(), server.time.now());
                cluster.announce(AnnouncementContent::LiveGames(games)).await;
            }
        }
        if intervals == REFILL_INTERVALS {
            intervals = 0;
            // Announcements of challenges may be lost.
            if let Err(error) = server.lobby.refill(&server).await {
                tracing::warn!(%error, "could not read the open challenges");
            }
        }
        changes.mark_unchanged();
        let lobby = server.lobby.own_part(&server);
        cluster.announce(AnnouncementContent::Lobby(Box::new(lobby))).await;
        tokio::time::sleep(MIN_INTERVAL).await;
    }
}

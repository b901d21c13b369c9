//! Two people who play one game after another.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use khet_protocol::{ChallengeId, ChallengeResponse, GameId, NewChallenge};

use super::soak_player::SoakPlayer;
use super::soak_run::SoakRun;
use crate::Guest;

/// Pause before a request is tried again.
const RETRY_DELAY: Duration = Duration::from_millis(100);
/// Time controls: quick ones, so that flags fall, slow ones, and none.
const TIMES: [&str; 7] = ["60+0", "60+1", "180+2", "300+3", "900+10", "2d", "none"];
/// The setups of the games.
const SETUPS: [&str; 3] = ["classic", "imhotep", "dynasty"];

/// Plays games between two people until the future is dropped.
pub async fn play_games(run: Arc<SoakRun>, mut people: [Guest; 2], rated: bool, seed: u64) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let players = |people: &[Guest; 2], rng: &mut fastrand::Rng| {
        // Each through another node, if there are several.
        let mut node = run.any_node(rng);
        people.clone().map(|guest| {
            node = (node + 1) % run.nodes.len();
            let cookie = guest.cookie.unwrap_or_default();
            SoakPlayer::new(Arc::clone(&run), cookie, node, rng.u64(..))
        })
    };
    loop {
        let mut game = start_game(&run, &mut people, rated, &mut rng).await;
        let [mut one, mut other] = players(&people, &mut rng);
        loop {
            run.begin(game, &one.cookie);
            let wants_rematch = rng.bool();
            let (next, same) =
                tokio::join!(one.play(game, wants_rematch), other.play(game, wants_rematch));
            match next.or(same) {
                Some(rematch) => game = rematch,
                None => break,
            }
        }
    }
}

/// Starts a game by a challenge, however often the server fails meanwhile.
async fn start_game(
    run: &SoakRun,
    [one, other]: &mut [Guest; 2],
    rated: bool,
    rng: &mut fastrand::Rng,
) -> GameId {
    // Rated games need a clock.
    let times = if rated { &TIMES[..TIMES.len() - 1] } else { &TIMES[..] };
    let (time, setup) = (times[rng.usize(..times.len())], SETUPS[rng.usize(..SETUPS.len())]);
    let text = format!(r#"{{"start": "{setup}", "time": "{time}", "rated": {rated}}}"#);
    let challenge: NewChallenge = match serde_json::from_str(&text) {
        Ok(challenge) => challenge,
        Err(error) => unreachable!("{text}: {error}"),
    };
    loop {
        one.server = run.any_address(rng);
        if let Ok(id) = run.timely(one.challenge(&challenge)).await {
            for _ in 0..20 {
                one.server = run.any_address(rng);
                other.server = run.any_address(rng);
                if let Ok(game) = accept(run, one, other, id).await {
                    return game;
                }
                run.count(|counts| &counts.unavailable);
                tokio::time::sleep(RETRY_DELAY).await;
            }
        }
        tokio::time::sleep(RETRY_DELAY).await;
    }
}

/// Accepts a challenge. If the response gets lost, the challenger asks what has become of it.
async fn accept(
    run: &SoakRun,
    one: &mut Guest,
    other: &mut Guest,
    id: ChallengeId,
) -> io::Result<GameId> {
    if let Ok(game) = run.timely(other.accept(id)).await {
        return Ok(game);
    }
    let response = run.timely(one.ask("GET", &format!("/api/challenges/{id}"), "")).await?;
    let response: ChallengeResponse = response.read()?;
    response.game.ok_or_else(|| io::Error::other("not accepted"))
}

//! Engine commands that search for a move or a hint, and the use of the reply.

use std::time::Duration;

use khet::{GamePosition, MoverEval};

use crate::engine::{WorkerResult, position_command};
use crate::game::session::{GameSession, Mode};

/// Search time per move in a game without a clock, in milliseconds. Only level 10 uses all of it.
const MOVE_TIME: u64 = 2_000;
/// Search time for a hint, in milliseconds.
const HINT_TIME: u64 = 1_000;

/// Returns the commands that search for the computer's move.
pub fn for_move(session: &GameSession, seed: u32, now: Duration) -> Vec<String> {
    let level = if let Mode::Computer { level, .. } = session.mode() { level } else { 10 };
    let go = match session.clock() {
        None => format!("go movetime {MOVE_TIME}"),
        Some(clock) => {
            let [silver, red] = clock.times(now).map(|left| left.as_millis());
            let increment = clock.control().increment().as_millis();
            format!("go stime {silver} rtime {red} sinc {increment} rinc {increment}")
        }
    };
    search_commands(session, level, seed, go)
}

/// Returns the commands that search for a hint, at the highest level.
pub fn for_hint(session: &GameSession) -> Vec<String> {
    search_commands(session, 10, 0, format!("go movetime {HINT_TIME}"))
}

/// Returns the commands that set the options and the position, and search.
fn search_commands(session: &GameSession, level: u8, seed: u32, go: String) -> Vec<String> {
    let game = session.game();
    vec![
        format!("setoption name Rules value {}", game.start().rules()),
        format!("setoption name Level value {level}"),
        format!("setoption name Seed value {seed}"),
        position_command(game),
        go,
    ]
}

/// Returns whether the computer would accept a draw.
pub fn accepts_draw(reply: WorkerResult) -> bool {
    reply.score.is_some_and(MoverEval::prefers_draw)
}

/// Returns whether the computer claims a draw: it may, and its evaluation is worse than a draw.
pub fn claims_draw(session: &GameSession, reply: WorkerResult) -> bool {
    accepts_draw(reply) && session.awaits_computer() && session.can_claim_draw()
}

/// Returns the pause before the computer's move is played, so that a person can follow the game.
/// It is shorter at high levels, whose players need less time, and in games with a clock.
pub fn pause(session: &GameSession) -> Duration {
    let Mode::Computer { level, .. } = session.mode() else { return Duration::ZERO };
    match (level, session.clock()) {
        (1..=5, None) => Duration::from_millis(700),
        (1..=5, Some(_)) => Duration::from_millis(400),
        _ => Duration::from_millis(250),
    }
}

#[cfg(test)]
mod tests {
    use khet::{Color, Rules, Setup, TimeControl};

    use super::*;

    fn session(control: TimeControl) -> GameSession {
        let mode = Mode::Computer { level: 3, person: Color::Silver, practice: false };
        let start = Setup::Classic.position().with_rules(Rules::Czech);
        let mut session = GameSession::new(start, mode, control);
        session.play("h2+".parse().expect("a move"), Duration::ZERO).expect("legal");
        session
    }

    #[test]
    fn commands_contain_rules_level_seed_and_game() {
        let commands = for_move(&session(TimeControl::Unlimited), 7, Duration::ZERO);
        let notation = Setup::Classic.notation();
        assert_eq!(
            commands,
            [
                "setoption name Rules value czech".to_string(),
                "setoption name Level value 3".to_string(),
                "setoption name Seed value 7".to_string(),
                format!("position fen {notation} moves h2+"),
                "go movetime 2000".to_string(),
            ]
        );
        let hint = for_hint(&session(TimeControl::Unlimited));
        assert!(hint.contains(&"setoption name Level value 10".to_string()));
    }

    #[test]
    fn commands_contain_the_clock_times() {
        let commands = for_move(&session(TimeControl::minutes(5, 3)), 7, Duration::from_secs(10));
        let go = commands.last().map(String::as_str);
        assert_eq!(go, Some("go stime 300000 rtime 290000 sinc 3000 rinc 3000"));
    }
}

//! What the engine is asked, and what it answers, in lines of its protocol.

use std::time::Duration;

use khet::Turn;

use super::session::{Mode, Session};

/// The longest that it thinks about a turn in a game without clocks; only level 10 needs it all.
const TURN_TIME: u64 = 2_000;
/// The same for a hint.
const HINT_TIME: u64 = 1_000;
/// When it is behind by more than this, in hundredths of a pyramid, a draw is welcome.
const WELCOMES_DRAW: i32 = -50;

/// The lines that let the engine choose the computer's turn.
pub fn for_turn(session: &Session, seed: u32, now: Duration) -> Vec<String> {
    let level = match session.mode() {
        Mode::Computer { level, .. } => level,
        Mode::Table { .. } | Mode::Online { .. } => 10,
    };
    let go = match session.clocks() {
        None => format!("go movetime {TURN_TIME}"),
        Some(clocks) => {
            let [silver, red] = clocks.times(now).map(|left| left.as_millis());
            let increment = clocks.control().increment.as_millis();
            format!("go stime {silver} rtime {red} sinc {increment} rinc {increment}")
        }
    };
    lines(session, level, seed, go)
}

/// The lines that let it find a hint, with all that it can do.
pub fn for_hint(session: &Session) -> Vec<String> {
    lines(session, 10, 0, format!("go movetime {HINT_TIME}"))
}

fn lines(session: &Session, level: u8, seed: u32, go: String) -> Vec<String> {
    let game = session.game();
    let mut position = format!("position fen {}", game.start().placement());
    for (index, turn) in game.turns().iter().enumerate() {
        position += if index == 0 { " moves " } else { " " };
        position += &turn.to_string();
    }
    vec![
        format!("setoption name Rules value {}", game.start().rules()),
        format!("setoption name Level value {level}"),
        format!("setoption name Seed value {seed}"),
        position,
        go,
    ]
}

/// What is known of an answer while its lines come in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Thought {
    /// What the engine thinks of its position, in hundredths of a pyramid.
    score: Option<i32>,
}

/// An answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reply {
    /// What it would play; `None` if it has no turn, or did not understand the question.
    pub turn: Option<Turn>,
    /// It would rather have a draw.
    pub welcomes_draw: bool,
}

impl Thought {
    /// Takes in a line; the last one is the reply.
    pub fn hear(&mut self, line: &str) -> Option<Reply> {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("bestmove") => Some(Reply {
                turn: words.next().and_then(|turn| turn.parse().ok()),
                welcomes_draw: self.score.is_some_and(|score| score < WELCOMES_DRAW),
            }),
            Some("info") => {
                // It complains, and no answer will come.
                if words.clone().next() == Some("string") {
                    return Some(Reply { turn: None, welcomes_draw: false });
                }
                words.find(|&word| word == "score");
                let (unit, number) =
                    (words.next(), words.next().and_then(|word| word.parse().ok()));
                self.score = match (unit, number) {
                    (Some("cp"), Some(number)) => Some(number),
                    (Some("mate"), Some(number)) => Some(if number > 0 { 30_000 } else { -30_000 }),
                    _ => self.score,
                };
                None
            }
            _ => None,
        }
    }
}

/// Whether the computer takes a draw: it may claim one, and thinks that it is behind.
pub fn claims_draw(session: &Session, reply: Reply) -> bool {
    reply.welcomes_draw && session.awaits_computer() && session.can_claim_draw()
}

/// The pause before the computer's answer is played, so that a person can follow. Strong levels are
/// played by people who see for themselves, and by clocks.
pub fn pause(session: &Session) -> Duration {
    let Mode::Computer { level, .. } = session.mode() else { return Duration::ZERO };
    match (level, session.clocks()) {
        (1..=5, None) => Duration::from_millis(700),
        (1..=5, Some(_)) => Duration::from_millis(400),
        _ => Duration::from_millis(250),
    }
}

#[cfg(test)]
mod tests {
    use khet::{Color, Rules, Setup};

    use super::super::clock::TimeControl;
    use super::*;

    fn session(control: Option<TimeControl>) -> Session {
        let mode = Mode::Computer { level: 3, person: Color::Silver, practice: false };
        let start = Setup::Classic.position().with_rules(Rules::Czech);
        let mut session = Session::new(start, mode, control);
        session.play("h2+".parse().expect("a turn"), Duration::ZERO).expect("legal");
        session
    }

    #[test]
    fn a_question_tells_the_whole_game() {
        let lines = for_turn(&session(None), 7, Duration::ZERO);
        let notation = Setup::Classic.notation();
        assert_eq!(
            lines,
            [
                "setoption name Rules value czech".to_string(),
                "setoption name Level value 3".to_string(),
                "setoption name Seed value 7".to_string(),
                format!("position fen {notation} moves h2+"),
                "go movetime 2000".to_string(),
            ]
        );
        let hint = for_hint(&session(None));
        assert!(hint.contains(&"setoption name Level value 10".to_string()));
    }

    #[test]
    fn with_clocks_it_is_told_the_time() {
        let lines = for_turn(&session(Some(TimeControl::new(5, 3))), 7, Duration::from_secs(10));
        let go = lines.last().map(String::as_str);
        assert_eq!(go, Some("go stime 300000 rtime 290000 sinc 3000 rinc 3000"));
    }

    #[test]
    fn the_last_line_is_the_reply() {
        let mut thought = Thought::default();
        assert_eq!(thought.hear("info depth 3 seldepth 5 multipv 1 score cp -80 nodes 9"), None);
        let reply = Reply { turn: "h2+".parse().ok(), welcomes_draw: true };
        assert_eq!(thought.hear("bestmove h2+ ponder c7c6"), Some(reply));

        let mut thought = Thought::default();
        assert_eq!(thought.hear("info score mate 2 nodes 9"), None);
        let reply = Reply { turn: None, welcomes_draw: false };
        assert_eq!(thought.hear("bestmove (none)"), Some(reply));
        assert_eq!(thought.hear("info string unknown command"), Some(reply));
        assert_eq!(thought.hear("readyok"), None);
        assert_eq!(thought.hear(""), None);
    }
}

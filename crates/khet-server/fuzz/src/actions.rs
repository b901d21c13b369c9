//! Fuzz target: actions of two players in any order and at any time.

use khet::{Color, GamePosition, Outcome};
use khet_protocol::{Action, Event, EventKind, GameStart, GameState, PersonId};
use khet_server::fuzzing::{self, TimedAction};

/// Time controls and starts of the games, one per value of the first byte.
const OPTIONS: [&str; 8] = [
    r#"{"start": "classic", "time": "none"}"#,
    r#"{"start": "classic", "time": "60+2", "rated": true}"#,
    r#"{"start": "classic", "time": "3d", "rated": true}"#,
    r#"{"start": "dynasty", "time": "300+3"}"#,
    r#"{"start": "4k5/10/10/10/10/10/10/4K4P4 s", "time": "60+0"}"#,
    r#"{"start": "isis", "time": "none", "rules": "czech"}"#,
    r#"{"start": "orontes", "time": "60+2", "rated": true}"#,
    r#"{"start": "4k5/10/10/10/9P3/10/10/4K5+e4:6/6/6/5p3/6/6 s", "time": "none"}"#,
];

/// Performs an action for every three bytes: who does what, and when. The events that follow lead
/// to the same game when they are stored and loaded, and a refused action changes nothing.
pub fn act(data: &[u8]) {
    let Some((&options, steps)) = data.split_first() else { return };
    let mut state = start(OPTIONS[usize::from(options) % OPTIONS.len()]);
    let mut events = vec![started(&state)];
    let mut now = 0;
    for step in steps.chunks_exact(3) {
        let by = Color::ALL[usize::from(step[0] & 1)];
        now += u64::from(step[1]) * u64::from(step[1]) * 16;
        if let Some((_, outcome)) = fuzzing::time_up(&state).filter(|(due, _)| *due <= now) {
            end(&mut state, &mut events, outcome, now);
        }
        let action = action(&state, step[0] >> 1, step[2]);
        let key = u32::from(step[2]);
        let gone = (step[0] & 0x80 != 0).then_some(now.saturating_sub(100_000));
        let lag = u64::from(step[1]);
        let before = state.clone();
        let timed = TimedAction { by, key, action: &action, now, lag, other_gone_since: gone };
        match fuzzing::act(&mut state, timed) {
            Ok(caused) => {
                assert!(caused.is_empty() == (state == before), "{action:?}: {caused:?}");
                events.extend(caused);
            }
            Err(_) => assert_eq!(state, before, "{action:?}"),
        }
    }
    let stored = serde_json::to_string(&events).expect("JSON");
    let loaded: Vec<Event> = serde_json::from_str(&stored).expect("events");
    assert_eq!(GameState::fold(&loaded), Ok(state));
}

fn start(options: &str) -> GameState {
    let [silver, red] = [1, 2].map(PersonId::from_number);
    let options = serde_json::from_str(options).expect("options");
    let kind = EventKind::Started(Box::new(GameStart { silver, red, options }));
    GameState::begin(&Event { number: 1, at: 0, kind }).expect("a game")
}

/// Returns the first event of a game.
fn started(state: &GameState) -> Event {
    let [silver, red] = [1, 2].map(PersonId::from_number);
    let start = GameStart { silver, red, options: state.options().clone() };
    Event { number: 1, at: 0, kind: EventKind::Started(Box::new(start)) }
}

/// Ends a game whose time is up, as the server does.
fn end(state: &mut GameState, events: &mut Vec<Event>, outcome: Outcome, at: u64) {
    let number = state.last_event_number() + 1;
    let event = Event { number, at, kind: EventKind::Ended(outcome) };
    state.apply(&event).expect("a game whose time is up can end");
    events.push(event);
}

/// Returns the action of a number. Most are moves, so that games go on.
fn action(state: &GameState, number: u8, value: u8) -> Action {
    let position = state.game().position();
    let legal = position.legal_moves();
    let ply = state.game().ply() as u32;
    match number & 0x1f {
        0 => Action::Draw,
        1 => Action::DeclineDraw,
        2 => Action::WithdrawDraw,
        3 => Action::ClaimRepetition,
        4 => Action::Resign,
        5 => Action::Abort,
        6 => Action::Takeback,
        7 => Action::DeclineTakeback,
        8 => Action::WithdrawTakeback,
        9 => Action::AddTime,
        10 => Action::ClaimWin,
        11 => Action::ClaimDraw,
        12 => Action::Chat { text: char::from(value).to_string() },
        13 => Action::Rematch,
        14 => Action::DeclineRematch,
        15 => Action::WithdrawRematch,
        16 => Action::Move { ply: u32::from(value), mv: "h2+".parse().expect("a move") },
        17 => Action::Move { ply, mv: "a1a2".parse().expect("a move") },
        19 => Action::Move { ply, mv: "Te5".parse().expect("a move") },
        _ => match legal.is_empty() {
            true => Action::Resign,
            false => Action::Move { ply, mv: legal[usize::from(value) % legal.len()] },
        },
    }
}

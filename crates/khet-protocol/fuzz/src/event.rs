//! Fuzz target: any text, read as the events of a game, one JSON value per line.

use std::time::Duration;

use khet_protocol::{Event, GameState};

use super::json;

/// Reads events and applies them. The game that follows from those that can be applied must be the
/// same whenever it is computed, and an event that can't be applied must change nothing.
pub fn read_events(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut events = text.lines().filter_map(json::read::<Event>);
    let Some(first) = events.next() else { return };
    let Ok(mut state) = GameState::begin(&first) else { return };
    let mut applied = vec![first];
    for mut event in events {
        let _ = state.clone().apply(&event);
        // Numbers that follow one another are rare in random texts.
        event.number = state.last_event_number() + 1;
        let before = state.clone();
        match state.apply(&event) {
            Ok(_) => applied.push(event),
            Err(error) => {
                assert!(!error.to_string().is_empty());
                assert_eq!(state, before, "{event:?}");
            }
        }
        check_clock(&state, applied.last().map_or(0, |event| event.at));
    }
    assert_eq!(GameState::fold(&applied).as_ref(), Ok(&state));
    // Spectators see the same game.
    for event in &mut applied {
        event.kind = event.kind.for_spectators();
    }
    assert_eq!(GameState::fold(&applied), Ok(state));
}

/// Checks that the times of a clock can be shown.
fn check_clock(state: &GameState, now: u64) {
    if let Some(clock) = state.clock() {
        for later in [0, 1, 60_000, u64::MAX] {
            let _ = clock.times(Duration::from_millis(now.saturating_add(later)));
        }
    }
}

//! The self-test of the checker: a game that is intact is damaged in several ways, and each damage
//! must be found.

use khet_protocol::{Event, EventKind, RatingChange};

use crate::soak::comparison::ComparedGame;
use crate::soak::outages::OutageLog;

/// A damage: its name, and what it does to the events of a game.
type Damage = (&'static str, fn(Vec<Event>) -> Option<Vec<Event>>);

const DAMAGES: [Damage; 8] = [
    ("a lost move", lose_move),
    ("a lost event in between", lose_event),
    ("a move that counts twice", double_move),
    ("a move that nobody sent", replace_key),
    ("another time of an event", change_time),
    ("a clock with ten seconds less", charge_clock),
    ("a credit without an outage", add_credit),
    ("a second change of the ratings", rate_again),
];

/// Damages a game in each way. Returns the names of those that were not found, and their number.
pub fn undetected(game: &ComparedGame, outages: &OutageLog) -> (usize, Vec<&'static str>) {
    if !game.journal.compare(&game.stored, outages).1.is_empty() {
        // Then a fault says nothing about the damage.
        return (0, Vec::new());
    }
    let mut tried = 0;
    let mut missed = Vec::new();
    for (name, damage) in DAMAGES {
        let Some(damaged) = damage(game.stored.clone()) else { continue };
        tried += 1;
        if game.journal.compare(&damaged, outages).1.is_empty() {
            missed.push(name);
        }
    }
    (tried, missed)
}

/// Returns the index of the last move.
fn last_move(events: &[Event]) -> Option<usize> {
    events.iter().rposition(|event| matches!(event.kind, EventKind::Move { .. }))
}

fn lose_move(mut events: Vec<Event>) -> Option<Vec<Event>> {
    events.truncate(last_move(&events)?);
    Some(events)
}

fn lose_event(mut events: Vec<Event>) -> Option<Vec<Event>> {
    events.remove(events.len() / 2);
    Some(events)
}

fn double_move(mut events: Vec<Event>) -> Option<Vec<Event>> {
    let index = last_move(&events)?;
    events.insert(index, events[index].clone());
    for (event, number) in events.iter_mut().zip(1..) {
        event.number = number;
    }
    Some(events)
}

fn replace_key(mut events: Vec<Event>) -> Option<Vec<Event>> {
    let index = last_move(&events)?;
    let EventKind::Move { key, .. } = &mut events[index].kind else { return None };
    *key = key.wrapping_add(1);
    Some(events)
}

fn change_time(mut events: Vec<Event>) -> Option<Vec<Event>> {
    let index = last_move(&events)?;
    events[index].at += 1;
    Some(events)
}

/// Returns `None` for a game without a clock.
fn charge_clock(mut events: Vec<Event>) -> Option<Vec<Event>> {
    let index = last_move(&events)?;
    let EventKind::Move { left: Some(left), .. } = &mut events[index].kind else { return None };
    *left = left.checked_sub(10_000)?;
    Some(events)
}

fn add_credit(events: Vec<Event>) -> Option<Vec<Event>> {
    append(events, EventKind::Credited { time: 3_600_000 })
}

fn rate_again(events: Vec<Event>) -> Option<Vec<Event>> {
    let change = RatingChange { before: 1500, after: 1510 };
    let rated = EventKind::Rated { silver: change, red: change };
    append(append(events, rated.clone())?, rated)
}

/// Appends an event at the time of the last one.
fn append(mut events: Vec<Event>, kind: EventKind) -> Option<Vec<Event>> {
    let last = events.last()?;
    let (number, at) = (last.number + 1, last.at);
    events.push(Event { number, at, kind });
    Some(events)
}

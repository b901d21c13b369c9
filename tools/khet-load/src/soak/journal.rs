//! The model of one game: what its players sent and what the server told them, and the comparison
//! with what the server has at the end.

mod replay;

use std::collections::{BTreeMap, HashSet};

use khet::{Color, Move, tower};
use khet_protocol::{Action, Event, EventKind, GameState};

use self::replay::Replay;
use super::outages::OutageLog;

/// A move that a player sent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SentMove {
    /// The player.
    pub by: Color,
    /// The number of moves made before.
    pub ply: u32,
    /// The move.
    pub mv: Move<tower::Square>,
    /// The client's key.
    pub key: u32,
}

/// A move on its way to a node.
#[derive(Clone, Copy, Debug)]
pub struct MoveDelivery {
    /// The player.
    pub by: Color,
    /// The number of moves made before.
    pub ply: u32,
    /// When it was sent, in milliseconds since 1970.
    pub at: u64,
    /// The node.
    pub node: usize,
}

/// The moves and actions that the players of a game sent, and the answers and events they received.
#[derive(Clone, Debug, Default)]
pub struct GameJournal {
    sent: HashSet<SentMove>,
    /// When moves were sent to which node, also repeatedly.
    deliveries: Vec<MoveDelivery>,
    /// Other actions that were sent: who offered a draw, resigned …
    actions: Vec<(Color, Action)>,
    /// Acknowledged moves with the numbers of their events.
    acknowledged: Vec<(u32, SentMove)>,
    /// Acknowledged actions of other kinds: the numbers of their events.
    acknowledged_actions: Vec<u32>,
    /// The events that players and spectators received.
    shown: BTreeMap<u32, Event>,
}

/// Counts of what was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Acknowledged moves.
    pub moves: u64,
    /// Events that were shown.
    pub events: u64,
    /// Times after moves.
    pub clocks: u64,
    /// Credits.
    pub credits: u64,
}

impl GameJournal {
    /// Records a move before it is sent.
    pub fn send_move(&mut self, sent: SentMove) {
        self.sent.insert(sent);
    }

    /// Records just before it that a move is sent to a node, perhaps again.
    pub fn deliver_move(&mut self, delivery: MoveDelivery) {
        self.deliveries.push(delivery);
    }

    /// Forgets when a player's moves were sent, because the player cuts the connection, so that the
    /// last one may never arrive.
    pub fn forget_deliveries(&mut self, by: Color) {
        let last = self.deliveries.iter().rev().find(|sent| sent.by == by).map(|sent| sent.ply);
        self.deliveries.retain(|sent| sent.by != by || Some(sent.ply) != last);
    }

    /// Records an action of another kind before it is sent.
    pub fn send_action(&mut self, by: Color, action: Action) {
        self.actions.push((by, action));
    }

    /// Records that a move was acknowledged as this event.
    pub fn acknowledge_move(&mut self, number: u32, sent: SentMove) {
        self.acknowledged.push((number, sent));
    }

    /// Records that another action was acknowledged as this event.
    pub fn acknowledge_action(&mut self, number: u32) {
        self.acknowledged_actions.push(number);
    }

    /// Records an event that a client received.
    ///
    /// # Errors
    ///
    /// If a client received another event of this number before.
    pub fn show(&mut self, event: &Event) -> Result<(), String> {
        let known = self.shown.entry(event.number).or_insert_with(|| event.clone());
        // Spectators do not see chat messages.
        let is_chat = |kind: &EventKind| kind.for_spectators() == EventKind::ChatHidden;
        if known == event || is_chat(&known.kind) && is_chat(&event.kind) {
            return Ok(());
        }
        let number = event.number;
        Err(format!("event {number} was {:?} first and is {:?} now", known.kind, event.kind))
    }

    /// Returns what is missing of that which was acknowledged or shown. The server may have more.
    pub fn missing(&self, stored: &[Event]) -> Vec<String> {
        let find = |number: u32| stored.get((number as usize).wrapping_sub(1));
        let mut faults = Vec::new();
        for (number, event) in &self.shown {
            let kept = find(*number);
            let hidden = Event { kind: event.kind.for_spectators(), ..event.clone() };
            let same = kept.is_some_and(|kept| {
                kept == event
                    || Event { kind: kept.kind.for_spectators(), ..kept.clone() } == hidden
            });
            if !same {
                faults.push(format!("event {number} was shown as {event:?} and is now {kept:?}"));
            }
        }
        for (number, sent) in &self.acknowledged {
            let kept = find(*number).map(|event| &event.kind);
            let same = matches!(
                kept, Some(EventKind::Move { mv, key, .. }) if (*mv, *key) == (sent.mv, sent.key)
            );
            if !same {
                faults.push(format!("{sent:?} was acknowledged as event {number}, now {kept:?}"));
            }
        }
        for number in &self.acknowledged_actions {
            if find(*number).is_none() {
                faults.push(format!("an action was acknowledged as event {number}, now missing"));
            }
        }
        faults
    }

    /// Compares the whole game with what the server has, after all clients have stopped.
    pub fn compare(&self, stored: &[Event], outages: &OutageLog) -> (Compared, Vec<String>) {
        let mut faults = self.missing(stored);
        let mut compared = Compared {
            moves: self.acknowledged.len() as u64,
            events: self.shown.len() as u64,
            ..Compared::default()
        };
        if let Err(error) = GameState::fold(stored) {
            faults.push(format!("the events do not make a game: {error}"));
        }
        match Replay::new(self, stored) {
            Some(mut replay) => {
                for event in &stored[1..] {
                    replay.apply(event, outages);
                }
                replay.check_end();
                compared.clocks = replay.clocks;
                compared.credits = replay.credits.len() as u64;
                faults.append(&mut replay.faults);
                faults.append(&mut replay.missing_credits(stored, outages));
            }
            None => faults.push("the game has no start".to_owned()),
        }
        (compared, faults)
    }

    /// Returns when moves were sent to which node.
    pub fn deliveries(&self) -> &[MoveDelivery] {
        &self.deliveries
    }

    /// Returns the number of acknowledged moves.
    pub fn acknowledged_moves(&self) -> usize {
        self.acknowledged.len()
    }

    /// Returns whether a player sent an action.
    fn has_sent(&self, by: Color, action: &Action) -> bool {
        self.actions.iter().any(|(color, sent)| *color == by && sent == action)
    }
}

#[cfg(test)]
mod tests {
    use khet::{Outcome, Termination};
    use khet_protocol::{EventKind, GameStart, PersonId, RatingChange};

    use super::*;
    use crate::soak::outages::{DiskFill, Restart};

    const SILVER: Color = Color::Silver;
    /// The start of the test game.
    const START: u64 = 1_800_000_000_000;

    /// A game of one minute and two seconds per move, with what its players know about it.
    struct TestJournal {
        journal: GameJournal,
        events: Vec<Event>,
        outages: OutageLog,
    }

    impl TestJournal {
        /// Starts a game.
        fn new(rated: bool) -> TestJournal {
            let options = format!(r#"{{"start": "classic", "time": "60+2", "rated": {rated}}}"#);
            let start = GameStart {
                silver: PersonId::from_number(1),
                red: PersonId::from_number(2),
                options: serde_json::from_str(&options).expect("options"),
            };
            let kind = EventKind::Started(Box::new(start));
            let events = vec![Event { number: 1, at: START, kind }];
            TestJournal { journal: GameJournal::default(), events, outages: OutageLog::default() }
        }

        /// A game of six moves, one per second, in which everybody knows everything.
        fn played() -> TestJournal {
            let mut test = TestJournal::new(false);
            // The first two moves take no time and gain none.
            for (ply, left) in (0..).zip([60, 60, 61, 61, 62, 62]) {
                test.mv(ply, 1000 * (u64::from(ply) + 1), 1000 * left);
            }
            test
        }

        /// Adds an event that happened this long after the start, and shows it.
        fn event(&mut self, after: u64, kind: EventKind) -> u32 {
            let number = self.events.len() as u32 + 1;
            let event = Event { number, at: START + after, kind };
            self.journal.show(&event).expect("no contradiction");
            self.events.push(event);
            number
        }

        /// Sends and acknowledges a move.
        fn mv(&mut self, ply: u32, after: u64, left: u64) {
            let text = ["h2+", "c7+", "h2-", "c7-"][ply as usize % 4];
            let (by, mv) = (Color::ALL[ply as usize % 2], text.parse().expect("a move"));
            let sent = SentMove { by, ply, mv, key: 100 + ply };
            self.journal.send_move(sent);
            let number = self.event(after, EventKind::Move { mv, key: sent.key, left: Some(left) });
            self.journal.acknowledge_move(number, sent);
        }

        /// Returns the faults.
        fn faults(&self) -> Vec<String> {
            self.journal.compare(&self.events, &self.outages).1
        }

        /// Checks that there is a fault with this text.
        #[track_caller]
        fn expect_fault(&self, text: &str) {
            let faults = self.faults();
            assert!(faults.iter().any(|fault| fault.contains(text)), "{text}: {faults:?}");
        }
    }

    #[test]
    fn intact_game_has_no_fault() {
        let test = TestJournal::played();
        let (compared, faults) = test.journal.compare(&test.events, &test.outages);
        assert_eq!(faults, Vec::<String>::new());
        assert_eq!(compared, Compared { moves: 6, events: 6, clocks: 6, credits: 0 });
    }

    #[test]
    fn lost_move_is_found() {
        let mut test = TestJournal::played();
        test.events.pop();
        test.expect_fault("was acknowledged as event 7, now None");
        test.expect_fault("event 7 was shown");
    }

    #[test]
    fn other_move_is_found() {
        let mut test = TestJournal::played();
        let EventKind::Move { mv, .. } = &mut test.events[6].kind else { panic!("a move") };
        *mv = "c7-".parse().expect("a move");
        test.expect_fault("was acknowledged as event 7");
        test.expect_fault("red never sent c7- at ply 5");
    }

    #[test]
    fn move_that_counts_twice_is_found() {
        let mut test = TestJournal::played();
        for (ply, text, key) in [(6, "h2+", 106), (7, "c7+", 101)] {
            let (by, mv) = (Color::ALL[ply % 2], text.parse().expect("a move"));
            test.journal.send_move(SentMove { by, ply: ply as u32, mv, key });
            let left = Some(63_000);
            test.event(1000 * (ply as u64 + 1), EventKind::Move { mv, key, left });
        }
        test.expect_fault("c7+ was sent once and counts twice");
    }

    #[test]
    fn contradicting_event_is_found() {
        let mut test = TestJournal::played();
        let mut event = test.events[3].clone();
        event.at += 1;
        test.journal.show(&event).expect_err("another time");
    }

    #[test]
    fn wrong_clock_is_found() {
        for (change, fault) in [(-1, "has 61999 ms left, and 62000 to"), (2000, "ms left, and")] {
            let mut test = TestJournal::played();
            test.journal.shown.clear();
            let EventKind::Move { left: Some(left), .. } = &mut test.events[6].kind else {
                panic!("a move with a time")
            };
            *left = left.saturating_add_signed(change);
            test.expect_fault(fault);
        }
    }

    #[test]
    fn lag_compensation_has_a_budget() {
        let mut test = TestJournal::new(false);
        test.mv(0, 0, 60_000);
        test.mv(1, 0, 60_000);
        let mut left = [60_000; 2];
        for ply in 2..20 {
            // Each move takes 500 ms, and all of it is compensated.
            left[ply as usize % 2] += 2000;
            test.mv(ply, 500 * (u64::from(ply) - 1), left[ply as usize % 2]);
        }
        test.expect_fault("ms in the model");
        let first = test.faults().remove(0);
        assert!(first.starts_with("event 14:"), "the budget lasts for five moves: {first}");
    }

    #[test]
    fn credit_after_a_kill_is_compared() {
        let restart =
            Restart { killed: START + 6500, dead: START + 6510, ready: START + 7500, attempts: 1 };
        for (time, fault) in [
            (Some(1000), ""),
            (Some(500), "only 500 ms are credited"),
            (Some(2000), "2000 ms are credited, 1400 ms after the last event"),
            (None, "0 credits after the kill"),
        ] {
            let mut test = TestJournal::played();
            test.outages.restarts.push(restart);
            if let Some(time) = time {
                test.event(7400, EventKind::Credited { time });
            }
            match fault {
                "" => assert_eq!(test.faults(), Vec::<String>::new()),
                fault => test.expect_fault(fault),
            }
        }
    }

    #[test]
    fn credit_without_an_outage_is_found() {
        let mut test = TestJournal::played();
        test.event(7400, EventKind::Credited { time: 1000 });
        test.expect_fault("there was no outage");
    }

    #[test]
    fn full_disk_suspends_the_clock() {
        let fill = DiskFill {
            filled: START + 10_000,
            noticed: Some(START + 10_500),
            lifted: START + 20_000,
            is_total: true,
        };
        let mut test = TestJournal::played();
        test.outages.fills.push(fill);
        test.expect_fault("no credit after the full disk");
        test.event(20_100, EventKind::Credited { time: 9600 });
        assert_eq!(test.faults(), Vec::<String>::new());
        let mut test = TestJournal::played();
        test.outages.fills.push(fill);
        test.event(20_100, EventKind::Credited { time: 100 });
        test.expect_fault("only 100 ms are credited");
    }

    #[test]
    fn end_that_nobody_caused_is_found() {
        let mut test = TestJournal::played();
        test.event(7000, EventKind::Ended(Outcome::win(SILVER, Termination::Resignation)));
        test.expect_fault("nobody caused this end");
        test.journal.send_action(Color::Red, Action::Resign);
        assert_eq!(test.faults(), Vec::<String>::new());
    }

    #[test]
    fn early_flag_is_found() {
        let mut test = TestJournal::played();
        // Silver moves next and has 62 seconds.
        let lost = Outcome::win(Color::Red, Termination::Time);
        test.event(6000 + 62_000, EventKind::Ended(lost));
        assert_eq!(test.faults(), Vec::<String>::new());
        let mut test = TestJournal::played();
        test.event(6000 + 61_999, EventKind::Ended(lost));
        test.expect_fault("the flag fell");
    }

    #[test]
    fn game_changes_ratings_once() {
        let mut test = TestJournal::new(true);
        test.mv(0, 0, 60_000);
        test.mv(1, 0, 60_000);
        test.journal.send_action(Color::Red, Action::Resign);
        test.event(1, EventKind::Ended(Outcome::win(SILVER, Termination::Resignation)));
        test.expect_fault("changed the ratings 0 times");
        let change = RatingChange { before: 1500, after: 1600 };
        test.event(1, EventKind::Rated { silver: change, red: change });
        assert_eq!(test.faults(), Vec::<String>::new());
        test.event(1, EventKind::Rated { silver: change, red: change });
        test.expect_fault("changed the ratings 2 times");
    }
}

//! How long players waited for their moves around the faults of a cluster, and how much time that
//! cost them.

use khet::{Color, GamePosition, Termination, TimeControl};
use khet_protocol::{Event, EventKind};

use super::clock_model::millis;
use super::journal::{GameJournal, MoveDelivery};
use super::outages::OutageLog;

/// A move that a player sent and waited for, or whose player ran out of time meanwhile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveWait {
    /// The number of the event that ended the wait.
    pub number: u32,
    /// When the player tried first to send the move, to whatever node.
    pub tried: u64,
    /// When the move was sent first to a node that was not itself disturbed.
    pub sent: u64,
    /// When the game went on.
    pub ended: u64,
    /// The time on the clock, in milliseconds, that the wait cost the player. Negative if the player
    /// was credited more.
    pub loss: i64,
}

/// The game as far as clocks need it.
struct Turn {
    to_move: Color,
    ply: u32,
    /// When the turn began.
    began: u64,
    left: [Option<u64>; 2],
    /// Credits since then: when, and how much.
    credits: Vec<(u64, u64)>,
}

/// Returns the waits that overlapped a fault of a cluster.
pub fn move_waits(journal: &GameJournal, stored: &[Event], outages: &OutageLog) -> Vec<MoveWait> {
    let Some(Event { at, kind: EventKind::Started(start), .. }) = stored.first() else {
        return Vec::new();
    };
    let Ok(position) = start.options.position() else { return Vec::new() };
    let initial = start.options.time.start().map(millis);
    let mut turn = Turn {
        to_move: position.side_to_move(),
        ply: 0,
        began: *at,
        left: [initial; 2],
        credits: Vec::new(),
    };
    let mut waits = Vec::new();
    for event in &stored[1..] {
        let charged = match event.kind {
            EventKind::Move { left, .. } => Some(turn.charge_of_move(start.options.time, left)),
            EventKind::Ended(outcome) if outcome.termination == Termination::Time => {
                Some(turn.left[turn.to_move as usize].map(signed))
            }
            _ => None,
        };
        if let Some(charged) = charged
            && let Some((tried, sent)) = turn.first_deliveries(journal, event.at, outages)
            && outages.cluster_outages_during(tried, event.at).next().is_some()
        {
            let own = signed(sent) - signed(turn.began) - turn.credited_until(sent);
            let loss = charged.map_or(0, |charged| charged - own);
            waits.push(MoveWait { number: event.number, tried, sent, ended: event.at, loss });
        }
        turn.apply(event, start.options.time);
    }
    waits
}

impl MoveWait {
    /// Returns a message if the wait cost the player more than the faults may that it overlapped.
    pub fn excess(&self, outages: &OutageLog) -> Option<String> {
        let MoveWait { number, tried, sent, ended, loss } = self;
        let faults = outages.cluster_outages_during(*tried, *ended).count();
        let faults = i64::try_from(faults).unwrap_or(i64::MAX);
        let allowed = faults.saturating_mul(outages.max_loss);
        (*loss > allowed).then(|| {
            format!(
                "waiting from {sent} to {ended}, until event {number}, cost {loss} ms, at most {allowed} ms \
                 are allowed"
            )
        })
    }
}

impl Turn {
    /// Returns the time on the clock that a move took, if the clock ran.
    fn charge_of_move(&self, control: TimeControl, left: Option<u64>) -> Option<i64> {
        let TimeControl::RealTime { increment, .. } = control else { return None };
        if self.ply < 2 {
            return None;
        }
        let before = self.left[self.to_move as usize]?;
        Some(signed(before) + signed(millis(increment)) - signed(left?))
    }

    /// Returns when the move of this turn was sent first, and when it was sent first to a node whose
    /// clients were not disturbed until the game went on.
    fn first_deliveries(
        &self,
        journal: &GameJournal,
        until: u64,
        outages: &OutageLog,
    ) -> Option<(u64, u64)> {
        let is_current = |sent: &&MoveDelivery| {
            (sent.by, sent.ply) == (self.to_move, self.ply)
                && (self.began..=until).contains(&sent.at)
        };
        let is_undisturbed = |sent: &&MoveDelivery| {
            let mut outages = outages.cluster.iter().filter(|it| it.node == Some(sent.node));
            !outages.any(|outage| outage.began <= until && sent.at <= outage.lifted)
        };
        let current: Vec<&MoveDelivery> = journal.deliveries().iter().filter(is_current).collect();
        let tried = current.iter().map(|sent| sent.at).min()?;
        let sent = current.into_iter().filter(is_undisturbed).map(|sent| sent.at).min();
        // Otherwise the move got through in spite of the fault, and the server could not do better.
        Some((tried, sent.unwrap_or(until)))
    }

    /// Returns the time credited in this turn until a moment.
    fn credited_until(&self, until: u64) -> i64 {
        let credits = self.credits.iter().filter(|(at, _)| *at <= until);
        credits.map(|(_, time)| signed(*time)).sum()
    }

    fn apply(&mut self, event: &Event, control: TimeControl) {
        match event.kind {
            EventKind::Move { left, .. } => {
                self.left[self.to_move as usize] = left;
                self.change(event.at, 1, control);
            }
            EventKind::TakenBack { moves } => {
                let charged = signed(event.at) - signed(self.began) - self.credited_until(u64::MAX);
                let left = &mut self.left[self.to_move as usize];
                if self.ply >= 2 {
                    *left = left.map(|left| left.saturating_sub(charged.max(0).unsigned_abs()));
                }
                self.change(event.at, -i32::from(moves), control);
            }
            EventKind::TimeAdded { by, time } => {
                let left = &mut self.left[!by as usize];
                *left = left.map(|left| left + time);
            }
            EventKind::Credited { time } => self.credits.push((event.at, time)),
            _ => {}
        }
    }

    /// Begins the next turn, some plies later or earlier.
    fn change(&mut self, at: u64, plies: i32, control: TimeControl) {
        self.ply = self.ply.saturating_add_signed(plies);
        if plies % 2 != 0 {
            self.to_move = !self.to_move;
        }
        self.began = at;
        self.credits.clear();
        if control.is_correspondence() {
            self.left[self.to_move as usize] = control.start().map(millis);
        }
    }
}

/// Returns milliseconds as a signed number.
fn signed(millis: u64) -> i64 {
    i64::try_from(millis).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use khet::Outcome;
    use khet_protocol::{GameStart, PersonId};

    use super::*;
    use crate::soak::outages::ClusterOutage;

    /// The start of the game.
    const START: u64 = 1_800_000_000_000;
    /// The fault, in which node 0 is dead.
    const FAULT: ClusterOutage = ClusterOutage {
        node: Some(0),
        began: START + 3000,
        lifted: START + 8000,
        recovered: START + 9000,
    };

    /// Returns the waits of a game of one minute without increment, whose first two moves were made
    /// at once. Silver sends the third move to a node at these times, all after the start.
    fn waits(deliveries: &[(u64, usize)], rest: &[(u64, EventKind)]) -> Vec<MoveWait> {
        let options = r#"{"start": "classic", "time": "60+0"}"#;
        let start = GameStart {
            silver: PersonId::from_number(1),
            red: PersonId::from_number(2),
            options: serde_json::from_str(options).expect("options"),
        };
        let mut stored = vec![(0, EventKind::Started(Box::new(start)))];
        stored.extend([(0, mv("h2+", 60_000)), (0, mv("c7+", 60_000))]);
        stored.extend_from_slice(rest);
        let stored: Vec<Event> = stored
            .into_iter()
            .zip(1..)
            .map(|((after, kind), number)| Event { number, at: START + after, kind })
            .collect();
        let mut journal = GameJournal::default();
        for &(after, node) in deliveries {
            let at = START + after;
            journal.deliver_move(MoveDelivery { by: Color::Silver, ply: 2, at, node });
        }
        move_waits(&journal, &stored, &outages())
    }

    fn outages() -> OutageLog {
        OutageLog { cluster: vec![FAULT], max_loss: 2000, ..OutageLog::default() }
    }

    fn mv(text: &str, left: u64) -> EventKind {
        EventKind::Move { mv: text.parse().expect("a move"), key: 7, left: Some(left) }
    }

    #[test]
    fn wait_without_a_credit_costs_all_of_it() {
        let waits = waits(&[(2000, 1)], &[(7000, mv("h2-", 53_000))]);
        let (tried, sent, ended) = (START + 2000, START + 2000, START + 7000);
        assert_eq!(waits, [MoveWait { number: 4, tried, sent, ended, loss: 5000 }]);
    }

    #[test]
    fn credit_counts() {
        let credit = EventKind::Credited { time: 4000 };
        let waits = waits(&[(2000, 1)], &[(6900, credit), (7000, mv("h2-", 57_000))]);
        assert_eq!(waits[0].loss, 1000);
    }

    #[test]
    fn credit_for_the_time_before_the_move_does_not_count() {
        let credit = EventKind::Credited { time: 3000 };
        let waits = waits(&[(4500, 1)], &[(4000, credit), (7000, mv("h2-", 56_000))]);
        assert_eq!(waits[0].loss, 2500);
    }

    #[test]
    fn excessive_cost_is_found() {
        let credit = |time| EventKind::Credited { time };
        let waits =
            |time, left| waits(&[(2000, 1)], &[(6900, credit(time)), (7000, mv("h2-", left))]);
        assert_eq!(waits(3000, 56_000)[0].excess(&outages()), None);
        let excess = waits(2999, 55_999)[0].excess(&outages());
        assert!(excess.is_some_and(|text| text.contains("cost 2001 ms")));
    }

    #[test]
    fn dead_node_does_not_count() {
        let waits = waits(&[(2000, 0), (6500, 1)], &[(7000, mv("h2-", 53_000))]);
        assert_eq!((waits[0].tried, waits[0].sent), (START + 2000, START + 6500));
        assert_eq!(waits[0].loss, 500);
    }

    #[test]
    fn fallen_flag_costs_what_was_left() {
        let lost = EventKind::Ended(Outcome::win(Color::Red, Termination::Time));
        let waits = waits(&[(4000, 1)], &[(60_000, lost)]);
        assert_eq!(waits[0].loss, 56_000);
    }

    #[test]
    fn wait_without_a_fault_is_ignored() {
        assert_eq!(waits(&[(1000, 1)], &[(2000, mv("h2-", 58_000))]), []);
    }
}

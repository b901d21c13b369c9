//! The replay of a stored game by the rules and the clock model.

use std::collections::HashSet;

use khet::{AnyPosition, Color, Game, GamePosition, Move, Outcome, Termination, tower};
use khet_protocol::{Action, Event, EventKind, GameStart};

use super::super::clock_model::{ClockModel, LATE_WORK, RECOVERY_TIME};
use super::super::outages::OutageLog;
use super::{GameJournal, SentMove};

/// The longest game, in plies.
const MAX_PLIES: usize = 1000;
/// A full disk that is reported for this time suspends every game.
const CERTAIN_SUSPENSION: u64 = 500;

/// A replay of the stored events by the rules and the clock model.
pub(super) struct Replay<'a> {
    journal: &'a GameJournal,
    start: &'a GameStart,
    game: Game<AnyPosition>,
    clock: Option<ClockModel>,
    keys: HashSet<(Color, u32)>,
    ended: Option<Outcome>,
    /// The outcome by the rules, which the next event must report.
    due: Option<Outcome>,
    ratings: usize,
    pub(super) clocks: u64,
    /// The times of credits.
    pub(super) credits: Vec<u64>,
    pub(super) faults: Vec<String>,
}

impl<'a> Replay<'a> {
    pub(super) fn new(journal: &'a GameJournal, stored: &'a [Event]) -> Option<Replay<'a>> {
        let first = stored.first()?;
        let EventKind::Started(start) = &first.kind else { return None };
        let position = start.options.position().ok()?;
        Some(Replay {
            journal,
            start,
            clock: ClockModel::new(start.options.time, position.side_to_move(), first.at),
            game: Game::new(position),
            keys: HashSet::new(),
            ended: None,
            due: None,
            ratings: 0,
            clocks: 0,
            credits: Vec::new(),
            faults: Vec::new(),
        })
    }

    pub(super) fn apply(&mut self, event: &Event, outages: &OutageLog) {
        let number = event.number;
        if let Some(due) = self.due.take()
            && event.kind != EventKind::Ended(due)
        {
            self.faults.push(format!("event {number}: the game is over by the rules: {due}"));
        }
        let checked = match &event.kind {
            EventKind::Move { mv, key, .. } => self.play(*mv, *key),
            EventKind::TakenBack { moves } => {
                let taken = (0..*moves).filter_map(|_| self.game.take_back()).count();
                if taken == usize::from(*moves) {
                    Ok(())
                } else {
                    Err(format!("{moves} moves were taken back"))
                }
            }
            EventKind::Ended(outcome) => self.end(event.at, *outcome),
            EventKind::Rated { .. } => {
                self.ratings += 1;
                Ok(())
            }
            EventKind::Credited { .. } => {
                self.credits.push(event.at);
                Ok(())
            }
            _ => Ok(()),
        };
        let turn = (self.game.position().side_to_move(), self.game.moves().len());
        let clock = self.clock.as_mut();
        let timed = clock.map_or(Ok(()), |clock| clock.apply(event.at, &event.kind, turn, outages));
        self.clocks += u64::from(matches!(event.kind, EventKind::Move { left: Some(_), .. }));
        for fault in [checked, timed].into_iter().filter_map(Result::err) {
            self.faults.push(format!("event {number}: {fault}"));
        }
    }

    /// Plays a move, which must be legal and sent by the player to move.
    fn play(&mut self, mv: Move<tower::Square>, key: u32) -> Result<(), String> {
        let by = self.game.position().side_to_move();
        let ply = self.game.moves().len();
        let sent = SentMove { by, ply: ply as u32, mv, key };
        let shot = self.game.play(mv).map_err(|error| format!("{mv}: {error}"))?;
        self.due = shot
            .outcome
            .or_else(|| (ply + 1 >= MAX_PLIES).then_some(Outcome::draw(Termination::MoveLimit)));
        if self.ended.is_some() {
            return Err(format!("{mv} after the end"));
        }
        if !self.keys.insert((by, key)) {
            return Err(format!("{mv} was sent once and counts twice"));
        }
        if !self.journal.sent.contains(&sent) {
            return Err(format!("{by} never sent {mv} at ply {ply}"));
        }
        Ok(())
    }

    /// Checks that the game could end like this.
    fn end(&mut self, at: u64, outcome: Outcome) -> Result<(), String> {
        if self.ended.replace(outcome).is_some() {
            return Err("the game ends twice".to_owned());
        }
        let sent = |by: Color, action: Action| self.journal.has_sent(by, &action);
        let late = self.clock.as_ref().is_some_and(|clock| clock.first_move_is_late(at));
        let is_possible = match outcome.termination {
            Termination::PharaohHit | Termination::NoLegalMove => {
                self.game.outcome() == Some(outcome)
            }
            Termination::MoveLimit => self.game.moves().len() >= MAX_PLIES,
            Termination::Resignation => {
                outcome.winner.is_some_and(|winner| sent(!winner, Action::Resign))
            }
            Termination::Agreement => Color::ALL.into_iter().all(|by| sent(by, Action::Draw)),
            Termination::Aborted => {
                let asked = Color::ALL
                    .into_iter()
                    .any(|by| sent(by, Action::Resign) || sent(by, Action::Abort));
                self.game.moves().len() < 2 && (asked || late)
            }
            // The clock model checks it.
            Termination::Time => self.clock.is_some(),
            _ => false,
        };
        if is_possible { Ok(()) } else { Err(format!("nobody caused this end: {outcome}")) }
    }

    /// Checks that the end was reported, and that a rated game changed the ratings once.
    pub(super) fn check_end(&mut self) {
        if let Some(due) = self.due {
            self.faults.push(format!("the end was not stored: {due}"));
        }
        let counts = self.start.options.rated
            && self.ended.is_some_and(|outcome| !outcome.is_aborted())
            && self.game.moves().len() >= 2;
        if self.ratings != usize::from(counts) {
            self.faults.push(format!("the game changed the ratings {} times", self.ratings));
        }
    }

    /// Returns the outages for which a game in progress got no credit.
    pub(super) fn missing_credits(&self, stored: &[Event], outages: &OutageLog) -> Vec<String> {
        let is_end = |event: &&Event| matches!(event.kind, EventKind::Ended(_));
        let end = stored.iter().find(is_end).map_or(u64::MAX, |event| event.at);
        let start = stored[0].at;
        if self.clock.is_none() {
            return Vec::new();
        }
        let mut faults = Vec::new();
        for restart in &outages.restarts {
            if restart.killed <= start || restart.dead >= end {
                continue;
            }
            let during = |at: &&u64| (restart.killed..=restart.ready).contains(*at);
            let credits = self.credits.iter().filter(during).count();
            if credits == 0 || credits > restart.attempts as usize {
                faults.push(format!("{credits} credits after the kill at {}", restart.killed));
            }
        }
        for fill in outages.fills.iter().filter(|fill| fill.is_total) {
            let Some(noticed) = fill.noticed else { continue };
            let recovered = fill.lifted + RECOVERY_TIME;
            let killed = |at: u64| (fill.filled..=recovered + LATE_WORK).contains(&at);
            let certain = fill.lifted >= noticed + CERTAIN_SUSPENSION
                && start + LATE_WORK < fill.filled
                && end > recovered
                && !outages.restarts.iter().any(|restart| killed(restart.killed));
            let during = |at: &u64| (noticed..=recovered).contains(at);
            if certain && !self.credits.iter().any(during) {
                faults.push(format!("no credit after the full disk at {}", fill.filled));
            }
        }
        faults
    }
}

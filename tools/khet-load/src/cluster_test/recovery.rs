//! How long after each fault moves were possible again for the players, with the time in which they
//! turned to another node, and what that cost them.

use std::collections::BTreeMap;

use khet_protocol::GameId;
use serde::Serialize;

use super::fault_plan::{FaultKind, PlannedFault};
use crate::soak::move_waits::MoveWait;
use crate::soak::outages::OutageLog;

/// A game whose moves took at least this time around a fault was affected by it, in milliseconds.
const AFFECTED_WAIT: u64 = 300;

/// The times from the beginning of a fault until the affected games went on, in milliseconds.
#[derive(Clone, Debug, Serialize)]
pub struct FaultRecovery {
    /// The kind of the faults; `None` for all.
    pub kind: Option<FaultKind>,
    /// The number of faults.
    pub faults: usize,
    /// Games that a fault affected, counted for each fault.
    pub games: usize,
    /// Median.
    pub median: u64,
    /// 99th percentile.
    pub p99: u64,
    /// Longest time.
    pub longest: u64,
}

/// Returns the recoveries of all faults together, and of each kind.
pub fn recoveries(
    waits: &[(GameId, MoveWait)],
    outages: &OutageLog,
    faults: &[PlannedFault],
) -> Vec<FaultRecovery> {
    // The first outage is the start of the cluster.
    let caused = || faults.iter().zip(outages.cluster.iter().skip(1));
    let mut times: BTreeMap<Option<FaultKind>, Vec<u64>> = BTreeMap::new();
    let mut counts: BTreeMap<Option<FaultKind>, usize> = BTreeMap::new();
    for (fault, outage) in caused() {
        let mut affected: BTreeMap<String, u64> = BTreeMap::new();
        for (game, wait) in waits {
            let during = outage.began <= wait.ended && wait.tried <= outage.recovered;
            if during && wait.ended - wait.tried >= AFFECTED_WAIT {
                let time = affected.entry(game.to_string()).or_default();
                *time = (*time).max(wait.ended - outage.began);
            }
        }
        for kind in [None, Some(fault.kind)] {
            *counts.entry(kind).or_default() += 1;
            times.entry(kind).or_default().extend(affected.values());
        }
    }
    let summary = |(kind, mut times): (Option<FaultKind>, Vec<u64>)| {
        times.sort_unstable();
        let at = |share: f64| {
            let index = (times.len() as f64 * share) as usize;
            times.get(index.min(times.len().saturating_sub(1))).copied().unwrap_or(0)
        };
        let (median, p99, longest) = (at(0.5), at(0.99), at(1.0));
        let faults = counts.get(&kind).copied().unwrap_or(0);
        FaultRecovery { kind, faults, games: times.len(), median, p99, longest }
    };
    times.into_iter().map(summary).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::cluster_test::tcp_proxy::LinkState;
    use crate::soak::outages::ClusterOutage;

    fn outages() -> OutageLog {
        let outage =
            |began, recovered| ClusterOutage { node: None, began, lifted: began, recovered };
        OutageLog { cluster: vec![outage(0, 10), outage(1000, 9000)], ..OutageLog::default() }
    }

    fn waits() -> Vec<(GameId, MoveWait)> {
        let game = |text: &str| text.parse().expect("a game");
        let wait = |sent, ended, loss| MoveWait { number: 7, tried: sent, sent, ended, loss };
        vec![
            (game("7Hc0aWxz"), wait(1500, 6000, 1999)),
            (game("00000000"), wait(1500, 1510, 10)),
            (game("7Hc0aWxa"), wait(1500, 8000, 2001)),
        ]
    }

    #[test]
    fn affected_games_are_measured() {
        let fault = PlannedFault {
            kind: FaultKind::KillNats,
            node: None,
            time: Duration::ZERO,
            link: LinkState::Open,
            closes_connections: false,
            pause: Duration::ZERO,
        };
        let recoveries = recoveries(&waits(), &outages(), &[fault]);
        assert_eq!(recoveries.len(), 2);
        for recovery in recoveries {
            assert_eq!((recovery.faults, recovery.games), (1, 2));
            assert_eq!((recovery.median, recovery.longest), (7000, 7000));
        }
    }
}

//! The faults of a run, drawn from a seed.

use std::time::Duration;

use clap::ValueEnum;
use serde::Serialize;

use super::tcp_proxy::LinkState;

/// The kinds of faults.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// A node is killed with SIGKILL and started again.
    KillNode,
    /// A node is stopped with SIGTERM and started again, as in an upgrade.
    StopNode,
    /// A node stands still for longer than its leases last.
    FreezeNode,
    /// A node can't reach PostgreSQL.
    CutFromPostgres,
    /// A node can't reach NATS.
    CutFromNats,
    /// NATS is killed and started again.
    KillNats,
    /// All processes of PostgreSQL are killed, and it is started again.
    KillPostgres,
}

/// A fault that is going to happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlannedFault {
    /// The kind.
    pub kind: FaultKind,
    /// The node, if it happens to one.
    pub node: Option<usize>,
    /// How long it lasts.
    pub time: Duration,
    /// How a node is cut off.
    pub link: LinkState,
    /// Whether the connections of a node that was cut off silently are closed in the end.
    pub closes_connections: bool,
    /// The pause afterwards.
    pub pause: Duration,
}

impl FaultKind {
    /// All kinds.
    pub const ALL: [FaultKind; 7] = [
        FaultKind::KillNode,
        FaultKind::StopNode,
        FaultKind::FreezeNode,
        FaultKind::CutFromPostgres,
        FaultKind::CutFromNats,
        FaultKind::KillNats,
        FaultKind::KillPostgres,
    ];

    /// The kinds that are possible without PostgreSQL and NATS.
    pub const OF_ONE_SERVER: [FaultKind; 2] = [FaultKind::KillNode, FaultKind::StopNode];

    /// Returns whether it happens to one node.
    fn has_node(self) -> bool {
        !matches!(self, FaultKind::KillNats | FaultKind::KillPostgres)
    }

    /// Returns the least and greatest duration in milliseconds. Leases last 3 seconds.
    fn times(self) -> std::ops::Range<u64> {
        match self {
            FaultKind::KillNode | FaultKind::StopNode => 0..8_000,
            FaultKind::FreezeNode => 6_000..10_000,
            FaultKind::CutFromPostgres | FaultKind::CutFromNats => 1_000..12_000,
            FaultKind::KillNats | FaultKind::KillPostgres => 0..5_000,
        }
    }

    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::KillNode => "node killed",
            FaultKind::StopNode => "node stopped",
            FaultKind::FreezeNode => "node frozen",
            FaultKind::CutFromPostgres => "node cut off from PostgreSQL",
            FaultKind::CutFromNats => "node cut off from NATS",
            FaultKind::KillNats => "NATS killed",
            FaultKind::KillPostgres => "PostgreSQL killed",
        }
    }
}

/// Draws faults of these kinds. Each kind comes about equally often.
pub fn plan(
    count: usize,
    kinds: &[FaultKind],
    nodes: usize,
    rng: &mut fastrand::Rng,
) -> Vec<PlannedFault> {
    let mut faults = Vec::new();
    let mut order = Vec::new();
    while faults.len() < count && !kinds.is_empty() {
        if order.is_empty() {
            order.extend_from_slice(kinds);
            rng.shuffle(&mut order);
        }
        let Some(kind) = order.pop() else { break };
        faults.push(PlannedFault {
            kind,
            node: kind.has_node().then(|| rng.usize(..nodes)),
            time: Duration::from_millis(rng.u64(kind.times())),
            link: if rng.bool() { LinkState::Silent } else { LinkState::Closed },
            closes_connections: rng.bool(),
            pause: Duration::from_millis(rng.u64(500..3_000)),
        });
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_comes_equally_often() {
        let faults = plan(70, &FaultKind::ALL, 3, &mut fastrand::Rng::with_seed(1));
        for kind in FaultKind::ALL {
            assert_eq!(faults.iter().filter(|fault| fault.kind == kind).count(), 10);
        }
    }

    #[test]
    fn seed_decides_everything() {
        let draw = |seed| plan(20, &FaultKind::ALL, 3, &mut fastrand::Rng::with_seed(seed));
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
    }
}

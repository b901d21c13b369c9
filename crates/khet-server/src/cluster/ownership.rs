//! Which node owns which shard, as this node knows it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::{NodeId, Shard};

/// The right to write the games of a shard. Every transaction that appends events checks the epoch,
/// so that a node that has lost the shard can't write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Fence {
    pub(crate) shard: Shard,
    /// Raised whenever the shard gets an owner.
    pub(crate) epoch: i64,
}

/// The owner of a shard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ShardOwner {
    /// This node.
    Here(Fence),
    /// Another node.
    Other(NodeId),
    /// Nobody at the moment, or it is not known.
    Unknown,
}

/// The owners of all shards.
#[derive(Debug, Default)]
pub(crate) struct Ownership(RwLock<Owners>);

#[derive(Debug, Default)]
struct Owners {
    /// The epochs of the shards of this node, whose games are loaded.
    here: BTreeMap<Shard, i64>,
    others: HashMap<Shard, NodeId>,
    /// The other nodes that are alive.
    nodes: BTreeSet<NodeId>,
}

impl Ownership {
    fn read(&self) -> RwLockReadGuard<'_, Owners> {
        self.0.read().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn write(&self) -> RwLockWriteGuard<'_, Owners> {
        self.0.write().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Returns the owner of a shard.
    pub(crate) fn owner(&self, shard: Shard) -> ShardOwner {
        let owners = self.read();
        match (owners.here.get(&shard), owners.others.get(&shard)) {
            (Some(&epoch), _) => ShardOwner::Here(Fence { shard, epoch }),
            (None, Some(node)) => ShardOwner::Other(node.clone()),
            (None, None) => ShardOwner::Unknown,
        }
    }

    /// Returns whether this node owns a shard.
    pub(crate) fn owns(&self, shard: Shard) -> bool {
        self.read().here.contains_key(&shard)
    }

    /// Returns the shards of this node.
    pub(crate) fn here(&self) -> Vec<Fence> {
        self.read().here.iter().map(|(&shard, &epoch)| Fence { shard, epoch }).collect()
    }

    /// Returns the other nodes that are alive.
    pub(crate) fn others(&self) -> BTreeSet<NodeId> {
        self.read().nodes.clone()
    }

    /// Records that this node owns shards, whose games are loaded.
    pub(crate) fn add_here(&self, fences: &[Fence]) {
        let mut owners = self.write();
        for fence in fences {
            owners.others.remove(&fence.shard);
            owners.here.insert(fence.shard, fence.epoch);
        }
    }

    /// Records that this node no longer owns shards.
    pub(crate) fn remove_here(&self, shards: &BTreeSet<Shard>) {
        self.write().here.retain(|shard, _| !shards.contains(shard));
    }

    /// Records the other nodes and their shards.
    pub(crate) fn set_others(&self, others: HashMap<Shard, NodeId>, nodes: BTreeSet<NodeId>) {
        let mut owners = self.write();
        owners.others = others;
        owners.nodes = nodes;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashMap};

    use super::{Fence, NodeId, Ownership, Shard, ShardOwner};

    #[test]
    fn shards_change_their_owner() {
        let ownership = Ownership::default();
        let shard = Shard::from_number(7).unwrap();
        assert_eq!(ownership.owner(shard), ShardOwner::Unknown);

        let peer = NodeId::start("b");
        let others = HashMap::from([(shard, peer.clone())]);
        ownership.set_others(others, BTreeSet::from([peer.clone()]));
        assert_eq!(ownership.owner(shard), ShardOwner::Other(peer));

        let fence = Fence { shard, epoch: 3 };
        ownership.add_here(&[fence]);
        assert_eq!(ownership.owner(shard), ShardOwner::Here(fence));
        assert_eq!(ownership.here(), [fence]);

        ownership.remove_here(&BTreeSet::from([shard]));
        assert_eq!(ownership.owner(shard), ShardOwner::Unknown);
    }
}

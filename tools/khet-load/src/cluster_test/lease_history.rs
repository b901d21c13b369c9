//! The owners that the shards of games had, as the database showed them from time to time.

use std::collections::HashMap;
use std::io;

use khet_services::psql;

/// The last known epoch of each shard, and its owner.
#[derive(Debug, Default)]
pub struct LeaseHistory {
    leases: HashMap<u32, (i64, String)>,
    /// The number of leases that were looked at.
    pub compared: u64,
    /// The number of times that a shard had another owner than before.
    pub moved: u64,
}

impl LeaseHistory {
    /// Reads the leases of all shards, and compares them with those before. Returns what is wrong.
    ///
    /// # Errors
    ///
    /// If the database does not answer.
    pub fn read(&mut self, database: &str) -> io::Result<Vec<String>> {
        let rows = psql(database, "SELECT shard, epoch, node FROM leases")?;
        let mut faults = Vec::new();
        for row in rows.lines() {
            let columns: Vec<&str> = row.splitn(3, '|').collect();
            let [shard, epoch, node] = columns[..] else { continue };
            match (shard.parse(), epoch.parse()) {
                (Ok(shard), Ok(epoch)) => faults.extend(self.compare(shard, epoch, node)),
                _ => faults.push(format!("the lease {row:?} can't be understood")),
            }
        }
        Ok(faults)
    }

    /// Compares the lease of a shard with the one before: its epoch never goes back, and an epoch has
    /// one owner.
    fn compare(&mut self, shard: u32, epoch: i64, node: &str) -> Option<String> {
        self.compared += 1;
        let before = self.leases.insert(shard, (epoch, node.to_owned()));
        let (epoch_before, node_before) = before?;
        if node_before != node {
            self.moved += 1;
        }
        if epoch < epoch_before {
            return Some(format!("the epoch of shard {shard} went from {epoch_before} to {epoch}"));
        }
        // A lease without an owner is given up.
        let is_shared = epoch == epoch_before
            && node_before != node
            && !node.is_empty()
            && !node_before.is_empty();
        is_shared.then(|| {
            format!("epoch {epoch} of shard {shard} belongs to {node_before:?} and to {node:?}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::LeaseHistory;

    #[test]
    fn epoch_that_goes_back_is_found() {
        let mut history = LeaseHistory::default();
        assert_eq!(history.compare(1, 5, "node-1"), None);
        assert_eq!(history.compare(1, 6, "node-2"), None);
        assert!(history.compare(1, 5, "node-1").is_some_and(|fault| fault.contains("6 to 5")));
    }

    #[test]
    fn epoch_with_two_owners_is_found() {
        let mut history = LeaseHistory::default();
        assert_eq!(history.compare(1, 5, "node-1"), None);
        assert_eq!(history.compare(1, 5, "node-1"), None);
        assert!(history.compare(1, 5, "node-2").is_some_and(|fault| fault.contains("belongs to")));
    }
}

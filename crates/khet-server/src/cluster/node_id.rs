//! The id of a running node.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::random;

/// A running process: the name of the node, and a random suffix that changes with each start.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub(crate) struct NodeId(Arc<str>);

impl NodeId {
    /// Returns the id of a process that starts now.
    pub(crate) fn start(name: &str) -> NodeId {
        let suffix = u64::from_le_bytes(random::bytes());
        NodeId(format!("{name}-{suffix:016x}").into())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for NodeId {
    fn from(text: String) -> NodeId {
        NodeId(text.into())
    }
}

impl From<NodeId> for String {
    fn from(node: NodeId) -> String {
        node.as_str().to_owned()
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

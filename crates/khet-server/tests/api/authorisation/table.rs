//! Reads the table of permissions.

use std::fmt;

use super::Requester;

const TEXT: &str = include_str!("../../../../../docs/authorisation.md");

/// A row of the table.
#[derive(Clone, Debug)]
pub(super) struct PermissionRow {
    /// A method with a path and perhaps a query, or a message of the WebSocket.
    pub(super) call: String,
    /// The subject of the operation, such as "the account's challenge"; empty if it has none.
    pub(super) subject: String,
    /// The result for each requester, in the order of [`Requester::ALL`].
    pub(super) cells: Vec<String>,
}

impl PermissionRow {
    /// Returns the operation: the call without its query.
    pub(super) fn operation(&self) -> &str {
        self.call.split('?').next().unwrap_or_default()
    }
}

impl fmt::Display for PermissionRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PermissionRow { call, subject, cells } = self;
        write!(f, "| `{call}` | {subject} | {} |", cells.join(" | "))
    }
}

/// Returns the rows of each table in the document.
pub(super) fn read() -> Vec<Vec<PermissionRow>> {
    let mut tables: Vec<Vec<PermissionRow>> = Vec::new();
    // The tables before the first heading explain the words.
    let lines = TEXT.lines().skip_while(|line| !line.starts_with("## "));
    for line in lines.filter(|line| line.starts_with('|')) {
        let cells = line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned());
        let mut cells = cells.collect::<Vec<_>>().into_iter();
        let (first, subject) = (cells.next().unwrap_or_default(), cells.next().unwrap_or_default());
        let cells: Vec<String> = cells.collect();
        assert_eq!(cells.len(), Requester::ALL.len(), "{line}");
        if let Some(call) = first.strip_prefix('`').and_then(|call| call.strip_suffix('`')) {
            let row = PermissionRow { call: call.to_owned(), subject, cells };
            tables.last_mut().expect("a heading").push(row);
        } else if first == "operation" {
            let headings = Requester::ALL.map(Requester::heading);
            assert_eq!(cells, headings, "the columns are in this order");
            tables.push(Vec::new());
        } else {
            assert!(first.starts_with("--"), "{line}");
        }
    }
    tables
}

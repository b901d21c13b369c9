//! Statements that insert many rows at once.

/// Statements that insert 1, 2, 4 … rows. Few shapes, so that each is prepared once.
pub(super) struct Insert(Vec<String>);

impl Insert {
    /// `head` is all before the rows, `tail` all behind them; the largest statement has two to the power of `largest` rows.
    ///
    /// Values have no numbers, as they do elsewhere: SQLite looks each numbered one up among all others, and here they are thousands.
    pub(super) fn new(head: &str, columns: usize, tail: &str, largest: u32) -> Insert {
        let row = format!("({})", vec!["?"; columns].join(", "));
        let rows = |power: u32| vec![row.as_str(); 1 << power].join(", ");
        Insert((0..=largest).map(|power| format!("{head} VALUES {}{tail}", rows(power))).collect())
    }

    /// The statement that takes most of so many rows, and how many it takes; there must be one.
    pub(super) fn most_of(&self, rows: usize) -> (usize, &str) {
        let power = (rows.ilog2() as usize).min(self.0.len() - 1);
        (1 << power, &self.0[power])
    }
}

#[cfg(test)]
mod tests {
    use super::Insert;

    #[test]
    fn the_largest_statement_that_is_not_too_large() {
        let insert = Insert::new("INSERT INTO t (a, b)", 2, " ON CONFLICT (a) DO NOTHING", 2);
        assert_eq!(
            insert.most_of(1).1,
            "INSERT INTO t (a, b) VALUES (?, ?) ON CONFLICT (a) DO NOTHING"
        );
        assert_eq!(
            insert.most_of(3),
            (2, "INSERT INTO t (a, b) VALUES (?, ?), (?, ?) ON CONFLICT (a) DO NOTHING")
        );
        assert_eq!(insert.most_of(100).0, 4);
    }
}

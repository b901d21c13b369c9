//! Statements that insert many rows at once.

/// Statements that insert 1, 2, 4 … rows. There are few sizes, so that each is prepared only once.
pub(super) struct BulkInsert(Vec<String>);

impl BulkInsert {
    /// `head` is the text before the rows and `tail` the text after them; the largest statement has
    /// 2 to the power of `largest` rows.
    ///
    /// Parameters are not numbered as they are elsewhere: SQLite looks up each numbered parameter
    /// among all others, and here are thousands.
    pub(super) fn new(head: &str, columns: usize, tail: &str, largest: u32) -> BulkInsert {
        let row = format!("({})", vec!["?"; columns].join(", "));
        let rows = |power: u32| vec![row.as_str(); 1 << power].join(", ");
        BulkInsert(
            (0..=largest).map(|power| format!("{head} VALUES {}{tail}", rows(power))).collect(),
        )
    }

    /// Returns the largest statement that `rows` rows fill, and its number of rows. `rows` must not
    /// be 0.
    pub(super) fn largest_for(&self, rows: usize) -> (usize, &str) {
        let power = (rows.ilog2() as usize).min(self.0.len() - 1);
        (1 << power, &self.0[power])
    }
}

#[cfg(test)]
mod tests {
    use super::BulkInsert;

    #[test]
    fn largest_statement_that_the_rows_fill() {
        let insert = BulkInsert::new("INSERT INTO t (a, b)", 2, " ON CONFLICT (a) DO NOTHING", 2);
        assert_eq!(
            insert.largest_for(1).1,
            "INSERT INTO t (a, b) VALUES (?, ?) ON CONFLICT (a) DO NOTHING"
        );
        assert_eq!(
            insert.largest_for(3),
            (2, "INSERT INTO t (a, b) VALUES (?, ?), (?, ?) ON CONFLICT (a) DO NOTHING")
        );
        assert_eq!(insert.largest_for(100).0, 4);
    }
}

//! The puzzle of the day.

/// A prime above the number of puzzles of any set, so that its multiples reach every puzzle before
/// one comes again.
const STRIDE: u64 = 1_000_003;

/// Returns the index of the daily puzzle among `count` puzzles, in the order of the published file.
/// `day` is the number of days since 1 January 1970, in UTC: everybody gets the same puzzle,
/// without asking a server.
///
/// # Panics
///
/// If there is no puzzle.
pub fn daily_puzzle_index(day: u64, count: usize) -> usize {
    let count = count as u64;
    ((day % count) * (STRIDE % count) % count) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_puzzle_has_its_day_before_one_comes_again() {
        for count in [1, 2, 1_445, 5_000] {
            let mut days = vec![false; count];
            (20_000..20_000 + count as u64)
                .for_each(|day| days[daily_puzzle_index(day, count)] = true);
            assert!(days.iter().all(|&seen| seen), "{count}");
        }
    }
}

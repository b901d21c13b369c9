//! The puzzle of the day.

/// Returns the index of the daily puzzle among `count` puzzles, in the order of the published file.
/// `day` is the number of days since 1 January 1970, in UTC: everybody gets the same puzzle,
/// without asking a server.
///
/// # Panics
///
/// If there is no puzzle.
pub fn daily_puzzle_index(day: u64, count: usize) -> usize {
    let count = count as u64;
    ((day % count) * stride(count) % count) as usize
}

/// Returns the distance in the file from one day's puzzle to that of the next day. Neighbours in the
/// file are often from the same game, so the golden ratio keeps the puzzles of a week far apart. It
/// has no divisor in common with the number of puzzles, so that every puzzle has its day.
fn stride(count: u64) -> u64 {
    let golden = count * 618 / 1000;
    (golden..).find(|&stride| greatest_common_divisor(stride, count) == 1).unwrap_or(1)
}

fn greatest_common_divisor(mut one: u64, mut other: u64) -> u64 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_puzzle_has_its_day_before_one_comes_again() {
        for count in [1, 2, 3, 1_445, 5_000] {
            let mut days = vec![false; count];
            (20_000..20_000 + count as u64)
                .for_each(|day| days[daily_puzzle_index(day, count)] = true);
            assert!(days.iter().all(|&seen| seen), "{count}");
        }
    }
    #[test]
    fn puzzles_of_a_week_are_far_apart_in_the_file() {
        for count in [1_445, 5_000] {
            let days: Vec<usize> = (0..7).map(|day| daily_puzzle_index(day, count)).collect();
            let apart = |one: usize, other: usize| {
                let distance = one.abs_diff(other);
                distance.min(count - distance)
            };
            let nearest = (0..7).flat_map(|one| (0..one).map(move |other| (one, other)));
            let nearest = nearest.map(|(one, other)| apart(days[one], days[other])).min();
            assert!(nearest.is_some_and(|distance| distance > 100), "{count}: {days:?}");
        }
    }
}

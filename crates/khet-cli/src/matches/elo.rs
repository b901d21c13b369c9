//! Elo from the results of pairs of games.
//!
//! The two games of a pair have the same opening, so their results hang together, and an error that
//! is counted game by game comes out wrong. Pairs are independent of each other.

/// How often a pair of games brought 0, ½, 1, 1½ and 2 points.
pub(crate) type PairCounts = [u64; 5];

/// Of a normal distribution, 95 % lie within so many standard deviations.
const DEVIATIONS_95: f64 = 1.959_964;

/// Stands for pairs that were never seen, so that no result is held to be impossible.
const UNSEEN: f64 = 1e-3;

/// The difference in strength that makes one expect this score, a number between 0 and 1. None for 0
/// and 1 themselves, which no difference is large enough for.
pub(crate) fn elo_from_score(score: f64) -> Option<f64> {
    let inside = score > 0.0 && score < 1.0;
    // Adding 0 moves a negative 0 into the usual one.
    inside.then(|| -400.0 * (1.0 / score - 1.0).log10() + 0.0)
}

/// The score to expect from this difference in strength.
pub(crate) fn score_from_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The share of each result of a pair, which is worth 0, ¼, ½, ¾ or 1, and the number of pairs.
/// Pairs that were not seen count a little.
pub(crate) fn shares(pairs: &PairCounts) -> ([f64; 5], f64) {
    let counts = pairs.map(|count| if count == 0 { UNSEEN } else { count as f64 });
    let total: f64 = counts.iter().sum();
    (counts.map(|count| count / total), total)
}

/// The score of a pair as a number between 0 and 1.
pub(crate) fn worth(result: usize) -> f64 {
    result as f64 / 4.0
}

/// Mean score, and the standard error of it.
fn mean_and_error(shares: &[f64; 5], total: f64) -> (f64, f64) {
    let weighed = |weigh: &dyn Fn(f64) -> f64| -> f64 {
        shares.iter().enumerate().map(|(result, share)| share * weigh(worth(result))).sum()
    };
    let mean = weighed(&|score| score);
    let variance = weighed(&|score| (score - mean).powi(2));
    (mean, (variance / total).sqrt())
}

/// By how much the Elo difference may be wrong, half the width of the interval that holds it with a
/// likelihood of 95 %. None where the pairs say nothing about it: all ended alike, or nearly all were
/// won by the same side.
pub(crate) fn elo_error(pairs: &PairCounts) -> Option<f64> {
    let total: u64 = pairs.iter().sum();
    if pairs.iter().filter(|&&count| count > 0).count() < 2 {
        return None;
    }
    let total = total as f64;
    let (mean, error) = mean_and_error(&pairs.map(|count| count as f64 / total), total);
    let elo_at = |deviations: f64| elo_from_score(mean + deviations * error);
    Some((elo_at(DEVIATIONS_95)? - elo_at(-DEVIATIONS_95)?) / 2.0)
}

/// How likely it is that the first engine is the stronger one.
pub(crate) fn superiority(pairs: &PairCounts) -> f64 {
    let (shares, total) = shares(pairs);
    let (mean, error) = mean_and_error(&shares, total);
    normal((mean - 0.5) / error)
}

/// The share of a normal distribution that lies below so many standard deviations.
fn normal(deviations: f64) -> f64 {
    // Abramowitz and Stegun, Handbook of Mathematical Functions, 26.2.17; the error is below 1e-7.
    const COEFFICIENTS: [f64; 5] =
        [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let t = 1.0 / (1.0 + 0.231_641_9 * deviations.abs());
    let sum = COEFFICIENTS.iter().rev().fold(0.0, |sum, coefficient| (sum + coefficient) * t);
    let density = (-deviations * deviations / 2.0).exp() / std::f64::consts::TAU.sqrt();
    let tail = density * sum;
    if deviations < 0.0 { tail } else { 1.0 - tail }
}

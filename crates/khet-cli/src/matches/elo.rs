//! Elo difference and its error from the results of pairs of games (pentanomial statistics).
//!
//! The two games of a pair have the same opening, so their results are correlated, and an error
//! computed from single games would be wrong. Pairs are independent of each other.

/// Numbers of pairs in which the first engine scored 0, ½, 1, 1½ and 2 points.
pub(crate) type Pentanomial = [u64; 5];

/// Standard deviations within which 95 % of a normal distribution lie.
const DEVIATIONS_95: f64 = 1.959_964;

/// Count used for pair results that did not occur, so that no result has the probability 0.
const UNSEEN: f64 = 1e-3;

/// Returns the Elo difference for a score between 0 and 1. `None` for 0 and 1 themselves, where the
/// difference is infinite.
pub(crate) fn elo_from_score(score: f64) -> Option<f64> {
    let is_finite = score > 0.0 && score < 1.0;
    // Adding 0 turns a negative zero into a positive one.
    is_finite.then(|| -400.0 * (1.0 / score - 1.0).log10() + 0.0)
}

/// Returns the expected score for an Elo difference.
pub(crate) fn score_from_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Returns the frequency of each pair result and the number of pairs. Results that did not occur
/// count as [`UNSEEN`].
pub(crate) fn frequencies(pairs: &Pentanomial) -> ([f64; 5], f64) {
    let counts = pairs.map(|count| if count == 0 { UNSEEN } else { count as f64 });
    let total: f64 = counts.iter().sum();
    (counts.map(|count| count / total), total)
}

/// Returns the score of a pair result as a number between 0 and 1.
pub(crate) fn pair_score(result: usize) -> f64 {
    result as f64 / 4.0
}

/// Returns the mean score and its standard error.
fn mean_and_error(frequencies: &[f64; 5], total: f64) -> (f64, f64) {
    let expectation = |value: &dyn Fn(f64) -> f64| -> f64 {
        let terms = frequencies.iter().enumerate();
        terms.map(|(result, frequency)| frequency * value(pair_score(result))).sum()
    };
    let mean = expectation(&|score| score);
    let variance = expectation(&|score| (score - mean).powi(2));
    (mean, (variance / total).sqrt())
}

/// Returns half the width of the 95 % confidence interval of the Elo difference. `None` if it can't
/// be estimated: all pairs ended alike, or nearly all were won by the same engine.
pub(crate) fn elo_error(pairs: &Pentanomial) -> Option<f64> {
    let total: u64 = pairs.iter().sum();
    if pairs.iter().filter(|&&count| count > 0).count() < 2 {
        return None;
    }
    let total = total as f64;
    let (mean, error) = mean_and_error(&pairs.map(|count| count as f64 / total), total);
    let elo_at = |deviations: f64| elo_from_score(mean + deviations * error);
    Some((elo_at(DEVIATIONS_95)? - elo_at(-DEVIATIONS_95)?) / 2.0)
}

/// Returns the likelihood of superiority (LOS): the probability that the first engine is stronger.
pub(crate) fn likelihood_of_superiority(pairs: &Pentanomial) -> f64 {
    let (frequencies, total) = frequencies(pairs);
    let (mean, error) = mean_and_error(&frequencies, total);
    normal_cdf((mean - 0.5) / error)
}

/// Returns the share of a normal distribution that lies below a number of standard deviations.
fn normal_cdf(deviations: f64) -> f64 {
    // Abramowitz and Stegun, Handbook of Mathematical Functions, 26.2.17; the error is below 1e-7.
    const COEFFICIENTS: [f64; 5] =
        [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let t = 1.0 / (1.0 + 0.231_641_9 * deviations.abs());
    let sum = COEFFICIENTS.iter().rev().fold(0.0, |sum, coefficient| (sum + coefficient) * t);
    let density = (-deviations * deviations / 2.0).exp() / std::f64::consts::TAU.sqrt();
    let tail = density * sum;
    if deviations < 0.0 { tail } else { 1.0 - tail }
}

//! The sequential probability ratio test (SPRT), which stops a match once its result is clear.
//!
//! It compares two hypotheses about the Elo difference. As in Stockfish's Fishtest, it is the
//! generalised test: the likelihood of a hypothesis is that of the most likely distribution of pair
//! results with the hypothesis' score.

use std::fmt;
use std::str::FromStr;

use super::elo::{Pentanomial, frequencies, pair_score, score_from_elo};

/// A test of H0, an Elo difference of `elo0`, against H1, an Elo difference of `elo1`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Sprt {
    pub(crate) elo0: f64,
    pub(crate) elo1: f64,
    /// Probability of accepting H1 although H0 is true.
    pub(crate) alpha: f64,
    /// Probability of accepting H0 although H1 is true.
    pub(crate) beta: f64,
}

/// One of the two hypotheses of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub(crate) enum Hypothesis {
    H0,
    H1,
}

impl fmt::Display for Hypothesis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Hypothesis::H0 => "H0",
            Hypothesis::H1 => "H1",
        })
    }
}

impl Sprt {
    /// Returns the log-likelihood ratio (LLR) of H1 to H0. Positive if the results speak for H1.
    pub(crate) fn log_likelihood_ratio(&self, pairs: &Pentanomial) -> f64 {
        if pairs.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let (frequencies, total) = frequencies(pairs);
        let [scales0, scales1] =
            [self.elo0, self.elo1].map(|elo| scales(&frequencies, score_from_elo(elo)));
        let logarithms = scales0.iter().zip(&scales1).map(|(zero, one)| (zero / one).ln());
        let terms = frequencies.iter().zip(logarithms);
        total * terms.map(|(frequency, log)| frequency * log).sum::<f64>()
    }

    /// Returns the bounds of the LLR: H0 is accepted at the lower one, H1 at the upper one.
    pub(crate) fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// Returns the hypothesis that is accepted at a log-likelihood ratio, if any.
    pub(crate) fn accepted(&self, llr: f64) -> Option<Hypothesis> {
        let (lower, upper) = self.bounds();
        if llr >= upper {
            Some(Hypothesis::H1)
        } else if llr <= lower {
            Some(Hypothesis::H0)
        } else {
            None
        }
    }
}

/// Returns the divisors that turn the observed frequencies into the most likely distribution with
/// this mean score.
fn scales(frequencies: &[f64; 5], mean: f64) -> [f64; 5] {
    let scale = |x: f64, result: usize| 1.0 + x * (pair_score(result) - mean);
    // Decreases with x and has a root between the bounds below, which is found by bisection.
    let sum = |x: f64| -> f64 {
        let term = |(result, frequency): (usize, &f64)| {
            frequency * (pair_score(result) - mean) / scale(x, result)
        };
        frequencies.iter().enumerate().map(term).sum()
    };
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if sum(middle) > 0.0 { low = middle } else { high = middle }
    }
    std::array::from_fn(|result| scale((low + high) / 2.0, result))
}

impl FromStr for Sprt {
    type Err = String;

    /// Parses `ELO0,ELO1` or `ELO0,ELO1,ALPHA,BETA`.
    fn from_str(text: &str) -> Result<Sprt, String> {
        let numbers: Result<Vec<f64>, _> = text.split(',').map(str::parse).collect();
        let sprt = match numbers.as_deref() {
            Ok(&[elo0, elo1]) => Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 },
            Ok(&[elo0, elo1, alpha, beta]) => Sprt { elo0, elo1, alpha, beta },
            _ => return Err("expected ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA".to_string()),
        };
        let elo = -1000.0..=1000.0;
        if !elo.contains(&sprt.elo0) || !elo.contains(&sprt.elo1) || sprt.elo0 >= sprt.elo1 {
            return Err("ELO0 must be below ELO1, both between -1000 and 1000".to_string());
        }
        let is_rate = |rate: f64| rate > 0.0 && rate < 0.5;
        if !is_rate(sprt.alpha) || !is_rate(sprt.beta) {
            return Err("ALPHA and BETA must be between 0 and 0.5".to_string());
        }
        Ok(sprt)
    }
}

//! The sequential probability ratio test: when a match has shown enough.
//!
//! It weighs two hypotheses about the Elo difference against each other, in the generalised form
//! that chess engines are tested with: the likelihood of each is that of the most likely
//! distribution of pairs which has the hypothesis' score.

use std::fmt;
use std::str::FromStr;

use super::elo::{PairCounts, score_from_elo, shares, worth};

/// The test: hypothesis 0 says that the difference is `elo0`, hypothesis 1 that it is `elo1`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Sprt {
    pub(crate) elo0: f64,
    pub(crate) elo1: f64,
    /// How often hypothesis 1 may be accepted when 0 is true.
    pub(crate) alpha: f64,
    /// How often hypothesis 0 may be accepted when 1 is true.
    pub(crate) beta: f64,
}

/// The hypothesis that was accepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub(crate) enum Verdict {
    H0,
    H1,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::H0 => "H0",
            Verdict::H1 => "H1",
        })
    }
}

impl Sprt {
    /// The logarithm of how much more likely hypothesis 1 makes these results than 0.
    pub(crate) fn log_likelihood_ratio(&self, pairs: &PairCounts) -> f64 {
        if pairs.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let (shares, total) = shares(pairs);
        let [scales0, scales1] =
            [self.elo0, self.elo1].map(|elo| scales(&shares, score_from_elo(elo)));
        let logarithms = scales0.iter().zip(&scales1).map(|(zero, one)| (zero / one).ln());
        total * shares.iter().zip(logarithms).map(|(share, log)| share * log).sum::<f64>()
    }

    /// Hypothesis 0 is accepted at the lower bound, hypothesis 1 at the upper one.
    pub(crate) fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// What a log-likelihood ratio decides.
    pub(crate) fn verdict(&self, ratio: f64) -> Option<Verdict> {
        let (lower, upper) = self.bounds();
        if ratio >= upper {
            Some(Verdict::H1)
        } else if ratio <= lower {
            Some(Verdict::H0)
        } else {
            None
        }
    }
}

/// The most likely distribution with this mean score has the shares, each divided by what this
/// function returns.
fn scales(shares: &[f64; 5], mean: f64) -> [f64; 5] {
    let scale = |x: f64, result: usize| 1.0 + x * (worth(result) - mean);
    // The sum falls as x grows, and is 0 in between.
    let sum = |x: f64| -> f64 {
        let term =
            |(result, share): (usize, &f64)| share * (worth(result) - mean) / scale(x, result);
        shares.iter().enumerate().map(term).sum()
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

    /// `ELO0,ELO1` or `ELO0,ELO1,ALPHA,BETA`
    fn from_str(text: &str) -> Result<Sprt, String> {
        let numbers: Result<Vec<f64>, _> = text.split(',').map(str::parse).collect();
        let sprt = match numbers.as_deref() {
            Ok(&[elo0, elo1]) => Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 },
            Ok(&[elo0, elo1, alpha, beta]) => Sprt { elo0, elo1, alpha, beta },
            _ => return Err("written as ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA".to_string()),
        };
        let elo = -1000.0..=1000.0;
        if !elo.contains(&sprt.elo0) || !elo.contains(&sprt.elo1) || sprt.elo0 >= sprt.elo1 {
            return Err("ELO0 must be below ELO1, both between -1000 and 1000".to_string());
        }
        let is_rate = |rate: f64| rate > 0.0 && rate < 0.5;
        if !is_rate(sprt.alpha) || !is_rate(sprt.beta) {
            return Err("ALPHA and BETA lie between 0 and 0.5".to_string());
        }
        Ok(sprt)
    }
}

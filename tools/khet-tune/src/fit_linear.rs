//! Fits the evaluation weights to game results by logistic regression.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use khet_engine::tuning::{FEATURES, WEIGHTS, features};

use crate::target::{CHANCE_SCALE, cross_entropy, sigmoid, target};
use crate::training_file::{self, TrainingPosition};

/// Share of the game result in the target; the rest is the search score.
const RESULT_SHARE: f64 = 0.35;
/// Strength of the regularization towards the current weights, so that few games change little.
const REGULARIZATION: f64 = 3e-8;
/// Number of passes over all samples.
const EPOCHS: usize = 60;
/// Learning rate of the first epoch; it falls linearly to 0.
const LEARNING_RATE: f64 = 1.0;

/// A training sample: features for the side to move and its target score.
struct Sample {
    features: Vec<(u16, i8)>,
    result: f64,
}

/// Fits the weights of the linear evaluation, and writes them as Rust source.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Example: khet-tune fit-linear training.bin crates/khet-engine/src/weights.rs"
)]
pub(crate) struct FitLinearArgs {
    /// Files of training positions.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The source file to write.
    weights: PathBuf,
}

/// Fits the weights to the positions of the files.
pub(crate) fn run(args: &FitLinearArgs) -> Result<(), Box<dyn Error>> {
    let mut samples = Vec::new();
    for path in &args.files {
        for (_, each) in training_file::read(path)? {
            samples.extend(sample(&each));
        }
    }
    println!("{} positions", samples.len());
    let weights = descend(&samples);
    fs::write(&args.weights, weights_source(&weights))?;
    Ok(())
}

/// Creates a sample; `None` if the game has no result.
fn sample(position: &TrainingPosition) -> Option<Sample> {
    let (evaluated, result) = target(position, RESULT_SHARE)?;
    let mut counts = Vec::new();
    features(&evaluated, |feature, count| {
        if count != 0 {
            counts.push((feature as u16, count as i8));
        }
    });
    Some(Sample { features: counts, result })
}

/// Runs gradient descent with Adam, one step per batch.
fn descend(samples: &[Sample]) -> Vec<f64> {
    const BATCH_SIZE: usize = 4096;
    let start: Vec<f64> = WEIGHTS.iter().map(|&weight| f64::from(weight)).collect();
    let mut weights = start.clone();
    let (mut first, mut second) = (vec![0.0; FEATURES], vec![0.0; FEATURES]);
    // Every tenth position is kept for validation.
    let (tests, training): (Vec<_>, Vec<_>) =
        samples.iter().enumerate().partition(|(number, _)| number / 100 % 10 == 0);
    let mut steps = 0;
    for epoch in 0..EPOCHS {
        let mut loss = 0.0;
        // Each epoch uses another order: a stride that visits every sample once.
        let stride = [7919, 7907, 7901, 7883][epoch % 4];
        let order: Vec<usize> = (0..training.len()).map(|i| i * stride % training.len()).collect();
        for batch in order.chunks(BATCH_SIZE) {
            let mut gradient = vec![0.0; FEATURES];
            for &index in batch {
                let sample = training[index].1;
                let chance = chance(sample, &weights);
                loss += cross_entropy(chance, sample.result);
                for &(feature, count) in &sample.features {
                    gradient[usize::from(feature)] += (chance - sample.result) * f64::from(count);
                }
            }
            steps += 1;
            let (correct1, correct2) = (1.0 - 0.9f64.powi(steps), 1.0 - 0.999f64.powi(steps));
            let rate = LEARNING_RATE * (1.0 - epoch as f64 / EPOCHS as f64);
            for index in 0..FEATURES {
                let slope = gradient[index] / batch.len() as f64
                    + REGULARIZATION * (weights[index] - start[index]) * CHANCE_SCALE;
                first[index] = 0.9 * first[index] + 0.1 * slope;
                second[index] = 0.999 * second[index] + 0.001 * slope * slope;
                let step = first[index] / correct1 / ((second[index] / correct2).sqrt() + 1e-8);
                weights[index] -= rate * step;
            }
        }
        let test: f64 =
            tests.iter().map(|(_, s)| cross_entropy(chance(s, &weights), s.result)).sum();
        println!(
            "epoch {epoch}: loss {:.5}, validation loss {:.5}",
            loss / training.len() as f64,
            test / tests.len() as f64
        );
    }
    weights
}

/// Returns the winning chance that the weights predict.
fn chance(sample: &Sample, weights: &[f64]) -> f64 {
    let sum: f64 = sample
        .features
        .iter()
        .map(|&(feature, count)| weights[usize::from(feature)] * f64::from(count))
        .sum();
    sigmoid(sum)
}

/// Formats the weights as Rust source.
fn weights_source(weights: &[f64]) -> String {
    let mut text = String::from(
        "//! The weights of the features of the evaluation, in hundredths of a pyramid. Written by \
         `khet-tune`.\n\nuse crate::evaluate::FEATURES;\n\n/// One for each feature.\n\
         #[rustfmt::skip]\npub static WEIGHTS: [i16; FEATURES] = [\n",
    );
    for row in weights.chunks(20) {
        let numbers: Vec<String> =
            row.iter().map(|weight| (weight.round() as i16).to_string()).collect();
        text += &format!("    {},\n", numbers.join(", "));
    }
    text + "];\n"
}

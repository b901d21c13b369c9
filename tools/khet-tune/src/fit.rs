//! Logistic regression: weights under which the evaluation foretells the results best.

use std::error::Error;
use std::fs;

use khet::{Color, Comment, GameResult, Position, Records, SilverEval};
use khet_engine::tuning::{FEATURES, WEIGHTS, features};

/// How much the result of the game counts, and not what the engine foresaw: results alone are
/// noisy, and foresight alone teaches nothing new.
const RESULT: f64 = 0.35;
/// The first plies were drawn by lot.
const SKIP: usize = 8;
/// Winning chances: an advantage of this many hundredths of a pyramid makes 1 : e.
const SCALE: f64 = 220.0;
/// How strongly weights are drawn back to where they were: few games should not say much.
const PULL: f64 = 3e-8;
const ROUNDS: usize = 60;
const RATE: f64 = 1.0;

/// A position: its features for the side to move, and what became of that side.
struct Sample {
    features: Vec<(u16, i8)>,
    result: f64,
}

pub(crate) fn run(games: &[&str], out: &str) -> Result<(), Box<dyn Error>> {
    let mut samples = Vec::new();
    for path in games {
        for record in Records::new(&fs::read_to_string(path)?) {
            let record = record?;
            let result = match record.result() {
                GameResult::SilverWins => 1.0,
                GameResult::RedWins => 0.0,
                GameResult::Draw => 0.5,
                GameResult::Unknown => continue,
            };
            let game = record.game();
            for (position, ply) in game.positions().iter().zip(&record.line().plies).skip(SKIP) {
                let thought = ply.comments.iter().find_map(Comment::eval);
                if let Some(SilverEval::Cp(cents)) = thought {
                    let foreseen = sigmoid(f64::from(cents));
                    let result = RESULT * result + (1.0 - RESULT) * foreseen;
                    samples.push(sample(position, result));
                }
            }
        }
    }
    println!("{} positions", samples.len());
    let weights = descend(&samples);
    fs::write(out, source(&weights))?;
    Ok(())
}

/// The position as the search judges it: what the beam rests on is gone.
fn sample(position: &Position, silver: f64) -> Sample {
    let side = position.side_to_move();
    let aim = position.aim();
    let removed = aim.sweep().removed;
    let theirs = removed & position.of_color(!side);
    let judged = if !removed.is_empty() && removed == theirs { aim.after() } else { *position };
    let mut counts = Vec::new();
    features(&judged, |feature, count| {
        if count != 0 {
            counts.push((feature as u16, count as i8));
        }
    });
    let result = if judged.side_to_move() == Color::Silver { silver } else { 1.0 - silver };
    Sample { features: counts, result }
}

/// Adam, one step per batch.
fn descend(samples: &[Sample]) -> Vec<f64> {
    const BATCH: usize = 4096;
    let start: Vec<f64> = WEIGHTS.iter().map(|&weight| f64::from(weight)).collect();
    let mut weights = start.clone();
    let (mut first, mut second) = (vec![0.0; FEATURES], vec![0.0; FEATURES]);
    // Every 10th position is kept apart, to see whether what is learnt holds for others.
    let (tests, lessons): (Vec<_>, Vec<_>) =
        samples.iter().enumerate().partition(|(number, _)| number / 100 % 10 == 0);
    let mut steps = 0;
    for round in 0..ROUNDS {
        let mut loss = 0.0;
        // A different order each round: strides that visit every sample once.
        let stride = [7919, 7907, 7901, 7883][round % 4];
        let order: Vec<usize> = (0..lessons.len()).map(|i| i * stride % lessons.len()).collect();
        for batch in order.chunks(BATCH) {
            let mut gradient = vec![0.0; FEATURES];
            for &index in batch {
                let sample = lessons[index].1;
                let chance = chance(sample, &weights);
                loss += cross_entropy(chance, sample.result);
                for &(feature, count) in &sample.features {
                    gradient[usize::from(feature)] += (chance - sample.result) * f64::from(count);
                }
            }
            steps += 1;
            let (correct1, correct2) = (1.0 - 0.9f64.powi(steps), 1.0 - 0.999f64.powi(steps));
            let rate = RATE * (1.0 - round as f64 / ROUNDS as f64);
            for index in 0..FEATURES {
                let slope = gradient[index] / batch.len() as f64
                    + PULL * (weights[index] - start[index]) * SCALE;
                first[index] = 0.9 * first[index] + 0.1 * slope;
                second[index] = 0.999 * second[index] + 0.001 * slope * slope;
                let step = first[index] / correct1 / ((second[index] / correct2).sqrt() + 1e-8);
                weights[index] -= rate * step;
            }
        }
        let test: f64 =
            tests.iter().map(|(_, s)| cross_entropy(chance(s, &weights), s.result)).sum();
        println!(
            "round {round}: loss {:.5}, on other positions {:.5}",
            loss / lessons.len() as f64,
            test / tests.len() as f64
        );
    }
    weights
}

fn chance(sample: &Sample, weights: &[f64]) -> f64 {
    let sum: f64 = sample
        .features
        .iter()
        .map(|&(feature, count)| weights[usize::from(feature)] * f64::from(count))
        .sum();
    sigmoid(sum)
}

fn sigmoid(cents: f64) -> f64 {
    1.0 / (1.0 + (-cents / SCALE).exp())
}

fn cross_entropy(chance: f64, result: f64) -> f64 {
    let chance = chance.clamp(1e-9, 1.0 - 1e-9);
    -(result * chance.ln() + (1.0 - result) * (1.0 - chance).ln())
}

fn source(weights: &[f64]) -> String {
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

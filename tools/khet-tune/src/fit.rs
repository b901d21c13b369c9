//! Fits the network to training positions: AdamW on mini-batches with sparse inputs.
//!
//! The linear evaluation stays as it is; the network learns what is missing. The same files, seed
//! and options give the same network with any number of threads, because the gradients of a batch
//! are added up in a fixed order.

use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};
use std::thread;

use khet::Position;
use khet_engine::tuning::{
    HIDDEN, NETWORK_FEATURES, OUTPUT_SCALE, WEIGHTS, features, network_features, other_view,
};

use crate::checkpoint::{BIAS, COLUMNS, Checkpoint, FloatColumn, OUTPUT, OUTPUT_BIAS};
use crate::progress;
use crate::random::Random;
use crate::target::{CHANCE_SCALE, cross_entropy, target};
use crate::training_file;

/// Number of positions of one step.
const BATCH_SIZE: usize = 16_384;
/// Number of parts of a batch, whose gradients are added up in order.
const BATCH_PARTS: usize = 4;
/// Every game with a number that is a multiple of this is kept for validation.
const VALIDATION_INTERVAL: u32 = 20;
/// Learning rate at the end, as a share of the first one.
const FINAL_LEARNING_RATE: f32 = 0.01;
/// Decay of the averages of gradients and of their squares.
const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;

/// Fits the network to training positions.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Example: khet-tune fit training.bin --checkpoint network.fit --epochs 30 --seed 1"
)]
pub(crate) struct FitArgs {
    /// Files of training positions.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The file to write after each epoch.
    #[arg(long)]
    checkpoint: PathBuf,
    /// A checkpoint to start from; by default the weights are random.
    #[arg(long)]
    from: Option<PathBuf>,
    /// Number of passes over all positions.
    #[arg(long, default_value_t = 30)]
    epochs: usize,
    /// Learning rate of the first epoch; it falls to a hundredth.
    #[arg(long, default_value_t = 0.001)]
    learning_rate: f32,
    /// Decay of the weights per step, as a share of the learning rate.
    #[arg(long, default_value_t = 0.01)]
    weight_decay: f32,
    /// Share of the game result in the target; the rest is the search score.
    #[arg(long, default_value_t = 0.3)]
    result_share: f64,
    /// Seed of the first weights and of the order of the positions.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of threads; all cores by default.
    #[arg(long)]
    threads: Option<usize>,
}

/// Fits a network to the positions of the files.
pub(crate) fn run(args: &FitArgs) -> Result<(), Box<dyn Error>> {
    // The checkpoint is written after the first epoch, which can take long.
    if let Some(folder) = args.checkpoint.parent()
        && !folder.as_os_str().is_empty()
        && !folder.is_dir()
    {
        return Err(failed(&args.checkpoint, &"its folder does not exist").into());
    }
    let (mut training, mut validation) = (Samples::default(), Samples::default());
    for path in &args.files {
        load(path, args.result_share, &mut training, &mut validation)?;
    }
    println!("{} positions, {} for validation", training.len(), validation.len());
    if training.len() == 0 {
        return Err("there are no positions to learn from".into());
    }
    let mut checkpoint = match &args.from {
        Some(path) => Checkpoint::read(path).map_err(|error| failed(path, &error))?,
        None => Checkpoint::random(args.seed),
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.unwrap_or(cores).clamp(1, BATCH_PARTS);
    let mut optimizer = Optimizer::new(args);
    let mut order: Vec<u32> = (0..training.len() as u32).collect();
    let all_validation: Vec<u32> = (0..validation.len() as u32).collect();
    let batches = training.len().div_ceil(BATCH_SIZE);
    let steps = (batches * args.epochs) as f32;
    println!(
        "linear evaluation alone: validation loss {:.5}",
        mean_loss(
            &Checkpoint { columns: vec![[0.0; HIDDEN]; COLUMNS], ..Checkpoint::random(0) },
            &validation,
            &all_validation,
            threads
        )
    );
    for epoch in 0..args.epochs {
        shuffle(&mut order, &mut Random::new(args.seed, epoch as u64 + 1));
        let bar = progress::bar(batches as u64, "batches");
        let mut loss = 0.0;
        for (number, batch) in order.chunks(BATCH_SIZE).enumerate() {
            let gradient = gradient(&checkpoint, &training, batch, threads);
            loss += gradient.loss;
            let progress = (epoch * batches + number) as f32 / steps;
            optimizer.step(&mut checkpoint, &gradient.columns, batch.len(), progress);
            bar.inc(1);
        }
        bar.finish_and_clear();
        let validated = mean_loss(&checkpoint, &validation, &all_validation, threads);
        println!(
            "epoch {}: loss {:.5}, validation loss {validated:.5}",
            epoch + 1,
            loss / training.len() as f64
        );
        checkpoint.description = describe(args, training.len(), epoch + 1, validated);
        checkpoint.write(&args.checkpoint).map_err(|error| failed(&args.checkpoint, &error))?;
    }
    Ok(())
}

/// Returns the message that something failed with a file.
fn failed(path: &Path, problem: &dyn fmt::Display) -> String {
    format!("{}: {problem}", path.display())
}

/// Returns the description of a network.
fn describe(args: &FitArgs, positions: usize, epochs: usize, loss: f64) -> String {
    let names = args.files.iter().filter_map(|path| path.file_name()?.to_str());
    let files = names.collect::<Vec<&str>>().join(", ");
    let from = match args.from.as_deref().and_then(Path::file_name) {
        Some(from) => format!(", from {}", from.display()),
        None => String::new(),
    };
    format!(
        "{HIDDEN} hidden neurons, {positions} positions of {files}{from}, seed {}, {epochs} \
         epochs, learning rate {}, weight decay {}, result share {}, validation loss {loss:.5}",
        args.seed, args.learning_rate, args.weight_decay, args.result_share
    )
}

/// Positions as sparse inputs, in one piece of memory.
#[derive(Default)]
struct Samples {
    /// The features of all samples in the view of the side to move, one sample after the other.
    features: Vec<u16>,
    /// The end of each sample in `features`.
    ends: Vec<u32>,
    /// The logarithm of the odds by the linear evaluation.
    linear: Vec<f32>,
    /// The winning chance to predict.
    targets: Vec<f32>,
}

impl Samples {
    fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the features of a sample.
    fn features(&self, index: usize) -> &[u16] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.features[start as usize..self.ends[index] as usize]
    }

    fn push(&mut self, position: &Position, target: f64) {
        let side = position.side_to_move();
        network_features(position, side, |feature| self.features.push(feature as u16));
        self.ends.push(self.features.len() as u32);
        let mut linear = 0;
        features(position, |feature, count| linear += i32::from(WEIGHTS[feature]) * count);
        self.linear.push((f64::from(linear) / CHANCE_SCALE) as f32);
        self.targets.push(target as f32);
    }
}

/// Reads a file of positions.
fn load(
    path: &Path,
    result_share: f64,
    training: &mut Samples,
    validation: &mut Samples,
) -> Result<(), Box<dyn Error>> {
    let positions = training_file::read(path).map_err(|error| failed(path, &error))?;
    for (game, position) in positions {
        if let Some((evaluated, target)) = target(&position, result_share) {
            let validates = game % VALIDATION_INTERVAL == 0;
            let samples = if validates { &mut *validation } else { &mut *training };
            samples.push(&evaluated, target);
        }
    }
    Ok(())
}

/// Shuffles by Fisher and Yates.
fn shuffle(order: &mut [u32], random: &mut Random) {
    for index in (1..order.len()).rev() {
        order.swap(index, random.below(index + 1));
    }
}

/// The sum of gradients and losses over some samples.
struct Gradient {
    columns: Vec<FloatColumn>,
    loss: f64,
}

/// Returns the gradient of a batch.
fn gradient(weights: &Checkpoint, samples: &Samples, batch: &[u32], threads: usize) -> Gradient {
    let size = batch.len().div_ceil(BATCH_PARTS);
    let parts: Vec<&[u32]> = batch.chunks(size).collect();
    let mut gradients: Vec<Gradient> = Vec::new();
    for parts in parts.chunks(threads) {
        thread::scope(|scope| {
            let tasks: Vec<_> = parts
                .iter()
                .map(|part| scope.spawn(|| partial_gradient(weights, samples, part)))
                .collect();
            gradients.extend(tasks.into_iter().filter_map(|task| task.join().ok()));
        });
    }
    let mut gradients = gradients.into_iter();
    let Some(mut sum) = gradients.next() else {
        return Gradient { columns: vec![[0.0; HIDDEN]; COLUMNS], loss: 0.0 };
    };
    for gradient in gradients {
        for (sum, column) in sum.columns.iter_mut().zip(&gradient.columns) {
            add(sum, column);
        }
        sum.loss += gradient.loss;
    }
    sum
}

/// Adds up the gradients of samples by backpropagation.
fn partial_gradient(weights: &Checkpoint, samples: &Samples, part: &[u32]) -> Gradient {
    let other = other_views();
    let mut columns = vec![[0.0; HIDDEN]; COLUMNS];
    let mut loss = 0.0;
    for &index in part {
        let index = index as usize;
        let features = samples.features(index);
        let forward = Forward::new(weights, &other, features);
        let chance = logistic(samples.linear[index] + forward.output);
        loss += cross_entropy(f64::from(chance), f64::from(samples.targets[index]));
        let slope = chance - samples.targets[index];
        columns[OUTPUT_BIAS][0] += slope;
        let mut hidden_slopes = [[0.0; HIDDEN]; 2];
        for view in 0..2 {
            for neuron in 0..HIDDEN {
                let value = forward.hidden[view][neuron];
                columns[OUTPUT + view][neuron] += slope * value * value;
                let inside = if value > 0.0 && value < 1.0 { 1.0 } else { 0.0 };
                hidden_slopes[view][neuron] =
                    slope * weights.columns[OUTPUT + view][neuron] * 2.0 * value * inside;
            }
            add(&mut columns[BIAS], &hidden_slopes[view]);
        }
        for &feature in features {
            add(&mut columns[usize::from(feature)], &hidden_slopes[0]);
            add(&mut columns[usize::from(other[usize::from(feature)])], &hidden_slopes[1]);
        }
    }
    Gradient { columns, loss }
}

/// The values of the network for one sample.
struct Forward {
    /// The clipped hidden layer in the view of the side to move and in the other.
    hidden: [FloatColumn; 2],
    output: f32,
}

impl Forward {
    fn new(weights: &Checkpoint, other: &[u16], features: &[u16]) -> Forward {
        let columns = &weights.columns;
        let mut hidden = [columns[BIAS]; 2];
        for &feature in features {
            add(&mut hidden[0], &columns[usize::from(feature)]);
            add(&mut hidden[1], &columns[usize::from(other[usize::from(feature)])]);
        }
        let mut products = [0.0; HIDDEN];
        for (view, hidden) in hidden.iter_mut().enumerate() {
            for neuron in 0..HIDDEN {
                let value = hidden[neuron].clamp(0.0, 1.0);
                hidden[neuron] = value;
                products[neuron] += value * value * columns[OUTPUT + view][neuron];
            }
        }
        let output = columns[OUTPUT_BIAS][0] + products.iter().sum::<f32>();
        // One unit of the output is one unit of the logarithm of the odds.
        const { assert!(OUTPUT_SCALE as f64 == CHANCE_SCALE) };
        Forward { hidden, output }
    }
}

/// Returns the feature of the other view, by feature.
fn other_views() -> Vec<u16> {
    (0..NETWORK_FEATURES).map(|feature| other_view(feature) as u16).collect()
}

/// Returns the mean loss of samples. Like the gradients, the losses of the parts are added up in a
/// fixed order.
fn mean_loss(weights: &Checkpoint, samples: &Samples, indices: &[u32], threads: usize) -> f64 {
    let other = other_views();
    let loss = |part: &[u32]| -> f64 {
        let losses = part.iter().map(|&index| {
            let index = index as usize;
            let output = Forward::new(weights, &other, samples.features(index)).output;
            let chance = logistic(samples.linear[index] + output);
            cross_entropy(f64::from(chance), f64::from(samples.targets[index]))
        });
        losses.sum()
    };
    let size = indices.len().div_ceil(BATCH_PARTS).max(1);
    let parts: Vec<&[u32]> = indices.chunks(size).collect();
    let mut sum = 0.0;
    for parts in parts.chunks(threads) {
        sum = thread::scope(|scope| {
            let loss = &loss;
            let tasks: Vec<_> = parts.iter().map(|part| scope.spawn(move || loss(part))).collect();
            tasks.into_iter().filter_map(|task| task.join().ok()).fold(sum, |sum, part| sum + part)
        });
    }
    sum / indices.len().max(1) as f64
}

/// The state of AdamW.
struct Optimizer<'a> {
    args: &'a FitArgs,
    first: Vec<FloatColumn>,
    second: Vec<FloatColumn>,
    steps: i32,
}

impl Optimizer<'_> {
    fn new(args: &FitArgs) -> Optimizer<'_> {
        let zero = vec![[0.0; HIDDEN]; COLUMNS];
        Optimizer { args, first: zero.clone(), second: zero, steps: 0 }
    }

    /// Changes the weights by one step. `progress` is the share of the steps that are done.
    fn step(
        &mut self,
        weights: &mut Checkpoint,
        gradient: &[FloatColumn],
        samples: usize,
        progress: f32,
    ) {
        self.steps += 1;
        let (correct1, correct2) = (1.0 - BETA1.powi(self.steps), 1.0 - BETA2.powi(self.steps));
        let cosine = (1.0 + (progress * std::f32::consts::PI).cos()) / 2.0;
        let rate =
            self.args.learning_rate * (FINAL_LEARNING_RATE + (1.0 - FINAL_LEARNING_RATE) * cosine);
        let decay = rate * self.args.weight_decay;
        let share = 1.0 / samples as f32;
        let moments = self.first.as_flattened_mut().iter_mut().zip(self.second.as_flattened_mut());
        let weight = weights.columns.as_flattened_mut().iter_mut();
        for ((weight, slope), (first, second)) in weight.zip(gradient.as_flattened()).zip(moments) {
            let slope = slope * share;
            *first = BETA1 * *first + (1.0 - BETA1) * slope;
            *second = BETA2 * *second + (1.0 - BETA2) * slope * slope;
            let step = *first / correct1 / ((*second / correct2).sqrt() + 1e-8);
            *weight -= rate * step + decay * *weight;
        }
        weights.clip();
    }
}

/// Adds a column to another.
#[inline]
fn add(sum: &mut FloatColumn, column: &FloatColumn) {
    for (sum, value) in sum.iter_mut().zip(column) {
        *sum += value;
    }
}

/// Returns the winning chance of a logarithm of odds.
fn logistic(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

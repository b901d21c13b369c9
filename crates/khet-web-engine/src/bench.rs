//! The benchmark, reported in one line: `bench signature 41206 time 61 nps 675508`.

use std::time::Duration;

use khet_engine::{Engine, Options, bench};

/// Searches all positions of the benchmark to the depth given after `bench`.
pub(crate) fn run(depth: &str, now: fn() -> Duration) -> String {
    let depth = depth.trim().parse().unwrap_or(bench::DEPTH).clamp(1, 20);
    let mut engine = Engine::new(Options::default());
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for position in bench::positions() {
        engine.clear();
        let began = now();
        nodes += bench::search(&mut engine, position, depth);
        time += now().saturating_sub(began);
    }
    let per_second = nodes as f64 / time.as_secs_f64().max(1e-6);
    format!("bench signature {nodes} time {} nps {}", time.as_millis(), per_second as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_contains_the_signature() {
        let line = run(" 2", || Duration::ZERO);
        let mut words = line.split(' ');
        assert_eq!((words.next(), words.next()), (Some("bench"), Some("signature")));
        assert!(words.next().is_some_and(|nodes| nodes.parse::<u64>().is_ok()), "{line}");
    }
}

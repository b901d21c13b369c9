//! Prints how deep the engine searches positions with a tower in two seconds, and how fast:
//! `cargo run --release -p khet-engine --example tower_depth`

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use khet_engine::tower::{Engine, bench};
use khet_engine::{Control, Limits, Options, SearchRoot};

fn main() {
    let limits = Limits { movetime: Some(Duration::from_secs(2)), ..Limits::default() };
    for position in bench::positions() {
        println!("{position}");
        let mut engine = Engine::new(Options::default());
        let never = AtomicBool::new(false);
        let start = Instant::now();
        let elapsed = || start.elapsed();
        let control = Control { stop: &never, pondering: &never, elapsed: &elapsed };
        let search_root = SearchRoot::from_position(position);
        let best = engine.search(&search_root, limits, control, &mut |info| {
            let pv: Vec<String> = info.pv.iter().map(ToString::to_string).collect();
            println!(
                "depth {:2} seldepth {:2} score {:8} nodes {:8} time {:4} ms  {}",
                info.depth,
                info.seldepth,
                info.score.to_string(),
                info.nodes,
                info.time.as_millis(),
                pv.join(" ")
            );
        });
        println!("{:.0} nodes per second", best.nodes as f64 / start.elapsed().as_secs_f64());
    }
    println!("signature {}", bench::signature());
}

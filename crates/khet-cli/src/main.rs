//! wip
use std::time::Instant;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let s: khet::Setup = a[1].parse().unwrap();
    let d: u32 = a[2].parse().unwrap();
    let p = s.position();
    for _ in 0..a.get(4).map_or(3, |n| n.parse().unwrap()) {
        let t = Instant::now();
        let n = if a.len() > 3 { khet::perft_played(&p, d) } else { khet::perft(&p, d) };
        let e = t.elapsed().as_secs_f64();
        println!("{n} {e:.3} {:.3e}", n as f64 / e);
    }
}

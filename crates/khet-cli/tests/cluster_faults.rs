//! Plays through three nodes while nodes, PostgreSQL, NATS and the connections between them fail:
//! no acknowledged move is lost or doubled, and all spectators see the same events.
//!
//! 20 faults by default; `cargo xtask cluster-test --faults 200` is the longer run.
#![cfg(target_os = "linux")]

use std::path::PathBuf;
use std::time::Duration;
use std::{env, fs, process};

use khet_load::{ClusterTestOptions, cluster_test};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL and NATS"]
async fn no_acknowledged_move_is_lost_while_parts_of_a_cluster_fail() {
    // The user of PostgreSQL can enter it too.
    let folder = env::temp_dir().join(format!("khet-cluster-faults-{}", process::id()));
    let options = ClusterTestOptions {
        binary: PathBuf::from(env!("CARGO_BIN_EXE_khet")),
        folder: folder.clone(),
        nodes: 3,
        faults: 20,
        kinds: Vec::new(),
        games: 12,
        seed: fastrand::u64(..1_000_000),
        // More than the documented two seconds: on a machine that is busy with other tests, time
        // passes that no fault cost. The longer run compares with two seconds.
        max_loss: Duration::from_secs(10),
        takeover_time: Duration::from_secs(8),
        self_test: true,
    };
    println!("seed {}, evidence in {}", options.seed, folder.display());
    let report = cluster_test(&options).await.expect("a run");
    assert_eq!(report.violations, Vec::<String>::new());
    assert_eq!(report.violation_count, 0);
    assert!(report.moves_compared > 0 && report.damages_tried > 0, "{report:?}");
    let _ = fs::remove_dir_all(&folder);
}

//! One thread and a depth give the same nodes, score and move, again and again and everywhere.

use khet::Setup;
use khet_engine::{Engine, Limits, Options, Task, bench};

/// `cargo xtask test` asks the same of the engine as WebAssembly.
#[test]
fn the_signature_is_the_one_on_file() {
    assert_eq!(bench::signature(), bench::SIGNATURE);
}

#[test]
fn equal_questions_have_equal_answers() {
    for setup in [Setup::Classic, Setup::Khet2Dynasty, Setup::Isis] {
        let task = Task::from_position(setup.position());
        for limits in [
            Limits { nodes: Some(20_000), ..Limits::default() },
            Limits { depth: Some(6), ..Limits::default() },
        ] {
            let answer = || Engine::new(Options::default()).search_alone(&task, limits);
            assert_eq!(answer(), answer(), "{setup}");
        }
    }
}

//! With one thread and a limit of depth or nodes, the search is deterministic on every machine.

use khet::Setup;
use khet_engine::{Engine, Limits, Options, SearchRoot, bench};

/// `cargo xtask test` checks the same for the WebAssembly build.
#[test]
fn signature_is_the_recorded_one() {
    assert_eq!(bench::signature(), bench::SIGNATURE);
}

#[test]
fn equal_searches_have_equal_results() {
    for setup in [Setup::Classic, Setup::Khet2Dynasty, Setup::Isis] {
        let search_root = SearchRoot::from_position(setup.position());
        for limits in [
            Limits { nodes: Some(20_000), ..Limits::default() },
            Limits { depth: Some(6), ..Limits::default() },
        ] {
            let answer = || Engine::new(Options::default()).search_to_limits(&search_root, limits);
            assert_eq!(answer(), answer(), "{setup}");
        }
    }
}

//! Draws by repetition in the search, under the rules of both editions.

use khet::{Game, Move, MoverEval, Position, Rules};
use khet_engine::{BestMove, Engine, Limits, Options, SearchRoot};

/// The classic setup, from which Red has lost most of its pyramids. Silver is to move.
const SILVER_IS_AHEAD: &str = "4o2ko2p22/10/3P46/2P31d1d23P4/2P41D2D13P3/10/7P12/2P4O2KO24 s";

/// Moves after which the same position occurs again.
const CYCLE: [&str; 4] = ["h2+", "h8+", "h2-", "h8-"];

const RULES: [Rules; 2] = [Rules::Standard, Rules::Czech];

fn mv(text: &str) -> Move {
    text.parse().expect("a move")
}

/// Returns a game in which the cycle has been played this number of times.
fn game(rules: Rules, cycles: usize) -> Game {
    let start: Position = SILVER_IS_AHEAD.parse().expect("a position");
    let mut game = Game::new(start.with_rules(rules));
    for text in CYCLE.iter().cycle().take(cycles * CYCLE.len()) {
        game.play(mv(text)).expect("legal");
    }
    game
}

/// Returns a game in which the position after `h2+`, with Red to move, has occurred so often that
/// Red could claim a draw if Silver played it again.
fn game_before_repetition(rules: Rules) -> Game {
    game(rules, rules.draw_claim_at() - 1)
}

fn search(engine: &mut Engine, search_root: &SearchRoot, depth: u32) -> BestMove {
    engine.search_to_limits(search_root, Limits { depth: Some(depth), ..Limits::default() })
}

fn is_clearly_winning(score: MoverEval) -> bool {
    matches!(score, MoverEval::Cp(150..) | MoverEval::MateIn(1..))
}

#[test]
fn losing_side_claims_the_draw() {
    for rules in RULES {
        let search_root = SearchRoot::new(&game_before_repetition(rules)).only(&[mv("h2+")]);
        // Depth 1 ends in quiescence, the others in the interior search.
        for depth in 1..=6 {
            let score = search(&mut Engine::new(Options::default()), &search_root, depth).score;
            assert_eq!(score, MoverEval::Cp(0), "{rules}, depth {depth}");
        }
    }
}

#[test]
fn claim_takes_enough_occurrences_in_the_game() {
    for rules in RULES {
        let game = game(rules, rules.draw_claim_at() - 2);
        let search_root = SearchRoot::new(&game).only(&[mv("h2+")]);
        for depth in 1..=6 {
            let score = search(&mut Engine::new(Options::default()), &search_root, depth).score;
            assert!(is_clearly_winning(score), "{rules}, depth {depth}: {score}");
        }
    }
}

#[test]
fn winning_side_avoids_the_repetition() {
    for rules in RULES {
        let search_root = SearchRoot::new(&game_before_repetition(rules));
        for depth in 1..=6 {
            let answer = search(&mut Engine::new(Options::default()), &search_root, depth);
            assert_ne!(answer.mv, Some(mv("h2+")), "{rules}, depth {depth}");
            assert!(is_clearly_winning(answer.score), "{rules}, depth {depth}: {}", answer.score);
        }
    }
}

#[test]
fn claim_is_not_stored_in_the_transposition_table() {
    for rules in RULES {
        let mut engine = Engine::new(Options::default());
        let game = game_before_repetition(rules);
        let with_claim = SearchRoot::new(&game).only(&[mv("h2+")]);
        let without_history = SearchRoot::from_position(*game.position()).only(&[mv("h2+")]);
        for _ in 0..2 {
            assert_eq!(search(&mut engine, &with_claim, 5).score, MoverEval::Cp(0), "{rules}");
            let score = search(&mut engine, &without_history, 5).score;
            assert!(is_clearly_winning(score), "{rules}: {score}");
        }
    }
}

/// The caller compares the score of playing on with a draw, so the root must not hide a loss.
#[test]
fn root_score_is_that_of_playing_on() {
    for rules in RULES {
        let mut game = game_before_repetition(rules);
        game.play(mv("h2+")).expect("legal");
        assert!(game.can_claim_draw(), "{rules}");
        for depth in 1..=5 {
            let search_root = SearchRoot::new(&game);
            let score = search(&mut Engine::new(Options::default()), &search_root, depth).score;
            assert!(score.prefers_draw(), "{rules}, depth {depth}: {score}");
        }
    }
}

//! The pages of the puzzles: solving by every input, refutations, storm, streak, progress.

use std::sync::LazyLock;

use khet::{Move, Position, Square};
use khet_browser_tests::{Browser, Device, Key, in_browser, type_move, word};
use khet_puzzles::{Puzzle, PuzzleId, PuzzleTheme, read_puzzles};
use serde_json::{Value, json};

use crate::SERVER;
use crate::online::sign_up;

/// The published set.
static PUZZLES: LazyLock<Vec<Puzzle>> = LazyLock::new(|| {
    let text = include_str!("../../../../data/puzzles.txt");
    read_puzzles(text).collect::<Result<_, _>>().expect("puzzles")
});

/// A JavaScript condition: no shot is animated and the solver is to move.
const IS_READY: &str = "document.querySelector('.puzzle-board[data-stage=solver]')
    && !document.querySelector('.puzzle-board .shot')";

/// Makes the clock of the page run ahead by `window.skipped` milliseconds.
const MOVABLE_CLOCK: &str = "const real = performance.now.bind(performance);
    window.skipped = 0;
    performance.now = () => real() + window.skipped;";

fn is_step(mv: Move) -> bool {
    matches!(mv, Move::Step { .. })
}

/// Returns a puzzle with two moves of the solver, both of which go to another square.
fn two_steps() -> &'static Puzzle {
    let fits = |puzzle: &&Puzzle| {
        puzzle.line.solver_moves() == 2
            && puzzle.line.solver_plies().all(|(ply, _)| is_step(ply.mv))
    };
    PUZZLES.iter().find(fits).expect("such a puzzle")
}

/// Returns a step that is not the solution and does not win.
fn wrong_step(puzzle: &Puzzle) -> Move {
    let right = puzzle.line.plies()[0].mv;
    let fits = |mv: &Move| {
        let mut after: Position = *puzzle.line.start();
        after.play_unchecked(*mv);
        *mv != right && is_step(*mv) && after.outcome().is_none()
    };
    puzzle.line.start().legal_moves().iter().copied().find(fits).expect("a wrong move")
}

fn open(browser: &Browser, puzzle: &Puzzle) {
    browser.open(&SERVER.at(&format!("/en/puzzles/{}", puzzle.id())));
    browser.until(IS_READY);
}

/// Returns the puzzle that the page shows.
fn shown(browser: &Browser) -> &'static Puzzle {
    browser.wait_for(".puzzle-page[data-puzzle]");
    let name = browser.text("document.querySelector('.puzzle-page').dataset.puzzle");
    let id: PuzzleId = name.parse().expect("a name");
    PUZZLES.iter().find(|puzzle| puzzle.id() == id).expect("a puzzle of the set")
}

fn square(square: Square) -> String {
    format!(".puzzle-board [data-square={square}]")
}

fn squares(mv: Move) -> [Square; 2] {
    mv.squares().expect("a piece moves")
}

/// Makes a step by clicks or taps.
fn point(browser: &Browser, mv: Move, act: impl Fn(&Browser, &str)) {
    browser.until(IS_READY);
    for at in squares(mv) {
        act(browser, &square(at));
    }
}

/// Makes a step by keys on the board.
fn press(browser: &Browser, mv: Move) {
    browser.until(IS_READY);
    browser.tab_to(".puzzle-board .cell");
    for at in squares(mv) {
        let offset = browser.script(
            "const here = document.activeElement, there = document.querySelector(arguments[0]);
             return ['x', 'y'].map((side) => (there.getAttribute(side) - here.getAttribute(side)) / 100);",
            json!([square(at)]),
        );
        let steps = |index: usize| offset[index].as_f64().unwrap_or_default() as i32;
        for (count, back, forth) in
            [(steps(0), Key::Left, Key::Right), (steps(1), Key::Up, Key::Down)]
        {
            let key = if count < 0 { back } else { forth };
            browser.press(&vec![key; count.unsigned_abs() as usize]);
        }
        browser.press(&[Key::Enter]);
    }
}

/// Types the rest of the solution of the puzzle that the page shows.
fn type_solution(browser: &Browser, puzzle: &Puzzle) {
    for (ply, _) in puzzle.line.solver_plies() {
        browser.until(IS_READY);
        type_move(browser, &ply.mv.to_string());
        browser.until(&format!(
            "document.querySelector('.puzzle-board').dataset.stage !== 'solver'
             || document.querySelector('.puzzle-page').dataset.puzzle !== '{}'",
            puzzle.id()
        ));
    }
}

fn until_result(browser: &Browser, result: &str) {
    browser.wait_for(&format!(".puzzle-page[data-result={result}]"));
}

/// Returns the stored progress of the device.
fn progress(browser: &Browser) -> String {
    browser.text("localStorage.getItem('khet.puzzles')")
}

fn still(device: Device) -> Device {
    Device { less_motion: true, ..device }
}

#[test]
#[ignore = "needs the built app and a browser"]
fn puzzle_is_solved_by_mouse() {
    in_browser(still(Device::DESKTOP), |browser| {
        let puzzle = two_steps();
        open(browser, puzzle);
        for (ply, _) in puzzle.line.solver_plies() {
            point(browser, ply.mv, Browser::click);
        }
        until_result(browser, "solved");
        let message = browser.text("document.querySelector('.puzzle-message').textContent");
        assert_eq!(message, word("en", "puzzles_solved"));
        assert!(progress(browser).contains(&format!("try {}", puzzle.id())));
        browser.wait_for(".puzzle-summary [data-action=analyse][href*='position=']");
        // The next one is chosen by training.
        browser.click("[data-action=next]");
        browser.until("location.pathname === '/en/puzzles/training'");
        browser.until(IS_READY);
        assert_ne!(shown(browser).id(), puzzle.id());
        // All themes, and each that has puzzles.
        let has_puzzles =
            |theme: &PuzzleTheme| PUZZLES.iter().any(|puzzle| puzzle.themes.contains(*theme));
        let themes = PuzzleTheme::ALL.iter().filter(|theme| has_puzzles(theme)).count();
        let options = "document.querySelectorAll('[data-field=theme] option').length";
        assert_eq!(browser.value(options), themes + 1);
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn puzzle_is_solved_by_keys() {
    in_browser(still(Device::DESKTOP), |browser| {
        let puzzle = two_steps();
        open(browser, puzzle);
        let plies: Vec<_> = puzzle.line.solver_plies().collect();
        press(browser, plies[0].0.mv);
        browser.until("document.querySelector('.puzzle-board').dataset.stage !== 'solver'");
        browser.until(IS_READY);
        type_move(browser, &plies[1].0.mv.to_string());
        until_result(browser, "solved");
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn puzzle_is_solved_on_a_phone() {
    in_browser(still(Device::PHONE), |browser| {
        let puzzle = two_steps();
        open(browser, puzzle);
        let width = "document.querySelector('.puzzle-board .board').getBoundingClientRect().width";
        assert!(browser.value(width).as_f64().is_some_and(|width| width > 380.0));
        for (ply, _) in puzzle.line.solver_plies() {
            point(browser, ply.mv, Browser::tap);
        }
        until_result(browser, "solved");
        assert_eq!(browser.value("document.documentElement.scrollWidth > innerWidth"), false);
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn wrong_move_is_refuted_and_taken_back() {
    in_browser(still(Device::DESKTOP), |browser| {
        let puzzle = two_steps();
        open(browser, puzzle);
        let wrong = wrong_step(puzzle);
        point(browser, wrong, Browser::click);
        browser.wait_for(".puzzle-board[data-stage=refuted]");
        let message = "document.querySelector('.puzzle-message').textContent";
        assert!(browser.text(message).starts_with(&wrong.to_string()), "{}", browser.text(message));
        browser.until(IS_READY);
        assert!(browser.text(message).contains(&word("en", "puzzles_try_again")));
        assert!(progress(browser).contains(&format!("try {} ", puzzle.id())));
        assert!(progress(browser).contains(" failed "));
        for (ply, _) in puzzle.line.solver_plies() {
            point(browser, ply.mv, Browser::click);
        }
        until_result(browser, "failed");
        // The second attempt has a result of its own, and only the first one counts.
        browser.click("[data-action=again]");
        type_solution(browser, puzzle);
        until_result(browser, "solved");
        assert_eq!(progress(browser).matches("try ").count(), 1);
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn hints_mark_the_piece_then_the_move_and_the_solution_plays_itself() {
    in_browser(still(Device::DESKTOP), |browser| {
        let puzzle = two_steps();
        open(browser, puzzle);
        browser.click("[data-action=hint]");
        browser.wait_for(".puzzle-mark circle");
        let [from, to] = squares(puzzle.line.plies()[0].mv);
        let message = || browser.text("document.querySelector('.puzzle-message').textContent");
        assert!(message().contains(&from.to_string()), "{}", message());
        browser.click("[data-action=hint]");
        browser.wait_for(".puzzle-board .hint");
        assert!(message().contains(&to.to_string()), "{}", message());
        browser.click("[data-action=solution]");
        until_result(browser, "failed");
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn puzzles_work_offline() {
    in_browser(still(Device::DESKTOP), |browser| {
        browser.open(&SERVER.at("/en/puzzles"));
        browser.wait_for(".puzzle-card.daily .board");
        // The service worker takes control when it has cached everything.
        browser.until("navigator.serviceWorker.controller");
        browser.set_offline(true);
        browser.open(&SERVER.at("/en/puzzles/training?theme=swap"));
        let puzzle = shown(browser);
        assert!(puzzle.themes.contains(PuzzleTheme::Swap));
        type_solution(browser, puzzle);
        until_result(browser, "solved");
        browser.open(&SERVER.at("/en/puzzles/daily"));
        browser.until(IS_READY);
        browser.set_offline(false);
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn storm_counts_puzzles_until_its_time_is_over() {
    in_browser(still(Device::DESKTOP), |browser| {
        browser.open(&SERVER.at("/en/puzzles/storm"));
        browser.wait_for("[data-action=start]");
        browser.script(MOVABLE_CLOCK, json!([]));
        browser.click("[data-action=start]");
        browser.until(IS_READY);
        assert_eq!(browser.text("document.querySelector('.puzzle-clock').textContent"), "3:00");
        let mut seen = Vec::new();
        for solved in 0..2 {
            let puzzle = shown(browser);
            assert!(!seen.contains(&puzzle.id()), "each puzzle comes once");
            seen.push(puzzle.id());
            type_solution(browser, puzzle);
            let score = solved + 1;
            browser.until(&format!("document.querySelector('[data-score=\"{score}\"]')"));
            browser.until(&format!(
                "document.querySelector('.puzzle-page').dataset.puzzle !== '{}'",
                puzzle.id()
            ));
        }
        let puzzle = shown(browser);
        browser.until(IS_READY);
        type_move(browser, &wrong_step(puzzle).to_string());
        browser.until(&format!(
            "document.querySelector('.puzzle-page').dataset.puzzle !== '{}'",
            puzzle.id()
        ));
        browser.script("window.skipped = 180_000;", json!([]));
        browser.wait_for(".puzzle-page[data-state=over]");
        browser.wait_for(&format!(".puzzle-summary a[href$='/puzzles/{}']", puzzle.id()));
        assert!(progress(browser).contains("best 2 0"), "{}", progress(browser));
        browser.click("[data-action=start]");
        browser.wait_for(".puzzle-page[data-state=running][data-score='0']");
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn streak_allows_one_skip_and_ends_with_the_first_error() {
    in_browser(still(Device::PHONE), |browser| {
        browser.open(&SERVER.at("/en/puzzles/streak"));
        browser.tap("[data-action=start]");
        browser.until(IS_READY);
        let first = shown(browser);
        browser.tap("[data-action=skip]");
        browser.until(&format!(
            "document.querySelector('.puzzle-page').dataset.puzzle !== '{}'",
            first.id()
        ));
        assert_eq!(browser.value("document.querySelector('[data-action=skip]')"), Value::Null);
        type_solution(browser, shown(browser));
        browser.wait_for("[data-score='1']");
        browser.until(IS_READY);
        let last = shown(browser);
        type_move(browser, &wrong_step(last).to_string());
        browser.wait_for(".puzzle-page[data-state=over][data-score='1']");
        assert!(progress(browser).contains("best 0 1"), "{}", progress(browser));
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn progress_survives_reload_and_sign_in() {
    in_browser(still(Device::DESKTOP), |browser| {
        let puzzle = two_steps();
        open(browser, puzzle);
        type_solution(browser, puzzle);
        until_result(browser, "solved");
        browser.open(&SERVER.at("/en/puzzles/dashboard"));
        browser.wait_for(&format!(".puzzle-history a[href$='/{}']", puzzle.id()));
        browser.reload();
        browser.wait_for(&format!(".puzzle-history a[href$='/{}']", puzzle.id()));
        let rating = "document.querySelector('.puzzle-numbers dd').textContent";
        assert_ne!(browser.text(rating), "1500?", "the solved puzzle changed the rating");
        sign_up(browser, &SERVER, "PuzzleSolver");
        browser.open(&SERVER.at("/en/puzzles/dashboard"));
        browser.wait_for(".puzzles-dashboard[data-source=account]");
        browser.wait_for(&format!(".puzzle-history a[href$='/{}']", puzzle.id()));
        assert!(progress(browser).contains(" sent\n"), "{}", progress(browser));
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn only_the_programs_of_puzzles_load_them() {
    in_browser(Device::DESKTOP, |browser| {
        let loaded = "performance.getEntriesByType('resource').map((file) => file.name)
            .filter((name) => name.includes('/puzzle-slice')).length";
        browser.open(&SERVER.at("/en"));
        browser.wait_for("main h1");
        assert_eq!(browser.value(loaded), 0);
        browser.open(&SERVER.at("/en/puzzles/training"));
        browser.until(IS_READY);
        assert_eq!(browser.value(loaded), 1, "one slice is enough");
    });
}

//! A start position that another page chose for the next game.

use std::cell::Cell;

use khet::{Placement, Rules, Setup};

use crate::browser::storage;
use crate::game::options::NewGameOptions;

/// Storage key of a start position from another program of the app: only storage survives the page
/// load between programs.
const PENDING_START_KEY: &str = "khet.wish";

thread_local! {
    static PENDING_SETUP: Cell<Option<Setup>> = const { Cell::new(None) };
}

/// Preselects this setup on the next page for a new game.
pub fn set_pending_setup(setup: Setup) {
    PENDING_SETUP.set(Some(setup));
}

/// Preselects this position on the next page for a new game, in any program.
pub(crate) fn set_pending_position(placement: &Placement, rules: Rules) {
    storage::store(PENDING_START_KEY, &format_start(placement, rules));
}

/// Moves the pending start into `choice`. Returns whether there was one.
pub(crate) fn take_into(choice: &mut NewGameOptions) -> bool {
    if let Some(setup) = PENDING_SETUP.take() {
        choice.setup = Some(setup);
        return true;
    }
    let stored = storage::load_or_empty(PENDING_START_KEY);
    if stored.is_empty() {
        return false;
    }
    storage::store(PENDING_START_KEY, "");
    let Some((placement, rules)) = parse_start(&stored) else { return false };
    choice.setup = Setup::of(&placement);
    choice.own = placement.to_string();
    choice.rules = rules;
    true
}

/// Formats a start position: `czech 4k5/10/… s`.
fn format_start(placement: &Placement, rules: Rules) -> String {
    format!("{rules} {placement}")
}

/// Parses a stored start position.
fn parse_start(text: &str) -> Option<(Placement, Rules)> {
    let (rules, placement) = text.split_once(' ')?;
    Some((placement.parse().ok()?, rules.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_start_is_read_back() {
        for (setup, rules) in [(Setup::Classic, Rules::Czech), (Setup::Isis, Rules::Standard)] {
            let placement = setup.placement();
            assert_eq!(parse_start(&format_start(&placement, rules)), Some((placement, rules)));
        }
        for broken in ["", "czech", "moon 4k5", "standard 4k5"] {
            assert_eq!(parse_start(broken), None, "{broken}");
        }
    }
}

//! A start position that another page chose for the next game.

use std::cell::Cell;

use khet::{Placement, Rules, Setup};

use crate::browser::storage;
use crate::game::options::NewGameOptions;

/// Storage key of a start position from another program of the app: only storage survives the page
/// load between programs.
const KEY: &str = "khet.wish";

thread_local! {
    static PENDING_SETUP: Cell<Option<Setup>> = const { Cell::new(None) };
}

/// Preselects this setup on the next page for a new game.
pub fn set_pending_setup(setup: Setup) {
    PENDING_SETUP.set(Some(setup));
}

/// Preselects this position on the next page for a new game, in any program.
pub(crate) fn set_pending_position(placement: &Placement, rules: Rules) {
    storage::store(KEY, &write(placement, rules));
}

/// Moves the pending start into `choice`. Returns whether there was one.
pub(crate) fn take_into(choice: &mut NewGameOptions) -> bool {
    if let Some(setup) = PENDING_SETUP.take() {
        choice.setup = Some(setup);
        return true;
    }
    let waiting = storage::load_or_empty(KEY);
    if waiting.is_empty() {
        return false;
    }
    storage::store(KEY, "");
    let Some((placement, rules)) = read(&waiting) else { return false };
    choice.setup = Setup::of(&placement);
    choice.own = placement.to_string();
    choice.rules = rules;
    true
}

/// Formats a start position: `czech 4k5/10/… s`.
fn write(placement: &Placement, rules: Rules) -> String {
    format!("{rules} {placement}")
}

fn read(text: &str) -> Option<(Placement, Rules)> {
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
            assert_eq!(read(&write(&placement, rules)), Some((placement, rules)));
        }
        for broken in ["", "czech", "moon 4k5", "standard 4k5"] {
            assert_eq!(read(broken), None, "{broken}");
        }
    }
}

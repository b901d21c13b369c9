//! A start position that another page chose for the next game.

use std::cell::Cell;

use khet::{AnySetup, Rules};

use crate::browser::storage;
use crate::game::options::NewGameOptions;
use crate::rules::{Placement, setup_of};

/// Storage key of a start position from another program of the app: only storage survives the page
/// load between programs.
const PENDING_START_KEY: &str = "khet.wish";

/// The stored text if the options of the game are stored already.
const STORED_OPTIONS: &str = "options";

thread_local! {
    static PENDING_SETUP: Cell<Option<AnySetup>> = const { Cell::new(None) };
}

/// Preselects this setup on the next page for a new game.
pub fn set_pending_setup(setup: AnySetup) {
    PENDING_SETUP.set(Some(setup));
}

/// Preselects this position on the next page for a new game, in any program. `name` is the name
/// under which it was published, or an empty text.
pub(crate) fn set_pending_position(placement: &Placement, rules: Rules, name: &str) {
    storage::store(PENDING_START_KEY, &format_start(placement, rules, name));
}

/// Lets the next page for a new game show its form, with the options as they are stored.
pub(crate) fn set_pending_form() {
    storage::store(PENDING_START_KEY, STORED_OPTIONS);
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
    if stored == STORED_OPTIONS {
        return true;
    }
    let Some((placement, rules, name)) = parse_start(&stored) else { return false };
    choice.setup = setup_of(&placement);
    choice.own = placement.to_string();
    choice.own_name = name.to_string();
    choice.rules = rules;
    true
}

/// Formats a start position: `czech 4k5/10/… s`, and its name on a second line.
fn format_start(placement: &Placement, rules: Rules, name: &str) -> String {
    format!("{rules} {placement}\n{}", name.replace('\n', " "))
}

/// Parses a stored start position. Earlier versions stored no name.
fn parse_start(text: &str) -> Option<(Placement, Rules, &str)> {
    let (start, name) = text.split_once('\n').unwrap_or((text, ""));
    let (rules, placement) = start.split_once(' ')?;
    Some((placement.parse().ok()?, rules.parse().ok()?, name))
}

#[cfg(test)]
mod tests {
    use khet::Setup;

    use super::*;

    #[test]
    fn stored_start_is_read_back() {
        for (setup, rules) in [(Setup::Classic, Rules::Czech), (Setup::Isis, Rules::Standard)] {
            let placement = Placement::from(setup.placement());
            let text = format_start(&placement, rules, "Two\ntowers");
            assert_eq!(parse_start(&text), Some((placement, rules, "Two towers")));
            let unnamed = format!("{rules} {placement}");
            assert_eq!(parse_start(&unnamed), Some((placement, rules, "")));
        }
        for broken in ["", "czech", "moon 4k5", "standard 4k5"] {
            assert_eq!(parse_start(broken), None, "{broken}");
        }
    }
}

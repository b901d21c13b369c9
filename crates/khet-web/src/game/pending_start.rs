//! A start that was asked for on another page, for the next game.

use std::cell::Cell;

use khet::{Placement, Rules, Setup};

use crate::browser::storage;
use crate::game::options::Choice;

/// Where a wish waits that comes from another program: between programs the browser loads the page anew.
const KEY: &str = "khet.wish";

thread_local! {
    static PENDING_SETUP: Cell<Option<Setup>> = const { Cell::new(None) };
}

/// The next page of games that is opened offers a game with this setup.
pub fn set_pending_setup(setup: Setup) {
    PENDING_SETUP.set(Some(setup));
}

/// The next page of games that is opened, in whichever program, offers a game from this position.
pub(crate) fn set_pending_position(placement: &Placement, rules: Rules) {
    storage::store(KEY, &write(placement, rules));
}

/// Puts what was asked for into a choice, and says whether there was something; it is asked for once.
pub(crate) fn take_into(choice: &mut Choice) -> bool {
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

/// `czech 4k5/10/… s`
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
    fn a_wish_is_read_as_it_is_written() {
        for (setup, rules) in [(Setup::Classic, Rules::Czech), (Setup::Isis, Rules::Standard)] {
            let placement = setup.placement();
            assert_eq!(read(&write(&placement, rules)), Some((placement, rules)));
        }
        for broken in ["", "czech", "moon 4k5", "standard 4k5"] {
            assert_eq!(read(broken), None, "{broken}");
        }
    }
}

//! A setup that was asked for on another page, for the next game.

use std::cell::Cell;

use khet::Setup;

thread_local! {
    static WISH: Cell<Option<Setup>> = const { Cell::new(None) };
}

/// The next page of games that is opened offers a game with this setup.
pub fn wish_for(setup: Setup) {
    WISH.set(Some(setup));
}

/// The setup that was asked for; it is asked for once.
pub(super) fn take() -> Option<Setup> {
    WISH.take()
}

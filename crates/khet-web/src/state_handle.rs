//! Handles to the state of pages and components.

use std::ops::Deref;

/// A handle to a state of many signals: a pointer, which closures copy cheaply.
///
/// The state is allocated once and never freed, because a view may keep handles for as long as the
/// tab is open. It takes a few hundred bytes. The code that copied dozens of signals into each
/// closure of a view took a twentieth of the app.
pub(crate) struct StateHandle<T: 'static>(&'static T);

impl<T> StateHandle<T> {
    /// Allocates a state.
    pub(crate) fn allocate(state: T) -> StateHandle<T> {
        StateHandle(Box::leak(Box::new(state)))
    }
}

impl<T> Clone for StateHandle<T> {
    fn clone(&self) -> StateHandle<T> {
        *self
    }
}

impl<T> Copy for StateHandle<T> {}

impl<T> Deref for StateHandle<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0
    }
}

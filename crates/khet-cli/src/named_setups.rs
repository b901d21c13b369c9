//! The named setups, those with a tower too.

use khet::{AnyPlacement, Setup, tower};

use crate::output::Problem;

/// Most characters of an unknown name that its error message quotes.
const MAX_QUOTED: usize = 40;

/// A starting position with a name.
pub(crate) struct NamedSetup {
    pub(crate) name: &'static str,
    pub(crate) placement: AnyPlacement,
}

/// Iterates over all named setups.
pub(crate) fn named_setups() -> impl Iterator<Item = NamedSetup> {
    let standard = Setup::ALL.into_iter().map(|setup| (setup.name(), setup.placement().into()));
    let with_tower =
        tower::Setup::ALL.into_iter().map(|setup| (setup.name(), setup.placement().into()));
    standard.chain(with_tower).map(|(name, placement)| NamedSetup { name, placement })
}

/// Returns the setup with a name, in upper or lower case.
pub(crate) fn find_setup(name: &str) -> Option<NamedSetup> {
    named_setups().find(|setup| setup.name.eq_ignore_ascii_case(name))
}

/// Returns the name of the setup with a placement.
pub(crate) fn setup_name(placement: &AnyPlacement) -> Option<&'static str> {
    named_setups().find(|setup| setup.placement == *placement).map(|setup| setup.name)
}

/// Returns the error for a text that is neither a position nor a setup's name.
pub(crate) fn unknown_setup(text: &str) -> Problem {
    let quoted: String = text.chars().take(MAX_QUOTED).collect();
    let names: Vec<&str> = named_setups().map(|setup| setup.name).collect();
    let names = names.join(", ");
    Problem::Input(format!(
        "neither a position nor a setup's name: {quoted:?}: the setups are {names}"
    ))
}

//! The named setups with and without a tower, for forms and messages that offer both.

use std::fmt;
use std::str::FromStr;

use crate::setups::find_by_name;
use crate::{AnyPlacement, AnyPosition, ParseSetupError, Setup, tower};

/// A named setup with or without a tower.
///
/// ```
/// use khet::{AnySetup, Setup, tower};
///
/// assert_eq!("isis".parse(), Ok(AnySetup::Standard(Setup::Isis)));
/// assert_eq!("orontes".parse(), Ok(AnySetup::Tower(tower::Setup::Orontes)));
/// let error = "orontez".parse::<AnySetup>().unwrap_err().to_string();
/// assert!(error.contains("classic, ") && error.contains("orontes, "));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AnySetup {
    /// A setup without a tower.
    Standard(Setup),
    /// A setup with a tower.
    Tower(tower::Setup),
}

impl AnySetup {
    /// Iterates over all setups, those without a tower first.
    pub fn all() -> impl Iterator<Item = AnySetup> {
        let standard = Setup::ALL.into_iter().map(AnySetup::Standard);
        standard.chain(tower::Setup::ALL.into_iter().map(AnySetup::Tower))
    }

    /// Returns whether it has a tower.
    pub const fn has_tower(self) -> bool {
        matches!(self, AnySetup::Tower(_))
    }

    /// Returns the name, which is accepted wherever a position is read.
    pub const fn name(self) -> &'static str {
        match self {
            AnySetup::Standard(setup) => setup.name(),
            AnySetup::Tower(setup) => setup.name(),
        }
    }

    /// Returns the placement.
    pub fn placement(self) -> AnyPlacement {
        match self {
            AnySetup::Standard(setup) => setup.placement().into(),
            AnySetup::Tower(setup) => setup.placement().into(),
        }
    }

    /// Returns the position, with standard rules.
    pub fn position(self) -> AnyPosition {
        match self {
            AnySetup::Standard(setup) => setup.position().into(),
            AnySetup::Tower(setup) => setup.position().into(),
        }
    }

    /// Returns the setup with this placement.
    pub fn of(placement: &AnyPlacement) -> Option<AnySetup> {
        match placement {
            AnyPlacement::Standard(placement) => Setup::of(placement).map(AnySetup::Standard),
            AnyPlacement::Tower(placement) => tower::Setup::of(placement).map(AnySetup::Tower),
        }
    }
}

impl From<Setup> for AnySetup {
    fn from(setup: Setup) -> AnySetup {
        AnySetup::Standard(setup)
    }
}

impl From<tower::Setup> for AnySetup {
    fn from(setup: tower::Setup) -> AnySetup {
        AnySetup::Tower(setup)
    }
}

impl fmt::Display for AnySetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for AnySetup {
    type Err = ParseSetupError;

    /// Reads a setup's name, in upper or lower case.
    fn from_str(text: &str) -> Result<AnySetup, ParseSetupError> {
        let setups: Vec<AnySetup> = AnySetup::all().collect();
        find_by_name(text, &setups, AnySetup::name)
    }
}

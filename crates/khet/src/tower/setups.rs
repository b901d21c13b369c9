//! The named starting positions with a tower.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use super::{Placement, Position};
use crate::setups::find_by_name;
use crate::{ParseSetupError, Rules};

/// A starting position with a tower. The printed ones are lost; these are new, found by search and
/// judged by games of the engine against itself.
///
/// ```
/// use khet::tower::Setup;
///
/// let setup: Setup = "orontes".parse()?;
/// assert_eq!(setup, Setup::Orontes);
/// assert_eq!(setup.position().column().to_string(), "e4");
/// # Ok::<_, khet::ParseSetupError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Setup {
    /// Named after the river at Kadesh.
    Orontes,
    /// Named after the pharaoh of the battle of Kadesh.
    Ramesses,
    /// Named after the queen of Ramesses. It has the Eye of Horus.
    Nefertari,
}

/// The placements of all setups, parsed on first use.
static PLACEMENTS: LazyLock<[Placement; Setup::ALL.len()]> = LazyLock::new(|| {
    Setup::ALL.map(|setup| setup.notation().parse().expect("a test reads every setup"))
});

impl Setup {
    /// All setups: two with the pieces of the standard game, and one with the Eye of Horus.
    pub const ALL: [Setup; 3] = [Setup::Orontes, Setup::Ramesses, Setup::Nefertari];

    /// Returns the name, which is accepted wherever a position with a tower is read.
    pub const fn name(self) -> &'static str {
        match self {
            Setup::Orontes => "orontes",
            Setup::Ramesses => "ramesses",
            Setup::Nefertari => "nefertari",
        }
    }

    /// Returns the position in notation.
    pub const fn notation(self) -> &'static str {
        match self {
            Setup::Orontes => {
                "4o2ko2p22/2p37/3P46/p11P34p21P4/p21P44p11P3/6p23/7P12/2P4O2KO24\
                 +e4:6/1d12d21/6/6/1D22D11/6 s"
            }
            Setup::Ramesses => {
                "4o2ko2d22/10/3P42p13/p1P36p2P4/p2P46p1P3/3P32p23/10/2D2O2KO24\
                 +e4:6/4P21/6/6/1p44/6 s"
            }
            Setup::Nefertari => {
                "4o2ko23/10/2p25d21/p1P3e15p2P4/p2P45E1p1P3/1D25P42/10/3O2KO24\
                 +e4:1p44/6/4P41/1p24/6/4P21 s"
            }
        }
    }

    /// Returns the placement, for example for an editor.
    pub fn placement(self) -> Placement {
        PLACEMENTS[self as usize]
    }

    /// Returns the position, with standard rules.
    pub fn position(self) -> Position {
        Position::assemble(&self.placement(), Rules::Standard)
    }

    /// Returns the setup with this placement.
    pub fn of(placement: &Placement) -> Option<Setup> {
        Setup::ALL.into_iter().find(|setup| setup.placement() == *placement)
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Setup {
    type Err = ParseSetupError;

    /// Reads a setup's name, in upper or lower case.
    fn from_str(text: &str) -> Result<Setup, ParseSetupError> {
        find_by_name(text, &Setup::ALL, Setup::name)
    }
}

//! The named starting positions.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use crate::excerpt::excerpt;
use crate::{Placement, Position, Rules};

/// A starting position from the printed rules.
///
/// ```
/// use khet::Setup;
///
/// let setup: Setup = "imhotep".parse()?;
/// assert_eq!(setup, Setup::Imhotep);
/// assert_eq!(setup.position().legal_moves().len(), 75);
/// # Ok::<_, khet::ParseSetupError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Setup {
    Classic,
    Imhotep,
    Dynasty,
    Khet2Classic,
    Khet2Imhotep,
    Khet2Dynasty,
    Khet2ImhotepEye,
    Khet2DynastyEye,
    Osiris,
    Isis,
}

/// The placements of all setups, parsed on first use.
static PLACEMENTS: LazyLock<[Placement; Setup::ALL.len()]> = LazyLock::new(|| {
    Setup::ALL.map(|setup| setup.notation().parse().expect("a test reads every setup"))
});

impl Setup {
    /// All setups: the three of the standard game, the three of Khet 2.0, and the four of Khet 2.0
    /// with the Eye of Horus.
    pub const ALL: [Setup; 10] = [
        Setup::Classic,
        Setup::Imhotep,
        Setup::Dynasty,
        Setup::Khet2Classic,
        Setup::Khet2Imhotep,
        Setup::Khet2Dynasty,
        Setup::Khet2ImhotepEye,
        Setup::Khet2DynastyEye,
        Setup::Osiris,
        Setup::Isis,
    ];

    /// Returns the name, which is accepted wherever a position is read.
    pub const fn name(self) -> &'static str {
        match self {
            Setup::Classic => "classic",
            Setup::Imhotep => "imhotep",
            Setup::Dynasty => "dynasty",
            Setup::Khet2Classic => "khet2-classic",
            Setup::Khet2Imhotep => "khet2-imhotep",
            Setup::Khet2Dynasty => "khet2-dynasty",
            Setup::Khet2ImhotepEye => "khet2-imhotep-eye",
            Setup::Khet2DynastyEye => "khet2-dynasty-eye",
            Setup::Osiris => "osiris",
            Setup::Isis => "isis",
        }
    }

    /// Returns the position in notation.
    pub const fn notation(self) -> &'static str {
        match self {
            Setup::Classic => {
                "4o2ko2p22/2p37/3P46/p11P31d1d21p21P4/p21P41D2D11p11P3/6p23/7P12/2P4O2KO24 s"
            }
            Setup::Imhotep => {
                "4o2ko2d22/10/3P42p13/p1P32P2d22p2P4/p2P42D2p42p1P3/3P32p23/10/2D2O2KO24 s"
            }
            Setup::Dynasty => {
                "4p3o2p23/5k4/p13p3o2d23/p21d11P41P23/3p41p21D11P4/3D2O2P13P3/4K5/3P4O2P14 s"
            }
            Setup::Khet2Classic => {
                "x33a3ka3p22/2p37/3P46/p11P31s1s21p21P4/p21P41S2S11p11P3/6p23/7P12/2P4A1KA13X1 s"
            }
            Setup::Khet2Imhotep => {
                "x33a3ka3s22/10/3P42p13/p1P32P2s22p2P4/p2P42S2p42p1P3/3P32p23/10/2S2A1KA13X1 s"
            }
            Setup::Khet2Dynasty => {
                "x33p3a3p23/5k4/p13p3a3s23/p21s11P41P23/3p41p21S11P4/3S2A1P13P3/4K5/3P4A1P13X1 s"
            }
            Setup::Khet2ImhotepEye => {
                "x33a3ka3s22/10/3P42p13/p1P32P2e22p2P4/p2P42E2p42p1P3/3P32p23/10/2S2A1KA13X1 s"
            }
            Setup::Khet2DynastyEye => {
                "x33p3a3p23/5k4/p13p3a3s23/p21e11P41P23/3p41p21E11P4/3S2A1P13P3/4K5/3P4A1P13X1 s"
            }
            Setup::Osiris => {
                "x3S23p3k1p2P3/2a33a3p22/6P43/p13e2s13P4/p23S1E23P3/3p26/2P4A13A12/p1P41KP13s2X1 s"
            }
            Setup::Isis => {
                "x35a3kp21/p11s13p3a32/1S18/p11p11P4E22p31/1P12e2p21P31P3/8s11/2A1P13S11P3/1P4KA15X1 s"
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

/// A text that is not the name of a setup.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseSetupError {
    text: String,
    names: Vec<&'static str>,
}

impl fmt::Display for ParseSetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: the setups are {}", self.text, self.names.join(", "))
    }
}

impl std::error::Error for ParseSetupError {}

impl FromStr for Setup {
    type Err = ParseSetupError;

    /// Reads a setup's name, in upper or lower case.
    fn from_str(text: &str) -> Result<Setup, ParseSetupError> {
        find_by_name(text, &Setup::ALL, Setup::name)
    }
}

/// Returns the setup with a name, in upper or lower case.
pub(crate) fn find_by_name<S: Copy>(
    text: &str,
    setups: &[S],
    name: fn(S) -> &'static str,
) -> Result<S, ParseSetupError> {
    let found = setups.iter().find(|&&setup| name(setup).eq_ignore_ascii_case(text));
    found.copied().ok_or_else(|| ParseSetupError {
        text: excerpt(text),
        names: setups.iter().map(|&setup| name(setup)).collect(),
    })
}

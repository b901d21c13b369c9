//! The families of official setups, by the pieces that are on the board.

use khet::{Role, Setup};
use serde::Serialize;

/// A family of setups.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Family {
    /// Djeds, obelisks, and lasers in the wall.
    Standard,
    /// Scarabs, Anubis and sphinxes.
    Khet2,
    /// Khet 2.0 with the Eye of Horus.
    EyeOfHorus,
}

impl Family {
    /// Returns the family of a setup.
    pub(super) fn of(setup: Setup) -> Family {
        let position = setup.position();
        let has = |role: Role| position.pieces().any(|(_, piece)| piece.role() == role);
        match (has(Role::Eye), has(Role::Sphinx)) {
            (true, _) => Family::EyeOfHorus,
            (false, true) => Family::Khet2,
            (false, false) => Family::Standard,
        }
    }

    /// Returns the name in a table.
    pub(super) fn name(self) -> &'static str {
        match self {
            Family::Standard => "standard",
            Family::Khet2 => "Khet 2.0",
            Family::EyeOfHorus => "Eye of Horus",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setups_are_divided_as_the_rules_list_them() {
        use Family::{EyeOfHorus, Khet2, Standard};

        let families = Setup::ALL.map(Family::of);
        assert_eq!(families[..3], [Standard; 3]);
        assert_eq!(families[3..6], [Khet2; 3]);
        assert_eq!(families[6..], [EyeOfHorus; 4]);
    }
}

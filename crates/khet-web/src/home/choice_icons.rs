//! The icons of the choices on the home page, each a stroked path in a square of 24 units. The
//! build draws them in the static shell too.

/// The eye of Horus.
pub const COMPUTER_ICON: &str = "M3 12 C6 7 9 5 12 5 C15 5 18 7 21 12 C18 15 15 16.5 12 16.5 C9 16.5 6 15 3 12 Z \
     M12 8 a3 3 0 1 0 .01 0 M9 17 L7 21 M14 17 C14 20 17 21 19 19.5";
/// Two links of a chain, for the link to a challenge.
pub const FRIEND_ICON: &str = "M10 14 L14 10 M11 7.5 L13.5 5 A4 4 0 0 1 19 10.5 L16.5 13 M13 16.5 L10.5 19 A4 4 0 0 1 5 13.5 L7.5 11";
/// Two players on either side of a board.
pub const HOTSEAT_ICON: &str =
    "M4 9 H20 V15 H4 Z M12 9 V15 M12 2.5 a1.8 1.8 0 1 0 .01 0 M12 17.9 a1.8 1.8 0 1 0 .01 0";
/// A globe, for opponents from everywhere.
pub const LOBBY_ICON: &str =
    "M12 3 A9 9 0 1 0 12.01 3 M3 12 H21 M12 3 C7 8 7 16 12 21 M12 3 C17 8 17 16 12 21";

//! The gallery of community setups.

use std::fmt;
use std::str::FromStr;

use khet::{
    AnyPlacement, AnyPosition, AnySetup, GamePosition, InvalidAnyPosition, PieceBox, Rules,
};
use serde::{Deserialize, Serialize};

use crate::text::{as_text, excerpt, is_invisible};
use crate::{PersonName, PublicProfile, SetupId};

/// A text that the gallery refuses, with the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseSetupTextError {
    text: String,
    why: &'static str,
}

impl fmt::Display for ParseSetupTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.text, self.why)
    }
}

impl std::error::Error for ParseSetupTextError {}

macro_rules! setup_text {
    ($(#[$doc:meta])* $name:ident, $length:literal, $forbidden:expr, $needs_letter:literal, $why:literal, $example:literal) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash, Debug)]
        pub struct $name(String);

        impl $name {
            /// Maximum number of characters.
            pub const MAX_LENGTH: usize = $length;

            /// Returns the text. It is plain text and must be escaped in HTML.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = ParseSetupTextError;

            fn from_str(text: &str) -> Result<$name, ParseSetupTextError> {
                let trimmed = text.trim();
                let fits = trimmed.chars().nth(Self::MAX_LENGTH).is_none()
                    && !trimmed.contains($forbidden)
                    && (!$needs_letter || trimmed.contains(char::is_alphanumeric));
                if fits {
                    Ok($name(trimmed.to_owned()))
                } else {
                    Err(ParseSetupTextError { text: excerpt(text), why: $why })
                }
            }
        }

        as_text!($name, $example);
    };
}

setup_text! {
    /// The name of a setup: 1 to 40 characters on one line, at least one of them a letter or digit.
    ///
    /// ```
    /// use khet_protocol::SetupName;
    ///
    /// let name: SetupName = " Two Rivers ".parse()?;
    /// assert_eq!(name.as_str(), "Two Rivers");
    /// assert!("ev\u{202e}il".parse::<SetupName>().is_err());
    /// # Ok::<_, khet_protocol::ParseSetupTextError>(())
    /// ```
    SetupName, 40, is_invisible, true,
    "a setup's name is 1 to 40 visible characters, at least one of them a letter or digit", "Two Rivers"
}
setup_text! {
    /// The author's description of a setup: up to 500 characters; may contain line breaks.
    SetupDescription, 500, |letter| letter != '\n' && is_invisible(letter), false,
    "the description of a setup is up to 500 visible characters and line breaks",
    "The pharaohs stand far apart, and the middle is open."
}
setup_text! {
    /// The reason of a report: up to 300 characters; may contain line breaks.
    ReportReason, 300, |letter| letter != '\n' && is_invisible(letter), false,
    "the reason of a report is up to 300 visible characters and line breaks",
    "The name insults someone."
}

/// A setup to publish: `POST /api/setups`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NewSetup {
    /// The name.
    pub name: SetupName,
    /// The author's description.
    #[serde(default = "empty_description", alias = "words")]
    pub description: SetupDescription,
    /// The position, in notation.
    #[cfg_attr(feature = "openapi", schema(value_type = String,
        example = "4k5/2p37/10/p18P4/p18P4/10/7P12/5K4 s"))]
    pub position: AnyPlacement,
    /// The rules that it is meant for: `standard` or `czech`.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "standard"))]
    pub rules: Rules,
}

fn empty_description() -> SetupDescription {
    SetupDescription(String::new())
}

/// The reason why a position cannot be published.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SetupProblem {
    /// The position is invalid; all its faults.
    Position(InvalidAnyPosition),
    /// The game is over in this position.
    Over,
    /// It has a name already, possibly with the colours exchanged.
    Named(AnySetup),
}

impl fmt::Display for SetupProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupProblem::Position(why) => write!(f, "this position cannot be played: {why}"),
            SetupProblem::Over => f.write_str("in this position the game is already over"),
            SetupProblem::Named(setup) => write!(f, "this position is the setup {setup}"),
        }
    }
}

impl std::error::Error for SetupProblem {}

impl NewSetup {
    /// Returns the position.
    ///
    /// # Errors
    ///
    /// If it cannot be published.
    pub fn position(&self) -> Result<AnyPosition, SetupProblem> {
        let position =
            AnyPosition::new(&self.position, self.rules).map_err(SetupProblem::Position)?;
        if position.outcome().is_some() {
            return Err(SetupProblem::Over);
        }
        let named = AnySetup::of(&self.position).or_else(|| AnySetup::of(&self.position.flipped()));
        named.map_or(Ok(position), |setup| Err(SetupProblem::Named(setup)))
    }
}

/// A setup of the gallery.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GallerySetup {
    /// Its page is `/{language}/setup/{id}`, its picture `/pictures/setup/{id}.png`.
    pub id: SetupId,
    /// The name.
    pub name: SetupName,
    /// The author's description.
    #[serde(alias = "words")]
    pub description: SetupDescription,
    /// The position, in notation.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub position: AnyPlacement,
    /// The rules that it is meant for: `standard` or `czech`.
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "standard"))]
    pub rules: Rules,
    /// The author, without a name if the account was deleted.
    pub author: PublicProfile,
    /// When it was published, in milliseconds since 1970.
    pub created: u64,
    /// Number of likes.
    pub likes: u32,
    /// True if the person who asks likes it.
    pub liked: bool,
    /// Number of finished games from it.
    pub plays: u32,
    /// The results of those games.
    pub balance: SetupResults,
    /// True if the person who asks published it.
    pub mine: bool,
}

/// The results of the finished games from a setup.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SetupResults {
    /// Silver won.
    pub silver: u32,
    /// A draw.
    #[serde(rename = "drawn")]
    pub draws: u32,
    /// Red won.
    pub red: u32,
}

impl SetupResults {
    /// Returns the number of games.
    pub fn games(self) -> u32 {
        self.silver.saturating_add(self.draws).saturating_add(self.red)
    }

    /// Returns Silver's share of the points, from 0 to 1, and its margin of error (95 %
    /// confidence); `None` without games.
    ///
    /// The margin is estimated as if each side had won one more game. Otherwise it would be zero
    /// after a single game.
    ///
    /// ```
    /// use khet_protocol::SetupResults;
    ///
    /// let (score, error) = SetupResults { silver: 40, draws: 20, red: 40 }.score().unwrap();
    /// assert_eq!(score, 0.5);
    /// assert!((0.08..0.10).contains(&error));
    /// assert_eq!(SetupResults::default().score(), None);
    /// ```
    pub fn score(self) -> Option<(f64, f64)> {
        let games = f64::from(self.games());
        if games == 0.0 {
            return None;
        }
        let (silver, draws) = (f64::from(self.silver), f64::from(self.draws));
        let score = (silver + draws / 2.0) / games;
        let mean = (silver + 1.0 + draws / 2.0) / (games + 2.0);
        let variance = (silver + 1.0 + draws / 4.0) / (games + 2.0) - mean * mean;
        Some((score, 1.96 * (variance.max(0.0) / games).sqrt()))
    }

    /// Returns how certainly the sides are balanced, from 0 to 1000: how near to one half the score
    /// is at the far end of its margin of error. [`SetupSort::Balance`] sorts by it.
    ///
    /// ```
    /// use khet_protocol::SetupResults;
    ///
    /// let few = SetupResults { silver: 2, draws: 0, red: 2 };
    /// let many = SetupResults { silver: 500, draws: 0, red: 500 };
    /// let one_sided = SetupResults { silver: 900, draws: 0, red: 100 };
    /// assert!(many.evenness() > one_sided.evenness());
    /// assert!(one_sided.evenness() > few.evenness());
    /// let single = SetupResults { silver: 1, draws: 0, red: 0 };
    /// assert!(few.evenness() > single.evenness());
    /// assert!(single.evenness() > SetupResults::default().evenness());
    /// ```
    pub fn evenness(self) -> u32 {
        let Some((score, error)) = self.score() else { return 0 };
        // The largest possible value, nearly 1.5, is that of a single decided game.
        let off = (score - 0.5).abs() + error;
        (1000.0 * (1.0 - off / 1.5).clamp(0.0, 1.0)) as u32
    }
}

/// The order of a list of setups.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum SetupSort {
    /// The latest first.
    #[default]
    Newest,
    /// The most played first.
    Plays,
    /// The most liked first.
    Likes,
    /// The most certainly balanced first; see [`SetupResults::evenness`].
    Balance,
}

/// A query of the gallery. All fields are optional.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema, utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct SetupQuery {
    /// The order: `newest`, `plays`, `likes` or `balance`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(example = "likes"))]
    pub sort: Option<SetupSort>,
    /// Only setups with the pieces of this box: `standard` or `khet2`.
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "standard"))]
    pub piece_box: Option<PieceBox>,
    /// Only setups of this author.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(example = "Anna"))]
    pub author: Option<PersonName>,
    /// The `next` of the previous page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<SetupCursor>,
    /// Maximum number of setups, up to 50.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(example = 10))]
    pub limit: Option<u32>,
}

/// A position in a list of setups: after this setup. Written `12-57`. Valid only for the order of
/// the list it came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SetupCursor {
    /// The value that the list is sorted by: plays, likes or evenness.
    pub value: u32,
    /// The number of the setup, in order of publication.
    pub number: u32,
}

/// A text that is not a cursor of setups.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseSetupCursorError(String);

impl fmt::Display for ParseSetupCursorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a cursor: it is the `next` of the previous page", self.0)
    }
}

impl std::error::Error for ParseSetupCursorError {}

impl fmt::Display for SetupCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.value, self.number)
    }
}

impl FromStr for SetupCursor {
    type Err = ParseSetupCursorError;

    fn from_str(text: &str) -> Result<SetupCursor, ParseSetupCursorError> {
        let read = || {
            let (value, number) = text.split_once('-')?;
            Some(SetupCursor { value: value.parse().ok()?, number: number.parse().ok()? })
        };
        read().ok_or_else(|| ParseSetupCursorError(excerpt(text)))
    }
}

as_text!(SetupCursor, "12-57");

/// A page of the gallery.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SetupPage {
    /// The setups, in the requested order.
    pub setups: Vec<GallerySetup>,
    /// The `after` of the query for the next page; absent on the last page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<SetupCursor>,
}

/// A report of a setup to the moderators: `POST /api/setups/{id}/report`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NewReport {
    /// The reason.
    pub reason: ReportReason,
}

/// A report, as moderators see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SetupReport {
    /// The person who reported it.
    pub by: PublicProfile,
    /// When it was reported, in milliseconds since 1970.
    pub at: u64,
    /// The reason.
    pub reason: ReportReason,
}

/// A setup with the reports about it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReportedSetup {
    /// The setup.
    #[serde(alias = "card")]
    pub setup: GallerySetup,
    /// True if it is hidden from lists until a moderator has decided.
    pub hidden: bool,
    /// The open reports, the oldest first. There are none if the setup waits because a moderator
    /// removed an earlier publication of its position.
    pub reports: Vec<SetupReport>,
    /// Earlier decisions about the position, the latest first.
    #[serde(default)]
    pub decisions: Vec<SetupDecision>,
}

/// What a moderator decided about a setup.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum DecisionKind {
    /// The reports were dismissed.
    Kept,
    /// The setup was removed.
    Removed,
}

/// A moderator's decision about a setup.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SetupDecision {
    /// The number, which grows with each decision.
    pub number: u32,
    /// The setup.
    pub setup: SetupId,
    /// The name of the setup, unless its author has deleted it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<SetupName>,
    /// The decision.
    pub kind: DecisionKind,
    /// When it was made, in milliseconds since 1970.
    pub at: u64,
    /// The moderator.
    pub moderator: PublicProfile,
    /// Present if it was undone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undone: Option<DecisionUndo>,
}

/// The end of a decision that was undone.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DecisionUndo {
    /// The moderator who undid it.
    pub by: PublicProfile,
    /// When it was undone, in milliseconds since 1970.
    pub at: u64,
}

/// The latest decisions: `GET /api/setups/decisions`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DecisionsResponse {
    /// The decisions, the latest first.
    pub decisions: Vec<SetupDecision>,
}

/// The open reports: `GET /api/setups/reports`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReportsResponse {
    /// Reported setups, those reported first at the top, at most fifty.
    pub setups: Vec<ReportedSetup>,
}

#[cfg(test)]
mod tests {
    use khet::{AnyPlacement, AnySetup, tower};

    use super::{NewSetup, ReportReason, SetupCursor, SetupDescription, SetupName, SetupProblem};

    #[test]
    fn names_are_one_visible_line() {
        for good in ["7", "Two Rivers", "Zwei Flüsse", "<b>&\"'", "川", &"x".repeat(40)] {
            assert_eq!(good.parse::<SetupName>().unwrap().as_str(), good);
        }
        for bad in [
            "",
            "  ",
            "…",
            "\u{200d}",
            "a\nb",
            "a\u{0}",
            "a\u{202e}b",
            "a\u{2066}",
            &"x".repeat(41),
        ] {
            assert!(bad.parse::<SetupName>().is_err(), "{bad:?}");
        }
        let error = "a\u{7}".parse::<SetupName>().unwrap_err().to_string();
        assert!(error.starts_with(r#""a\u{7}": a setup's name is"#), "{error}");
    }

    #[test]
    fn description_may_be_empty_or_multiline() {
        for good in ["", "one\ntwo", &"ž".repeat(500)] {
            assert_eq!(good.parse::<SetupDescription>().unwrap().as_str(), good);
        }
        for bad in ["a\u{202e}b", "a\tb", &"x".repeat(501)] {
            assert!(bad.parse::<SetupDescription>().is_err(), "{bad:?}");
        }
        assert!("x".repeat(301).parse::<ReportReason>().is_err());
    }

    #[test]
    fn cursors_round_trip() {
        let cursor = SetupCursor { value: 12, number: 57 };
        assert_eq!(cursor.to_string().parse(), Ok(cursor));
        for text in ["", "12", "12-", "-1-2", "12-57-1", "12-99999999999"] {
            assert!(text.parse::<SetupCursor>().is_err(), "{text}");
        }
    }

    fn setup(position: &str) -> NewSetup {
        NewSetup {
            name: "Name".parse().unwrap(),
            description: "".parse().unwrap(),
            position: position.parse().unwrap(),
            rules: khet::Rules::Standard,
        }
    }

    #[test]
    fn unplayable_setup_is_rejected_with_its_faults() {
        let problem = setup("10/10/10/10/10/10/10/5K4 s").position().unwrap_err();
        assert_eq!(problem.to_string(), "this position cannot be played: red has no pharaoh");
        assert!(setup("4k5/10/10/10/10/10/10/5K4 s").position().is_ok());
        let outside = "4k5/10/10/10/10/10/10/5K4+h4:6/6/6/6/6/6 s";
        assert!(outside.parse::<AnyPlacement>().is_err());
        let corner = "4k5/10/10/10/10/10/10/10+e4:6/6/6/6/6/K5 s";
        let problem = setup(corner).position().unwrap_err().to_string();
        assert!(problem.starts_with("this position cannot be played: "), "{problem}");
        assert!(setup("4k5/10/10/10/10/10/10/5K4+e4:6/6/6/6/6/6 s").position().is_ok());
    }

    #[test]
    fn setups_with_a_name_are_rejected_also_flipped() {
        for named in AnySetup::all() {
            let mut flipped = setup(&named.placement().flipped().to_string());
            assert_eq!(flipped.position(), Err(SetupProblem::Named(named)));
            flipped.position = named.placement();
            assert_eq!(flipped.position(), Err(SetupProblem::Named(named)));
        }
        let problem = setup(tower::Setup::Orontes.notation()).position().unwrap_err();
        assert_eq!(problem.to_string(), "this position is the setup orontes");
    }
}
